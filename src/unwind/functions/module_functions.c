/* SPDX-License-Identifier: MIT */
#include "unwind/functions/module_functions.h"

#include <stdlib.h>

#include "base/search.h"
#include "cache/cache.h"
#include "symbol/elf/elf_identity.h"
#include "symbol/elf/plt.h"
#include "unwind/functions/island_calls.h"
#include "unwind/functions/kept_functions.h"
#include "unwind/functions/module_parts.h"

#define KEPT_CODE_MIN (UINT64_C(32) << 10) /* bytes of code, which are searched in some 15 ms */
#define NEAR_MAX      16 /* ranges that are listed apart, before all functions are */

/* The functions in a range over whose ends no FDE, symbol or stub reaches. */
struct near {
    struct vaddr_range range;
    struct functions list;
};

struct module_functions {
    struct module_code *code;
    struct function_tables tables;
    /* of the whole file if `listed`, with pointers if `pointed`; else of the last near */
    struct function_starts *starts;
    struct module_landing_pads *landing_pads;
    struct near near[NEAR_MAX];
    unsigned near_count;
    struct functions list;
    uint64_t symbols;           /* identifies the debug file; 0: none */
    struct module_parts *parts; /* searched instead of the whole; NULL: none */
    uint64_t whole_max;
    size_t parts_max;
    bool code_only, listed, pointed, searched, no_search;
};

/*
 * Returns `mode`, unless the code at `vaddr` begins like a function in the other mode only. T32's
 * push.w behind a narrow instruction looks like A32's push.
 */
static enum code_mode mode_by_code(const struct code *code, uint64_t vaddr, enum code_mode mode)
{
    enum code_mode other = mode == CODE_T32 ? CODE_DEFAULT : CODE_T32;

    if (vaddr % code_set(code, other)->alignment != 0 || !code_strong_start(code, vaddr, other) ||
        code_strong_start(code, vaddr, mode))
        return mode;
    return mode == CODE_T32 && code_strong_start(code, vaddr + 2, mode) &&
                   !code_looks_like_a32(code, vaddr)
               ? mode
               : other;
}

/*
 * Returns the mode of the starts around `vaddr`, the last before it is starts[next - 1]: files have
 * one mode nearly everywhere. Where the two differ the look of the code decides.
 */
static enum code_mode mode_of_neighbours(const struct code *code,
                                         const struct function_start *starts, size_t count,
                                         size_t next, uint64_t vaddr)
{
    bool before = next > 0 && starts[next - 1].thumb, behind = next < count && starts[next].thumb;

    if (vaddr % code_set(code, CODE_DEFAULT)->alignment != 0)
        return CODE_T32;
    if (next > 0 && next < count && before != behind)
        return code_looks_like_a32(code, vaddr) ? CODE_DEFAULT : CODE_T32;
    return before || behind ? CODE_T32 : CODE_DEFAULT;
}

/* Returns the mode of the function at `vaddr`, if no table has it. */
static enum code_mode mode_at(const struct module_functions *functions, uint64_t vaddr)
{
    uint64_t until;
    size_t count, at;
    const struct function_start *starts = function_starts_all(functions->starts, &count);

    if (!code_has_two_modes(functions->code->code))
        return CODE_DEFAULT;
    switch (code_kind_at(functions->starts, vaddr, &until)) {
    case KIND_OTHER_CODE:
        return CODE_T32;
    case KIND_CODE:
        return CODE_DEFAULT;
    case KIND_UNKNOWN:
    case KIND_DATA:
        break;
    }
    at = SEARCH_FIRST(i, 0, count, starts[i].vaddr < vaddr);
    if (at < count && starts[at].vaddr == vaddr)
        return starts[at].thumb ? CODE_T32 : CODE_DEFAULT;
    return mode_by_code(functions->code->code, vaddr,
                        mode_of_neighbours(functions->code->code, starts, count, at, vaddr));
}

static enum status add(struct functions *list, uint64_t start_vaddr, uint64_t end_vaddr,
                       enum function_origin origin, enum code_mode mode)
{
    return functions_add(list, &(struct code_function){.start_vaddr = start_vaddr,
                                                       .end_vaddr = end_vaddr,
                                                       .origin = (uint8_t)origin,
                                                       .mode = (uint8_t)mode});
}

static enum status add_fdes(struct module_functions *functions, struct cfi *cfi)
{
    uint64_t start_vaddr, end_vaddr;
    enum status status = STATUS_OK;

