/* SPDX-License-Identifier: MIT */
/*
 * Keeps the state after a first part of a snapshot's records, as records that give this state: with
 * them the later records can be read without that part. Private to recent/.
 *
 *     PROCESS, MAP, CODE, NAMES, SYMBOL_FILE, THREAD    as they came, unless it has ended
 *     USAGE                                             each process's last one, plus what its
 *                                                       samples have used since
 *     WAIT, POINTEES, SAMPLE                            each thread's last sample, whole
 *
 * The state does not grow with the number of records: a thread takes the size of its stack, and
 * records about code made at run time take at most kept_max bytes; beyond, the oldest code is
 * dropped, then symbol files, then names.
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
    struct map usage_places;   /* pid -> index in `usages` */
    struct snap_usage *usages; /* owned; one for a process; time_ns 0: not known */
    size_t usage_count, usage_cap;
    size_t kept_max; /* most bytes of records about code made at run time; 0: RECENT_KEPT_MAX */
    bool left_out;   /* records were dropped because kept_max was reached */
};

void recent_state_deinit(struct recent_state *state);

/* Changes the state by the next record. BAD_DATA: it is damaged, as `diag` says; NO_MEMORY. */
MUST_CHECK enum status recent_state_take(struct recent_state *state, struct record_bytes record,
                                         struct diag *diag);

/*
 * Calls `put` with each record of the state, in an order in which a reader can read them. A
 * thread's last sample gets the time of its last repeat, but at least `from_ns`, and no CPU time.
 * `writer` is used to build records. UNSUPPORTED: a thread's stacks are larger than a record may
 * be; else the first failure of `put`.
 */
typedef enum status recent_put(void *context, const uint8_t *bytes, size_t size);
MUST_CHECK enum status recent_state_put(const struct recent_state *state, uint64_t from_ns,
                                        struct snap_writer *writer, recent_put *put, void *context);

/* Returns about how many bytes of memory the state takes. */
size_t recent_state_size(const struct recent_state *state);

#endif
