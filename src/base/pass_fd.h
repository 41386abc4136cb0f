/* SPDX-License-Identifier: MIT */
/* Passes messages between processes, each with at most one open file (unix(7), SCM_RIGHTS). */
#ifndef BASE_PASS_FD_H
#define BASE_PASS_FD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Sends a message of `size` bytes, and with it a copy of `fd`, which stays open here (-1: no file).
 * `flags` as for send(2); MSG_NOSIGNAL is added. False: the message was not sent whole; errno.
 */
bool pass_send(int socket, const void *message, size_t size, int fd, int flags);

/*
 * Receives a message as recv(2) does, with its results. Sets *fd to the file that came along, which
 * the caller closes and which is closed on exec; -1: no file came.
 */
ssize_t pass_receive(int socket, void *message, size_t size, int flags, int *fd);

#endif
