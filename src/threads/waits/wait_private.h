/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: the state and functions that its files share.
 */
#ifndef THREADS_WAITS_WAIT_PRIVATE_H
#define THREADS_WAITS_WAIT_PRIVATE_H

#include "base/index.h"
#include "base/map.h"
#include "threads/waits/wait.h"
#include "threads/waits/wait_files.h"
#include "threads/waits/wait_functions.h"
#include "threads/waits/wait_lock.h"
#include "threads/waits/wait_threads.h"

/* Objects in unknown places, and lost waits, that are kept to be looked at again. */
#define NAMELESS_MAX 4096

struct object_key {
    uint64_t addr, text; /* text: hash of the name of descriptors */
    uint32_t pid, fd, tid, kind;
    uint64_t program; /* counts the programs that the process has run */
};

/* Tells objects apart that have the same key, as memory is used again. */
struct object_life {
    uint32_t newest;              /* in the first object with a key: the last one with it */
    uint32_t stack_tid;           /* the thread on whose stack it is; 0: none that is known */
    uint64_t type;                /* lock_type; 0: not known */
    enum condition_layout layout; /* of a condition that was read from memory */
    bool is_variable;             /* a data symbol begins there */
    bool is_named;                /* its `variable` is final */
    uint8_t looks;                /* samples whose variables were searched for it */
};

/* A wait on a word of a condition whose beginning is not known. */
struct lost_wait {
    uint32_t wait, pid;
    uint64_t futex_addr;
};

struct waits_private {
    const struct arch *arch;
    struct module_set *modules;
    struct names *names;
    struct variables *variables; /* NULL: objects are not named by them */
    struct wait_threads threads;
    uint64_t epoch; /* changes with the live threads, programs, and C libraries */
    struct pool texts;
    struct index wait_index, object_index;
    struct object_key *keys;   /* by object */
    struct object_life *lives; /* by object */
    size_t key_cap, life_cap;
    uint32_t *nameless;       /* objects that may be on a stack that is not known yet */
    uint64_t *nameless_addrs; /* their addresses */
    size_t nameless_count;
    struct map chains; /* id of a chain -> index into functions */
    struct wait_functions *functions;
    size_t function_count, function_cap;
    struct map conditions;  /* hash of process, program, address -> object read from memory */
    struct lost_wait *lost; /* at most NAMELESS_MAX */
    size_t lost_count;
    struct map libraries; /* pid -> enum c_library, once a chain has shown it */
    struct map versions;  /* id of a module -> version of the glibc in it */
    /* The first glibc whose locks are not known; NULL: none was met. */
    const struct module *strange;
    unsigned strange_version;
    struct map programs; /* pid -> number of programs that it has run */
};

/* A sample whose wait is being recognised. */
struct finding {
    struct waits *waits;
    const struct ingest_sample *given;
    const struct snap_sample *sample;
    struct wait wait;
    struct wait_now now;
    uint64_t lost_addr; /* a futex of a condition whose beginning is not known; 0: none */
    bool not_kept;      /* recognise the next repeat anew, even from the same memory */
};

/* All functions that return a status fail only with NO_MEMORY. */

/* Fills the wait of a thread that is in a system call. */
MUST_CHECK enum status wait_take_call(struct finding *finding);

/*
 * Fills the wait of an RTOS's thread from the sample's task. False: the thread is not blocked, or
 * *status (OK before the call) is a failure.
 */
MUST_CHECK bool wait_take_task(struct finding *finding, enum status *status);

/*
 * Sets *out to the version of the process's glibc (wait_glibc.h), from its file; 0: not known, as
 * for static programs, which have no banner. Notes the first version whose locks are not known.
 */
MUST_CHECK enum status wait_glibc_version(struct finding *finding, unsigned *out);

/* Sets the finding's object to an RTOS's; `name`: the RTOS's, "": by its place. */
MUST_CHECK enum status wait_take_object(struct finding *finding, enum wait_kind kind, uint64_t addr,
                                        const char *name);

/* Set the finding's object to a lock, or to descriptors, and name it if it is new. */
MUST_CHECK enum status wait_take_lock(struct finding *finding, const struct lock_found *found);
MUST_CHECK enum status wait_take_files(struct finding *finding, const struct wait_files *files);

/*
 * A condition has several words that threads wait on. Where the memory around a word does not tell
 * the condition, a condition of another sample, earlier or later, that has the word is taken.
 *
 * wait_take_condition: replaces a doubtful condition by a known one that has the word, else sets
 * lost_addr. wait_note_condition: remembers a condition, and gives it to lost waits on its words.
 * wait_note_lost: remembers a new wait on finding.lost_addr.
 */
void wait_take_condition(struct finding *finding, struct lock_found *found);
MUST_CHECK enum status wait_note_condition(struct waits *waits, uint32_t object);
MUST_CHECK enum status wait_note_lost(struct finding *finding, uint32_t wait);
/* Forgets the process's lost waits, as it runs another program. */
void wait_forget_lost(struct waits *waits, uint32_t pid);

/*
 * Sets the object's `variable` from the variables of the chain's frames, if waits_set_variables was
 * called and the lock is no variable itself.
 */
MUST_CHECK enum status wait_name_variable(struct finding *finding, uint32_t object,
                                          const struct lock_found *found);

/* Sets *out to a copy of the text that lasts as long as `waits`. */
MUST_CHECK enum status wait_intern_text(struct waits *waits, const char *text, const char **out);

/* Returns how many programs the process has run. */
uint64_t wait_program(const struct waits *waits, uint32_t pid);

/* Indexes a wait that was changed in place. */
MUST_CHECK enum status wait_index_again(struct waits *waits, uint32_t wait);

/* Names the nameless objects on the sample's thread's stack, which has become known. */
MUST_CHECK enum status wait_name_again(struct finding *finding);

#endif
