/* SPDX-License-Identifier: MIT */
#include "unwind/module_rows_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "runtime/go/rows/go_rows.h"
#include "unwind/code/absent.h"
#include "unwind/sources/cfi.h"
#include "unwind/sources/exidx.h"

#define CFI_ROWS_MAX     100000 /* when more are cached all are dropped */
#define SIGRETURN_BEFORE 16     /* bytes of a signal trampoline before its system call that count */
#define ANSWER_NONE      UINT64_MAX

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

enum status module_rows_create_islands(struct module_set *set, struct module *module,
                                       const struct code_islands *islands, struct module_rows **out)
{
    enum status status = module_rows_create(set, module, out);

    if (status != STATUS_OK) {
        elf_image_close(islands->image);
        free(islands->made);
        return status;
    }
    (*out)->islands = *islands;
    return STATUS_OK;
}

void module_rows_set_code_only(struct module_rows *rows)
{
    rows->code_only = true;
}

void module_rows_set_no_search(struct module_rows *rows)
{
    rows->no_search = true;
}

void module_rows_set_cache(struct module_rows *rows, struct cache *cache)
{
    rows->cache = cache;
}

void module_rows_keep(struct module_rows *rows)
{
    if (rows->code && rows->code->kept)
        kept_search_save(rows->code->kept);
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

void module_rows_destroy(struct module_rows *rows)
{
    if (!rows)
        return;
    cfi_rows_deinit(&rows->debug_frame);
    cfi_rows_deinit(&rows->eh_frame);
    map_deinit(&rows->by_hand);
    prologue_source_destroy(rows->prologue);
    module_functions_destroy(rows->functions);
    module_code_destroy(rows->code);
    exidx_destroy(rows->exidx);
    elf_image_close(rows->islands.image);
    free(rows->islands.made);
    free(rows);
}

struct elf_image *module_rows_image(struct module_rows *rows)
{
    if (rows->islands.image)
        return rows->islands.image;
    return module_open(rows->set, rows->module) == STATUS_OK ? rows->module->image : NULL;
}

/* Opens the section of the file, else (.debug_frame) of its separate debug file. */
static enum status open_cfi(struct module_rows *rows, enum trust source, struct cfi_rows *cache)
{
    struct elf_image *debug;
    enum status status;

    if (!module_rows_image(rows))
        return STATUS_NOT_FOUND;
    status = cfi_create_from_image(module_rows_image(rows), source, &cache->cfi);
    if (status == STATUS_OK || status == STATUS_NO_MEMORY || source == TRUST_EH_FRAME)
        return status;
    debug = module_debug_image(rows->set, rows->module);
    return debug ? cfi_create_from_image(debug, source, &cache->cfi) : STATUS_NOT_FOUND;
}

static struct cfi_rows *cfi_for(struct module_rows *rows, enum trust source)
{
    struct cfi_rows *cache = source == TRUST_DEBUG_FRAME ? &rows->debug_frame : &rows->eh_frame;

    if (!cache->tried) {
        cache->tried = true;
        cache->status = open_cfi(rows, source, cache);
        if (cache->status != STATUS_OK)
            cache->cfi = NULL;
    }
    return cache;
}

struct cfi *module_rows_cfi(struct module_rows *rows, enum trust source)
{
    return cfi_for(rows, source)->cfi;
}

const struct exidx *module_rows_exidx(struct module_rows *rows)
{
    if (!rows->exidx_tried && module_rows_image(rows)) {
        rows->exidx_tried = true;
        struct diag diag;

        rows->exidx_status = exidx_create_from_image(module_rows_image(rows), &rows->exidx, &diag);
        if (rows->exidx_status != STATUS_OK)
            rows->exidx = NULL;
        if (rows->exidx_status == STATUS_BAD_DATA)
            module_note(rows->module, &diag);
    }
    return rows->exidx;
}

/* Makes the row, which takes a few instructions: it is not cached. */
static enum status find_exidx(struct module_rows *rows, uint64_t vaddr, const struct row **out)
{
    const struct exidx *exidx = module_rows_exidx(rows);

    *out = &rows->scratch;
    if (exidx)
        return exidx_find(exidx, vaddr, &rows->scratch, NULL);
    return rows->exidx_status == STATUS_NO_MEMORY ? STATUS_NO_MEMORY : STATUS_NOT_FOUND;
}

const struct gopclntab *module_rows_go(struct module_rows *rows)
{
    return rows->islands.image ? NULL : module_gopclntab(rows->set, rows->module);
}

static enum status find_go(struct module_rows *rows, uint64_t vaddr, const struct row **out)
{
    const struct gopclntab *table = module_rows_go(rows);
    const struct arch *arch = table ? elf_image_arch(rows->module->image) : NULL;

    *out = &rows->scratch;
    return arch ? go_row(table, arch, vaddr, &rows->go_last, &rows->scratch) : STATUS_NOT_FOUND;
}

struct frame_search {
    const struct arch *arch;
    bool entered, made, gone; /* the first row has no frame; a later one has; then none again */
};

static bool note_frame(void *context, const struct row *row)
{
    struct frame_search *search = context;
    bool none = row->cfa.kind == CFA_REG && row->cfa.reg == search->arch->sp &&
                row->cfa.off == search->arch->cfa_entry_off;

    search->entered = search->entered || none;
    search->made = search->made || !none;
    search->gone = search->gone || (search->made && none);
    return search->entered && !search->gone;
}

/*
 * Do the rows of the function at `vaddr` begin without a frame, make one and never end it? LLVM
 * before 15 writes such rows for ARM and AArch64.
 */
static bool frame_to_end(struct module_rows *rows, struct cfi *cfi, uint64_t vaddr)
{
    struct frame_search search = {.arch = elf_image_arch(module_rows_image(rows))};

    return search.arch && search.arch->lr != REG_NONE &&
           cfi_rows_at(cfi, vaddr, note_frame, &search) == STATUS_OK && search.entered &&
           search.made && !search.gone;
}

/*
 * Makes the row of the last instruction of an outlined prologue, which several of these share
 * (__riscv_save_4 enters the code of __riscv_save_2), each with another SP. libgcc's tables have
 * one CFA for all, and analysis has none: so the row only returns, and the step from behind the
 * call does the rest. `found`: the row of another source for the place; NULL: none. False: it is no
 * such instruction.
 */
static bool outline_return_row(struct module_rows *rows, uint64_t vaddr, const struct row *found,
                               enum trust source, struct row *out)
{
    const struct arch *arch = elf_image_arch(module_rows_image(rows));
    const struct insn_set *set = arch ? insn_set_for(arch, CODE_DEFAULT) : NULL;
    const uint8_t *bytes;
    uint64_t size;

    if (!set || !set->is_outline_return || vaddr % set->alignment != 0 ||
        (found && (found->ra.kind != RULE_IN_REG || found->ra.reg != arch->outline_link)))
        return false;
    bytes = elf_image_bytes_at(module_rows_image(rows), vaddr, &size);
    if (!bytes || !set->is_outline_return(bytes, size))
        return false;
    row_init(out, vaddr, vaddr + set->alignment, source);
    out->cfa = (struct rule){.kind = CFA_REG, .reg = arch->sp, .off = arch->cfa_entry_off};
    out->ra = (struct rule){.kind = RULE_IN_REG, .reg = arch->outline_link};
    for (uint64_t kept = arch->callee_saved | UINT64_C(1) << arch->lr; kept; kept &= kept - 1)
        out->regs[__builtin_ctzll(kept)].kind = RULE_SAME;
    out->has_returned = true;
    return true;
}

/* Evaluates the row for `vaddr` and caches it, or that there is none. */
static enum status cache_row(struct module_rows *rows, struct cfi_rows *cache, uint64_t vaddr,
                             uint64_t *answer)
{
    struct row *row = NULL;
    enum status status =
        vec_reserve(&cache->rows, &cache->cap, cache->count + 1, sizeof(*cache->rows));

    if (status == STATUS_OK)
        status = cfi_find(cache->cfi, vaddr, &rows->scratch);
    if (status == STATUS_OK)
        status = module_rows_confirm(rows, rows->scratch.source, vaddr, &rows->scratch);
    if (status == STATUS_NO_MEMORY)
        return status;
    *answer = ANSWER_NONE;
    if (status == STATUS_OK) {
        row = malloc(sizeof(*row));
        if (!row)
            return STATUS_NO_MEMORY;
        if (!outline_return_row(rows, vaddr, &rows->scratch, rows->scratch.source, row))
            *row = rows->scratch;
        row->frame_to_end = frame_to_end(rows, cache->cfi, vaddr);
        *answer = cache->count;
    }
    if (!map_put(&cache->answers, vaddr, *answer)) {
        free(row);
        return STATUS_NO_MEMORY;
    }
    if (row)
        cache->rows[cache->count++] = row;
    return STATUS_OK;
}

static enum status find_cfi(struct module_rows *rows, enum trust source, uint64_t vaddr,
                            const struct row **out)
{
    struct cfi_rows *cache = cfi_for(rows, source);
    const uint64_t *known = map_get(&cache->answers, vaddr);
    uint64_t answer = known ? *known : ANSWER_NONE;

    if (!cache->cfi)
        return cache->status == STATUS_NO_MEMORY ? STATUS_NO_MEMORY : STATUS_NOT_FOUND;
    if (!known) {
        if (map_len(&cache->answers) >= CFI_ROWS_MAX)
            cfi_rows_clear(cache);
        if (cache_row(rows, cache, vaddr, &answer) != STATUS_OK)
            return STATUS_NO_MEMORY;
    }
    if (answer == ANSWER_NONE)
        return STATUS_NOT_FOUND;
    *out = cache->rows[answer];
    return STATUS_OK;
}

static enum status create_code(struct module_rows *rows)
{
    struct elf_image *from = module_rows_image(rows);
    enum status status =
        from ? module_code_create(rows->set, rows->module, from, &rows->code) : STATUS_UNSUPPORTED;

    if (status != STATUS_OK) {
        rows->code = NULL;
        return status == STATUS_NO_MEMORY ? status : STATUS_UNSUPPORTED;
    }
    rows->code->code_only = rows->code_only;
    rows->code->code->holes = rows->islands.image != NULL;
    rows->code->boundary_vaddr = rows->islands.boundary_vaddr;
    if (!rows->cache || rows->islands.image)
        return STATUS_OK;
    status = kept_search_create(rows->cache, from, &rows->code->kept);
    return status == STATUS_NO_MEMORY ? status : STATUS_OK; /* no build-id: no results are kept */
}

static enum status create_functions(struct module_rows *rows)
{
    struct function_tables tables;
    enum status status;

    tables = (struct function_tables){.eh_frame = module_rows_cfi(rows, TRUST_EH_FRAME),
                                      .debug_frame = module_rows_cfi(rows, TRUST_DEBUG_FRAME),
                                      .exidx = module_rows_exidx(rows),
                                      .go = module_rows_go(rows),
                                      .made = rows->islands.made,
                                      .made_count = rows->islands.made_count};
    if (rows->eh_frame.status == STATUS_NO_MEMORY || rows->debug_frame.status == STATUS_NO_MEMORY ||
        rows->exidx_status == STATUS_NO_MEMORY)
        return STATUS_NO_MEMORY;
    if (module_rows_conflict(rows))
        tables.debug_frame = NULL;
    status = module_functions_create(rows->code, &tables, rows->code_only, &rows->functions);
    if (status != STATUS_OK)
        return status;
    if (rows->no_search)
        module_functions_no_search(rows->functions);
    return prologue_source_create(rows->code, rows->functions, &rows->prologue);
}

enum status module_rows_open_code(struct module_rows *rows)
{
    if (!rows->code_tried) {
        rows->code_tried = true;
        rows->code_status = create_code(rows);
    }
    return rows->code_status;
}

enum status module_rows_open_functions(struct module_rows *rows)
{
    enum status status = module_rows_open_code(rows);

    if (status != STATUS_OK)
        return status;
    if (!rows->functions_tried) {
        rows->functions_tried = true;
        rows->functions_status = create_functions(rows);
    }
    return rows->functions_status;
}

enum status module_rows_find_function(struct module_rows *rows, uint64_t vaddr,
                                      const struct code_function **out)
{
    enum status status = module_rows_open_functions(rows);

    return status == STATUS_OK ? module_functions_find(rows->functions, vaddr, out) : status;
}

enum status module_rows_function(struct module_rows *rows, uint64_t vaddr, uint64_t *start_vaddr,
                                 uint64_t *end_vaddr)
{
    const struct code_function *function;
    enum status status = module_rows_find_function(rows, vaddr, &function);

    if (status == STATUS_OK) {
        *start_vaddr = function->start_vaddr;
        *end_vaddr = function->end_vaddr;
    }
    return status;
}

enum status module_rows_known_function(struct module_rows *rows, uint64_t vaddr,
                                       uint64_t *start_vaddr, uint64_t *end_vaddr)
{
    const struct code_function *function;
    enum status status = module_rows_open_functions(rows);

    if (status == STATUS_OK)
        status = module_functions_known(rows->functions, vaddr, &function);
    if (status == STATUS_OK) {
        *start_vaddr = function->start_vaddr;
        *end_vaddr = function->end_vaddr;
    }
    return status;
}

enum status module_rows_functions(struct module_rows *rows, const struct functions **out)
{
    enum status status = module_rows_open_functions(rows);

    return status == STATUS_OK ? module_functions_all(rows->functions, out) : status;
}

enum status module_rows_analyse(struct module_rows *rows, uint64_t vaddr,
                                const struct row_table **out)
{
    enum status status = module_rows_open_functions(rows);

    return status == STATUS_OK ? prologue_source_rows(rows->prologue, vaddr, out) : status;
}

enum status module_rows_prologue(struct module_rows *rows, uint64_t vaddr,
                                 const struct prologue **out)
{
    enum status status = module_rows_open_functions(rows);

    return status == STATUS_OK ? prologue_source_analyse(rows->prologue, vaddr, out) : status;
}

enum status module_rows_record(struct module_rows *rows, uint64_t vaddr,
                               struct recorded_analysis *out)
{
    enum status status = module_rows_open_functions(rows);

    *out = (struct recorded_analysis){.prologue = NULL};
    return status == STATUS_OK ? prologue_source_record(rows->prologue, vaddr, out) : status;
}

enum status module_rows_code(struct module_rows *rows, struct code **out)
{
    enum status status = module_rows_open_code(rows);

    if (status == STATUS_OK)
        *out = rows->code->code;
    return status;
}

/* Is `vaddr` in the instructions of a signal trampoline? */
static bool in_sigreturn(struct module_rows *rows, uint64_t vaddr, struct row *row)
{
    for (uint64_t before = 0; before <= SIGRETURN_BEFORE && before <= vaddr; before++)
        if (module_rows_is_sigreturn(rows, vaddr - before, row) && vaddr < row->end_vaddr)
            return true;
    return module_rows_executes_sigreturn(rows, vaddr, row);
}

static enum status find_prologue(struct module_rows *rows, uint64_t vaddr, const struct row **out)
{
    const struct row_table *table;
    const struct row *row;
    struct row outlined;
    enum status status;

    if (in_sigreturn(rows, vaddr, &rows->scratch)) {
        *out = &rows->scratch;
        return STATUS_OK;
    }
    /*
     * An instruction, or the end of a call, is at `vaddr` and was executed: zeroes in its place say
     * nothing of it. Zeroes on one side only are padding.
     */
    if (module_rows_is_absent(rows, vaddr + 1) && module_rows_is_absent(rows, vaddr + ABSENT_CALL))
        return STATUS_NOT_FOUND;
    status = module_rows_analyse(rows, vaddr, &table);
    if (status != STATUS_OK)
        return status;
    row = row_table_find(table, vaddr, &rows->scratch);
    if (row && row->cfa.kind == CFA_UNKNOWN && row->ra.kind != RULE_UNDEFINED)
        row = NULL;
    if (outline_return_row(rows, vaddr, row, TRUST_PROLOGUE, &outlined)) {
        rows->scratch = outlined;
        row = &rows->scratch;
    }
    *out = row;
    return row ? STATUS_OK : STATUS_NOT_FOUND;
}

static bool holds_trap_return(struct module_rows *rows, const struct code_function *function)
{
    const struct trap_returns *returns = module_code_trap_returns(rows->code);

    for (size_t i = 0; i < returns->count; i++)
        if (returns->items[i] >= function->start_vaddr && returns->items[i] < function->end_vaddr)
            return true;
    return false;
}

/* May the instruction be a jump to a handler in a table of vectors? */
static bool may_be_vector(struct module_rows *rows, uint64_t vaddr)
{
    const struct insn_set *set = code_set(rows->code->code, CODE_DEFAULT);
    uint64_t size;
    const uint8_t *bytes = elf_image_bytes_at(module_rows_image(rows), vaddr, &size);

    return vaddr % set->alignment == 0 && bytes && set->jump_target(bytes, size, vaddr) != 0;
}

/*
 * Is the function at `vaddr` an exception handler? Compilers' tables describe handlers like
 * functions that return by LR.
 */
static bool is_handler(struct module_rows *rows, uint64_t vaddr)
{
    const struct code_function *function;
    const struct row *row;

    if (!module_rows_image(rows) || module_rows_open_code(rows) != STATUS_OK ||
        module_code_trap_returns(rows->code)->count == 0 ||
        module_rows_open_functions(rows) != STATUS_OK ||
        module_functions_known(rows->functions, vaddr, &function) != STATUS_OK)
        return false;
    return (holds_trap_return(rows, function) || may_be_vector(rows, vaddr) ||
            prologue_source_is_trap_entry(rows->prologue, function)) &&
           find_prologue(rows, vaddr, &row) == STATUS_OK && row->source == TRUST_EXCEPTION;
}

enum status module_rows_find(struct module_rows *rows, enum trust source, uint64_t vaddr,
                             const struct row **out)
{
    switch (source) {
    case TRUST_DEBUG_FRAME:
        if (module_rows_go(rows) && go_writes_sp(module_rows_go(rows), vaddr))
            return STATUS_NOT_FOUND;
        return is_handler(rows, vaddr) ? STATUS_NOT_FOUND : find_cfi(rows, source, vaddr, out);
    case TRUST_EH_FRAME:
        return is_handler(rows, vaddr) ? STATUS_NOT_FOUND : find_cfi(rows, source, vaddr, out);
    case TRUST_PROLOGUE:
        return find_prologue(rows, vaddr, out);
    case TRUST_EXIDX:
        return find_exidx(rows, vaddr, out);
    case TRUST_GOPCLNTAB:
        return find_go(rows, vaddr, out);
    case TRUST_CONTEXT:
    case TRUST_EXCEPTION:
    case TRUST_KERNEL:
    case TRUST_FP:
    case TRUST_LR:
    case TRUST_SCAN:
        return STATUS_UNSUPPORTED;
    }
    return STATUS_UNSUPPORTED;
}
