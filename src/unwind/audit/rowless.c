/* SPDX-License-Identifier: MIT */
#include "unwind/audit/rowless.h"

#include "base/search.h"
#include "symbol/elf/function_starts.h"
#include "unwind/audit/audit_private.h"
#include "unwind/code/code.h"
#include "unwind/functions/functions.h"
#include "unwind/prologue/prologue.h"
#include "unwind/sources/cfi.h"

#define ADDRESS_MAX (UINT64_MAX - 0xffff) /* above, sums of addresses could wrap */

/* Undecodable bytes, and one in how many bytes, that make a range data. */
#define NUMBERS_MIN   64
#define NUMBERS_SHARE 8

struct counter {
    struct module_rows *rows;
    struct code *code;
    struct function_starts *starts; /* for the mapping symbols */
    enum rowless_source source;
    struct rowless *out;
    enum status failed;
    /* The current range. */
    struct row_table table;
    const struct prologue *prologue;
    struct rowless_range range;
};

/* Up to where the rows of an FDE answer without a gap. */
struct cover {
    uint64_t done_vaddr;
};

static bool cover_row(void *context, const struct row *row)
{
    struct cover *cover = context;

    if (row->start_vaddr <= cover->done_vaddr && row->end_vaddr > cover->done_vaddr &&
        audit_answers(row))
        cover->done_vaddr = row->end_vaddr;
    return true;
}

/* Do CFI rows cover the whole range? Those of .ARM.exidx hold at calls only and do not count. */
static enum status is_in_tables(struct counter *c, uint64_t start_vaddr, uint64_t end_vaddr,
                                bool *out)
{
    static const enum trust tables[] = {TRUST_DEBUG_FRAME, TRUST_EH_FRAME};

    *out = false;
    for (size_t i = 0; c->source == ROWLESS_ANY && i < sizeof(tables) / sizeof(tables[0]); i++) {
        struct cfi *cfi = module_rows_cfi(c->rows, tables[i]);
        struct cover cover = {.done_vaddr = start_vaddr};

        if (cfi && cfi_rows_at(cfi, start_vaddr, cover_row, &cover) == STATUS_NO_MEMORY)
            return STATUS_NO_MEMORY;
        if (cover.done_vaddr >= end_vaddr) {
            *out = true;
            break;
        }
    }
    return STATUS_OK;
}

/* Has an instruction of a function that tables do not cover completely a row in a table? */
static bool has_table_row(struct counter *c, uint64_t vaddr)
{
    const struct row *row;

    return c->source == ROWLESS_ANY &&
           ((module_rows_find(c->rows, TRUST_DEBUG_FRAME, vaddr, &row) == STATUS_OK &&
             audit_answers(row)) ||
            (module_rows_find(c->rows, TRUST_EH_FRAME, vaddr, &row) == STATUS_OK &&
             audit_answers(row)) ||
            module_rows_find(c->rows, TRUST_GOPCLNTAB, vaddr, &row) == STATUS_OK);
}

static void count(struct counter *c, const struct code_insn *insn, bool has_row)
{
    c->out->code_bytes += insn->size;
    if (!has_row && !has_table_row(c, insn->vaddr))
        c->range.bytes += insn->size;
}

static bool take_insn(void *context, const struct code_insn *insn, const struct state *state,
                      bool guessed)
{
    struct counter *c = context;
    struct row room;

    if (!insn->padding || (state && !guessed))
        count(c, insn, audit_answers(row_table_find(&c->table, insn->vaddr, &room)));
    return true;
}

/*
 * Counts code without analysis, or in no function: not what symbols say is data, nor a range of
 * which much cannot be decoded (tables of constants).
 */
static void take_unanalysed(struct counter *c, uint64_t vaddr, uint64_t end_vaddr,
                            enum code_mode mode)
{
    const uint64_t code_bytes = c->out->code_bytes, range_bytes = c->range.bytes;
    uint64_t until_vaddr = 0, undecoded = 0, start_vaddr = vaddr;
    enum code_kind kind = KIND_UNKNOWN;
    uint8_t instruction_context = 0;
    bool ended = true;

    while (vaddr < end_vaddr) {
        struct code_insn insn;
        uint32_t index;
        enum status status;

        if (vaddr >= until_vaddr)
            kind = code_kind_at(c->starts, vaddr, &until_vaddr);
        if (kind == KIND_CODE || kind == KIND_OTHER_CODE)
            mode = kind == KIND_CODE ? CODE_DEFAULT : CODE_T32;
        code_trim(c->code, CODE_INSNS_SEARCHED);
        status = kind == KIND_DATA ? STATUS_NOT_FOUND
                                   : code_get(c->code, vaddr, mode, instruction_context, &index);
        if (status == STATUS_NO_MEMORY) {
            c->failed = status;
            return;
        }
        if (status != STATUS_OK) {
            vaddr += c->code->unit;
            undecoded += kind == KIND_DATA ? 0 : c->code->unit;
            instruction_context = 0;
            ended = true;
            continue;
        }
        insn = *code_insn(c->code, index);
        ended = ended && insn.padding;
        if (!ended)
            count(c, &insn, false);
        ended = ended || insn.flow == FLOW_RETURN || insn.flow == FLOW_JUMP ||
                insn.flow == FLOW_INDIRECT || insn.flow == FLOW_STOP;
        vaddr += insn.size;
        instruction_context = insn.next_context;
    }
    if (undecoded >= NUMBERS_MIN && undecoded >= (end_vaddr - start_vaddr) / NUMBERS_SHARE) {
        c->out->code_bytes = code_bytes;
        c->range.bytes = range_bytes;
    }
}

