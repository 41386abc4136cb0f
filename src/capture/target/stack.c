/* SPDX-License-Identifier: MIT */
#include "capture/target/stack.h"

#include <string.h>
#include <sys/mman.h>

#include "capture/target/goroutine_stack.h"

/* How far the first thread's stack may have grown below the mapping as it was read. */
#define GROWTH_MAX (UINT64_C(64) << 20)
/* The most bytes of a guard that SP may be in. */
#define GUARD_MAX (UINT64_C(1) << 20)
/*
 * Bytes above the thread pointer at the top of a thread's stack, at most. If there are more, the
 * mapping holds other things, too; or, in Go programs, is no thread's stack at all.
 */
#define ABOVE_TP_MAX (UINT64_C(64) << 10)
/* Bytes that are copied if SP is in no known mapping. */
#define GUESS_SIZE (UINT64_C(64) << 10)
/* Words of C code's stack, or of a signal frame, that may have the SP of a left goroutine. */
#define LEFT_WORDS 96

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

/* A thread's stack; empty: not known. */
struct stack_extent {
    uint64_t start, end;
    bool sure; /* `end` is exact; otherwise an upper bound */
};

/* End of a stack with the thread pointer at its top: the thread's control block lies above it. */
static uint64_t end_above(const struct stack_request *rq)
{
    uint64_t mask = rq->target->machine.page_size - 1;

    return ((rq->thread_pointer + mask) & ~mask) + rq->target->machine.page_size;
}

static bool is_at_top(const struct stack_request *rq, const struct map_range *range)
{
    return range->end_addr - rq->thread_pointer <= ABOVE_TP_MAX;
}

/* The piece of memory that has the top of the stack that the thread was started on. */
static const struct map_range *top_piece(const struct stack_request *rq)
{
    return rq->is_main ? maps_main_stack(rq->maps) : maps_find(rq->maps, rq->thread_pointer);
}

/* The stack that the thread was started on, wherever SP is now. */
static struct stack_extent ordinary_stack(const struct stack_request *rq)
{
    const struct map_range *piece = top_piece(rq);
    struct map_range range;

    if (!piece)
        return (struct stack_extent){.end = 0};
    range = maps_joined(rq->maps, piece, piece->start_addr);
    if (rq->is_main)
        return (struct stack_extent){range.start_addr, range.end_addr, true};
    return (struct stack_extent){range.start_addr, min(range.end_addr, end_above(rq)),
                                 is_at_top(rq, &range)};
}

/*
 * Sets *out to the memory that SP is in, up to the end of the thread's own stack, also where that
 * is in pieces; also [stack] if it grew since the mappings were read. Where SP is in the top piece,
 * what lies below is left out: it may be another thread's. False: SP is in no mapping.
 */
static bool stack_range(const struct stack_request *rq, struct map_range *out)
{
    const struct map_range *piece = maps_find(rq->maps, rq->sp), *top = top_piece(rq);

    if (piece) {
        *out = piece == top || !top ? *piece : maps_joined(rq->maps, piece, top->start_addr);
        return true;
    }
    if (!rq->is_main || !top)
        return false;
    *out = maps_joined(rq->maps, top, top->start_addr);
    return rq->sp < out->start_addr && out->start_addr - rq->sp <= GROWTH_MAX;
}

static uint64_t load(const struct stack_request *rq, const uint8_t *bytes)
{
    uint64_t word = 0;

    memcpy(&word, bytes, rq->target->machine.arch->word_size);
    return word & rq->target->machine.addr_mask;
}

/* Is there an address of code among the words? Unaligned rest bytes are no frames. */
static bool has_code(const struct stack_request *rq, const uint8_t *bytes, size_t size)
{
    const size_t step = rq->target->machine.arch->word_size;

    for (size_t off = 0; off + step <= size; off += step)
        if (maps_find_exec(rq->maps, load(rq, bytes + off)))
            return true;
    return false;
}

