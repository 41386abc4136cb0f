/* SPDX-License-Identifier: MIT */
/*
 * Finds and copies symbol files that processes have registered (GDB's JIT interface), in a process
 * of its own, as reading a file can take for ever (a server has gone). Nobody waits for this
 * helper. It reads only memory that is present. It is started when it is first asked, and reads
 * memory through /proc/PID/mem, opened by us, so that it needs none of the tracer's rights.
 *
 *     cgsnap -- question, and at first the memory --> helper
 *            <- a file, copied to a memfd; ...; done --
 */
#ifndef CAPTURE_PTRACE_JIT_WATCH_H
#define CAPTURE_PTRACE_JIT_WATCH_H

#include "capture/target/backend.h"

struct jit_watch; /* NULL: none was started */

/* backend.h: ask_symbol_files, next_symbol_file */
void jit_watch_ask(void *state, struct target_process *process, pid_t tid, uint32_t program,
                   enum symbol_files_question question);
enum status jit_watch_next(void *state, struct symbol_file *out);
/* Forgets the process, which has ended. */
void jit_watch_forget(struct jit_watch *watch, pid_t pid);
/* Closes the helper's socket and frees `watch`; the helper ends then, or at our exit. */
void jit_watch_destroy(struct jit_watch *watch);

#endif
