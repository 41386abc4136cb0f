/* SPDX-License-Identifier: MIT */
/* What snapshots tell of boards without Linux, from the writer to the reader. */
#include "snapshot/board_writer.h"

#include "reader_fixture.h"

#define RAM   UINT32_C(0x20001000)
#define TIME  UINT64_C(100)
#define MASK  (UINT64_C(1) << 4 | UINT64_C(1) << 15 | UINT64_C(1) << 17)
#define CFSR  UINT32_C(0xe000ed28)
#define ARM_N 19u /* r0 to cpsr, msp, psp */

static const struct snap_system faults[] = {{CFSR, 0x02000000}, {20, 3}};

static const struct snap_task waiting = {.time_ns = TIME,
                                         .handle_addr = 0x20000400,
                                         .priority = 5,
                                         .base_priority = -1,
                                         .state = SNAP_TASK_BLOCKED,
                                         .wait_kind = SNAP_TASK_WAIT_MUTEX,
                                         .flags = SNAP_TASK_LOW_FIRST,
                                         .stack_start_addr = 0x20000800,
                                         .stack_end_addr = 0x20001000,
                                         .stack_used_addr = 0x20000900,
                                         .object_addr = 0x20000100,
                                         .holder_tid = 9,
                                         .wake_tick = 77,
                                         .object = "bus",
                                         .system = "FreeRTOS"};

static struct snap_writer *begin_board(struct reading *r)
{
    r->writer = stream_begin_of(&r->fd, ARCH_ARM);
    put_process(r->writer, PID);
    put_thread(r->writer, PID, 7, "cpu 0");
    return r->writer;
}

static void put_board_sample(struct snap_writer *w, uint64_t time_ns, uint64_t unknown)
{
    put_sample_head(w, PID, 7, time_ns, ARM_N);
    snap_writer_u8(w, 1);
    put_region(w, RAM, RAM + 4, RAM + 4096, 1);
    put_run(w, 0, "abcd", 4);
    snap_writer_u64(w, 0);
    snap_writer_u64(w, 0);
    snap_writer_u8(w, SNAP_GOROUTINE_UNKNOWN);
    snap_writer_u64(w, 0);
    snap_writer_u64(w, unknown);
    put_end(w);
}

static void put_task(struct snap_writer *w, const struct snap_task *task)
{
    assert_int_equal(board_write_task(w, PID, 7, task), STATUS_OK);
}

TEST_OF(board_is_an_event_of_its_own, reading, r)
{
    const struct snap_board told = {PID,    11,    SNAP_PROFILE_ARM_M, 0x8000, 0x20004000,
                                    0x8101, "MPS2"};
    struct snap_writer *w = begin_board(r);
    const struct snap_board *board;

    assert_int_equal(board_write(w, &told), STATUS_OK);
    read_behind_thread(r);
    board = &next(r, SNAP_BOARD)->board;
    assert_int_equal(board->pid, PID);
    assert_int_equal(board->time_ns, 11);
    assert_int_equal(board->profile, SNAP_PROFILE_ARM_M);
    assert_int_equal(board->vectors_addr, 0x8000);
    assert_int_equal(board->initial_sp, 0x20004000);
    assert_int_equal(board->reset_addr, 0x8101);
    assert_string_equal(board->machine, "MPS2");
    expect_end(r, true, r->stream.size);
}

/* But PC and SP, without which there is no sample. */
TEST_OF(board_registers_that_are_not_known_are_told, reading, r)
{
    struct snap_writer *w = begin_board(r);
    const struct snap_sample *s;

    put_board_sample(w, TIME, MASK);
    read_behind_thread(r);
    s = next_sample(r);
    assert_false(regs_has(&s->regs, 4));
    assert_false(regs_has(&s->regs, 17));
    assert_true(regs_has(&s->regs, 15));
    assert_true(regs_has(&s->regs, 18));
    assert_int_equal(s->regs.value[18], 1018);
}

TEST_OF(board_system_registers_are_those_of_the_sample_of_their_time, reading, r)
{
    struct snap_writer *w = begin_board(r);
    const struct snap_sample *s;

    assert_int_equal(board_write_system(w, PID, 7, TIME, faults, 2), STATUS_OK);
    put_board_sample(w, TIME, 0);
    put_repeat(w, 7, TIME + 1);
    put_board_sample(w, TIME + 2, 0);
    read_behind_thread(r);
    for (int i = 0; i < 2; i++) { /* the sample and its repeat */
        s = next_sample(r);
        assert_int_equal(s->system_count, 2);
        assert_int_equal(s->system[0].number, CFSR);
        assert_int_equal(s->system[0].value, 0x02000000);
        assert_int_equal(s->system[1].number, 20);
    }
    s = next_sample(r);
    assert_int_equal(s->system_count, 0);
    assert_null(s->system);
}

