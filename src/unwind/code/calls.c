/* SPDX-License-Identifier: MIT */
#include "unwind/code/calls.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "arch/analysis/insn.h"
#include "base/search.h"

#define FAR         (UINT64_C(32) << 10) /* bytes; few functions are longer */
#define CHUNK       (UINT64_C(4) << 20)  /* bytes scanned at once */
#define LET_GO_SIZE (UINT64_C(64) << 20) /* bytes; larger ranges do not stay in memory */

/* A bit for each byte of a range. */
struct target_bits {
    uint8_t *bits;
    size_t count; /* bits that are set */
};

/* The targets in one range; `jumped` has no bits unless far jumps are asked for. */
struct marked_range {
    uint64_t start_vaddr, size;
    struct target_bits called, jumped;
};

struct target_marks {
    struct marked_range *ranges;
    size_t count;
};

enum { BEGINS_CALL = 1, BEGINS_JUMP = 2 };

static struct marked_range *marked_range_of(const struct target_marks *marks, uint64_t vaddr)
{
    size_t at = SEARCH_FIRST(i, 0, marks->count, marks->ranges[i].start_vaddr <= vaddr);

    if (at == 0 || vaddr - marks->ranges[at - 1].start_vaddr >= marks->ranges[at - 1].size)
        return NULL;
    return &marks->ranges[at - 1];
}

static void mark(const struct target_marks *marks, uint64_t target_vaddr, bool jumped)
{
    struct marked_range *range = target_vaddr ? marked_range_of(marks, target_vaddr) : NULL;
    struct target_bits *to;
    uint64_t off;
    uint8_t bit;

    if (!range)
        return;
    to = jumped ? &range->jumped : &range->called;
    off = target_vaddr - range->start_vaddr;
    bit = (uint8_t)(1u << off % 8);
    to->count += !(to->bits[off / 8] & bit);
    to->bits[off / 8] |= bit;
}

/* Marks the targets of code in [off, end) of the range, which begins at `bytes`. */
static void scan(const struct target_marks *marks, const struct marked_range *range,
                 const uint8_t *bytes, const struct insn_set *insns, uint64_t off, uint64_t end)
{
    bool call[256], jump[256];
    uint8_t begins[256];

    insn_first_bytes(insns->call_bytes, call);
    insn_first_bytes(insns->jump_bytes, jump);
    for (size_t i = 0; i < sizeof(begins); i++)
        begins[i] = (call[i] ? BEGINS_CALL : 0) | (jump[i] && range->jumped.bits ? BEGINS_JUMP : 0);
    for (; off < end; off += insns->alignment) {
        const uint64_t vaddr = range->start_vaddr + off, avail = range->size - off;
        const uint8_t kind = begins[bytes[off]];
        uint64_t target;

        if (!kind)
            continue;
        if (kind & BEGINS_CALL)
            mark(marks, insns->call_target(bytes + off, avail, vaddr), false);
        if (!(kind & BEGINS_JUMP))
            continue;
        target = insns->jump_target(bytes + off, avail, vaddr);
        if (target - vaddr + FAR >= 2 * FAR)
            mark(marks, target, true);
    }
}

static void scan_range(const struct target_marks *marks, const struct marked_range *range,
                       const struct elf_image *image, const struct arch *arch)
{
    uint64_t avail;
    const uint8_t *bytes = elf_image_bytes_at(image, range->start_vaddr, &avail);

    for (uint64_t off = 0; bytes && off < range->size; off += CHUNK) {
        const uint64_t end = range->size - off < CHUNK ? range->size : off + CHUNK;

        for (unsigned mode = CODE_DEFAULT; mode <= CODE_T32; mode++) {
            const struct insn_set *insns = insn_set_for(arch, (enum code_mode)mode);

            if (insns)
                scan(marks, range, bytes, insns, off, end);
        }
        if (range->size > LET_GO_SIZE)
            elf_image_let_go(image, bytes + off, end - off);
    }
}

static void marks_deinit(struct target_marks *marks)
{
    for (size_t i = 0; i < marks->count; i++) {
        free(marks->ranges[i].called.bits);
        free(marks->ranges[i].jumped.bits);
    }
    free(marks->ranges);
}

uint64_t calls_range_size(const struct elf_image *image, const struct vaddr_range *range,
                          uint64_t *left)
{
    uint64_t size;

    if (!elf_image_bytes_at(image, range->start_vaddr, &size))
        return 0;
    if (size > range->end_vaddr - range->start_vaddr)
        size = range->end_vaddr - range->start_vaddr;
    if (size > *left)
        size = *left;
    *left -= size;
    return size;
}

/* `jumps`: makes room for targets of jumps, too. */
static enum status marks_init(struct target_marks *marks, const struct elf_image *image, bool jumps)
{
    size_t count;
    uint64_t left = CALLS_BYTES_MAX;
    const struct vaddr_range *ranges = elf_image_exec_ranges(image, &count);

    *marks = (struct target_marks){.ranges = calloc(count + 1, sizeof(*marks->ranges))};
    if (!marks->ranges)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const uint64_t size = calls_range_size(image, &ranges[i], &left);
        struct marked_range *range = &marks->ranges[marks->count];

