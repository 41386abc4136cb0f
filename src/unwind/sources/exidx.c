/* SPDX-License-Identifier: MIT */
#include "unwind/sources/exidx.h"

#include <stdlib.h>

#include <elf.h>

#include "arch/analysis/analysis.h"
#include "base/cursor.h"
#include "base/search.h"
#include "unwind/sources/ehabi.h"

#define ENTRY_SIZE  8
#define CANTUNWIND  1
#define HIGH_BIT    0x80000000u
#define INLINE_MASK 0xff000000u /* bits of the inline word that are no instructions */

struct exidx_function {
    uint32_t start_vaddr, end_vaddr; /* end: not 0, nothing reaches the top of the address space */
    uint32_t off;                    /* of its index entry */
};

struct exidx {
    const struct elf_image *image;
    struct elf_section section;
    struct exidx_function *functions; /* ascending, disjoint */
    size_t count;
};

/* Bit 30 of the word is the offset's sign; bit 31 is no part of the offset. */
static uint32_t prel31(uint64_t place_vaddr, uint32_t word)
{
    return (uint32_t)place_vaddr + ((word & ~HIGH_BIT) | (word << 1 & HIGH_BIT));
}

static enum status bad_index(const struct exidx *exidx, uint64_t off, struct diag *diag,
                             const char *what)
{
    diag_set_at(diag, elf_image_path(exidx->image), exidx->section.file_off + off,
                "exception index: %s", what);
    return STATUS_BAD_DATA;
}

/* Reads the function's address of the entry at `c`, without the Thumb bit. */
static bool read_start(const struct exidx *exidx, struct cursor *c, uint32_t *start_vaddr)
{
    uint64_t place_vaddr = exidx->section.vaddr + c->pos;
    uint32_t word;

    if (!cursor_u32(c, &word) || !cursor_skip(c, ENTRY_SIZE - sizeof(word)) || (word & HIGH_BIT))
        return false;
    *start_vaddr = prel31(place_vaddr, word) & ~1u;
    return true;
}

/*
 * Entries without code of their own are left out, but end the one before: linkers put one behind
 * the last function, and of two with one start the first is an empty function's.
 */
static void add_function(struct exidx *exidx, uint64_t off, uint32_t start_vaddr,
                         uint64_t next_vaddr)
{
    uint64_t section_start, section_end;

    if (elf_image_exec_range(exidx->image, start_vaddr, &section_start, &section_end) != STATUS_OK)
        return;
    if (next_vaddr > section_end)
        next_vaddr = section_end;
    if (next_vaddr > UINT32_MAX || next_vaddr <= start_vaddr)
        return;
    exidx->functions[exidx->count++] = (struct exidx_function){.start_vaddr = start_vaddr,
                                                               .end_vaddr = (uint32_t)next_vaddr,
                                                               .off = (uint32_t)off};
}

static enum status read_index(struct exidx *exidx, struct diag *diag)
{
    struct cursor c = cursor_init(exidx->section.bytes, (size_t)exidx->section.size);
    uint32_t start_vaddr, next_vaddr;
    uint64_t off = 0;

    if (!read_start(exidx, &c, &start_vaddr))
        return bad_index(exidx, 0, diag, "a damaged function address");
    while (cursor_left(&c) > 0) {
        uint64_t next_off = c.pos;

        if (!read_start(exidx, &c, &next_vaddr))
            return bad_index(exidx, next_off, diag, "a damaged function address");
        if (next_vaddr < start_vaddr)
            return bad_index(exidx, next_off, diag, "functions out of order");
        add_function(exidx, off, start_vaddr, next_vaddr);
        start_vaddr = next_vaddr;
        off = next_off;
    }
    add_function(exidx, off, start_vaddr, UINT64_MAX);
    return exidx->count ? STATUS_OK : STATUS_NOT_FOUND;
}

/* Is the whole index in the file? If the file was cut the last entry left would reach too far. */
static bool is_whole(const struct exidx *exidx)
{
    size_t file_size, count;
    const struct elf_segment *segments = elf_image_segments(exidx->image, &count);

    (void)elf_image_file_bytes(exidx->image, &file_size);
    for (size_t i = 0; i < count; i++) {
        const struct elf_segment *s = &segments[i];

        if (exidx->section.vaddr >= s->vaddr && exidx->section.vaddr - s->vaddr < s->mem_size &&
            (s->file_off > file_size || s->file_size > file_size - s->file_off))
            return false;
    }
    return exidx->section.size % ENTRY_SIZE == 0;
}

