/* SPDX-License-Identifier: MIT */
#include "symbol/address_space.h"
#include "symbol/module_set.h"
#include "threads/waits/wait.h"

#include <fcntl.h>
#include <linux/net.h>
#include <poll.h>
#include <sys/syscall.h>

#include "graph_fixture.h"

#define PID   1u
#define TID   9u
#define OWNER 7u

static const struct fixture_function FUNCTIONS[] = {
    {"poll", .module = 1, .start = 0x1000},
    {"lock", .module = 1, .start = 0x2000, .name = "pthread_mutex_lock"},
    {"join", .module = 1, .start = 0x4000, .name = "pthread_join"},
    {"cond", .module = 1, .start = 0x5000, .name = "pthread_cond_wait"},
    {"main", .start = 0x3000},
    {0},
};

struct bench {
    struct fixture names;
    struct module_set *modules;
    struct waits *waits;
    struct address_space space;
    struct frame frame;
    struct chain chain;
    struct snap_wait pieces[SNAP_WAIT_MAX];
    struct snap_region region;
    struct snap_sample sample;
    struct ingest_sample given;
    struct wait_now now;
};

static void add_thread(struct bench *b, uint32_t tid, const char *name)
{
    struct snap_thread thread = {.pid = PID, .tid = tid, .name = name};

    assert_int_equal(waits_thread(b->waits, &thread), STATUS_OK);
}

static void bench_init(struct bench *b, enum arch_id arch)
{
    static const struct module_options options;

    *b = (struct bench){.sample = {.pid = PID, .tid = TID, .state = 'S', .has_syscall = true}};
    fixture_init(&b->names, FUNCTIONS);
    assert_int_equal(module_set_create(&options, &b->modules), STATUS_OK);
    assert_int_equal(waits_create(arch_get(arch), b->modules, b->names.names, &b->waits),
                     STATUS_OK);
    b->sample.waits = b->pieces;
    b->chain.frames = &b->frame;
    b->given = (struct ingest_sample){.sample = &b->sample,
                                      .space = &b->space,
                                      .chain = &b->chain,
                                      .chain_id = 0};
    add_thread(b, TID, "waiter");
}

static void bench_deinit(struct bench *b)
{
    waits_destroy(b->waits);
    module_set_destroy(b->modules);
    fixture_deinit(&b->names);
}

/* The function that the thread is in, by its place in the C library. */
static void set_function(struct bench *b, uint64_t addr)
{
    b->frame = (struct frame){.pc_addr = addr + 4,
                              .lookup_vaddr = addr + 4,
                              .module = &b->names.modules[1],
                              .vaddr_known = true};
    b->chain.count = 1;
    b->given.chain_id = (uint32_t)addr;
}

static void set_call(struct bench *b, int64_t number, uint64_t first, uint64_t second,
                     uint64_t third)
{
    b->sample.syscall = number;
    memcpy(b->sample.syscall_args, (uint64_t[]){first, second, third}, 3 * sizeof(uint64_t));
}

static struct snap_wait *add_memory(struct bench *b, uint64_t addr, const void *bytes, size_t size)
{
    struct snap_wait *piece = &b->pieces[b->sample.wait_count++];

    *piece = (struct snap_wait){.kind = SNAP_WAIT_MEMORY,
                                .addr = addr,
                                .bytes = bytes,
                                .size = (uint32_t)size,
                                .map_start_addr = addr & ~UINT64_C(0xfff),
                                .map_end_addr = (addr | 0xfff) + 1,
                                .path = ""};
    return piece;
}

static void add_link(struct bench *b, uint32_t fd, const char *link)
{
    b->pieces[b->sample.wait_count++] =
        (struct snap_wait){.kind = SNAP_WAIT_FD, .fd = fd, .link = link};
}

static uint32_t find(struct bench *b)
{
    uint32_t wait;

    assert_int_equal(waits_find(b->waits, &b->given, &wait, &b->now), STATUS_OK);
    return wait;
}

