/* SPDX-License-Identifier: MIT */
/*
 * Locks by their memory. Those of this machine's C library are made by it: threads of this process
 * wait for them, and the kernel tells on which word. Those of others are tables of words; that they
 * are as in the real libraries tests/system/waits_known.py shows with real programs.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "wait_fixture.h"

#define OWNER 7u

/* ------------------------------------------------------------------ real locks */

struct real {
    pthread_t thread;
    _Atomic pid_t tid;
    void (*block)(void *object);
    void *object;
};

static void *run(void *argument)
{
    struct real *real = argument;

    real->tid = (pid_t)syscall(SYS_gettid);
    real->block(real->object);
    return NULL;
}

/* What the thread gave to futex(2), once it waits there. */
static void real_wait(struct real *real, struct lock_case *c)
{
    struct timespec nap = {.tv_nsec = 1000000};
    unsigned long number, addr, operation, value;
    char path[64], text[256];

    for (unsigned i = 0; i < 20000; i++) {
        ssize_t len = -1;
        int fd;

        nanosleep(&nap, NULL);
        snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", (int)real->tid);
        fd = real->tid ? open(path, O_RDONLY | O_CLOEXEC) : -1;
        if (real->tid && fd < 0 && (errno == EACCES || errno == EPERM)) {
            print_message("skipped: %s: %s\n", path, strerror(errno));
            skip();
        }
        if (real->tid && fd < 0) /* should it be so again and again, it fails below */
            print_message("%s: %s\n", path, strerror(errno));
        if (fd >= 0) {
            len = read(fd, text, sizeof(text) - 1);
            close(fd);
        }
        text[len > 0 ? len : 0] = '\0';
        if (sscanf(text, "%lu %lx %lx %lx", &number, &addr, &operation, &value) != 4 ||
            number != SYS_futex)
            continue;
        case_wait(c, addr, (uint32_t)value);
        c->view.is_pi = (operation & FUTEX_OP_MASK) == 6 || (operation & FUTEX_OP_MASK) == 13;
        c->view.is_private = operation & FUTEX_PRIVATE;
        return;
    }
    fail_msg("the thread does not wait");
}

/* Starts a thread that blocks, and gives the case this process's threads and memory. */
static void real_start(struct real *real, struct lock_case *c, void (*block)(void *object),
                       void *object)
{
    lock_case_init(c, sizeof(void *) == 8 ? ARCH_X86_64 : ARCH_I386);
    c->sample.pid = (uint32_t)getpid();
    *real = (struct real){.block = block, .object = object};
    assert_int_equal(pthread_create(&real->thread, NULL, run, real), 0);
    case_thread(c, c->sample.pid, c->sample.pid);
    real_wait(real, c);
    c->sample.tid = (uint32_t)real->tid;
    case_thread(c, c->sample.pid, c->sample.tid);
}

static void expect_found(const struct lock_case *c, enum wait_kind kind, const void *object,
                         uint32_t owner, enum wait_evidence evidence)
{
    assert_int_equal(c->found.kind, kind);
    assert_int_equal(c->found.addr, (uintptr_t)object);
    assert_int_equal(c->found.owner_tid, owner);
    assert_int_equal(c->kind_evidence, evidence);
    assert_int_equal(c->owner_evidence, evidence);
    assert_null(c->found.doubt);
}

/* By name and library, by name alone, and without any name. */
static void expect_all_ways(struct lock_case *c, enum wait_kind kind, const void *object,
                            uint32_t owner)
{
    case_find(c, kind, LIBRARY_GLIBC);
    expect_found(c, kind, object, owner, WAIT_READ_OFF);
    case_find(c, kind, LIBRARY_UNKNOWN);
    expect_found(c, kind, object, owner, WAIT_READ_OFF);
    case_find(c, WAIT_UNKNOWN, LIBRARY_UNKNOWN);
    expect_found(c, kind, object, owner, WAIT_INFERRED);
}

static void block_mutex(void *object)
{
    pthread_mutex_lock(object);
    pthread_mutex_unlock(object);
}

