/* SPDX-License-Identifier: MIT */
/*
 * The locks of glibc 2.24 to 2.42, as the headers of each version declare them:
 *
 *     to 2.24           sysdeps/x86/bits/pthreadtypes.h (and its like of other machines)
 *     2.25 to 2.40      sysdeps/nptl/bits/thread-shared-types.h (in 2.25 bits/pthreadtypes.h);
 *                       since 2.31 with bits/struct_mutex.h and bits/struct_rwlock.h
 *     2.41 on           the same without __g_refs, whose place lies behind the rest
 *
 * Semaphores and barriers are struct new_sem and struct pthread_barrier of
 * sysdeps/nptl/internaltypes.h; struct pthread is nptl/descr.h's. Values are such as the code of
 * that version makes.
 */
#include "wait_fixture.h"

#include "threads/waits/wait_glibc.h"

#define OWNER 7u

/* ------------------------------------------------------------------ what headers declare */

struct mutex_64 {
    uint32_t lock, count, owner, nusers, kind;
    uint16_t spins, elision;
    uint64_t prev, next;
};

struct mutex_32 {
    uint32_t lock, count, owner, kind, nusers, next;
};

struct rwlock_24_64 {
    uint32_t lock, nr_readers, readers_wakeup, writer_wakeup, nr_readers_queued, nr_writers_queued;
    uint32_t writer, shared;
    uint64_t pad1, pad2;
    uint32_t flags;
};

struct rwlock_24_32 {
    uint32_t lock, nr_readers, readers_wakeup, writer_wakeup, nr_readers_queued, nr_writers_queued;
    uint8_t flags, shared, pad1, pad2;
    uint32_t writer;
};

struct rwlock_25_64 {
    uint32_t readers, writers, wrphase_futex, writers_futex, pad3, pad4, cur_writer, shared;
    uint64_t pad1, pad2;
    uint32_t flags;
};

struct rwlock_25_32 {
    uint32_t readers, writers, wrphase_futex, writers_futex, pad3, pad4;
    uint8_t flags, shared, pad1, pad2;
    uint32_t cur_writer;
};

struct condition_24_64 {
    uint32_t lock, futex;
    uint64_t total_seq, wakeup_seq, woken_seq, mutex;
    uint32_t nwaiters, broadcast_seq;
};

struct condition_24_32 {
    uint32_t lock, futex;
    uint64_t total_seq, wakeup_seq, woken_seq;
    uint32_t mutex, nwaiters, broadcast_seq, pad;
};

struct condition_25 {
    uint64_t wseq, g1_start;
    uint32_t g_refs[2], g_size[2], g1_orig_size, wrefs, g_signals[2];
};

struct condition_41 {
    uint64_t wseq, g1_start;
    uint32_t g_size[2], g1_orig_size, wrefs, g_signals[2], unused[2];
};

struct semaphore_64 {
    uint32_t value, nwaiters, private, pad;
};

struct semaphore_32 {
    uint32_t value, private, pad, nwaiters;
};

struct barrier {
    uint32_t in, current_round, count, shared, out;
};

TEST(structures_have_the_sizes_of_the_headers)
{
    assert_int_equal(sizeof(struct mutex_64), 40);
    assert_int_equal(sizeof(struct mutex_32), 24);
    assert_int_equal(sizeof(struct rwlock_24_64), 56);
    assert_int_equal(sizeof(struct rwlock_24_32), 32);
    assert_int_equal(sizeof(struct rwlock_25_64), 56);
    assert_int_equal(sizeof(struct rwlock_25_32), 32);
    assert_int_equal(sizeof(struct condition_24_64), 48);
    assert_int_equal(sizeof(struct condition_24_32), 48);
    assert_int_equal(sizeof(struct condition_25), 48);
    assert_int_equal(sizeof(struct condition_41), 48);
}

/* ------------------------------------------------------------------ locks of each version */

union lock {
    struct mutex_64 mutex_64;
    struct mutex_32 mutex_32;
    struct rwlock_24_64 rwlock_24_64;
    struct rwlock_24_32 rwlock_24_32;
    struct rwlock_25_64 rwlock_25_64;
    struct rwlock_25_32 rwlock_25_32;
    struct condition_24_64 condition_24_64;
    struct condition_24_32 condition_24_32;
    struct condition_25 condition_25;
    struct condition_41 condition_41;
    struct semaphore_64 semaphore_64;
    struct semaphore_32 semaphore_32;
    struct barrier barrier;
};