    for (size_t i = 0;
         cfi && (status = cfi_function_at(cfi, i, &start_vaddr, &end_vaddr)) == STATUS_OK; i++)
        if (add(&functions->list, start_vaddr, end_vaddr, FUNCTION_FDE,
                mode_at(functions, start_vaddr)) != STATUS_OK)
            return STATUS_NO_MEMORY;
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

/* Adds entries with one function each; the search finds those in other entries. */
static enum status add_exidx(struct module_functions *functions)
{
    const struct exidx *exidx = functions->tables.exidx;
    uint64_t start_vaddr, end_vaddr;

    for (size_t i = 0; exidx && exidx_function_at(exidx, i, &start_vaddr, &end_vaddr) == STATUS_OK;
         i++)
        if (exidx_is_one_function(exidx, i) &&
            add(&functions->list, start_vaddr, end_vaddr, FUNCTION_EXIDX,
                mode_at(functions, start_vaddr)) != STATUS_OK)
            return STATUS_NO_MEMORY;
    return STATUS_OK;
}

static enum status add_go_function(struct functions *list, const struct go_function *function)
{
    return add(list, function->start_vaddr, function->end_vaddr, FUNCTION_GOPCLNTAB, CODE_DEFAULT);
}

static enum status add_go(struct module_functions *functions)
{
    const struct gopclntab *go = functions->tables.go;
    struct go_function function;

    for (size_t i = 0; go && i < gopclntab_count(go); i++)
        if (gopclntab_at(go, i, &function) == STATUS_OK &&
            add_go_function(&functions->list, &function) != STATUS_OK)
            return STATUS_NO_MEMORY;
    return STATUS_OK;
}

static enum status add_made(struct module_functions *functions)
{
    const struct vaddr_range *made = functions->tables.made;

    for (size_t i = 0; i < functions->tables.made_count; i++)
        if (add(&functions->list, made[i].start_vaddr, made[i].end_vaddr, FUNCTION_MADE,
                mode_at(functions, made[i].start_vaddr)) != STATUS_OK)
            return STATUS_NO_MEMORY;
    return STATUS_OK;
}

static enum function_origin symbol_origin(enum code_origin origin)
{
    return origin == ORIGIN_SYMTAB       ? FUNCTION_SYMTAB
           : origin == ORIGIN_DYNSYM     ? FUNCTION_DYNSYM
           : origin == ORIGIN_DEBUG_FILE ? FUNCTION_DEBUG_FILE
                                         : FUNCTION_MINI_DEBUGINFO;
}

/* Adds symbols with a size. */
static enum status add_symbols(struct functions *list, const struct function_starts *from)
{
    size_t count;
    const struct function_start *starts = function_starts_all(from, &count);

    for (size_t i = 0; i < count; i++)
        if (starts[i].size > 0 && starts[i].origin <= ORIGIN_MINI_DEBUGINFO &&
            add(list, starts[i].vaddr, starts[i].vaddr + starts[i].size,
                symbol_origin(starts[i].origin),
                starts[i].thumb ? CODE_T32 : CODE_DEFAULT) != STATUS_OK)
            return STATUS_NO_MEMORY;
    return STATUS_OK;
}

struct plt_adder {
    struct functions *list;
    const struct vaddr_range *range; /* that must have all of a stub range; NULL: any */
    enum status status;              /* NOT_FOUND: a stub range lies partly in it */
};

static bool add_plt_range(void *context, uint64_t start_vaddr, uint64_t end_vaddr, bool thumb)
{
    struct plt_adder *adder = context;
    const struct vaddr_range *range = adder->range;

    if (range && (end_vaddr <= range->start_vaddr || start_vaddr >= range->end_vaddr))
        return true;
    adder->status = range && (start_vaddr < range->start_vaddr || end_vaddr > range->end_vaddr)
                        ? STATUS_NOT_FOUND
                        : add(adder->list, start_vaddr, end_vaddr, FUNCTION_PLT,
                              thumb ? CODE_T32 : CODE_DEFAULT);
    return adder->status == STATUS_OK;
}

/* Adds PLTs by their sections, which stripped files have, too. */
static enum status add_plt(struct functions *list, struct elf_image *image,
                           const struct vaddr_range *range)
{
    struct plt_adder adder = {.list = list, .range = range, .status = STATUS_OK};

    plt_each_range(image, range, add_plt_range, &adder);
    return adder.status;
}

enum status module_functions_create(struct module_code *code, const struct function_tables *tables,
                                    bool code_only, struct module_functions **out)
{
    struct module_functions *functions = calloc(1, sizeof(*functions));
    enum status status = STATUS_NO_MEMORY;

    if (!functions)
        return status;
    functions->code = code;
    functions->code_only = code_only;
    functions->whole_max = MODULE_WHOLE_MAX;
    if (!code_only)
        functions->tables = *tables;
    status = functions->tables.eh_frame || functions->tables.exidx
                 ? module_landing_pads_create(code->image, functions->tables.eh_frame,
                                              functions->tables.exidx, &functions->landing_pads)
                 : STATUS_OK;
    if (status != STATUS_OK) {
        module_functions_destroy(functions);
        return status;
    }
    *out = functions;
    return STATUS_OK;
}

static const struct symtab *symtab_of(const struct module_functions *functions)
{
    return module_symtab(functions->code->set, functions->code->module);
}

static enum status take_starts(struct module_functions *functions, enum status status,
                               struct function_starts *starts)
{
    if (status == STATUS_OK) {
        function_starts_destroy(functions->starts);
        functions->starts = starts;
    }
    return status;
}

/* Reads the starts in `range`. NOT_FOUND: a symbol reaches over its ends. */
static enum status read_starts_within(struct module_functions *functions,
                                      const struct vaddr_range *range)
{
    struct function_starts *starts;
    enum status status = function_starts_create_within(functions->code->image, symtab_of(functions),
                                                       functions->code_only, range, &starts);

    return take_starts(functions, status, starts);
}

/* Reads the starts in the whole file, by pointers as well. */
static enum status read_pointers(struct module_functions *functions)
{
    struct function_starts *starts;
    enum status status;

