/* SPDX-License-Identifier: MIT */
/* What a stub says of a target that has stopped, or ended (GDB manual, "Stop Reply Packets"). */
#ifndef CAPTURE_GDB_STOP_REPLY_H
#define CAPTURE_GDB_STOP_REPLY_H

#include <stdbool.h>
#include <stdint.h>

/* A thread as a stub names it: "1", "p3.1f"; multiprocess ones have a process. */
struct gdb_thread_id {
    int64_t pid, tid; /* -1: all; pid 0: none is told */
};

enum gdb_stop_kind {
    GDB_STOP_OTHER,   /* output, a request for a file, what is not known: it runs on */
    GDB_STOP_FILE_IO, /* a request for a file or output, which is to be answered */
    GDB_STOP_SIGNAL,  /* T and S: it has stopped */
    GDB_STOP_EXITED,  /* W */
    GDB_STOP_KILLED,  /* X */
    GDB_STOP_NOTHING, /* N: nothing is left to run */
};

struct gdb_stop {
    enum gdb_stop_kind kind;
    uint8_t number; /* the signal, or the status */
    bool has_thread;
    bool is_library; /* it loaded or unloaded one */
    struct gdb_thread_id thread;
};

/* False: it is none; *text is where it ends. */
bool gdb_thread_id_parse(const char **text, struct gdb_thread_id *out);

/* `text` ends with a NUL. */
void gdb_stop_parse(const char *text, struct gdb_stop *out);

#endif
