/* SPDX-License-Identifier: MIT */
#include "cfi_fixture.h"

#include <stdio.h>

#include "unwind/row/row_print.h"
#include "unwind/sources/cfi_program.h"

#define START UINT64_C(0x400000)

/*
 * The rows as text, "OFFSET CFA RULES" each, so that a test shows a whole program's outcome in one
 * string.
 */
struct text {
    const struct arch *arch;
    char text[8192];
    size_t len;
    uint64_t last_end;
    unsigned rows, stop_after;
};

static void append(struct text *t, const char *prefix, const char *value)
{
    int n = snprintf(t->text + t->len, sizeof(t->text) - t->len, "%s%s", prefix, value);

    assert_true(n >= 0 && (size_t)n < sizeof(t->text) - t->len);
    t->len += (size_t)n;
}

static bool take_row(void *context, const struct row *row)
{
    struct text *t = context;
    char number[32], rule[64];

    assert_int_equal(row->start_vaddr, t->last_end); /* without gap or overlap */
    assert_true(row->end_vaddr > row->start_vaddr);
    t->last_end = row->end_vaddr;
    snprintf(number, sizeof(number), "%d ", (int)(row->start_vaddr - START));
    append(t, t->rows ? "; " : "", number);
    append(t, "", row_format_cfa(row, t->arch, rule, sizeof(rule)));
    for (unsigned reg = 0; reg < t->arch->reg_count; reg++) {
        if (row->regs[reg].kind == RULE_UNSPECIFIED)
            continue;
        append(t, " ", reg == t->arch->ra_column ? "ra" : arch_reg_names(t->arch)[reg]);
        append(t, "=", rule_format(&row->regs[reg], t->arch, rule, sizeof(rule)));
    }
    if (row->signal_frame)
        append(t, " signal", "");
    if (row->ra_signed)
        append(t, " signed", "");
    return ++t->rows != t->stop_after;
}

static enum status run_with(const struct asm_section *s, size_t cie_off, size_t fde_off,
                            cfi_row_fn *deliver, void *context)
{
    struct cfi_section section = asm_end(s);
    struct cfi_entry cie_entry, fde_entry;
    struct cfi_cie cie;
    struct cfi_fde fde;

    assert_int_equal(cfi_entry_at(&section, cie_off, &cie_entry), STATUS_OK);
    assert_int_equal(cfi_cie_read(&section, &cie_entry, &cie), STATUS_OK);
    assert_int_equal(cfi_entry_at(&section, fde_off, &fde_entry), STATUS_OK);
    assert_int_equal(cfi_fde_read(&section, &fde_entry, &cie, &fde), STATUS_OK);
    return cfi_program_run(&section, TRUST_EH_FRAME, &cie, &fde, deliver, context);
}

static enum status run_section(const struct asm_section *s, size_t cie_off, size_t fde_off,
                               struct text *t)
{
    t->arch = arch_get(s->arch);
    t->last_end = START;
    return run_with(s, cie_off, fde_off, take_row, t);
}

/* Runs an FDE of 64 bytes at START under a CIE with `initial`. */
static enum status run(struct program_bytes initial, struct program_bytes program, struct text *t)
{
    struct asm_section s = asm_begin(true);
    size_t cie = asm_cie(&s, "zR", "\x1b", 1, 1, initial);
    size_t fde = asm_fde(&s, cie, START, 64, program);

    *t = (struct text){.rows = 0};
    return run_section(&s, cie, fde, t);
}

static void expect(struct program_bytes program, const char *rows)
{
    struct text t;

    assert_int_equal(run(ENTRY, program, &t), STATUS_OK);
    assert_string_equal(t.text, rows);
    assert_int_equal(t.last_end, START + 64);
}

/* The rows before the failure stand. */
static void expect_failure(struct program_bytes program, enum status status, const char *rows)
{
    struct text t;

    assert_int_equal(run(ENTRY, program, &t), status);
    assert_string_equal(t.text, rows);
}

