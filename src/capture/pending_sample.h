/* SPDX-License-Identifier: MIT */
/* Copies registers and stack of a stopped thread; record.c writes them later. */
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

/* Memory that tells what a thread waits for: a lock, or a list of descriptors. */
struct wait_memory {
    uint64_t addr, time_ns; /* run-time address; when the memory was read (CLOCK_MONOTONIC) */
    uint32_t size;          /* bytes; 0: no memory was read */
    const uint8_t *bytes;   /* in cap->arena */
};

/* Most bytes of a name that an RTOS gives to a task's object, with its NUL. */
#define PENDING_TEXT_MAX 64

/* A sample, a creation (a thread made another), or a tick of a CPU's clock, not written yet. */
struct pending_sample {
    struct thread *thread;
    pid_t made_tid;            /* creation: number of the new thread or process; else 0 */
    unsigned tick;             /* tick: number of its registers; else 0 */
    uint64_t time_ns;          /* a sample: of the request to stop; `held`: all were stopped then */
    uint64_t cpu_ns, delay_ns; /* since the thread's last sample: on CPUs; waiting for a CPU */
    bool ready;                /* runnable, but not known to have had a CPU when the round began */
    uint32_t repeats;          /* number of later rounds that this sample stands for as well */
    uint64_t last_repeat_ns;   /* begin of the last of these rounds */
    bool disturbed;            /* the stop came with a signal, which may have ended a call */
    bool held;                 /* all threads were stopped at time_ns */
    bool outdated;             /* the process has called exec since, or replaced the code */
    /*
     * where no clock tells what is mapped: when the process's mappings were those of the sample, in
     * its stop; is_checked: they are, by code_stamps_check_held
     */
    uint64_t mapped_ns;
    bool is_checked;
    struct activity before; /* the thread's state before it was asked to stop */
    uint64_t regs[ARCH_REG_MAX];
    struct stack_copy stack;
    struct wait_memory memory;        /* filled if samples of all threads are taken together */
    struct pointees pointees;         /* only if options.pointees */
#if CAPTURE_BOARDS                    /* board_record.h */
    uint64_t unknown;                 /* mask of registers without a known value */
    const struct snap_system *system; /* in cap->arena; NULL: no system registers */
    uint32_t system_count;
    bool has_task;         /* `task` is filled */
    struct snap_task task; /* its strings are gone: the next two members are their copies */
    char object[PENDING_TEXT_MAX], system_name[PENDING_TEXT_MAX];
#endif
};

/*
 * Takes the sample that is due in thread->stop, the thread's present stop, and appends it to
 * cap->pending. Errors: no sample is taken. NOT_FOUND: the thread was killed. FAULT, NO_MEMORY:
 * registers or stack could not be copied. UNSUPPORTED: the registers are of another machine, and
 * the session has failed.
 */
MUST_CHECK enum status pending_sample_take_sample(struct capture *cap, struct thread *thread);

/*
 * Passes PC, LR and the words of the stack, as far as it is copied, to `visit` as addresses; ends
 * and returns true when that returns true.
 */
bool pending_sample_refers(const struct capture *cap, const struct pending_sample *sample,
                           bool (*visit)(void *context, uint64_t addr), void *context);

/*
 * Completes the sample that was taken last, while all threads have been stopped since `time_ns`:
 * reads the memory that tells what its thread waits for, and sets sample->held and time_ns, unless
 * the sample is of an earlier round, or the thread may have been woken from its system call.
 */
void pending_sample_hold(struct capture *cap, struct pending_sample *sample, uint64_t time_ns);

/*
 * Appends a creation, with registers and stack of `thread`, to cap->pending; to be called in the
 * stop after `thread` made the thread or process `made`. Appends none if the arena is more than
 * half full (samples go first) or copying fails.
 */
void pending_sample_take_creation(struct capture *cap, struct thread *thread, pid_t made);

/*
 * Ends the session with UNSUPPORTED, as the process now runs a program of another word size or
 * architecture, and a snapshot has one architecture.
 */
void pending_sample_fail_other_program(struct capture *cap, const struct process *process);

#endif
