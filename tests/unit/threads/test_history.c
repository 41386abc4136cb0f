/* SPDX-License-Identifier: MIT */
/* What a history keeps of a snapshot's events: threads, their makers, and the spans of what they
 * did. */
#include "unit_test.h"
#include "threads/history.h"

#define PID 7u

static struct snap_thread thread_info(uint32_t tid, const char *name, uint64_t time_ns)
{
    return (struct snap_thread){.pid = PID, .tid = tid, .name = name, .time_ns = time_ns};
}

static void thread_comes(struct history *h, uint32_t tid, const char *name, uint64_t time_ns)
{
    const struct snap_thread info = thread_info(tid, name, time_ns);

    assert_int_equal(history_thread(h, &info), STATUS_OK);
}

static void thread_ends(struct history *h, uint32_t tid, uint64_t time_ns)
{
    const struct snap_thread info = thread_info(tid, NULL, time_ns);

    assert_int_equal(history_thread_end(h, &info), STATUS_OK);
}

struct seen {
    uint32_t tid;
    uint64_t time_ns, cpu_ns;
    uint32_t chain;
    char state;
    bool repeat;
    size_t depth;
    uint64_t stack_used;
    uint64_t read_ns; /* when the lock's memory was read; 0: it was not */
};

static void sample(struct history *h, struct seen seen)
{
    const struct snap_region region = {.start_addr = 0x10000,
                                       .end_addr = 0x20000,
                                       .map_end_addr = 0x20000};
    struct snap_sample s = {.pid = PID,
                            .tid = seen.tid,
                            .time_ns = seen.time_ns,
                            .cpu_ns = seen.cpu_ns,
                            .state = seen.state,
                            .repeat = seen.repeat,
                            .stack_map_addr = 0x8000,
                            .regions = &region,
                            .region_count = 1};
    const struct snap_wait wait = {.kind = SNAP_WAIT_MEMORY, .time_ns = seen.read_ns};
    const struct chain chain = {.count = seen.depth};
    const struct ingest_sample given = {.sample = &s, .chain = &chain, .chain_id = seen.chain};

    s.waits = &wait;
    s.wait_count = seen.read_ns != 0;
    regs_set(&s.regs, h->arch->sp, 0x20000 - seen.stack_used);
    assert_int_equal(history_sample(h, &given), STATUS_OK);
}

static void begin(struct history *h)
{
    const struct snap_process process = {.pid = PID, .exe = "/bin/prog"};

    history_init(h, NULL, arch_get(ARCH_X86_64));
    assert_int_equal(history_process(h, &process), STATUS_OK);
    thread_comes(h, PID, "main", 0);
}

TEST_BETWEEN(spans_join_what_did_not_change, history, h, begin, history_deinit)
{
    const struct span *spans;

    sample(h, (struct seen){.tid = PID, .time_ns = 10, .state = 'R', .chain = 1});
    sample(h, (struct seen){.tid = PID, .time_ns = 20, .state = 'R', .chain = 1, .cpu_ns = 4});
    sample(h, (struct seen){.tid = PID, .time_ns = 30, .state = 'S', .chain = 2, .cpu_ns = 5});
    sample(h, (struct seen){.tid = PID, .time_ns = 40, .state = 'S', .chain = 2, .repeat = true});
    thread_ends(h, PID, 50);
    assert_int_equal(h->threads[0].span_count, 2);
    spans = h->threads[0].spans;
    assert_int_equal(spans[0].start_ns, 10);
    assert_int_equal(spans[0].seen_ns, 20);
    assert_int_equal(spans[0].end_ns, 30);
    assert_int_equal(spans[0].samples, 2);
    assert_int_equal(spans[0].cpu_ns, 4);
    assert_int_equal(spans[1].start_ns, 30);
    assert_int_equal(spans[1].seen_ns, 40);
    assert_int_equal(spans[1].end_ns, 50);
    assert_int_equal(h->threads[0].end_ns, 50);
    assert_int_equal(h->threads[0].samples, 4);
    assert_int_equal(h->threads[0].cpu_ns, 9);
    assert_int_equal(h->first_ns, 10);
    assert_int_equal(h->last_ns, 40);
}

/* Of a task: what it saves, in a register and on its stack. */
struct task_seen {
    uint64_t time_ns, wake_tick, reg;
    uint8_t byte;
    bool runs;
};

