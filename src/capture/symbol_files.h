/* SPDX-License-Identifier: MIT */
/*
 * Writes symbol files of code that processes made at run time and registered for debuggers
 * (FORMAT.md, SYMBOL_FILE): the backend finds them.
 */
#ifndef CAPTURE_SYMBOL_FILES_H
#define CAPTURE_SYMBOL_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/target/backend.h"

struct capture;

struct process_symbols {
    uint64_t due_ns;  /* when to ask about the process again */
    uint64_t maps_ns; /* its maps_changed_ns at the last question */
    uint32_t program; /* number of the program in questions; 0: none was asked */
};

struct symbol_output {
    uint32_t programs; /* number of the last program */
    bool has_file;     /* `file` is being written */
    struct symbol_file file;
    uint64_t off;   /* bytes of it written */
    uint64_t bytes; /* of all files; at most 1 GiB in a capture */
};

/* Asks about processes that are due, and writes up to 16 parts of 64 KiB of files found. */
void symbol_files_write_due(struct capture *cap, uint64_t now);
/*
 * At the capture's end: asks about all processes and writes all that is found. Waits at most 60 ms
 * for the search, then 2 s for writing.
 */
void symbol_files_write_last(struct capture *cap);
void symbol_files_deinit(struct capture *cap);

#endif
