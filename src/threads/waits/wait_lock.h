/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: what kind of lock a futex is part of, where that begins, and
 * who holds it, read from the memory around the futex in the layouts of C libraries.
 *
 *     a lock     | ... | futex | ... owner ... |
 *                ^       ^
 *                addr    what the kernel was given
 *
 * That memory may hold anything, and may be younger than the wait: what does not fit is reported by
 * `doubt`, never guessed.
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

/* Of linux/futex.h, which has them since other releases each. */
#define FUTEX_OP_MASK 127u
#define FUTEX_PRIVATE 128u /* of an operation; glibc keeps it inverted, musl as it is */
#define FUTEX_TID     0x3fffffffu
#define FUTEX_DIED    0x40000000u
#define FUTEX_WAITED  0x80000000u

/* More waiters of one lock than this are nonsense: threads are numbered up to 2^22. */
#define LOCK_WAITERS_MAX (1u << 22)

/* Of conditions, whose words lie elsewhere in each. */
enum condition_layout {
    CONDITION_UNKNOWN,
    CONDITION_GLIBC_2_24,
    CONDITION_GLIBC_2_25,
    CONDITION_GLIBC_2_41,
    CONDITION_MUSL,
};
#define CONDITION_LAYOUT_COUNT (CONDITION_MUSL + 1)

struct lock_view { /* the futex that a thread waits on; all borrowed */
    const struct snap_sample *sample;
    const struct arch *arch;
    const struct wait_threads *threads;
    uint64_t futex_addr;
    unsigned glibc;    /* its version (wait_glibc.h); 0: not known */
    uint32_t expected; /* what the thread saw in it when it went to wait */
    bool is_pi;        /* the kernel knows its owner: a PI mutex, whatever the library */
    bool is_private;   /* to the process */
    /* what the chain says: of functions that serve several kinds of waits */
    enum wait_kind named;
};

struct lock_found {
    enum wait_kind kind;
    uint64_t addr; /* of the lock */
    enum condition_layout layout;
    uint32_t owner_tid, readers;
    char detail[64];
    bool is_read; /* the detail is all that there is to say */
    /* Whatever the futex holds by now, the thread goes on waiting when it looks again. */
    bool is_awaited;
    const char *doubt;
    /* So many words are as they have to be that it is this kind even if no name tells so. */
    bool is_sure;
};

/*
 * Reads a lock of one kind around the futex. False: the memory was not captured, or cannot be that.
 */
typedef bool lock_reader(const struct lock_view *view, struct lock_found *out);

/* By kind; NULL: of no such kind. */
extern lock_reader *const glibc_readers[WAIT_KIND_COUNT];
extern lock_reader *const musl_readers[WAIT_KIND_COUNT];

extern const char *const lock_doubt_owner; /* its owner is no thread that is known */

/* Words of the target at an address; false: not all are captured. */
MUST_CHECK bool lock_words(const struct lock_view *view, uint64_t addr, uint32_t *words,
                           unsigned count);
MUST_CHECK bool lock_pointer(const struct lock_view *view, uint64_t addr, uint64_t *out);

/* Takes an owner; `is_shared`: it may be of another process. True: a thread that is known. */
bool lock_take_owner(const struct lock_view *view, struct lock_found *out, uint32_t tid,
                     bool is_shared);

/* Adds to the detail, after a comma. */
void lock_describe(struct lock_found *out, const char *text);

/* The hash of what a lock is for life, which its detail tells; 0: not known. */
uint64_t lock_type(const struct lock_found *found);

/*
 * What the thread waits for: by name where `functions` has one, else by shape alone. `evidence` is
 * of the kind. Always answers: WAIT_FUTEX when nothing else can be said.
 */
void lock_recognise(const struct lock_view *view, const struct wait_functions *functions,
                    struct lock_found *out, enum wait_evidence *kind_evidence,
                    enum wait_evidence *owner_evidence);

#endif