static void sample_task_as(struct history *h, struct task_seen seen)
{
    const struct snap_region region = {.start_addr = 0x1fff,
                                       .end_addr = 0x2000,
                                       .map_end_addr = 0x2000,
                                       .bytes = &seen.byte};
    const struct snap_task task = {.state = seen.runs ? SNAP_TASK_RUNNING : SNAP_TASK_BLOCKED,
                                   .wake_tick = seen.wake_tick,
                                   .tick = seen.time_ns};
    struct snap_sample s = {.pid = PID,
                            .tid = PID,
                            .time_ns = seen.time_ns,
                            .state = seen.runs ? 'R' : 'S',
                            .task = &task,
                            .regions = &region,
                            .region_count = 1};
    const struct chain chain = {.count = 1};

    regs_set(&s.regs, 0, seen.reg);
    assert_int_equal(history_sample(h, &(struct ingest_sample){.sample = &s, .chain = &chain}),
                     STATUS_OK);
}

static void sample_task(struct history *h, uint64_t time_ns, uint64_t wake_tick, uint8_t byte)
{
    sample_task_as(h, (struct task_seen){.time_ns = time_ns, .wake_tick = wake_tick, .byte = byte});
}

TEST_BETWEEN(a_task_waits_on_until_its_tick_or_stack_is_another, history, h, begin, history_deinit)
{
    const struct span *spans;

    sample_task(h, 10, 100, 1);
    sample_task(h, 20, 100, 1);
    sample_task(h, 30, 100, 1);
    sample_task(h, 40, 200, 1);
    sample_task(h, 50, 200, 2);
    sample_task(h, 60, 200, 2);
    assert_int_equal(h->threads[0].span_count, 3);
    spans = h->threads[0].spans;
    assert_int_equal(spans[0].start_ns, 10);
    assert_int_equal(spans[0].samples, 3);
    assert_int_equal(spans[0].end_ns, 40);
    assert_int_equal(spans[1].samples, 1);
    assert_int_equal(spans[2].samples, 2);
}

TEST_BETWEEN(a_task_with_other_registers_or_that_ran_waits_anew, history, h, begin, history_deinit)
{
    sample_task_as(h, (struct task_seen){.time_ns = 10, .reg = 1});
    sample_task_as(h, (struct task_seen){.time_ns = 20, .reg = 2});
    sample_task_as(h, (struct task_seen){.time_ns = 30, .reg = 2, .runs = true});
    sample_task_as(h, (struct task_seen){.time_ns = 40, .reg = 2});
    assert_int_equal(h->threads[0].span_count, 4);
    for (size_t i = 1; i < 4; i++)
        assert_false(h->threads[0].spans[i].goes_on);
}

/* Files have had the time of the thread's first program in all that follow. */
TEST_BETWEEN(a_thread_is_not_older_than_its_program, history, h, begin, history_deinit)
{
    const struct snap_process process = {.pid = PID,
                                         .exe = "/bin/next",
                                         .exec = true,
                                         .time_ns = 50};

    sample(h, (struct seen){.tid = PID, .time_ns = 10, .state = 'R', .chain = 1});
    assert_int_equal(history_process(h, &process), STATUS_OK);
    thread_comes(h, PID, "next", 5);
    thread_comes(h, 9, "later", 60);
    assert_int_equal(h->thread_count, 3);
    assert_int_equal(h->threads[0].end_ns, 50);
    assert_int_equal(h->threads[1].found_ns, 50);
    assert_true(h->threads[1].cpu_unknown);
    assert_int_equal(h->threads[2].found_ns, 60);
    assert_false(h->threads[2].cpu_unknown);
}

/* It was woken in between, though it sleeps at the same place again. */
TEST_BETWEEN(a_wait_that_was_left_is_another, history, h, begin, history_deinit)
{
    sample(h, (struct seen){.tid = PID, .time_ns = 10, .state = 'S', .chain = 2});
    sample(h, (struct seen){.tid = PID, .time_ns = 20, .state = 'S', .chain = 2});
    assert_int_equal(h->threads[0].span_count, 2);
    assert_int_equal(h->threads[0].spans[0].end_ns, 20);
    assert_false(h->threads[0].spans[1].goes_on);
}

/* What is told of it has changed, as the owner of a lock, but it has not run. */
TEST_BETWEEN(a_wait_that_only_looks_otherwise_goes_on, history, h, begin, history_deinit)
{
    sample(h, (struct seen){.tid = PID, .time_ns = 10, .state = 'S', .chain = 2, .repeat = true});
    sample(h, (struct seen){.tid = PID, .time_ns = 20, .state = 'D', .chain = 2, .repeat = true});
    assert_int_equal(h->threads[0].span_count, 2);
    assert_false(h->threads[0].spans[0].goes_on);
    assert_true(h->threads[0].spans[1].goes_on);
}

