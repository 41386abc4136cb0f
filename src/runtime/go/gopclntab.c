/* SPDX-License-Identifier: MIT */
#include "runtime/go/gopclntab.h"

#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/search.h"
#include "symbol/elf/got.h"
#include "runtime/go/gopclntab_private.h"

#define NAME_MAX_BYTES 65536

enum magic {
    MAGIC_1_16 = 0xfffffffa,
    MAGIC_1_18 = 0xfffffff0,
    MAGIC_1_20 = 0xfffffff1,
    MAGIC_FIRST = 0xffffff00, /* Go has used magics from here on, and may use more */
};

bool go_uint(const struct gopclntab *table, uint64_t off, unsigned size, uint64_t *out)
{
    struct cursor c;

    if (off > table->size)
        return false;
    c = cursor_init(table->bytes + off, (size_t)(table->size - off));
    return cursor_uint(&c, size, out);
}

const char *go_text_at(const struct gopclntab *table, uint64_t part_off, uint32_t off)
{
    uint64_t left = table->size - part_off;
    const char *text;

    if (off >= left)
        return NULL;
    left -= off;
    text = (const char *)table->bytes + part_off + off;
    return memchr(text, 0, left < NAME_MAX_BYTES ? (size_t)left : NAME_MAX_BYTES) ? text : NULL;
}

/* Bytes of a field of functab. */
static unsigned entry_size(const struct gopclntab *table)
{
    return table->layout == GO_1_16 ? table->word : 4;
}

/* Offset in the table of the function's entry in functab. */
static uint64_t entry_off(const struct gopclntab *table, size_t index)
{
    return table->pcln_off + (uint64_t)index * 2 * entry_size(table);
}

/* Address of an offset in the text; one before the second section is in the first. */
static uint64_t text_vaddr(const struct gopclntab *table, uint64_t off)
{
    size_t at = SEARCH_FIRST(i, 0, table->text_count, table->texts[i].off <= off);

    if (at == 0)
        return table->text_vaddr + off;
    return table->texts[at - 1].vaddr + (off - table->texts[at - 1].off);
}

uint64_t go_entry_vaddr(const struct gopclntab *table, size_t index)
{
    uint64_t off = entry_off(table, index), value = 0;

    if (table->layout == GO_1_16)
        return go_pointer(table, table->vaddr + off, &value) ? value : 0;
    return go_uint(table, off, entry_size(table), &value) ? text_vaddr(table, value) : 0;
}

bool go_func_read(const struct gopclntab *table, uint64_t off, struct go_func *out)
{
    bool has_line = table->layout == GO_1_20;
    uint8_t id, unused;
    uint32_t word;
    struct cursor c;

    if (off > table->size)
        return false;
    *out = (struct go_func){0};
    c = cursor_init(table->bytes + off, (size_t)(table->size - off));
    if (!cursor_uint(&c, entry_size(table), &out->entry) || !cursor_u32(&c, &out->name_off) ||
        !cursor_u32(&c, &word) /* args */ || !cursor_u32(&c, &word) /* deferreturn */ ||
        !cursor_u32(&c, &out->pcsp_off) || !cursor_u32(&c, &out->pcfile_off) ||
        !cursor_u32(&c, &out->pcln_off) || !cursor_u32(&c, &out->pcdata_count) ||
        !cursor_u32(&c, &out->cu_index) || (has_line && !cursor_u32(&c, &word)) ||
        !cursor_u8(&c, &id) || !cursor_u8(&c, &out->flags) || !cursor_u8(&c, &unused) ||
        !cursor_u8(&c, &out->funcdata_count))
        return false;
    out->pcdata_off = off + c.pos;
    return true;
}

size_t gopclntab_count(const struct gopclntab *table)
{
    return table->count;
}

enum status gopclntab_at(const struct gopclntab *table, size_t index, struct go_function *out)
{
    uint64_t func_off, entry;
    struct go_func func;

    if (index >= table->count ||
        !go_uint(table, entry_off(table, index), entry_size(table), &entry) ||
        !go_uint(table, entry_off(table, index) + entry_size(table), entry_size(table),
                 &func_off) ||
        func_off > table->size)
        return STATUS_NOT_FOUND;
    *out = (struct go_function){.start_vaddr = go_entry_vaddr(table, index),
                                .end_vaddr = go_entry_vaddr(table, index + 1),
                                .func_off = table->pcln_off + func_off};
    if (out->start_vaddr >= out->end_vaddr || !go_func_read(table, out->func_off, &func) ||
        func.entry != entry)
        return STATUS_NOT_FOUND;
    out->name = go_text_at(table, table->funcname_off, func.name_off);
    out->flags = func.flags;
    return out->name ? STATUS_OK : STATUS_NOT_FOUND;
}

enum status gopclntab_find(const struct gopclntab *table, uint64_t vaddr, struct go_function *out)
{
    size_t at = SEARCH_FIRST(i, 0, table->count, go_entry_vaddr(table, i) <= vaddr);

    if (at == 0 || gopclntab_at(table, at - 1, out) != STATUS_OK || vaddr < out->start_vaddr ||
        vaddr >= out->end_vaddr)
        return STATUS_NOT_FOUND;
    return STATUS_OK;
}

static enum status layout_of(uint32_t magic, enum go_layout *out)
{
    switch (magic) {
    case MAGIC_1_16:
        *out = GO_1_16;
        return STATUS_OK;
    case MAGIC_1_18:
        *out = GO_1_18;
        return STATUS_OK;
    case MAGIC_1_20:
        *out = GO_1_20;
        return STATUS_OK;
    default:
        return magic >= MAGIC_FIRST ? STATUS_UNSUPPORTED : STATUS_BAD_DATA;
    }
}

