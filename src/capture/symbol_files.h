/* SPDX-License-Identifier: MIT */
/*
 * Writes symbol files of code that processes made at run time and registered for debuggers
 * (FORMAT.md, SYMBOL_FILE). The backend finds the files.
 */
#ifndef CAPTURE_SYMBOL_FILES_H
#define CAPTURE_SYMBOL_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/target/backend.h"

struct capture;

struct process_symbols {
    uint64_t due_ns;  /* when to ask the backend about the process again */
    uint64_t maps_ns; /* process.maps_changed_ns at the last question */
    uint32_t program; /* number of the process's program in questions; 0: none was asked yet */
};

struct symbol_output {
    uint32_t programs; /* the highest number given to a program so far */
    bool has_file;     /* `file` is being written */
    struct symbol_file file;
    uint64_t off;   /* number of bytes of `file` that were written */
    uint64_t bytes; /* written of all files; at most 1 GiB in a capture */
};

/*
 * Asks the backend to look for new symbol files in each process that has code made at run time and
 * whose due_ns is not after `now` (CLOCK_MONOTONIC). Then writes what is found so far: a call
 * writes at most 16 parts of 64 KiB, of all files together.
 */
void symbol_files_write_due(struct capture *cap, uint64_t now);
/*
 * Asks about all processes, at the capture's end, and writes all files that are found. Waits at
 * most 60 ms for the search, then 2 s for writing.
 */
void symbol_files_write_last(struct capture *cap);
void symbol_files_deinit(struct capture *cap);

#endif
