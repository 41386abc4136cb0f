/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: tells the kind of wait of a system call, and how its
 * arguments give the object.
 */
#ifndef THREADS_WAITS_WAIT_CALLS_H
#define THREADS_WAITS_WAIT_CALLS_H

#include "arch/arch.h"
#include "threads/waits/wait.h"

struct wait_call {
    enum wait_kind kind;
    enum syscall_form form;
};

/*
 * Returns the kind of wait of system call `number` of `arch`, and the form in which its arguments
 * give the object; WAIT_OTHER and FORM_NO_OBJECT: the call is not known to block.
 */
struct wait_call wait_call_find(const struct arch *arch, int64_t number);

/* Returns the kind of wait of socketcall(2) by its first argument, `call`. */
enum wait_kind wait_socket_call_kind(uint64_t call);

#endif