/* In these versions a thread waits for this lock, at that place in it and with that value. */
struct lock_example {
    const char *what;
    unsigned first, last;
    enum arch_id arch;
    enum wait_kind kind;
    union lock lock;
    size_t futex_off;
    uint32_t expected, owner, readers;
    const char *detail;
    bool is_unsure; /* its name alone tells the kind */
};

#define MUTEX_64   offsetof(struct mutex_64, lock)
#define SIGNALS_25 offsetof(struct condition_25, g_signals)
#define SIGNALS_41 offsetof(struct condition_41, g_signals)
#define FUTEX_24   offsetof(struct condition_24_64, futex)
#define READERS_24 offsetof(struct rwlock_24_64, readers_wakeup)
#define WRITERS_24 offsetof(struct rwlock_24_64, writer_wakeup)
#define PHASE_25   offsetof(struct rwlock_25_64, wrphase_futex)
#define WRITERS_25 offsetof(struct rwlock_25_64, writers_futex)
#define ROUND      offsetof(struct barrier, current_round)

static const struct lock_example examples[] = {
    {.what = "mutex, 64 bits",
     .first = 24,
     .last = 42,
     .arch = ARCH_X86_64,
     .kind = WAIT_MUTEX,
     .lock.mutex_64 = {.lock = 2, .owner = OWNER, .nusers = 1, .kind = 128},
     .futex_off = MUTEX_64,
     .expected = 2,
     .owner = OWNER,
     .detail = "shared"},
    {.what = "mutex, 32 bits",
     .first = 24,
     .last = 42,
     .arch = ARCH_ARM,
     .kind = WAIT_MUTEX,
     .lock.mutex_32 = {.lock = 2, .count = 1, .owner = OWNER, .kind = 1, .nusers = 1},
     .expected = 2,
     .owner = OWNER,
     .detail = "recursive"},
    {.what = "rwlock that is written, for a reader, 64 bits",
     .first = 24,
     .last = 24,
     .arch = ARCH_X86_64,
     .kind = WAIT_RWLOCK_READ,
     .lock.rwlock_24_64 = {.readers_wakeup = 5, .nr_readers_queued = 1, .writer = OWNER},
     .futex_off = READERS_24,
     .expected = 5,
     .owner = OWNER,
     .detail = ""},
    {.what = "rwlock that two read, for a writer, 64 bits, shared",
     .first = 24,
     .last = 24,
     .arch = ARCH_AARCH64,
     .kind = WAIT_RWLOCK_WRITE,
     .lock.rwlock_24_64 = {.nr_readers = 2, .nr_writers_queued = 1, .shared = 128},
     .futex_off = WRITERS_24,
     .readers = 2,
     .detail = "shared"},
    {.what = "rwlock that is written, for a writer, 32 bits",
     .first = 24,
     .last = 24,
     .arch = ARCH_I386,
     .kind = WAIT_RWLOCK_WRITE,
     .lock.rwlock_24_32 = {.writer_wakeup = 3, .nr_writers_queued = 2, .writer = OWNER},
     .futex_off = WRITERS_24,
     .expected = 3,
     .owner = OWNER,
     .detail = ""},
    {.what = "rwlock that is written, for a reader, 64 bits",
     .first = 25,
     .last = 42,
     .arch = ARCH_X86_64,
     .kind = WAIT_RWLOCK_READ,
     .lock.rwlock_25_64 = {.readers = 8 | 2 | 1, .wrphase_futex = 3, .cur_writer = OWNER},
     .futex_off = PHASE_25,
     .expected = 3,
     .owner = OWNER,
     .detail = ""},
    {.what = "rwlock that two read, for a writer, 32 bits",
     .first = 25,
     .last = 42,
     .arch = ARCH_ARM,
     .kind = WAIT_RWLOCK_WRITE,
     .lock.rwlock_25_32 = {.readers = 2 << 3 | 2, .wrphase_futex = 2, .writers_futex = 1},
     .futex_off = PHASE_25,
     .expected = 2,
     .readers = 2,
     .detail = ""},
    {.what = "condition, 64 bits",
     .first = 24,
     .last = 24,
     .arch = ARCH_X86_64,
     .kind = WAIT_CONDITION,
     .lock.condition_24_64 = {.futex = 9 + 7,
                              .total_seq = 9,
                              .wakeup_seq = 7,
                              .woken_seq = 7,
                              .mutex = 0x20000,
                              .nwaiters = 2 << 1},
     .futex_off = FUTEX_24,
     .expected = 15,
     .detail = ""},
    {.what = "condition, 32 bits, shared",
     .first = 24,
     .last = 24,
     .arch = ARCH_ARM,
     .kind = WAIT_CONDITION,
     .lock.condition_24_32 =
         {.futex = 1, .total_seq = 1, .mutex = UINT32_MAX, .nwaiters = 1 << 1 | 1},
     .futex_off = FUTEX_24,
     .expected = 1,
     .detail = "shared"},
    {.what = "condition that nobody has signalled",
     .first = 25,
     .last = 40,
     .arch = ARCH_X86_64,
     .kind = WAIT_CONDITION,
     .lock.condition_25 = {.wseq = 2 << 1, .g_refs = {2 << 1}, .wrefs = 2 << 3},
     .futex_off = SIGNALS_25,
     .detail = ""},
    {.what = "condition that has been in use for long, second group, shared",
     .first = 25,
     .last = 40,
     .arch = ARCH_I386,
     .kind = WAIT_CONDITION,
     .lock.condition_25 = {.wseq = 1001 << 1 | 1,
                           .g1_start = 1000 << 1 | 1,
                           .g_refs = {0, 1 << 1},
                           .wrefs = 1 << 3 | 1,
                           .g_signals = {1, 0}},
     .futex_off = SIGNALS_25 + 4,
     .detail = "shared"},
    {.what = "condition that nobody has signalled",
     .first = 41,
     .last = 42,
     .arch = ARCH_X86_64,
     .kind = WAIT_CONDITION,
     .lock.condition_41 = {.wseq = 2 << 1, .wrefs = 2 << 3},
     .futex_off = SIGNALS_41,
     .detail = ""},
    {.what = "condition that has been in use for long, second group, shared",
     .first = 41,
     .last = 42,
     .arch = ARCH_ARM,
     .kind = WAIT_CONDITION,
     .lock.condition_41 =
         {.wseq = 1001 << 1 | 1, .g1_start = 1000, .wrefs = 1 << 3 | 1, .g_signals = {1000, 999}},
     .futex_off = SIGNALS_41 + 4,
     .expected = 999,
     .detail = "shared"},
    {.what = "condition whose group was switched while the thread waits, some of which gave up",
     .first = 41,
     .last = 42,
     .arch = ARCH_AARCH64,
     .kind = WAIT_CONDITION,
     .lock.condition_41 = {.wseq = 20 << 1,
                           .g1_start = 17,
                           .g_size = {UINT32_MAX, 2},
                           .g1_orig_size = 3 << 2,
                           .wrefs = 2 << 3,
                           .g_signals = {14, 17}},
     .futex_off = SIGNALS_41 + 4,
     .expected = 12,
     .detail = ""},
    {.what = "semaphore, 64 bits",
     .first = 24,
     .last = 42,
     .arch = ARCH_X86_64,
     .kind = WAIT_SEMAPHORE,
     .lock.semaphore_64 = {.nwaiters = 1, .private = 128},
     .detail = "shared",
     .is_unsure = true},
    {.what = "semaphore, 32 bits",
     .first = 24,
     .last = 42,
     .arch = ARCH_I386,
     .kind = WAIT_SEMAPHORE,
     .lock.semaphore_32 = {.value = 1, .nwaiters = 1},
     .expected = 1,
     .detail = "",
     .is_unsure = true},
    {.what = "barrier",
     .first = 24,
     .last = 42,
     .arch = ARCH_RISCV64,
     .kind = WAIT_BARRIER,
     .lock.barrier = {.in = 7, .current_round = 5, .count = 3},
     .futex_off = ROUND,
     .expected = 5,
     .detail = ""},
};
#define EXAMPLES (sizeof(examples) / sizeof(examples[0]))

