/* SPDX-License-Identifier: MIT */
#include "capture/target/pointees.h"

#include <string.h>

#include "base/search.h"

/* Words of registers, red zone and stack, at most: those of 32 bits. */
#define WORDS_MAX (ARCH_REG_MAX + (POINTEES_STACK + 256) / 4)
/* A word's piece may lie in two pages: it is not larger than a page. */
#define PAGES_MAX (2 * WORDS_MAX)
/* Unreadable pieces after which copying ends: the target is changing. */
#define FAILURES_MAX 4u

/* Bytes to copy: [start, end). */
struct pointee_span {
    uint64_t start, end;
};

struct choice {
    const struct pointee_request *rq;
    struct pointee_span wanted[WORDS_MAX]; /* in order of importance */
    size_t wanted_count;
    struct target_page pages[PAGES_MAX]; /* ascending */
    size_t page_count;
    struct pointee_span pieces[TARGET_PIECES_MAX]; /* ascending, apart */
    size_t piece_count;
    uint64_t left;                 /* of the budget */
    const struct map_range *range; /* range of the last word that was an address; NULL: none */
};

static uint64_t min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/*
 * Is memory of this range to be copied? Files have what is not written. Reading shared memory may
 * have effects, if it is a device's; so may what the kernel names ([vvar]). Code is what return
 * addresses lead to.
 */
static bool is_wanted(const struct map_range *range)
{
    if (!(range->prot & MAP_PROT_READ) || range->prot & MAP_PROT_EXEC || range->is_shared)
        return false;
    return range->is_file ? range->prot & MAP_PROT_WRITE : range->place != SNAP_PLACE_UNKNOWN;
}

/* Takes out of `span` what was captured as stack. False: all was. */
static bool cut_stack(const struct stack_copy *stack, struct pointee_span *span)
{
    for (unsigned i = 0; i < stack->count; i++) {
        const struct snap_region *r = &stack->regions[i];

        if (span->start >= r->start_addr && span->start < r->end_addr)
            return false;
        if (span->start < r->start_addr && span->end > r->start_addr)
            span->end = r->start_addr;
    }
    return true;
}

/* Adds the page to those that are looked at. */
static void add_page(struct choice *choice, uint64_t number)
{
    struct target_page *pages = choice->pages;
    const size_t count = choice->page_count;
    const size_t at = SEARCH_FIRST(i, 0, count, pages[i].number < number);

    if (at < count && pages[at].number == number)
        return;
    memmove(&pages[at + 1], &pages[at], (count - at) * sizeof(*pages));
    pages[at] = (struct target_page){.number = number};
    choice->page_count++;
}

/* Finds a word's range. Most words are small numbers, or in the same mapping as the last. */
static const struct map_range *find_range(struct choice *choice, uint64_t addr)
{
    const struct maps *maps = choice->rq->maps;

    if (!maps->range_len || addr < maps->ranges[0].start_addr)
        return NULL;
    if (!choice->range || addr < choice->range->start_addr || addr >= choice->range->end_addr)
        choice->range = maps_find(maps, addr);
    return choice->range;
}

static void add_word(struct choice *choice, uint64_t word)
{
    const struct pointee_request *rq = choice->rq;
    const struct target_machine *machine = &rq->target->machine;
    const uint64_t addr = word & machine->addr_mask;
    const struct map_range *range = find_range(choice, addr);
    struct pointee_span span = {.start = addr};

    if (!range || !is_wanted(range) || choice->wanted_count == WORDS_MAX)
        return;
    span.end = addr + min(rq->size, range->end_addr - addr);
    if (!cut_stack(rq->stack, &span))
        return;
    add_page(choice, span.start / machine->page_size);
    add_page(choice, (span.end - 1) / machine->page_size);
    choice->wanted[choice->wanted_count++] = span;
}

/* Adds the region's words between two addresses, at multiples of their size. */
static void add_words(struct choice *choice, const struct snap_region *region, uint64_t from,
                      uint64_t to)
{
    const size_t step = choice->rq->target->machine.arch->word_size;

    from = (from + step - 1) / step * step;
    to = min(to, region->end_addr);
    for (uint64_t at = from; at < to && to - at >= step; at += step) {
        uint64_t word = 0;

        memcpy(&word, region->bytes + (at - region->start_addr), step);
        add_word(choice, word);
    }
}

static void gather(struct choice *choice)
{
    const struct pointee_request *rq = choice->rq;
    const struct snap_region *region = &rq->stack->regions[0];

    for (unsigned i = 0; i < rq->target->machine.arch->reg_count; i++)
        add_word(choice, rq->regs[i]);
    if (!rq->stack->count || rq->sp < region->start_addr || rq->sp >= region->end_addr)
        return;
    /* A leaf function's data are in the red zone; others have left little there. */
    add_words(choice, region, region->start_addr, rq->sp);
    add_words(choice, region, rq->sp, rq->sp + POINTEES_STACK);
}

