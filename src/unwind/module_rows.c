#include "unwind/module_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "unwind/cfi.h"
#include "unwind/insn.h"
#include "unwind/jumps.h"
#include "unwind/prologue.h"

#define CFI_ROWS_MAX      100000 /* kept before the cache is emptied */
#define ANSWER_NONE       UINT64_MAX
#define ARRIVALS_MAX      8 /* jumps into a fragment that are used */
#define ARRIVAL_TRIES     12 /* jumps into a function that are followed back; each costs an analysis */
#define ANALYSES_KEPT     4
#define TABLE_ROWS_MAX    200000              /* analysed rows kept before all are dropped */
#define ANALYSED_MAX      (UINT64_C(1) << 28) /* bytes of code analysed for one module */
#define ARRIVAL_DEPTH_MAX 2                   /* fragments that are entered from fragments */

struct cfi_rows { /* one CFI section and the rows already evaluated */
    struct cfi *cfi;
    bool tried;
    struct map answers; /* vaddr -> index into rows, or ANSWER_NONE */
    struct row **rows;
    size_t count, cap;
};

struct module_rows {
    struct module_set *set;
    struct module *module;
    struct cfi_rows debug_frame, eh_frame;
    const struct insn_set *insns;
    struct decoder *decoder;
    bool decoder_tried, jumps_tried;
    struct jumps jumps;
    struct kept_analysis { /* of functions that jump into fragments: the next fragment asks again */
        uint64_t start_vaddr;
        struct prologue *prologue;
    } kept[ANALYSES_KEPT];
    unsigned next_kept;
    struct map functions; /* start_vaddr -> index into tables, or ANSWER_NONE */
    struct row_table *tables;
    size_t table_count, table_cap;
    size_t table_rows;       /* in all tables */
    uint64_t analysed_bytes; /* so far: a file of overlapping functions must not cost for ever */
    struct row scratch;
};

enum status module_rows_create(struct module_set *set, struct module *module,
                               struct module_rows **out)
{
    struct module_rows *rows = calloc(1, sizeof(*rows));

    if (!rows)
        return STATUS_NO_MEMORY;
    rows->set = set;
    rows->module = module;
    *out = rows;
    return STATUS_OK;
}

static void cfi_rows_clear(struct cfi_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        free(rows->rows[i]);
    rows->count = 0;
    map_clear(&rows->answers);
}

static void cfi_rows_deinit(struct cfi_rows *rows)
{
    cfi_rows_clear(rows);
    free(rows->rows);
    map_deinit(&rows->answers);
    cfi_destroy(rows->cfi);
}

static void drop_tables(struct module_rows *rows)
{
    for (size_t i = 0; i < rows->table_count; i++)
        row_table_deinit(&rows->tables[i]);
    rows->table_count = 0;
    rows->table_rows = 0;
    map_clear(&rows->functions);
}

void module_rows_destroy(struct module_rows *rows)
{
    if (!rows)
        return;
    cfi_rows_deinit(&rows->debug_frame);
    cfi_rows_deinit(&rows->eh_frame);
    drop_tables(rows);
    free(rows->tables);
    map_deinit(&rows->functions);
    for (size_t i = 0; i < ANALYSES_KEPT; i++)
        prologue_destroy(rows->kept[i].prologue);
    jumps_deinit(&rows->jumps);
    decoder_destroy(rows->decoder);
    free(rows);
}

static struct elf_image *image(struct module_rows *rows)
{
    return module_open(rows->set, rows->module) == STATUS_OK ? rows->module->image : NULL;
}

/* The section of the file itself, else (.debug_frame) of its separate debug file. */
static enum status open_cfi(struct module_rows *rows, enum trust source, struct cfi_rows *cache)
{
    struct elf_image *debug;
    enum status status;

