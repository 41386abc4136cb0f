/* SPDX-License-Identifier: MIT */
/*
 * ELF files over any bytes: headers, symbol tables, PLT, mini-debuginfo, DWARF functions and lines,
 * Go's tables, demangling.
 *
 * Input: an ELF file. What is found must lie where it was looked for.
 */
#include <stdlib.h>
#include <string.h>

#include "symbol/dwarf/lines.h"
#include "runtime/go/gopclntab.h"
#include "symbol/elf/symtab.h"
#include "symbol/symbolize.h"

#define LOOK_UPS 48 /* in each executable segment */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every byte of a string has to be readable. */
static void touch(const char *text)
{
    if (text && strlen(text) == SIZE_MAX)
        abort();
}

static void look_up_symbol(const struct symtab *symtab, uint64_t vaddr)
{
    struct symbol symbol;

    if (symtab_find(symtab, vaddr, &symbol) != STATUS_OK)
        return;
    if (vaddr < symbol.start_vaddr || vaddr >= symbol.end_vaddr || !symbol.name[0])
        abort();
    free(demangle(symbol.name));
}

static void look_up_lines(struct debug_lines *lines, uint64_t vaddr)
{
    struct line_frame frames[LINES_INLINE_DEPTH_MAX];
    uint64_t start_vaddr;
    size_t count;

    if (!lines || debug_lines_find(lines, LINES_PLACES | LINES_FUNCTIONS, vaddr, frames, &count,
                                   &start_vaddr) != STATUS_OK)
        return;
    if (count == 0 || count > LINES_INLINE_DEPTH_MAX)
        abort();
    for (size_t i = 0; i < count; i++) {
        touch(frames[i].function);
        touch(frames[i].file);
    }
}

static void look_up_segment(const struct elf_segment *segment, const struct symtab *symtab,
                            struct debug_lines *lines)
{
    uint64_t step = segment->file_size / LOOK_UPS + 1;

    if (!(segment->prot & 4))
        return;
    for (uint64_t i = 0; i < LOOK_UPS; i++) {
        look_up_symbol(symtab, segment->vaddr + i * step);
        look_up_lines(lines, segment->vaddr + i * step);
    }
}

static void check_order(const struct symtab *symtab)
{
    struct symbol symbol;
    uint64_t last_vaddr = 0;

    for (size_t i = 0; i < symtab_count(symtab); i++) {
        symtab_at(symtab, i, &symbol);
        if (symbol.start_vaddr < last_vaddr)
            abort();
        last_vaddr = symbol.start_vaddr;
    }
}

static void look_up_go_function(const struct gopclntab *table, const struct go_function *function)
{
    uint64_t step = (function->end_vaddr - function->start_vaddr) / LOOK_UPS + 1;
    struct go_source sources[GO_SOURCES_MAX];
    struct go_sp_delta delta = {0};

    touch(function->name);
    for (uint64_t vaddr = function->start_vaddr; vaddr < function->end_vaddr; vaddr += step) {
        size_t count = gopclntab_sources(table, function, vaddr, sources);

        if (count == 0 || count > GO_SOURCES_MAX)
            abort();
        for (size_t i = 0; i < count; i++) {
            touch(sources[i].function);
            touch(sources[i].file);
        }
        if (gopclntab_sp_delta(table, function, vaddr, &delta) == STATUS_OK &&
            (vaddr < delta.start_vaddr || vaddr >= delta.end_vaddr))
            abort();
        if (function->end_vaddr - vaddr <= step)
            break;
    }
}

static void look_up_go(struct elf_image *image)
{
    struct go_function function, found;
    struct gopclntab *table;

    if (gopclntab_create(image, &table) != STATUS_OK)
        return;
    for (size_t i = 0; i < gopclntab_count(table) && i < LOOK_UPS; i++) {
        if (gopclntab_at(table, i, &function) != STATUS_OK)
            continue;
        if (gopclntab_find(table, function.start_vaddr, &found) == STATUS_OK &&
            found.start_vaddr > function.start_vaddr)
            abort();
        look_up_go_function(table, &function);
    }
    gopclntab_destroy(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct elf_segment *segments;
    struct debug_lines *lines = NULL;
    struct elf_image *image;
    struct symtab *symtab;
    struct diag diag;
    size_t count;

    if (elf_image_open_bytes(data, size, "input", &image, &diag) != STATUS_OK)
        return 0;
    if (symtab_create(image, NULL, &symtab) == STATUS_OK) {
        if (debug_lines_create(&(struct lines_files){.image = image}, &lines) != STATUS_OK)
            lines = NULL;
        check_order(symtab);
        segments = elf_image_segments(image, &count);
        for (size_t i = 0; i < count && i < 8; i++)
            look_up_segment(&segments[i], symtab, lines);
        debug_lines_destroy(lines);
        symtab_destroy(symtab);
    }
    look_up_go(image);
    elf_image_close(image);
    return 0;
}