TEST(program_without_instructions_is_the_cies_row)
{
    expect(NO_PROGRAM, "0 rsp+8 ra=c-8");
    expect(PROGRAM(0, 0, 0), "0 rsp+8 ra=c-8"); /* nop */
}

TEST(program_gcc_frame_gives_its_rows)
{
    /* push %rbp; mov %rsp,%rbp; …; leave; ret */
    expect(PROGRAM(0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x6a, 0x0c, 7, 8),
           "0 rsp+8 ra=c-8; 1 rsp+16 rbp=c-16 ra=c-8; 4 rbp+16 rbp=c-16 ra=c-8; "
           "46 rsp+8 rbp=c-16 ra=c-8");
}

TEST(program_location_instructions_advance)
{
    /* advance_loc, _loc1, _loc2, _loc4 and MIPS_advance_loc8, a CFA offset each */
    expect(PROGRAM(0x41, 0x0e, 1, 0x02, 2, 0x0e, 2, 0x03, 3, 0, 0x0e, 3, 0x04, 4, 0, 0, 0, 0x0e, 4,
                   0x1d, 5, 0, 0, 0, 0, 0, 0, 0, 0x0e, 5),
           "0 rsp+8 ra=c-8; 1 rsp+1 ra=c-8; 3 rsp+2 ra=c-8; 6 rsp+3 ra=c-8; 10 rsp+4 ra=c-8; "
           "15 rsp+5 ra=c-8");
}

TEST(program_set_loc_uses_the_fdes_encoding)
{
    struct asm_section s = asm_begin(true);
    struct text t = {.rows = 0};
    size_t cie = asm_gcc_cie(&s);
    size_t fde = asm_entry_begin(&s);

    asm_id(&s, cie);
    asm_uint(&s, START - (SECTION_VADDR + s.size), 4);
    asm_uint(&s, 64, 4);
    asm_uint(&s, 0, 1);
    asm_uint(&s, 0x01, 1); /* DW_CFA_set_loc START + 7, PC-relative */
    asm_uint(&s, START + 7 - (SECTION_VADDR + s.size), 4);
    asm_bytes(&s, "\x0e\x10", 2);
    asm_entry_end(&s, fde);
    assert_int_equal(run_section(&s, cie, fde, &t), STATUS_OK);
    assert_string_equal(t.text, "0 rsp+8 ra=c-8; 7 rsp+16 ra=c-8");

    /* In .debug_frame it is an address. */
    s = asm_begin(false);
    cie = asm_gcc_cie(&s);
    fde = asm_fde(&s, cie, START, 64, PROGRAM(0x01, 7, 0, 0x40, 0, 0, 0, 0, 0, 0x0e, 16));
    t = (struct text){.rows = 0};
    assert_int_equal(run_section(&s, cie, fde, &t), STATUS_OK);
    assert_string_equal(t.text, "0 rsp+8 ra=c-8; 7 rsp+16 ra=c-8");
}

TEST(program_locations_must_ascend)
{
    struct asm_section s = asm_begin(false);
    struct text t = {.rows = 0};
    size_t cie = asm_gcc_cie(&s);
    size_t fde = asm_fde(&s, cie, START, 64, PROGRAM(0x44, 0x01, 3, 0, 0x40, 0, 0, 0, 0, 0));

    assert_int_equal(run_section(&s, cie, fde, &t), STATUS_BAD_DATA);
    assert_string_equal(t.text, "0 rsp+8 ra=c-8");
}

TEST(program_advance_of_nothing_makes_no_row)
{
    expect(PROGRAM(0x40, 0x0e, 16, 0x02, 0, 0x44), "0 rsp+16 ra=c-8; 4 rsp+16 ra=c-8");
}

TEST(program_advance_beyond_the_range_ends_it)
{
    expect(PROGRAM(0x7f, 0x0e, 16, 0x41, 0x0e, 24), "0 rsp+8 ra=c-8; 63 rsp+16 ra=c-8");
    expect(PROGRAM(0x04, 0xff, 0xff, 0xff, 0xff, 0x0e, 16), "0 rsp+8 ra=c-8");
    /* What stands behind the end is not even looked at. */
    expect(PROGRAM(0x02, 200, 0x3c), "0 rsp+8 ra=c-8");
}

