/* SPDX-License-Identifier: MIT */
/*
 * fork for agents, in place of the C library's, whose locks and handlers are for threads: an agent
 * has one, and they are half a kilobyte.
 */
#include <unistd.h>

pid_t fork(void)
{
    return _Fork();
}
