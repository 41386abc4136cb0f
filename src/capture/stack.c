/* SPDX-License-Identifier: MIT */
#include "capture/stack.h"

#include <string.h>
#include <sys/mman.h>

/* How far the first thread's stack may have grown below the mapping as it was read. */
#define GROWTH_MAX (UINT64_C(64) << 20)
/* A mapping up to this size that holds a foreign stack is taken to hold nothing else. */
#define FOREIGN_MAPPING_MAX (UINT64_C(16) << 20)
/* What is copied when nothing is known of the mapping SP is in. */
#define GUESS_SIZE (UINT64_C(64) << 10)

enum status stack_arena_init(struct stack_arena *arena, size_t size)
{
    *arena = (struct stack_arena){.size = size};
    arena->base = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (arena->base == MAP_FAILED) {
        arena->base = NULL;
        return STATUS_NO_MEMORY;
    }
    /* A huge page would cost 2 MiB for the first byte. */
    madvise(arena->base, size, MADV_NOHUGEPAGE);
    return STATUS_OK;
}

void stack_arena_deinit(struct stack_arena *arena)
{
    if (arena->base)
        munmap(arena->base, arena->size);
    *arena = (struct stack_arena){0};
}

void stack_arena_take(struct stack_arena *arena, size_t size)
{
    arena->used += (size + 15) & ~(size_t)15;
    if (arena->used > arena->size)
        arena->used = arena->size;
    if (arena->used > arena->high)
        arena->high = arena->used;
}

void stack_arena_trim(struct stack_arena *arena)
{
    size_t keep = (arena->high + 0xffff) & ~(size_t)0xffff;

    if (keep < arena->size)
        madvise(arena->base + keep, arena->size - keep, MADV_DONTNEED);
    arena->high = arena->used;
}

static uint64_t min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The stack of a thread as a range of addresses; empty when it is not known. */
struct stack_extent {
    uint64_t start, end;
};

/*
 * Where a stack ends that has the thread pointer at its top: the thread's control block lies above
 * it.
 */
static uint64_t end_above(const struct stack_request *rq)
{
    uint64_t mask = rq->target->machine.page_size - 1;

    return ((rq->thread_pointer + mask) & ~mask) + rq->target->machine.page_size;
}

/* The stack the thread was started on, wherever SP is now. */
static struct stack_extent ordinary_stack(const struct stack_request *rq)
{
    const struct map_range *range =
        rq->is_main ? maps_main_stack(rq->maps) : maps_find(rq->maps, rq->thread_pointer);

    if (!range)
        return (struct stack_extent){0, 0};
    if (rq->is_main)
        return (struct stack_extent){range->start_addr, range->end_addr};
    return (struct stack_extent){range->start_addr, min(range->end_addr, end_above(rq))};
}

/* The mapping SP is in; also [stack] when it grew since the mappings were read. */
static const struct map_range *stack_range(const struct stack_request *rq)
{
    const struct map_range *range = maps_find(rq->maps, rq->sp);
    const struct map_range *main_stack;

    if (range || !rq->is_main)
        return range;
    main_stack = maps_main_stack(rq->maps);
    if (main_stack && rq->sp < main_stack->start_addr &&
        main_stack->start_addr - rq->sp <= GROWTH_MAX)
        return main_stack;
    return NULL;
}

/* Reads [start, end) to the arena, as much as is readable; returns how much that was. */
static size_t read_region(const struct stack_request *rq, uint64_t start, uint64_t end,
                          struct stack_arena *arena)
{
    return target_read(rq->target, rq->tid, start, arena->base + arena->used,
                       (size_t)(end - start));
}

/*
 * Adds a region: the red zone, but nothing below `low`, and up to `want` bytes from `sp`. `map_end`
 * is where its mapping, or the stack in it, ends.
 */
static enum status add_region(const struct stack_request *rq, uint64_t low, uint64_t sp,
                              uint64_t want, uint64_t map_end, struct stack_arena *arena,
                              struct stack_copy *out)
{
    struct snap_region *region = &out->regions[out->count];
    uint64_t start = sp - min(rq->target->machine.red_zone, low < sp ? sp - low : 0), end;
    size_t got;

    end = min(min(map_end, start + SNAP_STACK_MAX), sp + min(want, map_end - sp));
    if (end - start > arena->size - arena->used)
        return STATUS_NO_MEMORY;
    got = read_region(rq, start, end, arena);
    if (!got && start < sp) {
        /* The page below is no stack (yet), whatever the mappings said. */
        start = sp;
        got = read_region(rq, start, end, arena);
    }
    if (got <= sp - start)
        return STATUS_FAULT;
    if (got < end - start)
        out->maps_stale = true;
    *region = (struct snap_region){.start_addr = start,
                                   .end_addr = start + got,
                                   .map_end_addr = map_end,
                                   .bytes = arena->base + arena->used};
    stack_arena_take(arena, got);
    out->count++;
    return STATUS_OK;
}

static uint64_t word_at(const struct stack_request *rq, const struct snap_region *region,
                        size_t off)
{
    uint64_t word = 0;

    memcpy(&word, region->bytes + off, rq->target->machine.arch->word_size);
    return word & rq->target->machine.addr_mask;
}