TEST(program_advance_that_overflows_is_bad)
{
    struct asm_section s = asm_begin(true);
    struct text t = {.rows = 0};
    size_t cie = asm_entry_begin(&s);
    size_t fde;

    asm_id(&s, SIZE_MAX);
    /* version 1, "zR", code alignment 2^63, data alignment -8, RA 16 */
    asm_bytes(&s, "\1zR\0\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01\x78\x10\x01\x1b", 18);
    asm_bytes(&s, ENTRY.bytes, 5);
    asm_entry_end(&s, cie);
    fde = asm_fde(&s, cie, START, 64, PROGRAM(0x42));
    assert_int_equal(run_section(&s, cie, fde, &t), STATUS_BAD_DATA);
    assert_int_equal(t.rows, 0);
}

TEST(program_cfa_instructions_set_the_cfa)
{
    expect(PROGRAM(0x0c, 6, 16), "0 rbp+16 ra=c-8");    /* def_cfa */
    expect(PROGRAM(0x12, 6, 0x7e), "0 rbp+16 ra=c-8");  /* def_cfa_sf: -2 × -8 */
    expect(PROGRAM(0x0d, 10), "0 r10+8 ra=c-8");        /* def_cfa_register */
    expect(PROGRAM(0x0e, 0x80, 1), "0 rsp+128 ra=c-8"); /* def_cfa_offset */
    expect(PROGRAM(0x13, 0x7c), "0 rsp+32 ra=c-8");     /* def_cfa_offset_sf: -4 × -8 */
    expect(PROGRAM(0x13, 1), "0 rsp-8 ra=c-8");         /* the same, of other sign */
    expect(PROGRAM(0x0f, 2, 0x77, 8), "0 exp ra=c-8");  /* def_cfa_expression */
    expect(PROGRAM(0x0f, 1, 0x30, 0x0c, 7, 8), "0 rsp+8 ra=c-8");
}

TEST(program_cfa_parts_need_a_register_cfa)
{
    expect_failure(PROGRAM(0x0f, 1, 0x30, 0x0d, 6), STATUS_BAD_DATA, "");
    expect_failure(PROGRAM(0x0f, 1, 0x30, 0x0e, 16), STATUS_BAD_DATA, "");
    expect_failure(PROGRAM(0x0f, 1, 0x30, 0x13, 1), STATUS_BAD_DATA, "");
}

TEST(program_register_instructions_set_rules)
{
    expect(PROGRAM(0x83, 3), "0 rsp+8 rbx=c-24 ra=c-8");          /* offset */
    expect(PROGRAM(0x05, 3, 3), "0 rsp+8 rbx=c-24 ra=c-8");       /* offset_extended */
    expect(PROGRAM(0x11, 3, 0x7d), "0 rsp+8 rbx=c+24 ra=c-8");    /* offset_extended_sf */
    expect(PROGRAM(0x2f, 3, 3), "0 rsp+8 rbx=c+24 ra=c-8");       /* GNU_negative_offset_extended */
    expect(PROGRAM(0x14, 3, 2), "0 rsp+8 rbx=v-16 ra=c-8");       /* val_offset */
    expect(PROGRAM(0x15, 3, 0x7e), "0 rsp+8 rbx=v+16 ra=c-8");    /* val_offset_sf */
    expect(PROGRAM(0x07, 3), "0 rsp+8 rbx=u ra=c-8");             /* undefined */
    expect(PROGRAM(0x08, 3), "0 rsp+8 rbx=s ra=c-8");             /* same_value */
    expect(PROGRAM(0x09, 3, 12), "0 rsp+8 rbx=r12 ra=c-8");       /* register */
    expect(PROGRAM(0x09, 3, 0xff, 1), "0 rsp+8 rbx=u ra=c-8");    /* … that no sample holds */
    expect(PROGRAM(0x10, 3, 1, 0x30), "0 rsp+8 rbx=exp ra=c-8");  /* expression */
    expect(PROGRAM(0x16, 3, 1, 0x30), "0 rsp+8 rbx=vexp ra=c-8"); /* val_expression */
    expect(PROGRAM(0x07, 16), "0 rsp+8 ra=u");                    /* the outermost frame */
    expect(PROGRAM(0x2e, 16), "0 rsp+8 ra=c-8");                  /* GNU_args_size */
}