    if (functions->pointed)
        return STATUS_OK;
    status = function_starts_create(functions->code->image, symtab_of(functions),
                                    functions->code_only, &starts);
    status = take_starts(functions, status, starts);
    functions->pointed = status == STATUS_OK;
    return status;
}

/* Reads named starts; on ARM pointers, too, which have the mode of the code around. */
static enum status read_starts(struct module_functions *functions)
{
    struct function_starts *starts;
    enum status status;

    if (code_has_two_modes(functions->code->code))
        return read_pointers(functions);
    status = function_starts_create_named(functions->code->image, symtab_of(functions),
                                          functions->code_only, &starts);
    return take_starts(functions, status, starts);
}

/* Hashes the identity of the debug file, whose names also say which functions never return. */
static uint64_t hash_symbols(const struct module_functions *functions)
{
    const struct elf_image *debug =
        functions->code_only ? NULL
                             : module_debug_image(functions->code->set, functions->code->module);
    struct elf_identity identity;

    if (!debug)
        return 0;
    elf_image_identity(debug, &identity);
    return cache_hash(1, &identity, sizeof(identity));
}

/* Lists all functions by tables and symbols. */
static enum status list_all(struct module_functions *functions)
{
    enum status status;

    if (functions->listed)
        return STATUS_OK;
    functions->list.count = 0;
    status = read_starts(functions);
    if (status == STATUS_OK)
        status = add_plt(&functions->list, functions->code->image, NULL);
    if (status == STATUS_OK)
        status = add_fdes(functions, functions->tables.debug_frame);
    if (status == STATUS_OK)
        status = add_fdes(functions, functions->tables.eh_frame);
    if (status == STATUS_OK)
        status = add_exidx(functions);
    if (status == STATUS_OK)
        status = add_symbols(&functions->list, functions->starts);
    if (status == STATUS_OK)
        status = add_made(functions);
    if (status == STATUS_OK)
        status = add_go(functions);
    if (status == STATUS_OK)
        functions_sort(&functions->list);
    functions->listed = status == STATUS_OK;
    functions->symbols = hash_symbols(functions);
    return status;
}

static void narrow_to(struct vaddr_range *range, uint64_t start_vaddr, uint64_t end_vaddr)
{
    if (start_vaddr > range->start_vaddr)
        range->start_vaddr = start_vaddr;
    if (end_vaddr < range->end_vaddr)
        range->end_vaddr = end_vaddr;
}

/* Narrows `range` to the FDE, or the gap between FDEs, that holds `vaddr`. */
static bool narrow(struct cfi *cfi, uint64_t vaddr, struct cfi_surroundings *around,
                   struct vaddr_range *range)
{
    *around = (struct cfi_surroundings){.is_fde = false};
    if (!cfi)
        return true;
    if (!cfi_surroundings(cfi, vaddr, around))
        return false;
    narrow_to(range, around->range.start_vaddr, around->range.end_vaddr);
    return true;
}

/* NOT_FOUND: the FDE reaches over the range's ends. */
static enum status add_fde(struct functions *list, const struct cfi_surroundings *around,
                           const struct vaddr_range *range)
{
    const struct vaddr_range *fde = &around->range;

    if (!around->is_fde)
        return STATUS_OK;
    return fde->start_vaddr < range->start_vaddr || fde->end_vaddr > range->end_vaddr
               ? STATUS_NOT_FOUND
               : add(list, fde->start_vaddr, fde->end_vaddr, FUNCTION_FDE, CODE_DEFAULT);
}

/* Lists the functions by tables and symbols around `vaddr`. NOT_FOUND: no range is apart. */
static enum status list_near(struct module_functions *functions, uint64_t vaddr, struct near *near)
{
    const struct function_tables *tables = &functions->tables;
    struct cfi_surroundings debug_frame, eh_frame;
    struct vaddr_range *range = &near->range;
    struct go_function function;
    bool has_go = tables->go && gopclntab_find(tables->go, vaddr, &function) == STATUS_OK;
    enum status status;

