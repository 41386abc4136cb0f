/* SPDX-License-Identifier: MIT */
/*
 * Captures a running process into a snapshot (snapshot/FORMAT.md): samples registers and stacks at
 * a rate; follows threads, exec and, if asked, forks. A backend (target/backend.h) reaches the
 * process. Knows nothing of ELF, DWARF or symbols.
 *
 *     capture_check -> (open the output, start its pump) -> capture_start -> capture_run ->
 *     capture_destroy
 *
 * While the process is attached to, the caller does nothing that can take long, and neither the
 * capturing process nor those that it starts have a file of the output open: closing one can block
 * for ever.
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

/* The histogram of pauses: microseconds in steps of an eighth of a power of two. */
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
    uint64_t ticks; /* TICK records: of the CPUs' clocks, in the target's threads */
    uint64_t lost[SNAP_LOSS_REASONS]; /* samples, by enum snap_loss */
    uint64_t unanswered;              /* mappings whose files could not be looked at in time */
    uint64_t threads;                 /* seen from beginning to end */
    uint32_t bundled, unbundled;      /* files written, and missing; options.bundle */
    uint64_t bundled_bytes;           /* size of the bundled files, uncompressed */
    enum capture_bundle_end bundle_end;
    uint64_t bytes;      /* of the snapshot */
    uint64_t elapsed_ns; /* from the first round to the last */
    bool leaving;        /* threads were attached to for samples only: too many signals */
    size_t refused;      /* processes that were asked for and could not be attached to */
    struct diag refusal; /* why the first of them could not */
    size_t left_out;     /* processes let go after exec of a program of another machine */
    bool slowed;         /* rounds were rarer at times, to stay within the permitted cost */
    /*
     * Sum and longest of the threads' pauses: from its stop until it was let go. A stop is taken to
     * have happened when it was asked for, or when all stops had been seen, whichever was later.
     */
    uint64_t stopped_ns, stopped_max_ns;
    uint64_t stopped_max_wait_ns; /* of the longest: time for which cgsnap waited for a CPU */
    /* Pauses by length; slot i begins at capture_pause_us(i). */
    uint32_t pauses[CAPTURE_PAUSE_SLOTS];
    uint64_t used_ns, waited_ns; /* by sampled threads: on CPUs, and for one */
    bool blind;                  /* neither the kernel nor a clock tells of waiting for CPUs */
    bool has_clock;              /* the CPUs' clocks ticked, */
    struct diag no_clock;        /* or why not; empty: they were not asked for */
#if CAPTURE_BOARDS
    /* All halts; halts that missed threads of an RTOS; most threads missed; why (static storage) */
    uint64_t halts, cut_halts, unreached;
    const char *cut_problem;
    uint64_t without_psp; /* samples whose chains end at a handler: the SP behind it is not known */
#endif
    bool command_ended;
    int command_status; /* as waitpid(2) gives it */
    bool no_pointees;   /* for some samples no pointees could be read; options.pointees */
};

uint64_t capture_pause_us(unsigned slot);

struct capture;
struct pump;

/*
 * Returns OK unless it is certain already that the process cannot be attached to (no such process,
 * already traced, another user's): then the caller need not open an output. `diag` and errors are
 * those of capture_start.
 */
MUST_CHECK enum status capture_check(const struct capture_options *options, struct diag *diag);

/*
 * Attaches to the process, or starts the command and stops it before its first instruction; *out is
 * to be destroyed. Fails with NOT_FOUND (no such process), UNSUPPORTED (word size, architecture),
 * NO_MEMORY, IO (no permission and the rest), and `diag` says why. If OK, `diag` may hold a
 * warning, of boards only.
 */
MUST_CHECK enum status capture_start(const struct capture_options *options, struct capture **out,
                                     struct diag *diag);

/*
 * Captures until a limit, a signal, or the process's end, writing to `pump` (borrowed; `name` is
 * the output's name for `diag`); then lets the process go. Waits for a started command to end.
 * Fails with IO (output not writable; target of a board lost) and UNSUPPORTED (the process called
 * exec on a program of another word size or architecture); `result` and the file are good so far.
 */
MUST_CHECK enum status capture_run(struct capture *capture, struct pump *pump, const char *name,
                                   struct capture_result *result, struct diag *diag);

/*
 * Ends the capture and frees it; NULL: does nothing. Kills a command that was never let go: it has
 * not run an instruction of its own.
 */
void capture_destroy(struct capture *capture);

#endif
