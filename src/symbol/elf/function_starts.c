/* SPDX-License-Identifier: MIT */
#include "symbol/elf/function_starts.h"

#include <stdlib.h>

#include "arch/analysis/analysis.h"
#include "base/elf_numbers.h"
#include "base/map.h"
#include "base/sort.h"
#include "base/vec.h"
#include "symbol/elf/code_map.h"
#include "symbol/elf/dynamic.h"
#include "symbol/elf/entry_point.h"
#include "symbol/elf/relocs.h"
#include "symbol/elf/plt.h"
#include "symbol/elf/symbol_read.h"
#include "symbol/elf/symtab.h"
#include "symbol/elf/vectors.h"

#define ARRAYS 3 /* sections with addresses of initialisers */

struct function_starts {
    const struct elf_image *image; /* borrowed */
    const struct code_map *map;    /* borrowed; NULL: none */
    struct function_start *items;
    size_t count;
};

struct candidate { /* as struct function_start, but small: there are many */
    uint64_t vaddr, size;
    uint8_t origin; /* enum code_origin */
    bool thumb;
    bool covers; /* surely a function, over all of its size */
};

/* The candidates, while they are gathered. */
struct start_gathering {
    struct elf_image *image;
    const struct arch *arch;
    const struct code_map *map;
    const struct vaddr_range *window; /* NULL: everything is gathered */
    bool named;                       /* symbols only */
    bool crossed;                     /* a symbol crosses an end of the window */
    struct candidate *items;
    size_t count, cap;
    struct vaddr_range plt[PLT_SECTIONS], arrays[ARRAYS]; /* of stubs; of initialisers' addresses */
    size_t plt_count, array_count;
    /* words of relocations other than RELATIVE: no constants */
    struct map not_pointers;
    bool no_memory;
};

static bool in_ranges(const struct vaddr_range *ranges, size_t count, uint64_t vaddr)
{
    for (size_t i = 0; i < count; i++)
        if (vaddr >= ranges[i].start_vaddr && vaddr < ranges[i].end_vaddr)
            return true;
    return false;
}

/* Does [vaddr, vaddr + size) lie outside the window? Notes one that crosses an end. */
static bool is_elsewhere(struct start_gathering *g, uint64_t vaddr, uint64_t size)
{
    const struct vaddr_range *window = g->window;

    if (!window)
        return false;
    if (vaddr >= window->end_vaddr ||
        (vaddr < window->start_vaddr && size <= window->start_vaddr - vaddr))
        return true;
    g->crossed = g->crossed || vaddr < window->start_vaddr || size > window->end_vaddr - vaddr;
    return false;
}

/* The kind of code at `vaddr` by the mapping symbols. */
static enum code_kind kind_at(const struct start_gathering *g, uint64_t vaddr)
{
    uint64_t until;

    return g->map ? code_map_at(g->map, g->image, vaddr, &until) : KIND_UNKNOWN;
}

static void add(struct start_gathering *g, const struct candidate *candidate)
{
    uint64_t start, end, vaddr = candidate->vaddr;

    if (g->no_memory || g->count >= FUNCTION_STARTS_MAX ||
        elf_image_exec_range(g->image, vaddr, &start, &end) != STATUS_OK ||
        in_ranges(g->plt, g->plt_count, vaddr))
        return;
    if (vec_reserve(&g->items, &g->cap, g->count + 1, sizeof(*g->items)) != STATUS_OK) {
        g->no_memory = true;
        return;
    }
    g->items[g->count++] = *candidate;
}

/*
 * Adds an address as the machine calls it: on ARM bit 0 is the instruction set. Leaves out
 * addresses that no instruction can have, and those that mapping symbols contradict.
 */
static void add_address(struct start_gathering *g, uint64_t address, enum code_origin origin)
{
    struct candidate candidate = {.vaddr = address & ~(uint64_t)g->arch->isa_bit,
                                  .origin = (uint8_t)origin,
                                  .thumb = address & g->arch->isa_bit};
    enum code_kind kind;

    if (candidate.vaddr %
        insn_set_for(g->arch, candidate.thumb ? CODE_T32 : CODE_DEFAULT)->alignment)
        return;
    kind = kind_at(g, candidate.vaddr);
    if (kind == KIND_DATA || (kind == KIND_OTHER_CODE && !candidate.thumb) ||
        (kind == KIND_CODE && candidate.thumb))
        return;
    add(g, &candidate);
}