    *near = (struct near){.range = {0, UINT64_MAX}};
    if (!narrow(tables->debug_frame, vaddr, &debug_frame, range) ||
        !narrow(tables->eh_frame, vaddr, &eh_frame, range))
        return STATUS_NOT_FOUND;
    if (has_go)
        narrow_to(range, function.start_vaddr, function.end_vaddr);
    status = read_starts_within(functions, range);
    if (status == STATUS_OK)
        status = add_plt(&near->list, functions->code->image, range);
    if (status == STATUS_OK)
        status = add_fde(&near->list, &debug_frame, range);
    if (status == STATUS_OK)
        status = add_fde(&near->list, &eh_frame, range);
    if (status == STATUS_OK)
        status = add_symbols(&near->list, functions->starts);
    if (status == STATUS_OK && has_go)
        status = add_go_function(&near->list, &function);
    if (status == STATUS_OK)
        functions_sort(&near->list);
    return status;
}

/*
 * Finds the function that holds `vaddr` without listing all functions, which costs far more, but
 * with the same result. NOT_FOUND: list them. Not on ARM, where functions around give the mode.
 */
static enum status find_near(struct module_functions *functions, uint64_t vaddr,
                             const struct code_function **out)
{
    struct near *near = functions->near;
    enum status status;

    if (functions->listed || code_has_two_modes(functions->code->code) || functions->tables.exidx ||
        functions->tables.made_count)
        return STATUS_NOT_FOUND;
    for (unsigned i = 0; i < functions->near_count; i++, near++)
        if (vaddr >= near->range.start_vaddr && vaddr < near->range.end_vaddr) {
            *out = functions_find(&near->list, vaddr);
            return *out ? STATUS_OK : STATUS_NOT_FOUND;
        }
    if (functions->near_count == NEAR_MAX)
        return STATUS_NOT_FOUND;
    status = list_near(functions, vaddr, near);
    if (status != STATUS_OK) {
        functions_deinit(&near->list);
        return status;
    }
    functions->near_count++;
    *out = functions_find(&near->list, vaddr);
    return *out ? STATUS_OK : STATUS_NOT_FOUND;
}

void module_functions_no_search(struct module_functions *functions)
{
    functions->no_search = true;
}

void module_functions_in_parts(struct module_functions *functions)
{
    functions->whole_max = 0;
    functions->parts_max = SIZE_MAX;
}

void module_functions_destroy(struct module_functions *functions)
{
    if (!functions)
        return;
    functions_deinit(&functions->list);
    for (unsigned i = 0; i < functions->near_count; i++)
        functions_deinit(&functions->near[i].list);
    function_starts_destroy(functions->starts);
    module_landing_pads_destroy(functions->landing_pads);
    module_parts_destroy(functions->parts);
    free(functions);
}

/* Is the seed a label of a computed goto in T32 code, a pointer without the mode's bit? */
static bool is_label(const struct code *code, const struct code_function *seed)
{
    return code_has_two_modes(code) && seed->mode != CODE_T32 &&
           (seed->origin == FUNCTION_POINTER || seed->origin == FUNCTION_CONSTANT) &&
           !code_looks_like_a32(code, seed->start_vaddr);
}

/* Is the seed an odd number that is no pointer to T32 code? */
static bool is_amid_a32(const struct code *code, const struct code_function *seed)
{
    return seed->origin == FUNCTION_CONSTANT && seed->mode == CODE_T32 &&
           code_looks_like_a32(code, seed->start_vaddr & ~UINT64_C(3));
}

/* A module_parts_seeds_fn: all places where something may start. */
static enum status seeds(void *context, struct code_function **out, size_t *count)
{
    struct module_functions *functions = context;
    const struct function_start *starts;
    size_t start_count, most, used = 0;
    uint64_t start_vaddr, end_vaddr;
    struct code_function *items;

