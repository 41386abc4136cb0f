/* SPDX-License-Identifier: MIT */
/*
 * The json format: JSON Lines, one object a line, written as events are read.
 *
 * Facts that are not known are left out. In text that is not UTF-8 each wrong byte becomes U+FFFD.
 * Addresses are strings, "0x…". In a frame, `vaddr` is the address in the ELF file of `pc`, which
 * for callers is the return address; `offset` is vaddr minus the function's start. If the module's
 * file is missing, `file_offset` is there instead of `vaddr`. A function without a name has no
 * `function`, but an `offset` if its start is known. Frames of inlined functions precede the frame
 * that they are inlined into.
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

struct json_out {                /* set file and names, zero the rest; json_out_deinit at the end */
    FILE *file;                  /* borrowed */
    struct names *names;         /* borrowed */
    const struct arch *arch;     /* the target's; NULL: exceptions are not named */
    struct variables *variables; /* borrowed; values to write with frames; NULL: none */
    /* Private: */
    struct frame_texts texts;
};

void json_out_deinit(struct json_out *out);

/*
 * The functions below write an object, or several, each a line. IO: `file` has failed; NO_MEMORY.
 * Only json_out_calls and json_out_summary flush.
 */
MUST_CHECK enum status json_out_snapshot(struct json_out *out, const struct snap_process *process,
                                         const struct arch *arch, uint64_t clock_offset_ns);
MUST_CHECK enum status json_out_thread(struct json_out *out, const struct snap_thread *thread);
/*
 * Writes a `sample` object; a repeat's has the frames again, and "repeat":true. `space` may be NULL
 * if out->variables is NULL and the sample is not a board's.
 */
MUST_CHECK enum status json_out_sample(struct json_out *out, const struct snap_sample *sample,
                                       struct address_space *space, const struct chain *chain);
/* Writes a `tick` object: like a sample, with `cpu_ns` the CPU time that the tick stands for. */
MUST_CHECK enum status json_out_tick(struct json_out *out, const struct snap_sample *tick,
                                     struct address_space *space, const struct chain *chain);
/*
 * Writes a trace of calls, instead of all other objects: `trace`, `function` and `call` objects,
 * heaviest first, with exact counts, and the `summary`. `graph` is not trimmed.
 */
MUST_CHECK enum status json_out_calls(struct json_out *out, const struct callgraph *graph,
                                      const struct calltrace *trace, const char *elf_file);
MUST_CHECK enum status json_out_summary(struct json_out *out, const struct quality *quality);

#endif
