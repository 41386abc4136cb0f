/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: kinds of waits by system call, and how a call's arguments
 * tell the object.
 */
#ifndef THREADS_WAITS_WAIT_CALLS_H
#define THREADS_WAITS_WAIT_CALLS_H

#include "arch/arch.h"
#include "threads/waits/wait.h"

struct wait_call {
    enum wait_kind kind;
    enum syscall_form form;
};

/* Returns WAIT_OTHER and FORM_NO_OBJECT for a call that is not known to block. */
struct wait_call wait_call_find(const struct arch *arch, int64_t number);

/* Returns the kind for a call number of socketcall(2), its first argument. */
enum wait_kind wait_socket_call_kind(uint64_t call);

#endif