static bool take_args_size(void *context, const struct row *row)
{
    uint32_t *sizes = context;

    sizes[row->start_vaddr - START] = row->args_size;
    return true;
}

TEST(program_args_size_is_the_rows_and_never_remembered)
{
    struct asm_section s = asm_begin(true);
    size_t cie = asm_gcc_cie(&s);
    /* remember_state; +1 GNU_args_size 16; +1 restore_state; +1 GNU_args_size 0 */
    size_t fde =
        asm_fde(&s, cie, START, 64, PROGRAM(0x0a, 0x41, 0x2e, 16, 0x41, 0x0b, 0x41, 0x2e, 0));
    struct cfi_section section = asm_end(&s);
    struct cfi_entry entry;
    struct cfi_cie c;
    struct cfi_fde f;
    uint32_t sizes[4] = {9, 9, 9, 9};

    assert_int_equal(cfi_entry_at(&section, cie, &entry), STATUS_OK);
    assert_int_equal(cfi_cie_read(&section, &entry, &c), STATUS_OK);
    assert_int_equal(cfi_entry_at(&section, fde, &entry), STATUS_OK);
    assert_int_equal(cfi_fde_read(&section, &entry, &c, &f), STATUS_OK);
    assert_int_equal(cfi_program_run(&section, TRUST_EH_FRAME, &c, &f, take_args_size, sizes),
                     STATUS_OK);
    assert_int_equal(sizes[0], 0);
    assert_int_equal(sizes[1], 16);
    assert_int_equal(sizes[2], 16);
    assert_int_equal(sizes[3], 0);
}

static bool take_expressions(void *context, const struct row *row)
{
    (void)context;
    assert_int_equal(row->cfa.expr_size, 2);
    assert_memory_equal(row->exprs + row->cfa.off, "\x77\x08", 2);
    assert_int_equal(row->regs[3].expr_size, 1);
    assert_memory_equal(row->exprs + row->regs[3].off, "\x31", 1);
    return true;
}

TEST(program_expressions_are_found_in_the_section)
{
    struct asm_section s = asm_begin(true);
    size_t cie = asm_gcc_cie(&s);
    size_t fde = asm_fde(&s, cie, START, 64, PROGRAM(0x0f, 2, 0x77, 8, 0x16, 3, 1, 0x31));

    assert_int_equal(run_with(&s, cie, fde, take_expressions, NULL), STATUS_OK);
}

TEST(program_restore_means_the_cies_rule)
{
    struct text t;

    /* The CIE saves rbx; the FDE moves it, then restores it by both instructions. */
    assert_int_equal(
        run(PROGRAM(0x0c, 7, 8, 0x90, 1, 0x83, 5),
            PROGRAM(0x41, 0x83, 2, 0x86, 3, 0x41, 0xc3, 0xc6, 0x41, 0x83, 9, 0x41, 0x06, 3), &t),
        STATUS_OK);
    assert_string_equal(t.text, "0 rsp+8 rbx=c-40 ra=c-8; 1 rsp+8 rbx=c-16 rbp=c-24 ra=c-8; "
                                "2 rsp+8 rbx=c-40 ra=c-8; 3 rsp+8 rbx=c-72 ra=c-8; "
                                "4 rsp+8 rbx=c-40 ra=c-8");
}

TEST(program_remembered_states_nest)
{
    /* remember, CFA+16, remember, CFA+24 with rbx saved, restore, restore */
    expect(PROGRAM(0x0a, 0x41, 0x0e, 16, 0x0a, 0x41, 0x0e, 24, 0x83, 3, 0x41, 0x0b, 0x41, 0x0b),
           "0 rsp+8 ra=c-8; 1 rsp+16 ra=c-8; 2 rsp+24 rbx=c-24 ra=c-8; 3 rsp+16 ra=c-8; "
           "4 rsp+8 ra=c-8");
}

