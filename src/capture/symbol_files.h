/* SPDX-License-Identifier: MIT */
/*
 * Symbol files of code that processes have made at run time and registered for debuggers
 * (FORMAT.md, SYMBOL_FILE): found by the backend, written as they come. Agents have no room for it.
 */
#ifndef CAPTURE_SYMBOL_FILES_H
#define CAPTURE_SYMBOL_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/target/backend.h"

struct capture;

/* Of a process. */
struct process_symbols {
    uint64_t due_ns;  /* when it is to be asked again */
    uint64_t maps_ns; /* when its code had last changed as it was asked */
    uint32_t program; /* as it was asked for; 0: it was not */
};

/* Of a capture. */
struct symbol_output {
    uint32_t programs; /* that have been asked for */
    bool has_file;     /* one is being written: */
    struct symbol_file file;
    uint64_t off;   /* so much of it was */
    uint64_t bytes; /* of all files so far */
};

/* Some of what is new, and asks for more where it is time. */
void symbol_files_write_due(struct capture *cap, uint64_t now);
/* All that is new, at the capture's end. */
void symbol_files_write_last(struct capture *cap);
void symbol_files_deinit(struct capture *cap);

#endif
