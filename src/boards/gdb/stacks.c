/* SPDX-License-Identifier: MIT */
#include "boards/gdb/stacks.h"

#include <string.h>

#include "boards/gdb/board.h"
#include "boards/gdb/memory.h"

/* Size of ARM's main stack below the initial SP, at most. */
#define MAIN_STACK_MAX (UINT64_C(1) << 20)
/* Below the initial SP by less than this, SP is taken to be on the main stack. */
#define MAIN_STACK_SURE (UINT64_C(4) << 10)
/* Bytes copied below an empty stack. */
#define EMPTY_BYTES 16u
/* Bytes below PSP where a handler that switches threads stores r4-r11, EXC_RETURN, S16-S31. */
#define SWITCH_BYTES      100u
#define PROGRAM_STACK_MAX (UINT64_C(8) << 20)
#define PAGE              UINT64_C(4096) /* pages are multiples of it */
#define MSP               17u
#define PSP               18u

static uint64_t min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A stack's end: exact, or an upper bound. */
struct bound {
    uint64_t end_addr;
    bool is_sure;
};

static bool is_below(uint64_t sp, uint64_t end_addr, uint64_t most)
{
    return sp <= end_addr && end_addr - sp <= most;
}

static uint64_t ram_end(const struct gdb_state *st, uint64_t sp)
{
    for (size_t i = 0; i < st->memory_map.count; i++) {
        const struct gdb_memory *memory = &st->memory_map.items[i];

        if (sp >= memory->start_addr && sp - memory->start_addr < memory->size)
            return memory->start_addr + memory->size;
    }
    return st->arch->word_size == 4 ? UINT64_C(1) << 32 : UINT64_MAX;
}

/* Finds the stack's end. `is_main`: SP is surely on the main stack. */
static struct bound bound_of(const struct gdb_state *st, const struct target_thread *thread,
                             uint64_t sp, bool is_main)
{
    const struct rtos_task *task = gdb_thread_of(thread)->task;
    const uint64_t initial = st->board.initial_sp;
    struct bound bound = {.end_addr = ram_end(st, sp)};

    if (task && sp >= task->told.stack_start_addr && sp < task->told.stack_end_addr)
        return (struct bound){task->told.stack_end_addr, true};
    if (st->is_linux && st->stack_top_addr && thread->tid == st->first_tid &&
        is_below(sp, st->stack_top_addr, PROGRAM_STACK_MAX))
        return (struct bound){st->stack_top_addr, true};
    if (is_below(sp, initial, is_main ? MAIN_STACK_MAX : MAIN_STACK_SURE))
        return (struct bound){initial, true};
    if (is_below(sp, initial, MAIN_STACK_MAX))
        bound.end_addr = min(bound.end_addr, initial);
    return bound;
}

/* Is there an address of code among the words? On ARM's M-profile these are odd. */
static bool has_code(const struct gdb_state *st, const uint8_t *bytes, size_t size)
{
    const size_t step = st->arch->word_size;

    for (size_t off = 0; off + step <= size; off += step) {
        uint64_t word = 0;

        memcpy(&word, bytes + off, step);
        if (gdb_is_m_profile(st) && !(word & 1))
            continue;
        for (size_t i = 0; i < st->modules.count; i++)
            if (word >= st->modules.items[i].map.start_addr &&
                word < st->modules.items[i].map.end_addr)
                return true;
    }
    return false;
}

/* A stack that is being read in this halt. */
struct stack_reading {
    struct gdb_state *st;
    struct gdb_shadow *shadow;
    uint64_t start_addr;
    uint8_t *bytes;
    size_t got, want;
};

/* Returns the next piece's size: the largest possible, unless bytes cost more than round trips. */
static size_t piece_size(const struct stack_reading *r, bool is_sure)
{
    const struct gdb_client *client = &r->st->client;
    size_t piece = gdb_memory_piece(r->st);

    if ((!is_sure || client->byte_ns * piece > 2 * client->trip_ns) && piece > GDB_STACK_PIECE)
        piece = GDB_STACK_PIECE;
    return r->want - r->got < piece ? r->want - r->got : piece;
}

/* Would reading the rest take longer than GDB_STACK_CHEAP_NS? */
static bool is_dear(const struct stack_reading *r)
{
    const struct gdb_client *client = &r->st->client;
    const size_t left = r->want - r->got;

    return (left / gdb_memory_piece(r->st) + 1) * client->trip_ns + left * client->byte_ns >
           GDB_STACK_CHEAP_NS;
}

