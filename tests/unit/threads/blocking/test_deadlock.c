/* SPDX-License-Identifier: MIT */
#include "waiter_fixture.h"

#include <time.h>

/* Two threads that wait for each other from 100 and 120 to 300. */
static void add_two(struct waiter *f)
{
    uint32_t a = waiter_thread(f, 11, "a"), b = waiter_thread(f, 12, "b");
    uint32_t first = waiter_object(f, WAIT_MUTEX, "g_first");
    uint32_t second = waiter_object(f, WAIT_MUTEX, "g_second");

    waiter_waits(f, a, 100, 300, first, 12);
    waiter_waits(f, b, 120, 300, second, 11);
}

static struct span *last_span(struct waiter *f, uint32_t thread)
{
    struct history_thread *t = &f->history.threads[thread];

    return &t->spans[t->span_count - 1];
}

static void assert_two(struct waiter *f, bool proved)
{
    waiter_make(f);
    assert_int_equal(f->deadlocks->count, 1);
    assert_int_equal(f->deadlocks->list[0].count, 2);
    assert_int_equal(f->deadlocks->list[0].proved, proved);
}

TEST_OF(deadlock_of_two_blocked_together_is_proved, waiter, f)
{
    add_two(f);
    assert_two(f, true);
    assert_int_equal(f->deadlocks->members[0], 0);
    assert_int_equal(f->deadlocks->members[1], 1);
    assert_int_equal(f->deadlocks->list[0].since_ns, 120);
    assert_false(f->deadlocks->list[0].inferred);
    assert_false(f->deadlocks->list[0].timed);
}

TEST_OF(deadlock_owner_read_before_it_was_blocked_is_possible_only, waiter, f)
{
    add_two(f);
    last_span(f, 0)->read_ns = 119;
    assert_two(f, false);
    last_span(f, 0)->read_ns = 120;
    assert_two(f, true);
    last_span(f, 0)->read_ns = 0;
    assert_two(f, false);
}

TEST_OF(deadlock_owner_read_after_it_was_last_seen_is_possible_only, waiter, f)
{
    add_two(f);
    last_span(f, 1)->seen_ns = 250;
    assert_two(f, false);
    f->history.threads[0].proof.earlier_read_ns = 250;
    assert_two(f, true);
}

TEST_OF(deadlock_seen_in_one_look_is_possible_only, waiter, f)
{
    add_two(f);
    f->history.threads[0].proof.sure_ns = 0;
    assert_two(f, false);
}

/* Each was read while the owner was blocked, but they never were both. */
TEST_OF(deadlock_waits_that_do_not_overlap_are_possible_only, waiter, f)
{
    add_two(f);
    last_span(f, 0)->seen_ns = 200;
    f->history.threads[1].proof.sure_ns = 201;
    last_span(f, 0)->read_ns = 250;
    last_span(f, 1)->read_ns = 150;
    assert_two(f, false);
    f->history.threads[1].proof.sure_ns = 200;
    assert_two(f, true);
}

TEST_OF(deadlock_in_a_core_needs_no_times, waiter, f)
{
    add_two(f);
    for (uint32_t i = 0; i < 2; i++) {
        f->history.threads[i].proof.sure_ns = 0;
        last_span(f, i)->read_ns = 0;
    }
    f->history.processes[0].one_moment = true;
    assert_two(f, true);
}

TEST_OF(deadlock_with_an_inferred_owner_says_so, waiter, f)
{
    add_two(f);
    f->waits.list[1].owner_evidence = WAIT_INFERRED;
    assert_two(f, true);
    assert_true(f->deadlocks->list[0].inferred);
}

TEST_OF(deadlock_with_a_time_limit_says_so, waiter, f)
{
    add_two(f);
    f->history.threads[1].proof.now.timed = true;
    assert_two(f, true);
    assert_true(f->deadlocks->list[0].timed);
}

