/* SPDX-License-Identifier: MIT */
#include "symbol/elf/vectors.h"

#include <elf.h>
#include <string.h>

#include "arch/analysis/analysis.h"

#define WORD        4u
#define FIRST_WORDS 4u      /* SP, reset, NMI, HardFault: they are always there */
#define STEP        0x80u   /* VTOR can hold no address in between */
#define SEARCHED    0x1000u /* bytes of a segment; boot code of some chips comes before the table */

static bool read_word(const struct elf_image *image, uint64_t vaddr, uint32_t *out)
{
    uint64_t avail;
    const uint8_t *bytes = elf_image_bytes_at(image, vaddr, &avail);

    if (!bytes || avail < WORD)
        return false;
    memcpy(out, bytes, WORD);
    return true;
}

/* An address of T32 code. */
static bool is_handler(const struct elf_image *image, uint32_t word)
{
    uint64_t start, end;

    return (word & 1) && elf_image_exec_range(image, word & ~1u, &start, &end) == STATUS_OK;
}

static bool is_table(const struct elf_image *image, uint64_t vaddr, struct vectors *out)
{
    uint64_t start, end;
    uint32_t word;

    if (!read_word(image, vaddr, &out->sp) || out->sp == 0 || out->sp % WORD != 0 ||
        elf_image_exec_range(image, out->sp, &start, &end) == STATUS_OK)
        return false;
    for (uint32_t i = 1; i < VECTORS_MAX; i++) {
        if (!read_word(image, vaddr + WORD * i, &word) ||
            (!is_handler(image, word) && (word != 0 || i < FIRST_WORDS)))
            break;
        if (i == 1)
            out->reset_vaddr = word;
        out->vaddr = vaddr;
        out->count = i + 1;
    }
    return out->count >= FIRST_WORDS;
}

enum status vectors_find(const struct elf_image *image, struct vectors *out)
{
    const struct arch *arch = elf_image_arch(image);
    const struct exception_arch *exceptions = arch ? arch_analysis(arch)->exception : NULL;
    size_t count;
    const struct elf_segment *segments = elf_image_segments(image, &count);

    /* Only processors that save the interrupted state themselves have such a table. */
    if (!exceptions || !exceptions->is_return || elf_image_type(image) != ET_EXEC)
        return STATUS_NOT_FOUND;
    for (size_t i = 0; i < count; i++) {
        const uint64_t first = (segments[i].vaddr + STEP - 1) / STEP * STEP;
        const uint64_t size = segments[i].file_size < SEARCHED ? segments[i].file_size : SEARCHED;

        for (uint64_t vaddr = first; vaddr < segments[i].vaddr + size; vaddr += STEP) {
            *out = (struct vectors){.count = 0};
            if (is_table(image, vaddr, out))
                return STATUS_OK;
        }
    }
    return STATUS_NOT_FOUND;
}

uint32_t vectors_word(const struct elf_image *image, const struct vectors *vectors, uint32_t index)
{
    uint32_t word = 0;

    return read_word(image, vectors->vaddr + WORD * (uint64_t)index, &word) ? word : 0;
}
