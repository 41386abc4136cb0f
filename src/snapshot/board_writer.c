/* SPDX-License-Identifier: MIT */
#include "snapshot/board_writer.h"

static void put_text(struct snap_writer *writer, const char *text)
{
    snap_writer_str(writer, text ? text : "");
}

enum status board_write(struct snap_writer *writer, const struct snap_board *board)
{
    snap_writer_begin(writer, SNAP_BOARD, false);
    snap_writer_u32(writer, board->pid);
    snap_writer_u64(writer, board->time_ns);
    snap_writer_u8(writer, board->profile);
    snap_writer_u64(writer, board->vectors_addr);
    snap_writer_u64(writer, board->initial_sp);
    snap_writer_u64(writer, board->reset_addr);
    put_text(writer, board->machine);
    return snap_writer_end(writer);
}

enum status board_write_system(struct snap_writer *writer, uint32_t pid, uint32_t tid,
                               uint64_t time_ns, const struct snap_system *system, uint32_t count)
{
    snap_writer_begin(writer, SNAP_SYSTEM, false);
    snap_writer_u32(writer, pid);
    snap_writer_u32(writer, tid);
    snap_writer_u64(writer, time_ns);
    snap_writer_u16(writer, (uint16_t)count);
    for (uint32_t i = 0; i < count; i++) {
        snap_writer_u32(writer, system[i].number);
        snap_writer_u64(writer, system[i].value);
    }
    return snap_writer_end(writer);
}

enum status board_write_task(struct snap_writer *writer, uint32_t pid, uint32_t tid,
                             const struct snap_task *task)
{
    snap_writer_begin(writer, SNAP_TASK, false);
    snap_writer_u32(writer, pid);
    snap_writer_u32(writer, tid);
    snap_writer_u64(writer, task->time_ns);
    snap_writer_u64(writer, task->handle_addr);
    snap_writer_u32(writer, (uint32_t)task->priority);
    snap_writer_u32(writer, (uint32_t)task->base_priority);
    snap_writer_u8(writer, task->state);
    snap_writer_u8(writer, task->wait_kind);
    snap_writer_u8(writer, task->flags);
    snap_writer_u64(writer, task->stack_start_addr);
    snap_writer_u64(writer, task->stack_end_addr);
    snap_writer_u64(writer, task->stack_used_addr);
    snap_writer_u64(writer, task->object_addr);
    snap_writer_u32(writer, task->holder_tid);
    snap_writer_u64(writer, task->wake_tick);
    put_text(writer, task->object);
    put_text(writer, task->system);
    snap_writer_u64(writer, task->tick);
    return snap_writer_end(writer);
}
