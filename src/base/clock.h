/* SPDX-License-Identifier: MIT */
/* The monotonic clock (CLOCK_MONOTONIC), which no change of the system's date moves. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

uint64_t clock_now_ns(void);
int64_t clock_now_ms(void);

#endif