#define PLACE 0x10040u /* of the lock, behind what is no part of it */

struct placed {
    uint32_t before[16];
    union lock lock;
    uint32_t behind[12];
};

/* The version's answer by the name of the kind; 0: it is not known. */
static void find_version(struct lock_case *c, struct placed *placed,
                         const struct lock_example *example, unsigned version)
{
    *placed = (struct placed){.lock = example->lock};
    lock_case_init(c, example->arch);
    case_thread(c, CASE_PID, OWNER);
    case_memory(c, PLACE - sizeof(placed->before), placed, sizeof(*placed));
    case_wait(c, PLACE + example->futex_off, example->expected);
    c->view.glibc = version;
    case_find(c, example->kind, LIBRARY_GLIBC);
}

static void expect_told(const struct lock_case *c, const struct lock_example *example,
                        unsigned version)
{
    if (c->found.doubt || c->found.kind != example->kind || c->found.addr != PLACE ||
        c->found.owner_tid != example->owner || c->found.readers != example->readers ||
        strcmp(c->found.detail, example->detail) != 0)
        fail_msg("2.%u, %s: kind %d at %#lx, owner %u, readers %u, '%s', %s", version,
                 example->what, (int)c->found.kind, (unsigned long)c->found.addr,
                 c->found.owner_tid, c->found.readers, c->found.detail,
                 c->found.doubt ? c->found.doubt : "");
}

