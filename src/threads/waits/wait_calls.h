/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: what a system call in which threads block waits for, and how
 * its arguments tell the object.
 */
#ifndef THREADS_WAITS_WAIT_CALLS_H
#define THREADS_WAITS_WAIT_CALLS_H

#include "arch/arch.h"
#include "threads/waits/wait.h"

struct wait_call {
    enum wait_kind kind;
    enum syscall_form form;
};

/* WAIT_OTHER and FORM_NO_OBJECT: not a call that is known to block. */
struct wait_call wait_call_find(const struct arch *arch, int64_t number);

/* What a call of socketcall(2) waits for. */
enum wait_kind wait_socket_call_kind(uint64_t call);

#endif
