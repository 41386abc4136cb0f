/* SPDX-License-Identifier: MIT */
#include "boards/gdb/paint.h"

#include "base/clock.h"
#include "boards/gdb/memory.h"
#include "capture/target/backend.h"

#define SECOND_NS UINT64_C(1000000000)
/* A halt reads one piece, and further ones for this time. */
#define LOOK_NS (SECOND_NS / 2000)
#define PIECE   512u
/* A stack is looked at again after this. */
#define AGAIN_NS SECOND_NS
/* Bytes of a stack that are searched, at most. */
#define STACK_MAX 65536u

static const struct snap_task *told_of(const struct gdb_thread *own)
{
    const struct snap_task *told = own->task ? &own->task->told : NULL;

    return told && told->stack_start_addr && told->stack_end_addr > told->stack_start_addr ? told
                                                                                           : NULL;
}

/* Returns where the used part begins, in whole words; 0: not painted, not known. */
static uint64_t used_from(const struct gdb_state *st, const struct gdb_paint *paint)
{
    const uint64_t painted = paint->at_addr - paint->stack_addr;
    const uint64_t used_addr = paint->at_addr - painted % st->arch->word_size;

    return used_addr > paint->stack_addr ? used_addr : 0;
}

static void look_at_piece(struct gdb_state *st, struct gdb_paint *paint,
                          const struct snap_task *told)
{
    const uint64_t left = told->stack_end_addr - paint->at_addr;
    const size_t want = left < PIECE ? (size_t)left : PIECE;
    uint8_t bytes[PIECE];
    size_t got, painted = 0;

    got = gdb_memory_read(st, paint->at_addr, bytes, want);
    while (painted < got && bytes[painted] == st->options->rtos->system->paint)
        painted++;
    paint->at_addr += painted;
    if (painted == PIECE && left > PIECE && paint->at_addr - paint->stack_addr < STACK_MAX)
        return;
    /* Also if it is unreadable from here on, or painted beyond the limit. */
    paint->used_addr = painted < got ? used_from(st, paint) : 0;
    paint->at_addr = paint->stack_addr;
    paint->done_ns = clock_now_ns();
}

/* Reads the next piece of a stack. False: nothing to read of it now. */
static bool look_at(struct gdb_state *st, struct gdb_thread *own)
{
    const struct snap_task *told = told_of(own);
    struct gdb_paint *paint = &own->paint;

    if (!told)
        return false;
    if (paint->stack_addr != told->stack_start_addr)
        *paint = (struct gdb_paint){.stack_addr = told->stack_start_addr,
                                    .at_addr = told->stack_start_addr};
    if (paint->done_ns && clock_now_ns() - paint->done_ns < AGAIN_NS)
        return false;
    if (paint->at_addr >= told->stack_end_addr) /* the stack has changed */
        paint->at_addr = paint->stack_addr;
    look_at_piece(st, paint, told);
    return true;
}

void gdb_paint_look(struct gdb_state *st)
{
    const uint64_t until_ns = clock_now_ns() + LOOK_NS;
    size_t idle = 0;

    if (!st->options->rtos->system->paint)
        return;
    while (idle < GDB_TASKS_MAX) {
        const struct target_thread *thread = st->task_threads[st->paint_next];
        struct gdb_thread *own = thread ? gdb_thread_of(thread) : NULL;
        const bool has_read = own && look_at(st, own);

        if (!has_read || own->paint.at_addr == own->paint.stack_addr) {
            st->paint_next = (st->paint_next + 1) % GDB_TASKS_MAX;
            idle++;
        }
        if (has_read)
            idle = 0;
        if (has_read && clock_now_ns() >= until_ns)
            return;
    }
}

uint64_t gdb_paint_used(const struct gdb_thread *own)
{
    const struct snap_task *told = told_of(own);

    return told && own->paint.stack_addr == told->stack_start_addr &&
                   own->paint.used_addr <= told->stack_end_addr
               ? own->paint.used_addr
               : 0;
}