TEST(lock_of_each_version_is_read)
{
    unsigned told = 0;
    struct lock_case c;
    struct placed placed;

    for (unsigned version = 24; version <= 42; version++)
        for (size_t i = 0; i < EXAMPLES; i++) {
            if (version < examples[i].first || version > examples[i].last)
                continue;
            find_version(&c, &placed, &examples[i], version);
            expect_told(&c, &examples[i], version);
            told++;
            lock_case_deinit(&c);
        }
    assert_int_equal(told, 19 * 5 + 5 + 18 * 2 + 16 * 2 + 2 * 3);
}

/* From a core without the library's file, say. */
TEST(lock_is_read_without_a_version_too)
{
    struct lock_case c;
    struct placed placed;

    for (size_t i = 0; i < EXAMPLES; i++) {
        find_version(&c, &placed, &examples[i], 0);
        expect_told(&c, &examples[i], 0);
        lock_case_deinit(&c);
    }
}

/* No owner, no readers and no other place. */
TEST(lock_of_another_version_is_doubted)
{
    struct lock_case c;
    struct placed placed;

    for (unsigned version = 24; version <= 42; version++)
        for (size_t i = 0; i < EXAMPLES; i++) {
            bool is_mended = examples[i].first == 41 && version >= 25;

            if (is_mended || (version >= examples[i].first && version <= examples[i].last))
                continue;
            find_version(&c, &placed, &examples[i], version);
            if (!c.found.doubt || c.found.owner_tid || c.found.readers)
                fail_msg("2.%u takes of 2.%u: %s", version, examples[i].first, examples[i].what);
            lock_case_deinit(&c);
        }
}

/* Distributions have the fix of bug 25847 in older versions. */
TEST(condition_of_a_mended_version_is_told_by_its_memory)
{
    struct lock_case c;
    struct placed placed;

    for (unsigned version = 25; version <= 40; version++)
        for (size_t i = 0; i < EXAMPLES; i++)
            if (examples[i].first == 41) {
                find_version(&c, &placed, &examples[i], version);
                expect_told(&c, &examples[i], version);
                lock_case_deinit(&c);
            }
}

/* Of a version that nobody has looked at only what the memory makes sure is told, in any layout. */
TEST(lock_of_a_version_that_is_not_known_is_told_where_it_is_sure)
{
    static const unsigned versions[] = {43, 99, 23};
    struct lock_case c;
    struct placed placed;

    for (size_t i = 0; i < EXAMPLES * 3; i++) {
        const struct lock_example *example = &examples[i / 3];
        const unsigned version = versions[i % 3];

        find_version(&c, &placed, example, version);
        if (!example->is_unsure)
            expect_told(&c, example, version);
        else
            assert_string_equal(c.found.doubt,
                                "the locks of its C library's version are not known");
        assert_int_equal(c.found.kind, example->kind);
        lock_case_deinit(&c);
    }
    assert_true(glibc_is_known(0) && glibc_is_known(24) && glibc_is_known(42));
    assert_false(glibc_is_known(23) || glibc_is_known(43));
}

