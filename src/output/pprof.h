/* SPDX-License-Identifier: MIT */
/*
 * The pprof format: a gzipped message Profile of
 * https://github.com/google/pprof/blob/main/proto/profile.proto, for `go tool pprof`, Parca,
 * Pyroscope.
 *
 * Sample types are samples/count, cpu/nanoseconds, wall/nanoseconds; the view's weight is the
 * default type. A sample is a chain of a thread in one state, with the labels thread, thread_id and
 * state as far as known, and stop if the chain is not complete.
 *
 * A profile joins chains of processes whose modules lie at different addresses, so that run-time
 * addresses are not kept. A mapping is a module at the addresses of its ELF file, from the first
 * executable segment to the last: readers turn an address into one of the file before they look it
 * up. Locations are the addresses at which frames were looked up, for callers within the call
 * instruction. If a module's file is missing, addresses are file offsets, and locations have no
 * lines: readers may find the file by its build-id. Code that belongs to no file ("[anon]") has
 * run-time addresses.
 *
 * The format can be read again (graph/pprof/load.h): facts that other readers do not need are in
 * fields of our own (graph/pprof/fields.h).
 *
 * The same samples give the same bytes, in whatever order and in how many parts they were read
 * (pprof_order.h). Messages are compressed as they are made; the tables of functions and texts are
 * kept in memory.
 */
#ifndef OUTPUT_PPROF_H
#define OUTPUT_PPROF_H

#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "graph/names.h"
#include "graph/quality.h"
#include "graph/title.h"
#include "graph/view.h"

/* Facts about the captures that the profile's message has; all pointers are borrowed. */
struct pprof_facts {
    const struct title *programs;  /* captured programs, written as comments; NULL: none */
    uint64_t start_ns;             /* begin of the capture, since the epoch; 0: not known */
    uint64_t duration_ns;          /* duration of the capture; 0: not known */
    uint64_t period_ns;            /* wall time between a thread's samples; 0: not known */
    const struct arch *arch;       /* NULL: not known */
    const struct quality *quality; /* its account of all captures is written; NULL: none */
};

/*
 * Writes the samples of the view's profile that the view shows; view->weight is the default type.
 * `names`: the profile's, in which the lines at which functions start are looked up. NO_MEMORY; IO:
 * `out` has failed.
 */
MUST_CHECK enum status pprof_write(const struct view *view, struct names *names,
                                   const struct pprof_facts *facts, FILE *out);

#endif
