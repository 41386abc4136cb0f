/* SPDX-License-Identifier: MIT */
/*
 * The stacks of a thread of a Go program: that of its goroutine, and those that Go's runtime has
 * for itself (snapshot/goroutine.h).
 */
#ifndef CAPTURE_TARGET_GOROUTINE_STACK_H
#define CAPTURE_TARGET_GOROUTINE_STACK_H

#include "capture/target/stack.h"
#include "snapshot/goroutine.h"

/* False: the thread is none of a Go program's, or does not show it. */
bool goroutine_stack_look(const struct stack_request *request, struct goroutine_look *out);

#endif