/* Its second word begins what would be a condition of 2.41: all but the group's references fits. */
TEST(condition_of_2_25_that_is_being_left_is_none_of_2_41)
{
    static const struct lock_example left = {.arch = ARCH_X86_64,
                                             .kind = WAIT_CONDITION,
                                             .lock.condition_25 = {.wseq = 1003 << 1,
                                                                   .g1_start = 1000 << 1,
                                                                   .wrefs = 1 << 3},
                                             .futex_off = SIGNALS_25};
    struct lock_case c;
    struct placed placed;

    for (unsigned version = 0; version <= 40; version += 40) {
        find_version(&c, &placed, &left, version);
        assert_string_equal(c.found.doubt, "the memory around it is of no such lock");
        lock_case_deinit(&c);
    }
}

/* Signals are counted from where the group starts: a switch of groups wakes nobody by itself. */
TEST(condition_of_2_41_says_whether_its_waiter_goes_on)
{
    struct lock_example example = {.arch = ARCH_X86_64,
                                   .kind = WAIT_CONDITION,
                                   .lock.condition_41 = {.wseq = 20 << 1,
                                                         .g1_start = 17,
                                                         .wrefs = 2 << 3,
                                                         .g_signals = {14, 17}},
                                   .futex_off = SIGNALS_41 + 4,
                                   .expected = 12};
    struct lock_case c;
    struct placed placed;

    find_version(&c, &placed, &example, 41);
    assert_true(c.found.is_awaited);
    assert_true(c.found.is_sure);
    lock_case_deinit(&c);
    example.lock.condition_41.g_signals[1] = 18;
    find_version(&c, &placed, &example, 41);
    assert_int_equal(c.found.addr, PLACE);
    assert_false(c.found.is_awaited);
    lock_case_deinit(&c);
}

/* The kernel wakes who joins by the tid in struct pthread, where it is in all versions. */
TEST(tid_of_struct_pthread_is_where_headers_have_it)
{
    static const struct {
        enum arch_id arch;
        uint32_t off; /* header.__padding[24], or x86-64's tcbhead_t of 704 bytes; then list_t */
    } machines[] = {{ARCH_X86_64, 704 + 16},
                    {ARCH_I386, 24 * 4 + 8},
                    {ARCH_ARM, 24 * 4 + 8},
                    {ARCH_AARCH64, 24 * 8 + 16},
                    {ARCH_RISCV64, 24 * 8 + 16}};
    const uint32_t tid = OWNER;
    struct lock_case c;

    for (unsigned version = 24; version <= 42; version++)
        for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
            lock_case_init(&c, machines[i].arch);
            case_thread(&c, CASE_PID, OWNER);
            case_memory(&c, PLACE + machines[i].off, &tid, sizeof(tid));
            case_wait(&c, PLACE + machines[i].off, tid);
            c.view.is_private = false;
            c.view.glibc = version;
            case_find(&c, WAIT_JOIN, LIBRARY_GLIBC);
            assert_null(c.found.doubt);
            assert_int_equal(c.found.addr, PLACE);
            assert_int_equal(c.found.owner_tid, OWNER);
            lock_case_deinit(&c);
        }
}

/* Since 2.43 a word of its own says whether the thread has ended: 2 is no thread that is met. */
TEST_OF(join_of_a_version_that_is_not_told_names_no_thread_that_does_not_live, lock_case, c,
        ARCH_X86_64)
{
    const uint32_t joinable = 2;

    case_memory(c, PLACE, &joinable, sizeof(joinable));
    case_wait(c, PLACE, joinable);
    case_find(c, WAIT_JOIN, LIBRARY_GLIBC);
    assert_int_equal(c->found.kind, WAIT_JOIN);
    assert_int_equal(c->found.owner_tid, 0);
    assert_non_null(c->found.doubt);
}