static const struct wait *find_wait(struct bench *b)
{
    uint32_t wait = find(b);

    assert_int_not_equal(wait, WAIT_NONE);
    assert_true(wait < b->waits->count);
    return &b->waits->list[wait];
}

static void expect(struct bench *b, enum wait_kind kind, const char *name)
{
    const struct wait *wait = find_wait(b);

    assert_int_equal(wait->kind, kind);
    assert_int_equal(wait->syscall, b->sample.syscall);
    if (!name) {
        assert_int_equal(wait->object, WAIT_NONE);
        return;
    }
    assert_int_not_equal(wait->object, WAIT_NONE);
    assert_string_equal(b->waits->objects[wait->object].name, name);
    assert_int_equal(b->waits->objects[wait->object].pid, PID);
}

TEST_OF(wait_is_of_blocked_threads_only, bench, b, ARCH_X86_64)
{
    static const struct {
        char state;
        bool has_syscall, is_blocked;
    } cases[] = {
        {'R', true, false}, {'R', false, false}, {'S', true, true},    {'S', false, true},
        {'D', false, true}, {'T', true, true},   {'T', false, false},  {'t', true, true},
        {'Z', true, false}, {'\0', true, true},  {'\0', false, false},
    };

    set_call(b, SYS_pause, 0, 0, 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        b->sample.state = cases[i].state;
        b->sample.has_syscall = cases[i].has_syscall;
        if (!cases[i].is_blocked)
            assert_int_equal(find(b), WAIT_NONE);
        else
            assert_int_equal(find_wait(b)->kind, cases[i].has_syscall ? WAIT_SLEEP : WAIT_UNKNOWN);
    }
}

TEST_OF(wait_of_a_descriptor_has_its_link, bench, b, ARCH_X86_64)
{
    add_link(b, 5, "socket:[12]");
    add_link(b, 6, "/tmp/a\nb");
    add_link(b, 8, "");
    set_call(b, SYS_recvfrom, 5, 0, 0);
    expect(b, WAIT_READ, "socket:[12]");
    assert_int_equal(b->waits->objects[find_wait(b)->object].fd, 5);
    set_call(b, SYS_write, 6, 0, 0);
    expect(b, WAIT_WRITE, "/tmp/a?b");
    set_call(b, SYS_accept, 7, 0, 0);
    expect(b, WAIT_ACCEPT, "descriptor 7");
    set_call(b, SYS_connect, 8, 0, 0);
    expect(b, WAIT_CONNECT, "descriptor 8");
    set_call(b, SYS_flock, 5, 2, 0);
    expect(b, WAIT_FILE_LOCK, "socket:[12]");
    set_call(b, SYS_fcntl, 5, F_SETLKW, 0);
    expect(b, WAIT_FILE_LOCK, "socket:[12]");
    set_call(b, SYS_fcntl, 5, F_GETFL, 0);
    expect(b, WAIT_OTHER, "socket:[12]");
    set_call(b, SYS_epoll_pwait, UINT64_MAX, 0, 0);
    expect(b, WAIT_POLL, NULL);
    set_call(b, SYS_sync, 0, 0, 0);
    expect(b, WAIT_OTHER, NULL);
}

