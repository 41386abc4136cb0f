/* SPDX-License-Identifier: MIT */
/* Parses what a stub says of a stopped or ended target (GDB manual, "Stop Reply Packets"). */
#ifndef BOARDS_GDB_STOP_REPLY_H
#define BOARDS_GDB_STOP_REPLY_H

#include <stdbool.h>
#include <stdint.h>

/* A thread's name: "1"; "p3.1f", with its process, from multiprocess stubs. */
struct gdb_thread_id {
    int64_t pid, tid; /* -1: all; pid 0: not told */
};

enum gdb_stop_kind {
    GDB_STOP_OTHER,   /* output, or an unknown packet: it runs on */
    GDB_STOP_FILE_IO, /* F: a request that is to be answered */
    GDB_STOP_SIGNAL,  /* T, S: stopped */
    GDB_STOP_EXITED,  /* W */
    GDB_STOP_KILLED,  /* X */
    GDB_STOP_NOTHING, /* N: nothing is left to run */
};

struct gdb_stop {
    enum gdb_stop_kind kind;
    uint8_t number; /* signal, or exit status */
    bool has_thread;
    bool is_library; /* a library was loaded or unloaded */
    struct gdb_thread_id thread;
};

/* Parses an id and moves *text behind it. False: no id. */
bool gdb_thread_id_parse(const char **text, struct gdb_thread_id *out);

/* Parses a stop reply, a string. */
void gdb_stop_parse(const char *text, struct gdb_stop *out);

#endif
