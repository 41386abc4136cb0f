/* SPDX-License-Identifier: MIT */
/* Copies registers and stack of a thread in its stop; record.c writes them later. */
#ifndef CAPTURE_PENDING_SAMPLE_H
#define CAPTURE_PENDING_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/target/backend.h"
#include "capture/target/pointees.h"
#include "capture/target/stack.h"

struct capture;
struct process;
struct thread;

/* Memory that says what a thread waits for: a lock, or a list of descriptors. */
struct wait_memory {
    uint64_t addr, time_ns;
    uint32_t size;        /* 0: none */
    const uint8_t *bytes; /* in the arena */
};

/* Size of a name that an RTOS gives something, with its NUL. */
#define PENDING_TEXT_MAX 64

/* Not written yet: a sample, a creation (a thread made another), or a tick of a CPU's clock. */
struct pending_sample {
    struct thread *thread;
    pid_t made_tid; /* creation: number of the new thread or process; else 0 */
    unsigned tick;  /* tick: number of its registers; else 0 */
    uint64_t time_ns;
    uint64_t cpu_ns, delay_ns; /* since the thread's last sample: on CPUs, waiting for one */
    bool ready;                /* runnable, but not known to have had a CPU when the round began */
    uint32_t repeats;          /* later rounds that this sample stands for as well */
    uint64_t last_repeat_ns;   /* begin of the last of them */
    bool disturbed;
    bool held;     /* all threads were stopped at time_ns */
    bool outdated; /* its process has called exec since */
    struct activity before;
    uint64_t regs[ARCH_REG_MAX];
    struct stack_copy stack;
    struct wait_memory memory;        /* if taken together with others: what the thread waits for */
    struct pointees pointees;         /* only if options.pointees */
#if CAPTURE_BOARDS                    /* board_record.h */
    uint64_t unknown;                 /* mask of registers without a known value */
    const struct snap_system *system; /* in the arena */
    uint32_t system_count;
    bool has_task;
    struct snap_task task; /* its strings are these two: */
    char object[PENDING_TEXT_MAX], system_name[PENDING_TEXT_MAX];
#endif
};

/*
 * Takes the thread's due sample, in a stop that was seen at `seen_ns`, as the last of cap->pending.
 * `disturbed`: the stop came with a signal. NOT_FOUND: the thread was killed. FAULT, NO_MEMORY,
 * UNSUPPORTED: the sample is lost; if the registers are of another machine the session has failed.
 */
MUST_CHECK enum status pending_sample_take_sample(struct capture *cap, struct thread *thread,
                                                  uint64_t seen_ns, bool disturbed);

/*
 * For the sample that was taken last, while all threads are stopped since `time_ns`: reads the
 * memory that the thread waits for, and sets `held` and the time, unless the sample is of an
 * earlier round, or the thread may have been woken from its system call.
 */
void pending_sample_hold(struct capture *cap, struct pending_sample *sample, uint64_t time_ns);

/*
 * In the stop after the thread made the thread or process `made`: adds a creation with its
 * registers and stack to cap->pending. Adds none if the arena is more than half full (samples go
 * first) or copying fails.
 */
void pending_sample_take_creation(struct capture *cap, struct thread *thread, pid_t made);

/* Fails the session, as a snapshot has one architecture, and the process runs another's program. */
void pending_sample_fail_other_program(struct capture *cap, const struct process *process);

#endif
