/* SPDX-License-Identifier: MIT */
#include "runtime/go/memory/goroutine.h"

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
/* Words of an m: g0, and the range in which curg is searched, behind morebuf. */
enum { M_SCHEDULER, M_CURRENT_FIRST = 8, M_CURRENT_END = 40 };
#define WORDS_MAX M_CURRENT_END
#define SLOT_MAX  4096 /* bytes from an m's beginning to its thread's slot in it */

/* Reads `count` words, at most WORDS_MAX; false: null, unaligned or unreadable. */
static bool read_words(const struct goroutine_memory *memory, uint64_t addr, uint64_t *words,
                       unsigned count)
{
    uint8_t bytes[WORDS_MAX * sizeof(uint64_t)];
    const unsigned size = memory->word_size;

    if (!addr || addr & (size - 1) || !memory->read(memory->context, addr, bytes, count * size))
        return false;
    for (unsigned i = 0; i < count; i++) {
        words[i] = 0;
        memcpy(&words[i], bytes + i * size, size);
        words[i] &= memory->addr_mask;
    }
    return true;
}

/* Reads the g at `addr`; false: there is none. */
static bool read_g(const struct goroutine_memory *memory, uint64_t addr, struct goroutine *out)
{
    uint64_t words[G_WORDS];

    if (!read_words(memory, addr, words, G_WORDS))
        return false;
    /* If the word ret exists it is 0, so lr is the first word that is not 0. */
    *out = (struct goroutine){.addr = addr,
                              .low_addr = words[G_LOW],
                              .end_addr = words[G_END],
                              .thread_addr = words[G_THREAD],
                              .self_addr = words[G_SELF],
                              .sp = words[G_SP],
                              .pc = words[G_PC],
                              .lr = words[G_LR_OR_RET] ? words[G_LR_OR_RET] : words[G_BP_OR_LR]};
    return out->low_addr < out->end_addr && (!out->self_addr || out->self_addr == addr) &&
           (goroutine_holds(out, words[G_GUARD]) ||
            words[G_GUARD] > memory->addr_mask - GUARDS_MAX) &&
           memory->is_stack(memory->context, out);
}

/* Reads the m of a g; false: it is no m. */
static bool read_thread(const struct goroutine_memory *memory, const struct goroutine *g,
                        struct goroutine_thread *out)
{
    uint64_t words[M_CURRENT_END];
    struct goroutine other;
    uint64_t last = 0;

    *out = (struct goroutine_thread){.holds_sp = false};
    if (!read_words(memory, g->thread_addr, words, M_CURRENT_END) ||
        !read_g(memory, words[M_SCHEDULER], &out->scheduler) ||
        out->scheduler.thread_addr != g->thread_addr)
        return false;
    out->holds_sp = goroutine_holds(&out->scheduler, memory->sp);
    for (unsigned i = M_CURRENT_FIRST; i < M_CURRENT_END && !out->current.addr; i++) {
        uint64_t addr = words[i];

        if (addr == last || addr == out->scheduler.addr)
            continue;
        last = addr;
        if (!read_g(memory, addr, &other) || other.thread_addr != g->thread_addr)
            continue;
        out->holds_sp |= goroutine_holds(&other, memory->sp);
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

/*
 * Returns whether the bounds of g0's stack are exact: Go knows those of stacks that C made only
 * roughly. On a thread that Go made the slot lies in the m.
 */
static bool knows_bounds(const struct goroutine_memory *memory, const struct goroutine *scheduler)
{
    return !memory->slot_addr || memory->slot_addr - scheduler->thread_addr < SLOT_MAX;
}

static bool look_at(const struct goroutine_memory *memory, uint64_t addr,
                    struct goroutine_look *out)
{
    const struct goroutine_thread *thread = &out->thread;

    if (!read_g(memory, addr, &out->on) || !read_thread(memory, &out->on, &out->thread))
        return false;
    out->knows_scheduler = knows_bounds(memory, &thread->scheduler);
    out->on_scheduler = goroutine_holds(&thread->scheduler, memory->sp);
    out->elsewhere = !out->on_scheduler && !goroutine_holds(&thread->current, memory->sp);
    if (!out->elsewhere)
        out->on = out->on_scheduler ? thread->scheduler : thread->current;
    if (out->on_scheduler ? !out->knows_scheduler : !goroutine_holds(&out->on, memory->sp))
        out->on = (struct goroutine){.addr = 0};
    return true;
}

/*
 * C code may use the register otherwise, but leaves the per-thread slot alone. A thread that is on
 * one of the stacks it had before has the same g0.
 */
bool goroutine_look(const struct goroutine_memory *memory, struct goroutine_look *out)
{
    uint64_t addr;

    return look_at(memory, memory->in_register, out) ||
           (read_words(memory, memory->slot_addr, &addr, 1) && look_at(memory, addr, out)) ||
           (look_at(memory, memory->scheduler, out) && out->thread.holds_sp);
}