static void check_real_mutex(int type, int protocol, int robust, int shared, const char *detail)
{
    struct lock_case c;
    struct real real;
    pthread_mutex_t mutex;
    pthread_mutexattr_t attr;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, type);
    pthread_mutexattr_setprotocol(&attr, protocol);
    pthread_mutexattr_setrobust(&attr, robust);
    pthread_mutexattr_setpshared(&attr, shared);
    assert_int_equal(pthread_mutex_init(&mutex, &attr), 0);
    assert_int_equal(pthread_mutex_lock(&mutex), 0);
    real_start(&real, &c, block_mutex, &mutex);
    case_memory(&c, (uintptr_t)&mutex, &mutex, sizeof(mutex));
    expect_all_ways(&c, WAIT_MUTEX, &mutex, (uint32_t)getpid());
    assert_string_equal(c.found.detail, detail);
    pthread_mutex_unlock(&mutex);
    pthread_join(real.thread, NULL);
    lock_case_deinit(&c);
}

TEST(real_mutex_of_each_type_tells_its_owner)
{
    check_real_mutex(PTHREAD_MUTEX_NORMAL, 0, 0, 0, "");
    check_real_mutex(PTHREAD_MUTEX_RECURSIVE, 0, 0, 0, "recursive");
    check_real_mutex(PTHREAD_MUTEX_ERRORCHECK, 0, 0, 0, "errorcheck");
    check_real_mutex(PTHREAD_MUTEX_ADAPTIVE_NP, 0, 0, 0, "adaptive");
    check_real_mutex(PTHREAD_MUTEX_NORMAL, 0, PTHREAD_MUTEX_ROBUST, 0, "robust");
    check_real_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, 0, 0, "PI");
    check_real_mutex(PTHREAD_MUTEX_NORMAL, 0, 0, PTHREAD_PROCESS_SHARED, "shared");
    check_real_mutex(PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_ROBUST, 0,
                     "recursive, robust, PI");
}

static void block_reader(void *object)
{
    pthread_rwlock_rdlock(object);
    pthread_rwlock_unlock(object);
}

static void block_writer(void *object)
{
    pthread_rwlock_wrlock(object);
    pthread_rwlock_unlock(object);
}

static void check_written(void (*block)(void *object), enum wait_kind kind)
{
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    struct lock_case c;
    struct real real;

    assert_int_equal(pthread_rwlock_wrlock(&lock), 0);
    real_start(&real, &c, block, &lock);
    case_memory(&c, (uintptr_t)&lock, &lock, sizeof(lock));
    expect_all_ways(&c, kind, &lock, (uint32_t)getpid());
    assert_int_equal(c.found.readers, 0);
    pthread_rwlock_unlock(&lock);
    pthread_join(real.thread, NULL);
    lock_case_deinit(&c);
}

TEST(real_rwlock_that_is_written_tells_its_owner)
{
    check_written(block_reader, WAIT_RWLOCK_READ);
    check_written(block_writer, WAIT_RWLOCK_WRITE);
}

TEST(real_rwlock_that_is_read_tells_how_many_readers)
{
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    struct lock_case c;
    struct real real;

    assert_int_equal(pthread_rwlock_rdlock(&lock), 0);
    assert_int_equal(pthread_rwlock_rdlock(&lock), 0);
    real_start(&real, &c, block_writer, &lock);
    case_memory(&c, (uintptr_t)&lock, &lock, sizeof(lock));
    expect_all_ways(&c, WAIT_RWLOCK_WRITE, &lock, 0);
    assert_int_equal(c.found.readers, 2);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_join(real.thread, NULL);
    lock_case_deinit(&c);
}

struct condition {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    bool done;
};

static void block_condition(void *object)
{
    struct condition *condition = object;

    pthread_mutex_lock(&condition->mutex);
    while (!condition->done)
        pthread_cond_wait(&condition->cond, &condition->mutex);
    pthread_mutex_unlock(&condition->mutex);
}