static bool is_own(const struct choice *choice, uint64_t number)
{
    const struct target_page *pages = choice->pages;
    const size_t at = SEARCH_FIRST(i, 0, choice->page_count, pages[i].number < number);

    return at < choice->page_count && pages[at].number == number && pages[at].is_own;
}

/* Cuts `span` to pages that are present. False: the first one is not. */
static bool cut_pages(const struct choice *choice, struct pointee_span *span)
{
    const uint64_t page_size = choice->rq->target->machine.page_size;
    const uint64_t first = span->start / page_size, last = (span->end - 1) / page_size;

    if (!is_own(choice, first))
        return false;
    if (last != first && !is_own(choice, last))
        span->end = last * page_size;
    return true;
}

/* Adds a piece, joined with those that it overlaps or touches; not if the budget has no room. */
static void add_piece(struct choice *choice, struct pointee_span span)
{
    struct pointee_span *pieces = choice->pieces;
    const size_t count = choice->piece_count;
    const size_t first = SEARCH_FIRST(i, 0, count, pieces[i].end < span.start);
    size_t last = first; /* end of those that it joins */
    uint64_t known = 0;

    for (; last < count && pieces[last].start <= span.end; last++) {
        known += pieces[last].end - pieces[last].start;
        span.start = min(span.start, pieces[last].start);
        if (span.end < pieces[last].end)
            span.end = pieces[last].end;
    }
    if (span.end - span.start - known > choice->left ||
        (last == first && count == TARGET_PIECES_MAX))
        return;
    choice->left -= span.end - span.start - known;
    memmove(&pieces[first + 1], &pieces[last], (count - last) * sizeof(*pieces));
    pieces[first] = span;
    choice->piece_count = count - (last - first) + 1;
}

static void choose(struct choice *choice)
{
    for (size_t i = 0; i < choice->wanted_count; i++) {
        struct pointee_span span = choice->wanted[i];

        if (cut_pages(choice, &span))
            add_piece(choice, span);
    }
}

/*
 * Reads the pieces, in one system call except for pieces that are no longer there: it ends at
 * these, and goes on behind. Returns how many were read; these are moved together.
 */
static size_t read_pieces(const struct pointee_request *rq, struct target_memory *pieces,
                          size_t count, uint8_t *bytes)
{
    const struct capture_backend *backend = rq->target->backend;
    size_t read = 0, next = 0;

    for (unsigned failures = 0; next < count && failures <= FAILURES_MAX; failures++) {
        size_t done = 0;
        const enum status status =
            backend->memory(rq->target->state, rq->tid, &pieces[next], count - next, bytes, &done);

        for (; next < count && done >= pieces[next].size; next++) {
            done -= pieces[next].size;
            bytes += pieces[next].size;
            pieces[read++] = pieces[next];
        }
        next++; /* the one that was unreadable */
        if (status != STATUS_FAULT)
            break;
    }
    return read;
}

/* Copies to the arena: the list of pieces, followed by their bytes. */
static void copy(const struct choice *choice, struct stack_arena *arena, struct pointees *out)
{
    struct target_memory *pieces = (struct target_memory *)(void *)(arena->base + arena->used);
    const size_t list_size = choice->piece_count * sizeof(*pieces);
    const size_t room = arena->size - arena->used;
    uint8_t *bytes = arena->base + arena->used + list_size;
    size_t size = 0;

    if (list_size > room || choice->rq->budget - choice->left > room - list_size)
        return;
    for (size_t i = 0; i < choice->piece_count; i++)
        pieces[i] = (struct target_memory){.addr = choice->pieces[i].start,
                                           .size = (size_t)(choice->pieces[i].end -
                                                            choice->pieces[i].start)};
    out->count = (unsigned)read_pieces(choice->rq, pieces, choice->piece_count, bytes);
    out->pieces = pieces;
    out->bytes = bytes;
    for (size_t i = 0; i < out->count; i++)
        size += pieces[i].size;
    if (out->count)
        stack_arena_take(arena, list_size + size);
}

enum status pointees_copy(const struct pointee_request *request, struct stack_arena *arena,
                          struct pointees *out)
{
    const struct target *target = request->target;
    struct choice choice;

    /* Not zeroed as a whole: it is large, and its lists are used up to their counts. */
    choice.rq = request;
    choice.wanted_count = choice.page_count = choice.piece_count = 0;
    choice.left = request->budget;
    choice.range = NULL;
    *out = (struct pointees){.count = 0};
    gather(&choice);
    if (!choice.wanted_count)
        return STATUS_OK;
    if (!target->backend->own_pages ||
        target->backend->own_pages(target->state, request->tid, choice.pages, choice.page_count) !=
            STATUS_OK)
        return STATUS_IO;
    choose(&choice);
    if (choice.piece_count)
        copy(&choice, arena, out);
    return STATUS_OK;
}
