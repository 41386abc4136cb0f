/* SPDX-License-Identifier: MIT */
/*
 * Waiting for input with a deadline: a signal (a timer that ticks each second, say) interrupts
 * poll(2), but does not make the wait longer or shorter.
 */
#ifndef BASE_AWAIT_H
#define BASE_AWAIT_H

#include <stdbool.h>

/*
 * Waits until `fd` has something to read, or has reached its end or an error. False: none of them
 * within `wait_ms` milliseconds.
 */
bool await_input(int fd, int wait_ms);

#endif