TEST(real_condition_is_told_from_the_mutex_that_is_taken_after_it)
{
    struct condition condition = {.mutex = PTHREAD_MUTEX_INITIALIZER,
                                  .cond = PTHREAD_COND_INITIALIZER};
    struct lock_case c;
    struct real real;

    real_start(&real, &c, block_condition, &condition);
    case_memory(&c, (uintptr_t)&condition, &condition, sizeof(condition));
    expect_all_ways(&c, WAIT_CONDITION, &condition.cond, 0);
    pthread_mutex_lock(&condition.mutex);
    condition.done = true;
    pthread_cond_signal(&condition.cond);
    for (unsigned i = 0; c.view.futex_addr != (uintptr_t)&condition.mutex && i < 20000; i++)
        real_wait(&real, &c);
    case_find(&c, WAIT_CONDITION, LIBRARY_GLIBC);
    expect_found(&c, WAIT_MUTEX, &condition.mutex, (uint32_t)getpid(), WAIT_READ_OFF);
    pthread_mutex_unlock(&condition.mutex);
    pthread_join(real.thread, NULL);
    lock_case_deinit(&c);
}

static void block_join(void *object)
{
    struct real *other = object;

    pthread_join(other->thread, NULL);
}

TEST(real_join_tells_whom_it_waits_for)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    struct lock_case held, c;
    struct real other, real;

    pthread_mutex_lock(&mutex);
    real_start(&other, &held, block_mutex, &mutex);
    real_start(&real, &c, block_join, &other);
    case_thread(&c, c.sample.pid, (uint32_t)other.tid);
    case_memory(&c, c.view.futex_addr, (const void *)(uintptr_t)c.view.futex_addr, 4);
    expect_all_ways(&c, WAIT_JOIN, (const void *)(uintptr_t)other.thread, (uint32_t)other.tid);
    pthread_mutex_unlock(&mutex);
    pthread_join(real.thread, NULL);
    lock_case_deinit(&c);
    lock_case_deinit(&held);
}

/* ------------------------------------------------------------------ other layouts */

struct table_case {
    const char *what;
    enum arch_id arch;
    enum c_library library;
    enum wait_kind kind;
    uint32_t words[14];
    unsigned futex_word, expected;
    unsigned object_word; /* where it begins */
    uint32_t owner, readers;
    const char *detail;
    bool is_told_without_name, is_pi;
};

#define WAITED FUTEX_WAITED