/* Where the interrupted stack and the alternate stack are, according to words on the latter. */
struct clues {
    uint64_t interrupted_sp; /* 0: no word points into the ordinary stack */
    uint64_t alternate_end;  /* 0: no signal frame was recognized */
};

/*
 * Looks for the SP that a signal frame keeps. A word that points into the ordinary stack is it for
 * certain when the frame's record of the alternate stack, at a known distance, encloses the SP of
 * now; without such a word, the lowest pointer into the ordinary stack is not above it.
 */
static struct clues scan(const struct stack_request *rq, const struct snap_region *region,
                         struct stack_extent ordinary)
{
    struct clues sure = {0, 0}, lowest = {0, 0};
    size_t size = (size_t)(region->end_addr - region->start_addr);
    size_t first = (size_t)(rq->sp - region->start_addr); /* the red zone holds no frames */
    size_t step = rq->target->machine.arch->word_size;
    size_t back = first + (size_t)-rq->target->machine.frame_stack_off;

    for (size_t off = first; off + step <= size; off += step) {
        uint64_t word = word_at(rq, region, off);
        uint64_t alternate, alternate_size;
        if (word < ordinary.start || word >= ordinary.end)
            continue;
        if (!lowest.interrupted_sp || word < lowest.interrupted_sp)
            lowest.interrupted_sp = word;
        if (off < back || !rq->target->machine.frame_stack_off)
            continue;
        alternate = word_at(rq, region, off - back + first);
        alternate_size = word_at(rq, region, off - back + first + 2 * step);
        if (alternate <= rq->sp && rq->sp - alternate < alternate_size &&
            alternate_size <= SNAP_STACK_MAX &&
            (!sure.interrupted_sp || word < sure.interrupted_sp))
            sure = (struct clues){word, alternate + alternate_size};
    }
    return sure.interrupted_sp ? sure : lowest;
}

/*
 * The stack that a handler, which runs on another, interrupted. `sure_only`: SP may as well be on
 * the thread's own stack, so that only a recognized signal frame proves otherwise.
 */
static enum status add_interrupted(const struct stack_request *rq, bool sure_only,
                                   struct stack_arena *arena, struct stack_copy *out)
{
    struct stack_extent ordinary = ordinary_stack(rq);
    struct snap_region *alternate = &out->regions[0];
    struct clues clues;
    uint64_t start;

    if (ordinary.start >= ordinary.end)
        return STATUS_OK;
    if (rq->is_main)
        ordinary.start -= min(ordinary.start, GROWTH_MAX);
    clues = scan(rq, alternate, ordinary);
    if (sure_only && !clues.alternate_end)
        return STATUS_OK;
    if (clues.alternate_end && clues.alternate_end < alternate->map_end_addr) {
        alternate->map_end_addr = clues.alternate_end;
        alternate->end_addr = min(alternate->end_addr, clues.alternate_end);
    }
    start = clues.interrupted_sp & ~UINT64_C(15);
    /* Regions must not overlap, and a word may point to the region that was read as well. */
    if (!clues.interrupted_sp ||
        (start < alternate->end_addr && ordinary.end > alternate->start_addr))
        return STATUS_OK;
    if (alternate->end_addr <= start && alternate->end_addr > ordinary.start)
        ordinary.start = alternate->end_addr;
    return add_region(rq, ordinary.start, start,
                      clues.alternate_end ? rq->limit : min(rq->limit, STACK_FOREIGN_MAX),
                      ordinary.end, arena, out);
}

/* Is SP on a stack that has the thread pointer at its top? */
static bool below_thread_pointer(const struct stack_request *rq, const struct map_range *range)
{
    return rq->thread_pointer >= range->start_addr && rq->thread_pointer < range->end_addr &&
           rq->sp < end_above(rq);
}

enum status stack_copy(const struct stack_request *rq, struct stack_arena *arena,
                       struct stack_copy *out)
{
    const struct map_range *range = stack_range(rq);
    enum status status;
    uint64_t limit = rq->limit, end;
    bool below_tp;

    *out = (struct stack_copy){.count = 0};
    if (!range) {
        /* A mapping that came since: nobody knows where it ends, so the region counts as cut. */
        out->maps_stale = true;
        return add_region(rq, 0, rq->sp, min(limit, GUESS_SIZE),
                          rq->sp + GUESS_SIZE + rq->target->machine.page_size, arena, out);
    }
    end = range->end_addr;
    below_tp = below_thread_pointer(rq, range);
    if (rq->sp >= range->start_addr && (rq->is_main ? range->is_stack : below_tp))
        out->map_start_addr = range->start_addr;
    if (rq->is_main && range->is_stack)
        return add_region(rq, rq->sp < range->start_addr ? 0 : range->start_addr, rq->sp, limit,
                          end, arena, out);
    if (below_tp)
        end = min(end, end_above(rq));
    else if (end - range->start_addr > FOREIGN_MAPPING_MAX)
        limit = min(limit, STACK_FOREIGN_MAX);
    status = add_region(rq, range->start_addr, rq->sp, limit, end, arena, out);
    if (status != STATUS_OK || (below_tp && !rq->is_main))
        return status;
    /*
     * The first thread is here on an alternate stack, or it forked on a thread's stack. What can be
     * had of an interrupted stack is welcome; the sample is good without.
     */
    (void)!add_interrupted(rq, below_tp, arena, out);
    return STATUS_OK;
}