TEST_OF(wait_of_poll_tells_the_first_and_how_many, bench, b, ARCH_X86_64)
{
    static const struct pollfd fds[] = {{.fd = -1}, {.fd = 4}, {.fd = 6}, {.fd = 8}};
    static struct pollfd many[5000];

    add_memory(b, 0x5000, fds, sizeof(fds));
    add_link(b, 4, "pipe:[4]");
    set_call(b, SYS_poll, 0x5000, 2, 0);
    expect(b, WAIT_POLL, "pipe:[4]");
    set_call(b, SYS_poll, 0x5000, 4, 0);
    expect(b, WAIT_POLL, "pipe:[4] and 2 more");
    set_call(b, SYS_poll, 0x5000, 1000, 0); /* only the first are captured */
    expect(b, WAIT_POLL, "pipe:[4] and 998 more");
    set_call(b, SYS_poll, 0x5000, 1, 0);
    expect(b, WAIT_SLEEP, NULL);
    set_call(b, SYS_poll, 0x5000, 0, 0);
    expect(b, WAIT_SLEEP, NULL);
    set_call(b, SYS_poll, 0x9000, 3, 0); /* not captured: the links tell */
    expect(b, WAIT_POLL, "pipe:[4] and 2 more");
    for (size_t i = 0; i < 5000; i++) /* of very many the first tell */
        many[i].fd = i >= 4096 || i % 2 ? -1 : 4;
    add_memory(b, 0x10000, many, sizeof(many));
    set_call(b, SYS_poll, 0x10000, 5000, 0);
    expect(b, WAIT_POLL, "pipe:[4] and 2951 more");
    b->sample.wait_count = 0;
    set_call(b, SYS_poll, 0x9000, 3, 0);
    expect(b, WAIT_POLL, NULL);
}

TEST_OF(wait_of_select_tells_what_is_in_its_sets, bench, b, ARCH_X86_64)
{
    static const uint8_t read_set[8] = {0, 0x02}, write_set[8] = {0x80};
    static const uint8_t full_set[256] = {[127] = 0x80, [128] = 0xff};

    add_memory(b, 0x5000, read_set, sizeof(read_set));
    add_memory(b, 0x6000, write_set, sizeof(write_set));
    add_link(b, 9, "pipe:[9]");
    set_call(b, SYS_select, 10, 0x5000, 0);
    expect(b, WAIT_POLL, "pipe:[9]");
    set_call(b, SYS_select, 10, 0x5000, 0x6000);
    expect(b, WAIT_POLL, "descriptor 7 and 1 more");
    set_call(b, SYS_select, 9, 0x5000, 0);
    expect(b, WAIT_SLEEP, NULL);
    set_call(b, SYS_select, 10, 0x9000, 0);
    expect(b, WAIT_POLL, "pipe:[9]");
    add_memory(b, 0x7000, full_set, sizeof(full_set)); /* it can name no more than 1024 */
    set_call(b, SYS_select, 2048, 0x7000, 0);
    expect(b, WAIT_POLL, "descriptor 1023");
}

TEST_OF(wait_in_socketcall_is_that_of_the_call_in_it, bench, b, ARCH_I386)
{
    static const uint32_t args[] = {3, 0, 0};

    add_memory(b, 0x5000, args, sizeof(args));
    set_call(b, 102, SYS_ACCEPT4, UINT64_C(0xffffffff00005000), 0);
    expect(b, WAIT_ACCEPT, "descriptor 3");
    set_call(b, 102, SYS_RECVMSG, 0x5000, 0);
    expect(b, WAIT_READ, "descriptor 3");
    set_call(b, 102, SYS_CONNECT, 0x7000, 0);
    expect(b, WAIT_CONNECT, NULL);
}

static const uint32_t mutex[10] = {2, 0, OWNER, 1, 0};

TEST_OF(wait_that_is_restarted_is_known_by_its_function, bench, b, ARCH_X86_64)
{
    static const struct pollfd fds[] = {{.fd = 4}};

    add_thread(b, OWNER, "owner");
    add_memory(b, 0x5000, fds, sizeof(fds));
    add_memory(b, 0x6000, mutex, sizeof(mutex));
    set_call(b, SYS_restart_syscall, 0x5000, 1, 0);
    expect(b, WAIT_OTHER, NULL);
    set_function(b, 0x1000);
    expect(b, WAIT_POLL, "descriptor 4");
    set_call(b, SYS_restart_syscall, 0x6000, 128, 2);
    set_function(b, 0x2000);
    assert_int_equal(find_wait(b)->kind, WAIT_MUTEX);
    assert_int_equal(find_wait(b)->owner_tid, OWNER);
    b->chain.count = 0; /* by the word that has what is waited for */
    b->given.chain_id = 1;
    assert_int_equal(find_wait(b)->kind, WAIT_MUTEX);
    assert_int_equal(find_wait(b)->kind_evidence, WAIT_INFERRED);
}

