/* SPDX-License-Identifier: MIT */
/*
 * Writes POINTEES records (FORMAT.md, type 20): memory that a sample's registers and stack point
 * to. Bytes that are as in the thread's last record are not repeated.
 */
#ifndef CAPTURE_POINTEE_RECORD_H
#define CAPTURE_POINTEE_RECORD_H

#include <stddef.h>

#include "capture/target/pointees.h"

struct capture;
struct pending_sample;
struct thread;

/* The thread's last record: `count` pieces, followed by their bytes. */
struct pointee_base {
    struct target_memory *pieces; /* owned */
    size_t count, cap;            /* cap: bytes of the allocation */
};

/* In a sample's stop, after registers and stack: copies the pointees, as far as possible. */
void pointee_record_copy(struct capture *cap, struct pending_sample *sample);

/* Writes the sample's POINTEES, ahead of its SAMPLE; nothing if none were copied. */
void pointee_record_write(struct capture *cap, const struct pending_sample *sample);

/* Forgets the last record: the thread's next one is written whole. */
void pointee_record_forget(struct thread *thread);
void pointee_record_deinit(struct thread *thread);

#endif