    cache->tried = true;
    if (!image(rows))
        return STATUS_NOT_FOUND;
    status = cfi_create_from_image(rows->module->image, source, &cache->cfi);
    if (status == STATUS_OK || status == STATUS_NO_MEMORY || source == TRUST_EH_FRAME)
        return status;
    debug = module_debug_image(rows->set, rows->module);
    return debug ? cfi_create_from_image(debug, source, &cache->cfi) : STATUS_NOT_FOUND;
}

static struct cfi_rows *cfi_for(struct module_rows *rows, enum trust source)
{
    struct cfi_rows *cache = source == TRUST_DEBUG_FRAME ? &rows->debug_frame : &rows->eh_frame;

    if (!cache->tried && open_cfi(rows, source, cache) != STATUS_OK)
        cache->cfi = NULL;
    return cache;
}

const struct cfi *module_rows_cfi(struct module_rows *rows, enum trust source)
{
    return cfi_for(rows, source)->cfi;
}

static enum status find_cfi(struct module_rows *rows, enum trust source, uint64_t vaddr,
                            const struct row **out)
{
    struct cfi_rows *cache = cfi_for(rows, source);
    uint64_t *answer = map_get(&cache->answers, vaddr);

    if (!cache->cfi)
        return STATUS_NOT_FOUND;
    if (!answer) {
        struct row *row = NULL;

        if (cache->answers.len >= CFI_ROWS_MAX)
            cfi_rows_clear(cache);
        answer = map_put(&cache->answers, vaddr, ANSWER_NONE);
        if (!answer || vec_reserve(&cache->rows, &cache->cap, cache->count + 1,
                                   sizeof(*cache->rows)) != STATUS_OK)
            return STATUS_NO_MEMORY;
        if (cfi_find(cache->cfi, vaddr, &rows->scratch) == STATUS_OK) {
            row = malloc(sizeof(*row));
            if (!row)
                return STATUS_NO_MEMORY;
            *row = rows->scratch;
            cache->rows[cache->count] = row;
            *answer = cache->count++;
        }
    }
    if (*answer == ANSWER_NONE)
        return STATUS_NOT_FOUND;
    *out = cache->rows[*answer];
    return STATUS_OK;
}

/* Library functions that never return, by name; a call of one ends a path. */
static bool name_never_returns(const char *name)
{
    static const char *const names[] = {"abort",
                                        "exit",
                                        "_exit",
                                        "_Exit",
                                        "quick_exit",
                                        "pthread_exit",
                                        "__assert_fail",
                                        "__assert_perror_fail",
                                        "__stack_chk_fail",
                                        "__fortify_fail",
                                        "__chk_fail",
                                        "__libc_fatal",
                                        "longjmp",
                                        "siglongjmp",
                                        "_longjmp",
                                        "__longjmp_chk",
                                        "err",
                                        "errx",
                                        "verr",
                                        "verrx",
                                        "_Unwind_Resume",
                                        "__cxa_throw",
                                        "__cxa_rethrow",
                                        "__cxa_throw_bad_array_new_length",
                                        "__cxa_bad_cast",
                                        "__cxa_call_unexpected",
                                        "_ZSt9terminatev"};
    size_t len = strcspn(name, "@");

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strlen(names[i]) == len && strncmp(name, names[i], len) == 0)
            return true;
    return strncmp(name, "_ZSt", 4) == 0 &&
           strncmp(name + 4 + strspn(name + 4, "0123456789"), "__throw_", 8) == 0;
}

static bool never_returns(void *context, uint64_t vaddr)
{
    struct module_rows *rows = context;
    const struct symtab *symtab = module_symtab(rows->set, rows->module);
    struct symbol symbol;

    return symtab && symtab_find(symtab, vaddr, &symbol) == STATUS_OK &&
           symbol.start_vaddr == vaddr && name_never_returns(symbol.name);
}

