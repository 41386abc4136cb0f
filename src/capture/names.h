/* SPDX-License-Identifier: MIT */
/*
 * Copies the file in which a process names code that it makes at run time (/tmp/perf-PID.map) to
 * NAMES records (FORMAT.md): the new bytes each time the file has grown; all of it again where it
 * is another file or was changed.
 */
#ifndef CAPTURE_NAMES_H
#define CAPTURE_NAMES_H

#include <stdint.h>

#define NAMES_TAIL 16u

struct capture;
struct process;

struct made_names {
    uint64_t size;            /* bytes of the file written so far */
    uint8_t tail[NAMES_TAIL]; /* the last of these bytes; by them the file is known again */
    uint8_t tail_size;        /* number of bytes in tail */
    uint64_t changed_ns;      /* the file's time of change when it was last read */
    uint64_t due_ns;          /* when the file is to be looked at next (CLOCK_MONOTONIC) */
};

/*
 * Writes up to 512 KiB of new bytes of the file of each process whose due_ns is not after `now`
 * (CLOCK_MONOTONIC).
 */
void names_write_due(struct capture *cap, uint64_t now);
/*
 * Write all new bytes (up to 64 MiB of a file): names_write_ended for processes without live
 * threads; names_write_last, at the capture's end, for all processes.
 */
void names_write_ended(struct capture *cap);
void names_write_last(struct capture *cap);

#endif