static enum status create(struct exidx *exidx, struct diag *diag)
{
    const struct elf_section *section = &exidx->section;

    if (elf_image_type(exidx->image) == ET_REL || section->size / ENTRY_SIZE > EXIDX_ENTRIES_MAX) {
        diag_set_at(diag, elf_image_path(exidx->image), section->file_off,
                    "an exception index that is %s",
                    elf_image_type(exidx->image) == ET_REL ? "not linked" : "too large");
        return STATUS_UNSUPPORTED;
    }
    if (!is_whole(exidx))
        return bad_index(exidx, section->size, diag, "cut short");
    exidx->functions = calloc((size_t)(section->size / ENTRY_SIZE), sizeof(*exidx->functions));
    if (!exidx->functions) {
        diag_set(diag, elf_image_path(exidx->image), "out of memory");
        return STATUS_NO_MEMORY;
    }
    return read_index(exidx, diag);
}

enum status exidx_create_from_image(struct elf_image *image, struct exidx **out, struct diag *diag)
{
    struct exidx *exidx;
    struct elf_section section;
    enum status status = STATUS_NOT_FOUND;
    const char *name = arch_analysis(elf_image_arch(image))->exidx_section;

    if (name)
        status = elf_image_section(image, name, &section);
    if (status == STATUS_BAD_DATA)
        diag_set(diag, elf_image_path(image), "exception index: not in the file");
    if (status != STATUS_OK)
        return status;
    if (!section.bytes || section.size == 0)
        return STATUS_NOT_FOUND;
    exidx = calloc(1, sizeof(*exidx));
    if (!exidx) {
        diag_set(diag, elf_image_path(image), "out of memory");
        return STATUS_NO_MEMORY;
    }
    exidx->image = image;
    exidx->section = section;
    status = create(exidx, diag);
    if (status != STATUS_OK) {
        exidx_destroy(exidx);
        return status;
    }
    *out = exidx;
    return STATUS_OK;
}

void exidx_destroy(struct exidx *exidx)
{
    if (!exidx)
        return;
    free(exidx->functions);
    free(exidx);
}

static const struct exidx_function *lookup(const struct exidx *exidx, uint64_t vaddr)
{
    size_t at = SEARCH_FIRST(i, 0, exidx->count, exidx->functions[i].start_vaddr <= vaddr);

    return at > 0 && vaddr < exidx->functions[at - 1].end_vaddr ? &exidx->functions[at - 1] : NULL;
}

/* Finds the entry of .ARM.extab at `vaddr`; a personality routine must be code. */
static enum status find_entry(const struct exidx *exidx, uint32_t vaddr, struct ehabi_entry *entry)
{
    size_t file_size;
    uint64_t avail, start_vaddr, end_vaddr;
    const uint8_t *bytes = elf_image_bytes_at(exidx->image, vaddr, &avail);
    struct cursor c = bytes ? cursor_init(bytes, (size_t)avail) : cursor_init("", 0);
    uint32_t word;

    if (!cursor_u32(&c, &word) ||
        (!(word & HIGH_BIT) && elf_image_exec_range(exidx->image, prel31(vaddr, word), &start_vaddr,
                                                    &end_vaddr) != STATUS_OK))
        return STATUS_BAD_DATA;
    entry->bytes = bytes;
    entry->size = avail;
    entry->file_off = (uint64_t)(bytes - elf_image_file_bytes(exidx->image, &file_size));
    return STATUS_OK;
}

static enum status function_row(const struct exidx *exidx, const struct exidx_function *function,
                                struct row *out, struct diag *diag)
{
    const struct elf_section *section = &exidx->section;
    uint32_t off = function->off + 4, word;
    struct cursor c = cursor_init(section->bytes, (size_t)section->size);
    struct ehabi_entry entry = {.bytes = section->bytes + off,
                                .size = 4,
                                .file = elf_image_path(exidx->image),
                                .file_off = section->file_off + off};
    struct row row;
    enum status status;

    if (!cursor_skip(&c, off) || !cursor_u32(&c, &word))
        return bad_index(exidx, off, diag, "cut short");
    if (word == CANTUNWIND)
        return STATUS_NOT_FOUND;
    if ((word & HIGH_BIT) && (word & INLINE_MASK) != HIGH_BIT) /* no room for routines 1 and 2 */
        return bad_index(exidx, off, diag, "inline instructions of an unknown model");
    if (!(word & HIGH_BIT) &&
        find_entry(exidx, prel31(section->vaddr + off, word), &entry) != STATUS_OK)
        return bad_index(exidx, off, diag, "a table entry that is not there");
    row_init(&row, function->start_vaddr, function->end_vaddr, TRUST_EXIDX);
    status = ehabi_row(&entry, &row, diag);
    if (status == STATUS_OK)
        *out = row;
    return status;
}

