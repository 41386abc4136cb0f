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

/*
 * Slots of capture_result.pauses: 8 to each power of two of microseconds, 24 powers of two (see
 * capture_pause_us).
 */
#define CAPTURE_PAUSE_STEPS 8u
#define CAPTURE_PAUSE_SLOTS (24u * CAPTURE_PAUSE_STEPS)

/* Tells whether all files of the target that belong to the snapshot were written. */
enum capture_bundle_end {
    CAPTURE_BUNDLE_WHOLE,  /* the writing was not ended early */
    CAPTURE_BUNDLE_SIGNAL, /* early, by a signal */
    CAPTURE_BUNDLE_STUCK,  /* early, as a file system did not answer */
    CAPTURE_BUNDLE_FAILED, /* early, as the process that reads them has ended */
};

struct capture_result {
    enum snap_end end;
    /* numbers of SAMPLE records, of samples that repeat the thread's last one, of rounds */
    uint64_t samples, repeats, rounds;
    uint64_t ticks; /* number of TICK records: clock ticks of CPUs in the target's threads */
    uint64_t lost[SNAP_LOSS_REASONS]; /* number of lost samples, by enum snap_loss */
    uint64_t unanswered;              /* mappings whose files could not be looked at in time */
    uint64_t threads;                 /* number of threads that were seen at any time */
    uint32_t bundled, unbundled;      /* files written, and missing, with options.bundle */
    uint64_t bundled_bytes;           /* size of the bundled files, uncompressed */
    enum capture_bundle_end bundle_end;
    uint64_t bytes;      /* size of the snapshot */
    uint64_t elapsed_ns; /* from the first round to the last */
    bool leaving;        /* threads were attached to for samples only, as signals were too many */
    size_t refused;      /* processes that were asked for and could not be attached to */
    struct diag refusal; /* the reason why the first of the refused processes could not */
    struct diag asleep;  /* the reason why a thread could not be stopped; empty: all could be */
    size_t left_out;     /* processes let go after exec of a program of another machine */
    bool slowed;         /* rounds were rarer at times, to stay within the permitted cost */
    /*
     * Sum and longest of the threads' pauses, each from the thread's stop until it was let go. A
     * stop is taken to have happened when it was asked for, or when all stops had been seen,
     * whichever was later.
     */
    uint64_t stopped_ns, stopped_max_ns;
    uint64_t stopped_max_wait_ns; /* part of the longest pause: cgsnap waited for a CPU */
    /* Number of pauses by length; slot i begins at capture_pause_us(i). */
    uint32_t pauses[CAPTURE_PAUSE_SLOTS];
    uint64_t used_ns, waited_ns; /* time of sampled threads on CPUs; runnable without a CPU */
    bool blind;                  /* neither the kernel nor a clock tells of waiting for CPUs */
    bool has_clock;              /* clocks of the CPUs ticked (options.clock) */
    struct diag no_clock;        /* the reason why no clock ticked; empty: none was asked for */
#if CAPTURE_BOARDS
    /* number of halts; of halts that missed threads of an RTOS; most threads missed in a halt */
    uint64_t halts, cut_halts, unreached;
    const char *cut_problem; /* reason for missed threads; static storage */
    uint64_t without_psp; /* samples whose chains end at a handler: the SP behind it is not known */
#endif
    bool command_ended; /* the command that capture_start started has ended */
    int command_status; /* status of the ended command, as waitpid(2) gives it */
    bool no_pointees;   /* options.pointees: for some samples no pointees could be read */
};

/* Returns the shortest pause, in microseconds, that capture_result.pauses[slot] counts. */
uint64_t capture_pause_us(unsigned slot);

struct capture;
struct pump;

/*
 * Fails, with the errors and `diag` of capture_start, if it is already certain that the process
 * cannot be attached to (no such process, already traced, another user's), so that the caller need
 * not open an output.
 */
MUST_CHECK enum status capture_check(const struct capture_options *options, struct diag *diag);

/*
 * Attaches to the process, or starts the command and stops it before its first instruction; the
 * caller calls capture_destroy(*out). Fails with NOT_FOUND (no such process), UNSUPPORTED (word
 * size, architecture), NO_MEMORY, IO (no permission, and anything else), and `diag` says why. After
 * OK, `diag` may hold a warning (boards only).
 */
MUST_CHECK enum status capture_start(const struct capture_options *options, struct capture **out,
                                     struct diag *diag);

/*
 * Captures until a limit, a signal, or the process's end, writing to `pump` (borrowed; `name` is
 * the output's name for `diag`); then lets the process go. Waits for a started command to end.
 * Fails with IO (output not writable; connection to a board lost) and UNSUPPORTED (the process
 * called exec on a program of another word size or architecture). `result` is filled
 * then, too, and the file holds what was captured until then, unless the file could not be begun.
 */
MUST_CHECK enum status capture_run(struct capture *capture, struct pump *pump, const char *name,
                                   struct capture_result *result, struct diag *diag);

/*
 * Ends the capture and frees it; NULL: does nothing. Kills a started command that was never let go
 * (capture_run not called): it has not run an instruction of its own.
 */
void capture_destroy(struct capture *capture);

#endif