/* What came later may have dissolved it. */
TEST_OF(deadlock_in_a_history_that_is_full_is_possible_only, waiter, f)
{
    add_two(f);
    f->history.full = true;
    assert_two(f, false);
    assert_int_equal(f->deadlocks->standstill_count, 0);
}

TEST_OF(deadlock_that_dissolved_is_none, waiter, f)
{
    add_two(f);
    waiter_runs(f, 1, 300, 310);
    waiter_make(f);
    assert_int_equal(f->deadlocks->count, 0);
}

TEST_OF(deadlock_of_a_thread_that_ended_is_none, waiter, f)
{
    add_two(f);
    f->history.threads[1].end_ns = 300;
    waiter_make(f);
    assert_int_equal(f->deadlocks->count, 0);
}

TEST_OF(deadlock_by_a_doubtful_lock_is_none, waiter, f)
{
    add_two(f);
    f->waits.list[1].doubt = "nonsense";
    waiter_make(f);
    assert_int_equal(f->deadlocks->count, 0);
}

/* A lock that processes share; of another snapshot the tid says nothing. */
TEST_OF(deadlock_owner_may_be_of_another_process_of_the_snapshot, waiter, f)
{
    uint32_t lock;

    add_two(f);
    waiter_process(f, 8, false);
    lock = waiter_object(f, WAIT_MUTEX, "g_elsewhere");
    waiter_waits(f, waiter_thread(f, 21, "other"), 100, 300, lock, 11);
    waiter_make(f);
    assert_int_equal(f->deadlocks->count, 1);
    assert_int_equal(f->deadlocks->owner[2], 0);
    assert_int_equal(f->deadlocks->list[0].behind, 1);
    f->history.processes[1].snapshot = 1;
    waiter_make(f);
    assert_int_equal(f->deadlocks->count, 1);
    assert_int_equal(f->deadlocks->list[0].behind, 0);
    assert_int_equal(f->deadlocks->owner[2], HISTORY_NONE);
}

TEST_OF(deadlock_tid_used_again_is_of_the_later_thread, waiter, f)
{
    add_two(f);
    waiter_make(f);
    f->history.threads[1].end_ns = 130;
    last_span(f, 1)->end_ns = 130;
    map_remove(&f->history.live, 12);
    f->history.threads[waiter_thread(f, 12, "again")].found_ns = 140;
    waiter_waits(f, 2, 150, 300, 1, 11);
    waiter_make(f);
    assert_int_equal(f->deadlocks->count, 1);
    assert_int_equal(f->deadlocks->members[1], 2);
}

TEST_OF(deadlock_of_one_waits_for_itself, waiter, f)
{
    uint32_t a, lock;

    a = waiter_thread(f, 11, "a");
    lock = waiter_object(f, WAIT_MUTEX, "g_lock");
    waiter_waits(f, a, 100, 300, lock, 11);
    waiter_make(f);
    assert_int_equal(f->deadlocks->count, 1);
    assert_int_equal(f->deadlocks->list[0].count, 1);
    assert_true(f->deadlocks->list[0].proved);
}

TEST_OF(deadlock_of_three_leads_with_the_first_and_counts_who_waits_behind, waiter, f)
{
    uint32_t locks[3];

    for (uint32_t i = 0; i < 6; i++)
        waiter_thread(f, 10 + i, "t");
    for (size_t i = 0; i < 3; i++)
        locks[i] = waiter_object(f, i == 1 ? WAIT_RWLOCK_WRITE : WAIT_MUTEX, "lock");
    waiter_waits(f, 0, 90, 300, locks[2], 15); /* waits for one of them */
    waiter_waits(f, 1, 90, 300, locks[0], 10); /* and this for that one */
    waiter_waits(f, 5, 100, 300, locks[1], 14);
    waiter_waits(f, 4, 100, 300, locks[2], 13);
    waiter_waits(f, 3, 100, 300, locks[0], 15);
    waiter_runs(f, 2, 1, 300);
    waiter_make(f);
    assert_int_equal(f->deadlocks->count, 1);
    assert_int_equal(f->deadlocks->list[0].count, 3);
    assert_int_equal(f->deadlocks->members[0], 3);
    assert_int_equal(f->deadlocks->members[1], 5);
    assert_int_equal(f->deadlocks->members[2], 4);
    assert_int_equal(f->deadlocks->list[0].behind, 2);
    assert_int_equal(f->deadlocks->of_thread[1], 0);
    assert_int_equal(f->deadlocks->of_thread[2], WAIT_GRAPH_NONE);
}