TEST_OF(wait_that_is_the_same_has_the_same_number, bench, b, ARCH_X86_64)
{
    uint32_t words[10], first, again;

    memcpy(words, mutex, sizeof(words));
    add_thread(b, OWNER, "owner");
    add_thread(b, OWNER + 1, "other");
    add_memory(b, 0x6000, words, sizeof(words))->place = SNAP_PLACE_HEAP;
    set_call(b, SYS_futex, 0x6000, 128, 2);
    set_function(b, 0x2000);
    first = find(b);
    b->sample.repeat = true;
    assert_int_equal(find(b), first);
    assert_string_equal(b->waits->objects[b->waits->list[first].object].name, "heap");
    words[2] = OWNER + 1;
    again = find(b);
    assert_int_not_equal(again, first);
    assert_int_equal(b->waits->list[again].object, b->waits->list[first].object);
    assert_int_equal(b->waits->list[again].owner_tid, OWNER + 1);
    assert_null(b->waits->list[again].doubt);
    waits_thread_ended(b->waits, PID, OWNER + 1);
    assert_non_null(find_wait(b)->doubt);
    assert_int_equal(b->waits->object_count, 1);
}

/* Memory is there for one of its words only, the second one that a thread waits on. */
TEST_OF(wait_on_any_word_of_a_known_condition_is_for_that, bench, b, ARCH_X86_64)
{
    static const uint32_t condition[12] = {4, 0, 0, 0, 2, 0, 0, 0, 0, 1 << 3};
    static const uint64_t places[] = {0x6000 + 44, 0x6000 + 40, 0x6000 + 32, 0x7000 + 40};
    uint32_t waits[4];

    set_function(b, 0x5000);
    for (size_t i = 0; i < 4; i++) {
        set_call(b, SYS_futex, places[i], 128, 0);
        b->sample.wait_count = 0;
        if (i == 1)
            add_memory(b, 0x6000, condition, sizeof(condition))->place = SNAP_PLACE_HEAP;
        waits[i] = find(b);
        if (i == 0)
            assert_non_null(b->waits->list[waits[i]].doubt);
    }
    for (size_t i = 0; i < 3; i++) {
        const struct wait *wait = &b->waits->list[waits[i]];

        assert_int_equal(wait->object, b->waits->list[waits[1]].object);
        assert_int_equal(b->waits->objects[wait->object].addr, 0x6000);
        assert_string_equal(b->waits->objects[wait->object].name, "heap");
        assert_null(wait->doubt);
    }
    assert_int_equal(b->waits->objects[b->waits->list[waits[3]].object].addr, places[3]);
    assert_non_null(b->waits->list[waits[3]].doubt);
}

TEST_OF(wait_of_a_repeat_is_not_recognised_again_in_vain, bench, b, ARCH_X86_64)
{
    uint32_t words[10], first;
    struct wait_now now;

    memcpy(words, mutex, sizeof(words));
    add_thread(b, OWNER, "owner");
    add_memory(b, 0x6000, words, sizeof(words));
    set_call(b, SYS_futex, 0x6000, 0, 2);
    set_function(b, 0x2000);
    first = find(b);
    now = b->now;
    assert_true(now.shared);
    words[2] = OWNER + 1; /* would be seen, were it read */
    b->sample.repeat = b->sample.same_waits = true;
    assert_int_equal(find(b), first);
    assert_memory_equal(&b->now, &now, sizeof(now));
    add_thread(b, OWNER, "another name");
    assert_int_equal(find(b), first);
    b->sample.same_waits = false;
    assert_int_equal(find_wait(b)->owner_tid, OWNER + 1);
    assert_non_null(find_wait(b)->doubt);
    b->sample.same_waits = true; /* what it depends on besides is seen */
    add_thread(b, OWNER + 1, "late");
    assert_null(find_wait(b)->doubt);
    waits_thread_ended(b->waits, PID, OWNER + 1);
    assert_non_null(find_wait(b)->doubt);
    words[2] = OWNER;
    b->sample.repeat = b->sample.same_waits = false; /* it is another sample */
    assert_int_equal(find(b), first);
}

