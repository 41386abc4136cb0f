/* SPDX-License-Identifier: MIT */
/* Waiting for a descriptor, for so long and no longer: signals interrupt poll(2), and a timer's do
 * so each second. */
#ifndef BASE_AWAIT_H
#define BASE_AWAIT_H

#include <stdbool.h>

/* There is something to read, or nothing will come any more. False: not within `wait_ms`. */
bool await_input(int fd, int wait_ms);

#endif