TEST(program_restored_state_keeps_the_location)
{
    /* The epilogue in mid-function: what follows has the frame again, and the CFA with it. */
    expect(PROGRAM(0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x46, 0x0a, 0xc6, 0x0c, 7, 8, 0x41,
                   0x0b),
           "0 rsp+8 ra=c-8; 1 rsp+16 rbp=c-16 ra=c-8; 4 rbp+16 rbp=c-16 ra=c-8; 10 rsp+8 ra=c-8; "
           "11 rbp+16 rbp=c-16 ra=c-8");
}

TEST(program_remember_is_bounded_and_restore_needs_it)
{
    struct program_bytes many = {.size = CFI_REMEMBER_MAX};
    struct text t;

    memset(many.bytes, 0x0a, sizeof(many.bytes));
    assert_int_equal(run(ENTRY, many, &t), STATUS_OK);
    many.size++;
    assert_int_equal(run(ENTRY, many, &t), STATUS_BAD_DATA);
    expect_failure(PROGRAM(0x41, 0x0b), STATUS_BAD_DATA, "0 rsp+8 ra=c-8");
    /* What the CIE remembered is not the FDE's to restore. */
    assert_int_equal(run(PROGRAM(0x0c, 7, 8, 0x0a), PROGRAM(0x0b), &t), STATUS_BAD_DATA);
}

TEST(program_registers_without_a_place_are_ignored)
{
    /* DW_CFA_offset and others of register 60 (and 200, as ULEB128): mask registers and the like */
    expect(PROGRAM(0x80 | 60, 2, 0xc0 | 60, 0x05, 0xc8, 1, 2, 0x06, 0xc8, 1, 0x07, 0xc8, 1, 0x08,
                   0xc8, 1, 0x09, 0xc8, 1, 3, 0x10, 0xc8, 1, 1, 0x30),
           "0 rsp+8 ra=c-8");
    expect_failure(PROGRAM(0x0c, 60, 8), STATUS_UNSUPPORTED, ""); /* but not as the CFA's */
    expect_failure(PROGRAM(0x0d, 0xc8, 1), STATUS_UNSUPPORTED, "");
}

TEST(program_unknown_instruction_ends_with_what_was_before)
{
    expect_failure(PROGRAM(0x41, 0x0e, 16, 0x42, 0x3c, 0x42), STATUS_UNSUPPORTED,
                   "0 rsp+8 ra=c-8; 1 rsp+16 ra=c-8");
    expect_failure(PROGRAM(0x41, 0x17), STATUS_UNSUPPORTED, "0 rsp+8 ra=c-8");
    expect_failure(PROGRAM(0x41, 0x2c), STATUS_UNSUPPORTED, "0 rsp+8 ra=c-8"); /* AArch64's */
    expect_failure(PROGRAM(0x41, 0x2d), STATUS_UNSUPPORTED, "0 rsp+8 ra=c-8");
}

TEST(program_that_runs_off_its_end_is_bad)
{
    static const struct program_bytes cut[] = {
        {{0x41, 0x02}, 2},          {{0x41, 0x03, 1}, 3},
        {{0x41, 0x04, 1, 2, 3}, 5}, {{0x41, 0x01, 1, 2}, 4},
        {{0x41, 0x83}, 2},          {{0x41, 0x83, 0x80}, 3},
        {{0x41, 0x0c, 7}, 3},       {{0x41, 0x0e}, 2},
        {{0x41, 0x0d, 0x80}, 3},    {{0x41, 0x12, 7}, 3},
        {{0x41, 0x13}, 2},          {{0x41, 0x0f, 2, 0x77}, 4},
        {{0x41, 0x0f}, 2},          {{0x41, 0x10, 3, 9, 0x77}, 5},
        {{0x41, 0x16, 3}, 3},       {{0x41, 0x05, 3}, 3},
        {{0x41, 0x09, 3}, 3},       {{0x41, 0x11, 3}, 3},
        {{0x41, 0x14, 3}, 3},       {{0x41, 0x07}, 2},
        {{0x41, 0x2e}, 2},
    };

    for (size_t i = 0; i < sizeof(cut) / sizeof(cut[0]); i++)
        expect_failure(cut[i], STATUS_BAD_DATA, "0 rsp+8 ra=c-8");
}

