/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: reads from the memory around a futex, in the layouts of C
 * libraries, what kind of lock it is part of, where the lock begins, and who holds it.
 *
 *     a lock     | ... | futex | ... owner ... |
 *                ^       ^
 *                addr    futex_addr: the kernel knows this
 *
 * The memory may hold anything, and may have been read later than the sample: where it does not fit
 * `doubt` says so, and nothing is guessed.
 */
#ifndef THREADS_WAITS_WAIT_LOCK_H
#define THREADS_WAITS_WAIT_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "snapshot/event.h"
#include "threads/waits/wait.h"
#include "threads/waits/wait_functions.h"
#include "threads/waits/wait_threads.h"

/* As in linux/futex.h, which lacks some of the names in older releases. */
#define FUTEX_OP_MASK 127u
#define FUTEX_PRIVATE 128u /* of an operation; in locks glibc keeps it inverted, musl as it is */
#define FUTEX_TID     0x3fffffffu
#define FUTEX_DIED    0x40000000u
#define FUTEX_WAITED  0x80000000u

/* A count of waiters above this is nonsense: tids go up to 2^22. */
#define LOCK_WAITERS_MAX (1u << 22)

/* Where the words of a condition lie. */
enum condition_layout {
    CONDITION_UNKNOWN,
    CONDITION_GLIBC_2_24,
    CONDITION_GLIBC_2_25,
    CONDITION_GLIBC_2_41,
    CONDITION_MUSL,
};
#define CONDITION_LAYOUT_COUNT (CONDITION_MUSL + 1)

struct lock_view { /* the futex that a thread waits on; borrows all pointers */
    const struct snap_sample *sample;
    const struct arch *arch;
    const struct wait_threads *threads;
    uint64_t futex_addr;
    unsigned glibc;       /* its version (wait_glibc.h); 0: not known */
    uint32_t expected;    /* the futex's value for which the thread went to sleep */
    bool is_pi;           /* the system call is for PI mutexes: the kernel knows the owner */
    bool is_private;      /* not shared with other processes */
    enum wait_kind named; /* by the chain's functions; for readers of several kinds */
};

struct lock_found {
    enum wait_kind kind;
    uint64_t addr; /* where the lock begins; 0: not known */
    enum condition_layout layout;
    uint32_t owner_tid, readers;
    char detail[64]; /* as in struct wait_object */
    bool is_read;    /* addr and detail are from memory, complete */
    bool is_awaited; /* the thread goes on waiting, whatever the futex's value is now */
    const char *doubt;
    bool is_sure; /* enough words fit to tell the kind without a name */
};

/*
 * Reads a lock of one kind, of which the futex is part, and fills `out`. False: the memory was not
 * captured, or cannot be such a lock.
 */
typedef bool lock_reader(const struct lock_view *view, struct lock_found *out);

/* By kind; NULL: the library has no such lock. */
extern lock_reader *const glibc_readers[WAIT_KIND_COUNT];
extern lock_reader *const musl_readers[WAIT_KIND_COUNT];

extern const char *const lock_doubt_owner; /* the owner is no known thread */

/* Read 32-bit words, or a pointer, of the target's memory; false: not all of it was captured. */
MUST_CHECK bool lock_words(const struct lock_view *view, uint64_t addr, uint32_t *words,
                           unsigned count);
MUST_CHECK bool lock_pointer(const struct lock_view *view, uint64_t addr, uint64_t *out);

/*
 * Sets the owner, which the lock names by its tid in the process's pid namespace. False: no such
 * thread is known, which `doubt` then says. `is_shared`: it may be another process's.
 */
bool lock_take_owner(const struct lock_view *view, struct lock_found *out, uint32_t tid,
                     bool is_shared);

/* Adds `text`, unless empty, to the detail, after a comma. */
void lock_describe(struct lock_found *out, const char *text);

/* Returns a hash of the properties that a lock has for life (its detail); 0: not is_read. */
uint64_t lock_type(const struct lock_found *found);

/*
 * Fills `out`. If `functions` has a kind of lock, `out` is of this kind, read from memory if that
 * fits, with a doubt if not. Else it is the only kind that is sure of the memory (inferred), else
 * a PI mutex, else WAIT_FUTEX at futex_addr.
 */
void lock_recognise(const struct lock_view *view, const struct wait_functions *functions,
                    struct lock_found *out, enum wait_evidence *kind_evidence,
                    enum wait_evidence *owner_evidence);

#endif
