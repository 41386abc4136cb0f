/* SPDX-License-Identifier: MIT */
/* Messages between two processes that may bring an open file with them (unix(7), SCM_RIGHTS). */
#ifndef BASE_PASS_FD_H
#define BASE_PASS_FD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* `fd` stays the caller's; -1: none comes along. `flags` are those of send(2). False: errno. */
bool pass_send(int socket, const void *message, size_t size, int fd, int flags);

/*
 * As recv(2); *fd is the caller's, -1: none came along. Files are closed on exec.
 */
ssize_t pass_receive(int socket, void *message, size_t size, int flags, int *fd);

#endif
