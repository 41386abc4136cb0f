/* SPDX-License-Identifier: MIT */
/* Parses what a stub says of a stopped or ended target (GDB manual, "Stop Reply Packets"). */
#ifndef BOARDS_GDB_STOP_REPLY_H
#define BOARDS_GDB_STOP_REPLY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A stub's id of a thread: "1"; "p3.1f" (hexadecimal), with its process, from multiprocess stubs.
 */
struct gdb_thread_id {
    int64_t pid, tid; /* -1: all; pid 0: the stub does not tell it */
};

enum gdb_stop_kind {
    GDB_STOP_OTHER,   /* output (O), or an unknown packet: the target runs on */
    GDB_STOP_FILE_IO, /* F: a request for a file, which is to be answered; then it runs on */
    GDB_STOP_SIGNAL,  /* T, S: the target has stopped */
    GDB_STOP_EXITED,  /* W: the target has exited */
    GDB_STOP_KILLED,  /* X: a signal has ended the target */
    GDB_STOP_NOTHING, /* N: the target has no thread left to run */
};

struct gdb_stop {
    enum gdb_stop_kind kind;
    uint8_t number;  /* gdb's number of the signal, or exit status */
    bool has_thread; /* the reply names the thread that stopped */
    bool is_library; /* the reason: a library was loaded or unloaded */
    struct gdb_thread_id thread;
};

/* Parses the thread id at *text and moves *text behind it. False: there is none. */
bool gdb_thread_id_parse(const char **text, struct gdb_thread_id *out);

/* Parses the NUL-terminated stop reply `text` into *out; anything else is GDB_STOP_OTHER. */
void gdb_stop_parse(const char *text, struct gdb_stop *out);

#endif
