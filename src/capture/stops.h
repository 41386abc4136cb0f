/*
 * Answers what waitpid(2) reports of the tracees: each kind of ptrace stop, and their ends. Samples
 * are taken here, in the stop, and written later. Never writes to the snapshot.
 */
#ifndef CAPTURE_STOPS_H
#define CAPTURE_STOPS_H

#include "capture/session.h"

/* Answers all that has happened; does not wait. */
void stops_drain(struct capture *cap);

/* Answers one outcome of waitpid. */
void stops_handle(struct capture *cap, pid_t tid, int status);

/* Asks the thread to stop. `cap->asked` counts until it has. */
void stops_ask(struct capture *cap, struct thread *thread);

/*
 * With --tid the traced thread may be gone without a word: another thread, which is not traced,
 * called exec and took its number. Then it has ended.
 */
void stops_check(struct capture *cap, struct thread *thread);

/* Takes the samples of the threads that --together holds, and lets them all go on. */
void stops_release(struct capture *cap);

/* For PTRACE_SEIZE. */
long stops_options(const struct capture *cap);

#endif