TEST_OF(deadlocks_that_are_proved_come_first, waiter, f)
{
    add_two(f);
    f->history.threads[0].proof.sure_ns = 0;
    waiter_thread(f, 13, "c");
    waiter_waits(f, 2, 100, 300, waiter_object(f, WAIT_MUTEX, "g_own"), 13);
    waiter_make(f);
    assert_int_equal(f->deadlocks->count, 2);
    assert_true(f->deadlocks->list[0].proved);
    assert_int_equal(f->deadlocks->list[0].count, 1);
    assert_int_equal(f->deadlocks->of_thread[0], 1);
}

TEST_OF(standstill_is_when_every_thread_waits_for_another, waiter, f)
{
    uint32_t condition;

    waiter_thread(f, 11, "a");
    waiter_thread(f, 12, "b");
    condition = waiter_object(f, WAIT_CONDITION, "g_condition");
    waiter_waits(f, 0, 100, 300, condition, 0);
    waiter_waits(f, 1, 200, 300, waiter_object(f, WAIT_MUTEX, "g_lock"), 0);
    waiter_make(f);
    assert_int_equal(f->deadlocks->count, 0);
    assert_int_equal(f->deadlocks->standstill_count, 1);
    assert_int_equal(f->deadlocks->standstills[0].thread_count, 2);
    assert_false(f->deadlocks->standstills[0].locks_only);
    f->history.threads[1].proof.now.timed = true;
    waiter_make(f);
    assert_int_equal(f->deadlocks->standstill_count, 0);
    f->history.threads[1].proof = (struct span_proof){.sure_ns = 0};
    waiter_make(f);
    assert_int_equal(f->deadlocks->standstill_count, 0);
    f->history.threads[1].proof.sure_ns = 200;
    last_span(f, 0)->seen_ns = 199;
    waiter_make(f);
    assert_int_equal(f->deadlocks->standstill_count, 0);
    f->history.processes[0].one_moment = true;
    waiter_make(f);
    assert_int_equal(f->deadlocks->standstill_count, 1);
}

TEST_OF(standstill_for_locks_and_ends_alone_is_a_deadlock_somewhere, waiter, f)
{
    for (uint32_t i = 0; i < 3; i++)
        waiter_thread(f, 11 + i, "t");
    waiter_waits(f, 0, 100, 300, waiter_object(f, WAIT_JOIN, "thread"), 12);
    waiter_waits(f, 1, 100, 300, waiter_object(f, WAIT_MUTEX, "g_lock"), 0);
    waiter_waits(f, 2, 100, 300, waiter_object(f, WAIT_RWLOCK_WRITE, "g_table"), 0);
    waiter_make(f);
    assert_int_equal(f->deadlocks->standstill_count, 1);
    assert_true(f->deadlocks->standstills[0].locks_only);
}

TEST_OF(standstill_is_none_while_a_thread_runs_or_reads, waiter, f)
{
    waiter_thread(f, 11, "a");
    waiter_thread(f, 12, "b");
    waiter_waits(f, 0, 100, 300, waiter_object(f, WAIT_MUTEX, "g_lock"), 0);
    waiter_waits(f, 1, 100, 300, waiter_object(f, WAIT_READ, "socket"), 0);
    waiter_make(f);
    assert_int_equal(f->deadlocks->standstill_count, 0);
    waiter_runs(f, 1, 300, 310);
    waiter_make(f);
    assert_int_equal(f->deadlocks->standstill_count, 0);
}

