/*
 * Attaching to a running process, and starting a command so that it is captured from its first
 * instruction.
 */
#ifndef CAPTURE_ATTACH_H
#define CAPTURE_ATTACH_H

#include "capture/session.h"

/* Attaches to all threads of the process, or those of --tid. Fills cap->diag on failure. */
MUST_CHECK enum status attach_process(struct capture *cap);

/* Runs the command up to its exec, where it stays stopped and `held`. */
MUST_CHECK enum status attach_command(struct capture *cap);

/*
 * Finds the register backend for the program that `pid` runs: a 32-bit tracer must not touch a
 * 64-bit process, of which the kernel of an AArch64 machine gives it registers that are none,
 * without a word. UNSUPPORTED: this build cannot capture it. What cannot be told is taken for a
 * program like this one; attach_fits has the last word.
 */
MUST_CHECK enum status attach_backend(struct capture *cap, pid_t pid);

/*
 * Once a thread is attached, and after an exec: is that backend the right one? When that cannot be
 * told, a 32-bit build says no; in a 64-bit one the size of the registers will tell.
 */
bool attach_fits(const struct capture *cap, pid_t tid);
/* The same; UNSUPPORTED fills cap->diag. */
MUST_CHECK enum status attach_verify(struct capture *cap, pid_t tid);

#endif