/*
 * Adds a symbol. STT_FUNC makes bit 0 of an ARM symbol the instruction set; for other types only
 * mapping symbols may know it.
 */
static void add_symbol(struct start_gathering *g, const struct symbol *symbol,
                       enum code_origin origin)
{
    struct candidate candidate = {.vaddr = symbol->start_vaddr,
                                  .size =
                                      symbol->sized ? symbol->end_vaddr - symbol->start_vaddr : 0,
                                  .origin = (uint8_t)origin,
                                  .thumb = symbol->thumb};

    if (symbol->type == STT_NOTYPE) {
        enum code_kind kind = kind_at(g, symbol->start_vaddr);
        bool known = !g->arch->isa_bit || symbol->thumb || kind != KIND_UNKNOWN;

        if (symbol->binding == STB_LOCAL || kind == KIND_DATA || !known)
            return;
        candidate.thumb = symbol->thumb || kind == KIND_OTHER_CODE;
    } else if (symbol->sized) {
        candidate.covers = true;
    }
    add(g, &candidate);
}

/* The first symbol from `index` on that is in the window. */
static size_t next_symbol(const struct start_gathering *g, const struct symtab *symtab,
                          size_t index)
{
    return g->window
               ? symtab_next_within(symtab, index, g->window->start_vaddr, g->window->end_vaddr)
               : index;
}

static void add_symtab(struct start_gathering *g, const struct symtab *symtab)
{
    static const enum code_origin origins[] = {
        [SYMBOL_SYMTAB] = ORIGIN_SYMTAB,
        [SYMBOL_DYNSYM] = ORIGIN_DYNSYM,
        [SYMBOL_DEBUG_FILE] = ORIGIN_DEBUG_FILE,
        [SYMBOL_MINI_DEBUGINFO] = ORIGIN_MINI_DEBUGINFO,
    };
    struct symbol symbol;

    for (size_t i = next_symbol(g, symtab, 0); i < symtab_count(symtab);
         i = next_symbol(g, symtab, i + 1)) {
        symtab_at(symtab, i, &symbol);
        if (!is_elsewhere(g, symbol.start_vaddr,
                          symbol.sized ? symbol.end_vaddr - symbol.start_vaddr : 0))
            add_symbol(g, &symbol, origins[symbol.source]);
    }
}

/* Adds the entries of .dynsym as symtab would give them, without names. */
static void add_dynsym(struct start_gathering *g)
{
    uint64_t bits = symbol_code_bits(g->arch), start, end;
    struct symbol_table table;
    struct symbol_entry entry;

    if (symbol_table_open(g->image, ".dynsym", &table) != STATUS_OK)
        return;
    for (size_t i = 1; i < table.count; i++) {
        struct symbol symbol = {.source = SYMBOL_DYNSYM};

        if (g->window &&
            !symbol_table_is_within(&table, i, bits, g->window->start_vaddr, g->window->end_vaddr))
            continue;
        symbol_table_read(&table, i, &entry);
        symbol.start_vaddr = entry.value & bits;
        if (is_elsewhere(g, symbol.start_vaddr, entry.size) || !symbol_is_function(&entry) ||
            elf_image_exec_range(g->image, symbol.start_vaddr, &start, &end) != STATUS_OK)
            continue;
        symbol.end_vaddr =
            entry.size < end - symbol.start_vaddr ? symbol.start_vaddr + entry.size : end;
        symbol.type = entry.type;
        symbol.binding = entry.binding;
        symbol.sized = entry.size > 0;
        symbol.thumb = symbol.start_vaddr != entry.value;
        add_symbol(g, &symbol, ORIGIN_DYNSYM);
    }
}

static void add_range(struct vaddr_range *ranges, size_t *count, uint64_t start, uint64_t size)
{
    if (*count < ARRAYS && size <= UINT64_MAX - start)
        ranges[(*count)++] = (struct vaddr_range){start, start + size};
}