/*
 * Finds the proven end of a stack that was read from `start` on: a chain of frame records (the
 * caller's frame pointer, then the return address) that ends in a record without caller, with no
 * return address behind. Returns its offset, with some room; 0: not proven.
 */
static size_t proven_end(const struct stack_request *rq, const uint8_t *bytes, uint64_t start,
                         size_t size)
{
    const size_t word_size = rq->target->machine.arch->word_size;
    uint64_t at = rq->fp, least = rq->sp, next = 1;
    unsigned count = 0;
    size_t end;

    for (; next; count++, least = at + 2 * word_size, at = next) {
        if (at < least || at % word_size || size < 2 * word_size ||
            at - start > size - 2 * word_size)
            return 0;
        next = load(rq, bytes + (at - start));
        if (!maps_find_exec(rq->maps, load(rq, bytes + (at - start) + word_size)))
            return 0;
    }
    end = (size_t)(least - start);
    if (count < STACK_RECORDS_SURE || size - end < STACK_RECORDS_ROOM ||
        has_code(rq, bytes + end, STACK_RECORDS_ROOM))
        return 0;
    return end + STACK_RECORDS_ROOM;
}

/* Reads on, up to `size` bytes of the region. False: no more are readable. */
static bool read_on(const struct stack_request *rq, uint64_t start, size_t size,
                    struct stack_arena *arena, size_t *got)
{
    *got += target_read(rq->target, rq->tid, start + *got, arena->base + arena->used + *got,
                        size - *got);
    return *got == size;
}

/*
 * Reads [start, *end) to the arena, as far as readable; returns how many bytes. `grows`: *end is an
 * upper bound, and becomes the end of what was read.
 */
static size_t read_region(const struct stack_request *rq, uint64_t start, uint64_t *end, bool grows,
                          struct stack_arena *arena)
{
    const uint8_t *bytes = arena->base + arena->used;
    const size_t most = (size_t)(*end - start);
    size_t want = (size_t)min(most, grows ? STACK_FOREIGN_FIRST : most), got = 0, before, enough;

    for (;;) {
        before = got;
        if (!read_on(rq, start, want, arena, &got) || !grows)
            return got;
        enough = want <= STACK_FOREIGN_MAX ? proven_end(rq, bytes, start, got) : 0;
        if (!enough && want == most)
            return got;
        if (!enough && want >= STACK_FOREIGN_MAX && !has_code(rq, bytes + before, got - before))
            enough = got;
        if (enough) {
            *end = start + enough;
            return enough;
        }
        want = (size_t)min(most, want < STACK_FOREIGN_MAX ? STACK_FOREIGN_MAX : 2 * want);
    }
}

/*
 * Adds a region: the red zone, but nothing below `low`, and up to `want` bytes from `sp` on.
 * `map_end`: end of its mapping, or of the stack in it; `grows`: not known.
 */
static enum status add_region(const struct stack_request *rq, uint64_t low, uint64_t sp,
                              uint64_t want, uint64_t map_end, bool grows,
                              struct stack_arena *arena, struct stack_copy *out)
{
    struct snap_region *region = &out->regions[out->count];
    uint64_t start = sp - min(rq->target->machine.red_zone, low < sp ? sp - low : 0), end;
    size_t got;

