/* SPDX-License-Identifier: MIT */
/*
 * Symbol files that processes have registered (GDB's JIT interface), found and copied by a process
 * of its own, which nobody waits for: to read a file can take for ever (a server has gone), and
 * so can what nobody foresaw. Of memory that is read which is there. The process is started when it
 * is first asked, and reads memory through /proc/PID/mem, opened by us, so that it needs no right
 * that we have as the tracer.
 *
 *     cgsnap ── question, and at first the memory ──> helper
 *            <─ a file, copied to a memfd; …; done ──
 */
#ifndef CAPTURE_PTRACE_JIT_WATCH_H
#define CAPTURE_PTRACE_JIT_WATCH_H

#include "capture/target/backend.h"

struct jit_watch; /* NULL: none was started */

/* backend.h: ask_symbol_files, next_symbol_file */
void jit_watch_ask(void *state, struct target_process *process, pid_t tid, uint32_t program,
                   enum symbol_files_question question);
enum status jit_watch_next(void *state, struct symbol_file *out);
/* The process has ended. */
void jit_watch_forget(struct jit_watch *watch, pid_t pid);
/* The helper ends as well, or at our exit, whatever it is at. */
void jit_watch_destroy(struct jit_watch *watch);

#endif