static const struct table_case tables[] = {
    {"glibc, 32 bits: lock count owner kind nusers",
     ARCH_ARM,
     LIBRARY_GLIBC,
     WAIT_MUTEX,
     {2, 0, OWNER, 0, 1},
     0,
     2,
     0,
     OWNER,
     0,
     "",
     true,
     false},
    {"glibc, 32 bits: recursive",
     ARCH_I386,
     LIBRARY_GLIBC,
     WAIT_MUTEX,
     {2, 3, OWNER, 1, 1},
     0,
     2,
     0,
     OWNER,
     0,
     "recursive",
     true,
     false},
    {"glibc, 32 bits: robust",
     ARCH_I386,
     LIBRARY_GLIBC,
     WAIT_MUTEX,
     {OWNER | WAITED, 1, OWNER, 16 | 128, 1},
     0,
     OWNER | WAITED,
     0,
     OWNER,
     0,
     "robust",
     true,
     false},
    {"glibc, 64 bits: priority ceiling",
     ARCH_AARCH64,
     LIBRARY_GLIBC,
     WAIT_MUTEX,
     {5u << 19 | 2, 0, OWNER, 1, 64},
     0,
     5u << 19 | 2,
     0,
     OWNER,
     0,
     "priority ceiling",
     false,
     false},
    {"glibc: PI whose owner died",
     ARCH_AARCH64,
     LIBRARY_GLIBC,
     WAIT_MUTEX,
     {OWNER | WAITED | FUTEX_DIED, 0, OWNER, 1, 32 | 16},
     0,
     0,
     0,
     OWNER,
     0,
     "robust, PI, owner died",
     true,
     true},
    {"glibc: a mutex on its way from one to the next",
     ARCH_X86_64,
     LIBRARY_GLIBC,
     WAIT_MUTEX,
     {2, 0, 0, 1, 0},
     0,
     2,
     0,
     0,
     0,
     "",
     false,
     false},
    {"glibc, 32 bits: rwlock written, reader",
     ARCH_ARM,
     LIBRARY_GLIBC,
     WAIT_RWLOCK_READ,
     {1 | 2 | 8, 0, 3, 1, 0, 0, 0, OWNER},
     2,
     3,
     0,
     OWNER,
     0,
     "",
     true,
     false},
    {"glibc, 32 bits: rwlock written, writer",
     ARCH_I386,
     LIBRARY_GLIBC,
     WAIT_RWLOCK_WRITE,
     {1 | 2, 1, 1, 3, 0, 0, 0x100, OWNER},
     3,
     3,
     0,
     OWNER,
     0,
     "shared",
     true,
     false},
    {"glibc, 32 bits: rwlock read by 3, writer",
     ARCH_I386,
     LIBRARY_GLIBC,
     WAIT_RWLOCK_WRITE,
     {3 << 3 | 2, 0, 2, 1, 0, 0, 0, 0},
     2,
     2,
     0,
     0,
     3,
     "",
     true,
     false},
    {"glibc: rwlock where writers come first, reader",
     ARCH_X86_64,
     LIBRARY_GLIBC,
     WAIT_RWLOCK_READ,
     {1 << 3 | 2 | 4, 1, 2, 1, 0, 0, 0, 0},
     0,
     1 << 3 | 2 | 4,
     0,
     0,
     1,
     "",
     false,
     false},
    {"glibc: condition, first group",
     ARCH_ARM,
     LIBRARY_GLIBC,
     WAIT_CONDITION,
     {4, 0, 1, 0, 4, 0, 0, 0, 0, 2 << 3 | 1, 0, 0},
     10,
     0,
     0,
     0,
     0,
     "shared",
     true,
     false},
    {"glibc: condition, second group",
     ARCH_AARCH64,
     LIBRARY_GLIBC,
     WAIT_CONDITION,
     {3, 0, 1, 0, 0, 2, 0, 0, 0, 1 << 3, 0, 0},
     11,
     0,
     0,
     0,
     0,
     "",
     true,
     false},
    {"glibc, 32 bits: semaphore",
     ARCH_I386,
     LIBRARY_GLIBC,
     WAIT_SEMAPHORE,
     {1, 128, 0, 1},
     0,
     1,
     0,
     0,
     0,
     "shared",
     false,
     false},
    {"glibc, 64 bits: semaphore",
     ARCH_X86_64,
     LIBRARY_GLIBC,
     WAIT_SEMAPHORE,
     {0, 1, 0, 0},
     0,
     0,
     0,
     0,
     0,
     "",
     false,
     false},
    {"glibc: barrier",
     ARCH_ARM,
     LIBRARY_GLIBC,
     WAIT_BARRIER,
     {7, 5, 3, 0, 0},
     1,
     5,
     0,
     0,
     0,
     "",
     false,
     false},
    {"glibc: once", ARCH_ARM, LIBRARY_GLIBC, WAIT_ONCE, {1}, 0, 1, 0, 0, 0, "", false, false},
    {"musl: mutex without owner",
     ARCH_ARM,
     LIBRARY_MUSL,
     WAIT_MUTEX,
     {0, 16 | WAITED, 1},
     1,
     16 | WAITED,
     0,
     0,
     0,
     "",
     true,
     false},
    {"musl: errorcheck",
     ARCH_I386,
     LIBRARY_MUSL,
     WAIT_MUTEX,
     {2, OWNER | WAITED, 1},
     1,
     OWNER | WAITED,
     0,
     OWNER,
     0,
     "errorcheck",
     true,
     false},
    {"musl: robust, shared",
     ARCH_AARCH64,
     LIBRARY_MUSL,
     WAIT_MUTEX,
     {4 | 128, OWNER | WAITED, 1},
     1,
     OWNER | WAITED,
     0,
     OWNER,
     0,
     "robust, shared",
     true,
     false},
    {"musl: PI",
     ARCH_X86_64,
     LIBRARY_MUSL,
     WAIT_MUTEX,
     {8, OWNER | WAITED, 0},
     1,
     0,
     0,
     OWNER,
     0,
     "PI",
     true,
     true},
    {"musl: rwlock read by 2",
     ARCH_ARM,
     LIBRARY_MUSL,
     WAIT_RWLOCK_WRITE,
     {2 | WAITED, 1, 0},
     0,
     2 | WAITED,
     0,
     0,
     2,
     "",
     false,
     false},
    {"musl: rwlock written",
     ARCH_ARM,
     LIBRARY_MUSL,
     WAIT_RWLOCK_READ,
     {0xffffffff, 1, 128},
     0,
     0xffffffff,
     0,
     0,
     0,
     "shared",
     false,
     false},
    {"musl: semaphore",
     ARCH_I386,
     LIBRARY_MUSL,
     WAIT_SEMAPHORE,
     {0xffffffff, 1, 128},
     0,
     0xffffffff,
     0,
     0,
     0,
     "",
     false,
     false},
    {"musl: barrier, who came first",
     ARCH_I386,
     LIBRARY_MUSL,
     WAIT_BARRIER,
     {1, 0, 1, 1},
     3,
     1,
     0,
     0,
     0,
     "",
     false,
     false},
    {"musl: barrier, another",
     ARCH_I386,
     LIBRARY_MUSL,
     WAIT_BARRIER,
     {1, 0, 1, 1},
     1,
     0,
     0,
     0,
     0,
     "",
     false,
     false},
    {"musl: once", ARCH_ARM, LIBRARY_MUSL, WAIT_ONCE, {3}, 0, 3, 0, 0, 0, "", false, false},
};