/* A thread may block anew between a sample and the first look that finds it has not run since. */
TEST_BETWEEN(a_thread_is_blocked_for_certain_from_the_second_repeat_on, history, h, begin,
             history_deinit)
{
    const struct span_proof *proof = &h->threads[0].proof;
    const struct span *span;

    sample(h, (struct seen){.tid = PID, .time_ns = 10, .state = 'S', .chain = 2, .read_ns = 11});
    sample(h,
           (struct seen){
               .tid = PID, .time_ns = 20, .state = 'S', .chain = 2, .repeat = true, .read_ns = 11});
    span = h->threads[0].spans;
    assert_int_equal(proof->sure_ns, 0);
    assert_int_equal(span->read_ns, 11);
    assert_int_equal(proof->earlier_read_ns, 0);
    sample(h,
           (struct seen){
               .tid = PID, .time_ns = 30, .state = 'S', .chain = 2, .repeat = true, .read_ns = 25});
    sample(h,
           (struct seen){
               .tid = PID, .time_ns = 40, .state = 'S', .chain = 2, .repeat = true, .read_ns = 35});
    assert_int_equal(proof->sure_ns, 30);
    assert_int_equal(span->read_ns, 35);
    assert_int_equal(proof->earlier_read_ns, 25);
    assert_int_equal(span->seen_ns, 40);
    sample(h, (struct seen){.tid = PID, .time_ns = 50, .state = 'S', .chain = 2});
    assert_int_equal(proof->sure_ns, 0);
    assert_int_equal(proof->earlier_read_ns, 0);
}

TEST_BETWEEN(threads_know_their_makers, history, h, begin, history_deinit)
{
    const struct chain chain = {.count = 0};
    const struct snap_creation creation = {.maker = {.pid = PID, .tid = PID, .time_ns = 15},
                                           .new_pid = PID,
                                           .new_tid = 8};
    const struct ingest_creation given = {.creation = &creation, .chain = &chain, .chain_id = 5};

    assert_true(h->threads[0].found_running);
    assert_true(h->threads[0].is_main);
    sample(h, (struct seen){.tid = PID, .time_ns = 10, .state = 'R'});
    thread_comes(h, 8, "worker", 16);
    assert_int_equal(history_creation(h, &given), STATUS_OK);
    assert_int_equal(h->threads[1].maker, 0);
    assert_int_equal(h->threads[1].creation_chain, 5);
    assert_int_equal(h->threads[1].found_ns, 15);
    assert_false(h->threads[1].found_running);
    assert_false(h->threads[1].is_main);
}

TEST_BETWEEN(a_tid_that_comes_again_is_another_thread, history, h, begin, history_deinit)
{
    thread_comes(h, 8, "one", 1);
    sample(h, (struct seen){.tid = 8, .time_ns = 2, .state = 'R'});
    thread_ends(h, 8, 3);
    sample(h, (struct seen){.tid = 8, .time_ns = 4, .state = 'R'}); /* nobody's */
    thread_comes(h, 8, "two", 5);
    sample(h, (struct seen){.tid = 8, .time_ns = 6, .state = 'R'});
    assert_int_equal(h->thread_count, 3);
    assert_int_equal(h->threads[1].samples, 1);
    assert_int_equal(h->threads[2].samples, 1);
    assert_string_equal(h->threads[1].name, "one");
    assert_string_equal(h->threads[2].name, "two");
}

TEST_BETWEEN(a_new_name_is_the_same_thread, history, h, begin, history_deinit)
{
    thread_comes(h, PID, "renamed", 5);
    assert_int_equal(h->thread_count, 1);
    assert_string_equal(h->threads[0].name, "renamed");
}

TEST_BETWEEN(exec_ends_the_threads_of_before, history, h, begin, history_deinit)
{
    const struct snap_process process = {.pid = PID,
                                         .exe = "/bin/other",
                                         .time_ns = 20,
                                         .exec = true};

    thread_comes(h, 8, "worker", 1);
    assert_int_equal(history_process(h, &process), STATUS_OK);
    assert_int_equal(h->threads[0].end_ns, 20);
    assert_int_equal(h->threads[1].end_ns, 20);
    thread_comes(h, PID, "other", 21);
    assert_int_equal(h->thread_count, 3);
    assert_string_equal(h->processes[h->threads[2].process].exe, "/bin/other");
    assert_string_equal(h->processes[h->threads[0].process].exe, "/bin/prog");
}

TEST_BETWEEN(the_deepest_stack_is_kept, history, h, begin, history_deinit)
{
    const struct history_thread *thread = &h->threads[0];

    sample(h, (struct seen){.tid = PID, .state = 'R', .chain = 1, .depth = 3, .stack_used = 0x100});
    sample(h, (struct seen){.tid = PID, .state = 'R', .chain = 2, .depth = 2, .stack_used = 0x900});
    sample(h, (struct seen){.tid = PID, .state = 'R', .chain = 3, .depth = 1, .stack_used = 0x200});
    assert_int_equal(thread->depth, 3);
    assert_int_equal(thread->depth_chain, 1);
    assert_int_equal(thread->stack_used, 0x900);
    assert_int_equal(thread->stack_used_chain, 2);
    assert_int_equal(thread->stack_mapped, 0x20000 - 0x8000);
}

