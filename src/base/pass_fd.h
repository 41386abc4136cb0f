/* SPDX-License-Identifier: MIT */
/* Messages between two processes, each with at most one open file (unix(7), SCM_RIGHTS). */
#ifndef BASE_PASS_FD_H
#define BASE_PASS_FD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Sends a message, and with it a copy of `fd` (stays open here; -1: none). `flags` as for send(2);
 * MSG_NOSIGNAL is added. False: not sent whole; errno.
 */
bool pass_send(int socket, const void *message, size_t size, int fd, int flags);

/*
 * Receives a message as recv(2) does. Sets *fd to the file that came along, which the caller closes
 * and which is closed on exec; -1: none.
 */
ssize_t pass_receive(int socket, void *message, size_t size, int flags, int *fd);

#endif