TEST(program_offsets_that_do_not_fit_are_bad)
{
    expect_failure(PROGRAM(0x83, 0xff, 0xff, 0xff, 0xff, 0x7f), STATUS_BAD_DATA, "");
    expect_failure(PROGRAM(0x83, 0xff, 0xff, 0xff, 0xff, 0x03), STATUS_BAD_DATA, ""); /* × 8 */
    expect_failure(PROGRAM(0x0e, 0xff, 0xff, 0xff, 0xff, 0x0f), STATUS_BAD_DATA, "");
    expect_failure(PROGRAM(0x11, 3, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f),
                   STATUS_BAD_DATA, "");
}

TEST(program_cie_must_not_advance)
{
    struct text t;

    assert_int_equal(run(PROGRAM(0x0c, 7, 8, 0x41), NO_PROGRAM, &t), STATUS_BAD_DATA);
    assert_int_equal(t.rows, 0);
}

TEST(program_without_cfa_rule_has_an_unknown_cfa)
{
    struct text t;

    assert_int_equal(run(NO_PROGRAM, PROGRAM(0x41, 0x0c, 7, 8), &t), STATUS_OK);
    assert_string_equal(t.text, "0 u; 1 rsp+8");
    assert_int_equal(run(NO_PROGRAM, PROGRAM(0x0e, 8), &t), STATUS_BAD_DATA);
}

TEST(program_receiver_may_end_it)
{
    struct asm_section s = asm_begin(true);
    struct text t = {.stop_after = 2};
    size_t cie = asm_gcc_cie(&s);
    size_t fde = asm_fde(&s, cie, START, 64, PROGRAM(0x41, 0x0e, 16, 0x41, 0x0e, 24, 0x41, 0x3c));

    assert_int_equal(run_section(&s, cie, fde, &t), STATUS_OK);
    assert_string_equal(t.text, "0 rsp+8 ra=c-8; 1 rsp+16 ra=c-8");
}

TEST(program_signal_frames_are_marked)
{
    struct asm_section s = asm_begin(true);
    struct text t = {.rows = 0};
    size_t cie = asm_cie(&s, "zRS", "\x1b", 1, 1, ENTRY);
    size_t fde = asm_fde(&s, cie, START, 64, NO_PROGRAM);

    assert_int_equal(run_section(&s, cie, fde, &t), STATUS_OK);
    assert_string_equal(t.text, "0 rsp+8 ra=c-8 signal");
}

TEST(program_aarch64_return_address_signing_toggles)
{
    struct asm_section s = asm_begin(true);
    struct text t = {.rows = 0};
    size_t cie, fde;

    s.arch = ARCH_AARCH64;
    cie = asm_cie(&s, "zR", "\x1b", 1, 1, PROGRAM(0x0c, 31, 0));
    s.bytes[cie + 14] = 30; /* RA column: x30 */
    /* paciasp; stp x29, x30, [sp, -16]!; …; autiasp */
    fde = asm_fde(&s, cie, START, 64,
                  PROGRAM(0x44, 0x2d, 0x44, 0x0e, 16, 0x9d, 2, 0x9e, 1, 0x48, 0x2d));
    assert_int_equal(run_section(&s, cie, fde, &t), STATUS_OK);
    assert_string_equal(t.text, "0 sp+0; 4 sp+0 signed; 8 sp+16 x29=c-16 ra=c-8 signed; "
                                "16 sp+16 x29=c-16 ra=c-8");
}

