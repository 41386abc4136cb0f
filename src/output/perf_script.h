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
 * Readers cut off one "+0x…" to get the function, so a made-up name "prog+0x1234" is written with
 * another "+0x…" behind. Readers expect no spaces in paths, and take the first number of the first
 * line for the process's: a space in a path, at the beginning of a thread's name or before a digit
 * in the name becomes '_'. A thread without a name is called ":TID", as perf does.
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

struct perf_script {         /* set the first three, zero the rest; perf_script_deinit at the end */
    FILE *file;              /* borrowed */
    struct names *names;     /* borrowed */
    enum weight_kind weight; /* decides the event's name and which weight is written */
    /* Private: */
    bool has_begun; /* perf_script_sample was called */
    struct frame_texts texts;
    struct map kept;    /* number of a sample -> struct kept_sample *, owned */
    size_t kept_frames; /* sum of frames of the kept samples */
};

void perf_script_deinit(struct perf_script *out);

/*
 * Writes a sample with its weight of kind out->weight; nothing if that is 0. `thread_name`: raw
 * bytes; "": none. IO: `file` has failed; NO_MEMORY.
 */
MUST_CHECK enum status perf_script_sample(struct perf_script *out, const char *thread_name,
                                          const struct snap_sample *sample,
                                          const struct chain *chain, const struct weights *weights);

/*
 * For samples whose CPU time comes later: perf_script_keep keeps a copy of a sample by its number;
 * perf_script_cpu writes the sample with its CPU time, unless cpu_ns is 0, and frees the copy, and
 * ignores numbers that are not kept. If PERF_SCRIPT_KEPT_MAX frames are kept, perf_script_keep
 * writes the sample at once, with sample->cpu_ns. IO: `file` has failed; NO_MEMORY.
 */
#define PERF_SCRIPT_KEPT_MAX ((size_t)1 << 23) /* frames, a pointer each: 64 MiB */
MUST_CHECK enum status perf_script_keep(struct perf_script *out, uint64_t number,
                                        const char *thread_name, const struct snap_sample *sample,
                                        const struct chain *chain);
MUST_CHECK enum status perf_script_cpu(struct perf_script *out, uint64_t number, uint64_t cpu_ns);

#endif