enum status module_rows_function(struct module_rows *rows, uint64_t vaddr, uint64_t *start_vaddr,
                                 uint64_t *end_vaddr)
{
    static const enum trust sources[] = {TRUST_EH_FRAME, TRUST_DEBUG_FRAME};
    const struct symtab *symtab;
    struct symbol symbol;

    if (!image(rows))
        return STATUS_NOT_FOUND;
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
        const struct cfi *cfi = module_rows_cfi(rows, sources[i]);

        if (cfi && cfi_function(cfi, vaddr, start_vaddr, end_vaddr) == STATUS_OK)
            return STATUS_OK;
    }
    symtab = module_symtab(rows->set, rows->module);
    if (!symtab || symtab_find(symtab, vaddr, &symbol) != STATUS_OK)
        return STATUS_NOT_FOUND;
    *start_vaddr = symbol.start_vaddr;
    *end_vaddr = symbol.end_vaddr;
    return STATUS_OK;
}

static enum status make_decoder(struct module_rows *rows)
{
    if (!rows->decoder_tried) {
        rows->decoder_tried = true;
        rows->insns = insn_set_for(elf_image_arch(rows->module->image));
        if (rows->insns && decoder_create(rows->insns, &rows->decoder) != STATUS_OK)
            rows->decoder = NULL;
    }
    return rows->decoder ? STATUS_OK : STATUS_UNSUPPORTED;
}

/* What the symbols say of a function's start. */
enum standing { STANDING_UNKNOWN, STANDING_FUNCTION, STANDING_FRAGMENT };

static enum standing standing_of(struct module_rows *rows, uint64_t start_vaddr)
{
    const struct symtab *symtab = module_symtab(rows->set, rows->module);
    struct symbol symbol;

    if (!symtab || symtab_find(symtab, start_vaddr, &symbol) != STATUS_OK ||
        symbol.start_vaddr != start_vaddr)
        return STANDING_UNKNOWN;
    return strstr(symbol.name, ".cold") ? STANDING_FRAGMENT : STANDING_FUNCTION;
}

static enum status prepare(struct module_rows *rows, uint64_t start_vaddr, uint64_t end_vaddr,
                           struct prologue_input *input)
{
    uint64_t avail;

    *input = (struct prologue_input){.arch = elf_image_arch(rows->module->image),
                                     .decoder = rows->decoder,
                                     .start_vaddr = start_vaddr,
                                     .end_vaddr = end_vaddr,
                                     .no_return = never_returns,
                                     .context = rows};
    input->bytes = elf_image_bytes_at(rows->module->image, start_vaddr, &avail);
    if (!input->bytes || avail == 0)
        return STATUS_NOT_FOUND;
    if (end_vaddr - start_vaddr > avail)
        input->end_vaddr = start_vaddr + avail;
    return STATUS_OK;
}

static enum status find_arrivals(struct module_rows *rows, struct prologue_input *input,
                                 struct prologue_arrival arrivals[ARRIVALS_MAX], unsigned depth);

/* The analysis of the function that begins at `start_vaddr`, kept for a while. */
static enum status keep_analysis(struct module_rows *rows, uint64_t start_vaddr, uint64_t end_vaddr,
                                 unsigned depth, const struct prologue **out)
{
    struct kept_analysis *kept;
    struct prologue_arrival *arrivals;
    struct prologue_input input;
    struct prologue *prologue = NULL;
    enum status status = prepare(rows, start_vaddr, end_vaddr, &input);

    for (size_t i = 0; i < ANALYSES_KEPT; i++)
        if (rows->kept[i].prologue && rows->kept[i].start_vaddr == start_vaddr) {
            *out = rows->kept[i].prologue;
            return STATUS_OK;
        }
    if (status != STATUS_OK)
        return status;
    arrivals = malloc(ARRIVALS_MAX * sizeof(*arrivals));
    if (!arrivals)
        return STATUS_NO_MEMORY;
    if (depth < ARRIVAL_DEPTH_MAX)
        status = find_arrivals(rows, &input, arrivals, depth + 1);
    if (status == STATUS_OK)
        status = prologue_create(&input, &prologue);
    free(arrivals);
    if (status != STATUS_OK)
        return status;
    kept = &rows->kept[rows->next_kept++ % ANALYSES_KEPT];
    prologue_destroy(kept->prologue);
    *kept = (struct kept_analysis){.start_vaddr = start_vaddr, .prologue = prologue};
    *out = prologue;
    return STATUS_OK;
}

