/* SPDX-License-Identifier: MIT */
/*
 * The chains format: prints every sample, as it is read, like eu-stack prints a thread.
 *
 *     PID 7 - process
 *     TID 8: worker, R, 1.250000 s
 *     #0  0x00005555555551a9 spin+0x9 - /usr/bin/prog prog.c:12 [context]
 *     #1  0x00005555555551f0 run - /usr/bin/prog prog.c:31 [inlined]
 *     #2  0x00005555555551f0 main+0x20 - /usr/bin/prog prog.c:40 [eh_frame]
 *     stop: thread-start
 *
 * A board is "PID 1 - board". There a frame that an exception interrupted has the exception's name
 * behind its trust; and a known fault has a line with its cause before the frames:
 *
 *     TID 1: , 0.250000 s
 *     fault: UsageFault: DIVBYZERO
 *     #0  0x00000412 UsageFault_Handler+0x2 - fw.elf fw.c:90 [context]
 *     #1  0x00000302 divide+0x6 - fw.elf fw.c:41 [exception] by UsageFault
 *
 * "+0x9" is the distance of the frame's address, for callers the return address, from the
 * function's start. A nameless function whose start is known is its file and the address in it,
 * "prog+0x1234"; see names.h for others. Below a frame are its variables, on request:
 *
 *         count = 5
 *         name = 0x5555555592a0 "queue"
 *         left = <optimized out>
 *
 * Brackets have the trust. Times are since the first sample. A repeated sample is one line that
 * ends in "as before".
 */
#ifndef OUTPUT_CHAINS_H
#define OUTPUT_CHAINS_H

#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "graph/names.h"
#include "snapshot/reader.h"
#include "unwind/chain.h"
#include "variables/variables.h"

struct chains_out { /* set file, names and word_size, zero the rest; pointers are borrowed */
    FILE *file;
    struct names *names;
    uint8_t word_size;           /* bytes of an address of the target */
    const struct arch *arch;     /* the target's; NULL: exceptions are not named */
    struct variables *variables; /* source of the values printed below frames; NULL: none */
    /* Private: */
    bool started;
    uint32_t pid;
    uint64_t start_ns;
};

/*
 * Prints a sample with its chain. `thread_name`: raw bytes; "": none. `space`: the process's memory
 * and mappings; may be NULL if out->variables is NULL and the sample is not a board's. IO: `file`
 * has failed; NO_MEMORY.
 */
MUST_CHECK enum status chains_sample(struct chains_out *out, const char *thread_name,
                                     const struct snap_sample *sample, struct address_space *space,
                                     const struct chain *chain);

#endif
