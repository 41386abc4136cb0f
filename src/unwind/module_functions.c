#include "unwind/module_functions.h"

#include <stdlib.h>

#include "symbol/plt.h"
#include "unwind/island_calls.h"

struct module_functions {
    struct module_code *code;
    struct function_tables tables;
    struct function_starts *starts;
    struct module_pads *pads;
    struct functions list;
    bool code_only, searched;
};

/*
 * `mode`, unless the code at `vaddr` begins like a function in the other instruction set and not in
 * this one. T32's push.w behind a narrow instruction looks like A32's push.
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
 * Files are in one instruction set almost throughout: that of the starts around `vaddr`, the last
 * of them before starts[next]; where those differ, as the code looks.
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

/* In which instruction set the function at `vaddr` begins, where a table does not tell. */
static enum code_mode mode_at(const struct module_functions *functions, uint64_t vaddr)
{
    uint64_t until;
    size_t count, low = 0;
    const struct function_start *starts = function_starts_all(functions->starts, &count);
    size_t high = count;

    if (!code_is_arm(functions->code->code))
        return CODE_DEFAULT;
    switch (code_kind_at(functions->starts, vaddr, &until)) {
    case KIND_T32:
        return CODE_T32;
    case KIND_A32:
        return CODE_DEFAULT;
    case KIND_UNKNOWN:
    case KIND_A64:
    case KIND_DATA:
        break;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (starts[middle].vaddr < vaddr)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < count && starts[low].vaddr == vaddr)
        return starts[low].thumb ? CODE_T32 : CODE_DEFAULT;
    return mode_by_code(functions->code->code, vaddr,
                        mode_of_neighbours(functions->code->code, starts, count, low, vaddr));
}

static enum status add(struct module_functions *functions, uint64_t start_vaddr, uint64_t end_vaddr,
                       enum function_origin origin, enum code_mode mode)
{
    return functions_add(&functions->list, &(struct function){.start_vaddr = start_vaddr,
                                                              .end_vaddr = end_vaddr,
                                                              .origin = (uint8_t)origin,
                                                              .mode = (uint8_t)mode});
}

static enum status add_fdes(struct module_functions *functions, const struct cfi *cfi)
{
    uint64_t start_vaddr, end_vaddr;

    for (size_t i = 0; cfi && cfi_function_at(cfi, i, &start_vaddr, &end_vaddr) == STATUS_OK; i++)
        if (add(functions, start_vaddr, end_vaddr, FUNCTION_FDE, mode_at(functions, start_vaddr)) !=
            STATUS_OK)
            return STATUS_NO_MEMORY;
    return STATUS_OK;
}

/* Entries that hold one function each; what the others hold is for the search to find out. */
static enum status add_exidx(struct module_functions *functions)
{
    const struct exidx *exidx = functions->tables.exidx;
    uint64_t start_vaddr, end_vaddr;

    for (size_t i = 0; exidx && exidx_function_at(exidx, i, &start_vaddr, &end_vaddr) == STATUS_OK;
         i++)
        if (exidx_is_one_function(exidx, i) &&
            add(functions, start_vaddr, end_vaddr, FUNCTION_EXIDX,
                mode_at(functions, start_vaddr)) != STATUS_OK)
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

/* Symbols that say how long their function is. */
static enum status add_symbols(struct module_functions *functions)
{
    size_t count;
    const struct function_start *starts = function_starts_all(functions->starts, &count);

    for (size_t i = 0; i < count; i++)
        if (starts[i].size > 0 && starts[i].origin <= ORIGIN_MINI_DEBUGINFO &&
            add(functions, starts[i].vaddr, starts[i].vaddr + starts[i].size,
                symbol_origin(starts[i].origin),
                starts[i].thumb ? CODE_T32 : CODE_DEFAULT) != STATUS_OK)
            return STATUS_NO_MEMORY;
    return STATUS_OK;
}

struct plt_adder {
    struct module_functions *functions;
    enum status status;
};

static bool add_plt_range(void *context, uint64_t start_vaddr, uint64_t end_vaddr, bool thumb)
{
    struct plt_adder *adder = context;

    adder->status = add(adder->functions, start_vaddr, end_vaddr, FUNCTION_PLT,
                        thumb ? CODE_T32 : CODE_DEFAULT);
    return adder->status == STATUS_OK;
}

/* The sections tell where they are: they stay in a stripped file. */
static enum status add_plt(struct module_functions *functions)
{
    struct plt_adder adder = {.functions = functions, .status = STATUS_OK};

