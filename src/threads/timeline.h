/* SPDX-License-Identifier: MIT */
/*
 * Makes of the history what a viewer shows: a row for each thread, in the order of the hierarchy,
 * and for each row pieces of time with a state and the function that the user would name.
 *
 * Samples see moments. A thread is taken to stay as a sample found it until its next sample, but:
 *
 *     found blocked, on the CPU for most of the time up to the next sample       running
 *     runnable at both samples, on the CPU for less than half of the time        ready
 *     next sample more than TIMELINE_PERIODS_UNSEEN periods later, not ready     unknown
 *
 * CPU time is exact up to a thread's last sample. A thread that waits for a CPU is sampled when it
 * gets one, however late. Where idle threads were not sampled, a thread may have slept between two
 * samples that found it runnable: then it counts as ready only if a sample found it ready, not
 * running (snapshots with `tells_ready` tell them apart).
 */
#ifndef THREADS_TIMELINE_H
#define THREADS_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"
#include "graph/names.h"
#include "graph/profile.h"
#include "threads/history.h"
#include "threads/report.h"
#include "threads/user_function.h"

#define TIMELINE_NO_FUNCTION    USER_FUNCTION_NONE
#define TIMELINE_PERIODS_UNSEEN 8

enum timeline_state {
    TIMELINE_RUNNING,
    TIMELINE_READY,    /* the thread wants to run, but has no CPU */
    TIMELINE_LOCK,     /* the thread waits for a lock (wait_is_lock) */
    TIMELINE_THREADS,  /* waits for other threads or processes: condition, barrier, join ... */
    TIMELINE_IO,       /* the thread waits for input or output */
    TIMELINE_SLEEPING, /* the thread has asked to sleep */
    TIMELINE_BLOCKED,  /* waits in another system call, or for something not known */
    TIMELINE_STOPPED,  /* the thread is stopped by a signal or a debugger */
    TIMELINE_UNKNOWN,  /* it existed, but no sample tells what it did */
};
#define TIMELINE_STATE_COUNT (TIMELINE_UNKNOWN + 1)

struct timeline_row {
    uint32_t thread; /* the row's thread: index in the history */
    uint32_t depth;  /* depth of the thread's node in the hierarchy */
    uint32_t node;   /* index in the hierarchy's nodes; rows of one node follow each other */
};

struct timeline_source {         /* what a timeline is made of; borrowed, must outlive it */
    const struct report *report; /* the report whose shown threads become rows */
    const struct names *names;
    uint64_t period_ns; /* time between a thread's samples; 0: use the history's median */
    bool on_cpu_only;   /* threads were sampled only while they ran */
};

struct timeline { /* only timeline_create changes it */
    struct timeline_source source;
    const struct history *history;
    const struct profile *profile;
    uint64_t zero_ns; /* outputs count times from here; at most start_ns */
    /* times of the first and last sample; start_ns may be --from, before the first */
    uint64_t start_ns, end_ns;
    uint64_t period_ns; /* of the source, or the median; never 0 */
    bool sees_idle;     /* idle threads were sampled, too */
    struct timeline_row *rows;
    size_t row_count;
    size_t unsampled; /* shown threads that have no row, as no sample found them */
    /*
     * by chain of the profile: its function (user_function_of); TIMELINE_NO_FUNCTION: it has no
     * frames
     */
    uint32_t *functions;
    struct map by_tid; /* private: pid << 32 | tid -> index of the last thread that had both */
};

/*
 * Makes the timeline of source->report's shown threads; *out is the caller's. Fails only with
 * NO_MEMORY.
 */
MUST_CHECK enum status timeline_create(const struct timeline_source *source, struct timeline **out);
void timeline_destroy(struct timeline *timeline);

/* A stretch of time in which one thread stayed in one state. */
struct timeline_piece {
    uint64_t start_ns, end_ns; /* the piece's times; start_ns < end_ns */
    uint64_t cpu_ns;           /* CPU time used in the piece; at most its length */
    uint64_t untold_ns;        /* if running: time without a CPU, in which it may have slept */
    enum timeline_state state;
    uint32_t wait;     /* what it waits for: index in the history's waits, or WAIT_NONE */
    uint32_t chain;    /* chain in the profile of its first sample; HISTORY_NONE: not known */
    uint32_t function; /* the chain's function (user_function_of), or TIMELINE_NO_FUNCTION */
    bool wants_cpu;    /* it was runnable at both ends, and wanted a CPU all the time in between */
    bool goes_on;      /* the thread has not run since the piece before */
};

