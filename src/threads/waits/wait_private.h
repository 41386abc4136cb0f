/* SPDX-License-Identifier: MIT */
/* Private to the recogniser of waits: the state and functions that its files have in common. */
#ifndef THREADS_WAITS_WAIT_PRIVATE_H
#define THREADS_WAITS_WAIT_PRIVATE_H

#include "base/index.h"
#include "base/map.h"
#include "threads/waits/wait.h"
#include "threads/waits/wait_files.h"
#include "threads/waits/wait_functions.h"
#include "threads/waits/wait_lock.h"
#include "threads/waits/wait_threads.h"

/*
 * The most objects in unknown places, and the most lost waits, that are kept to be looked at again.
 */
#define NAMELESS_MAX 4096

struct object_key {
    uint64_t addr, text; /* text: hash of the name, for descriptors; else 0 */
    uint32_t pid, fd, tid, kind;
    uint64_t program; /* number of the program in the process (wait_program) */
};

/* Facts that tell apart objects with the same key, where memory is used again. */
struct object_life {
    uint32_t newest;    /* in the first object with a key: index of the last object with that key */
    uint32_t stack_tid; /* tid of the thread on whose stack it is; 0: no known thread */
    uint64_t type;      /* the object's lock_type; 0: not known */
    enum condition_layout layout; /* if it is a condition that was read from memory */
    bool is_variable;             /* a data symbol begins at its address */
    bool is_named;                /* its `variable` (struct wait_object) does not change any more */
    uint8_t looks;                /* number of samples whose variables were searched for it */
};

/* A wait on a word of a condition whose address is not known yet. */
struct lost_wait {
    uint32_t wait, pid;
    uint64_t futex_addr;
};

struct waits_private {
    const struct arch *arch;
    struct module_set *modules;
    struct names *names;
    struct variables *variables; /* finds variables that name objects; NULL: none name them */
    struct wait_threads threads;
    uint64_t epoch; /* grows when live threads, programs or C libraries change */
    struct pool texts;
    struct index wait_index, object_index;
    struct object_key *keys;   /* keys of the objects, by index of the object; owned */
    struct object_life *lives; /* further facts of the objects, by index of the object; owned */
    size_t key_cap, life_cap;
    uint32_t *nameless;       /* objects that may be on a stack not known yet */
    uint64_t *nameless_addrs; /* the addresses of `nameless` */
    size_t nameless_count;
    struct map chains; /* id of a chain -> index into functions */
    struct wait_functions *functions;
    size_t function_count, function_cap;
    struct map conditions; /* hash of process, program, address -> object, a condition */
    /* waits whose condition is not known yet, at most NAMELESS_MAX; owned */
    struct lost_wait *lost;
    size_t lost_count;
    struct map libraries; /* pid -> enum c_library; UNKNOWN until a chain shows it */
    struct map versions;  /* id of a module -> version of the glibc in it */
    /* The first glibc met whose version's locks are not known, and its version; NULL: none. */
    const struct module *strange;
    unsigned strange_version;
    struct map programs; /* pid -> number of programs that it has run */
};

/* One sample whose wait is being recognised, and what is found so far. */
struct finding {
    struct waits *waits;
    const struct ingest_sample *given;
    const struct snap_sample *sample;
    struct wait wait;
    struct wait_now now;
    uint64_t lost_addr; /* futex address of a condition whose own address is not known; 0: none */
    bool not_kept; /* recognise the thread's next repeat anew, even if its memory is the same */
};

/* All functions that return a status fail only with NO_MEMORY. */

/* Fills finding->wait and `now` from the system call that the sample's thread is in. */
MUST_CHECK enum status wait_take_call(struct finding *finding);

/*
 * Fills finding->wait and `now` from the sample's RTOS task. False: the task is not blocked, or
 * *status, which must be OK before the call, is now a failure.
 */
MUST_CHECK bool wait_take_task(struct finding *finding, enum status *status);

/*
 * Sets *out to the version of the process's glibc (wait_glibc.h), from its file; 0: not known, as
 * for static programs, which have no banner. Notes the first version whose locks are not known in
 * waits_private.strange.
 */
MUST_CHECK enum status wait_glibc_version(struct finding *finding, unsigned *out);

/*
 * Sets finding->wait.object to the RTOS's object at `addr`, and names a new one: by `name`, which
 * the RTOS gave, or if that is "" by its place in memory.
 */
MUST_CHECK enum status wait_take_object(struct finding *finding, enum wait_kind kind, uint64_t addr,
                                        const char *name);

/* Set finding->wait.object to the object of a lock, or of descriptors, and name a new one. */
MUST_CHECK enum status wait_take_lock(struct finding *finding, const struct lock_found *found);
MUST_CHECK enum status wait_take_files(struct finding *finding, const struct wait_files *files);

/*
 * A condition has several words that threads wait on. Where the memory around a word does not tell
 * the condition, another sample's condition with this word is taken, be it earlier or later.
 *
 * wait_take_condition: if *found is a condition with a doubt, sets its addr to that of a known
 * condition with the word and removes the doubt, else sets finding->lost_addr. wait_note_condition:
 * remembers a condition, and makes it the object of lost waits on its words. wait_note_lost:
 * remembers a new wait on finding->lost_addr as lost.
 */
void wait_take_condition(struct finding *finding, struct lock_found *found);
MUST_CHECK enum status wait_note_condition(struct waits *waits, uint32_t object);
MUST_CHECK enum status wait_note_lost(struct finding *finding, uint32_t wait);
/* Forgets the process's lost waits, for when it runs another program. */
void wait_forget_lost(struct waits *waits, uint32_t pid);

/*
 * Sets the object's `variable` from the variables of the chain's frames that lead to the lock, if
 * waits_set_variables was called and the lock is no variable itself.
 */
MUST_CHECK enum status wait_name_variable(struct finding *finding, uint32_t object,
                                          const struct lock_found *found);

/* Sets *out to a copy of `text` that `waits` owns and keeps. */
MUST_CHECK enum status wait_intern_text(struct waits *waits, const char *text, const char **out);

/* Returns the number of calls of waits_process for the process: of the programs that it has run. */
uint64_t wait_program(const struct waits *waits, uint32_t pid);

/* Adds a wait that was changed in place to the index of waits again. */
MUST_CHECK enum status wait_index_again(struct waits *waits, uint32_t wait);

/* Names the nameless objects on the stack of the sample's thread, which has just become known. */
MUST_CHECK enum status wait_name_again(struct finding *finding);

#endif
