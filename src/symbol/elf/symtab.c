/* SPDX-License-Identifier: MIT */
#include "symbol/elf/symtab.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/interval.h"
#include "base/large.h"
#include "base/search.h"
#include "base/sort.h"
#include "base/vec.h"
#include "symbol/elf/code_map.h"
#include "symbol/elf/inflate.h"
#include "symbol/elf/plt.h"
#include "symbol/elf/symbol_read.h"

/* Bytes of names that are not in a file: "x@plt", and names whose version was cut off. */
#define MADE_NAMES_MAX ((size_t)64 << 20)

/* A symbol's id: the table, then the index in it. Lower: read earlier. */
#define SYMBOL_BITS 24
#define TABLE_COUNT 4           /* as in enum symbol_source */
#define STUBS       TABLE_COUNT /* the number of the list of PLT stubs */
#define STUBS_MAX   SYMBOL_TABLE_MAX

_Static_assert(SYMBOL_TABLE_MAX <= 1 << SYMBOL_BITS, "an index fits");

struct made_name { /* in place of a symbol's own */
    uint32_t id;
    const char *name;
};

struct symtab {
    struct elf_image *image;                 /* borrowed, as what the tables are views of */
    struct symbol_table tables[TABLE_COUNT]; /* without bytes where absent */
    struct symbol *stubs;
    size_t stub_count, stub_cap;
    struct made_name *made; /* by id */
    size_t made_count, made_cap;
    struct arena names;
    struct interval_set *ranges; /* → id */
    uint32_t *chosen;            /* ids of symbols that hold some address, by start */
    size_t chosen_count;
    struct code_map code_map;
    struct elf_image *mini; /* the file in .gnu_debugdata */
};

/* The tables while they are read. Symbols of any file have addresses of the image. */
struct symtab_reading {
    struct symtab *symtab;
    struct elf_image *image;
    struct sort_item *items; /* start → id, of every symbol in code, aliases too */
    size_t count, cap;
    uint64_t range_start, range_end; /* the executable section of the last symbol */
    bool has_versions;               /* names may have a version appended */
    bool no_memory;
};

/* Finds the section of code at `vaddr`; symbols come in runs of the same one. */
static bool find_range(struct symtab_reading *reading, uint64_t vaddr)
{
    if (vaddr >= reading->range_start && vaddr < reading->range_end)
        return true;
    return elf_image_exec_range(reading->image, vaddr, &reading->range_start,
                                &reading->range_end) == STATUS_OK;
}

/* Makes a name without "@VERSION" or "@@VERSION", which .symtab has and .dynsym has not. */
static void cut_version(struct symtab_reading *reading, uint32_t id, const char *name)
{
    struct symtab *symtab = reading->symtab;
    size_t len = strnlen(name, SYMBOL_NAME_MAX + 1);
    const char *at = len <= SYMBOL_NAME_MAX ? memchr(name, '@', len) : NULL, *made;

    if (!at || at == name || strcmp(at, "@plt") == 0 || symtab->names.total > MADE_NAMES_MAX)
        return;
    made = arena_join(&symtab->names, name, (size_t)(at - name), "");
    if (!made || vec_reserve(&symtab->made, &symtab->made_cap, symtab->made_count + 1,
                             sizeof(*symtab->made)) != STATUS_OK)
        reading->no_memory = true;
    else
        symtab->made[symtab->made_count++] = (struct made_name){.id = id, .name = made};
}

/* The order in which elfutils searches: global and weak, local, without size. */
enum { GROUP_GLOBAL, GROUP_LOCAL, GROUP_UNSIZED };