    plt_each_range(functions->code->image, add_plt_range, &adder);
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
    if (!code_only)
        functions->tables = *tables;
    status = function_starts_create(code->image, module_symtab(code->set, code->module), code_only,
                                    &functions->starts);
    if (status == STATUS_OK && (functions->tables.eh_frame || functions->tables.exidx))
        status = module_pads_create(code->image, functions->tables.eh_frame,
                                    functions->tables.exidx, &functions->pads);
    if (status == STATUS_OK)
        status = add_plt(functions);
    if (status == STATUS_OK)
        status = add_fdes(functions, functions->tables.debug_frame);
    if (status == STATUS_OK)
        status = add_fdes(functions, functions->tables.eh_frame);
    if (status == STATUS_OK)
        status = add_exidx(functions);
    if (status == STATUS_OK)
        status = add_symbols(functions);
    if (status != STATUS_OK) {
        module_functions_destroy(functions);
        return status;
    }
    functions_sort(&functions->list);
    *out = functions;
    return STATUS_OK;
}

void module_functions_destroy(struct module_functions *functions)
{
    if (!functions)
        return;
    functions_deinit(&functions->list);
    function_starts_destroy(functions->starts);
    module_pads_destroy(functions->pads);
    free(functions);
}

/* Labels of computed gotos in T32 code are pointers without T32's bit. */
static bool is_label(const struct code *code, const struct function *seed)
{
    return code_is_arm(code) && seed->origin == FUNCTION_POINTER && seed->mode != CODE_T32 &&
           !code_looks_like_a32(code, seed->start_vaddr);
}

/* All places where something is said to start, for the search to begin at. */
static enum status seeds(struct module_functions *functions, struct function **out, size_t *count)
{
    size_t start_count;
    const struct function_start *starts = function_starts_all(functions->starts, &start_count);
    size_t most = start_count, used = 0;
    uint64_t start_vaddr, end_vaddr;
    struct function *items;

    while (functions->tables.exidx && exidx_function_at(functions->tables.exidx, most - start_count,
                                                        &start_vaddr, &end_vaddr) == STATUS_OK)
        most++;
    items = calloc(most + 1, sizeof(*items));
    if (!items)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < start_count; i++) {
        items[used] =
            (struct function){.start_vaddr = starts[i].vaddr,
                              .origin = (uint8_t)(starts[i].origin == ORIGIN_ENTRY  ? FUNCTION_ENTRY
                                                  : starts[i].origin == ORIGIN_INIT ? FUNCTION_INIT
                                                  : starts[i].origin >= ORIGIN_POINTER
                                                      ? FUNCTION_POINTER
                                                      : symbol_origin(starts[i].origin)),
                              .mode = starts[i].thumb ? CODE_T32 : CODE_DEFAULT};
        used += !is_label(functions->code->code, &items[used]);
    }
    for (size_t i = start_count; i < most; i++)
        if (exidx_function_at(functions->tables.exidx, i - start_count, &start_vaddr, &end_vaddr) ==
            STATUS_OK)
            items[used++] = (struct function){.start_vaddr = start_vaddr,
                                              .origin = FUNCTION_EXIDX,
                                              .mode = (uint8_t)mode_at(functions, start_vaddr)};
    *out = items;
    *count = used;
    return STATUS_OK;
}

static enum status search(struct module_functions *functions)
{
    struct function *items;
    size_t count;
    enum status status;

    functions->searched = true;
    status = functions->code->code->holes ? island_calls(functions->code, &items, &count)
                                          : seeds(functions, &items, &count);
    if (status != STATUS_OK)
        return status;
    status = functions_search(&functions->list, functions->code, functions->pads, items, count);
    free(items);
    return status;
}

enum status module_functions_find(struct module_functions *functions, uint64_t vaddr,
                                  const struct function **out)
{
    *out = functions_find(&functions->list, vaddr);
    if (!*out && !functions->searched) {
        enum status status = search(functions);

        if (status != STATUS_OK)
            return status;
        *out = functions_find(&functions->list, vaddr);
    }
    return *out ? STATUS_OK : STATUS_NOT_FOUND;
}

enum status module_functions_all(struct module_functions *functions, const struct functions **out)
{
    enum status status = functions->searched ? STATUS_OK : search(functions);

    *out = &functions->list;
    return status;
}

struct module_pads *module_functions_pads(struct module_functions *functions)
{
    return functions->pads;
}

const struct entry_jump *module_functions_jumps(const struct module_functions *functions,
                                                uint64_t start_vaddr, uint64_t end_vaddr,
                                                size_t *count)
{
    const struct functions *list = &functions->list;
    size_t low = 0, high = list->jump_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (list->jumps[middle].target_vaddr < start_vaddr)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    while (low + *count < list->jump_count && list->jumps[low + *count].target_vaddr < end_vaddr)
        ++*count;
    return list->jump_count ? list->jumps + low : NULL;
}

uint64_t module_functions_data_until(const struct module_functions *functions, uint64_t vaddr)
{
    uint64_t until;

    return code_kind_at(functions->starts, vaddr, &until) == KIND_DATA ? until : 0;
}
