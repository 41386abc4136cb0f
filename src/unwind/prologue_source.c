#include "unwind/prologue_source.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"

#define ANSWER_NONE UINT64_MAX
/* jumps into a fragment that are used; the large function of an interpreter has hundreds */
#define ARRIVALS_MAX 1024
/* functions, one after the other, whose jumps are followed back; each costs an analysis */
#define PARENTS_TRIED      12
#define JUMPS_TRIED        8192 /* jumps into a fragment that are looked at */
#define CASES_TRIED        64   /* of jump tables into a fragment */
#define PAD_TRIES          8    /* landing pads of other functions' calls */
#define PARENTS_MAX        4    /* functions of one name that a fragment may belong to */
#define ANALYSES_KEPT      4
#define TABLE_ROWS_MAX     200000              /* analysed rows kept before all are dropped */
#define ANALYSED_MAX       (UINT64_C(1) << 28) /* bytes of code analysed for one module */
#define NAMES_COMPARED_MAX (UINT64_C(1) << 26) /* in search of functions by their names */
#define ARRIVAL_DEPTH_MAX  2                   /* fragments that are entered from fragments */

struct prologue_source {
    struct module_code *code;
    struct module_functions *functions;
    struct kept_analysis { /* of functions that jump into fragments: the next fragment asks again */
        uint64_t start_vaddr;
        unsigned
            depth; /* how deep in arrivals of arrivals it was made: with the less of them the deeper */
        bool alone; /* it is the same at every depth */
        struct prologue *prologue;
    } kept[ANALYSES_KEPT];
    unsigned next_kept;
    struct prologue_pool pool;
    uint32_t generation; /* of the code that the kept analyses are about */
    struct map answers;  /* start_vaddr -> index into tables, or ANSWER_NONE */
    struct row_table *tables;
    size_t table_count, table_cap;
    size_t table_rows;       /* in all tables */
    uint64_t names_compared; /* so far */
    uint64_t analysed_bytes; /* so far: a file of overlapping functions must not cost for ever */
};

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
    for (size_t i = 0; i < ANALYSES_KEPT; i++) {
        prologue_destroy(source->kept[i].prologue);
        source->kept[i].prologue = NULL;
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
    free(source);
}

/* What the symbols say of a function's start. */
enum standing { STANDING_UNKNOWN, STANDING_FUNCTION, STANDING_FRAGMENT };

static enum standing standing_of(const struct prologue_source *source,
                                 const struct code_function *function)
{
    const struct symtab *symtab = module_symtab(source->code->set, source->code->module);
    struct symbol symbol;

    if (function->origin == FUNCTION_FRAGMENT)
        return STANDING_FRAGMENT;
    if (source->code->code_only || !symtab ||
        symtab_find(symtab, function->start_vaddr, &symbol) != STATUS_OK ||
        symbol.start_vaddr != function->start_vaddr)
        return STANDING_UNKNOWN;
    return strstr(symbol.name, ".cold") ? STANDING_FRAGMENT : STANDING_FUNCTION;
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

static enum status prepare(struct prologue_source *source, const struct code_function *function,
                           struct prologue_input *input)
{
    uint64_t avail;

    *input = (struct prologue_input){.code = source->code->code,
                                     .pool = &source->pool,
                                     .start_vaddr = function->start_vaddr,
                                     .end_vaddr = function->end_vaddr,
                                     .mode = (enum code_mode)function->mode,
                                     .callee = callee,
                                     .data_until = data_until,
                                     .context = source};
    if (!elf_image_bytes_at(source->code->image, function->start_vaddr, &avail) || avail == 0)
        return STATUS_NOT_FOUND;
    if (function->end_vaddr - function->start_vaddr > avail)
        input->end_vaddr = function->start_vaddr + avail;
    return STATUS_OK;
}

/* States that arrive from outside, as they are found. */
struct arrivals {
    struct prologue_arrival *items; /* owned */
    size_t count, cap;
    uint64_t parent_vaddr; /* of the function that was asked last */
    bool parent_failed;    /* it has no analysis */
    unsigned tries;        /* so many more may be asked */
    unsigned jumps;        /* that were looked at */
    bool no_memory;        /* states are missing */
    /*
     * nothing outside the function was looked at, so that its analysis is the same at every depth
     */
    bool alone;
};

static enum status find_arrivals(struct prologue_source *source,
                                 const struct code_function *function, struct prologue_input *input,
                                 struct arrivals *arrivals, unsigned depth);

/*
 * A fragment that begins with a landing pad has a no-op before it, as the distance 0 of a landing pad means
 * that there is none. Nobody enters it there.
 */
static bool begins_with_pad(const struct prologue_input *input)
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

/* The landing pads, borrowed until the next analysis. */
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
        input->not_entered = input->not_entered || begins_with_pad(input);
    }
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