    if (read_pointers(functions) != STATUS_OK)
        return STATUS_NO_MEMORY;
    starts = function_starts_all(functions->starts, &start_count);
    most = start_count;
    while (functions->tables.exidx && exidx_function_at(functions->tables.exidx, most - start_count,
                                                        &start_vaddr, &end_vaddr) == STATUS_OK)
        most++;
    items = calloc(most + 1, sizeof(*items));
    if (!items)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < start_count; i++) {
        items[used] = (struct code_function){
            .start_vaddr = starts[i].vaddr,
            .origin =
                (uint8_t)(starts[i].origin == ORIGIN_ENTRY      ? FUNCTION_ENTRY
                          : starts[i].origin == ORIGIN_VECTOR   ? FUNCTION_VECTOR
                          : starts[i].origin == ORIGIN_INIT     ? FUNCTION_INIT
                          : starts[i].origin == ORIGIN_CONSTANT ? FUNCTION_CONSTANT
                          : starts[i].origin >= ORIGIN_POINTER  ? FUNCTION_POINTER
                                                                : symbol_origin(starts[i].origin)),
            .mode = starts[i].thumb ? CODE_T32 : CODE_DEFAULT};
        used += !is_label(functions->code->code, &items[used]) &&
                !is_amid_a32(functions->code->code, &items[used]);
    }
    for (size_t i = start_count; i < most; i++)
        if (exidx_function_at(functions->tables.exidx, i - start_count, &start_vaddr, &end_vaddr) ==
            STATUS_OK)
            items[used++] =
                (struct code_function){.start_vaddr = start_vaddr,
                                       .origin = FUNCTION_EXIDX,
                                       .mode = (uint8_t)mode_at(functions, start_vaddr)};
    *out = items;
    *count = used;
    return STATUS_OK;
}

/* Returns the bytes of code in no known function. */
static uint64_t unknown_size(const struct module_functions *functions)
{
    uint64_t size = 0, known = 0;
    size_t count;
    const struct vaddr_range *ranges = elf_image_exec_ranges(functions->code->image, &count);

    for (size_t i = 0; i < count; i++)
        size += ranges[i].end_vaddr - ranges[i].start_vaddr;
    for (size_t i = 0; i < functions->list.count; i++)
        known += functions->list.items[i].end_vaddr - functions->list.items[i].start_vaddr;
    return known < size ? size - known : 0;
}

/* Searches all code from its seeds; code in pieces from the targets of its calls. */
static enum status search_all(struct module_functions *functions, struct found_functions *found)
{
    struct code_search search;
    struct code_function *items;
    size_t count;
    enum status ended, status = functions->code->code->holes
                                    ? island_calls(functions->code, NULL, &items, &count)
                                    : seeds(functions, &items, &count);

    if (status != STATUS_OK)
        return status;
    status = module_code_begin_search(functions->code, NULL, &search);
    if (status == STATUS_OK) {
        status = functions_search(&functions->list, functions->code, functions->landing_pads, items,
                                  count, NULL);
        ended = module_code_end_search(functions->code, &search, &found->learned,
                                       &found->learned_count);
        status = status == STATUS_OK ? ended : status;
    }
    free(items);
    return status;
}

/* Loads what an earlier run has found; NOT_FOUND. */
static enum status recall(struct module_functions *functions, const struct kept_id *id)
{
    struct found_functions found = {.learned = NULL};
    enum status status = STATUS_OK;

    if (!kept_functions_find(functions->code->kept, id, &found, &status))
        return status == STATUS_OK ? STATUS_NOT_FOUND : status;
    functions_deinit(&functions->list);
    functions->list = found.list;
    status = module_code_learn(functions->code, found.learned, found.learned_count);
    free(found.learned);
    return status;
}

