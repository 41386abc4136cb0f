/* SPDX-License-Identifier: MIT */
/*
 * The json format: JSON Lines, one object a line, as they are read. The only place that knows
 * Jansson.
 *
 * Absent facts are left out. Text that is not UTF-8 has each wrong byte replaced by U+FFFD.
 * Addresses are strings, "0x…". In a frame, `vaddr` is the address of `pc` in the ELF file, for
 * callers that of the return address; `offset` is vaddr minus the function's start. Where the
 * module's file is missing, `file_offset` stands for `vaddr`. A function without a name has no
 * `function`, but an `offset` where its start is known. Frames of inlined functions precede the
 * frame that they are inlined into.
 */
#ifndef OUTPUT_JSON_H
#define OUTPUT_JSON_H

#include <stdio.h>

#include "arch/arch.h"
#include "base/status.h"
#include "graph/callgraph.h"
#include "graph/calltrace.h"
#include "graph/names.h"
#include "graph/quality.h"
#include "output/frame_texts.h"
#include "snapshot/reader.h"
#include "unwind/chain.h"
#include "variables/variables.h"

struct json_out { /* set file and names (borrowed), zero the rest; json_out_deinit at the end */
    FILE *file;
    struct names *names;
    const struct arch *arch;     /* NULL: nothing is told of exceptions */
    struct variables *variables; /* that are told of each frame; borrowed; NULL: none are */
    /* Private: */
    struct frame_texts texts;
};

void json_out_deinit(struct json_out *out);

/* All: IO when `file` has failed, NO_MEMORY. Only json_out_summary flushes. */
MUST_CHECK enum status json_out_snapshot(struct json_out *out, const struct snap_process *process,
                                         const struct arch *arch, uint64_t clock_offset_ns);
MUST_CHECK enum status json_out_thread(struct json_out *out, const struct snap_thread *thread);
/*
 * Of a repeated sample the frames are written again, with `"repeat":true`. `space` may be NULL
 * without variables and boards.
 */
MUST_CHECK enum status json_out_sample(struct json_out *out, const struct snap_sample *sample,
                                       struct address_space *space, const struct chain *chain);
/* A `tick` object: a sample whose `cpu_ns` is the CPU time that it stands for. */
MUST_CHECK enum status json_out_tick(struct json_out *out, const struct snap_sample *tick,
                                     struct address_space *space, const struct chain *chain);
/*
 * Of a trace of calls, instead of all these: `trace`, `function` and `call` objects, heaviest
 * first, with exact counts, and the `summary`. `graph` is not trimmed. Flushes.
 */
MUST_CHECK enum status json_out_calls(struct json_out *out, const struct callgraph *graph,
                                      const struct calltrace *trace, const char *elf_file);
MUST_CHECK enum status json_out_summary(struct json_out *out, const struct quality *quality);

#endif