/* Leaves to the caller what the analysis began with: `arrivals`, which it frees, and `input`. */
static enum status analyse_entered(struct prologue_source *source,
                                   const struct code_function *function, unsigned depth,
                                   struct arrivals *arrivals, struct prologue_input *input,
                                   struct prologue **out)
{
    enum status status = prepare(source, function, input);

    *arrivals = (struct arrivals){.tries = depth == 0 ? PARENTS_TRIED : 2, .alone = true};
    if (status == STATUS_OK && source->analysed_bytes > ANALYSED_MAX)
        status = STATUS_UNSUPPORTED;
    if (status == STATUS_OK)
        status = find_arrivals(source, function, input, arrivals, depth);
    if (status == STATUS_OK && arrivals->no_memory)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK && depth > ARRIVAL_DEPTH_MAX && !arrivals->alone)
        status = STATUS_UNSUPPORTED; /* what arrives is not known */
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

/* `alone`: see struct arrivals. */
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

/* Notes the rows of an analysis as the answer for its function. */
static enum status keep_rows(struct prologue_source *source, uint64_t start_vaddr,
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

/*
 * Analyses are of no use when their instructions were forgotten: the search for functions may have
 * begun since.
 */
static void forget_stale(struct prologue_source *source)
{
    if (source->generation != source->code->code->generation)
        drop_analyses(source);
    source->generation = source->code->code->generation;
}

/* The analysis of the function, kept for a while. What it cost serves the function's rows, too. */
static enum status keep_analysis(struct prologue_source *source,
                                 const struct code_function *function, unsigned depth,
                                 const struct prologue **out)
{
    struct kept_analysis *kept;
    struct prologue *prologue;
    uint64_t start_vaddr = function->start_vaddr;
    bool alone = false;
    enum status status;

    forget_stale(source);
    for (size_t i = 0; i < ANALYSES_KEPT; i++)
        if (source->kept[i].prologue && source->kept[i].start_vaddr == start_vaddr &&
            (source->kept[i].alone || source->kept[i].depth == depth)) {
            *out = source->kept[i].prologue;
            return STATUS_OK;
        }
    status = analyse(source, function, depth, &alone, &prologue);
    if (status != STATUS_OK)
        return status;
    if ((alone || depth == 0) && !map_get(&source->answers, start_vaddr))
        status = keep_rows(source, start_vaddr, prologue);
    if (status != STATUS_OK) {
        prologue_destroy(prologue);
        return status;
    }
    kept = &source->kept[source->next_kept++ % ANALYSES_KEPT];
    prologue_destroy(kept->prologue);
    *kept = (struct kept_analysis){.start_vaddr = start_vaddr,
                                   .depth = depth,
                                   .alone = alone,
                                   .prologue = prologue};
    *out = prologue;
    return STATUS_OK;
}

/*
 * The analysis of the function that holds `vaddr`, while what enters another one is looked for.
 * Valid until the next is asked for.
 */
static enum status analysis_of(struct prologue_source *source, uint64_t vaddr, unsigned depth,
                               const struct prologue **out)
{
    const struct code_function *found;
    struct code_function function;
    enum status status = depth > ARRIVAL_DEPTH_MAX
                             ? STATUS_UNSUPPORTED
                             : module_functions_find(source->functions, vaddr, &found);

    if (status != STATUS_OK)
        return status;
    function = *found; /* looking for others may move it */
    return keep_analysis(source, &function, depth + 1, out);
}

/* Room for one more; NULL: there are enough, or no memory. */
static struct prologue_arrival *next_arrival(struct arrivals *arrivals)
{
    if (arrivals->count >= ARRIVALS_MAX)
        return NULL;
    if (vec_reserve(&arrivals->items, &arrivals->cap, arrivals->count + 1,
                    sizeof(*arrivals->items)) != STATUS_OK) {
        arrivals->no_memory = true;
        return NULL;
    }
    return &arrivals->items[arrivals->count];
}

/*
 * The state in which the jump's source goes to its target. NOT_FOUND: it does not, or enough was
 * tried.
 */
static enum status state_of_jump(struct prologue_source *source, uint64_t source_vaddr,
                                 uint64_t target_vaddr, struct arrivals *arrivals, unsigned depth)
{
    struct prologue_arrival *arrival = next_arrival(arrivals);
    const struct code_function *parent;
    const struct prologue *prologue;
    enum status status = module_functions_find(source->functions, source_vaddr, &parent);

    if (status != STATUS_OK || !arrival || arrivals->jumps++ >= JUMPS_TRIED)
        return STATUS_NOT_FOUND;
    if (arrivals->parent_vaddr != parent->start_vaddr) {
        if (arrivals->tries == 0)
            return STATUS_NOT_FOUND;
        arrivals->tries--;
        arrivals->parent_vaddr = parent->start_vaddr;
        arrivals->parent_failed = false;
    }
    arrivals->alone = false;
    if (arrivals->parent_failed)
        return STATUS_NOT_FOUND;
    status = analysis_of(source, source_vaddr, depth, &prologue);
    arrivals->parent_failed = status != STATUS_OK;
    arrivals->no_memory = arrivals->no_memory || status == STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = prologue_state_at_jump(prologue, source_vaddr, target_vaddr, &arrival->state);
    arrival->vaddr = target_vaddr;
    arrival->source_vaddr = source_vaddr;
    return status;
}

/* How far SP is above where it was at the entry; negative: there is a frame. */
static int64_t height(const struct state *state, const struct arch *arch)
{
    const struct value *sp = &state->regs[arch->sp];

    return sp->kind == VALUE_ENTRY && sp->reg == arch->sp ? sp->k : -1;
}

/* Jumps that the search for functions came upon: all are in mid-frame. */
static void arrivals_from_search(struct prologue_source *source,
                                 const struct code_function *function, struct arrivals *arrivals,
                                 unsigned depth)
{
    size_t count;
    const struct entry_jump *jumps =
        module_functions_jumps(source->functions, function->start_vaddr, function->end_vaddr,
                               &count);

    for (size_t i = 0; i < count; i++)
        if (state_of_jump(source, jumps[i].source_vaddr, jumps[i].target_vaddr, arrivals, depth) ==
            STATUS_OK)
            arrivals->count++;
    if (count > 0)
        arrivals->alone = false;
}

/* Calls elsewhere that throw to landing pads in the function. */
static enum status arrivals_from_pads(struct prologue_source *source, struct prologue_input *input,
                                      struct arrivals *arrivals, unsigned depth)
{
    struct module_landing_pads *module_landing_pads =
        module_functions_landing_pads(source->functions);
    struct landing_pad landing_pads[PAD_TRIES];
    const struct landing_pads *into;
    size_t count;

    if (!module_landing_pads)
        return STATUS_OK;
    if (module_landing_pads_into(module_landing_pads, input->start_vaddr, input->end_vaddr,
                                 &into) != STATUS_OK)
        return STATUS_NO_MEMORY;
    count = into->count < PAD_TRIES ? into->count : PAD_TRIES;
    if (count > 0) {
        memcpy(landing_pads, into->items, count * sizeof(*landing_pads));
        arrivals->alone = false;
    }
    for (size_t i = 0; i < count; i++) {
        struct prologue_arrival *arrival = next_arrival(arrivals);
        const struct prologue *prologue;
        enum status status;

        if (!arrival)
            return STATUS_OK;
        if (landing_pads[i].landing_pad_vaddr == input->start_vaddr)
            input->not_entered = true;
        arrival->vaddr = landing_pads[i].landing_pad_vaddr;
        arrival->source_vaddr = landing_pads[i].start_vaddr;
        status = analysis_of(source, landing_pads[i].start_vaddr, depth, &prologue);
        arrivals->no_memory = arrivals->no_memory || status == STATUS_NO_MEMORY;
        if (status == STATUS_OK &&
            prologue_state_at_pad(prologue, &landing_pads[i], &arrival->state) == STATUS_OK)
            arrivals->count++;
    }
    return STATUS_OK;
}

/* The cases of the function at `vaddr`'s jump tables that lie in the fragment. */
static void cases_of(struct prologue_source *source, uint64_t vaddr,
                     const struct prologue_input *input, struct arrivals *arrivals, unsigned depth)
{
    const struct prologue *prologue;
    enum status status;

    if (arrivals->count >= ARRIVALS_MAX)
        return;
    status = vec_reserve(&arrivals->items, &arrivals->cap, arrivals->count + CASES_TRIED,
                         sizeof(*arrivals->items));
    if (status == STATUS_OK)
        status = analysis_of(source, vaddr, depth, &prologue);
    if (status == STATUS_OK)
        arrivals->count += prologue_outer_cases(prologue, input->start_vaddr, input->end_vaddr,
                                                arrivals->items + arrivals->count, CASES_TRIED);
    arrivals->no_memory = arrivals->no_memory || status == STATUS_NO_MEMORY;
}

/*
 * A fragment that no jump leads to may be a case of a jump table of the function that it is named
 * after.
 */
static void arrivals_from_tables(struct prologue_source *source, const struct prologue_input *input,
                                 struct arrivals *arrivals, unsigned depth)
{
    const struct symtab *symtab = module_symtab(source->code->set, source->code->module);
    unsigned parents = 0;
    struct symbol fragment, symbol;
    size_t count, length;

    arrivals->alone = false;
    if (arrivals->count > 0 || source->code->code_only || !symtab ||
        symtab_find(symtab, input->start_vaddr, &fragment) != STATUS_OK)
        return;
    length = (size_t)(strstr(fragment.name, ".cold") - fragment.name);
    count = symtab_count(symtab);
    for (size_t i = 0; i < count && parents < PARENTS_MAX && arrivals->count < CASES_TRIED &&
                       source->names_compared < NAMES_COMPARED_MAX;
         i++, source->names_compared++) {
        symtab_at(symtab, i, &symbol);
        if (strncmp(symbol.name, fragment.name, length) != 0 || symbol.name[length])
            continue;
        parents++;
        cases_of(source, symbol.start_vaddr, input, arrivals, depth);
    }
}

/*
 * Is the jump one in the instruction set that the code around it is in? Stubs of a PLT jump to its
 * first entry with what they have pushed; all other code calls stubs, or jumps to them with nothing
 * of its frame left.
 */
static bool is_of_its_function(const struct prologue_source *source, const struct jump *jump,
                               bool to_plt)
{
    const struct code_function *function;

    return module_functions_find(source->functions, jump->source_vaddr, &function) == STATUS_OK &&
           function->mode == jump->mode && (!to_plt || function->origin == FUNCTION_PLT);
}

/*
 * Is the function entered by this jump in a way of its own? Not where SP is above its entry value:
 * that is the tail call of a fragment that was taken for a function. A jump to the start with
 * nothing of a frame is as good as a call; one to a place behind it comes from a function without
 * a frame, of which this is a fragment. It counts only where no path from the start leads.
 */
static bool is_arrival(const struct prologue_input *input, const struct prologue_arrival *arrival)
{
    int64_t k = height(&arrival->state, input->code->arch);

    if (!state_tells_frame(&arrival->state, input->code->arch))
        return false;
    if (input->not_entered || arrival->vaddr != input->start_vaddr)
        return k <= 0;
    /* Code that begins like a function is one: the state must be wrong. */
    return k < 0 && !code_strong_start(input->code, input->start_vaddr, input->mode);
}

/* Jumps from anywhere in the file. */
static enum status arrivals_from_file(struct prologue_source *source,
                                      const struct code_function *function,
                                      struct prologue_input *input, struct arrivals *arrivals,
                                      unsigned depth)
{
    const uint64_t start_vaddr = function->start_vaddr, end_vaddr = function->end_vaddr;
    unsigned tail_calls = 0;
    const bool plt = function->origin == FUNCTION_PLT;
    const struct jumps *jumps;
    const struct calls *calls;
    uint64_t parent_vaddr = 0; /* whose cases were looked at */

    if (module_code_jumps(source->code, &jumps) != STATUS_OK)
        return STATUS_NO_MEMORY;
    for (size_t i = jumps_from(jumps, start_vaddr);
         i < jumps->count && jumps->items[i].target_vaddr < end_vaddr; i++) {
        const struct jump *jump = &jumps->items[i];
        bool to_start = jump->target_vaddr == start_vaddr;

        /* A function that is tail-called twice is one. */
        if ((jump->source_vaddr >= start_vaddr && jump->source_vaddr < end_vaddr) ||
            (to_start && tail_calls == 2) || !is_of_its_function(source, jump, plt) ||
            state_of_jump(source, jump->source_vaddr, jump->target_vaddr, arrivals, depth) !=
                STATUS_OK)
            continue;
        if (is_arrival(input, &arrivals->items[arrivals->count])) {
            input->not_entered = input->not_entered || to_start;
            arrivals->count++;
            if (arrivals->parent_vaddr != parent_vaddr)
                cases_of(source, jump->source_vaddr, input, arrivals, depth);
            parent_vaddr = arrivals->parent_vaddr;
        } else {
            tail_calls += to_start;
        }
    }
    if (arrivals->count > 0 || plt || !code_continues(input->code, start_vaddr, input->mode))
        return STATUS_OK;
    if (module_code_calls(source->code, &calls) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (!calls_lead_to(calls, start_vaddr))
        input->not_entered = true; /* entered by exceptions only, or nobody knows how */
    return STATUS_OK;
}

/*
 * Who jumps into the function from outside, and in which state. A jump to its start in mid-frame
 * makes it a fragment of another function, unless a symbol says that it is one by itself.
 */
static enum status find_arrivals(struct prologue_source *source,
                                 const struct code_function *function, struct prologue_input *input,
                                 struct arrivals *arrivals, unsigned depth)
{
    enum standing standing = standing_of(source, function);
    enum status status;

    input->not_entered = standing == STANDING_FRAGMENT;
    status = arrivals_from_pads(source, input, arrivals, depth);
    if (status != STATUS_OK)
        return status;
    if (function->origin >= FUNCTION_ENTRY) {
        arrivals_from_search(source, function, arrivals, depth);
        return STATUS_OK;
    }
    if (standing == STANDING_FUNCTION)
        return STATUS_OK;
    status = arrivals_from_file(source, function, input, arrivals, depth);
    if (status == STATUS_OK && standing == STANDING_FRAGMENT)
        arrivals_from_tables(source, input, arrivals, depth);
    return status;
}

/* When too many instructions are kept, besides those of analyses that are kept, too. */
static void trim(struct prologue_source *source)
{
    size_t kept = 0;

    for (size_t i = 0; i < ANALYSES_KEPT; i++)
        if (source->kept[i].prologue)
            kept += prologue_size(source->kept[i].prologue);
    code_trim(source->code->code, CODE_INSNS_KEPT + 2 * kept);
    forget_stale(source);
}

enum status prologue_source_analyse(struct prologue_source *source, uint64_t vaddr,
                                    const struct prologue **out)
{
    const struct code_function *found;
    struct code_function function;
    enum status status = module_functions_find(source->functions, vaddr, &found);

    if (status != STATUS_OK)
        return status;
    function = *found; /* looking for others may move it */
    trim(source);
    return keep_analysis(source, &function, 0, out);
}

/* Analyses the function for its rows alone. */
static enum status make_rows(struct prologue_source *source, const struct code_function *function)
{
    struct prologue *prologue;
    bool alone;
    enum status status = analyse(source, function, 0, &alone, &prologue);

    if (status != STATUS_OK)
        return status;
    status = keep_rows(source, function->start_vaddr, prologue);
    prologue_destroy(prologue);
    return status;
}

enum status prologue_source_rows(struct prologue_source *source, uint64_t vaddr,
                                 const struct row_table **out)
{
    const struct code_function *found;
    struct code_function function;
    uint64_t *answer;
    enum status status = module_functions_find(source->functions, vaddr, &found);

    if (status != STATUS_OK)
        return status;
    function = *found; /* looking for others may move it */
    answer = map_get(&source->answers, function.start_vaddr);
    if (!answer) {
        trim(source);
        status = make_rows(source, &function);
        if (status == STATUS_NO_MEMORY)
            return status;
        /* What failed once fails the next time, too. */
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

/* The landing pads are borrowed until the next function is asked for. */
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
    const struct code_function *found;
    struct arrivals arrivals;
    struct prologue_input input;
    enum status status = module_functions_find(source->functions, vaddr, &found);

    *out = (struct recorded_analysis){.prologue = NULL};
    if (status != STATUS_OK)
        return status;
    out->function = *found; /* looking for others may move it */
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