static enum status search(struct module_functions *functions)
{
    const bool keeps = functions->code->kept && unknown_size(functions) >= KEPT_CODE_MIN;
    struct found_functions found = {.learned = NULL};
    enum status status = STATUS_NOT_FOUND;
    struct kept_id id;

    functions->searched = true;
    if (keeps) {
        id = kept_functions_id(functions->code, &functions->list, functions->symbols, KEPT_WHOLE,
                               NULL);
        status = recall(functions, &id);
    }
    if (status != STATUS_NOT_FOUND)
        return status;
    status = search_all(functions, &found);
    if (status == STATUS_OK && keeps && !module_code_is_cut(functions->code)) {
        found.list = functions->list; /* borrowed */
        kept_functions_put(functions->code->kept, &id, &found);
    }
    free(found.learned);
    return status;
}

/* Finds a function by searching all code, or a part. */
static enum status find_by_search(struct module_functions *functions, uint64_t vaddr,
                                  const struct code_function **out)
{
    enum status status = STATUS_OK;

    if (!functions->parts && !functions->code->code->holes) {
        const uint64_t size = unknown_size(functions);

        if (!functions->parts_max)
            functions->parts_max = (size_t)(size / MODULE_PART_WINDOW) + 1;
        if (size > functions->whole_max)
            status = module_parts_create(functions->code, functions->landing_pads, &functions->list,
                                         functions->symbols, seeds, functions, &functions->parts);
    }
    /* When parts have cost as much as the whole, the rest is searched at once. */
    if (status == STATUS_OK && functions->parts &&
        (module_parts_count(functions->parts) < functions->parts_max ||
         module_parts_at(functions->parts, vaddr)))
        return module_parts_find(functions->parts, vaddr, out);
    if (status == STATUS_OK)
        status = search(functions);
    if (status != STATUS_OK)
        return status;
    *out = functions_find(&functions->list, vaddr);
    return *out ? STATUS_OK : STATUS_NOT_FOUND;
}

enum status module_functions_known(struct module_functions *functions, uint64_t vaddr,
                                   const struct code_function **out)
{
    enum status status = find_near(functions, vaddr, out);

    if (status != STATUS_NOT_FOUND)
        return status;
    status = list_all(functions);
    if (status != STATUS_OK)
        return status;
    *out = functions_find(&functions->list, vaddr);
    return *out ? STATUS_OK : STATUS_NOT_FOUND;
}

enum status module_functions_find(struct module_functions *functions, uint64_t vaddr,
                                  const struct code_function **out)
{
    enum status status = module_functions_known(functions, vaddr, out);

    return status == STATUS_NOT_FOUND && !functions->searched && !functions->no_search
               ? find_by_search(functions, vaddr, out)
               : status;
}

enum status module_functions_all(struct module_functions *functions, const struct functions **out)
{
    enum status status = list_all(functions);

    if (status == STATUS_OK && !functions->searched)
        status = search(functions);
    *out = &functions->list;
    return status;
}

bool module_functions_first_row(const struct module_functions *functions,
                                const struct code_function *function, struct row *out)
{
    struct cfi *const tables[] = {functions->tables.debug_frame, functions->tables.eh_frame};

    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        uint64_t start_vaddr, end_vaddr;

        if (tables[i] &&
            cfi_function(tables[i], function->start_vaddr, &start_vaddr, &end_vaddr) == STATUS_OK &&
            start_vaddr == function->start_vaddr)
            return cfi_find(tables[i], start_vaddr, out) == STATUS_OK;
    }
    return false;
}

struct module_landing_pads *module_functions_landing_pads(struct module_functions *functions)
{
    return functions->landing_pads;
}

const struct entry_jump *module_functions_jumps(const struct module_functions *functions,
                                                uint64_t start_vaddr, uint64_t end_vaddr,
                                                size_t *count)
{
    const struct functions *part = functions->parts && !functions->searched
                                       ? module_parts_at(functions->parts, start_vaddr)
                                       : NULL;
    const struct functions *list = part ? part : &functions->list;
    size_t at = SEARCH_FIRST(i, 0, list->jump_count, list->jumps[i].target_vaddr < start_vaddr);

    *count = 0;
    while (at + *count < list->jump_count && list->jumps[at + *count].target_vaddr < end_vaddr)
        ++*count;
    return list->jump_count ? list->jumps + at : NULL;
}

uint64_t module_functions_data_until(const struct module_functions *functions, uint64_t vaddr)
{
    uint64_t until;

    return code_kind_at(functions->starts, vaddr, &until) == KIND_DATA ? until : 0;
}