/*
 * Adds a piece's length to the sums by state `ns`:
 *
 *     running += cpu_ns;  unknown += untold_ns;  its state (running: ready) += the rest
 */
void timeline_add_states(const struct timeline_piece *piece, uint64_t ns[TIMELINE_STATE_COUNT]);

/*
 * Returns how long (ns) the thread waited in a piece whose state is a wait: its length less cpu_ns.
 */
static inline uint64_t timeline_waited_ns(const struct timeline_piece *piece)
{
    return piece->end_ns - piece->start_ns - piece->cpu_ns;
}

/*
 * Returns `timeline` limited to the time between first and last sample of a process's snapshot, on
 * that snapshot's clock; zero_ns is set as given. The copy borrows everything from `timeline`.
 */
struct timeline timeline_of_process(const struct timeline *timeline, uint32_t process,
                                    uint64_t zero_ns);

/*
 * Walks the pieces of one thread in the order of time; pieces do not overlap. timeline_begin sets a
 * cursor to the first piece of `thread`, an index in the history.
 */
struct timeline_cursor { /* members are private; it owns nothing */
    const struct timeline *timeline;
    const struct history_thread *thread;
    size_t next;    /* index of the span whose pieces come next */
    unsigned part;  /* 0 to 3: the part of that span */
    uint64_t at_ns; /* when the last piece ended */
    bool has_run;   /* the thread has run before the next piece */
    struct timeline_piece ahead;
    bool has_ahead;
};

void timeline_begin(const struct timeline *timeline, uint32_t thread,
                    struct timeline_cursor *cursor);

/*
 * Returns the state that the span's samples found, by the span's `state` letter (proc(5), field 3
 * of /proc/PID/stat) and its wait.
 */
enum timeline_state timeline_span_state(const struct timeline *timeline, const struct span *span);

/*
 * Returns the part in which the thread waited of its span number `span`, which has a wait: without
 * the time after the span's last sample if it ran then, or was not seen for long. The part is empty
 * (start_ns = end_ns) where the thread was seen at one moment only. timeline_waited_ns of the part
 * is how long it waited.
 */
struct timeline_piece timeline_waited(const struct timeline *timeline, uint32_t thread,
                                      size_t span);

/* Sets *piece to the thread's next piece (a span has up to four); false: there are no more. */
bool timeline_next(struct timeline_cursor *cursor, struct timeline_piece *piece);

/*
 * As timeline_next, but merge neighbouring pieces of equal state and wait (_state); and of equal
 * function (_function); or chain (_chain); or function, where a thread that waits has not run in
 * between (_stretch). Use one cursor with one of these functions only.
 */
bool timeline_next_state(struct timeline_cursor *cursor, struct timeline_piece *piece);
bool timeline_next_function(struct timeline_cursor *cursor, struct timeline_piece *piece);
bool timeline_next_chain(struct timeline_cursor *cursor, struct timeline_piece *piece);
bool timeline_next_stretch(struct timeline_cursor *cursor, struct timeline_piece *piece);

/* Returns a state's name for people, such as "ready (no CPU)", without commas; static storage. */
const char *timeline_state_name(enum timeline_state state);

/*
 * Returns the piece's wait: "mutex g_lock, held by worker (7)", "… probably held by …" if the owner
 * is inferred; if it has no wait, its state's name. Without control characters; malloc'ed, the
 * caller frees it; NULL: out of memory.
 */
char *timeline_wait_text(const struct timeline *timeline, const struct timeline_piece *piece);

/*
 * Returns the function's name with '?' for each control character (text_clean); "" for
 * TIMELINE_NO_FUNCTION. malloc'ed, the caller frees it; NULL: out of memory.
 */
char *timeline_function_text(const struct timeline *timeline, uint32_t function);

/*
 * Returns the name of the thread's identity and its tid: `worker_main (7)`. Before them, quoted,
 * the process's title (of a first thread) or the thread's name, if that is neither the program's
 * nor the identity's: `"pool-3" worker_main (7)`. Without control characters; malloc'ed, the caller
 * frees it; NULL: out of memory.
 */
char *timeline_thread_text(const struct timeline *timeline, uint32_t thread);

#endif
