/* SPDX-License-Identifier: MIT */
#include "unwind/prologue_source.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/vec.h"
#include "unwind/code/vector.h"
#include "unwind/prologue_source_private.h"

#define ANSWER_NONE       UINT64_MAX
#define TABLE_ROWS_MAX    200000              /* cached rows; when there are more all are dropped */
#define VECTORS_TRIED     4                   /* jumps to a function that are tried as vectors */
#define VECTORS_TRIED_MAX 16384               /* ... of a module */
#define ANALYSED_MAX      (UINT64_C(1) << 28) /* bytes of code analysed for one module */

enum status prologue_source_create(struct module_code *code, struct module_functions *functions,
                                   struct prologue_source **out)
{
    struct prologue_source *source = calloc(1, sizeof(*source));

    if (!source)
        return STATUS_NO_MEMORY;
    source->code = code;
    source->functions = functions;
    *out = source;
    return STATUS_OK;
}

static void drop_tables(struct prologue_source *source)
{
    for (size_t i = 0; i < source->table_count; i++)
        row_table_deinit(&source->tables[i]);
    source->table_count = 0;
    source->table_rows = 0;
    map_clear(&source->answers);
}

static void drop_analyses(struct prologue_source *source)
{
    for (size_t i = 0; i < ANALYSES_CACHED; i++) {
        prologue_destroy(source->cached[i].prologue);
        source->cached[i].prologue = NULL;
    }
}

void prologue_source_destroy(struct prologue_source *source)
{
    if (!source)
        return;
    drop_tables(source);
    drop_analyses(source);
    prologue_pool_deinit(&source->pool);
    free(source->tables);
    map_deinit(&source->answers);
    map_deinit(&source->trap_entries);
    map_deinit(&source->parts);
    free(source->joined);
    free(source);
}

static uint64_t data_until(void *context, uint64_t vaddr)
{
    const struct prologue_source *source = context;

    return module_functions_data_until(source->functions, vaddr);
}

static void callee(void *context, uint64_t vaddr, enum code_mode mode, struct callee *out)
{
    const struct prologue_source *source = context;

    module_code_callee(source->code, vaddr, mode, out);
}

/* Does a vector of exceptions, other than the reset's at the entry point, lead to `vaddr`? */
static bool has_vector(struct prologue_source *source, const struct jumps *jumps, uint64_t vaddr)
{
    struct module_code *code = source->code;
    const uint64_t entry_vaddr = elf_image_entry_vaddr(code->image);
    const size_t first = jumps_from(jumps, vaddr);

    for (size_t i = first; i < jumps->count && jumps->items[i].target_vaddr == vaddr &&
                           i - first < VECTORS_TRIED && source->vectors_tried < VECTORS_TRIED_MAX;
         i++, source->vectors_tried++) {
        const struct jump *jump = &jumps->items[i];
        uint64_t target;

        if (jump->source_vaddr != entry_vaddr && jump->source_vaddr != vaddr &&
            code_is_vector(code->code, jump->source_vaddr, (enum code_mode)jump->mode, &target) &&
            target == vaddr)
            return true;
    }
    return false;
}

static bool find_trap_entry(struct prologue_source *source, uint64_t vaddr)
{
    struct module_code *code = source->code;
    const struct jumps *jumps;
    const struct calls *calls;

    return vaddr != elf_image_entry_vaddr(code->image) &&
           module_code_jumps(code, &jumps) == STATUS_OK && has_vector(source, jumps, vaddr) &&
           module_code_calls(code, &calls) == STATUS_OK && !calls_lead_to(calls, vaddr);
}

bool prologue_source_is_trap_entry(struct prologue_source *source,
                                   const struct code_function *function)
{
    const uint64_t vaddr = function->start_vaddr, *known;

    if (module_code_trap_returns(source->code)->count == 0)
        return false;
    known = map_get(&source->trap_entries, vaddr);
    if (!known)
        known = map_put(&source->trap_entries, vaddr, find_trap_entry(source, vaddr));
    return known && *known;
}

static enum status prepare(struct prologue_source *source, const struct code_function *function,
                           struct prologue_input *input)
{
    uint64_t avail;

    *input =
        (struct prologue_input){.code = source->code->code,
                                .pool = &source->pool,
                                .start_vaddr = function->start_vaddr,
                                .end_vaddr = function->end_vaddr,
                                .mode = (enum code_mode)function->mode,
                                .is_trap_entry = prologue_source_is_trap_entry(source, function),
                                .callee = callee,
                                .data_until = data_until,
                                .context = source};
    if (!elf_image_bytes_at(source->code->image, function->start_vaddr, &avail) || avail == 0)
        return STATUS_NOT_FOUND;
    if (function->end_vaddr - function->start_vaddr > avail)
        input->end_vaddr = function->start_vaddr + avail;
    return STATUS_OK;
}

/*
 * Has the fragment padding before a landing pad at its start? Compilers put a no-op there, since a
 * landing pad at distance 0 means none. The fragment is not entered at its start.
 */