static void find_ranges(struct start_gathering *g)
{
    static const struct {
        const char *name;
        int64_t tag, size_tag;
    } arrays[] = {
        {".preinit_array", DT_PREINIT_ARRAY, DT_PREINIT_ARRAYSZ},
        {".init_array", DT_INIT_ARRAY, DT_INIT_ARRAYSZ},
        {".fini_array", DT_FINI_ARRAY, DT_FINI_ARRAYSZ},
    };
    struct elf_section section;
    uint64_t start, size;

    g->plt_count = plt_sections(g->image, g->plt);
    for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++) {
        if (dynamic_value(g->image, arrays[i].tag, &start) == STATUS_OK &&
            dynamic_value(g->image, arrays[i].size_tag, &size) == STATUS_OK)
            add_range(g->arrays, &g->array_count, start, size);
        else if (elf_image_section(g->image, arrays[i].name, &section) == STATUS_OK)
            add_range(g->arrays, &g->array_count, section.vaddr, section.size);
    }
}

static void add_vectors(struct start_gathering *g)
{
    struct vectors vectors;

    if (vectors_find(g->image, &vectors) != STATUS_OK)
        return;
    for (uint32_t i = 1; i < vectors.count; i++)
        if (vectors_word(g->image, &vectors, i))
            add_address(g, vectors_word(g->image, &vectors, i), ORIGIN_VECTOR);
}

static void add_entry_points(struct start_gathering *g)
{
    uint64_t vaddr;

    if (entry_point_find(g->image, &vaddr))
        add_address(g, vaddr, ORIGIN_ENTRY);
    add_vectors(g);
    if (dynamic_value(g->image, DT_INIT, &vaddr) == STATUS_OK)
        add_address(g, vaddr, ORIGIN_INIT);
    if (dynamic_value(g->image, DT_FINI, &vaddr) == STATUS_OK)
        add_address(g, vaddr, ORIGIN_INIT);
}

static void add_pointer(struct start_gathering *g, uint64_t word_vaddr, uint64_t address)
{
    bool init = in_ranges(g->arrays, g->array_count, word_vaddr);

    add_address(g, address, init ? ORIGIN_INIT : ORIGIN_POINTER);
}

/*
 * Adds the target of a relocation against a symbol of this file. Only the symbol itself starts a
 * function: with an addend it is a place inside, unless the symbol is a section.
 */
static void add_symbolic(struct start_gathering *g, const struct symbol_table *symbols,
                         const struct reloc *reloc, bool rela)
{
    bool has_addend = rela || reloc->kind == RELOC_ABSOLUTE;
    uint64_t addend = has_addend ? reloc->addend : 0;
    struct symbol_entry symbol;

    if (reloc->symbol >= symbols->count || (has_addend && !reloc->addend_known))
        return;
    symbol_table_read(symbols, reloc->symbol, &symbol);
    if (symbol.section == SHN_UNDEF)
        return;
    if (symbol.type == STT_SECTION)
        add_pointer(g, reloc->vaddr, symbol.value + addend);
    else if (symbol_is_function(&symbol) && symbol.type != STT_NOTYPE && addend == 0)
        add_pointer(g, reloc->vaddr, symbol.value);
}

static void add_relocs(struct start_gathering *g, enum reloc_part part)
{
    bool fixed = elf_image_type(g->image) == ET_EXEC;
    struct symbol_table symbols = {0};
    struct reloc_table table;
    struct reloc reloc;

    if (reloc_table_open(g->image, part, &table) != STATUS_OK)
        return;
    if (symbol_table_open(g->image, ".dynsym", &symbols) != STATUS_OK)
        symbols.count = 0;
    for (size_t i = 0; i < table.count && !g->no_memory; i++) {
        reloc_table_read(&table, i, &reloc);
        if (reloc.kind == RELOC_RELATIVE || reloc.kind == RELOC_IRELATIVE) {
            if (reloc.addend_known)
                add_pointer(g, reloc.vaddr, reloc.addend);
        } else if (reloc.kind != RELOC_OTHER) {
            add_symbolic(g, &symbols, &reloc, table.rela);
        }
        if (fixed && reloc.kind != RELOC_RELATIVE && !map_put(&g->not_pointers, reloc.vaddr, 1))
            g->no_memory = true;
    }
    reloc_table_let_go(&table);
}

static void add_relr_word(struct start_gathering *g, uint64_t vaddr)
{
    uint64_t address;

    if (relocs_word(g->image, vaddr, g->arch->word_size, &address))
        add_pointer(g, vaddr, address);
}

