/* SPDX-License-Identifier: MIT */
/* The options of a capture, for capture.h and for backends, which say whether they support them. */
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
    size_t threads;      /* number of live threads */
    /* numbers of samples so far, as in struct capture_result; bytes: size of the snapshot so far */
    uint64_t samples, repeats, lost, bytes;
    uint64_t period_ns; /* present average distance of rounds */
};

/*
 * Shows the progress. Must neither block nor take long: the target's stops are not answered
 * meanwhile.
 */
typedef void capture_watch(void *context, const struct capture_progress *progress);

/* The source of CPU time. */
enum capture_clock {
    CAPTURE_CLOCK_AUTO,   /* ticks of the CPUs' clocks where available, else samples */
    CAPTURE_CLOCK_PTRACE, /* samples that found a thread on a CPU */
    CAPTURE_CLOCK_PERF,   /* ticks of the CPUs' clocks; without them the capture does not start */
};

struct rtos_layout; /* defined in boards/rtos/rtos.h */

/* A firmware file that a board runs. */
struct capture_firmware {
    const char *path; /* path of the file; borrowed */
    int64_t bias;     /* run-time address minus the file's address */
};

struct capture_options {
    const struct capture_backend *backend; /* borrowed */
    pid_t pid;                             /* process to attach to; 0: none */
    const pid_t *more_pids;                /* further processes to attach to; borrowed */
    size_t more_count;
    const char *cgroup;    /* attach to all processes of this cgroup; borrowed; NULL: none */
    bool children;         /* attach also to the descendants of all these processes */
    char *const *command;  /* command to start instead (NULL-terminated, borrowed); NULL: none */
    const pid_t *tids;     /* sample only these threads; borrowed */
    size_t tid_count;      /* 0: sample all threads */
    uint32_t rate_mhz;     /* rounds in 1000 seconds, not 0 */
    uint64_t duration_ns;  /* most time; 0: no limit */
    uint64_t round_count;  /* most rounds; 0: no limit */
    uint32_t stack_size;   /* most bytes copied of a stack, at most SNAP_STACK_MAX */
    bool stack_size_given; /* the user gave stack_size: holds also where no end is known */
    enum capture_clock clock;
    uint32_t overhead; /* permitted cost, in percent times BUDGET_UNIT (budget.h) */
    /*
     * together: sample all threads while all are stopped; on_cpu: sample only threads that have run
     * since their last sample; follow_forks: capture also the processes that the target makes.
     */
    bool together, on_cpu, follow_forks;
    bool with_code; /* write all code that samples refer to (code.h) */
    bool bundle;    /* write mapped files and their debug files */
    /*
     * write no names and symbol files of code made at run time, nor, without with_code, such code
     */
    bool no_jit;
    /*
     * Called before the first round and then once a second, between rounds, while no thread is
     * stopped for a sample. NULL: no function is called.
     */
    capture_watch *watch;
    /* Called between rounds when the period for `overhead` is found or changes. NULL: none is. */
    capture_watch *watch_rate;
    void *watch_context; /* for watch and watch_rate */
    /*
     * Copy up to `pointees` bytes of memory at each address in registers and the innermost part of
     * the stack, up to pointees_budget bytes a sample (target/pointees.h). 0: copy none.
     */
    uint32_t pointees, pointees_budget;
#if CAPTURE_BOARDS
    /* The gdb backend's stub: HOST:PORT, a socket, a device, "| COMMAND"; borrowed. */
    const char *gdb;
    uint32_t halt_budget; /* most time halted, in percent times HALT_BUDGET_UNIT */
    const struct capture_firmware *firmware; /* borrowed */
    size_t firmware_count;
    const struct rtos_layout *rtos; /* borrowed; NULL: sample only the code that CPUs run */
#endif
};

#endif
