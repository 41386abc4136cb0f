/* SPDX-License-Identifier: MIT */
/* Finds the stacks of a Go program's thread, goroutine's and runtime's: runtime/go/memory. */
#ifndef CAPTURE_TARGET_GOROUTINE_STACK_H
#define CAPTURE_TARGET_GOROUTINE_STACK_H

#include "capture/target/stack.h"
#include "runtime/go/memory/goroutine.h"

/* Fills `out` for the stopped thread. False: no Go program, or not recognized as one. */
bool goroutine_stack_look(const struct stack_request *request, struct goroutine_look *out);

#endif
