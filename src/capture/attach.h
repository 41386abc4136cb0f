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
 * Finds the register backend for the program that `pid` runs. UNSUPPORTED: another word size or
 * machine.
 */
MUST_CHECK enum status attach_backend(struct capture *cap, pid_t pid);

#endif
