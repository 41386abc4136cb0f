/* SPDX-License-Identifier: MIT */
/*
 * The perf-script format: every sample as `perf script` prints it, as it is read, for the Firefox
 * Profiler, speedscope and FlameGraph's stackcollapse-perf.pl.
 *
 *     worker 7/8     1.250000:          1 samples: \n
 *     \t    5555555551a9 spin+0x9 (/usr/bin/prog)
 *     \t    5555555551f0 run (inlined)
 *     \t    5555555551f0 main+0x20 (/usr/bin/prog)
 *     (an empty line)
 *
 * Innermost first, with run-time addresses, for callers the return address. Times are the capture's
 * clock. Before the event's name stands its weight: the readers sum it up. The event is "samples",
 * or in nanoseconds "wall-clock", "cpu-clock" or "offcpu-time"; samples of weight 0 are left out. A
 * repeated sample is written again. The CPU is not known and left out. Of CPU time that is known
 * later (ingest.h) a sample is kept until then, and written behind others that came later.
 *
 * Readers cut off one "+0x…" to get the function, so that a made-up name, which ends so itself, has
 * one more. They take the path of a file to have no spaces, and the first number of the first line
 * for the process's: a space there, or before a digit in a thread's name, becomes '_'. A thread
 * without a name is called ":TID", as perf does.
 */
#ifndef OUTPUT_PERF_SCRIPT_H
#define OUTPUT_PERF_SCRIPT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/map.h"
#include "base/status.h"
#include "graph/names.h"
#include "graph/profile.h"
#include "output/frame_texts.h"
#include "snapshot/reader.h"
#include "unwind/chain.h"

struct perf_script { /* set the first three, zero the rest; perf_script_deinit at the end */
    FILE *file;
    struct names *names; /* borrowed */
    enum weight_kind weight;
    /* Private: */
    bool has_begun; /* a sample was met */
    struct frame_texts texts;
    struct map kept;    /* by number: struct kept_sample, owned */
    size_t kept_frames; /* of all of them */
};

void perf_script_deinit(struct perf_script *out);

/* `thread_name` is raw. IO when `file` has failed, NO_MEMORY. */
MUST_CHECK enum status perf_script_sample(struct perf_script *out, const char *thread_name,
                                          const struct snap_sample *sample,
                                          const struct chain *chain, const struct weights *weights);

/*
 * The same of a sample whose CPU time is told later, by its number. One for which there is no room
 * is written at once, with what its thread used since the sample before.
 */
#define PERF_SCRIPT_KEPT_MAX ((size_t)1 << 23) /* frames: 64 MiB */
MUST_CHECK enum status perf_script_keep(struct perf_script *out, uint64_t number,
                                        const char *thread_name, const struct snap_sample *sample,
                                        const struct chain *chain);
MUST_CHECK enum status perf_script_cpu(struct perf_script *out, uint64_t number, uint64_t cpu_ns);

#endif