/* Takes the rest from the last sample, if the last bytes read are as they were then. False: not. */
static bool take_rest(struct stack_reading *r)
{
    struct gdb_shadow *shadow = r->shadow;
    const uint64_t at = r->start_addr + r->got;
    size_t off;

    if (!shadow->bytes || shadow->reused >= GDB_STACK_REUSES || r->got < GDB_STACK_SAME ||
        at - GDB_STACK_SAME < shadow->start_addr || at - shadow->start_addr > shadow->size ||
        r->start_addr + r->want - shadow->start_addr > shadow->size || !is_dear(r))
        return false;
    off = (size_t)(at - shadow->start_addr);
    if (memcmp(shadow->bytes + off - GDB_STACK_SAME, r->bytes + r->got - GDB_STACK_SAME,
               GDB_STACK_SAME) != 0)
        return false;
    memcpy(r->bytes + r->got, shadow->bytes + off, r->want - r->got);
    r->got = r->want;
    shadow->reused++;
    return true;
}

static void keep(struct stack_reading *r)
{
    struct gdb_shadow *shadow = r->shadow;

    if (!shadow->bytes)
        return;
    shadow->start_addr = r->start_addr;
    shadow->size = r->got < GDB_SHADOW_MAX ? r->got : GDB_SHADOW_MAX;
    memcpy(shadow->bytes, r->bytes, shadow->size);
}

/* Where a piece is not readable, reads what its first page has of it: Linux maps whole pages. */
static size_t read_page_rest(struct stack_reading *r, size_t piece)
{
    const uint64_t addr = r->start_addr + r->got;
    const uint64_t rest = PAGE - addr % PAGE;

    return r->st->is_linux && rest < piece
               ? gdb_memory_read(r->st, addr, r->bytes + r->got, (size_t)rest)
               : 0;
}

/* Reads up to r->want bytes; less if memory ends or, unless the end is sure, the stack does. */
static void read_stack(struct stack_reading *r, bool is_sure)
{
    unsigned without_code = 0; /* pieces in a row */

    while (r->got < r->want) {
        const size_t piece = piece_size(r, is_sure);
        size_t n = gdb_memory_read(r->st, r->start_addr + r->got, r->bytes + r->got, piece);

        if (!n)
            n = read_page_rest(r, piece);
        r->got += n;
        without_code = is_sure || has_code(r->st, r->bytes + r->got - n, n) ? 0 : without_code + 1;
        if (n < piece || without_code > GDB_STACK_WITHOUT_CODE)
            break;
        if (r->got < r->want && take_rest(r))
            return;
    }
    r->shadow->reused = 0;
}

/* Returns the stack's end for the snapshot; if not known, an address behind what was read. */
static uint64_t told_end(const struct gdb_state *st, const struct bound *bound, uint64_t got_addr)
{
    const uint64_t word = st->arch->word_size;

    if (bound->is_sure || bound->end_addr - got_addr <= word)
        return bound->end_addr;
    return got_addr + word;
}

static enum status copy_one(struct gdb_state *st, struct target_thread *thread, unsigned which,
                            uint64_t sp, struct bound bound, struct stack_arena *arena,
                            struct stack_copy *out)
{
    const uint64_t limit = st->options->stack_size;
    struct stack_reading r = {.st = st,
                              .shadow = &gdb_thread_of(thread)->shadows[which],
                              .start_addr = sp,
                              .bytes = arena->base + arena->used};
    uint64_t want = min(bound.end_addr - sp, limit);

    if (!bound.is_sure && !st->options->stack_size_given)
        want = min(want, GDB_STACK_GUESS);
    if (want > arena->size - arena->used)
        return STATUS_NO_MEMORY;
    r.want = (size_t)want;
    read_stack(&r, bound.is_sure);
    if (!r.got && want > GDB_STACK_SAME) { /* memory may end within the piece */
        r.want = GDB_STACK_SAME / 2;
        read_stack(&r, bound.is_sure);
    }
    if (!r.got)
        return STATUS_FAULT;
    keep(&r);
    out->regions[out->count++] =
        (struct snap_region){.start_addr = sp,
                             .end_addr = sp + r.got,
                             .map_end_addr = told_end(st, &bound, sp + r.got),
                             .bytes = r.bytes};
    stack_arena_take(arena, r.got);
    return STATUS_OK;
}

/* Adds what a v7-M handler may have stored below PSP of the thread that it switches from. */
static void copy_switch(struct gdb_state *st, uint64_t sp, struct stack_arena *arena,
                        struct stack_copy *out)
{
    const struct snap_region *first = &out->regions[0];
    uint8_t *bytes = arena->base + arena->used;

