/* SPDX-License-Identifier: MIT */
/*
 * Writes POINTEES records (FORMAT.md, type 20): the memory to which a sample's registers and stack
 * point. Bytes that the thread's last record has at the same address are not repeated.
 */
#ifndef CAPTURE_POINTEE_RECORD_H
#define CAPTURE_POINTEE_RECORD_H

#include <stddef.h>

#include "capture/target/pointees.h"

struct capture;
struct pending_sample;
struct thread;

/* A copy of a thread's last POINTEES record. */
struct pointee_base {
    struct target_memory *pieces; /* owned; `count` of them, followed by the bytes of all */
    size_t count, cap;            /* cap: bytes of the allocation */
};

/*
 * Copies the memory to which the sample's registers and stack point into sample->pointees, as far
 * as possible; if options.pointees. To be called in the thread's stop, after registers and stack.
 */
void pointee_record_copy(struct capture *cap, struct pending_sample *sample);

/*
 * Writes the sample's POINTEES record, to be called before its SAMPLE; none if nothing was copied.
 */
void pointee_record_write(struct capture *cap, const struct pending_sample *sample);

/* Forgets the thread's last record, so that the next is written whole. */
void pointee_record_forget(struct thread *thread);
void pointee_record_deinit(struct thread *thread);

#endif
