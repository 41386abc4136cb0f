/* SPDX-License-Identifier: MIT */
/*
 * What holds after a part of a snapshot's records, as records that say it again: so that those that
 * follow can be read without that part. Private to recent/.
 *
 *     PROCESS, MAP, CODE, NAMES, SYMBOL_FILE, THREAD    as they came, but for what has ended
 *     USAGE                                             of each process the last one, and what its
 *                                                       samples have used since
 *     WAIT, SAMPLE                                      of each thread its last sample, whole
 *
 * It does not grow with the records: a thread costs what its stack has, and of what is told of code
 * made at run time there is no more than RECENT_KEPT_MAX; then the oldest code goes, then files of
 * symbols, then names.
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
    struct map usage_places;   /* pid -> place in usages */
    struct snap_usage *usages; /* owned; of time 0: not known */
    size_t usage_count, usage_cap;
    size_t kept_max; /* 0: RECENT_KEPT_MAX */
    bool left_out;   /* something was, since it was too much */
};

void recent_state_deinit(struct recent_state *state);

/* One record, of `type`. BAD_DATA with `diag` filled; NO_MEMORY. */
MUST_CHECK enum status recent_state_take(struct recent_state *state, struct record_bytes record,
                                         struct diag *diag);

/*
 * Calls `put` with the records, in an order in which they can be read. A thread's last sample
 * becomes one of the time at which it was last found so, but not of before `from_ns`; it stands for
 * no time. `writer` is memory for records. UNSUPPORTED: a thread's stacks are larger than a record
 * may be; or what `put` returns.
 */
typedef enum status recent_put(void *context, const uint8_t *bytes, size_t size);
MUST_CHECK enum status recent_state_put(const struct recent_state *state, uint64_t from_ns,
                                        struct snap_writer *writer, recent_put *put, void *context);

/* Bytes that it holds, about. */
size_t recent_state_size(const struct recent_state *state);

#endif
