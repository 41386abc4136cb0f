/* SPDX-License-Identifier: MIT */
#include "threads/stacks.h"

#include <stdbool.h>
#include <stdlib.h>

#define LOOKS_MAX                                                                                  \
    64 /* neighbours to search for one that was alive at the same time: stacks are used again */

struct stack { /* from a thread's samples */
    uint32_t thread, process;
    uint64_t map_addr, sp, begin_sp, end_addr; /* begin_sp 0: not known */
    uint64_t alive_from_ns, alive_to_ns;       /* for certain alive in between */
    bool shared, others_above; /* another SP is above this one's, and not in this thread's frames */
};

static struct stack stack_of(const struct history *history, uint32_t index)
{
    const struct history_thread *thread = &history->threads[index];
    const struct span *last = thread->span_count ? &thread->spans[thread->span_count - 1] : NULL;
    uint64_t end_addr = thread->stack_sp + thread->stack_used;

    return (struct stack){.thread = index,
                          .process = thread->process,
                          .map_addr = thread->stack_mapped && thread->stack_mapped <= end_addr
                                          ? end_addr - thread->stack_mapped
                                          : thread->stack_sp,
                          .sp = thread->stack_sp,
                          .begin_sp = thread->stack_begin_sp > thread->stack_sp &&
                                              thread->stack_begin_sp <= end_addr
                                          ? thread->stack_begin_sp
                                          : 0,
                          .end_addr = end_addr,
                          .alive_from_ns = thread->found_ns,
                          .alive_to_ns = !thread->end_ns ? UINT64_MAX
                                         : last          ? last->seen_ns
                                                         : thread->found_ns};
}

static int by_place(const void *a, const void *b)
{
    const struct stack *x = a, *y = b;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->sp != y->sp)
        return x->sp < y->sp ? -1 : 1;
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* Threads that were alive at one time have two stacks; else one may have had the other's. */
static bool lived_together(const struct stack *a, const struct stack *b)
{
    return a->alive_from_ns <= b->alive_to_ns && b->alive_from_ns <= a->alive_to_ns;
}

/* If another SP is below in the stack's mapping, marks both stacks as sharing a mapping. */
static void look_down(struct stack *list, size_t at)
{
    struct stack *stack = &list[at];

    for (size_t i = at; i-- > 0 && at - i <= LOOKS_MAX;) {
        struct stack *other = &list[i];

        if (other->process != stack->process || other->sp < stack->map_addr)
            return;
        if (!lived_together(stack, other))
            continue;
        stack->shared = true;
        /* Unless this stack is an array in the other's frames: the mapping is the other's. */
        other->shared |= !other->begin_sp || stack->sp >= other->begin_sp;
        return;
    }
}

static void look_up(struct stack *list, size_t count, size_t at)
{
    struct stack *stack = &list[at];

    for (size_t i = at + 1; i < count && i - at <= LOOKS_MAX; i++) {
        const struct stack *other = &list[i];

        if (other->process != stack->process || other->sp >= stack->end_addr)
            return;
        if (!lived_together(stack, other) || (stack->begin_sp && other->sp < stack->begin_sp))
            continue;
        stack->shared = stack->others_above = true;
        return;
    }
}

static struct stack_size size_of(const struct history *history, const struct stack *stack)
{
    const struct history_thread *thread = &history->threads[stack->thread];
    bool goes_on = !thread->is_main && stack->begin_sp &&
                   stack->end_addr - stack->begin_sp > STACKS_ABOVE_BEGIN_MAX;

    if (!stack->shared && !goes_on)
        return (struct stack_size){.used = thread->stack_used, .mapped = thread->stack_mapped};
    if (stack->begin_sp)
        return (struct stack_size){.used = stack->begin_sp - stack->sp};
    return (struct stack_size){.used = stack->others_above ? 0 : thread->stack_used};
}

enum status stacks_measure(const struct history *history, struct stack_size **out)
{
    size_t threads = history->thread_count, count = 0;
    struct stack_size *sizes = calloc(threads + 1, sizeof(*sizes));
    struct stack *list = calloc(threads + 1, sizeof(*list));

    if (!sizes || !list) {
        free(sizes);
        free(list);
        return STATUS_NO_MEMORY;
    }
    for (size_t i = 0; i < threads; i++)
        if (history->threads[i].stack_used)
            list[count++] = stack_of(history, (uint32_t)i);
        else
            sizes[i].mapped = history->threads[i].stack_mapped;
    if (count)
        qsort(list, count, sizeof(*list), by_place);
    for (size_t i = 0; i < count; i++) {
        look_down(list, i);
        look_up(list, count, i);
    }
    for (size_t i = 0; i < count; i++)
        sizes[list[i].thread] = size_of(history, &list[i]);
    free(list);
    *out = sizes;
    return STATUS_OK;
}