TEST(lock_of_each_layout_is_read)
{
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        const struct table_case *table = &tables[i];
        struct lock_case c;

        lock_case_init(&c, table->arch);
        case_thread(&c, CASE_PID, OWNER);
        case_memory(&c, 0x10000, table->words, sizeof(table->words));
        case_wait(&c, 0x10000 + 4 * table->futex_word, table->expected);
        c.view.is_pi = table->is_pi;
        case_find(&c, table->kind, table->library);
        if (c.found.kind != table->kind || c.found.addr != 0x10000 + 4 * table->object_word ||
            c.found.owner_tid != table->owner || c.found.readers != table->readers ||
            strcmp(c.found.detail, table->detail) != 0 || c.found.doubt)
            fail_msg("%s: kind %d at %#lx, owner %u, readers %u, '%s', %s", table->what,
                     (int)c.found.kind, (unsigned long)c.found.addr, c.found.owner_tid,
                     c.found.readers, c.found.detail, c.found.doubt ? c.found.doubt : "");
        case_find(&c, WAIT_UNKNOWN, LIBRARY_UNKNOWN);
        if ((c.found.kind == table->kind && c.kind_evidence == WAIT_INFERRED) !=
            table->is_told_without_name)
            fail_msg("%s: without a name it is %d", table->what, (int)c.found.kind);
        lock_case_deinit(&c);
    }
}

/* tid errno detach_state in a structure that begins with a pointer to itself. */
TEST(musl_join_tells_whom_it_waits_for)
{
    static const struct {
        enum arch_id arch;
        unsigned tid_word;
    } machines[] = {{ARCH_X86_64, 12}, {ARCH_I386, 6}, {ARCH_ARM, 4}, {ARCH_AARCH64, 8}};

    for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
        uint32_t words[16] = {0x20000}, tid = machines[i].tid_word;
        struct lock_case c;

        words[tid] = OWNER;
        words[tid + 2] = 2;
        lock_case_init(&c, machines[i].arch);
        case_thread(&c, CASE_PID, OWNER);
        case_memory(&c, 0x20000, words, sizeof(words));
        case_wait(&c, 0x20000 + 4 * (tid + 2), 2);
        case_find(&c, WAIT_JOIN, LIBRARY_UNKNOWN);
        assert_int_equal(c.found.kind, WAIT_JOIN);
        assert_int_equal(c.found.addr, 0x20000);
        assert_int_equal(c.found.owner_tid, OWNER);
        case_find(&c, WAIT_UNKNOWN, LIBRARY_UNKNOWN);
        assert_int_equal(c.found.kind, WAIT_JOIN);
        assert_int_equal(c.kind_evidence, WAIT_INFERRED);
        lock_case_deinit(&c);
    }
}