/*
 * RELR (gABI, "Relative Relocation Table"): an even word is the address of a word to relocate; an
 * odd one has a bit, from bit 1 on, for each of the 31 or 63 words behind those of the last entry.
 */
static void add_relr(struct start_gathering *g)
{
    unsigned word = g->arch->word_size, bits = word * 8 - 1;
    uint64_t vaddr, size, entry, where = 0;

    if (dynamic_value(g->image, DT_RELR, &vaddr) != STATUS_OK ||
        dynamic_value(g->image, DT_RELRSZ, &size) != STATUS_OK)
        return;
    for (uint64_t i = 0; i < size / word && i < RELOC_TABLE_MAX && !g->no_memory; i++) {
        if (!relocs_word(g->image, vaddr + i * word, word, &entry))
            return;
        if (!(entry & 1)) {
            add_relr_word(g, entry);
            where = entry + word;
            continue;
        }
        for (unsigned bit = 0; bit < bits; bit++)
            if (entry >> (bit + 1) & 1)
                add_relr_word(g, where + (uint64_t)bit * word);
        where += (uint64_t)bits * word;
    }
}

/* The words of one writable segment of a file at a fixed address. */
static void add_words(struct start_gathering *g, const struct elf_segment *segment,
                      const struct vaddr_range *dynamic)
{
    unsigned word = g->arch->word_size;
    uint64_t avail = 0, value, vaddr = (segment->vaddr + word - 1) & ~(uint64_t)(word - 1);
    const uint8_t *bytes = elf_image_bytes_at(g->image, vaddr, &avail);

    for (uint64_t at = 0; bytes && avail - at >= word && !g->no_memory; at += word) {
        value = 0;
        for (unsigned i = 0; i < word; i++)
            value |= (uint64_t)bytes[at + i] << (8 * i);
        if (in_ranges(g->arrays, g->array_count, vaddr + at))
            add_address(g, value, ORIGIN_INIT);
        else if (!in_ranges(dynamic, 1, vaddr + at) && !map_get(&g->not_pointers, vaddr + at))
            add_address(g, value, ORIGIN_CONSTANT);
    }
}

static void add_constants(struct start_gathering *g)
{
    struct vaddr_range dynamic = {0};
    struct elf_section section;
    const struct elf_segment *segments;
    size_t count;

    if (elf_image_type(g->image) != ET_EXEC)
        return;
    if (elf_image_section(g->image, ".dynamic", &section) == STATUS_OK)
        dynamic = (struct vaddr_range){section.vaddr, section.vaddr + section.size};
    segments = elf_image_segments(g->image, &count);
    for (size_t i = 0; i < count; i++)
        if ((segments[i].prot & 2) && !(segments[i].prot & 4))
            add_words(g, &segments[i], &dynamic);
}

/* Orders starts at one address: the stronger origin, the larger size, A32 first. */
static bool is_better(const struct candidate *x, const struct candidate *y)
{
    if (x->origin != y->origin)
        return x->origin < y->origin;
    if (x->size != y->size)
        return x->size > y->size;
    return x->thumb < y->thumb;
}

/* The candidates' order by address, malloc'ed, the caller's. NULL: no memory. */
static struct sort_item *sorted(const struct start_gathering *g)
{
    struct sort_item *order = calloc(g->count + 1, sizeof(*order));

    for (size_t i = 0; order && i < g->count; i++)
        order[i] = (struct sort_item){.key = g->items[i].vaddr, .id = (uint32_t)i};
    if (order && sort_items(order, g->count) != STATUS_OK) {
        free(order);
        return NULL;
    }
    return order;
}

/* Keeps one start an address; leaves out pointers into sized functions (labels). */
static enum status finish(struct start_gathering *g, struct function_starts *starts)
{
    struct sort_item *order = sorted(g);
    uint64_t covered = 0;