static void begin_range(struct counter *c, uint64_t start_vaddr, uint64_t end_vaddr,
                        bool is_function)
{
    c->range = (struct rowless_range){.start_vaddr = start_vaddr,
                                      .end_vaddr = end_vaddr,
                                      .is_function = is_function};
}

static void end_range(struct counter *c)
{
    struct rowless *out = c->out;
    size_t at = out->largest_count;

    out->bytes += c->range.bytes;
    if (!c->range.is_function)
        out->outside_bytes += c->range.bytes;
    while (at > 0 && out->largest[at - 1].bytes < c->range.bytes)
        at--;
    if (c->range.bytes == 0 || at == ROWLESS_LARGEST)
        return;
    if (out->largest_count < ROWLESS_LARGEST)
        out->largest_count++;
    for (size_t i = out->largest_count - 1; i > at; i--)
        out->largest[i] = out->largest[i - 1];
    out->largest[at] = c->range;
}

static void take_outside(struct counter *c, uint64_t start_vaddr, uint64_t end_vaddr,
                         enum code_mode mode)
{
    if (start_vaddr >= end_vaddr || c->failed != STATUS_OK)
        return;
    begin_range(c, start_vaddr, end_vaddr, false);
    take_unanalysed(c, start_vaddr, end_vaddr, mode);
    end_range(c);
}

static void take_function(struct counter *c, const struct code_function *function)
{
    enum status status;
    bool covered;

    c->failed = is_in_tables(c, function->start_vaddr, function->end_vaddr, &covered);
    if (c->failed != STATUS_OK)
        return;
    if (covered) {
        c->out->code_bytes += function->end_vaddr - function->start_vaddr;
        return;
    }
    begin_range(c, function->start_vaddr, function->end_vaddr, true);
    status = module_rows_prologue(c->rows, function->start_vaddr, &c->prologue);
    if (status == STATUS_OK)
        status = prologue_rows(c->prologue, &c->table);
    if (status == STATUS_OK) {
        prologue_visit(c->prologue, take_insn, c);
        row_table_deinit(&c->table);
    } else if (status == STATUS_NO_MEMORY) {
        c->failed = status;
    } else {
        take_unanalysed(c, function->start_vaddr, function->end_vaddr,
                        (enum code_mode)function->mode);
    }
    end_range(c);
}

/* Counts the functions that begin in the range, and the code between them. */
static void take_range(struct counter *c, uint64_t start_vaddr, uint64_t end_vaddr)
{
    uint64_t done_vaddr = start_vaddr;
    enum code_mode mode = CODE_DEFAULT;
    const struct functions *functions;
    size_t at;

    c->failed = module_rows_functions(c->rows, &functions);
    if (c->failed != STATUS_OK)
        return;
    at = SEARCH_FIRST(i, 0, functions->count, functions->items[i].start_vaddr < start_vaddr);
    while (c->failed == STATUS_OK) {
        struct code_function function;

        c->failed = module_rows_functions(c->rows, &functions);
        if (c->failed != STATUS_OK || at == functions->count ||
            functions->items[at].start_vaddr >= end_vaddr)
            break;
        function = functions->items[at++];
        if (function.end_vaddr > end_vaddr)
            function.end_vaddr = end_vaddr;
        take_outside(c, done_vaddr, function.start_vaddr, mode);
        mode = (enum code_mode)function.mode;
        if (c->failed == STATUS_OK)
            take_function(c, &function);
        if (function.end_vaddr > done_vaddr)
            done_vaddr = function.end_vaddr;
    }
    take_outside(c, done_vaddr, end_vaddr, mode);
}

enum status rowless_count(struct module_rows *rows, struct module_set *set, struct module *module,
                          enum rowless_source source, struct rowless *out)
{
    struct counter c = {.rows = rows, .source = source, .out = out};
    size_t count;
    const struct vaddr_range *ranges;

    *out = (struct rowless){0};
    c.failed = module_rows_code(rows, &c.code);
    if (c.failed != STATUS_OK)
        return c.failed;
    ranges = elf_image_exec_ranges(module->image, &count);
    c.failed = function_starts_create(module->image, module_symtab(set, module), false, &c.starts);
    for (size_t i = 0; i < count && c.failed == STATUS_OK; i++)
        if (ranges[i].end_vaddr <= ADDRESS_MAX)
            take_range(&c, ranges[i].start_vaddr,
                       elf_image_end_in_file(module->image, ranges[i].start_vaddr,
                                             ranges[i].end_vaddr));
    function_starts_destroy(c.starts);
    return c.failed;
}
