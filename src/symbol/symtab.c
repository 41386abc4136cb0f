#include "symbol/symtab.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "symbol/arena.h"
#include "symbol/code_map.h"
#include "symbol/inflate.h"
#include "symbol/interval.h"
#include "symbol/plt.h"
#include "symbol/symbol_read.h"

/* Bytes of names that are not in a file: "x@plt", and names whose version was cut off. */
#define MADE_NAMES_MAX ((size_t)64 << 20)

/* Bits of a symbol's value that are part of a code address; ARM's bit 0 tells A32 from T32. */
static const uint64_t code_bits[ARCH_COUNT] = {
    [ARCH_X86_64] = UINT64_MAX,
    [ARCH_I386] = UINT64_MAX,
    [ARCH_ARM] = ~UINT64_C(1),
    [ARCH_AARCH64] = UINT64_MAX,
};

struct symtab {
    struct symbol *symbols; /* every symbol in code, aliases too; by start */
    struct interval *intervals;
    size_t count, cap, interval_cap;
    struct symbol *chosen; /* those that some address is in, by start */
    size_t chosen_count;
    struct interval_set *ranges; /* → index in symbols */
    struct arena names;
    struct code_map code_map;
    struct elf_image *mini; /* the file in .gnu_debugdata */
};

/* What is being read: the symbols' addresses are the image's whatever file names them. */
struct reading {
    struct symtab *symtab;
    struct elf_image *image;
    enum symbol_source source;
    uint64_t range_start, range_end; /* the executable section of the last symbol */
    bool no_memory;
};

/* Which section's code is at `vaddr`; symbols come in runs of the same one. */
static bool find_range(struct reading *reading, uint64_t vaddr)
{
    if (vaddr >= reading->range_start && vaddr < reading->range_end)
        return true;
    return elf_image_exec_range(reading->image, vaddr, &reading->range_start,
                                &reading->range_end) == STATUS_OK;
}

/* The name without "@VERSION" or "@@VERSION", which .symtab has and .dynsym has not. */
static const char *plain_name(struct reading *reading, const char *name)
{
    const char *at = strchr(name, '@');

    if (!at || at == name || strcmp(at, "@plt") == 0 ||
        reading->symtab->names.total > MADE_NAMES_MAX)
        return name;
    return arena_join(&reading->symtab->names, name, (size_t)(at - name), "");
}

/* The order in which elfutils looks: what is not local, what is local, what has no size. */
static uint8_t interval_group(const struct symbol_entry *entry)
{
    if (entry->size == 0)
        return 2;
    return entry->binding == STB_LOCAL;
}

static uint8_t interval_rank(const struct symbol_entry *entry)
{
    switch (entry->binding) {
    case STB_GLOBAL:
        return 3;
    case STB_WEAK:
        return 2;
    case STB_LOCAL:
        return 1;
    default:
        return 0;
    }
}

static bool push(struct reading *reading, const struct symbol *symbol, uint8_t group, uint8_t rank)
{
    struct symtab *symtab = reading->symtab;

    if (vec_reserve(&symtab->symbols, &symtab->cap, symtab->count + 1, sizeof(*symbol)) !=
            STATUS_OK ||
        vec_reserve(&symtab->intervals, &symtab->interval_cap, symtab->count + 1,
                    sizeof(*symtab->intervals)) != STATUS_OK) {
        reading->no_memory = true;
        return false;
    }
    symtab->symbols[symtab->count] = *symbol;
    symtab->intervals[symtab->count] = (struct interval){.start = symbol->start_vaddr,
                                                         .end = symbol->end_vaddr,
                                                         .id = (uint32_t)symtab->count,
                                                         .group = group,
                                                         .rank = rank};
    symtab->count++;
    return true;
}

static bool add_entry(struct reading *reading, const struct symbol_entry *entry)
{
    uint64_t start = entry->value & code_bits[elf_image_arch(reading->image)->id];
    struct symbol symbol = {.start_vaddr = start,
                            .source = reading->source,
                            .type = entry->type,
                            .binding = entry->binding,
                            .sized = entry->size > 0,
                            .thumb = start != entry->value};

    if (!find_range(reading, start))
        return true;
    symbol.end_vaddr =
        entry->size < reading->range_end - start ? start + entry->size : reading->range_end;
    symbol.name = plain_name(reading, entry->name);
    if (!symbol.name) {
        reading->no_memory = true;
        return false;
    }
    return push(reading, &symbol, interval_group(entry), interval_rank(entry));
}

/* Mapping symbols of other sections have addresses, too; those of debug sections begin with 0. */
static bool add_mark(struct reading *reading, const struct elf_image *file,
                     const struct symbol_entry *entry)
{
    char letter = symbol_mapping_letter(entry);

    if (letter && elf_image_is_code_section(file, entry->section) &&
        code_map_add(&reading->symtab->code_map, elf_image_arch(reading->image), letter,
                     entry->value) != STATUS_OK)
        reading->no_memory = true;
    return !reading->no_memory;
}

static void read_table(struct reading *reading, struct elf_image *file, const char *section,
                       enum symbol_source source)
{
    struct symbol_table table;
    struct symbol_entry entry;

    if (symbol_table_open(file, section, &table) != STATUS_OK)
        return;
    reading->source = source;
    for (size_t i = 1; i < table.count; i++) {
        symbol_table_read(&table, i, &entry);
        if (!add_mark(reading, file, &entry) ||
            (symbol_is_function(&entry) && !add_entry(reading, &entry)))
            return;
    }
}

