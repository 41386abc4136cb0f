/*
 * The state of a capture: processes, their threads, and what the parts of capture/ share. Internal
 * to this room; the interface is capture.h.
 *
 * Two rules keep the tracees alive whatever happens to the output:
 *
 *   - Answering a stop (stops.c) never writes to the snapshot. It changes the state below and copies
 *     samples to `pending`; record.c writes down what has happened, afterwards.
 *   - While the snapshot's reader does not read, stops are answered all the same: `output_blocked`
 *     is set, and they are not sampled.
 */
#ifndef CAPTURE_SESSION_H
#define CAPTURE_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "arch/capture.h"
#include "base/diag.h"
#include "base/procfs.h"
#include "base/status.h"
#include "capture/capture.h"
#include "capture/code.h"
#include "capture/delta.h"
#include "capture/maps.h"
#include "capture/modules.h"
#include "capture/stack.h"
#include "snapshot/writer.h"

#define TID_BUCKETS 1024u

/* What a thread was doing when a sample was due, read before it was interrupted. */
struct activity {
    char state; /* as in /proc/PID/stat */
    bool known; /* `call` was readable */
    struct proc_syscall call;
};

/* A piece of memory that a thread waits for, or for what is in it. */
struct wait_memory {
    uint64_t addr, time_ns;
    uint32_t size;        /* 0: there is none */
    const uint8_t *bytes; /* in the arena */
};

/* A lock that a sleeping thread waits for, and what was last written of it. */
struct lock {
    uint64_t addr, hash;
    uint32_t size; /* 0: there is none */
};

struct thread {
    pid_t tid;
    struct process *process; /* borrowed */
    struct thread *next;     /* with the same hash */
    char name[PROC_NAME_SIZE];
    uint64_t start_ticks;
    uint64_t found_ns, named_ns;  /* when it or its program was found, its name last looked at */
    int schedstat_fd, syscall_fd; /* -1: not open */
    bool announced;               /* its THREAD record is written */
    bool ended;                   /* gone; its struct lives until that is written down */
    bool end_written;             /* that was written down */
    bool replaced;                /* it ended by an exec: PROCESS says so, THREAD_END need not */
    bool sampled;                 /* it has a SAMPLE in the file */
    bool made;                    /* it has a CREATION there */
    bool maker_due;               /* its first stop came before its maker's event */
    bool listening;               /* in a group stop, under PTRACE_LISTEN */
    bool held;                    /* --together: stopped until all are */
    bool held_restart;            /* an interrupted system call is to be made again then */
    int held_signal;              /* to deliver when it goes on */
    uint64_t held_ns;             /* since when */

    /*
     * A sample is due and taken at the thread's next stop, for which we asked (PTRACE_INTERRUPT).
     */
    bool asked;
    uint64_t asked_ns;
    uint32_t rounds_missed; /* due rounds that have passed meanwhile */
    struct activity before;

    /* What it had used at its last sample, or when it was made; not known: it was there before. */
    uint64_t cpu_ns;
    bool cpu_known;

    /* As of its last sample's stop: has it run since? */
    struct proc_schedstat stopped_at;
    bool was_blocked;  /* in `before`, and the stop found it there */
    bool handles;      /* a handler of its own has run, or is about to: restart.h */
    uint64_t set_back; /* with which registers it makes a system call again, or 0; restart.h */
    uint8_t spin_skip, spin_backoff;

    struct proc_schedstat now; /* what this round read, if `read` */
    bool read;
    bool quiet;         /* its sample is to be repeated in this round */
    uint64_t sample_ns; /* time of its last SAMPLE */
    bool same;          /* it had not run in the last round */
    bool dormant;       /* nor for a while: it is looked at together with others */
    uint64_t ran_ns;    /* when it was last found to have run; 0: not since it was attached to */

    struct lock lock;    /* that it waited for in its last sample */
    unsigned wait_count; /* WAIT records since the last sample or repeat */

    struct delta_base base;
};

struct process {
    pid_t pid;
    int task_fd;             /* /proc/PID/task */
    struct thread **threads; /* owned, in the order they were found */
    size_t thread_len, thread_cap;
    size_t live;       /* threads that have not ended */
    bool announced;    /* its PROCESS record is written and still true */
    uint64_t since_ns; /* when it was found, or has called exec */

