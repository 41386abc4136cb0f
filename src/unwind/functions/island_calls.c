/* SPDX-License-Identifier: MIT */
#include "unwind/functions/island_calls.h"

#include <stdlib.h>

#include "base/vec.h"

#define SYNC_BYTES         16 /* at the begin of a piece, where decoding may be out of step */
#define FUNCTION_ALIGNMENT 16

struct island_search {
    const struct vaddr_range *ranges;
    size_t range_count;
    struct code_function *items;
    size_t count, cap;
};

static bool in_pieces(const struct island_search *calls, uint64_t vaddr)
{
    for (size_t i = 0; i < calls->range_count; i++)
        if (vaddr >= calls->ranges[i].start_vaddr && vaddr < calls->ranges[i].end_vaddr)
            return true;
    return false;
}

static enum status sweep(struct island_search *calls, struct code *code,
                         const struct vaddr_range *range, enum code_mode mode)
{
    uint64_t vaddr = range->start_vaddr, step = code_set(code, mode)->alignment;
    uint32_t index;

    vaddr += (step - vaddr % step) % step;
    while (vaddr < range->end_vaddr && calls->count < ISLAND_CALLS_MAX) {
        enum status status = code_get(code, vaddr, mode, 0, &index);
        const struct code_insn *insn;

        if (status == STATUS_NO_MEMORY)
            return status;
        if (status != STATUS_OK) {
            vaddr += step;
            continue;
        }
        insn = code_insn(code, index);
        if (insn->flow == FLOW_CALL && insn->has_target && !code_reads_pc(code, insn) &&
            vaddr - range->start_vaddr >= SYNC_BYTES && in_pieces(calls, insn->target_vaddr) &&
            !code_calls_trampoline(code, insn)) {
            if (vec_reserve(&calls->items, &calls->cap, calls->count + 1, sizeof(*calls->items)) !=
                STATUS_OK)
                return STATUS_NO_MEMORY;
            calls->items[calls->count++] = (struct code_function){.start_vaddr = insn->target_vaddr,
                                                                  .origin = FUNCTION_CALL,
                                                                  .mode = insn->target_mode};
        }
        vaddr += insn->size;
    }
    return STATUS_OK;
}

static int by_place(const void *a, const void *b)
{
    const struct code_function *x = a, *y = b;

    if (x->start_vaddr != y->start_vaddr)
        return x->start_vaddr < y->start_vaddr ? -1 : 1;
    return (x->mode > y->mode) - (x->mode < y->mode);
}

/*
 * Drops targets of a single call, unless aligned as functions are. ARM's two modes are both swept,
 * and one of both is wrong.
 */
static size_t believe(struct code_function *items, size_t count, const struct code *code)
{
    size_t kept = 0, next;

    for (size_t i = 0; i < count; i = next) {
        for (next = i + 1; next < count && by_place(&items[i], &items[next]) == 0; next++)
            ;
        if ((next - i > 1 ||
             (!code_has_two_modes(code) && items[i].start_vaddr % FUNCTION_ALIGNMENT == 0)) &&
            (kept == 0 || items[kept - 1].start_vaddr != items[i].start_vaddr))
            items[kept++] = items[i];
    }
    return kept;
}

enum status island_calls(const struct module_code *code, const struct vaddr_range *within,
                         struct code_function **out, size_t *count)
{
    struct island_search calls = {.ranges = within, .range_count = 1};
    enum status status = STATUS_OK;

    if (!within)
        calls.ranges = elf_image_exec_ranges(code->image, &calls.range_count);
    for (unsigned mode = CODE_DEFAULT; mode <= CODE_T32; mode++)
        for (size_t i = 0; i < calls.range_count && status == STATUS_OK && code->code->sets[mode];
             i++)
            status = sweep(&calls, code->code, &calls.ranges[i], (enum code_mode)mode);
    if (status != STATUS_OK) {
        free(calls.items);
        return status;
    }
    if (calls.count)
        qsort(calls.items, calls.count, sizeof(*calls.items), by_place);
    *count = believe(calls.items, calls.count, code->code);
    *out = calls.items;
    return STATUS_OK;
}