static void assert_waiting(const struct snap_task *task)
{
    assert_non_null(task);
    assert_int_equal(task->time_ns, TIME);
    assert_int_equal(task->handle_addr, waiting.handle_addr);
    assert_int_equal(task->priority, 5);
    assert_int_equal(task->base_priority, -1);
    assert_int_equal(task->state, SNAP_TASK_BLOCKED);
    assert_int_equal(task->wait_kind, SNAP_TASK_WAIT_MUTEX);
    assert_int_equal(task->flags, SNAP_TASK_LOW_FIRST);
    assert_int_equal(task->stack_start_addr, waiting.stack_start_addr);
    assert_int_equal(task->stack_end_addr, waiting.stack_end_addr);
    assert_int_equal(task->stack_used_addr, waiting.stack_used_addr);
    assert_int_equal(task->object_addr, waiting.object_addr);
    assert_int_equal(task->holder_tid, 9);
    assert_int_equal(task->wake_tick, 77);
    assert_string_equal(task->object, "bus");
    assert_string_equal(task->system, "FreeRTOS");
}

/* A repeat may bring another: a thread that waits has not run, and its priority was raised. */
TEST_OF(board_task_holds_until_the_next, reading, r)
{
    struct snap_task raised = waiting;
    struct snap_writer *w = begin_board(r);
    const struct snap_sample *s;

    put_board_sample(w, TIME - 1, 0);
    put_task(w, &waiting);
    put_board_sample(w, TIME, 0);
    put_repeat(w, 7, TIME + 1);
    raised.priority = 9;
    raised.object = NULL;
    put_task(w, &raised);
    put_idle(w, PID, TIME + 2);
    read_behind_thread(r);
    assert_null(next_sample(r)->task);
    assert_waiting(next_sample(r)->task);
    assert_waiting(next_sample(r)->task);
    s = next_sample(r);
    assert_int_equal(s->task->priority, 9);
    assert_string_equal(s->task->object, "");
    assert_string_equal(s->task->system, "FreeRTOS");
    expect_end(r, true, r->stream.size);
}

TEST_OF(board_task_that_makes_no_sense_is_taken_as_not_known, reading, r)
{
    struct snap_task odd = waiting;
    char name[200];
    struct snap_writer *w = begin_board(r);
    const struct snap_task *task;

    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    odd.state = 99;
    odd.wait_kind = 99;
    odd.stack_used_addr = odd.stack_end_addr + 1;
    odd.object = name;
    put_task(w, &odd);
    put_board_sample(w, TIME, 0);
    read_behind_thread(r);
    task = next_sample(r)->task;
    assert_int_equal(task->state, SNAP_TASK_UNKNOWN);
    assert_int_equal(task->wait_kind, SNAP_TASK_WAIT_NONE);
    assert_int_equal(task->stack_used_addr, 0);
    assert_true(strlen(task->object) < 64 && strspn(task->object, "x") == strlen(task->object));
}

static void expect_broken(void (*put)(struct snap_writer *), const char *what)
{
    struct reading r;

    put(begin_board(&r));
    read_behind_thread(&r);
    expect_bad_data(&r, what);
    close_stream(&r, &r.stream);
}

static void put_system_head(struct snap_writer *w, uint32_t tid, uint16_t count, unsigned words)
{
    snap_writer_begin(w, SNAP_SYSTEM, false);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, tid);
    snap_writer_u64(w, TIME);
    snap_writer_u16(w, count);
    for (unsigned i = 0; i < words; i++)
        snap_writer_u32(w, i);
    put_end(w);
}

static void put_too_many(struct snap_writer *w)
{
    put_system_head(w, 7, SNAP_SYSTEM_MAX + 1, 3 * (SNAP_SYSTEM_MAX + 1));
}

static void put_too_few(struct snap_writer *w)
{
    put_system_head(w, 7, 2, 5);
}

static void put_of_nobody(struct snap_writer *w)
{
    put_system_head(w, 8, 1, 3);
}

static void put_task_of_nobody(struct snap_writer *w)
{
    assert_int_equal(board_write_task(w, PID, 8, &waiting), STATUS_OK);
}

static void put_backward_stack(struct snap_writer *w)
{
    struct snap_task odd = waiting;

    odd.stack_end_addr = odd.stack_start_addr - 1;
    put_task(w, &odd);
}

TEST(board_records_that_break_the_rules_are_refused)
{
    expect_broken(put_too_many, "more registers than there can be");
    expect_broken(put_too_few, "too short");
    expect_broken(put_of_nobody, "not announced");
    expect_broken(put_task_of_nobody, "not announced");
    expect_broken(put_backward_stack, "ends before it begins");
}