/*
 * Finds what follows the unwind instructions of the table entry at `vaddr` (6.3, 9.2): the LSDA of
 * the generic model, or descriptors of the compact ones, which compilers do not make.
 */
static enum status entry_lsda(const struct exidx *exidx, uint32_t vaddr, struct lsda_place *out)
{
    uint32_t word, words;
    struct ehabi_entry entry;
    struct cursor c;

    if (find_entry(exidx, vaddr, &entry) != STATUS_OK)
        return STATUS_BAD_DATA;
    c = cursor_init(entry.bytes, (size_t)entry.size);
    if (!cursor_u32(&c, &word))
        return STATUS_BAD_DATA;
    if (!(word & HIGH_BIT)) {
        if (!cursor_u32(&c, &word) || !cursor_skip(&c, 4 * (word >> 24)))
            return STATUS_BAD_DATA;
        out->lsda_vaddr = vaddr + c.pos;
        return STATUS_OK;
    }
    words = (word & INLINE_MASK) == HIGH_BIT ? 0 : word >> 16 & 0xff;
    if (!cursor_skip(&c, 4 * words) || !cursor_u32(&c, &word))
        return STATUS_BAD_DATA;
    return word == 0 ? STATUS_OK : STATUS_UNSUPPORTED;
}

enum status exidx_lsda(const struct exidx *exidx, uint64_t vaddr, struct lsda_place *out)
{
    const struct elf_section *section = &exidx->section;
    const struct exidx_function *function = lookup(exidx, vaddr);
    struct cursor c = cursor_init(section->bytes, (size_t)section->size);
    uint32_t off, word;

    if (!function)
        return STATUS_NOT_FOUND;
    off = function->off + 4;
    *out = (struct lsda_place){.start_vaddr = function->start_vaddr};
    if (!cursor_skip(&c, off) || !cursor_u32(&c, &word))
        return STATUS_BAD_DATA;
    if (word == CANTUNWIND || (word & HIGH_BIT))
        return STATUS_OK;
    return entry_lsda(exidx, prel31(section->vaddr + off, word), out);
}

enum status exidx_find(const struct exidx *exidx, uint64_t vaddr, struct row *out,
                       struct diag *diag)
{
    const struct exidx_function *function = lookup(exidx, vaddr);

    return function ? function_row(exidx, function, out, diag) : STATUS_NOT_FOUND;
}

enum status exidx_function(const struct exidx *exidx, uint64_t vaddr, uint64_t *start_vaddr,
                           uint64_t *end_vaddr)
{
    const struct exidx_function *function = lookup(exidx, vaddr);

    if (!function)
        return STATUS_NOT_FOUND;
    *start_vaddr = function->start_vaddr;
    *end_vaddr = function->end_vaddr;
    return STATUS_OK;
}

enum status exidx_function_at(const struct exidx *exidx, size_t index, uint64_t *start_vaddr,
                              uint64_t *end_vaddr)
{
    if (index >= exidx->count)
        return STATUS_NOT_FOUND;
    *start_vaddr = exidx->functions[index].start_vaddr;
    *end_vaddr = exidx->functions[index].end_vaddr;
    return STATUS_OK;
}

bool exidx_is_one_function(const struct exidx *exidx, size_t index)
{
    struct cursor c = cursor_init(exidx->section.bytes, (size_t)exidx->section.size);
    uint32_t word;

    return index < exidx->count && cursor_skip(&c, exidx->functions[index].off + 4) &&
           cursor_u32(&c, &word) && word != CANTUNWIND && !(word & HIGH_BIT);
}

enum status exidx_rows(const struct exidx *exidx, size_t index, cfi_row_fn *deliver, void *context,
                       struct diag *diag)
{
    struct row row;
    enum status status;

    if (index >= exidx->count)
        return STATUS_NOT_FOUND;
    status = function_row(exidx, &exidx->functions[index], &row, diag);
    if (status == STATUS_OK)
        deliver(context, &row);
    return status == STATUS_NOT_FOUND ? STATUS_OK : status;
}
