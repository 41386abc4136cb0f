/* SPDX-License-Identifier: MIT */
#include "snapshot/goroutine.h"

#include <string.h>

/* Words of a g: the stack, its guard, the m, and sched. */
enum {
    G_LOW,
    G_END,
    G_GUARD,
    G_THREAD = 6,
    G_SP,
    G_PC,
    G_SELF,
    G_LR_OR_RET = 11,
    G_BP_OR_LR,
    G_WORDS
};
#define GUARDS_MAX 0x1000 /* stackPreempt and its like are small negative numbers */
/* Of an m: g0, and between which words curg is, behind morebuf. */
enum { M_SCHEDULER, M_CURRENT_FIRST = 8, M_CURRENT_END = 40 };

static uint64_t word(const struct goroutine_memory *memory, const uint8_t *bytes, unsigned index)
{
    uint64_t value = 0;

    memcpy(&value, bytes + (size_t)index * memory->word_size, memory->word_size);
    return value & memory->addr_mask;
}

bool goroutine_read(const struct goroutine_memory *memory, uint64_t addr, struct goroutine *out)
{
    uint8_t bytes[G_WORDS * sizeof(uint64_t)];
    uint64_t guard_addr;

    if (!addr || addr % memory->word_size ||
        !memory->read(memory->context, addr, bytes, (size_t)G_WORDS * memory->word_size))
        return false;
    guard_addr = word(memory, bytes, G_GUARD);
    *out = (struct goroutine){.addr = addr,
                              .low_addr = word(memory, bytes, G_LOW),
                              .end_addr = word(memory, bytes, G_END),
                              .thread_addr = word(memory, bytes, G_THREAD),
                              .self_addr = word(memory, bytes, G_SELF),
                              .sp = word(memory, bytes, G_SP),
                              .pc = word(memory, bytes, G_PC)};
    /* ret is 0 where it is there, so that lr is the first that is not. */
    out->lr = word(memory, bytes, G_LR_OR_RET);
    if (!out->lr)
        out->lr = word(memory, bytes, G_BP_OR_LR);
    return out->low_addr < out->end_addr && (!out->self_addr || out->self_addr == addr) &&
           (goroutine_holds(out, guard_addr) || guard_addr > memory->addr_mask - GUARDS_MAX);
}

bool goroutine_thread(const struct goroutine_memory *memory, const struct goroutine *g, uint64_t sp,
                      struct goroutine_thread *out)
{
    uint8_t bytes[M_CURRENT_END * sizeof(uint64_t)];
    struct goroutine other;
    uint64_t last = 0;

    *out = (struct goroutine_thread){.holds_sp = false};
    if (!g->thread_addr || g->thread_addr % memory->word_size ||
        !memory->read(memory->context, g->thread_addr, bytes,
                      (size_t)M_CURRENT_END * memory->word_size) ||
        !goroutine_read(memory, word(memory, bytes, M_SCHEDULER), &out->scheduler) ||
        out->scheduler.thread_addr != g->thread_addr)
        return false;
    out->holds_sp = goroutine_holds(&out->scheduler, sp);
    for (unsigned i = M_CURRENT_FIRST; i < M_CURRENT_END && !out->current.addr; i++) {
        uint64_t addr = word(memory, bytes, i);

        if (!addr || addr == last || addr == out->scheduler.addr)
            continue;
        last = addr;
        if (!goroutine_read(memory, addr, &other) || other.thread_addr != g->thread_addr)
            continue;
        out->holds_sp |= goroutine_holds(&other, sp);
        if (other.self_addr)
            out->current = other;
    }
    return true;
}

struct snap_goroutine goroutine_left(const struct goroutine_thread *thread, uint64_t sp)
{
    const struct goroutine *g = &thread->current;
    const bool on = goroutine_holds(g, sp);

    if (!g->addr)
        return (struct snap_goroutine){.state = SNAP_GOROUTINE_NONE};
    if ((g->sp && !goroutine_holds(g, g->sp)) || (on && g->sp && g->sp < sp) || (!on && !g->sp))
        return (struct snap_goroutine){.state = SNAP_GOROUTINE_UNKNOWN};
    return (struct snap_goroutine){.state = SNAP_GOROUTINE_LEFT,
                                   .sp = g->sp ? g->sp : sp,
                                   .pc = g->pc,
                                   .lr = g->lr};
}
