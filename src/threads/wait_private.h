/*
 * Private to the recogniser of waits: what its files share.
 */
#ifndef THREADS_WAIT_PRIVATE_H
#define THREADS_WAIT_PRIVATE_H

#include "base/map.h"
#include "graph/index.h"
#include "threads/wait.h"
#include "threads/wait_files.h"
#include "threads/wait_functions.h"
#include "threads/wait_lock.h"
#include "threads/wait_threads.h"

/* Objects without a place that is known; those beyond are not looked at again. */
#define NAMELESS_MAX 4096

struct object_key {
    uint64_t addr, text; /* text: the hash of a link */
    uint32_t pid, fd, tid, kind;
};

struct waits_private {
    const struct arch *arch;
    struct module_set *modules;
    struct names *names;
    struct wait_threads threads;
    struct pool texts;
    struct index wait_index, object_index;
    struct object_key *keys; /* of objects */
    size_t key_cap;
    uint32_t *nameless; /* objects that may be on a stack that is not known yet */
    uint64_t *nameless_addrs;
    size_t nameless_count;
    struct map chains; /* id of a chain -> place in functions, for chains that were looked at */
    struct wait_functions *functions;
    size_t function_count, function_cap;
    struct map libraries; /* pid -> enum c_library, once some chain of the process has told */
};

/* One sample being looked at. */
struct finding {
    struct waits *waits;
    const struct ingest_sample *given;
    const struct snap_sample *sample;
    struct wait wait;
    struct wait_now now;
};

/* Fills the wait of a thread that is in a system call. */
MUST_CHECK enum status wait_take_call(struct finding *finding);

/* The object that a lock is, or that the descriptors are, with its name. */
MUST_CHECK enum status wait_take_lock(struct finding *finding, const struct lock_found *found);
MUST_CHECK enum status wait_take_files(struct finding *finding, const struct wait_files *files);

/* Objects that had no name may be on the thread's stack, which is known now. */
MUST_CHECK enum status wait_name_again(struct finding *finding);

#endif