    struct maps maps;
    struct modules modules;
    struct captured_code code; /* --with-code: what was written of it */
    bool maps_unwritten;       /* MAP records for what was read are to be written */
    bool maps_stale;           /* something was found not to fit them */
    uint64_t maps_read_ns;     /* when */
    uint64_t maps_cost_ns;     /* the CPU time that took */
    uint64_t maps_changed_ns;  /* when code was last found to have come or gone */
    int64_t maps_credit_ns;    /* what may be spent on reading them; as of maps_read_ns */
    uint64_t vm_pages;         /* the address space's size then */
    uint64_t unknown_pc_page;  /* the last PC that re-reading did not explain */
    int statm_fd;

    bool rest_known;    /* no dormant thread had run when `rest_ns` was taken: */
    uint64_t rest_ns;   /* the process's CPU time less that of its other threads */
    uint64_t chosen_ns; /* when it was last looked which threads are dormant */

    bool namespace_known, has_namespace; /* its tids are others in a pid namespace of its own */

    uint64_t round_ns;     /* when its part of the last round began */
    uint64_t locks_due_ns; /* when locks may be read again */
    uint64_t sleepers_ns;  /* when those of threads that have slept for long were */
};

/* A sample that was taken, or how a thread made another, and is not written yet. */
struct pending_sample {
    struct thread *thread;
    pid_t made_tid; /* of whom it made; 0: this is a sample */
    uint64_t time_ns, cpu_ns;
    uint32_t repeats; /* rounds that the sample stands for as well */
    bool disturbed;
    bool held;     /* --together: at its time all were stopped */
    bool outdated; /* its process has called exec since */
    struct activity before;
    uint64_t regs[ARCH_REG_MAX];
    struct stack_copy stack;
    struct wait_memory memory; /* --together: what the thread waits for */
};

struct capture {
    struct capture_options options;
    const struct arch_capture *backend;
    const struct arch *arch;
    struct snap_writer *writer; /* NULL until capture_run */
    struct capture_result result;
    enum status status; /* the first failure */
    struct diag diag;
    uint64_t page_size;

    struct process **processes; /* owned */
    size_t process_len, process_cap;
    struct thread *by_tid[TID_BUCKETS];
    size_t asked; /* threads with an interrupt under way */

    struct pending_sample *pending; /* owned */
    size_t pending_len, pending_cap;
    struct stack_arena arena;
    struct delta delta;

    bool dirty;          /* processes or threads came, changed or went: to be written down */
    bool sweepable;      /* the end of some was */
    bool output_blocked; /* the snapshot cannot be written right now: no samples */
    uint32_t losses[SNAP_LOSS_ROUND + 1]; /* by reason: samples not taken, to be written down */
    bool lossy;                           /* there are some */
    bool holding;                         /* --together: stopped threads are held */
    bool detaching;                       /* each stop is the last */
    bool keep_fds;                        /* there are file descriptors left to keep: */
    int fd_max;                           /* those below; the rest is a reserve */
    unsigned signals;                     /* SIGINT and the like that came */
    sigset_t wait_set;                    /* SIGCHLD and what ends the capture */
    sigset_t child_set;                   /* SIGCHLD */
    uint64_t period_ns;
    uint64_t flushed_ns, trimmed_ns; /* when the output was flushed, and memory given back */
    uint64_t begin_ns;               /* when the first round was due */
    uint64_t taken;                  /* how much the snapshot's reader had taken */
    uint64_t moving_ns; /* when that was last more than before, or there was no hurry */

    pid_t command; /* started by us, or 0 */
};

uint64_t session_now(void);

/* Keeps the first failure, with printf-like text for `diag`. */
void session_fail(struct capture *cap, enum status status, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* NULL: out of memory, and the session has failed. */
struct process *process_add(struct capture *cap, pid_t pid);
struct process *process_find(const struct capture *cap, pid_t pid);

/* Reads the thread's name and start time. NULL as above. */
struct thread *thread_add(struct capture *cap, struct process *process, pid_t tid);
/* The live thread with this number, or NULL. */
struct thread *thread_find(const struct capture *cap, pid_t tid);
/* The last that had this number, also if it has ended; NULL: it is forgotten. */
struct thread *thread_find_last(const struct capture *cap, pid_t tid);
/* Marks it; record.c frees it when that is written down. */
void thread_ended(struct capture *cap, struct thread *thread);
/*
 * Frees the threads whose end is written down, and the processes without threads. Not while
 * somebody walks over them, and when no pending sample refers to them.
 */
void session_sweep(struct capture *cap);
/* After exec: forgets what was known of its earlier program, and reads its name. */
void thread_begin_anew(struct thread *thread);

/* The thread has nothing to wait for any more; keeps the count of those asked. */
void thread_answered(struct capture *cap, struct thread *thread);

void session_deinit(struct capture *cap);

#endif
