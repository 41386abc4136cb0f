/* SPDX-License-Identifier: MIT */
/*
 * The pprof format: a gzipped message Profile of
 * https://github.com/google/pprof/blob/main/proto/profile.proto, for `go tool pprof`, Parca,
 * Pyroscope.
 *
 * Sample types are samples/count, cpu/nanoseconds, wall/nanoseconds; the view's weight is the
 * default one. A sample is a chain of a thread in one state, with the labels thread, thread_id and
 * state, as far as known, and stop where the chain is not complete.
 *
 * A profile joins chains of processes whose modules lie at different places, so that run-time
 * addresses are not kept: a mapping is a module at the addresses in its ELF file, from its first
 * executable segment to its last, which is what readers make of an address before they look it up.
 * Locations are where a frame was looked up, for callers within the call instruction. Where the
 * file is missing, addresses are file offsets, and locations have no lines: readers may find the
 * file by its build-id. What belongs to no file ("[anon]") has the addresses themselves.
 *
 * It is an input as well (graph/pprof/load.h), and has in fields of its own (graph/pprof/fields.h)
 * what other readers have no use for.
 *
 * The same samples give the same bytes, in whatever order and in how many parts they were read
 * (pprof_order.h). Messages are compressed as they are made; the tables of functions and texts are
 * held.
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

struct pprof_facts {
    const struct title *programs;  /* become comments; NULL: none */
    uint64_t start_ns;             /* since the epoch; 0: not known, as the next two */
    uint64_t duration_ns;          /* of the capture */
    uint64_t period_ns;            /* wall time between a thread's samples */
    const struct arch *arch;       /* NULL: not known */
    const struct quality *quality; /* what it knows of all samples together; NULL: nothing */
};

/*
 * Of the view only the choice of samples and the weight count. `names` are the profile's, and are
 * asked for the lines at which functions start.
 */
MUST_CHECK enum status pprof_write(const struct view *view, struct names *names,
                                   const struct pprof_facts *facts, FILE *out);

#endif