static bool begins_with_landing_pad(const struct prologue_input *input)
{
    uint32_t index;

    if (input->landing_pad_count == 0 ||
        code_get(input->code, input->start_vaddr, input->mode, 0, &index) != STATUS_OK ||
        !code_insn(input->code, index)->padding)
        return false;
    for (size_t i = 0; i < input->landing_pad_count; i++)
        if (input->landing_pads[i].landing_pad_vaddr ==
            input->start_vaddr + code_insn(input->code, index)->size)
            return true;
    return false;
}

/* Adds the landing pads to `input`, borrowed until the next analysis. */
static enum status find_landing_pads(struct prologue_source *source, struct prologue_input *input)
{
    struct module_landing_pads *module_landing_pads =
        module_functions_landing_pads(source->functions);
    const struct landing_pads *landing_pads;
    enum status status =
        module_landing_pads
            ? module_landing_pads_of(module_landing_pads, input->start_vaddr, &landing_pads)
            : STATUS_NOT_FOUND;

    if (status == STATUS_OK) {
        input->landing_pads = landing_pads->items;
        input->landing_pad_count = landing_pads->count;
        input->not_entered = input->not_entered || begins_with_landing_pad(input);
    }
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

/* Analyses the function; fills `input` and `arrivals`, whose items the caller frees. */
static enum status analyse_entered(struct prologue_source *source,
                                   const struct code_function *function, unsigned depth,
                                   struct arrivals *arrivals, struct prologue_input *input,
                                   struct prologue **out)
{
    enum status status = prepare(source, function, input);

    *arrivals = (struct arrivals){.alone = true};
    if (status == STATUS_OK && source->analysed_bytes > ANALYSED_MAX)
        status = STATUS_UNSUPPORTED;
    if (status == STATUS_OK)
        status = prologue_arrivals_find(source, function, input, arrivals, depth);
    if (status == STATUS_OK && arrivals->no_memory)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK && depth > ARRIVAL_DEPTH_MAX && !arrivals->alone)
        status = STATUS_UNSUPPORTED; /* its entry states are not known */
    if (status == STATUS_OK)
        status = find_landing_pads(source, input);
    if (status != STATUS_OK)
        return status;
    if (!map_get(&source->answers, function->start_vaddr))
        source->analysed_bytes += input->end_vaddr - input->start_vaddr;
    input->arrivals = arrivals->items;
    input->arrival_count = arrivals->count;
    return prologue_create(input, out);
}

/* Analyses the function; *alone: see struct arrivals. */
static enum status analyse(struct prologue_source *source, const struct code_function *function,
                           unsigned depth, bool *alone, struct prologue **out)
{
    struct arrivals arrivals;
    struct prologue_input input;
    enum status status = analyse_entered(source, function, depth, &arrivals, &input, out);

    *alone = arrivals.alone;
    free(arrivals.items);
    return status;
}

