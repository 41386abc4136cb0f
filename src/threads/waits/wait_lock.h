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
/* bit of a futex operation; a glibc lock stores it inverted, musl's as it is */
#define FUTEX_PRIVATE 128u
#define FUTEX_TID     0x3fffffffu
#define FUTEX_DIED    0x40000000u
#define FUTEX_WAITED  0x80000000u

/* The most waiters that a lock can count: tids go up to 2^22. */
#define LOCK_WAITERS_MAX (1u << 22)

/* Layouts of conditions: the C library whose they are, for glibc with the first version. */
enum condition_layout {
    CONDITION_UNKNOWN,
    CONDITION_GLIBC_2_24,
    CONDITION_GLIBC_2_25,
    CONDITION_GLIBC_2_41,
    CONDITION_MUSL,
};
#define CONDITION_LAYOUT_COUNT (CONDITION_MUSL + 1)

struct lock_view { /* the futex that a sample's thread waits on; all pointers are borrowed */
    const struct snap_sample *sample;
    const struct arch *arch;
    const struct wait_threads *threads;
    uint64_t futex_addr;
    unsigned glibc;       /* version of the process's glibc (wait_glibc.h); 0: not known */
    uint32_t expected;    /* value of the futex with which the thread went to sleep */
    bool is_pi;           /* the system call is for PI mutexes: the futex word has the owner */
    bool is_private;      /* the futex is not shared with other processes */
    enum wait_kind named; /* kind by the chain's functions, for a lock_reader of several kinds */
};

struct lock_found {
    enum wait_kind kind;
    uint64_t addr; /* run-time address where the lock begins; 0: not known */
    enum condition_layout layout;
    uint32_t owner_tid, readers;
    char detail[64]; /* further words, such as "recursive, robust, PI", or "" */
    bool is_read;    /* addr and detail were read from memory, and are complete */
    bool is_awaited; /* the thread goes on waiting, whatever the futex's value is now */
    const char *doubt;
    /* so many words of memory fit that the kind is certain even if nothing names it */
    bool is_sure;
};

/*
 * Reads from memory the lock of one kind that view->futex_addr is part of, and fills *out. False:
 * the memory was not captured, or cannot be a lock of this kind.
 */
typedef bool lock_reader(const struct lock_view *view, struct lock_found *out);

/* Readers of glibc's and musl's locks, by kind; NULL: the library has no lock of this kind. */
extern lock_reader *const glibc_readers[WAIT_KIND_COUNT];
extern lock_reader *const musl_readers[WAIT_KIND_COUNT];

extern const char *const lock_doubt_owner; /* doubt text: the owner is no known thread */

/*
 * Read `count` 32-bit words, or a pointer of the target's size, at the target's address `addr`;
 * false: not all of it was captured.
 */
MUST_CHECK bool lock_words(const struct lock_view *view, uint64_t addr, uint32_t *words,
                           unsigned count);
MUST_CHECK bool lock_pointer(const struct lock_view *view, uint64_t addr, uint64_t *out);

/*
 * Sets out->owner_tid from `tid`, the owner's number in the process's pid namespace, as the lock
 * has it. False: no such thread is known; owner_tid is `tid` then, and out->doubt says so.
 * `is_shared`: the owner may be another process's thread.
 */
bool lock_take_owner(const struct lock_view *view, struct lock_found *out, uint32_t tid,
                     bool is_shared);

/* Appends `text`, unless empty, to out->detail, after a comma. */
void lock_describe(struct lock_found *out, const char *text);

/*
 * Returns a hash, not 0, of what cannot change in a lock's life: its detail without "owner died".
 * 0: the lock is not is_read.
 */
uint64_t lock_type(const struct lock_found *found);

/*
 * Fills *out with the lock that view->futex_addr is part of, and says how its kind and owner are
 * known. If `functions` has a kind of lock, *out has that kind, and is read from memory if that
 * fits; if not, it has a doubt. Else it is the only kind that is sure of the memory
 * (WAIT_INFERRED), else a mutex if view->is_pi, else WAIT_FUTEX at futex_addr.
 */
void lock_recognise(const struct lock_view *view, const struct wait_functions *functions,
                    struct lock_found *out, enum wait_evidence *kind_evidence,
                    enum wait_evidence *owner_evidence);

#endif
