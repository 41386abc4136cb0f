/* SPDX-License-Identifier: MIT */
/*
 * What each thread did when, as a viewer shows it: rows in the order of the hierarchy, and for each
 * row pieces of time with a state and the function that the user would name.
 *
 * Samples see moments. What a sample found is taken to last until the thread's next one, with two
 * corrections. CPU time is exact up to a thread's last sample: where a thread that was found
 * blocked used the CPU for most of the time until the next sample, it ran; where one that was found
 * runnable before and after used it for less than half, it waited for a CPU. And where the next
 * sample is long in coming (TIMELINE_PERIODS_UNSEEN), what it did is not known: but for a thread
 * that waits for a CPU, which is sampled when it gets one. Where idle threads were not looked at, a
 * thread may have slept between two samples that found it runnable: then nothing is taken for
 * waiting for a CPU.
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
    TIMELINE_LOCK,     /* waits for a lock, as wait_is_lock has it */
    TIMELINE_THREADS,  /* waits for what others do: condition, semaphore, barrier, join … */
    TIMELINE_IO,       /* waits for input or output */
    TIMELINE_SLEEPING, /* asked to sleep */
    TIMELINE_BLOCKED,  /* in another system call, or nothing tells in what */
    TIMELINE_STOPPED,  /* by a signal or a debugger */
    TIMELINE_UNKNOWN,  /* it was there, and not sampled */
};
#define TIMELINE_STATE_COUNT (TIMELINE_UNKNOWN + 1)

struct timeline_row {
    uint32_t thread; /* in the history */
    uint32_t depth;  /* as that of its node */
    uint32_t node;   /* in the hierarchy; rows of one node follow each other */
};

struct timeline_source {         /* all borrowed, and have to outlive the timeline */
    const struct report *report; /* its threads that are shown become rows */
    const struct names *names;
    uint64_t period_ns; /* between a thread's samples, as asked for or reached; 0: to be found */
    bool on_cpu_only;   /* what was sampled ran, and what did not run was not sampled */
};

struct timeline { /* to be read by others */
    struct timeline_source source;
    const struct history *history;
    const struct profile *profile;
    uint64_t zero_ns;          /* what times are counted from, no later than start_ns */
    uint64_t start_ns, end_ns; /* of all samples; of a part of the capture from where that begins */
    uint64_t period_ns;        /* not 0 */
    bool sees_idle;            /* idle threads were looked at, too */
    struct timeline_row *rows;
    size_t row_count;
    size_t unsampled;    /* threads that are shown and have no row: nothing is known of them */
    uint32_t *functions; /* by chain; TIMELINE_NO_FUNCTION: it has no frames */
    struct map by_tid;   /* private: the last thread that had it, by pid and tid */
};

MUST_CHECK enum status timeline_create(const struct timeline_source *source, struct timeline **out);
void timeline_destroy(struct timeline *timeline);

/* What one thread did for a while. */
struct timeline_piece {
    uint64_t start_ns, end_ns; /* start < end */
    uint64_t cpu_ns;           /* used within; at most its length */
    uint64_t untold_ns; /* of what is running: neither did it use a CPU nor want one, surely */
    enum timeline_state state;
    uint32_t wait;     /* as in struct span */
    uint32_t chain;    /* of its first sample; HISTORY_NONE: no sample tells */
    uint32_t function; /* of that chain, or TIMELINE_NO_FUNCTION */
    bool wants_cpu;    /* found runnable at its beginning and at its end */
    bool goes_on;      /* the thread has not run since the piece before */
};

/*
 * Adds how long a piece was in which state, of all formats the same: it ran as long as it used a
 * CPU, and was ready for the rest of what is running, but for that of which nothing tells.
 */
void timeline_add_states(const struct timeline_piece *piece, uint64_t ns[TIMELINE_STATE_COUNT]);

/* Of a piece in which a thread was found waiting: how long it did. */
static inline uint64_t timeline_waited_ns(const struct timeline_piece *piece)
{
    return piece->end_ns - piece->start_ns - piece->cpu_ns;
}

/*
 * The timeline with the beginning and the end of a process's snapshot, whose clock is its own, and
 * whose times are counted from `zero_ns`. What it has is borrowed.
 */
struct timeline timeline_of_process(const struct timeline *timeline, uint32_t process,
                                    uint64_t zero_ns);

/* Walks the pieces of a thread in the order of time; they do not overlap. */
struct timeline_cursor { /* private; no need to end it */
    const struct timeline *timeline;
    const struct history_thread *thread;
    size_t next;    /* span */
    unsigned part;  /* of it */
    uint64_t at_ns; /* all before is reported */
    bool has_run;   /* before the next piece */
    struct timeline_piece ahead;
    bool has_ahead;
};

void timeline_begin(const struct timeline *timeline, uint32_t thread,
                    struct timeline_cursor *cursor);
/* As its samples found the thread; proc(5), field 3 of /proc/PID/stat. */
enum timeline_state timeline_span_state(const struct timeline *timeline, const struct span *span);

/*
 * In what part of a span a thread waited: less what it ran before it was found otherwise, and what
 * nobody saw. Its length is 0 where it was seen at one moment alone. The span has a wait.
 */
struct timeline_piece timeline_waited(const struct timeline *timeline, uint32_t thread,
                                      size_t span);

/* As finely as is known. */
bool timeline_next(struct timeline_cursor *cursor, struct timeline_piece *piece);

/*
 * Neighbours that are in the same state and wait are one; of _function only those whose function
 * is the same, too, of _chain those with the same chain, and of _stretch those of one function
 * between which a thread that waits has not run. A cursor is for one of these.
 */
bool timeline_next_state(struct timeline_cursor *cursor, struct timeline_piece *piece);
bool timeline_next_function(struct timeline_cursor *cursor, struct timeline_piece *piece);
bool timeline_next_chain(struct timeline_cursor *cursor, struct timeline_piece *piece);
bool timeline_next_stretch(struct timeline_cursor *cursor, struct timeline_piece *piece);

/* "running", "ready (no CPU)", "waits for a lock" …, without commas; static storage. */
const char *timeline_state_name(enum timeline_state state);

/*
 * "mutex g_lock, held by worker (7)", "probably held" where that is inferred; or where no wait is
 * known the state's name; of what is not running only. malloc'ed; NULL: out of memory.
 */
char *timeline_wait_text(const struct timeline *timeline, const struct timeline_piece *piece);

/* The function's name, cleaned; "" when there is none. malloc'ed; NULL: out of memory. */
char *timeline_function_text(const struct timeline *timeline, uint32_t function);

/*
 * The name where it says more than the program's, of a process its title, the identity, and the
 * tid: "worker_main (7)", ""pool-3" worker_main (7)"; cleaned. malloc'ed; NULL: out of memory.
 */
char *timeline_thread_text(const struct timeline *timeline, uint32_t thread);

#endif