TEST_OF(wait_for_itself_is_told_once_a_later_reading_says_so, bench, b, ARCH_X86_64)
{
    uint32_t words[10] = {2, 0, TID, 1, 0};

    add_thread(b, OWNER, "owner");
    add_memory(b, 0x6000, words, sizeof(words))->time_ns = 110;
    b->sample.time_ns = 100;
    set_call(b, SYS_futex, 0x6000, 128, 2);
    set_function(b, 0x2000);
    assert_int_equal(find_wait(b)->owner_tid, 0); /* it has got it since */
    assert_null(find_wait(b)->doubt);
    assert_true(b->now.over);
    b->sample.repeat = b->sample.same_waits = true;
    b->sample.time_ns = 200;
    assert_int_equal(find_wait(b)->owner_tid, 0);
    assert_true(b->now.over);
    b->pieces[0].time_ns = 210; /* read again, and unchanged */
    assert_int_equal(find_wait(b)->owner_tid, TID);
    assert_false(b->now.over);
    assert_int_equal(find_wait(b)->owner_tid, TID);
    b->sample.repeat = b->sample.same_waits = false;
    assert_int_equal(find_wait(b)->owner_tid, 0);
    b->sample.held = true; /* nobody ran between the sample and the reading */
    assert_int_equal(find_wait(b)->owner_tid, TID);
    assert_false(b->now.over);
    b->sample.held = false;
    b->pieces[0].time_ns = 0; /* memory of the sample itself, as of a core */
    assert_int_equal(find_wait(b)->owner_tid, TID);
    words[2] = OWNER; /* it may get it after a repeat, too */
    b->pieces[0].time_ns = 310;
    assert_int_equal(find_wait(b)->owner_tid, OWNER);
    words[2] = TID;
    b->pieces[0].time_ns = 410;
    b->sample.repeat = true;
    assert_int_equal(find_wait(b)->owner_tid, 0);
    b->pieces[0].time_ns = 510;
    assert_int_equal(find_wait(b)->owner_tid, TID);
}

TEST_OF(wait_tells_whether_it_may_end_by_itself, bench, b, ARCH_X86_64)
{
    uint32_t words[10];

    memcpy(words, mutex, sizeof(words));
    add_thread(b, OWNER, "owner");
    add_memory(b, 0x6000, words, sizeof(words));
    set_function(b, 0x2000);
    set_call(b, SYS_futex, 0x6000, 128, 2);
    (void)find(b);
    assert_false(b->now.timed || b->now.over || b->now.shared);
    words[0] = 1; /* it has gone to another owner */
    (void)find(b);
    assert_false(b->now.over);
    words[0] = 0;
    (void)find(b);
    assert_true(b->now.over);
    words[0] = 2;
    set_call(b, SYS_futex, 0x6000, 0, 2);
    (void)find(b);
    assert_true(b->now.shared && !b->now.over);
    b->sample.syscall_args[3] = 0x7000;
    (void)find(b);
    assert_true(b->now.timed);
    /* futex_wait: word, value, mask, flags, time limit */
    memcpy(b->sample.syscall_args, (uint64_t[6]){0x6000, 2, UINT32_MAX, 130, 0, 0}, 48);
    b->sample.syscall = 455;
    (void)find(b);
    assert_false(b->now.timed || b->now.over || b->now.shared);
    b->sample.syscall_args[4] = 0x7000;
    (void)find(b);
    assert_true(b->now.timed);
    set_call(b, SYS_pause, 0, 0, 0);
    (void)find(b);
    assert_false(b->now.timed || b->now.over || b->now.shared);
    words[0] = 77; /* a thread's tid, in its own namespace of pids */
    set_call(b, SYS_futex, 0x6000, 0, 77);
    set_function(b, 0x4000);
    assert_int_equal(find_wait(b)->kind, WAIT_JOIN);
    assert_false(b->now.shared || b->now.over);
    words[0] = 0;
    (void)find(b);
    assert_true(b->now.over);
}