    end = min(min(map_end, start + SNAP_STACK_MAX), sp + min(want, map_end - sp));
    if (end - start > arena->size - arena->used)
        return STATUS_NO_MEMORY;
    got = read_region(rq, start, &end, grows, arena);
    if (!got && start < sp) {
        /* The page below is no stack (yet), whatever the mappings said. */
        start = sp;
        got = read_region(rq, start, &end, grows, arena);
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

/* Where the interrupted and the alternate stack are, by words on the latter. */
struct clues {
    uint64_t interrupted_sp; /* 0: no word points into the ordinary stack */
    uint64_t alternate_end;  /* 0: no signal frame was recognized */
};

/*
 * Looks for the SP in a signal frame. A word that points into the ordinary stack is it for certain
 * if the frame's record of the alternate stack, at a known distance, encloses the present SP;
 * otherwise the lowest pointer into the ordinary stack is a lower bound.
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
        uint64_t word = load(rq, region->bytes + off);
        uint64_t alternate, alternate_size;
        if (word < ordinary.start || word >= ordinary.end)
            continue;
        if (!lowest.interrupted_sp || word < lowest.interrupted_sp)
            lowest.interrupted_sp = word;
        if (off < back || !rq->target->machine.frame_stack_off)
            continue;
        alternate = load(rq, region->bytes + off - back + first);
        alternate_size = load(rq, region->bytes + off - back + first + 2 * step);
        if (alternate <= rq->sp && rq->sp - alternate < alternate_size &&
            alternate_size <= SNAP_STACK_MAX &&
            (!sure.interrupted_sp || word < sure.interrupted_sp))
            sure = (struct clues){word, alternate + alternate_size};
    }
    return sure.interrupted_sp ? sure : lowest;
}

/* Cuts the region at the alternate stack's end. */
static void cut_alternate(struct snap_region *alternate, const struct clues *clues)
{
    if (!clues->alternate_end || clues->alternate_end >= alternate->map_end_addr)
        return;
    alternate->map_end_addr = clues->alternate_end;
    alternate->end_addr = min(alternate->end_addr, clues->alternate_end);
}

/* Returns the SP that a handler surely interrupted on this goroutine's stack; 0: none. */
static uint64_t interrupted(const struct stack_request *rq, struct snap_region *alternate,
                            const struct goroutine *g)
{
    struct clues clues = scan(rq, alternate, (struct stack_extent){g->low_addr, g->end_addr, true});

    cut_alternate(alternate, &clues);
    return clues.alternate_end ? clues.interrupted_sp : 0;
}

/*
 * How far below the stack SP may have been when its overflow was caught: the first thread's stack
 * may have grown since, others have a guard, which cannot be read.
 */
static uint64_t overflow_start(const struct stack_request *rq, uint64_t start)
{
    const struct map_range *guard = start ? maps_find(rq->maps, start - 1) : NULL;

    if (rq->is_main)
        return start - min(start, GROWTH_MAX);
    if (!guard || guard->prot & MAP_PROT_READ)
        return start;
    return start - min(start - guard->start_addr, GUARD_MAX);
}

/*
 * Adds the stack that a handler on another stack interrupted. `sure_only`: SP may be on the
 * thread's own stack, so that only a recognized signal frame proves the interruption.
 */
static enum status add_interrupted(const struct stack_request *rq, bool sure_only,
                                   struct stack_arena *arena, struct stack_copy *out)
{
    struct stack_extent ordinary = ordinary_stack(rq);
    struct snap_region *alternate = &out->regions[0];
    struct clues clues;
    uint64_t start, readable, limit = rq->limit;
    enum status status;

    if (ordinary.start >= ordinary.end)
        return STATUS_OK;
    readable = ordinary.start;
    ordinary.start = overflow_start(rq, readable);
    clues = scan(rq, alternate, ordinary);
    if ((sure_only || !ordinary.sure) && !clues.alternate_end)
        return STATUS_OK;
    cut_alternate(alternate, &clues);
    start = clues.interrupted_sp & ~UINT64_C(15);
    /* Regions must not overlap, and the word may point into the first one. */
    if (!clues.interrupted_sp ||
        (start < alternate->end_addr && ordinary.end > alternate->start_addr))
        return STATUS_OK;
    if (alternate->end_addr <= start && alternate->end_addr > ordinary.start)
        ordinary.start = alternate->end_addr;
    if (!ordinary.sure && !rq->limit_given)
        limit = min(limit, STACK_FOREIGN_MAX);
    else if (!clues.alternate_end && !rq->limit_given)
        limit = min(limit, STACK_FOREIGN_ALONE_MAX);
    status = add_region(rq, ordinary.start, start, limit, ordinary.end, !ordinary.sure, arena, out);
    if (status != STATUS_FAULT || start >= readable)
        return status;
    return add_region(rq, readable, readable, limit, ordinary.end, !ordinary.sure, arena, out);
}

/* Is it apart from what was copied? Regions must not overlap, whatever the target says. */
static bool is_apart(const struct stack_copy *copy, const struct goroutine *g)
{
    for (unsigned i = 0; i < copy->count; i++)
        if (g->low_addr < copy->regions[i].end_addr && g->end_addr > copy->regions[i].start_addr)
            return false;
    return true;
}

static void add_stack(const struct stack_request *rq, const struct goroutine *g, uint64_t sp,
                      struct stack_arena *arena, struct stack_copy *out)
{
    uint64_t start = sp & ~(UINT64_C(16) - 1);

    if (start < g->low_addr)
        start = g->low_addr;
    if (goroutine_holds(g, sp) && is_apart(out, g))
        (void)!add_region(rq, g->low_addr, start, rq->limit, g->end_addr, false, arena, out);
}

static uint64_t lower(const struct goroutine *g, uint64_t lowest, uint64_t value)
{
    return goroutine_holds(g, value) && (value < lowest || !goroutine_holds(g, lowest)) ? value
                                                                                        : lowest;
}

/*
 * Adds the stack of the goroutine that was left, from the lowest address needed on. A function that
 * switches to the scheduler's stack to call C code may keep its SP in a register
 * (runtime.nanotime1), which C code, or a signal, may have saved on its stack.
 */
static void add_left(const struct stack_request *rq, const struct goroutine_thread *thread,
                     struct stack_arena *arena, struct stack_copy *out)
{
    const struct target_machine *machine = &rq->target->machine;
    const size_t step = machine->arch->word_size;
    const struct goroutine *g = &thread->current;
    uint64_t lowest = g->sp;

    for (unsigned i = 0; rq->regs && i < machine->arch->reg_count; i++)
        lowest = lower(g, lowest, rq->regs[i] & machine->addr_mask);
    for (const struct snap_region *r = out->regions; r < out->regions + out->count; r++)
        for (size_t i = 0; i < LEFT_WORDS && (i + 1) * step <= r->end_addr - r->start_addr; i++)
            lowest = lower(g, lowest, load(rq, r->bytes + i * step));
    add_stack(rq, g, lowest, arena, out);
}

/*
 * Sets SP and PC where the goroutine was left, if known; LR only if it points into code, as the
 * word may be something else since Go 1.25.
 */
static void set_left(const struct stack_request *rq, const struct goroutine_look *look, uint64_t sp,
                     struct stack_copy *out)
{
    out->goroutine = goroutine_left(&look->thread, sp);
    if (rq->target->machine.arch->lr == REG_NONE || !maps_find_exec(rq->maps, out->goroutine.lr))
        out->goroutine.lr = 0;
}

/*
 * Adds the stacks behind a handler: the interrupted one, and the goroutine's if that is another.
 * `ordinary`: the thread's own stack may be the interrupted one.
 */
static void add_behind_handler(const struct stack_request *rq, const struct goroutine_look *look,
                               bool ordinary, bool sure_only, struct stack_arena *arena,
                               struct stack_copy *out)
{
    const struct goroutine *scheduler = &look->thread.scheduler, *current = &look->thread.current;
    uint64_t sp = interrupted(rq, &out->regions[0], current);

    set_left(rq, look, sp, out);
    if (sp) {
        add_stack(rq, current, sp, arena, out);
        return;
    }
    if (look->knows_scheduler && (sp = interrupted(rq, &out->regions[0], scheduler)))
        add_stack(rq, scheduler, sp, arena, out);
    else if (ordinary)
        (void)!add_interrupted(rq, sure_only, arena, out);
    if (out->count > 1)
        add_left(rq, &look->thread, arena, out);
}

/* Is SP on a stack that has the thread pointer at its top? */
static bool below_thread_pointer(const struct stack_request *rq, const struct map_range *range)
{
    return rq->thread_pointer >= range->start_addr && rq->thread_pointer < range->end_addr &&
           rq->sp < end_above(rq);
}

uint64_t stack_end(const struct stack_request *rq)
{
    struct map_range range;

    if (!stack_range(rq, &range))
        return 0;
    if (rq->is_main || !below_thread_pointer(rq, &range))
        return range.end_addr;
    return min(range.end_addr, end_above(rq));
}

/* Limit for a stack in this mapping whose end is not known. */
static uint64_t foreign_limit(const struct stack_request *rq, const struct map_range *range)
{
    bool alone = range->end_addr - range->start_addr <= STACK_FOREIGN_ALONE_MAX;

    if (rq->limit_given)
        return rq->limit;
    return min(rq->limit, alone ? STACK_FOREIGN_ALONE_MAX : STACK_FOREIGN_MAX);
}

/* The first region's end, and what else is known of it. */
struct first_region {
    uint64_t end, limit;
    bool below_tp; /* SP is on a stack that has the thread pointer at its top */
    bool own;      /* that, with a sure end, or it is [stack]: the thread's own stack */
    bool end_known;
    bool is_go;
    struct goroutine_look look;
};

static struct first_region look_at_stack(const struct stack_request *rq,
                                         const struct map_range *range)
{
    struct first_region first = {.end = range->end_addr, .limit = rq->limit};

    first.below_tp = below_thread_pointer(rq, range);
    first.own = range->is_stack || (first.below_tp && is_at_top(rq, range));
    first.end_known = first.own;
    first.is_go = goroutine_stack_look(rq, &first.look);
    if (first.is_go && first.look.on.end_addr && !first.own) {
        first.end = first.look.on.end_addr;
        first.end_known = true;
        first.below_tp = false;
    } else if (first.below_tp && !range->is_stack) {
        first.end = min(first.end, end_above(rq));
    } else if (!range->is_stack) {
        first.limit = foreign_limit(rq, range);
    }
    return first;
}

enum status stack_copy(const struct stack_request *rq, struct stack_arena *arena,
                       struct stack_copy *out)
{
    struct map_range range;
    struct first_region first;
    bool is_main_stack, ordinary;
    enum status status;

    *out = (struct stack_copy){.count = 0};
    if (!stack_range(rq, &range)) {
        /* A new mapping: its end is not known, so the region counts as cut. */
        out->maps_stale = true;
        return add_region(rq, 0, rq->sp, min(rq->limit, GUESS_SIZE),
                          rq->sp + GUESS_SIZE + rq->target->machine.page_size, true, arena, out);
    }
    first = look_at_stack(rq, &range);
    is_main_stack = rq->is_main && range.is_stack;
    if (rq->sp >= range.start_addr && (rq->is_main ? range.is_stack : first.below_tp))
        out->map_start_addr = range.start_addr;
    status = add_region(rq, rq->sp < range.start_addr ? 0 : range.start_addr, rq->sp, first.limit,
                        first.end, !first.end_known, arena, out);
    ordinary = !is_main_stack && (!first.below_tp || rq->is_main);
    if (status == STATUS_OK && first.is_go) {
        out->scheduler_addr = first.look.thread.scheduler.addr;
        set_left(rq, &first.look, rq->sp, out);
        if (first.look.on_scheduler)
            add_left(rq, &first.look.thread, arena, out);
        else if (first.look.elsewhere)
            add_behind_handler(rq, &first.look, ordinary, first.below_tp, arena, out);
        out->goroutine_id = first.look.id;
    }
    if (status != STATUS_OK || first.is_go || !ordinary)
        return status;
    /*
     * Here the first thread is on an alternate stack, or it forked on another thread's stack. The
     * interrupted stack is optional: the sample is good without.
     */
    (void)!add_interrupted(rq, first.below_tp, arena, out);
    return STATUS_OK;
}
