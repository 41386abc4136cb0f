/*
 * Private to the recogniser of waits: what a system call in which threads block waits for, and how
 * its arguments tell the object.
 *
 * To add an architecture: a column in wait_calls.c.
 */
#ifndef THREADS_WAITS_WAIT_CALLS_H
#define THREADS_WAITS_WAIT_CALLS_H

#include "arch/arch.h"
#include "threads/waits/wait.h"

enum call_form {
    CALL_NO_OBJECT,
    CALL_FUTEX,   /* futex(word, operation, value, …) */
    CALL_FUTEX_2, /* futex_wait(word, value, mask, flags, …) */
    CALL_FUTEX_V, /* futex_waitv(list, …) */
    CALL_FD,      /* of a descriptor, the first argument */
    CALL_FCNTL,   /* the same if the second says that it waits */
    CALL_POLL,    /* poll(list, count, …) */
    CALL_SELECT,  /* select(count, read, write, except, …) */
    CALL_SOCKET,  /* socketcall(call, arguments) */
    CALL_RESTART, /* goes on with another: only the chain tells with which */
};

struct wait_call {
    const char *name;
    int16_t numbers[ARCH_COUNT]; /* -1: there is none */
    enum wait_kind kind;
    enum call_form form;
};

/* NULL: not one that is known to block. */
const struct wait_call *wait_call_find(enum arch_id arch, int64_t number);

/* By its place in the table, for tests; NULL: no more. */
const struct wait_call *wait_call_at(size_t index);

/* What a call of socketcall(2) waits for. */
enum wait_kind wait_socket_call_kind(uint64_t call);

#endif
