/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: what its files share.
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

/* Objects without a place that is known; those beyond are not looked at again. */
#define NAMELESS_MAX 4096

struct object_key {
    uint64_t addr, text; /* text: the hash of a link */
    uint32_t pid, fd, tid, kind;
    uint64_t program; /* of the pid, in the order in which it ran them */
};

/* Memory is used again: what is known of an object besides its place tells that it is another. */
struct object_life {
    uint32_t newest;              /* of the first object of a key: the last one that has it */
    uint32_t stack_tid;           /* the thread on whose stack it is; 0: on none that is known */
    uint64_t type;                /* the hash of what does not change in its detail; 0: not known */
    enum condition_layout layout; /* of a condition that memory has shown */
    bool is_variable;             /* its place is called by a variable that it is */
    /* Of its name by variables that lead to it: it is final; so often one has been looked for. */
    bool is_named;
    uint8_t looks;
};

/* A wait for a condition of which it is not known where it begins. */
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
    /* Changes with whatever else a wait is recognised from: which threads live, and libraries. */
    uint64_t epoch;
    struct pool texts;
    struct index wait_index, object_index;
    struct object_key *keys; /* of objects */
    struct object_life *lives;
    size_t key_cap, life_cap;
    uint32_t *nameless; /* objects that may be on a stack that is not known yet */
    uint64_t *nameless_addrs;
    size_t nameless_count;
    struct map chains; /* id of a chain -> place in functions, for chains that were looked at */
    struct wait_functions *functions;
    size_t function_count, function_cap;
    struct map
        conditions; /* program of a pid, and address -> one that memory has shown, in objects */
    struct lost_wait *lost; /* NAMELESS_MAX of them at the most */
    size_t lost_count;
    struct map libraries; /* pid -> enum c_library, once some chain of the process has shown it */
    struct map versions;  /* id of a module -> of the glibc in it */
    /* The first glibc whose locks are not known; NULL: none was met. */
    const struct module *strange;
    unsigned strange_version;
    struct map programs; /* pid -> how many programs it has run */
};

/* One sample being looked at. */
struct finding {
    struct waits *waits;
    const struct ingest_sample *given;
    const struct snap_sample *sample;
    struct wait wait;
    struct wait_now now;
    uint64_t lost_addr; /* of a futex in a condition that nothing has shown; 0: it is none */
    bool not_kept;      /* the next repeat may find another wait in the same memory */
};

/* Fills the wait of a thread that is in a system call. */
MUST_CHECK enum status wait_take_call(struct finding *finding);

/*
 * The same of a thread of an RTOS, by what that says of it. False: it is not blocked, or *status
 * says why not; that fails only for memory.
 */
MUST_CHECK bool wait_take_task(struct finding *finding, enum status *status);

/*
 * The version of the process's glibc (wait_glibc.h), as its file has it; 0: it is not known, as in
 * static programs, which have no word of it. One whose locks are not known is noted.
 */
MUST_CHECK enum status wait_glibc_version(struct finding *finding, unsigned *out);

/* The object that the RTOS says it is. */
MUST_CHECK enum status wait_take_object(struct finding *finding, enum wait_kind kind, uint64_t addr,
                                        const char *name);

/* The object that a lock is, or that the descriptors are, with its name. */
MUST_CHECK enum status wait_take_lock(struct finding *finding, const struct lock_found *found);
MUST_CHECK enum status wait_take_files(struct finding *finding, const struct wait_files *files);

/*
 * A condition has several words that threads wait on. Where the memory around one does not tell the
 * condition, it is one that is known to have the word, be it from an earlier sample or a later one.
 *
 * wait_take_condition: the condition, if it is known so far. wait_note_condition: one that memory
 * has shown to be there. wait_note_lost: a new wait of finding.lost_addr.
 */
void wait_take_condition(struct finding *finding, struct lock_found *found);
MUST_CHECK enum status wait_note_condition(struct waits *waits, uint32_t object);
MUST_CHECK enum status wait_note_lost(struct finding *finding, uint32_t wait);
/* The process runs another program, which has other conditions. */
void wait_forget_lost(struct waits *waits, uint32_t pid);

/*
 * What a function of the sample's chain calls the lock, where variables are asked for and it is
 * none itself.
 */
MUST_CHECK enum status wait_name_variable(struct finding *finding, uint32_t object,
                                          const struct lock_found *found);

/* The text as one of `waits`, which lasts as long as these. */
MUST_CHECK enum status wait_intern_text(struct waits *waits, const char *text, const char **out);

/* How many programs the process has run. */
uint64_t wait_program(const struct waits *waits, uint32_t pid);

/* The wait has changed in place. */
MUST_CHECK enum status wait_index_again(struct waits *waits, uint32_t wait);

/* Objects that had no name may be on the thread's stack, which is known now. */
MUST_CHECK enum status wait_name_again(struct finding *finding);

#endif