/* DW_CFA_AARCH64_negate_ra_state_with_pc */
TEST(program_aarch64_return_address_may_be_signed_with_the_pc)
{
    struct asm_section s = asm_begin(true);
    struct text t = {.rows = 0};
    size_t cie, fde;

    s.arch = ARCH_AARCH64;
    cie = asm_cie(&s, "zR", "\x1b", 1, 1, PROGRAM(0x0c, 31, 0));
    s.bytes[cie + 14] = 30;
    fde = asm_fde(&s, cie, START, 64, PROGRAM(0x44, 0x2c, 0x44, 0x0e, 16, 0x9e, 1, 0x48, 0x2c));
    assert_int_equal(run_section(&s, cie, fde, &t), STATUS_OK);
    assert_string_equal(t.text, "0 sp+0; 4 sp+0 signed; 8 sp+16 ra=c-8 signed; 16 sp+16 ra=c-8");
}

/* DWARF's 32 and 33 are f0 and f1 there, ours pc and mepc. */
TEST(program_riscv_floating_point_registers_are_none_of_ours)
{
    struct asm_section s = asm_begin(true);
    struct text t = {.rows = 0};
    size_t cie, fde;

    s.arch = ARCH_RISCV64;
    cie = asm_cie(&s, "zR", "\x1b", 1, 1, PROGRAM(0x0c, 2, 0));
    s.bytes[cie + 14] = 1; /* RA column: ra */
    fde = asm_fde(&s, cie, START, 64,
                  PROGRAM(0x44, 0x0e, 16, 0x81, 1, 0xa0, 2, 0xa1, 3, 0x44, 0x05, 33, 2, 0xe1, 0x09,
                          33, 1, 0x09, 8, 33));
    assert_int_equal(run_section(&s, cie, fde, &t), STATUS_OK);
    assert_string_equal(t.text, "0 sp+0; 4 sp+16 ra=c-8; 8 sp+16 ra=c-8 s0=u");
    t = (struct text){.rows = 0};
    fde = asm_fde(&s, cie, START, 64, PROGRAM(0x0c, 33, 0)); /* CFA: f1 */
    assert_int_equal(run_section(&s, cie, fde, &t), STATUS_UNSUPPORTED);
}

/* GNU as for RISC-V names the CFA's register alone; the offset is 0. */
TEST(program_register_of_no_cfa_yet_has_no_offset)
{
    struct text t;

    assert_int_equal(run(PROGRAM(0x0d, 7), PROGRAM(0x42, 0x0e, 16), &t), STATUS_OK);
    assert_string_equal(t.text, "0 rsp+0; 2 rsp+16");
}

/* RISC-V's outlined prologues return by t0; the rule of ra, if any, is that of their caller's. */
TEST(program_other_return_column_is_a_register)
{
    struct asm_section s = asm_begin(true);
    struct text t = {.rows = 0};
    size_t cie, fde;

    s.arch = ARCH_RISCV64;
    cie = asm_cie(&s, "zR", "\x1b", 1, 1, PROGRAM(0x0d, 2));
    s.bytes[cie + 14] = 5; /* RA column: t0 */
    fde = asm_fde(&s, cie, START, 64, PROGRAM(0x44, 0x0e, 16, 0x44, 0x81, 1));
    assert_int_equal(run_section(&s, cie, fde, &t), STATUS_OK);
    assert_string_equal(t.text, "0 sp+0 ra=s; 4 sp+16 ra=s; 8 sp+16 ra=c-8");
}

TEST(program_longer_than_the_cap_is_unsupported)
{
    struct asm_section s = asm_begin(true);
    struct cfi_cie cie = {.code_align = 1, .data_align = -8, .ra_reg = 16};
    struct cfi_fde fde = {.start_vaddr = START, .end_vaddr = START + 64};
    struct text t = {.arch = arch_get(ARCH_X86_64), .last_end = START};
    struct cfi_section section = asm_end(&s);

    fde.program_size = CFI_PROGRAM_MAX + 1;
    assert_int_equal(cfi_program_run(&section, TRUST_EH_FRAME, &cie, &fde, take_row, &t),
                     STATUS_UNSUPPORTED);
    fde.program_size = 0;
    cie.ra_reg = ARCH_REG_MAX;
    assert_int_equal(cfi_program_run(&section, TRUST_EH_FRAME, &cie, &fde, take_row, &t),
                     STATUS_UNSUPPORTED);
    assert_int_equal(t.rows, 0);
}
