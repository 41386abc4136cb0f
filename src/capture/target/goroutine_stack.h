/* SPDX-License-Identifier: MIT */
/*
 * The stacks of a thread of a Go program: that of its goroutine, and those that Go's runtime has
 * for itself (snapshot/goroutine.h).
 */
#ifndef CAPTURE_TARGET_GOROUTINE_STACK_H
#define CAPTURE_TARGET_GOROUTINE_STACK_H

#include "capture/target/stack.h"
#include "snapshot/goroutine.h"

struct goroutine_look {
    uint64_t end_addr; /* of the stack that SP is on; 0: that is not known */
    struct goroutine_thread thread;
    bool on_scheduler;    /* SP is on the stack of g0 */
    bool knows_scheduler; /* where that ends is sure: it is none that C made */
    bool elsewhere; /* SP is not on the goroutine's either: in a signal handler, on gsignal's */
};

/* False: the thread is none of a Go program's, or does not show it. */
bool goroutine_look(const struct stack_request *request, struct goroutine_look *out);

#endif
