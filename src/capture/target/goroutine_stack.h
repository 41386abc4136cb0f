/* SPDX-License-Identifier: MIT */
/* Finds a Go thread's stacks: its goroutine's and the Go runtime's (runtime/go/memory). */
#ifndef CAPTURE_TARGET_GOROUTINE_STACK_H
#define CAPTURE_TARGET_GOROUTINE_STACK_H

#include "capture/target/stack.h"
#include "runtime/go/memory/goroutine.h"

/* Fills `out` for the stopped thread. False: it runs no Go program, or no goroutine was found. */
bool goroutine_stack_look(const struct stack_request *request, struct goroutine_look *out);

#endif