/* The state in which the jump's source goes to its target. */
static enum status state_of_jump(struct module_rows *rows, const struct jump *jump,
                                 struct prologue_arrival *out, unsigned depth)
{
    const struct prologue *prologue;
    uint64_t start_vaddr, end_vaddr;
    enum status status = module_rows_function(rows, jump->source_vaddr, &start_vaddr, &end_vaddr);

    if (status == STATUS_OK)
        status = keep_analysis(rows, start_vaddr, end_vaddr, depth, &prologue);
    if (status == STATUS_OK)
        status =
            prologue_state_at_jump(prologue, jump->source_vaddr, jump->target_vaddr, &out->state);
    out->vaddr = jump->target_vaddr;
    return status;
}

/*
 * Nothing of the function's entry is left to be undone: a jump in this state is a tail call. SP above its entry value
 * is the tail call of a fragment that was taken for a function.
 */
static bool is_tail_call(const struct state *state, const struct arch *arch)
{
    const struct value *sp = &state->regs[arch->sp];

    return sp->kind == VALUE_ENTRY && sp->reg == arch->sp && sp->k >= 0;
}

/*
 * Who jumps into the function from outside, and in which state. A jump to its start in mid-frame makes it a fragment
 * of another function, unless a symbol says that it is one by itself.
 */
static enum status find_arrivals(struct module_rows *rows, struct prologue_input *input,
                                 struct prologue_arrival arrivals[ARRIVALS_MAX], unsigned depth)
{
    enum standing standing = standing_of(rows, input->start_vaddr);
    unsigned tries = depth == 0 ? ARRIVAL_TRIES : 2;
    unsigned tail_calls = 0;

    input->arrivals = arrivals;
    input->not_entered = standing == STANDING_FRAGMENT;
    if (standing == STANDING_FUNCTION)
        return STATUS_OK;
    if (!rows->jumps_tried) {
        rows->jumps_tried = true;
        if (jumps_init(&rows->jumps, rows->module->image, rows->insns) != STATUS_OK)
            return STATUS_NO_MEMORY;
    }
    for (size_t i = jumps_from(&rows->jumps, input->start_vaddr);
         i < rows->jumps.count && rows->jumps.items[i].target_vaddr < input->end_vaddr &&
         input->arrival_count < ARRIVALS_MAX && tries > 0 && tail_calls < 2;
         i++) {
        const struct jump *jump = &rows->jumps.items[i];
        struct prologue_arrival *arrival = &arrivals[input->arrival_count];

        if (jump->source_vaddr >= input->start_vaddr && jump->source_vaddr < input->end_vaddr)
            continue;
        tries--;
        if (state_of_jump(rows, jump, arrival, depth) != STATUS_OK)
            continue;
        if (is_tail_call(&arrival->state, input->arch)) {
            tail_calls += jump->target_vaddr == input->start_vaddr;
            continue;
        }
        input->arrival_count++;
        if (jump->target_vaddr == input->start_vaddr)
            input->not_entered = true;
    }
    return STATUS_OK;
}

static enum status analyse(struct module_rows *rows, uint64_t start_vaddr, uint64_t end_vaddr,
                           struct row_table *table)
{
    struct prologue_arrival *arrivals = malloc(ARRIVALS_MAX * sizeof(*arrivals));
    struct prologue_input input;
    enum status status =
        arrivals ? prepare(rows, start_vaddr, end_vaddr, &input) : STATUS_NO_MEMORY;

    if (status == STATUS_OK)
        status = find_arrivals(rows, &input, arrivals, 0);
    if (status == STATUS_OK)
        status = prologue_analyse(&input, table);
    free(arrivals);
    return status;
}