/* What the memory has is of the thread that was given the stack. */
TEST_OF(glibc_join_of_a_stack_that_is_used_again_tells_whom_the_kernel_was_told, lock_case, c,
        ARCH_X86_64)
{
    const uint32_t next = OWNER + 1;

    case_thread(c, CASE_PID, next);
    case_memory(c, 0x102d0, &next, sizeof(next));
    case_wait(c, 0x102d0, OWNER);
    case_find(c, WAIT_JOIN, LIBRARY_GLIBC);
    assert_non_null(c->found.doubt); /* of no thread */
    case_thread(c, CASE_PID, OWNER);
    case_find(c, WAIT_JOIN, LIBRARY_GLIBC);
    assert_null(c->found.doubt);
    assert_int_equal(c->found.addr, 0x10000);
    assert_int_equal(c->found.owner_tid, OWNER);
    case_find(c, WAIT_UNKNOWN, LIBRARY_UNKNOWN);
    assert_int_equal(c->found.kind, WAIT_FUTEX);
}

/* The waiter has been woken, and has not got so far as to return. */
TEST(glibc_condition_that_has_woken_all_is_one_by_its_name)
{
    static const enum arch_id machines[] = {ARCH_X86_64, ARCH_I386, ARCH_ARM, ARCH_AARCH64};
    static const uint32_t left[14] = {0, 0, 0x2b1, 0, 0x2af, 0, 0, 0, 0, 0, 4, 2};
    static const uint32_t never[14] = {0};

    for (size_t i = 0; i < 2 * sizeof(machines) / sizeof(machines[0]); i++) {
        struct lock_case c;

        lock_case_init(&c, machines[i / 2]);
        case_memory(&c, 0x10000, left, sizeof(left));
        case_memory(&c, 0x20000, never, sizeof(never));
        case_wait(&c, 0x10008 + 40 + 4 * (i % 2), 0);
        case_find(&c, WAIT_CONDITION, LIBRARY_UNKNOWN);
        assert_int_equal(c.found.kind, WAIT_CONDITION);
        assert_int_equal(c.found.addr, 0x10008);
        assert_null(c.found.doubt);
        case_find(&c, WAIT_UNKNOWN, LIBRARY_UNKNOWN);
        assert_int_equal(c.found.kind, WAIT_FUTEX);
        case_wait(&c, 0x20008 + 40 + 4 * (i % 2), 0);
        case_find(&c, WAIT_CONDITION, LIBRARY_GLIBC);
        assert_non_null(c.found.doubt);
        lock_case_deinit(&c);
    }
}

/*
 * stack: … a pointer to the node's place less a word (no condition), one to the condition …, the
 * node (prev next state barrier notify); elsewhere the condition, with its first and last node.
 */
TEST_OF(musl_condition_is_found_by_the_list_that_has_the_node, lock_case, c, ARCH_X86_64)
{
    uint64_t stack[16] = {0}, condition[6] = {0};
    uint32_t node[2] = {0, 2}; /* state, barrier */

    stack[1] = 0x30000 + 8 * 2 - 8;
    stack[2] = 0x30000 + 8 * 8;
    stack[4] = 0x40000;
    memcpy(&stack[10], node, sizeof(node)); /* of the node at word 8 */
    condition[1] = condition[5] = 0x30000 + 8 * 8;
    regs_set(&c->sample.regs, c->view.arch->sp, 0x30000);
    case_memory(c, 0x30000, stack, sizeof(stack));
    case_memory(c, 0x40000, condition, sizeof(condition));
    case_wait(c, 0x30000 + 8 * 10 + 4, 2);
    case_find(c, WAIT_CONDITION, LIBRARY_MUSL);
    assert_int_equal(c->found.kind, WAIT_CONDITION);
    assert_int_equal(c->found.addr, 0x40000);
    c->sample.wait_count = 1; /* the condition is not captured */
    case_find(c, WAIT_CONDITION, LIBRARY_MUSL);
    assert_int_equal(c->found.kind, WAIT_CONDITION);
    assert_int_equal(c->found.addr, 0);
}

