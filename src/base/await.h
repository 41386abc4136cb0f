/* SPDX-License-Identifier: MIT */
/*
 * Waits for input with a deadline: signals (of a timer that ticks each second, say), which
 * interrupt poll(2), make the wait neither longer nor shorter.
 */
#ifndef BASE_AWAIT_H
#define BASE_AWAIT_H

#include <stdbool.h>

/*
 * Waits until `fd` has something to read, has reached its end or has an error: true. False: none of
 * these happened within `wait_ms` milliseconds.
 */
bool await_input(int fd, int wait_ms);

#endif
