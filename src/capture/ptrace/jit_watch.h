/* SPDX-License-Identifier: MIT */
/*
 * Finds and copies symbol files that processes have registered (GDB's JIT interface), in a helper
 * process, as reading a file can take for ever (a server has gone). Nobody waits for the helper. It
 * reads only memory that is present. The helper is started for the first question, and reads memory
 * through /proc/PID/mem, which cgsnap has opened, so that it needs none of the tracer's rights.
 *
 *     cgsnap -- question, and at first the memory --> helper
 *            <- a file, copied to a memfd; ...; done --
 */
#ifndef CAPTURE_PTRACE_JIT_WATCH_H
#define CAPTURE_PTRACE_JIT_WATCH_H

#include "capture/target/backend.h"

struct jit_watch; /* the helper and the questions to it; NULL: none was started */

/* Implement the backend's ask_symbol_files and next_symbol_file (capture/target/backend.h). */
void jit_watch_ask(void *state, struct target_process *process, pid_t tid, uint32_t program,
                   enum symbol_files_question question);
enum status jit_watch_next(void *state, struct symbol_file *out);
/* Forgets the process `pid`, which has ended. `watch` may be NULL. */
void jit_watch_forget(struct jit_watch *watch, pid_t pid);
/* Closes the helper's socket, which ends the helper, and frees `watch`. NULL: does nothing. */
void jit_watch_destroy(struct jit_watch *watch);

#endif
