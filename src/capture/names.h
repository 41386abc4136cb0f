/* SPDX-License-Identifier: MIT */
/*
 * Copies the file in which a process names code that it makes at run time (FORMAT.md, NAMES): what
 * is new each time it has grown; all of it again where the file is another or was changed.
 */
#ifndef CAPTURE_NAMES_H
#define CAPTURE_NAMES_H

#include <stdint.h>

#define NAMES_TAIL 16u

struct capture;
struct process;

struct made_names {
    uint64_t size;            /* bytes of the file written so far */
    uint8_t tail[NAMES_TAIL]; /* the last of these bytes: is it still the same file? */
    uint8_t tail_size;
    uint64_t changed_ns; /* the file's time of change when it was read to its end */
    uint64_t due_ns;     /* when the file is to be looked at next */
};

/* Writes up to 512 KiB of what is new, for each process whose due_ns has passed. */
void names_write_due(struct capture *cap, uint64_t now);
/* Write all that is new: of processes without live threads; at the capture's end, of all. */
void names_write_ended(struct capture *cap);
void names_write_last(struct capture *cap);

#endif
