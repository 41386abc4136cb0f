/* SPDX-License-Identifier: MIT */
/*
 * The target's memory as one sample holds it: what the thread waits for, its stacks, and what they
 * point to where that was captured.
 */
#ifndef SNAPSHOT_SAMPLE_MEMORY_H
#define SNAPSHOT_SAMPLE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot/event.h"

/*
 * Copies `size` bytes from run-time address `addr`: from a piece of memory that the thread waits
 * for, else from a region, else from a pointee. One piece has to hold them all; false, with nothing
 * copied, when none does.
 */
bool sample_read(const struct snap_sample *sample, uint64_t addr, void *buffer, size_t size);

/*
 * When the memory that the thread waits for was last read, or what an RTOS says of that; 0: there
 * is none.
 */
uint64_t sample_memory_time(const struct snap_sample *sample);

#endif
