/* SPDX-License-Identifier: MIT */
/*
 * Names of code that processes have made at run time, which they tell in a file (FORMAT.md, NAMES):
 * it is copied while it grows, and begun again where it is not what it was any more.
 */
#ifndef CAPTURE_NAMES_H
#define CAPTURE_NAMES_H

#include <stdint.h>

#define NAMES_TAIL 16u

struct capture;
struct process;

struct made_names {
    uint64_t size;            /* so much of the file was written */
    uint8_t tail[NAMES_TAIL]; /* the last bytes of that, by which the same file is known */
    uint8_t tail_size;
    uint64_t changed_ns; /* when it had, as far as is known, no more than that */
    uint64_t due_ns;     /* when it is to be looked at */
};

/* Some of what is new, of each process whose turn it is. */
void names_write_due(struct capture *cap, uint64_t now);
/* All that is new: of processes whose last thread has ended; at the capture's end, of all. */
void names_write_ended(struct capture *cap);
void names_write_last(struct capture *cap);

#endif