TEST_BETWEEN(another_snapshot_has_other_threads, history, h, begin, history_deinit)
{
    sample(h, (struct seen){.tid = PID, .time_ns = 10, .state = 'R'});
    history_end(h);
    thread_comes(h, PID, "main", 0);
    assert_int_equal(h->thread_count, 2);
    assert_true(h->threads[1].found_running);
}

/* Their clocks have nothing to do with each other. */
TEST_BETWEEN(times_are_those_of_the_own_snapshot, history, h, begin, history_deinit)
{
    static const uint64_t times[] = {1000, 1030, 10, 15};
    const struct snap_process process = {.pid = PID, .exe = "/bin/prog"};

    for (unsigned i = 0; i < 2; i++)
        sample(h, (struct seen){.tid = PID, .time_ns = times[i], .state = 'R'});
    history_end(h);
    assert_int_equal(history_process(h, &process), STATUS_OK);
    thread_comes(h, PID, "main", 0);
    for (unsigned i = 2; i < 4; i++)
        sample(h, (struct seen){.tid = PID, .time_ns = times[i], .state = 'R'});
    history_end(h);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(history_first_ns(h, i), times[2 * i]);
        assert_int_equal(history_last_ns(h, i), times[2 * i + 1]);
    }
    assert_int_equal(history_length_ns(h), 35);
}

/* Of a part of it: its first sample is not shown, and so is not handed over. */
TEST_BETWEEN(times_are_told_from_where_the_snapshot_begins, history, h, begin, history_deinit)
{
    assert_int_equal(history_begin(h, 1000), STATUS_OK);
    thread_comes(h, 8, "made", 1010);
    sample(h, (struct seen){.tid = PID, .time_ns = 1500, .state = 'R'});
    assert_int_equal(history_zero_ns(h, 0), 1000);
    assert_int_equal(history_first_ns(h, 0), 1500);
    assert_true(h->threads[0].found_running);
    assert_false(h->threads[1].found_running);
    history_end(h);
    thread_comes(h, PID, "main", 0);
    assert_true(h->threads[2].found_running);
    assert_int_equal(history_begin(h, 30), STATUS_OK);
    sample(h, (struct seen){.tid = PID, .time_ns = 40, .state = 'R'});
    assert_int_equal(history_zero_ns(h, 0), 1000);
    assert_int_equal(history_zero_ns(h, h->threads[2].process), 30);
    assert_int_equal(h->zero_ns, 30);
}

/* A process whose exec was not seen is another with the same number. */
TEST_BETWEEN(exec_ends_those_of_an_earlier_process_too, history, h, begin, history_deinit)
{
    struct snap_process process = {.pid = PID, .exe = "/bin/other", .time_ns = 20};

    thread_comes(h, 8, "worker", 1);
    assert_int_equal(history_process(h, &process), STATUS_OK);
    thread_comes(h, 9, "other", 21);
    process.time_ns = 30;
    process.exec = true;
    assert_int_equal(history_process(h, &process), STATUS_OK);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(h->threads[i].end_ns, 30);
}

TEST_BETWEEN(an_end_that_was_not_seen_lengthens_nothing, history, h, begin, history_deinit)
{
    sample(h, (struct seen){.tid = PID, .time_ns = 10, .state = 'R'});
    thread_ends(h, PID, 0);
    assert_int_equal(h->threads[0].end_ns, 0);
    assert_int_equal(h->threads[0].spans[0].end_ns, 10);
    assert_int_equal(history_find(h, PID), HISTORY_NONE);
}

TEST_BETWEEN(what_is_too_much_is_told, history, h, begin, history_deinit)
{
    struct diag diag;

    assert_int_equal(h->spans_max, HISTORY_SPANS_MAX);
    h->spans_max = 2;
    for (unsigned i = 1; i <= 2; i++)
        sample(h, (struct seen){.tid = PID, .time_ns = i, .state = 'R', .chain = i});
    assert_false(history_is_cut(h, &diag));
    sample(h, (struct seen){.tid = PID, .time_ns = 3, .state = 'R', .chain = 3});
    assert_true(history_is_cut(h, &diag));
    assert_string_equal(diag.what,
                        "threads changed what they did more than 2 times: what came after that "
                        "is not shown");
    assert_int_equal(h->span_count, 2);
    assert_int_equal(h->threads[0].span_count, 2);
    assert_int_equal(h->threads[0].samples, 3);
}
