/* SPDX-License-Identifier: MIT */
/*
 * The chains format: every sample as eu-stack prints a thread, as it is read.
 *
 *     PID 7 - process
 *     TID 8: worker, R, 1.250000 s
 *     #0  0x00005555555551a9 spin+0x9 - /usr/bin/prog prog.c:12 [context]
 *     #1  0x00005555555551f0 run - /usr/bin/prog prog.c:31 [inlined]
 *     #2  0x00005555555551f0 main+0x20 - /usr/bin/prog prog.c:40 [eh_frame]
 *     stop: thread-start
 *
 * A board is "PID 1 - board". There, behind the trust of what an exception interrupted is that
 * exception's name; and where a fault is known there is a line of its cause before the frames:
 *
 *     TID 1: , 0.250000 s
 *     fault: UsageFault: DIVBYZERO
 *     #0  0x00000412 UsageFault_Handler+0x2 - fw.elf fw.c:90 [context]
 *     #1  0x00000302 divide+0x6 - fw.elf fw.c:41 [exception] by UsageFault
 *
 * A nameless function is its start, or this address where that is not known (names.h); what is
 * added to a function is the distance of this address, for callers the return address, from its
 * start. Below a frame are its variables, where they are asked for:
 *
 *         count = 5
 *         name = 0x5555555592a0 "queue"
 *         left = <optimized out>
 *
 * In brackets is the trust. Times are since the first sample. A repeated sample is one line
 * that ends in "as before".
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

struct chains_out { /* set file, names and word_size, zero the rest */
    FILE *file;
    struct names *names;
    uint8_t word_size;           /* of the target, in bytes */
    const struct arch *arch;     /* NULL: nothing is told of exceptions */
    struct variables *variables; /* that are told of each frame; NULL: none are */
    /* Private: */
    bool started;
    uint32_t pid;
    uint64_t start_ns;
};

/* `thread_name` is raw; "" when there is none. `space` may be NULL without variables and boards. */
MUST_CHECK enum status chains_sample(struct chains_out *out, const char *thread_name,
                                     const struct snap_sample *sample, struct address_space *space,
                                     const struct chain *chain);

#endif