TEST(wait_object_is_named_by_its_place)
{
    static const struct {
        uint8_t place;
        const char *name;
    } cases[] = {
        {SNAP_PLACE_HEAP, "heap+0x10"},        {SNAP_PLACE_ANON, "[anon]+0x6010"},
        {SNAP_PLACE_STACK, "[stack]+0x10"},    {SNAP_PLACE_FILE, "libx.so+0x5010"},
        {SNAP_PLACE_UNKNOWN, "[anon]+0x6010"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct snap_wait *piece;
        struct bench b;

        bench_init(&b, ARCH_X86_64);
        piece = add_memory(&b, 0x6010, mutex, sizeof(mutex));
        piece->place = cases[i].place;
        piece->path = "/opt/libx.so";
        piece->file_addr = 0x1000;
        set_call(&b, SYS_futex, 0x6010, 128, 2);
        set_function(&b, 0x2000);
        expect(&b, WAIT_MUTEX, cases[i].name);
        bench_deinit(&b);
    }
}

/* The thread on whose stack the lock is may be met after the one that waits for it. */
TEST_OF(wait_object_on_a_stack_is_named_once_that_is_known, bench, b, ARCH_X86_64)
{
    static const uint8_t stack[0x1000];

    add_thread(b, OWNER, "worker\x1b");
    add_memory(b, 0x6010, mutex, sizeof(mutex))->place = SNAP_PLACE_ANON;
    set_call(b, SYS_futex, 0x6010, 128, 2);
    set_function(b, 0x2000);
    expect(b, WAIT_MUTEX, "[anon]+0x6010");
    b->sample.wait_count = 0;
    b->sample.tid = OWNER;
    b->sample.state = 'R';
    b->region = (struct snap_region){.start_addr = 0x6000,
                                     .end_addr = 0x7000,
                                     .map_end_addr = 0x7000,
                                     .bytes = stack};
    b->sample.regions = &b->region;
    b->sample.region_count = 1;
    b->sample.stack_map_addr = 0x2000;
    regs_set(&b->sample.regs, arch_get(ARCH_X86_64)->sp, 0x6008);
    assert_int_equal(find(b), WAIT_NONE);
    assert_string_equal(b->waits->objects[0].name, "stack of worker? (7)+0x4010");
}

/* The same address, at which there is another lock. */
static uint32_t find_object(struct bench *b)
{
    return find_wait(b)->object;
}

TEST_OF(wait_object_of_another_program_is_another, bench, b, ARCH_X86_64)
{
    struct snap_wait *piece;
    uint32_t first;

    piece = add_memory(b, 0x6000, mutex, sizeof(mutex));
    piece->place = SNAP_PLACE_FILE;
    piece->path = "/bin/first";
    set_call(b, SYS_futex, 0x6000, 128, 2);
    set_function(b, 0x2000);
    first = find_object(b);
    piece->path = "/bin/second";
    assert_int_equal(find_object(b), first);
    assert_int_equal(waits_process(b->waits, PID + 1), STATUS_OK);
    assert_int_equal(find_object(b), first);
    assert_int_equal(waits_process(b->waits, PID), STATUS_OK);
    assert_int_not_equal(find_object(b), first);
    assert_string_equal(b->waits->objects[first].name, "first");
    assert_string_equal(b->waits->objects[find_object(b)].name, "second");
}

TEST_OF(wait_object_of_another_type_is_another, bench, b, ARCH_X86_64)
{
    uint32_t words[10] = {2, 0, OWNER, 1, 1}, none[10] = {0xffffffff};
    uint32_t first;

    add_thread(b, OWNER, "owner");
    add_memory(b, 0x6000, words, sizeof(words))->place = SNAP_PLACE_HEAP;
    set_call(b, SYS_futex, 0x6000, 128, 2);
    set_function(b, 0x2000);
    b->pieces[0].bytes = (const uint8_t *)none; /* its type is not known yet */
    first = find_object(b);
    b->pieces[0].bytes = (const uint8_t *)words;
    assert_int_equal(find_object(b), first);
    assert_string_equal(b->waits->objects[first].detail, "recursive");
    b->pieces[0].bytes = (const uint8_t *)none;
    assert_int_equal(find_object(b), first);
    b->pieces[0].bytes = (const uint8_t *)words;
    words[4] = 2;
    assert_int_not_equal(find_object(b), first);
    assert_string_equal(b->waits->objects[first].detail, "recursive");
    assert_string_equal(b->waits->objects[find_object(b)].detail, "errorcheck");
    words[4] = 16; /* robust: that its owner dies does not make it another */
    words[0] = OWNER;
    first = find_object(b);
    words[0] = OWNER | 0x40000000;
    assert_int_equal(find_object(b), first);
}

TEST_OF(wait_object_on_a_stack_ends_with_its_thread, bench, b, ARCH_X86_64)
{
    uint8_t stack[0x1000] = {0};
    uint32_t first;

    add_thread(b, OWNER, "owner");
    memcpy(stack + 0x100, mutex, sizeof(mutex));
    b->region = (struct snap_region){.start_addr = 0x6000,
                                     .end_addr = 0x7000,
                                     .map_end_addr = 0x7000,
                                     .bytes = stack};
    b->sample.regions = &b->region;
    b->sample.region_count = 1;
    regs_set(&b->sample.regs, arch_get(ARCH_X86_64)->sp, 0x6008);
    set_call(b, SYS_futex, 0x6100, 128, 2);
    set_function(b, 0x2000);
    first = find_object(b);
    assert_string_equal(b->waits->objects[first].name, "stack of waiter (9)+0x100");
    add_thread(b, TID + 1, "later");
    assert_int_equal(find_object(b), first);
    waits_thread_ended(b->waits, PID, TID);
    b->sample.tid = TID + 1;
    assert_int_not_equal(find_object(b), first);
    assert_string_equal(b->waits->objects[first].name, "stack of waiter (9)+0x100");
    assert_string_equal(b->waits->objects[find_object(b)].name, "stack of later (10)+0x100");
}

TEST_OF(wait_for_a_thread_has_its_name_made_harmless, bench, b, ARCH_X86_64)
{
    static const uint32_t tid = OWNER;

    add_thread(b, OWNER, "work\x1b[1m");
    add_memory(b, 0x6000, &tid, sizeof(tid))->place = SNAP_PLACE_ANON;
    set_call(b, SYS_futex, 0x6000, 0, OWNER);
    set_function(b, 0x4000);
    expect(b, WAIT_JOIN, "thread work?[1m (7)");
}

TEST(wait_kinds_have_names_of_their_own)
{
    for (enum wait_kind kind = 0; kind < WAIT_KIND_COUNT; kind++) {
        assert_non_null(wait_kind_name(kind));
        for (enum wait_kind other = 0; other < kind; other++)
            assert_string_not_equal(wait_kind_name(kind), wait_kind_name(other));
    }
}