/* Of two threads the one that waits for a lock with an unknown owner. */
TEST_OF(standstill_is_none_where_something_else_may_help, waiter, f)
{
    struct wait_now *now;

    waiter_thread(f, 11, "a");
    waiter_thread(f, 12, "b");
    f->history.processes[0].one_moment = true;
    waiter_waits(f, 0, 100, 300, waiter_object(f, WAIT_JOIN, "thread"), 12);
    waiter_waits(f, 1, 100, 300, waiter_object(f, WAIT_MUTEX, "g_lock"), 0);
    f->history.threads[0].proof.now.shared = true; /* but it is known who ends it */
    now = &f->history.threads[1].proof.now;
    waiter_make(f);
    assert_int_equal(f->deadlocks->standstill_count, 1);
    assert_true(f->deadlocks->standstills[0].locks_only);
    assert_false(f->deadlocks->standstills[0].inferred);
    f->waits.list[1].kind_evidence = WAIT_INFERRED;
    waiter_make(f);
    assert_true(f->deadlocks->standstills[0].inferred);
    f->waits.list[1].kind_evidence = WAIT_READ_OFF;
    f->history.processes[0].whole = false; /* other threads were left out */
    waiter_make(f);
    assert_int_equal(f->deadlocks->standstill_count, 0);
    f->history.processes[0].whole = true;
    f->waits.list[1].doubt = "its owner is no thread that is known";
    waiter_make(f);
    assert_int_equal(f->deadlocks->standstill_count, 0);
    f->waits.list[1].doubt = NULL;
    *now = (struct wait_now){.over = true};
    waiter_make(f);
    assert_int_equal(f->deadlocks->standstill_count, 0);
    *now = (struct wait_now){.shared = true};
    waiter_make(f);
    assert_int_equal(f->deadlocks->standstill_count, 0);
}

static void assert_quick(clock_t start)
{
    assert_true(clock() - start < 10 * CLOCKS_PER_SEC);
}

/* One circle of all, then owners all over the place: neither recursion nor a search from each. */
TEST_OF(deadlocks_of_thousands_of_threads_are_found_in_time, waiter, f)
{
    const uint32_t count = 20000;
    clock_t start = clock();
    uint32_t seed = 1;

    for (uint32_t i = 0; i < count; i++)
        waiter_thread(f, 100 + i, "t");
    for (uint32_t i = 0; i < count; i++)
        waiter_waits(f, i, 100, 300, waiter_object(f, WAIT_MUTEX, "lock"), 100 + (i + 1) % count);
    waiter_make(f);
    assert_int_equal(f->deadlocks->count, 1);
    assert_int_equal(f->deadlocks->list[0].count, count);
    assert_true(f->deadlocks->list[0].proved);
    for (uint32_t i = 0; i < count; i++) {
        seed = seed * 1103515245 + 12345;
        f->waits.list[last_span(f, i)->wait].owner_tid = 100 + seed / 65536 % (count * 2);
    }
    waiter_make(f);
    assert_true(f->deadlocks->member_count <= count);
    assert_quick(start);
}

/* All wait for one lock that each in turn is said to have. */
TEST_OF(deadlocks_of_one_lock_with_many_owners_are_found_in_time, waiter, f)
{
    const uint32_t count = 300, spans = 100;
    clock_t start = clock();
    uint32_t lock;

    lock = waiter_object(f, WAIT_MUTEX, "lock");
    for (uint32_t i = 0; i < count; i++)
        waiter_thread(f, 100 + i, "t");
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t s = 0; s < spans; s++)
            waiter_waits(f, i, 100 + s, 101 + s, lock, 100 + (i * 7 + s) % count);
    waiter_make(f);
    assert_int_equal(f->made->node_count, 1);
    assert_int_equal(f->made->nodes[0].hold_count, count);
    assert_quick(start);
}