        if (size == 0)
            continue;
        marks->count++;
        *range = (struct marked_range){.start_vaddr = ranges[i].start_vaddr, .size = size};
        range->called.bits = calloc((size_t)size / 8 + 8, 1);
        if (jumps)
            range->jumped.bits = calloc((size_t)size / 8 + 8, 1);
        if (!range->called.bits || (jumps && !range->jumped.bits))
            return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

/* Lists the bits of [start, end) as offsets from `start`; returns the end of the list. */
static uint16_t *list_block(const uint8_t *bits, uint64_t start, uint64_t end, uint16_t *to)
{
    for (uint64_t at = start; at < end; at += 64) {
        uint64_t left;

        memcpy(&left, bits + at / 8, sizeof(left));
        for (left = le64toh(left); left; left &= left - 1)
            *to++ = (uint16_t)(at - start + (unsigned)__builtin_ctzll(left));
    }
    return to;
}

static enum status list(const struct marked_range *from, const struct target_bits *marks,
                        struct called_range *to)
{
    const size_t blocks = (size_t)(from->size / CALLS_BLOCK) + 1;
    uint16_t *next;

    *to = (struct called_range){
        .start_vaddr = from->start_vaddr,
        .size = from->size,
        .first = calloc(blocks + 1, sizeof(*to->first)),
        .offs = calloc(marks->count + 1, sizeof(*to->offs)),
    };
    if (!to->first || !to->offs)
        return STATUS_NO_MEMORY;
    next = to->offs;
    for (size_t block = 0; block < blocks; block++) {
        const uint64_t start = block * CALLS_BLOCK;

        to->first[block] = (uint32_t)(next - to->offs);
        next =
            list_block(marks->bits, start,
                       from->size - start < CALLS_BLOCK ? from->size : start + CALLS_BLOCK, next);
    }
    to->first[blocks] = (uint32_t)(next - to->offs);
    return STATUS_OK;
}

static enum status list_all(const struct target_marks *marks, bool jumps, struct calls *out)
{
    enum status status = STATUS_OK;

    out->ranges = calloc(marks->count + 1, sizeof(*out->ranges));
    if (!out->ranges)
        return STATUS_NO_MEMORY;
    for (; out->count < marks->count && status == STATUS_OK; out->count++) {
        const struct marked_range *from = &marks->ranges[out->count];

        status = list(from, jumps ? &from->jumped : &from->called, &out->ranges[out->count]);
    }
    return status;
}

enum status calls_init(struct calls *calls, struct calls *far_jumps, const struct elf_image *image,
                       const struct arch *arch)
{
    struct target_marks marks;
    enum status status = marks_init(&marks, image, far_jumps != NULL);

    *calls = (struct calls){0};
    if (far_jumps)
        *far_jumps = (struct calls){0};
    for (size_t i = 0; i < marks.count && status == STATUS_OK; i++)
        scan_range(&marks, &marks.ranges[i], image, arch);
    if (status == STATUS_OK)
        status = list_all(&marks, false, calls);
    if (status == STATUS_OK && far_jumps)
        status = list_all(&marks, true, far_jumps);
    marks_deinit(&marks);
    if (status != STATUS_OK) {
        calls_deinit(calls);
        if (far_jumps)
            calls_deinit(far_jumps);
    }
    return status;
}

void calls_deinit(struct calls *calls)
{
    for (size_t i = 0; i < calls->count; i++) {
        free(calls->ranges[i].first);
        free(calls->ranges[i].offs);
    }
    free(calls->ranges);
    *calls = (struct calls){0};
}

/* Returns the index of the first target at or behind `off`, within the block of `off`. */
static uint32_t first_in_block(const struct called_range *range, uint64_t off)
{
    const uint64_t block = off / CALLS_BLOCK;

    return (uint32_t)SEARCH_FIRST(i, range->first[block], range->first[block + 1],
                                  range->offs[i] < off % CALLS_BLOCK);
}

static size_t range_from(const struct calls *calls, uint64_t vaddr)
{
    return SEARCH_FIRST(i, 0, calls->count,
                        calls->ranges[i].start_vaddr + calls->ranges[i].size <= vaddr);
}

uint64_t calls_next(const struct calls *calls, uint64_t vaddr)
{
    for (size_t i = range_from(calls, vaddr); i < calls->count; i++) {
        const struct called_range *range = &calls->ranges[i];
        const uint64_t off = vaddr > range->start_vaddr ? vaddr - range->start_vaddr : 0;
        uint64_t block = off / CALLS_BLOCK;
        uint32_t at;

        if (range->size == 0)
            continue;
        at = first_in_block(range, off);
        if (at == range->first[range->size / CALLS_BLOCK + 1])
            continue;
        while (at == range->first[block + 1])
            block++;
        return range->start_vaddr + block * CALLS_BLOCK + range->offs[at];
    }
    return UINT64_MAX;
}

bool calls_lead_to(const struct calls *calls, uint64_t vaddr)
{
    const size_t i = range_from(calls, vaddr);
    const struct called_range *range = &calls->ranges[i];
    uint64_t off;
    uint32_t at;

    if (i == calls->count || vaddr < range->start_vaddr)
        return false;
    off = vaddr - range->start_vaddr;
    at = first_in_block(range, off);
    return at < range->first[off / CALLS_BLOCK + 1] && range->offs[at] == off % CALLS_BLOCK;
}