static bool add_plt(void *context, uint64_t start_vaddr, uint64_t end_vaddr, const char *name,
                    bool thumb)
{
    struct reading *reading = context;
    struct arena *names = &reading->symtab->names;
    struct symbol symbol = {.start_vaddr = start_vaddr,
                            .end_vaddr = end_vaddr,
                            .source = SYMBOL_DYNSYM,
                            .type = STT_FUNC,
                            .binding = STB_LOCAL,
                            .sized = true,
                            .thumb = thumb};

    if (names->total > MADE_NAMES_MAX)
        return false;
    symbol.name = arena_join(names, name, strlen(name), "@plt");
    reading->no_memory |= !symbol.name;
    return symbol.name && push(reading, &symbol, 1, 0);
}

/* .gnu_debugdata: an xz-compressed ELF file whose .symtab has the functions that .dynsym lacks. */
static void read_mini(struct reading *reading)
{
    struct elf_section section;
    uint8_t *bytes;
    uint64_t size;

    if (elf_image_section(reading->image, ".gnu_debugdata", &section) != STATUS_OK ||
        !section.bytes ||
        inflate_xz(section.bytes, (size_t)section.size, &bytes, &size) != STATUS_OK)
        return;
    if (elf_image_open_bytes(bytes, (size_t)size, elf_image_path(reading->image),
                             &reading->symtab->mini, NULL) == STATUS_OK)
        read_table(reading, reading->symtab->mini, ".symtab", SYMBOL_MINI_DEBUGINFO);
    else
        reading->symtab->mini = NULL;
    free(bytes);
}

/*
 * Gives symbols without size (hand-written assembly) their end: the next symbol, or their section's
 * end. One that lies inside a sized symbol is a label there, and stays empty. `intervals` is sorted
 * by start.
 */
static void end_unsized(struct symtab *symtab, struct elf_image *image)
{
    uint64_t covered = 0, section_start, section_end, next = UINT64_MAX;
    struct interval *list = symtab->intervals;

    for (size_t i = symtab->count; i-- > 0;) {
        if (i + 1 < symtab->count && list[i + 1].start > list[i].start)
            next = list[i + 1].start;
        if (list[i].group == 2 &&
            elf_image_exec_range(image, list[i].start, &section_start, &section_end) == STATUS_OK)
            list[i].end = next < section_end ? next : section_end;
    }
    for (size_t i = 0, at; i < symtab->count; i = at) {
        for (at = i; at < symtab->count && list[at].start == list[i].start; at++)
            if (list[at].group != 2 && list[at].end > covered)
                covered = list[at].end;
        for (size_t k = i; k < at; k++)
            if (list[k].group == 2 && covered > list[k].start)
                list[k].end = list[k].start;
    }
    for (size_t i = 0; i < symtab->count; i++)
        symtab->symbols[list[i].id].end_vaddr = list[i].end;
}

/* Collects the symbols that own some address, by start. */
static enum status choose(struct symtab *symtab)
{
    size_t count;
    const struct interval_piece *pieces = interval_set_pieces(symtab->ranges, &count);
    bool *seen = calloc(symtab->count + 1, sizeof(*seen));

    symtab->chosen = calloc(symtab->count + 1, sizeof(*symtab->chosen));
    if (!seen || !symtab->chosen) {
        free(seen);
        return STATUS_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++)
        seen[pieces[i].id] = true;
    for (size_t i = 0; i < symtab->count; i++)
        if (seen[symtab->intervals[i].id])
            symtab->chosen[symtab->chosen_count++] = symtab->symbols[symtab->intervals[i].id];
    free(seen);
    return STATUS_OK;
}

static enum status build(struct symtab *symtab, struct elf_image *image)
{
    enum status status;

    code_map_finish(&symtab->code_map);
    interval_sort(symtab->intervals, symtab->count);
    end_unsized(symtab, image);
    status = interval_set_create(symtab->intervals, symtab->count, &symtab->ranges);
    if (status == STATUS_OK)
        status = choose(symtab);
    free(symtab->intervals);
    symtab->intervals = NULL;
    return status;
}

enum status symtab_create(struct elf_image *image, struct elf_image *debug, struct symtab **out)
{
    struct symtab *symtab = calloc(1, sizeof(*symtab));
    struct reading reading = {.symtab = symtab, .image = image};

    if (!symtab)
        return STATUS_NO_MEMORY;
    arena_init(&symtab->names);
    read_table(&reading, image, ".symtab", SYMBOL_SYMTAB);
    if (!reading.no_memory && debug)
        read_table(&reading, debug, ".symtab", SYMBOL_DEBUG_FILE);
    if (!reading.no_memory)
        read_table(&reading, image, ".dynsym", SYMBOL_DYNSYM);
    if (!reading.no_memory)
        read_mini(&reading);
    if (!reading.no_memory)
        plt_each(image, add_plt, &reading);
    if (reading.no_memory || build(symtab, image) != STATUS_OK) {
        symtab_destroy(symtab);
        return STATUS_NO_MEMORY;
    }
    *out = symtab;
    return STATUS_OK;
}

void symtab_destroy(struct symtab *symtab)
{
    if (!symtab)
        return;
    interval_set_destroy(symtab->ranges);
    elf_image_close(symtab->mini);
    arena_deinit(&symtab->names);
    code_map_deinit(&symtab->code_map);
    free(symtab->intervals);
    free(symtab->symbols);
    free(symtab->chosen);
    free(symtab);
}

enum status symtab_find(const struct symtab *symtab, uint64_t vaddr, struct symbol *out)
{
    uint32_t id;
    enum status status = interval_set_find(symtab->ranges, vaddr, &id);

    if (status == STATUS_OK)
        *out = symtab->symbols[id];
    return status;
}

const struct symbol *symtab_all(const struct symtab *symtab, size_t *count)
{
    *count = symtab->chosen_count;
    return symtab->chosen;
}

const struct code_map *symtab_code_map(const struct symtab *symtab)
{
    return &symtab->code_map;
}
