/* SPDX-License-Identifier: MIT */
/* What a capture was asked to do: for capture.h, and for a backend, which says whether it can. */
#ifndef CAPTURE_TARGET_OPTIONS_H
#define CAPTURE_TARGET_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef CG_WITHOUT_BUNDLES
#define CAPTURE_BUNDLES false
#else
#define CAPTURE_BUNDLES true
#endif
#ifdef CG_WITHOUT_BOARDS
#define CAPTURE_BOARDS false
#else
#define CAPTURE_BOARDS true
#endif

struct capture_backend;

/* How a capture gets on. */
struct capture_progress {
    uint64_t elapsed_ns; /* since its first round was due; 0: none was yet */
    size_t threads;      /* there are now */
    uint64_t samples, repeats, lost, bytes;
    uint64_t period_ns; /* between rounds, on average, as it is kept now */
};

/* Neither blocks nor takes long: the target's stops are not answered meanwhile. */
typedef void capture_watch(void *context, const struct capture_progress *progress);

/* What says where CPU time goes. */
enum capture_clock {
    CAPTURE_CLOCK_AUTO,   /* the CPUs' clocks where they are to be had */
    CAPTURE_CLOCK_PTRACE, /* samples that found a thread on a CPU */
    CAPTURE_CLOCK_PERF,   /* the CPUs' clocks; else the capture does not start */
};

struct rtos_layout; /* rtos/rtos.h */

/* A file that a board runs. */
struct capture_firmware {
    const char *path; /* borrowed */
    int64_t bias;     /* from its addresses to those where it was loaded */
};

struct capture_options {
    const struct capture_backend *backend; /* borrowed: how the target is reached; backend.h */
    pid_t pid;                             /* attach to this one, or 0 */
    const pid_t *more_pids;                /* and to these (borrowed), */
    size_t more_count;                     /* so many, */
    const char *cgroup;                    /* to all that are in it (borrowed; NULL: none), */
    bool children;                         /* and to the descendants of all; */
    char *const *command;                  /* start this one (NULL-terminated, borrowed) */
    const pid_t *tids;                     /* sample only these (borrowed) */
    size_t tid_count;                      /* 0: all */
    uint32_t rate_mhz;                     /* rounds in 1,000 seconds, not 0 */
    uint64_t duration_ns;                  /* 0: no limit */
    uint64_t round_count;                  /* 0: no limit */
    uint32_t stack_size;                   /* bytes, at most SNAP_STACK_MAX */
    bool stack_size_given;                 /* so that it holds where a stack's end is not known */
    enum capture_clock clock;
    uint32_t overhead; /* what the capture may cost; budget.h */
    bool together, on_cpu, follow_forks;
    bool with_code; /* write the code that samples refer to, too; code.h */
    bool bundle;    /* write the files that are mapped, and their debug files, too */
    bool no_jit;    /* no code and no names of what was made at run time */
    /*
     * Called before the first round and once a second from then on, between rounds, while no thread
     * is stopped for a sample. NULL: nobody is told.
     */
    capture_watch *watch;
    /*
     * The same, but called when it is known what period is kept for `overhead`, and when another
     * one is from then on.
     */
    capture_watch *watch_rate;
    void *watch_context; /* of both */
    /*
     * Copy so many bytes at each address that registers and the innermost part of the stack have;
     * of a sample at most the budget. 0: none. See target/pointees.h.
     */
    uint32_t pointees, pointees_budget;
#if CAPTURE_BOARDS
    /* The gdb backend: where the stub is (HOST:PORT, a device, "| COMMAND"; borrowed). */
    const char *gdb;
    uint32_t halt_budget; /* the target is halted for so much of the time at most; budget.h */
    const struct capture_firmware *firmware; /* borrowed */
    size_t firmware_count;
    const struct rtos_layout *rtos; /* borrowed; NULL: the running contexts alone */
#endif
};

#endif
