/* SPDX-License-Identifier: MIT */
/* The target's memory as one sample holds it: memory waited for, stacks, and captured pointees. */
#ifndef SNAPSHOT_SAMPLE_MEMORY_H
#define SNAPSHOT_SAMPLE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot/event.h"

/*
 * Copies `size` bytes from run-time address `addr`: from memory that the thread waits for, else
 * from a region, else from a pointee. One piece must hold all of them; false: none does, or its
 * bytes cannot be read.
 */
bool sample_read(const struct snap_sample *sample, uint64_t addr, void *buffer, size_t size);

/*
 * Returns the time at which the memory that the thread waits for was last read; with a task of an
 * RTOS at least the sample's time. 0: the sample has neither.
 */
uint64_t sample_memory_time(const struct snap_sample *sample);

#endif