/* Caches the rows of an analysis for its function. */
static enum status cache_rows(struct prologue_source *source, uint64_t start_vaddr,
                              const struct prologue *prologue)
{
    struct row_table table;
    enum status status;

    if (source->table_rows > TABLE_ROWS_MAX)
        drop_tables(source);
    if (vec_reserve(&source->tables, &source->table_cap, source->table_count + 1,
                    sizeof(*source->tables)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    status = prologue_rows(prologue, &table);
    if (status != STATUS_OK)
        return status;
    if (!map_put(&source->answers, start_vaddr, source->table_count)) {
        row_table_deinit(&table);
        return STATUS_NO_MEMORY;
    }
    source->tables[source->table_count++] = table;
    source->table_rows += table.count;
    return STATUS_OK;
}

/* Drops analyses whose instructions code_trim has dropped, as the search for functions does. */
static void forget_stale(struct prologue_source *source)
{
    if (source->generation != source->code->code->generation)
        drop_analyses(source);
    source->generation = source->code->code->generation;
}

/* Returns the cached analysis of the function, or makes one and caches its rows, too. */
static enum status find_analysis(struct prologue_source *source,
                                 const struct code_function *function, unsigned depth,
                                 const struct prologue **out)
{
    struct cached_analysis *cached;
    struct prologue *prologue;
    uint64_t start_vaddr = function->start_vaddr;
    bool alone = false;
    enum status status;

    forget_stale(source);
    for (size_t i = 0; i < ANALYSES_CACHED; i++)
        if (source->cached[i].prologue && source->cached[i].start_vaddr == start_vaddr &&
            (source->cached[i].alone || source->cached[i].depth == depth)) {
            *out = source->cached[i].prologue;
            return STATUS_OK;
        }
    status = analyse(source, function, depth, &alone, &prologue);
    if (status != STATUS_OK)
        return status;
    if ((alone || depth == 0) && !map_get(&source->answers, start_vaddr))
        status = cache_rows(source, start_vaddr, prologue);
    if (status != STATUS_OK) {
        prologue_destroy(prologue);
        return status;
    }
    cached = &source->cached[source->next_cached++ % ANALYSES_CACHED];
    prologue_destroy(cached->prologue);
    *cached = (struct cached_analysis){.start_vaddr = start_vaddr,
                                       .depth = depth,
                                       .alone = alone,
                                       .prologue = prologue};
    *out = prologue;
    return STATUS_OK;
}

/* Copies the function that holds `vaddr`, as looking for others may move it. */
static enum status find_function(struct prologue_source *source, uint64_t vaddr,
                                 struct code_function *out)
{
    const struct code_function *found;
    enum status status = module_functions_find(source->functions, vaddr, &found);

    if (status != STATUS_OK)
        return status;
    *out = *found;
    return prologue_join_parts(source, out);
}

enum status prologue_source_outer(struct prologue_source *source, uint64_t vaddr, unsigned depth,
                                  const struct prologue **out)
{
    struct code_function function;
    enum status status =
        depth > ARRIVAL_DEPTH_MAX ? STATUS_UNSUPPORTED : find_function(source, vaddr, &function);

    if (status != STATUS_OK)
        return status;
    return find_analysis(source, &function, depth + 1, out);
}

/* Trims the code when there are too many instructions beside those of cached analyses. */
static void trim(struct prologue_source *source)
{
    size_t cached = 0;

    for (size_t i = 0; i < ANALYSES_CACHED; i++)
        if (source->cached[i].prologue)
            cached += prologue_size(source->cached[i].prologue);
    code_trim(source->code->code, CODE_INSNS_CACHED + 2 * cached);
    forget_stale(source);
}

enum status prologue_source_analyse(struct prologue_source *source, uint64_t vaddr,
                                    const struct prologue **out)
{
    struct code_function function;
    enum status status = find_function(source, vaddr, &function);

    if (status != STATUS_OK)
        return status;
    trim(source);
    return find_analysis(source, &function, 0, out);
}

/* Analyses the function and keeps only its rows. */
static enum status make_rows(struct prologue_source *source, const struct code_function *function)
{
    struct prologue *prologue;
    bool alone;
    enum status status = analyse(source, function, 0, &alone, &prologue);

    if (status != STATUS_OK)
        return status;
    status = cache_rows(source, function->start_vaddr, prologue);
    prologue_destroy(prologue);
    return status;
}

enum status prologue_source_rows(struct prologue_source *source, uint64_t vaddr,
                                 const struct row_table **out)
{
    struct code_function function;
    uint64_t *answer;
    enum status status = find_function(source, vaddr, &function);

    if (status != STATUS_OK)
        return status;
    answer = map_get(&source->answers, function.start_vaddr);
    if (!answer) {
        trim(source);
        status = make_rows(source, &function);
        if (status == STATUS_NO_MEMORY)
            return status;
        /* A failure is cached, too. */
        answer = status == STATUS_OK ? map_get(&source->answers, function.start_vaddr)
                                     : map_put(&source->answers, function.start_vaddr, ANSWER_NONE);
        if (!answer)
            return STATUS_NO_MEMORY;
    }
    if (*answer == ANSWER_NONE)
        return STATUS_NOT_FOUND;
    *out = &source->tables[*answer];
    return STATUS_OK;
}

/* Copies the landing pads, which are borrowed until the next call. */
static enum status copy_landing_pads(const struct prologue_input *input,
                                     struct recorded_analysis *out)
{
    const size_t size = input->landing_pad_count * sizeof(*input->landing_pads);

    if (size == 0)
        return STATUS_OK;
    out->landing_pads = malloc(size);
    if (!out->landing_pads)
        return STATUS_NO_MEMORY;
    memcpy(out->landing_pads, input->landing_pads, size);
    out->landing_pad_count = input->landing_pad_count;
    return STATUS_OK;
}

enum status prologue_source_record(struct prologue_source *source, uint64_t vaddr,
                                   struct recorded_analysis *out)
{
    struct arrivals arrivals;
    struct prologue_input input;
    enum status status;

    *out = (struct recorded_analysis){.prologue = NULL};
    status = find_function(source, vaddr, &out->function);
    if (status != STATUS_OK)
        return status;
    trim(source);
    status = analyse_entered(source, &out->function, 0, &arrivals, &input, &out->prologue);
    if (status == STATUS_OK)
        status = copy_landing_pads(&input, out);
    out->arrivals = arrivals.items;
    out->arrival_count = arrivals.count;
    if (status != STATUS_OK)
        recorded_analysis_deinit(out);
    return status;
}

void recorded_analysis_deinit(struct recorded_analysis *record)
{
    prologue_destroy(record->prologue);
    free(record->arrivals);
    free(record->landing_pads);
    record->prologue = NULL;
    record->arrivals = NULL;
    record->landing_pads = NULL;
    record->arrival_count = record->landing_pad_count = 0;
}
