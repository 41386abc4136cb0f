/* SPDX-License-Identifier: MIT */
/*
 * The history as a viewer shows it: a row for each thread, in the order of the hierarchy, and for
 * each row pieces of time with a state and the function that the user would name.
 *
 * Samples see moments. A thread is taken to stay as a sample found it until its next sample, but:
 *
 *     found blocked, on the CPU for most of the time up to the next sample       running
 *     runnable at both samples, on the CPU for less than half of the time        ready
 *     next sample more than TIMELINE_PERIODS_UNSEEN periods later, not ready     unknown
 *
 * CPU time is exact up to a thread's last sample. A thread that waits for a CPU is sampled when it
 * gets one, however late. Where idle threads were not sampled a thread may have slept between two
 * samples that found it runnable: then it counts as ready only if a sample found it so (snapshots
 * tell that if `tells_ready`).
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
    TIMELINE_READY,    /* runnable, without a CPU */
    TIMELINE_LOCK,     /* waits for a lock: wait_is_lock */
    TIMELINE_THREADS,  /* waits for other threads or processes: condition, barrier, join ... */
    TIMELINE_IO,       /* waits for input or output */
    TIMELINE_SLEEPING, /* asked to sleep */
    TIMELINE_BLOCKED,  /* in another system call, or it is not known in what */
    TIMELINE_STOPPED,  /* by a signal or a debugger */
    TIMELINE_UNKNOWN,  /* there, but not sampled */
};
#define TIMELINE_STATE_COUNT (TIMELINE_UNKNOWN + 1)

struct timeline_row {
    uint32_t thread; /* in the history */
    uint32_t depth;  /* of its node */
    uint32_t node;   /* in the hierarchy; rows of one node follow each other */
};

struct timeline_source {         /* pointers are borrowed and have to outlive the timeline */
    const struct report *report; /* the threads that it shows become rows */
    const struct names *names;
    uint64_t period_ns; /* between a thread's samples; 0: the median in the history */
    bool on_cpu_only;   /* threads were sampled only while they ran */
};

struct timeline { /* read only */
    struct timeline_source source;
    const struct history *history;
    const struct profile *profile;
    uint64_t zero_ns;          /* times are counted from it; at most start_ns */
    uint64_t start_ns, end_ns; /* first and last sample; --from, if that is before the first */
    uint64_t period_ns;        /* not 0 */
    bool sees_idle;            /* idle threads were sampled, too */
    struct timeline_row *rows;
    size_t row_count;
    size_t unsampled;    /* threads that are shown and have no row, as no sample found them */
    uint32_t *functions; /* by chain; TIMELINE_NO_FUNCTION: it has no frames */
    struct map by_tid;   /* private: pid << 32 | tid -> the last thread that had both */
};

/* Fails only with NO_MEMORY. */
MUST_CHECK enum status timeline_create(const struct timeline_source *source, struct timeline **out);
void timeline_destroy(struct timeline *timeline);

/* A stretch of time in which one thread stayed in one state. */
struct timeline_piece {
    uint64_t start_ns, end_ns; /* start < end */
    uint64_t cpu_ns;           /* used in the piece; at most its length */
    uint64_t untold_ns;        /* if running: without a CPU, and not known to have wanted one */
    enum timeline_state state;
    uint32_t wait;     /* in waits, or WAIT_NONE */
    uint32_t chain;    /* of its first sample; HISTORY_NONE: not known */
    uint32_t function; /* of that chain, or TIMELINE_NO_FUNCTION */
    bool wants_cpu;    /* found runnable at its beginning and end: wanted a CPU in between */
    bool goes_on;      /* the thread has not run since the piece before */
};

/*
 * Adds a piece's length to the sums by state; all formats use this:
 *
 *     running += cpu_ns;  unknown += untold_ns;  its state (running: ready) += the rest
 */
void timeline_add_states(const struct timeline_piece *piece, uint64_t ns[TIMELINE_STATE_COUNT]);

/* Returns how long a thread waited in a piece in which it waits. */
static inline uint64_t timeline_waited_ns(const struct timeline_piece *piece)
{
    return piece->end_ns - piece->start_ns - piece->cpu_ns;
}

/*
 * Returns the timeline limited to a process's snapshot (its first and last sample, its clock), with
 * times counted from `zero_ns`. The copy borrows everything from `timeline`.
 */
struct timeline timeline_of_process(const struct timeline *timeline, uint32_t process,
                                    uint64_t zero_ns);

/* Walks the pieces of a thread in the order of time; they do not overlap. */
struct timeline_cursor { /* private; owns nothing */
    const struct timeline *timeline;
    const struct history_thread *thread;
    size_t next;    /* the span to report from */
    unsigned part;  /* 0 to 3: the part of that span */
    uint64_t at_ns; /* the end of the last piece */
    bool has_run;   /* the thread has, before the next piece */
    struct timeline_piece ahead;
    bool has_ahead;
};

void timeline_begin(const struct timeline *timeline, uint32_t thread,
                    struct timeline_cursor *cursor);

/* Returns the state that the span's samples found: proc(5), field 3 of /proc/PID/stat, and wait. */
enum timeline_state timeline_span_state(const struct timeline *timeline, const struct span *span);

/*
 * Returns the part of a span, which has a wait, in which the thread waited: without the time after
 * the last sample in which it ran, or was not seen for long. The part is empty (start = end) where
 * the thread was seen at one moment only. timeline_waited_ns of it is how long it waited.
 */
struct timeline_piece timeline_waited(const struct timeline *timeline, uint32_t thread,
                                      size_t span);

/* Sets *piece to the thread's next piece, up to four for a span; false: no more. */
bool timeline_next(struct timeline_cursor *cursor, struct timeline_piece *piece);

/*
 * The same, with neighbours merged that have the same state and wait; for _function also the same
 * function, for _chain the same chain, for _stretch the same function, and the thread has not run
 * between them if it waits. One cursor is for one of these functions.
 */
bool timeline_next_state(struct timeline_cursor *cursor, struct timeline_piece *piece);
bool timeline_next_function(struct timeline_cursor *cursor, struct timeline_piece *piece);
bool timeline_next_chain(struct timeline_cursor *cursor, struct timeline_piece *piece);
bool timeline_next_stretch(struct timeline_cursor *cursor, struct timeline_piece *piece);

/* Returns "running", "ready (no CPU)", "waits for a lock" ..., without commas; static storage. */
const char *timeline_state_name(enum timeline_state state);

/*
 * Returns "mutex g_lock, held by worker (7)", "… probably held by …" if that is inferred, or the
 * state's name if the piece has no wait; cleaned. malloc'ed; NULL: out of memory.
 */
char *timeline_wait_text(const struct timeline *timeline, const struct timeline_piece *piece);

/* Returns the function's name, cleaned; "" if there is none. malloc'ed; NULL: out of memory. */
char *timeline_function_text(const struct timeline *timeline, uint32_t function);

/*
 * Returns the name of the thread's identity and the tid, "worker_main (7)"; before them, quoted,
 * the title of a process, or the thread's name if that is neither the program's nor the identity's:
 * ""pool-3" worker_main (7)". Cleaned. malloc'ed; NULL: out of memory.
 */
char *timeline_thread_text(const struct timeline *timeline, uint32_t thread);

#endif