/* Reads the header behind its first eight bytes. */
static enum status read_words(struct gopclntab *table, struct cursor *c)
{
    uint64_t *const parts[] = {&table->funcname_off, &table->cu_off, &table->filetab_off,
                               &table->pctab_off, &table->pcln_off};
    uint64_t count, files, pair = 2 * entry_size(table);

    if (!cursor_uint(c, table->word, &count) || !cursor_uint(c, table->word, &files) ||
        (table->layout != GO_1_16 && !cursor_skip(c, table->word)))
        return STATUS_BAD_DATA;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (!cursor_uint(c, table->word, parts[i]) || *parts[i] > table->size)
            return STATUS_BAD_DATA;
    /* Behind the last pair is the end of the last function. */
    if (count == 0 || count > (table->size - table->pcln_off) / pair ||
        entry_size(table) > table->size - table->pcln_off - count * pair)
        return STATUS_BAD_DATA;
    table->count = (size_t)count;
    return STATUS_OK;
}

/* Do functab and the first function's struct agree? */
static bool makes_sense(const struct gopclntab *table)
{
    uint64_t entry, func_off;
    struct go_func func;

    return go_uint(table, entry_off(table, 0), entry_size(table), &entry) &&
           go_uint(table, entry_off(table, 0) + entry_size(table), entry_size(table), &func_off) &&
           func_off <= table->size && go_func_read(table, table->pcln_off + func_off, &func) &&
           func.entry == entry;
}

static enum status read_header(struct gopclntab *table)
{
    struct cursor c = cursor_init(table->bytes, (size_t)table->size);
    uint8_t pad1, pad2, quantum, word;
    enum status status;
    uint32_t magic;

    if (!cursor_u32(&c, &magic) || !cursor_u8(&c, &pad1) || !cursor_u8(&c, &pad2) ||
        !cursor_u8(&c, &quantum) || !cursor_u8(&c, &word) || pad1 != 0 || pad2 != 0 ||
        (quantum != 1 && quantum != 2 && quantum != 4) ||
        word != elf_image_arch(table->image)->word_size)
        return STATUS_BAD_DATA;
    table->quantum = quantum;
    table->word = word;
    status = layout_of(magic, &table->layout);
    if (status == STATUS_OK)
        status = read_words(table, &c);
    return status == STATUS_OK && !makes_sense(table) ? STATUS_BAD_DATA : status;
}

static enum status search_segment(struct gopclntab *table, const struct elf_segment *segment,
                                  unsigned *tried)
{
    unsigned word = elf_image_arch(table->image)->word_size;
    uint64_t avail, vaddr = (segment->vaddr + word - 1) & ~(uint64_t)(word - 1);
    const uint8_t *bytes = elf_image_bytes_at(table->image, vaddr, &avail);
    enum go_layout layout;
    uint32_t magic;

    if (!bytes)
        return STATUS_NOT_FOUND;
    for (uint64_t off = 0; avail - off >= 2 * word; off += word) {
        memcpy(&magic, bytes + off, sizeof(magic));
        if (magic < MAGIC_FIRST || layout_of(magic, &layout) != STATUS_OK)
            continue;
        if (++*tried > GO_PLACES_MAX)
            return STATUS_NOT_FOUND;
        table->bytes = bytes + off;
        table->size = avail - off;
        table->vaddr = vaddr + off;
        if (read_header(table) == STATUS_OK)
            return STATUS_OK;
    }
    return STATUS_NOT_FOUND;
}

/*
 * Searches for the magic number. A file with section headers is searched only if it is a Go
 * program: its linker merged the table into another section.
 */
static enum status search(struct gopclntab *table)
{
    static const char *const marks[] = {".go.buildinfo", ".note.go.buildid"};
    const struct elf_segment *segments;
    struct elf_section section;
    unsigned tried = 0;
    size_t count;

    if (elf_image_has_sections(table->image) &&
        elf_image_section(table->image, marks[0], &section) != STATUS_OK &&
        elf_image_section(table->image, marks[1], &section) != STATUS_OK)
        return STATUS_NOT_FOUND;
    segments = elf_image_segments(table->image, &count);
    for (size_t i = 0; i < count && i < GO_SEGMENTS_MAX; i++)
        if (search_segment(table, &segments[i], &tried) == STATUS_OK)
            return STATUS_OK;
    return STATUS_NOT_FOUND;
}

static enum status open_table(struct gopclntab *table)
{
    static const char *const names[] = {".gopclntab", ".data.rel.ro.gopclntab"};
    struct elf_section section;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (elf_image_section(table->image, names[i], &section) != STATUS_OK || !section.bytes)
            continue;
        table->bytes = section.bytes;
        table->size = section.size;
        table->vaddr = section.vaddr;
        return read_header(table);
    }
    return search(table);
}

enum status gopclntab_create(struct elf_image *image, struct gopclntab **out)
{
    struct gopclntab *table = calloc(1, sizeof(*table));
    enum status status;

    if (!table)
        return STATUS_NO_MEMORY;
    table->image = image;
    map_init(&table->pointers);
    status = open_table(table);
    if (status == STATUS_OK)
        status = got_pointers(image, &table->pointers);
    if (status == STATUS_OK)
        status = go_module_read(table);
    if (status != STATUS_OK) {
        gopclntab_destroy(table);
        return status;
    }
    if (table->layout != GO_1_16)
        map_deinit(&table->pointers);
    *out = table;
    return STATUS_OK;
}

void gopclntab_destroy(struct gopclntab *table)
{
    if (!table)
        return;
    map_deinit(&table->pointers);
    free(table);
}
