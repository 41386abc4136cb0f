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
 * Frames are innermost first, with run-time addresses, for callers the return address. Times are
 * the capture's clock. Before the event's name is its weight, which readers sum up. The event is
 * "samples", or in nanoseconds "wall-clock", "cpu-clock" or "offcpu-time"; samples of weight 0 are
 * left out. A repeated sample is written again. The CPU is not known and left out. A sample whose
 * CPU time comes later (ingest.h) is kept until then, and written after samples that came later.
 *
 * Readers cut off one "+0x…" to get the function, so that a made-up name, which ends like that, has
 * one more. They expect no spaces in paths, and take the first number of the first line for the
 * process's: a space in a path, at the beginning of a thread's name or before a digit in it becomes
 * '_'. A thread without a name is called ":TID", as perf does.
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
    struct map kept;    /* number of a sample -> struct kept_sample, owned */
    size_t kept_frames; /* of all kept samples */
};

void perf_script_deinit(struct perf_script *out);

/* Writes a sample with its weight. `thread_name` is raw. IO if `file` has failed, NO_MEMORY. */
MUST_CHECK enum status perf_script_sample(struct perf_script *out, const char *thread_name,
                                          const struct snap_sample *sample,
                                          const struct chain *chain, const struct weights *weights);

/*
 * Keep a sample by its number until its CPU time is known, then write it, unless that is 0. If
 * there is no room it is written at once, with the CPU time that its thread used since the sample
 * before. perf_script_cpu ignores numbers that are not kept. IO, NO_MEMORY.
 */
#define PERF_SCRIPT_KEPT_MAX ((size_t)1 << 23) /* frames: 64 MiB */
MUST_CHECK enum status perf_script_keep(struct perf_script *out, uint64_t number,
                                        const char *thread_name, const struct snap_sample *sample,
                                        const struct chain *chain);
MUST_CHECK enum status perf_script_cpu(struct perf_script *out, uint64_t number, uint64_t cpu_ns);

#endif