/* What is on the stack may make any lists: all of them together are looked at for so long. */
TEST_OF(musl_condition_is_not_looked_for_in_lists_without_end, lock_case, c, ARCH_X86_64)
{
    enum { NODES = 3000, NODE = 0x30000 + 8 * 20 };
    static uint64_t nodes[2 * NODES];
    const uint32_t node[2] = {0, 2};
    uint64_t stack[30] = {0x40000, 0x40000, 0x40000, 0x40100};
    uint64_t lists[] = {0, 0x50000, 0, 0, 0, 1}, right[] = {0, NODE, 0, 0, 0, NODE};

    memcpy(&stack[22], node, sizeof(node));
    for (size_t i = 0; i < NODES; i++)
        nodes[2 * i + 1] = 0x50000 + 16 * (i + 1);
    nodes[2 * NODES - 1] = 0;
    regs_set(&c->sample.regs, c->view.arch->sp, 0x30000);
    case_memory(c, 0x30000, stack, sizeof(stack));
    case_memory(c, 0x40000, lists, sizeof(lists));
    case_memory(c, 0x40100, right, sizeof(right));
    case_memory(c, 0x50000, nodes, sizeof(nodes));
    case_wait(c, NODE + 20, 2);
    case_find(c, WAIT_CONDITION, LIBRARY_MUSL);
    assert_int_equal(c->found.addr, 0);
    nodes[2 * 10 + 1] = 0x50000 + 16 * 3; /* a circle is left soon */
    case_find(c, WAIT_CONDITION, LIBRARY_MUSL);
    assert_int_equal(c->found.addr, 0x40100);
}

/* ------------------------------------------------------------------ what is doubted */

static void find_mutex(struct lock_case *c, const uint32_t *words, size_t size)
{
    case_memory(c, 0x10000, words, size);
    case_wait(c, 0x10000, 2);
}

TEST_OF(lock_whose_owner_is_no_thread_is_doubted, lock_case, c, ARCH_X86_64)
{
    static const uint32_t words[6] = {2, 0, OWNER, 1, 0};

    find_mutex(c, words, sizeof(words));
    case_find(c, WAIT_MUTEX, LIBRARY_GLIBC);
    assert_int_equal(c->found.owner_tid, OWNER);
    assert_ptr_equal(c->found.doubt, lock_doubt_owner);
    case_thread(c, CASE_PID + 1, OWNER);
    case_find(c, WAIT_MUTEX, LIBRARY_GLIBC);
    assert_ptr_equal(c->found.doubt, lock_doubt_owner);
    case_find(c, WAIT_UNKNOWN, LIBRARY_UNKNOWN);
    assert_int_equal(c->found.kind, WAIT_FUTEX);
    wait_threads_remove(&c->threads, CASE_PID + 1, OWNER);
    case_thread(c, CASE_PID, OWNER);
    case_find(c, WAIT_MUTEX, LIBRARY_GLIBC);
    assert_null(c->found.doubt);
}

TEST_OF(lock_shared_by_processes_may_have_an_owner_of_another, lock_case, c, ARCH_X86_64)
{
    static const uint32_t words[6] = {2, 0, OWNER, 1, 128};

    find_mutex(c, words, sizeof(words));
    case_thread(c, CASE_PID + 1, OWNER);
    case_find(c, WAIT_MUTEX, LIBRARY_GLIBC);
    assert_null(c->found.doubt);
    assert_int_equal(c->found.owner_tid, OWNER);
}

TEST_OF(lock_of_the_waiting_thread_itself_is_not_doubted, lock_case, c, ARCH_X86_64)
{
    static const uint32_t words[6] = {2, 0, CASE_TID, 1, 0};

    find_mutex(c, words, sizeof(words));
    case_find(c, WAIT_MUTEX, LIBRARY_GLIBC);
    assert_null(c->found.doubt);
    assert_int_equal(c->found.owner_tid, CASE_TID);
}