static uint8_t rank_of(uint8_t binding)
{
    switch (binding) {
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

static uint8_t group_of(const struct symbol_entry *entry)
{
    if (entry->size == 0)
        return GROUP_UNSIZED;
    return entry->binding == STB_LOCAL ? GROUP_LOCAL : GROUP_GLOBAL;
}

/* Size, group and rank in one word; larger sizes are read from the table. */
#define SIZE_BITS 28
#define SIZE_MANY ((1u << SIZE_BITS) - 1)

static void push(struct symtab_reading *reading, uint64_t start_vaddr, uint64_t size, uint8_t group,
                 uint8_t rank, uint32_t id)
{
    uint32_t data = (uint32_t)(size < SIZE_MANY ? size : SIZE_MANY) | (uint32_t)(group << 2 | rank)
                                                                          << SIZE_BITS;

    if (vec_reserve(&reading->items, &reading->cap, reading->count + 1, sizeof(*reading->items)) !=
        STATUS_OK)
        reading->no_memory = true;
    else
        reading->items[reading->count++] =
            (struct sort_item){.key = start_vaddr, .id = id, .data = data};
}

/* Adds a mapping symbol of a section of code; those of debug sections have addresses from 0 on. */
static void add_mark(struct symtab_reading *reading, const struct elf_image *file,
                     const struct symbol_entry *entry)
{
    char letter = symbol_mapping_letter(entry);

    if (letter && elf_image_is_code_section(file, entry->section) &&
        code_map_add(&reading->symtab->code_map, elf_image_arch(reading->image), letter,
                     entry->value) != STATUS_OK)
        reading->no_memory = true;
}

static void read_table(struct symtab_reading *reading, struct elf_image *file, const char *section,
                       enum symbol_source source)
{
    uint64_t bits = symbol_code_bits(elf_image_arch(reading->image));
    struct symbol_table *table = &reading->symtab->tables[source];
    struct symbol_entry entry;

    if (symbol_table_open(file, section, table) != STATUS_OK) {
        table->count = 0;
        return;
    }
    if (!reading->items && (reading->items = large_alloc(table->count * sizeof(*reading->items))))
        reading->cap = table->count; /* growing would copy them again and again */
    for (size_t i = 1; i < table->count && !reading->no_memory; i++) {
        uint32_t id = (uint32_t)source << SYMBOL_BITS | (uint32_t)i;

        symbol_table_read(table, i, &entry);
        add_mark(reading, file, &entry);
        if (!symbol_is_function(&entry) || !find_range(reading, entry.value & bits))
            continue;
        push(reading, entry.value & bits, entry.size, group_of(&entry), rank_of(entry.binding), id);
        if (reading->has_versions)
            cut_version(reading, id, entry.name);
    }
}

static bool add_plt(void *context, uint64_t start_vaddr, uint64_t end_vaddr, const char *name,
                    bool thumb)
{
    struct symtab_reading *reading = context;
    struct symtab *symtab = reading->symtab;
    struct symbol stub = {.start_vaddr = start_vaddr,
                          .end_vaddr = end_vaddr,
                          .source = SYMBOL_DYNSYM,
                          .type = STT_FUNC,
                          .binding = STB_LOCAL,
                          .sized = true,
                          .thumb = thumb};

    if (symtab->names.total > MADE_NAMES_MAX || symtab->stub_count >= STUBS_MAX)
        return false;
    stub.name = arena_join(&symtab->names, name, strlen(name), "@plt");
    if (!stub.name || vec_reserve(&symtab->stubs, &symtab->stub_cap, symtab->stub_count + 1,
                                  sizeof(stub)) != STATUS_OK) {
        reading->no_memory = true;
        return false;
    }
    push(reading, start_vaddr, end_vaddr - start_vaddr, GROUP_LOCAL, 0,
         (uint32_t)STUBS << SYMBOL_BITS | (uint32_t)symtab->stub_count);
    symtab->stubs[symtab->stub_count++] = stub;
    return !reading->no_memory;
}

/* .gnu_debugdata: an xz-compressed ELF file whose .symtab has the functions that .dynsym lacks. */
static void read_mini(struct symtab_reading *reading)
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

/* End of a symbol with this start and size, cut at its section's; 0: no size. */
static uint64_t end_of(uint64_t start, uint64_t size, uint64_t range_end)
{
    if (size == 0)
        return 0;
    return size < range_end - start ? start + size : range_end;
}

/* Makes an interval without id. */
static struct interval interval_of(struct symtab_reading *reading, const struct sort_item *item)
{
    uint32_t table = item->id >> SYMBOL_BITS, index = item->id & ((1u << SYMBOL_BITS) - 1);
    struct interval interval = {.start = item->key,
                                .group = (uint8_t)(item->data >> SIZE_BITS >> 2),
                                .rank = (uint8_t)(item->data >> SIZE_BITS & 3)};
    uint64_t size = item->data & SIZE_MANY;
    struct symbol_entry entry;

    if (size == SIZE_MANY && table < TABLE_COUNT) {
        symbol_table_read(&reading->symtab->tables[table], index, &entry);
        size = entry.size;
    }
    if (find_range(reading, interval.start)) /* as it was when the table was read */
        interval.end = end_of(interval.start, size, reading->range_end);
    return interval;
}

/* Is it the same symbol from another table, such as .dynsym? The first one is enough. */
static bool is_repeated(const struct interval *last, const struct interval *interval)
{
    return last->start == interval->start && last->end == interval->end &&
           last->group == interval->group && last->rank == interval->rank;
}

/* The intervals made of the symbols, by start, and the symbols' ids. */
struct making {
    struct symtab_reading *reading;
    struct interval *intervals;
    uint32_t *ids;
    size_t count;
    uint64_t covered; /* how far sized symbols have reached */
};

/*
 * Makes intervals of the symbols with one start, items[from...to-1]. A symbol without size
 * (hand-written assembly) reaches to the next symbol, or to its section's end; inside a sized
 * symbol it is a label, and left out.
 */
static void add_intervals(struct making *making, size_t from, size_t to)
{
    struct symtab_reading *reading = making->reading;
    uint64_t next = to < reading->count ? reading->items[to].key : UINT64_MAX;
    size_t first = making->count, kept = first;

    for (size_t i = from; i < to; i++) {
        struct interval interval = interval_of(reading, &reading->items[i]);

        if (making->count > first && is_repeated(&making->intervals[making->count - 1], &interval))
            continue;
        if (interval.group != GROUP_UNSIZED && interval.end > making->covered)
            making->covered = interval.end;
        making->ids[making->count] = reading->items[i].id;
        making->intervals[making->count++] = interval;
    }
    for (size_t i = first; i < making->count; i++) {
        struct interval *interval = &making->intervals[i];

        if (interval->group == GROUP_UNSIZED) {
            if (making->covered > interval->start || !find_range(reading, interval->start))
                continue;
            interval->end = next < reading->range_end ? next : reading->range_end;
        }
        making->ids[kept] = making->ids[i];
        making->intervals[kept] = *interval;
        making->intervals[kept].id = (uint32_t)kept;
        kept++;
    }
    making->count = kept;
}

/* Collects the symbols that own some address, by start. */
static enum status choose(const struct making *making)
{
    struct symtab *symtab = making->reading->symtab;
    bool *seen = calloc(making->count + 1, sizeof(*seen));
    struct interval_piece piece;
    size_t at = 0;

    symtab->chosen = calloc(making->count + 1, sizeof(*symtab->chosen));
    if (!seen || !symtab->chosen) {
        free(seen);
        return STATUS_NO_MEMORY;
    }
    while (interval_set_next(symtab->ranges, &at, &piece))
        seen[piece.id] = true;
    for (size_t i = 0; i < making->count; i++)
        if (seen[i])
            symtab->chosen[symtab->chosen_count++] = making->ids[i];
    free(seen);
    return STATUS_OK;
}

static enum status make_ranges(struct symtab_reading *reading)
{
    struct making making = {.reading = reading,
                            .intervals =
                                large_alloc((reading->count + 1) * sizeof(struct interval)),
                            .ids = calloc(reading->count + 1, sizeof(*making.ids))};
    struct symtab *symtab = reading->symtab;
    enum status status = making.intervals && making.ids ? STATUS_OK : STATUS_NO_MEMORY;

    for (size_t i = 0, next; status == STATUS_OK && i < reading->count; i = next) {
        for (next = i; next < reading->count && reading->items[next].key == reading->items[i].key;)
            next++;
        add_intervals(&making, i, next);
    }
    if (status == STATUS_OK)
        status = interval_set_create(making.intervals, making.count, &symtab->ranges);
    if (status == STATUS_OK)
        status = choose(&making);
    if (status == STATUS_OK)
        interval_set_rename(symtab->ranges, making.ids);
    free(making.intervals);
    free(making.ids);
    return status;
}

static enum status build(struct symtab_reading *reading)
{
    enum status status = reading->no_memory ? STATUS_NO_MEMORY : STATUS_OK;

    code_map_finish(&reading->symtab->code_map);
    if (status == STATUS_OK)
        status = sort_items(reading->items, reading->count);
    if (status == STATUS_OK)
        status = make_ranges(reading);
    return status;
}

/* Only a file that defines versions has names with them. */
static bool has_versions(struct elf_image *image)
{
    struct elf_section section;

    return elf_image_section(image, ".gnu.version_d", &section) == STATUS_OK;
}

enum status symtab_create(struct elf_image *image, struct elf_image *debug, struct symtab **out)
{
    struct symtab *symtab = calloc(1, sizeof(*symtab));
    struct symtab_reading reading = {.symtab = symtab, .image = image};
    enum status status;

    if (!symtab)
        return STATUS_NO_MEMORY;
    symtab->image = image;
    arena_init(&symtab->names);
    reading.has_versions = has_versions(image);
    read_table(&reading, image, ".symtab", SYMBOL_SYMTAB);
    if (debug)
        read_table(&reading, debug, ".symtab", SYMBOL_DEBUG_FILE);
    read_table(&reading, image, ".dynsym", SYMBOL_DYNSYM);
    read_mini(&reading);
    plt_each(image, add_plt, &reading);
    status = build(&reading);
    free(reading.items);
    if (status != STATUS_OK) {
        symtab_destroy(symtab);
        return status;
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
    free(symtab->stubs);
    free(symtab->made);
    free(symtab->chosen);
    free(symtab);
}

/* The name that was made for a symbol; NULL: it has its own. */
static const char *made_name(const struct symtab *symtab, uint32_t id)
{
    size_t at = SEARCH_FIRST(i, 0, symtab->made_count, symtab->made[i].id < id);

    return at < symtab->made_count && symtab->made[at].id == id ? symtab->made[at].name : NULL;
}

/* Nothing begins in, or reaches into, the piece of a symbol without size: its interval ends it. */
static void fill(const struct symtab *symtab, uint32_t id, struct symbol *out)
{
    uint32_t table = id >> SYMBOL_BITS, index = id & ((1u << SYMBOL_BITS) - 1);
    uint64_t section_start, section_end, start;
    struct interval_piece piece;
    struct symbol_entry entry;
    const char *made;

    if (table == STUBS) {
        *out = symtab->stubs[index];
        return;
    }
    symbol_table_read(&symtab->tables[table], index, &entry);
    start = entry.value & symbol_code_bits(elf_image_arch(symtab->image));
    made = made_name(symtab, id);
    *out = (struct symbol){.start_vaddr = start,
                           .end_vaddr = start,
                           .name = made ? made : symbol_name(&entry),
                           .source = (enum symbol_source)table,
                           .type = entry.type,
                           .binding = entry.binding,
                           .sized = entry.size > 0,
                           .thumb = start != entry.value};
    if (out->sized &&
        elf_image_exec_range(symtab->image, start, &section_start, &section_end) == STATUS_OK)
        out->end_vaddr = end_of(start, entry.size, section_end);
    else if (interval_set_piece(symtab->ranges, start, &piece) == STATUS_OK)
        out->end_vaddr = piece.end;
}

enum status symtab_find(const struct symtab *symtab, uint64_t vaddr, struct symbol *out)
{
    uint32_t id;
    enum status status = interval_set_find(symtab->ranges, vaddr, &id);

    if (status != STATUS_OK)
        return status;
    fill(symtab, id, out);
    return out->name[0] ? STATUS_OK : STATUS_NOT_FOUND;
}

size_t symtab_count(const struct symtab *symtab)
{
    return symtab->chosen_count;
}

void symtab_at(const struct symtab *symtab, size_t index, struct symbol *out)
{
    fill(symtab, symtab->chosen[index], out);
}

size_t symtab_next_within(const struct symtab *symtab, size_t index, uint64_t start_vaddr,
                          uint64_t end_vaddr)
{
    uint64_t bits = symbol_code_bits(elf_image_arch(symtab->image));

    for (; index < symtab->chosen_count; index++) {
        uint32_t id = symtab->chosen[index];
        uint32_t table = id >> SYMBOL_BITS, at = id & ((1u << SYMBOL_BITS) - 1);
        const struct symbol *stub = table == STUBS ? &symtab->stubs[at] : NULL;

        if (stub ? stub->start_vaddr < end_vaddr && stub->end_vaddr > start_vaddr
                 : symbol_table_is_within(&symtab->tables[table], at, bits, start_vaddr, end_vaddr))
            break;
    }
    return index;
}

const struct code_map *symtab_code_map(const struct symtab *symtab)
{
    return &symtab->code_map;
}
