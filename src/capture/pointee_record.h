/* SPDX-License-Identifier: MIT */
/*
 * POINTEES records (FORMAT.md, type 20): what a sample's registers and stack point to, of which
 * those bytes are written that are not as in the thread's last one. Agents have no room for it.
 */
#ifndef CAPTURE_POINTEE_RECORD_H
#define CAPTURE_POINTEE_RECORD_H

#include <stddef.h>

#include "capture/target/pointees.h"

struct capture;
struct pending_sample;
struct thread;

/* What a thread's last record told: pieces, and behind them their bytes. */
struct pointee_base {
    struct target_memory *pieces; /* owned */
    size_t count, cap;            /* cap: bytes of all */
};

/* In the stop of a sample whose registers and stack were copied; the sample is good without. */
void pointee_record_copy(struct capture *cap, struct pending_sample *sample);

/* Precedes the sample; nothing, where nothing was copied. */
void pointee_record_write(struct capture *cap, const struct pending_sample *sample);

/* The thread's next record is written whole. */
void pointee_record_forget(struct thread *thread);
void pointee_record_deinit(struct thread *thread);

#endif
