/* SPDX-License-Identifier: MIT */
/*
 * Capture of a running process into a snapshot (snapshot/FORMAT.md): samples registers and stacks
 * at a rate, follows threads, exec and, if asked, forks. How it gets hold of the process is a
 * backend's (backend.h). Knows nothing of ELF, DWARF or symbols.
 *
 *     capture_check -> (open the output, start its pump) -> capture_start -> capture_run ->
 *     capture_destroy
 *
 * Once the process is attached to, nothing may be done that can take long, and no output's file is
 * open in the capturing process or those that it starts: to close one can take for ever.
 *
 * A capture changes signal mask, priority and timer slack of the calling thread, and reaps every
 * child of the calling process: it is meant for a program that does nothing else.
 */
#ifndef CAPTURE_CAPTURE_H
#define CAPTURE_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/status.h"
#include "capture/target/options.h"
#include "snapshot/format.h"

/* Microseconds in steps of an eighth of a power of two. */
#define CAPTURE_PAUSE_STEPS 8u
#define CAPTURE_PAUSE_SLOTS (24u * CAPTURE_PAUSE_STEPS)

/* How the writing of files that belong to the snapshot ended. */
enum capture_bundle_end {
    CAPTURE_BUNDLE_WHOLE,
    CAPTURE_BUNDLE_SIGNAL, /* early, by a signal */
    CAPTURE_BUNDLE_STUCK,  /* early, as a file system did not answer */
    CAPTURE_BUNDLE_FAILED, /* early, as the process that reads them has ended */
};

struct capture_result {
    enum snap_end end;
    uint64_t samples, repeats, rounds;
    uint64_t ticks;                   /* of the CPUs' clocks, in the threads */
    uint64_t lost[SNAP_LOSS_REASONS]; /* samples, by enum snap_loss */
    uint64_t unanswered;              /* mappings whose files could not be looked at in time */
    uint64_t threads;                 /* seen altogether */
    uint32_t bundled, unbundled;      /* files in the snapshot, and missing there; options.bundle */
    uint64_t bundled_bytes;           /* of the files, not compressed */
    enum capture_bundle_end bundle_end;
    uint64_t bytes;      /* of the snapshot */
    uint64_t elapsed_ns; /* from the first round to the last */
    bool leaving;        /* threads were attached to for their samples only, as signals were many */
    size_t refused;      /* processes that could not be attached to though they were meant, too */
    struct diag refusal; /* why not the first of them */
    size_t left_out;     /* let go, as they called exec on a program of another machine */
    bool slowed;         /* rounds were rarer at times, to cost no more than was permitted */
    /*
     * A thread's pause runs from its stop to when it was let go. When it stopped is not told: it is
     * taken to be when it was asked to, or when we last knew of no stop, whichever was later.
     */
    uint64_t stopped_ns, stopped_max_ns;
    uint64_t stopped_max_wait_ns; /* of the longest: while we waited for a CPU */
    /* How many; slot i begins at capture_pause_us(i). */
    uint32_t pauses[CAPTURE_PAUSE_SLOTS];
    uint64_t used_ns, waited_ns; /* by the threads: on CPUs, and for one */
    bool blind;                  /* the kernel does not tell of waiting for CPUs */
    bool has_clock;              /* the CPUs' clocks ticked, */
    struct diag no_clock;        /* or why not; empty: they were not asked for */
#if CAPTURE_BOARDS
    /* At so many halts not all threads of an RTOS were reached; at most so many; static storage */
    uint64_t halts, cut_halts, unreached;
    const char *cut_problem;
    uint64_t without_psp; /* samples whose chains end at a handler, as no SP is known behind it */
#endif
    bool command_ended;
    int command_status; /* as waitpid(2) gives it */
    bool no_pointees;   /* of some samples what is in memory could not be told; options.pointees */
};

uint64_t capture_pause_us(unsigned slot);

struct capture;
struct pump;

/*
 * Is it certain already that the process cannot be attached to: there is none, it is traced
 * already, it is another user's? Then an output need not be opened. `diag` and errors are as those
 * of capture_start.
 */
MUST_CHECK enum status capture_check(const struct capture_options *options, struct diag *diag);

/*
 * Attaches to the process, or starts the command and stops it before its first instruction. `diag`
 * says why not: NOT_FOUND (no such process), UNSUPPORTED (word size, architecture), IO (no
 * permission and the rest). OK: of a board it may hold a warning, or else nothing.
 */
MUST_CHECK enum status capture_start(const struct capture_options *options, struct capture **out,
                                     struct diag *diag);

/*
 * Captures until a limit, a signal, or the process's end, writing to `pump` (borrowed); then lets
 * the process go. A started command is waited for. IO: the output could not be written.
 * UNSUPPORTED:
 * the process called exec on a program of another word size; `result` and the file are good so far.
 */
MUST_CHECK enum status capture_run(struct capture *capture, struct pump *pump, const char *name,
                                   struct capture_result *result, struct diag *diag);

/* A command that was not let go yet is killed: it has not run an instruction of its own. */
void capture_destroy(struct capture *capture);

#endif