enum status module_rows_analyse(struct module_rows *rows, uint64_t vaddr,
                                const struct row_table **out)
{
    uint64_t start_vaddr, end_vaddr;
    uint64_t *answer;
    enum status status = module_rows_function(rows, vaddr, &start_vaddr, &end_vaddr);

    if (status == STATUS_OK)
        status = make_decoder(rows);
    if (status != STATUS_OK)
        return status;
    answer = map_get(&rows->functions, start_vaddr);
    if (!answer) {
        struct row_table table;

        if (rows->analysed_bytes > ANALYSED_MAX)
            return STATUS_UNSUPPORTED;
        rows->analysed_bytes += end_vaddr - start_vaddr;
        if (rows->table_rows > TABLE_ROWS_MAX)
            drop_tables(rows);
        if (vec_reserve(&rows->tables, &rows->table_cap, rows->table_count + 1,
                        sizeof(*rows->tables)) != STATUS_OK)
            return STATUS_NO_MEMORY;
        answer = map_put(&rows->functions, start_vaddr, ANSWER_NONE);
        if (!answer)
            return STATUS_NO_MEMORY;
        status = analyse(rows, start_vaddr, end_vaddr, &table);
        if (status == STATUS_NO_MEMORY)
            return status;
        if (status == STATUS_OK) {
            rows->tables[rows->table_count] = table;
            rows->table_rows += table.count;
            *answer = rows->table_count++;
        }
    }
    if (*answer == ANSWER_NONE)
        return STATUS_NOT_FOUND;
    *out = &rows->tables[*answer];
    return STATUS_OK;
}

/* The code at `vaddr`, to the end of its segment. */
static const uint8_t *code_at(struct module_rows *rows, uint64_t vaddr, uint64_t *avail)
{
    if (!image(rows) || make_decoder(rows) != STATUS_OK)
        return NULL;
    return elf_image_bytes_at(rows->module->image, vaddr, avail);
}

bool module_rows_is_sigreturn(struct module_rows *rows, uint64_t vaddr, struct row *row)
{
    uint64_t avail;
    const uint8_t *code = code_at(rows, vaddr, &avail);

    return code && rows->insns->sigreturn_row(code, avail, vaddr, row) == STATUS_OK;
}

static enum status find_prologue(struct module_rows *rows, uint64_t vaddr, const struct row **out)
{
    const struct row_table *table;
    enum status status;

    if (module_rows_is_sigreturn(rows, vaddr, &rows->scratch)) {
        *out = &rows->scratch;
        return STATUS_OK;
    }
    status = module_rows_analyse(rows, vaddr, &table);
    if (status != STATUS_OK)
        return status;
    *out = row_table_find(table, vaddr);
    return *out && ((*out)->cfa.kind != CFA_UNKNOWN || (*out)->ra.kind == RULE_UNDEFINED)
               ? STATUS_OK
               : STATUS_NOT_FOUND;
}

enum status module_rows_find(struct module_rows *rows, enum trust source, uint64_t vaddr,
                             const struct row **out)
{
    switch (source) {
    case TRUST_DEBUG_FRAME:
    case TRUST_EH_FRAME:
        return find_cfi(rows, source, vaddr, out);
    case TRUST_PROLOGUE:
        return find_prologue(rows, vaddr, out);
    case TRUST_EXIDX:
    case TRUST_CONTEXT:
    case TRUST_FP:
    case TRUST_LR:
    case TRUST_SCAN:
        return STATUS_UNSUPPORTED;
    }
    return STATUS_UNSUPPORTED;
}

bool module_rows_after_call(struct module_rows *rows, uint64_t vaddr)
{
    uint64_t avail;

    if (!image(rows) || make_decoder(rows) != STATUS_OK)
        return true;
    for (unsigned back = 16; back >= 2; back--) {
        const uint8_t *code;

        if (vaddr < back)
            continue;
        code = elf_image_bytes_at(rows->module->image, vaddr - back, &avail);
        if (code && avail >= back)
            return rows->insns->ends_with_call(code, back);
    }
    return false;
}