    if (sp < SWITCH_BYTES || (sp >= first->end_addr && sp - first->end_addr < SWITCH_BYTES) ||
        arena->size - arena->used < SWITCH_BYTES ||
        gdb_memory_read(st, sp - SWITCH_BYTES, bytes, SWITCH_BYTES) != SWITCH_BYTES)
        return;
    out->regions[out->count++] = (struct snap_region){.start_addr = sp - SWITCH_BYTES,
                                                      .end_addr = sp,
                                                      .map_end_addr = sp,
                                                      .bytes = bytes};
    stack_arena_take(arena, SWITCH_BYTES);
}

/* Adds the process stack behind a handler's, without what the first region has of it. */
static void copy_process_stack(struct gdb_state *st, struct target_thread *thread, uint64_t sp,
                               struct stack_arena *arena, struct stack_copy *out)
{
    const struct snap_region *first = &out->regions[0];
    struct bound bound = bound_of(st, thread, sp, false);

    /* PSP begins as 0, which is no stack. */
    if (sp == 0 || (sp >= first->start_addr && sp < first->end_addr))
        return;
    if (sp < first->start_addr && bound.end_addr > first->start_addr)
        bound.end_addr = first->start_addr;
    if (sp % st->arch->word_size == 0 && sp < bound.end_addr &&
        copy_one(st, thread, 1, sp, bound, arena, out) == STATUS_OK)
        copy_switch(st, sp, arena, out);
}

/*
 * Copies the stack that SP points to. A board's CPU is reported without a stack, too: a ruined SP
 * is what one looks for then.
 */
static enum status copy_stack(struct gdb_state *st, struct target_thread *thread, uint64_t sp,
                              const struct bound *bound, struct stack_arena *arena,
                              struct stack_copy *out)
{
    const uint64_t red_zone = st->is_linux ? st->arch->red_zone : 0;
    enum status status = STATUS_FAULT;

    if (sp <= bound->end_addr && sp >= EMPTY_BYTES + red_zone) {
        /* An empty stack, as after a reset, has no bytes above SP: copy some below. */
        const uint64_t below = red_zone || sp < bound->end_addr ? red_zone : EMPTY_BYTES;

        status = copy_one(st, thread, 0, sp - below, *bound, arena, out);
    }
    if (status != STATUS_FAULT || st->client.has_failed || st->is_linux ||
        !gdb_thread_of(thread)->is_cpu)
        return status;
    out->regions[out->count++] = (struct snap_region){.start_addr = sp,
                                                      .end_addr = sp,
                                                      .map_end_addr = sp,
                                                      .bytes = arena->base};
    return STATUS_OK;
}

/* Is it EXC_RETURN of an exception in a thread on the process stack (v6-M to v8-M)? */
static bool returns_to_process_stack(uint32_t value)
{
    return (value & 0xffffff8e) == 0xffffff8c && !(value & 0x40) == !(value & 1);
}

/* Has the handler interrupted such a thread, by LR, or by what handlers saved of it? */
static bool interrupts_process_stack(const struct gdb_state *st, const struct gdb_registers *regs,
                                     const struct snap_region *region)
{
    const uint64_t size = region->end_addr - region->start_addr;

    if (returns_to_process_stack((uint32_t)regs->values[st->arch->lr]))
        return true;
    for (uint64_t i = 0; i + 4 <= size; i += 4) {
        const uint8_t *word = region->bytes + i;

        if (word[3] == 0xff && word[2] == 0xff && word[1] == 0xff &&
            returns_to_process_stack(0xffffff00 | word[0]))
            return true;
    }
    return false;
}

enum status gdb_stacks_copy(struct gdb_state *st, struct target_thread *thread,
                            struct stack_arena *arena, struct stack_copy *out)
{
    const struct gdb_thread *own = gdb_thread_of(thread);
    const struct gdb_registers *regs = &own->regs;
    const bool is_handler = own->is_cpu && gdb_board_in_handler(st, regs);
    const bool is_main = own->is_cpu && regs->known >> MSP & 1 && gdb_is_m_profile(st) &&
                         regs->values[MSP] == regs->values[st->arch->sp];
    uint64_t sp = regs->values[st->arch->sp];
    struct bound bound;
    enum status status;

    *out = (struct stack_copy){.count = 0};
    if (st->arch->word_size == 4)
        sp &= UINT32_MAX;
    bound = bound_of(st, thread, sp, is_handler || is_main);
    status = copy_stack(st, thread, sp, &bound, arena, out);
    if (status == STATUS_OK && is_handler && regs->known >> PSP & 1)
        copy_process_stack(st, thread, regs->values[PSP], arena, out);
    else if (status == STATUS_OK && is_handler)
        st->without_psp += interrupts_process_stack(st, regs, &out->regions[0]);
    return status;
}
