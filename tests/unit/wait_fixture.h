/* SPDX-License-Identifier: MIT */
/*
 * A futex that a thread waits on, in memory of a test's own:
 *
 *     struct lock_case c;
 *     case_init(&c, ARCH_I386);
 *     case_memory(&c, 0x1000, words, count);      what is at that address
 *     case_thread(&c, 1, 7);                      a thread that lives
 *     case_wait(&c, 0x1000, 2);                   the word, and what was seen in it
 *     case_find(&c, WAIT_MUTEX, LIBRARY_GLIBC);   as the chain says; WAIT_UNKNOWN: it does not
 *     ... c.found, c.kind_evidence ...
 *     case_deinit(&c);
 */
#ifndef TESTS_WAIT_FIXTURE_H
#define TESTS_WAIT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "threads/waits/wait_lock.h"

#define CASE_PIECES 4
#define CASE_PID    1u
#define CASE_TID    9u /* who waits */

struct lock_case {
    struct snap_wait pieces[CASE_PIECES];
    struct snap_sample sample;
    struct wait_threads threads;
    struct lock_view view;
    struct lock_found found;
    enum wait_evidence kind_evidence, owner_evidence;
};

static inline void case_thread(struct lock_case *c, uint32_t pid, uint32_t tid)
{
    struct snap_thread thread = {.pid = pid, .tid = tid, .name = "some"};

    assert_int_equal(wait_threads_add(&c->threads, &thread), STATUS_OK);
}

/* In a pid namespace of its process's own. */
static inline void case_inner_thread(struct lock_case *c, uint32_t tid, uint32_t inner_tid)
{
    struct snap_thread thread = {.pid = CASE_PID,
                                 .tid = tid,
                                 .name = "some",
                                 .inner_tid = inner_tid};

    assert_int_equal(wait_threads_add(&c->threads, &thread), STATUS_OK);
}

static inline void case_init(struct lock_case *c, enum arch_id arch)
{
    *c = (struct lock_case){.sample = {.pid = CASE_PID, .tid = CASE_TID}};
    c->sample.waits = c->pieces;
    c->view = (struct lock_view){.sample = &c->sample,
                                 .arch = arch_get(arch),
                                 .threads = &c->threads,
                                 .is_private = true};
    case_thread(c, CASE_PID, CASE_TID);
}

static inline void case_deinit(struct lock_case *c)
{
    wait_threads_deinit(&c->threads);
}

/* The bytes are borrowed. */
static inline void case_memory(struct lock_case *c, uint64_t addr, const void *bytes, size_t size)
{
    assert_true(c->sample.wait_count < CASE_PIECES);
    c->pieces[c->sample.wait_count++] = (struct snap_wait){
        .kind = SNAP_WAIT_MEMORY, .addr = addr, .bytes = bytes, .size = (uint32_t)size, .path = ""};
}

static inline void case_wait(struct lock_case *c, uint64_t futex_addr, uint32_t expected)
{
    c->view.futex_addr = futex_addr;
    c->view.expected = expected;
}

static inline void case_find(struct lock_case *c, enum wait_kind kind, enum c_library library)
{
    struct wait_functions functions = {.kind = kind, .library = library};

    c->view.named = kind;
    lock_recognise(&c->view, &functions, &c->found, &c->kind_evidence, &c->owner_evidence);
}

#endif
