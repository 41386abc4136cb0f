/* SPDX-License-Identifier: MIT */
/*
 * Keeps what holds after a part of a snapshot's records, as records that say it again: so that
 * later records can be read without that part. Private to recent/.
 *
 *     PROCESS, MAP, CODE, NAMES, SYMBOL_FILE, THREAD    as they came, unless it has ended
 *     USAGE                                             each process's last one, plus what its
 *                                                       samples have used since
 *     WAIT, POINTEES, SAMPLE                            each thread's last sample, whole
 *
 * It does not grow with the records: a thread costs what its stack has, and records about code made
 * at run time are at most RECENT_KEPT_MAX; beyond, the oldest code is dropped, then symbol files,
 * then names.
 */
#ifndef RECENT_STATE_H
#define RECENT_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/status.h"
#include "recent/kept.h"
#include "snapshot/records.h"
#include "snapshot/writer.h"

struct recent_state { /* zero it, and set records.arch */
    struct snap_records records;
    struct kept_list processes, maps, codes, names, files, threads;
    struct map usage_places;   /* pid -> index in usages */
    struct snap_usage *usages; /* owned; time_ns 0: not known */
    size_t usage_count, usage_cap;
    size_t kept_max; /* 0: RECENT_KEPT_MAX */
    bool left_out;   /* something was dropped, as kept_max was reached */
};

void recent_state_deinit(struct recent_state *state);

/* Takes one record. BAD_DATA: `diag` says why; NO_MEMORY. */
MUST_CHECK enum status recent_state_take(struct recent_state *state, struct record_bytes record,
                                         struct diag *diag);

/*
 * Calls `put` with the records, in an order in which they can be read. Each thread's last sample
 * gets the time at which it was last found valid, but not before `from_ns`, and stands for no CPU
 * time. `writer` is memory for records. UNSUPPORTED: a thread's stacks are larger than a record may
 * be; or what `put` returns.
 */
typedef enum status recent_put(void *context, const uint8_t *bytes, size_t size);
MUST_CHECK enum status recent_state_put(const struct recent_state *state, uint64_t from_ns,
                                        struct snap_writer *writer, recent_put *put, void *context);

/* Bytes that it holds, about. */
size_t recent_state_size(const struct recent_state *state);

#endif
