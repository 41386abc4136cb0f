/* SPDX-License-Identifier: MIT */
/* The target's memory in one sample: memory that is waited for, stacks, and captured pointees. */
#ifndef SNAPSHOT_SAMPLE_MEMORY_H
#define SNAPSHOT_SAMPLE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot/event.h"

/*
 * Copies `size` bytes from run-time address `addr`: from memory that the thread waits for, else
 * from a region, else from a pointee. False: none of these pieces has all the bytes, or they cannot
 * be read.
 */
bool sample_read(const struct snap_sample *sample, uint64_t addr, void *buffer, size_t size);

/*
 * Returns the last time (time_ns) at which memory that the thread waits for was read; at least the
 * sample's time if the sample has a task of an RTOS. 0: neither.
 */
uint64_t sample_memory_time(const struct snap_sample *sample);

#endif
