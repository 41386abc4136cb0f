/* SPDX-License-Identifier: MIT */
/*
 * For tests of prologue analysis: a function's bytes, their disassembly, and the row before every
 * instruction.
 *
 * A row reads "rsp+16 rbx=c-16": the CFA, then where the caller's registers are that are not in
 * place any more (c is the CFA; [rbp-8] a saved word; r11 another register; u lost). The return
 * address is where it is at the function's start unless told: "sp+16 r4=c-8 ra=c-4" once LR was
 * saved. "u" alone: no row. "exception" ends the row of a handler, which returns to what was
 * interrupted.
 *
 * The code is at START; NORETURN is a function that does not return, all others do.
 */
#ifndef TEST_PROLOGUE_FIXTURE_H
#define TEST_PROLOGUE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unwind/prologue/prologue.h"
#include "unwind/row/row_print.h"

#define START    UINT64_C(0x401000)
#define NORETURN UINT64_C(0x500000)
#define OTHER    UINT64_C(0x600000)

struct line {
    const char *bytes;
    uint8_t size;
    const char *row; /* NULL: data, nothing is expected */
};

struct prologue_case {
    const char *name;
    const struct line *lines;
    size_t count;
};

#define CASE(lines)                                                                                \
    {                                                                                              \
#lines, lines, sizeof(lines) / sizeof(lines[0])                                            \
    }

/* The rows of a function; `out` is set anew. */
static inline enum status analyse_rows(const struct prologue_input *input, struct row_table *out)
{
    struct prologue *prologue;
    enum status status = prologue_create(input, &prologue);

    *out = (struct row_table){0};
    if (status != STATUS_OK)
        return status;
    status = prologue_rows(prologue, out);
    prologue_destroy(prologue);
    return status;
}

static inline void callee(void *context, uint64_t vaddr, enum code_mode mode, struct callee *out)
{
    (void)context;
    (void)mode;
    *out = (struct callee){.never_returns = vaddr == NORETURN, .pc_reg = REG_NONE};
}

/* A function put together, to be analysed. */
struct function {
    uint8_t own[1024];
    const uint8_t *bytes;
    struct prologue_input input;
};

static inline const uint8_t *function_bytes(const void *context, uint64_t vaddr, uint64_t *avail)
{
    const struct function *f = context;

    if (vaddr < START || vaddr >= f->input.end_vaddr)
        return NULL;
    *avail = f->input.end_vaddr - vaddr;
    return f->bytes + (vaddr - START);
}

static inline void begin(struct function *f, enum arch_id id, enum code_mode mode)
{
    *f = (struct function){
        .input = {.start_vaddr = START, .end_vaddr = START, .mode = mode, .callee = callee}};
    f->bytes = f->own;
    assert_int_equal(code_create(arch_get(id), function_bytes, function_bytes, f, &f->input.code),
                     STATUS_OK);
}

static inline void add(struct function *f, const char *bytes, size_t size)
{
    size_t used = (size_t)(f->input.end_vaddr - START);

    assert_true(used + size <= sizeof(f->own));
    memcpy(f->own + used, bytes, size);
    f->input.end_vaddr += size;
}

static inline void end(struct function *f)
{
    code_destroy(f->input.code);
}

static inline size_t append(char *text, size_t len, size_t size, const char *separator,
                            const char *value)
{
    int n = snprintf(text + len, size - len, "%s%s", separator, value);

    assert_true(n >= 0 && (size_t)n < size - len);
    return len + (size_t)n;
}

static inline bool in_place(uint8_t kind)
{
    return kind == RULE_UNSPECIFIED || kind == RULE_SAME;
}

static inline bool ra_as_at_entry(const struct arch *arch, const struct rule *ra)
{
    return arch->lr == REG_NONE ? ra->kind == RULE_AT_CFA && ra->off == -arch->cfa_entry_off
                                : in_place(ra->kind);
}

static inline const char *row_text(const struct arch *arch, const struct row *row, char *text,
                                   size_t size)
{
    char rule[64];
    size_t len = 0;

    if (!row || (row->cfa.kind == CFA_UNKNOWN && row->ra.kind != RULE_UNDEFINED))
        return "u";
    assert_true(row->source == TRUST_PROLOGUE || row->source == TRUST_EXCEPTION);
    assert_int_equal(row->signal_frame, row->source == TRUST_EXCEPTION);
    len = append(text, len, size, "", row_format_cfa(row, arch, rule, sizeof(rule)));
    for (unsigned reg = 0; reg < arch->reg_count; reg++) {
        if (in_place(row->regs[reg].kind) || reg == arch->pc || reg == arch->lr)
            continue;
        len = append(text, len, size, " ", arch_reg_names(arch)[reg]);
        len = append(text, len, size, "=", rule_format(&row->regs[reg], arch, rule, sizeof(rule)));
    }
    if (!ra_as_at_entry(arch, &row->ra))
        len = append(text, len, size, " ra=", rule_format(&row->ra, arch, rule, sizeof(rule)));
    if (row->source == TRUST_EXCEPTION)
        append(text, len, size, " ", "exception");
    return text;
}

