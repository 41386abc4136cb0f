/* SPDX-License-Identifier: MIT */
/* Processes and threads of the snapshot being read. */
#include "unit_test.h"

#include "graph/ingest_process.h"

static struct ingest_process *add_process(struct ingest_processes *all, uint32_t pid)
{
    struct ingest_process *process;

    assert_int_equal(ingest_process_add(all, pid, &process), STATUS_OK);
    return process;
}

static struct ingest_thread *add_thread(struct ingest_processes *all,
                                        struct ingest_process *process, uint32_t tid)
{
    struct ingest_thread *thread;

    assert_int_equal(ingest_thread_add(all, process, tid, &thread), STATUS_OK);
    return thread;
}

TEST(ingest_processes_stay_where_they_are)
{
    struct ingest_processes all = {.count = 0};
    struct ingest_process *first = add_process(&all, 1);

    for (uint32_t pid = 2; pid < 100; pid++)
        add_process(&all, pid);
    assert_ptr_equal(ingest_process_of(&all, 1), first);
    assert_int_equal(ingest_process_of(&all, 99)->pid, 99);
    assert_null(ingest_process_of(&all, 100));
    ingest_processes_clear(&all);
    assert_null(ingest_process_of(&all, 1));
    ingest_processes_deinit(&all);
}

TEST(ingest_thread_of_a_sample_is_found_with_and_without_its_slot)
{
    struct ingest_processes all = {.count = 0};
    struct ingest_process *process = add_process(&all, 1);
    const struct ingest_thread *found;

    add_thread(&all, process, 10);
    add_thread(&all, process, 11);
    found = ingest_thread_at(&all, &(struct snap_sample){.tid = 11, .slot = 1});
    assert_int_equal(found->tid, 11);
    assert_ptr_equal(found->process, process);
    found = ingest_thread_at(&all, &(struct snap_sample){.tid = 11, .slot = 0});
    assert_int_equal(found->tid, 11);
    assert_null(ingest_thread_at(&all, &(struct snap_sample){.tid = 12, .slot = 1}));
    ingest_processes_deinit(&all);
}

TEST(ingest_threads_of_a_process_end_one_by_one)
{
    struct ingest_processes all = {.count = 0};
    struct ingest_process *process = add_process(&all, 1);
    struct ingest_thread *thread;
    unsigned count = 0;

    add_thread(&all, add_process(&all, 2), 20);
    for (uint32_t tid = 10; tid < 14; tid++)
        add_thread(&all, process, tid);
    while ((thread = ingest_thread_first(&all, 1))) {
        assert_ptr_equal(thread->process, process);
        ingest_thread_end(&all, thread);
        count++;
    }
    assert_int_equal(count, 4);
    assert_null(ingest_thread_of(&all, 10));
    assert_int_equal(ingest_thread_of(&all, 20)->process->pid, 2);
    ingest_processes_deinit(&all);
}