    starts->items = calloc(g->count + 1, sizeof(*starts->items));
    if (!starts->items || !order) {
        free(order);
        return STATUS_NO_MEMORY;
    }
    for (size_t i = 0, at; i < g->count; i = at) {
        const struct candidate *best = &g->items[order[i].id], *with_size = NULL;
        uint64_t end = covered;

        for (at = i; at < g->count && order[at].key == order[i].key; at++) {
            const struct candidate *item = &g->items[order[at].id];

            if (is_better(item, best))
                best = item;
            if (item->size > 0 && (!with_size || is_better(item, with_size)))
                with_size = item;
            if (item->covers && item->vaddr + item->size > end)
                end = item->vaddr + item->size;
        }
        if (best->origin < ORIGIN_POINTER || best->vaddr >= covered)
            starts->items[starts->count++] =
                (struct function_start){.vaddr = best->vaddr,
                                        .size = with_size ? with_size->size : 0,
                                        .origin = (enum code_origin)best->origin,
                                        .thumb = best->thumb};
        covered = end;
    }
    free(order);
    return STATUS_OK;
}

/*
 * ARM code is mostly of one instruction set, while chance numbers are of both: drops constants in
 * the mode that less than a quarter of them have, unless it is the entry point's.
 */
static void drop_rare_mode(const struct start_gathering *g, struct function_starts *starts)
{
    bool entry = elf_image_entry_vaddr(g->image) & 1, rare;
    size_t counts[2] = {0, 0}, kept = 0;

    for (size_t i = 0; i < starts->count; i++)
        if (starts->items[i].origin == ORIGIN_CONSTANT)
            counts[starts->items[i].thumb]++;
    rare = counts[true] < counts[false];
    if (!g->arch->isa_bit || rare == entry || counts[rare] >= counts[!rare] / 3)
        return;
    for (size_t i = 0; i < starts->count; i++)
        if (starts->items[i].origin != ORIGIN_CONSTANT || starts->items[i].thumb != rare)
            starts->items[kept++] = starts->items[i];
    starts->count = kept;
}

static void gather(struct start_gathering *g, const struct symtab *symtab)
{
    find_ranges(g);
    if (symtab)
        add_symtab(g, symtab);
    add_dynsym(g);
    if (g->named)
        return;
    add_entry_points(g);
    add_relocs(g, RELOCS_PLT);
    add_relocs(g, RELOCS_DYN);
    add_relr(g);
    add_constants(g);
}

static enum status create(struct elf_image *image, const struct symtab *symtab, bool named,
                          const struct vaddr_range *window, struct function_starts **out)
{
    struct start_gathering g = {.image = image,
                                .arch = elf_image_arch(image),
                                .window = window,
                                .named = named};
    struct function_starts *starts = calloc(1, sizeof(*starts));
    enum status status;

    if (!starts)
        return STATUS_NO_MEMORY;
    if (symtab)
        g.map = symtab_code_map(symtab);
    *starts = (struct function_starts){.image = image, .map = g.map};
    map_init(&g.not_pointers);
    gather(&g, symtab);
    status = g.no_memory ? STATUS_NO_MEMORY : g.crossed ? STATUS_NOT_FOUND : finish(&g, starts);
    if (status == STATUS_OK && !named)
        drop_rare_mode(&g, starts);
    map_deinit(&g.not_pointers);
    free(g.items);
    if (status != STATUS_OK) {
        function_starts_destroy(starts);
        return status;
    }
    *out = starts;
    return STATUS_OK;
}

enum status function_starts_create(struct elf_image *image, const struct symtab *symtab,
                                   bool code_only, struct function_starts **out)
{
    return create(image, code_only ? NULL : symtab, false, NULL, out);
}

enum status function_starts_create_named(struct elf_image *image, const struct symtab *symtab,
                                         bool code_only, struct function_starts **out)
{
    return create(image, code_only ? NULL : symtab, true, NULL, out);
}

enum status function_starts_create_within(struct elf_image *image, const struct symtab *symtab,
                                          bool code_only, const struct vaddr_range *window,
                                          struct function_starts **out)
{
    return create(image, code_only ? NULL : symtab, true, window, out);
}

void function_starts_destroy(struct function_starts *starts)
{
    if (!starts)
        return;
    free(starts->items);
    free(starts);
}

const struct function_start *function_starts_all(const struct function_starts *starts,
                                                 size_t *count)
{
    *count = starts->count;
    return starts->items;
}

enum code_kind code_kind_at(const struct function_starts *starts, uint64_t vaddr, uint64_t *until)
{
    static const struct code_map none = {0};

    return code_map_at(starts->map ? starts->map : &none, starts->image, vaddr, until);
}
