/* SPDX-License-Identifier: MIT */
#include "threads/waits/wait_lock.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/index.h"
#include "snapshot/sample_memory.h"
#include "threads/waits/wait_glibc.h"

const char *const lock_doubt_owner = "its owner is no thread that is known";

static const char doubt_missing[] = "the memory around it was not captured";
static const char doubt_nonsense[] = "the memory around it is of no such lock";
static const char doubt_library[] = "the memory around it may be of either C library";
static const char doubt_version[] = "the locks of its C library's version are not known";

bool lock_words(const struct lock_view *view, uint64_t addr, uint32_t *words, unsigned count)
{
    return sample_read(view->sample, addr, words, count * sizeof(*words));
}

bool lock_pointer(const struct lock_view *view, uint64_t addr, uint64_t *out)
{
    *out = 0;
    return sample_read(view->sample, addr, out, view->arch->word_size);
}

bool lock_take_owner(const struct lock_view *view, struct lock_found *out, uint32_t tid,
                     bool is_shared)
{
    const struct wait_thread *thread =
        wait_threads_owner(view->threads, view->sample->pid, tid, is_shared);

    out->owner_tid = thread ? thread->tid : tid;
    if (!thread)
        out->doubt = lock_doubt_owner;
    return thread;
}

void lock_describe(struct lock_found *out, const char *text)
{
    size_t len = strlen(out->detail);

    if (text[0])
        snprintf(out->detail + len, sizeof(out->detail) - len, "%s%s", len ? ", " : "", text);
}

/* Reads a lock of the kind that the chain names, in one library's layout. */
static bool read_named(lock_reader *const *readers, const struct lock_view *view,
                       enum wait_kind kind, struct lock_found *out)
{
    /* After a condition its mutex is taken again, by a function that has no name in a library
     * without its symbols. */
    if (kind == WAIT_CONDITION &&
        (view->expected & ~FUTEX_TID || view->expected == 2 || view->is_pi)) {
        struct lock_found mutex;

        if (readers[WAIT_MUTEX](view, &mutex) && mutex.is_sure) {
            *out = mutex;
            return true;
        }
    }
    if (!readers[kind] || !readers[kind](view, out))
        return false;
    if (out->kind == WAIT_RWLOCK_READ || out->kind == WAIT_RWLOCK_WRITE)
        out->kind = kind;
    return true;
}

static const char *why_not(const struct lock_view *view)
{
    uint32_t word;

    if (!lock_words(view, view->futex_addr, &word, 1))
        return doubt_missing;
    return glibc_is_known(view->glibc) ? doubt_nonsense : doubt_version;
}

/*
 * Reads the named kind in the layout of the library that the names tell, else of the one that the
 * memory fits. Returns NULL, or why there is no answer.
 */
static const char *find_named(const struct lock_view *view, const struct wait_functions *functions,
                              struct lock_found *out)
{
    struct lock_found glibc, musl;
    bool is_glibc = functions->library != LIBRARY_MUSL &&
                    read_named(glibc_readers, view, functions->kind, &glibc);
    bool is_musl = functions->library != LIBRARY_GLIBC && !view->glibc &&
                   read_named(musl_readers, view, functions->kind, &musl);

    if (!glibc_is_known(view->glibc))
        is_glibc = is_glibc && glibc.is_sure;
    if (is_glibc && is_musl && glibc.is_sure == musl.is_sure)
        return doubt_library;
    if (is_glibc && (!is_musl || glibc.is_sure))
        *out = glibc;
    else if (is_musl)
        *out = musl;
    else
        return why_not(view);
    return NULL;
}

/* Reads the only kind, of either library, that is sure of the memory; false: none, or several. */
static bool find_by_shape(const struct lock_view *view, enum c_library library,
                          struct lock_found *out)
{
    static const enum wait_kind kinds[] = {WAIT_MUTEX, WAIT_RWLOCK_WRITE, WAIT_CONDITION,
                                           WAIT_JOIN};
    unsigned count = 0;

    for (unsigned i = 0; i < 2 * sizeof(kinds) / sizeof(kinds[0]); i++) {
        lock_reader *const *readers = i & 1 ? musl_readers : glibc_readers;
        struct lock_found found;

        if (library == (i & 1 ? LIBRARY_GLIBC : LIBRARY_MUSL) ||
            !readers[kinds[i / 2]](view, &found) || !found.is_sure)
            continue;
        *out = found;
        count++;
    }
    return count == 1;
}

/* A futex of PI operations is a mutex, and its word has the owner. */
static void take_pi(const struct lock_view *view, struct lock_found *out)
{
    uint32_t word;

    out->kind = WAIT_MUTEX;
    lock_describe(out, "PI");
    if (!lock_words(view, view->futex_addr, &word, 1))
        out->doubt = doubt_missing;
    else if (word & FUTEX_TID)
        lock_take_owner(view, out, word & FUTEX_TID, !view->is_private);
}

/* The last part of a detail, and the only one that may change. */
static const char owner_died[] = "owner died";

uint64_t lock_type(const struct lock_found *found)
{
    char type[sizeof(found->detail)];
    char *end;

    if (!found->is_read)
        return 0;
    memcpy(type, found->detail, sizeof(type));
    end = strstr(type, owner_died);
    if (end)
        *(end - type > 2 ? end - 2 : end) = '\0'; /* and the comma before it */
    return hash_text(type) | 1;
}

void lock_recognise(const struct lock_view *view, const struct wait_functions *functions,
                    struct lock_found *out, enum wait_evidence *kind_evidence,
                    enum wait_evidence *owner_evidence)
{
    bool is_named = functions->kind <= WAIT_ONCE;

    *out = (struct lock_found){.kind = is_named ? functions->kind : WAIT_FUTEX,
                               .addr = view->futex_addr};
    *kind_evidence = WAIT_READ_OFF;
    *owner_evidence = WAIT_READ_OFF;
    if (is_named && functions->is_internal) {
        lock_describe(out, "of the C library");
        return;
    }
    if (is_named) {
        const char *doubt = find_named(view, functions, out);

        if (doubt)
            out->doubt = doubt;
        out->is_read = !doubt;
        return;
    }
    out->is_read = find_by_shape(view, functions->library, out);
    if (out->is_read)
        *kind_evidence = *owner_evidence = WAIT_INFERRED;
    else if (view->is_pi)
        take_pi(view, out);
}