TEST_OF(lock_of_nonsense_or_without_memory_says_so, lock_case, c, ARCH_X86_64)
{
    static const uint32_t nonsense[6] = {0x12345678, 5, OWNER, 9, 0xdeadbeef};

    find_mutex(c, nonsense, sizeof(nonsense));
    case_thread(c, CASE_PID, OWNER);
    case_find(c, WAIT_MUTEX, LIBRARY_GLIBC);
    assert_int_equal(c->found.kind, WAIT_MUTEX);
    assert_int_equal(c->found.owner_tid, 0);
    assert_string_equal(c->found.doubt, "the memory around it is of no such lock");
    c->sample.wait_count = 0;
    case_find(c, WAIT_MUTEX, LIBRARY_GLIBC);
    assert_string_equal(c->found.doubt, "the memory around it was not captured");
    case_find(c, WAIT_UNKNOWN, LIBRARY_UNKNOWN);
    assert_int_equal(c->found.kind, WAIT_FUTEX);
    assert_null(c->found.doubt);
}

/* Whatever the memory holds: an owner that is told without doubt lives, and details end. */
TEST(lock_of_any_memory_is_no_thread_that_does_not_live)
{
    uint32_t seed = 12345, words[64];

    for (unsigned i = 0; i < 20000; i++) {
        struct lock_case c;

        for (unsigned j = 0; j < 64; j++) {
            seed = seed * 1664525 + 1013904223;
            words[j] = seed >> 30 ? seed >> (seed >> 24 & 31) : seed >> 28 & 3 ? OWNER : 0;
        }
        lock_case_init(&c, (enum arch_id)(i % ARCH_COUNT));
        case_thread(&c, CASE_PID, OWNER);
        case_memory(&c, 0x10000, words, sizeof(words));
        regs_set(&c.sample.regs, c.view.arch->sp, 0x10000);
        case_wait(&c, 0x10000 + 4 * (seed >> 16 & 63), words[seed >> 8 & 63]);
        c.view.is_pi = i & 16;
        c.view.is_private = i & 32;
        case_find(&c, (enum wait_kind)(i / 64 % (WAIT_FUTEX + 1)), (enum c_library)(i % 3));
        if (c.found.owner_tid && !c.found.doubt)
            assert_non_null(wait_threads_find(&c.threads, c.found.owner_tid));
        assert_true(memchr(c.found.detail, 0, sizeof(c.found.detail)));
        lock_case_deinit(&c);
    }
}

TEST_OF(internal_lock_of_the_library_has_no_layout, lock_case, c, ARCH_X86_64)
{
    static const uint32_t words[6] = {2, 0, OWNER, 1, 0};
    struct wait_functions functions = {.kind = WAIT_MUTEX,
                                       .is_internal = true,
                                       .library = LIBRARY_GLIBC};

    find_mutex(c, words, sizeof(words));
    lock_recognise(&c->view, &functions, &c->found, &c->kind_evidence, &c->owner_evidence);
    assert_int_equal(c->found.kind, WAIT_MUTEX);
    assert_int_equal(c->found.owner_tid, 0);
    assert_string_equal(c->found.detail, "of the C library");
}

/* In a container the lock says 2; the thread with that number outside is another. */
TEST_OF(owner_is_who_has_the_number_in_the_namespace_of_the_process, lock_case, c, ARCH_X86_64)
{
    static const uint32_t words[10] = {2, 0, 2, 1, 0};

    case_inner_thread(c, 2, 5);
    case_inner_thread(c, 700, 2);
    case_memory(c, 0x1000, words, sizeof(words));
    case_wait(c, 0x1000, 2);
    case_find(c, WAIT_MUTEX, LIBRARY_GLIBC);
    assert_int_equal(c->found.owner_tid, 700);
    assert_null(c->found.doubt);
    wait_threads_remove(&c->threads, CASE_PID, 700);
    case_find(c, WAIT_MUTEX, LIBRARY_GLIBC);
    assert_non_null(c->found.doubt);
}
