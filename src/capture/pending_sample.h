/* SPDX-License-Identifier: MIT */
/*
 * Copies registers and stack of a thread in its stop, to be written as a record later.
 */
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

/* A piece of memory that a thread waits for, or for what is in it. */
struct wait_memory {
    uint64_t addr, time_ns;
    uint32_t size;        /* 0: there is none */
    const uint8_t *bytes; /* in the arena */
};

/* Bytes of a name that an RTOS has for something, with its NUL. */
#define PENDING_TEXT_MAX 64

/* A sample that was taken, or how a thread made another, and is not written yet. */
struct pending_sample {
    struct thread *thread;
    pid_t made_tid; /* of whom it made; 0: this is a sample, or */
    unsigned tick;  /* with so many registers; 0: it is none */
    uint64_t time_ns;
    uint64_t cpu_ns, delay_ns; /* since the thread's last sample: on a CPU, waited for one */
    bool ready;                /* it is not known to have had a CPU when the round began */
    uint32_t repeats;          /* rounds that the sample stands for as well */
    uint64_t last_repeat_ns;   /* when the last of them began */
    bool disturbed;
    bool held;     /* at its time all were stopped */
    bool outdated; /* its process has called exec since */
    struct activity before;
    uint64_t regs[ARCH_REG_MAX];
    struct stack_copy stack;
    struct wait_memory memory;        /* of one that was held: what the thread waits for */
    struct pointees pointees;         /* options.pointees */
#if CAPTURE_BOARDS                    /* board_record.h */
    uint64_t unknown;                 /* registers */
    const struct snap_system *system; /* in the arena */
    uint32_t system_count;
    bool has_task;
    struct snap_task task; /* its names are these: */
    char object[PENDING_TEXT_MAX], system_name[PENDING_TEXT_MAX];
#endif
};

/*
 * The sample that is due, in a stop that was seen at `seen_ns`. NOT_FOUND: the thread was killed
 * meanwhile. FAULT, NO_MEMORY, UNSUPPORTED: the sample is lost.
 */
MUST_CHECK enum status pending_sample_take_sample(struct capture *cap, struct thread *thread,
                                                  uint64_t seen_ns, bool disturbed);

/*
 * The sample was taken last, while all threads are stopped, since `time_ns`: its time is that, and
 * what the thread waits for is read now, unless it may have been woken from that.
 */
void pending_sample_hold(struct capture *cap, struct pending_sample *sample, uint64_t time_ns);

/*
 * The thread has stopped after it made the thread or process `made`: how it came to make it. Not
 * when there is little room left: samples go first.
 */
void pending_sample_take_creation(struct capture *cap, struct thread *thread, pid_t made);

/* A file holds samples of one architecture. */
void pending_sample_fail_other_program(struct capture *cap, const struct process *process);

#endif
