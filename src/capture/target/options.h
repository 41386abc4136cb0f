/* SPDX-License-Identifier: MIT */
/* What a capture was asked to do; for capture.h and for backends, which say whether they can. */
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

/* Progress of a capture. */
struct capture_progress {
    uint64_t elapsed_ns; /* since the first round was due */
    size_t threads;      /* live ones */
    uint64_t samples, repeats, lost, bytes;
    uint64_t period_ns; /* current average distance of rounds */
};

/* Must neither block nor take long: the target's stops are not answered meanwhile. */
typedef void capture_watch(void *context, const struct capture_progress *progress);

/* The source of CPU time. */
enum capture_clock {
    CAPTURE_CLOCK_AUTO,   /* the CPUs' clocks where available, else samples */
    CAPTURE_CLOCK_PTRACE, /* samples that found a thread on a CPU */
    CAPTURE_CLOCK_PERF,   /* the CPUs' clocks; else the capture does not start */
};

struct rtos_layout; /* boards/rtos/rtos.h */

/* A firmware file that a board runs. */
struct capture_firmware {
    const char *path; /* borrowed */
    int64_t bias;     /* load bias */
};

struct capture_options {
    const struct capture_backend *backend; /* borrowed; backend.h */
    pid_t pid;                             /* attach to this process; 0: none */
    const pid_t *more_pids;                /* and to these (borrowed) */
    size_t more_count;
    const char *cgroup;    /* to all in this cgroup (borrowed; NULL: none) */
    bool children;         /* and to the descendants of all these */
    char *const *command;  /* start this command (NULL-terminated, borrowed) */
    const pid_t *tids;     /* sample only these threads (borrowed) */
    size_t tid_count;      /* 0: all */
    uint32_t rate_mhz;     /* rounds in 1000 seconds, not 0 */
    uint64_t duration_ns;  /* 0: no limit */
    uint64_t round_count;  /* 0: no limit */
    uint32_t stack_size;   /* bytes, at most SNAP_STACK_MAX */
    bool stack_size_given; /* the user's: holds also where a stack's end is not known */
    enum capture_clock clock;
    uint32_t overhead; /* permitted cost; budget.h */
    bool together, on_cpu, follow_forks;
    bool with_code; /* write all code that samples refer to; code.h */
    bool bundle;    /* write mapped files and their debug files */
    bool no_jit;    /* write no names and symbol files of made code; no such code but with_code */
    /*
     * Called before the first round and then once a second, between rounds, while no thread is
     * stopped for a sample. NULL: none.
     */
    capture_watch *watch;
    /* Called when the period for `overhead` is found or changes, else as `watch`. */
    capture_watch *watch_rate;
    void *watch_context; /* of both */
    /*
     * Copy up to `pointees` bytes at each address in registers and the innermost part of the stack,
     * up to pointees_budget bytes a sample. 0: none. See target/pointees.h.
     */
    uint32_t pointees, pointees_budget;
#if CAPTURE_BOARDS
    /* The gdb backend's stub: HOST:PORT, a device, "| COMMAND"; borrowed. */
    const char *gdb;
    uint32_t halt_budget; /* share of time for which the target may be halted; budget.h */
    const struct capture_firmware *firmware; /* borrowed */
    size_t firmware_count;
    const struct rtos_layout *rtos; /* borrowed; NULL: sample the running contexts only */
#endif
};

#endif