/* Where a row is expected; NULL: there must be none, not even one that says nothing. */
struct place {
    uint64_t vaddr;
    const char *row;
};

/* Analyses the function as it is now: EXPECT_ROWS(&f, {START, "rsp+8"}, {START + 1, "rsp+16"}). */
static inline void expect_rows(const struct function *f, const struct place *places, size_t count)
{
    struct row_table table;
    char text[256];

    assert_int_equal(analyse_rows(&f->input, &table), STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        const struct row *row = row_table_find(&table, places[i].vaddr, &(struct row){0});
        const char *is = row_text(f->input.code->arch, row, text, sizeof(text));

        if (places[i].row ? strcmp(is, places[i].row) != 0 : row != NULL)
            fail_msg("+%llx: %s instead of %s", (unsigned long long)(places[i].vaddr - START), is,
                     places[i].row ? places[i].row : "no row");
    }
    row_table_deinit(&table);
}

#define EXPECT_ROWS(f, ...)                                                                        \
    expect_rows(f, (const struct place[]){__VA_ARGS__},                                            \
                sizeof((const struct place[]){__VA_ARGS__}) / sizeof(struct place))

static inline void check_case(enum arch_id id, enum code_mode mode, const struct prologue_case *c)
{
    const struct arch *arch = arch_get(id);
    struct function f;
    struct row_table table;
    uint64_t vaddr = START;
    char text[256];

    begin(&f, id, mode);
    for (size_t i = 0; i < c->count; i++)
        add(&f, c->lines[i].bytes, c->lines[i].size);
    assert_int_equal(analyse_rows(&f.input, &table), STATUS_OK);
    for (size_t i = 0; i < c->count; vaddr += c->lines[i++].size) {
        const struct line *line = &c->lines[i];
        const char *row =
            row_text(arch, row_table_find(&table, vaddr, &(struct row){0}), text, sizeof(text));

        if (!line->row)
            continue;
        if (strcmp(row, line->row) != 0)
            fail_msg("%s, line %zu: %s instead of %s", c->name, i, row, line->row);
        /* The row holds up to the instruction's last byte. */
        row = row_text(arch, row_table_find(&table, vaddr + line->size - 1, &(struct row){0}), text,
                       sizeof(text));
        assert_string_equal(row, line->row);
    }
    assert_null(row_table_find(&table, vaddr, &(struct row){0}));
    assert_null(row_table_find(&table, START - 1, &(struct row){0}));
    row_table_deinit(&table);
    end(&f);
}

static inline void check_cases(enum arch_id id, enum code_mode mode,
                               const struct prologue_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_case(id, mode, &cases[i]);
}

/*
 * Every prefix of every function, ended in mid-instruction too, in memory of exactly that size: the
 * function's first row is there as soon as its first instruction is whole.
 */
static inline void check_prefixes(enum arch_id id, enum code_mode mode,
                                  const struct prologue_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct prologue_case *c = &cases[i];
        uint64_t whole = 0;

        for (size_t k = 0; k < c->count; k++)
            whole += c->lines[k].size;
        for (uint64_t size = 1; size < whole; size++) {
            uint8_t *bytes = test_malloc(size);
            struct function f;
            struct row_table table;
            const char *row, *expected = size < c->lines[0].size ? "u" : c->lines[0].row;
            char text[256];

            begin(&f, id, mode);
            for (size_t k = 0; k < c->count; k++)
                add(&f, c->lines[k].bytes, c->lines[k].size);
            memcpy(bytes, f.own, size);
            f.bytes = bytes;
            f.input.end_vaddr = START + size;
            assert_int_equal(analyse_rows(&f.input, &table), STATUS_OK);
            row = row_text(arch_get(id), row_table_find(&table, START, &(struct row){0}), text,
                           sizeof(text));
            if (strcmp(row, expected) != 0)
                fail_msg("%s cut to %llu bytes: %s", c->name, (unsigned long long)size, row);
            assert_null(row_table_find(&table, START + size, &(struct row){0}));
            row_table_deinit(&table);
            end(&f);
            test_free(bytes);
        }
    }
}

#endif
