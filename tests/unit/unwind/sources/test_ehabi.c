/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"
#include "unwind/row/row_print.h"
#include "unwind/sources/ehabi.h"

#define TEXT_MAX 256

/* The instructions of a program, in the order of execution. */
#define P(...) ((struct program){.bytes = {__VA_ARGS__}, .size = sizeof((uint8_t[]){__VA_ARGS__})})

struct program {
    uint8_t bytes[64];
    size_t size;
};

static void put_word(uint8_t *bytes, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> (8 * i));
}

/* A short program in the compact model 0, a longer one in model 1, filled up with "finish". */
static size_t assemble(const struct program *program, uint8_t *entry)
{
    size_t first = program->size <= 3 ? 1 : 2;
    size_t words = (first + program->size + 3) / 4;
    uint8_t ordered[80];

    memset(ordered, 0xb0, sizeof(ordered));
    ordered[0] = first == 1 ? 0x80 : 0x81;
    if (first == 2)
        ordered[1] = (uint8_t)(words - 1);
    memcpy(ordered + first, program->bytes, program->size);
    for (size_t i = 0; i < 4 * words; i++)
        entry[i ^ 3] = ordered[i];
    return 4 * words;
}

/* "sp+16 ra=c-4 r4=c-8". */
static void row_text(const struct row *row, char text[TEXT_MAX])
{
    const struct arch *arch = arch_get(ARCH_ARM);
    char buffer[64];
    int length = snprintf(text, TEXT_MAX, "%s", row_format_cfa(row, arch, buffer, 64));

    length += snprintf(text + length, (size_t)(TEXT_MAX - length), " ra=%s",
                       rule_format(&row->ra, arch, buffer, 64));
    for (unsigned reg = 0; reg < ARCH_REG_MAX; reg++)
        if (row->regs[reg].kind != RULE_UNSPECIFIED)
            length +=
                snprintf(text + length, (size_t)(TEXT_MAX - length), " %s=%s",
                         arch_reg_names(arch)[reg], rule_format(&row->regs[reg], arch, buffer, 64));
}

/*
 * The row of an entry; the bytes are an allocation of their own, so that a read behind them is
 * caught.
 */
static enum status run_entry(const uint8_t *bytes, size_t size, struct row *row, struct diag *diag)
{
    uint8_t *copy = malloc(size ? size : 1);
    struct ehabi_entry entry = {.bytes = copy, .size = size, .file = "f", .file_off = 0x1000};
    enum status status;

    assert_non_null(copy);
    memcpy(copy, bytes, size);
    row_init(row, 0x8000, 0x8100, TRUST_EXIDX);
    status = ehabi_row(&entry, row, diag);
    free(copy);
    return status;
}

static enum status run(struct program program, struct row *row, struct diag *diag)
{
    uint8_t entry[80];

    return run_entry(entry, assemble(&program, entry), row, diag);
}

static void expect(struct program program, const char *expected)
{
    char text[TEXT_MAX];
    struct row row;
    struct diag diag;

    assert_int_equal(run(program, &row, &diag), STATUS_OK);
    row_text(&row, text);
    assert_string_equal(text, expected);
}

/* The row stays as it was, and the message has `what` and the place of byte `at` of the program. */
static void expect_refused(struct program program, enum status status, size_t at, const char *what)
{
    struct row row, before;
    struct diag diag = {.off = 0};
    size_t byte = (program.size <= 3 ? 1 : 2) + at;

    row_init(&before, 0x8000, 0x8100, TRUST_EXIDX);
    assert_int_equal(run(program, &row, &diag), status);
    assert_true(row_same_rules(&row, &before));
    assert_non_null(strstr(diag.what, what));
    assert_string_equal(diag.file, "f");
    assert_int_equal(diag.off, 0x1000 + (byte ^ 3));
    assert_int_equal(run(program, &row, NULL), status);
}

TEST(ehabi_without_pops_returns_to_lr)
{
    expect(P(0xb0, 0xb0, 0xb0), "sp+0 ra=s");
}

TEST(ehabi_row_holds_at_calls_and_keeps_range_and_source)
{
    struct row row;

    assert_int_equal(run(P(0xa8), &row, NULL), STATUS_OK);
    assert_true(row.call_site_only);
    assert_false(row.signal_frame);
    assert_int_equal(row.source, TRUST_EXIDX);
    assert_int_equal(row.start_vaddr, 0x8000);
    assert_int_equal(row.end_vaddr, 0x8100);
}

TEST(ehabi_small_steps_move_the_stack_pointer)
{
    expect(P(0x00), "sp+4 ra=s");
    expect(P(0x3f), "sp+256 ra=s");
    expect(P(0x3f, 0x3f, 0x01), "sp+520 ra=s");
    expect(P(0x40), "sp-4 ra=s");
    expect(P(0x7f), "sp-256 ra=s");
    expect(P(0x3f, 0x41), "sp+248 ra=s");
}

TEST(ehabi_far_step_has_a_uleb128)
{
    expect(P(0xb2, 0x00), "sp+516 ra=s");
    expect(P(0xb2, 0x7f), "sp+1024 ra=s");
    expect(P(0xb2, 0x80, 0x01), "sp+1028 ra=s");
    expect(P(0xb2, 0x80, 0x80, 0x04), "sp+262660 ra=s");
}

TEST(ehabi_pops_from_r4_on)
{
    expect(P(0xa0), "sp+4 ra=s r4=c-4");
    expect(P(0xa7), "sp+32 ra=s r4=c-32 r5=c-28 r6=c-24 r7=c-20 r8=c-16 r9=c-12 r10=c-8 r11=c-4");
    expect(P(0xa8), "sp+8 ra=c-4 r4=c-8 lr=c-4");
    expect(P(0xab), "sp+20 ra=c-4 r4=c-20 r5=c-16 r6=c-12 r7=c-8 lr=c-4");
    expect(P(0xaf), "sp+36 ra=c-4 r4=c-36 r5=c-32 r6=c-28 r7=c-24 r8=c-20 r9=c-16 r10=c-12 "
                    "r11=c-8 lr=c-4");
}

TEST(ehabi_pops_under_a_mask)
{
    expect(P(0x84, 0x00), "sp+4 ra=c-4 lr=c-4");
    expect(P(0x80, 0x01), "sp+4 ra=s r4=c-4");
    expect(P(0x84, 0x88), "sp+12 ra=c-4 r7=c-12 r11=c-8 lr=c-4");
    expect(P(0x81, 0x80), "sp+8 ra=s r11=c-8 r12=c-4");
    expect(P(0xb1, 0x08), "sp+4 ra=s r3=c-4");
    expect(P(0xb1, 0x0f), "sp+16 ra=s r0=c-16 r1=c-12 r2=c-8 r3=c-4");
}

TEST(ehabi_varargs_frame_has_its_registers_below_the_arguments)
{
    /* pop {r4, lr}; vsp += 16 */
    expect(P(0xa8, 0x03), "sp+24 ra=c-20 r4=c-24 lr=c-20");
}

TEST(ehabi_popped_pc_is_the_return_address)
{
    expect(P(0x88, 0x00), "sp+4 ra=c-4");
    /* Before LR, whichever comes first. */
    expect(P(0x8c, 0x00), "sp+8 ra=c-4 lr=c-8");
    expect(P(0x88, 0x00, 0x84, 0x00), "sp+8 ra=c-8 lr=c-4");
}

TEST(ehabi_register_popped_twice_has_the_last_value)
{
    expect(P(0xa0, 0xa0), "sp+8 ra=s r4=c-4");
}

TEST(ehabi_frame_pointer_becomes_the_base)
{
    expect(P(0x97, 0x01, 0x84, 0x08), "r7+16 ra=c-4 r7=c-8 lr=c-4");
    expect(P(0x9b, 0x40, 0x84, 0x80, 0x08), "r11+40 ra=c-40 r11=c-44 lr=c-40");
    /* What was moved before it does not count. */
    expect(P(0x3f, 0x97), "r7+0 ra=s");
}

TEST(ehabi_registers_popped_before_another_base_keep_theirs)
{
    expect(P(0x01, 0xa0, 0x97, 0x84, 0x00), "r7+4 ra=c-4 r4=[sp+8] lr=c-4");
    /* Two changes of base, and a return address from the first. */
    expect(P(0x84, 0x00, 0x97, 0xa0, 0x9b, 0x02), "r11+12 ra=[sp+0] r4=[r7+0] lr=[sp+0]");
}

/* "vsp = r7" after r7 was popped means the popped value. */
TEST(ehabi_base_that_was_popped_is_read_from_its_slot)
{
    expect(P(0x80, 0x08, 0x97), "[sp+0]+0 ra=s r7=[sp+0]");
    expect(P(0x02, 0x84, 0x08, 0x97, 0x41, 0xa0),
           "[sp+12]-4 ra=[sp+16] r4=c-4 r7=[sp+12] lr=[sp+16]");
}

TEST(ehabi_popped_stack_pointer_is_the_callers)
{
    expect(P(0x82, 0x01), "[sp+4]+0 ra=s r4=[sp+0]");
    expect(P(0x86, 0x00), "[sp+0]+0 ra=[sp+4] lr=[sp+4]");
}

TEST(ehabi_base_that_is_read_again_begins_anew)
{
    expect(P(0x80, 0x08, 0x97, 0x01, 0x97, 0x00), "[sp+0]+4 ra=s r7=[sp+0]");
    expect(P(0x80, 0x08, 0x97, 0x01, 0x9b, 0x00), "r11+4 ra=s r7=[sp+0]");
}

/* As glibc describes its sigreturn trampolines. */
TEST(ehabi_that_restores_every_register_is_a_signal_frame)
{
    struct row row;

    expect(P(0x07, 0xb1, 0x0f, 0x8f, 0xff),
           "[sp+84]+0 ra=[sp+92] r0=[sp+32] r1=[sp+36] r2=[sp+40] r3=[sp+44] r4=[sp+48] "
           "r5=[sp+52] r6=[sp+56] r7=[sp+60] r8=[sp+64] r9=[sp+68] r10=[sp+72] r11=[sp+76] "
           "r12=[sp+80] lr=[sp+88]");
    assert_int_equal(run(P(0x07, 0xb1, 0x0f, 0x8f, 0xff), &row, NULL), STATUS_OK);
    assert_true(row.signal_frame);
    assert_int_equal(run(P(0x07, 0xb1, 0x0f, 0x8e, 0xff), &row, NULL), STATUS_OK);
    assert_false(row.signal_frame);
    assert_int_equal(run(P(0x07, 0xb1, 0x0f, 0x8d, 0xff), &row, NULL), STATUS_OK);
    assert_false(row.signal_frame);
}

TEST(ehabi_two_loaded_stack_pointers_are_unsupported)
{
    expect_refused(P(0x80, 0x08, 0x97, 0xa0, 0x9b), STATUS_UNSUPPORTED, 4, "two stack pointers");
}

TEST(ehabi_vector_registers_move_the_stack_pointer_only)
{
    expect(P(0xb3, 0x80), "sp+12 ra=s"); /* D8, and FSTMFDX's word */
    expect(P(0xb3, 0x87), "sp+68 ra=s");
    expect(P(0xb8), "sp+12 ra=s");
    expect(P(0xbf), "sp+68 ra=s");
    expect(P(0xc8, 0x0f), "sp+128 ra=s"); /* D16 to D31 */
    expect(P(0xc9, 0x80), "sp+8 ra=s");
    expect(P(0xc9, 0x87, 0xa8), "sp+72 ra=c-4 r4=c-8 lr=c-4");
    expect(P(0xd0), "sp+8 ra=s");
    expect(P(0xd7), "sp+64 ra=s");
}

TEST(ehabi_wmmx_registers_move_the_stack_pointer_only)
{
    expect(P(0xc0), "sp+8 ra=s");
    expect(P(0xc5), "sp+48 ra=s");
    expect(P(0xc6, 0xa2), "sp+24 ra=s");
    expect(P(0xc7, 0x05), "sp+8 ra=s"); /* control registers are words */
    expect(P(0xc7, 0x0f), "sp+16 ra=s");
}

TEST(ehabi_authentication_code_is_a_word)
{
    expect(P(0xb5, 0xb4, 0xa8), "sp+12 ra=c-4 r4=c-8 lr=c-4");
}

TEST(ehabi_finish_ends_the_program)
{
    expect(P(0xa8, 0xb0, 0xa8), "sp+8 ra=c-4 r4=c-8 lr=c-4");
    expect(P(0xb0, 0xff, 0x9d), "sp+0 ra=s");
    /* The end of the bytes is one, too. */
    expect(P(0x00, 0x00, 0x00), "sp+12 ra=s");
    expect(P(0x00, 0x00, 0x00, 0x00, 0x00, 0x00), "sp+24 ra=s");
}

TEST(ehabi_refusal_gives_no_row)
{
    expect_refused(P(0x80, 0x00), STATUS_NOT_FOUND, 0, "refuses to unwind");
    expect_refused(P(0xa8, 0x80, 0x00), STATUS_NOT_FOUND, 1, "refuses to unwind");
}

TEST(ehabi_reserved_and_spare_instructions_are_bad)
{
    static const uint8_t spare[] = {0xb6, 0xb7, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf};

    expect_refused(P(0x9d), STATUS_BAD_DATA, 0, "0x9d: reserved");
    expect_refused(P(0xa8, 0x9f), STATUS_BAD_DATA, 1, "0x9f: reserved");
    for (size_t i = 0; i < sizeof(spare); i++)
        expect_refused(P(0x00, spare[i]), STATUS_BAD_DATA, 1, "spare");
    for (unsigned op = 0xd8; op <= 0xff; op++)
        expect_refused(P(0x00, 0x00, 0x00, (uint8_t)op), STATUS_BAD_DATA, 3, "spare");
    expect_refused(P(0xb1, 0x00), STATUS_BAD_DATA, 0, "spare");
    expect_refused(P(0xb1, 0x10), STATUS_BAD_DATA, 0, "spare");
    expect_refused(P(0xb1, 0xf8), STATUS_BAD_DATA, 0, "spare");
    expect_refused(P(0xc7, 0x00), STATUS_BAD_DATA, 0, "spare");
    expect_refused(P(0xc7, 0x10), STATUS_BAD_DATA, 0, "spare");
    expect_refused(P(0xc7, 0x80), STATUS_BAD_DATA, 0, "spare");
}

TEST(ehabi_registers_that_do_not_exist_are_bad)
{
    expect_refused(P(0xb3, 0xf1), STATUS_BAD_DATA, 0, "do not exist");
    expect_refused(P(0xc6, 0x8f), STATUS_BAD_DATA, 0, "do not exist");
    expect_refused(P(0xc8, 0x1f), STATUS_BAD_DATA, 0, "do not exist");
}

TEST(ehabi_instruction_cut_short_is_bad)
{
    static const uint8_t ops[] = {0x84, 0xb1, 0xb2, 0xb3, 0xc6, 0xc7, 0xc8, 0xc9};

    for (size_t i = 0; i < sizeof(ops); i++)
        expect_refused(P(0x00, 0x00, ops[i]), STATUS_BAD_DATA, 2, "cut short");
    expect_refused(P(0x00, 0xb2, 0xff), STATUS_BAD_DATA, 1, "cut short");
}

TEST(ehabi_steps_beyond_the_address_space_are_bad)
{
    expect_refused(P(0xb2, 0xff, 0xff, 0xff, 0xff, 0x7f), STATUS_BAD_DATA, 0, "address space");
    expect_refused(P(0xb2, 0xff, 0xff, 0xff, 0xff, 0x0f), STATUS_BAD_DATA, 0, "address space");
    expect_refused(P(0xb2, 0xff, 0xfc, 0xff, 0xff, 0x01, 0xb2, 0xff, 0xfc, 0xff, 0xff, 0x01),
                   STATUS_BAD_DATA, 6, "address space");
    expect_refused(P(0xb2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01),
                   STATUS_BAD_DATA, 0, "address space");
}

static void expect_entry(const uint32_t *words, size_t count, const char *expected)
{
    uint8_t bytes[64];
    char text[TEXT_MAX];
    struct row row;

    for (size_t i = 0; i < count; i++)
        put_word(bytes + 4 * i, words[i]);
    assert_int_equal(run_entry(bytes, 4 * count, &row, NULL), STATUS_OK);
    row_text(&row, text);
    assert_string_equal(text, expected);
    /* Every cut is noticed. */
    for (size_t size = 0; size < 4 * count; size++)
        assert_int_equal(run_entry(bytes, size, &row, NULL), STATUS_BAD_DATA);
}

#define EXPECT_ENTRY(expected, ...)                                                                \
    expect_entry((uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4, expected)

TEST(ehabi_compact_models_say_how_many_words_they_have)
{
    EXPECT_ENTRY("sp+16 ra=c-4 r4=c-8 lr=c-4", 0x8001a8b0);
    EXPECT_ENTRY("sp+8 ra=c-4 r4=c-8 lr=c-4", 0x8100a8b0);
    EXPECT_ENTRY("sp+12 ra=c-4 r3=c-12 r4=c-8 lr=c-4", 0x8101b108, 0xa8b0b0b0);
    EXPECT_ENTRY("sp+40 ra=c-4 r4=c-8 lr=c-4", 0x82020000, 0x00000000, 0x0000a8b0);
}

TEST(ehabi_generic_model_has_its_instructions_behind_the_routine)
{
    EXPECT_ENTRY("sp+16 ra=c-4 r4=c-8 lr=c-4", 0x7ffff000, 0x0001a8b0);
    EXPECT_ENTRY("sp+24 ra=c-4 r4=c-8 lr=c-4", 0x7ffff000, 0x01000000, 0x00a8b0b0);
}

TEST(ehabi_longest_program_is_run)
{
    uint8_t bytes[4 * 257];
    struct row row;

    memset(bytes, 0, sizeof(bytes)); /* vsp = vsp + 4, 3 + 255 * 4 times */
    bytes[7] = 255;
    assert_int_equal(run_entry(bytes, sizeof(bytes), &row, NULL), STATUS_OK);
    assert_int_equal(row.cfa.off, 4 * (3 + 255 * 4));
    assert_int_equal(run_entry(bytes, sizeof(bytes) - 1, &row, NULL), STATUS_BAD_DATA);
}

TEST(ehabi_unknown_compact_model_is_unsupported)
{
    struct row row;
    struct diag diag;
    uint8_t bytes[8] = {0};

    for (uint32_t model = 3; model < 0x80; model++) {
        put_word(bytes, 0x80000000u | model << 24);
        assert_int_equal(run_entry(bytes, sizeof(bytes), &row, &diag), STATUS_UNSUPPORTED);
        assert_int_equal(diag.off, 0x1000);
    }
}

/* The row and the stack together: what a caller's registers become. */
TEST(ehabi_row_restores_the_callers_registers)
{
    uint8_t stack[64];
    struct snap_region region = {.start_addr = 0x7000,
                                 .end_addr = 0x7000 + sizeof(stack),
                                 .map_end_addr = 0x7000 + sizeof(stack),
                                 .bytes = stack};
    struct memory memory = {.regions = &region, .count = 1};
    struct regs frame = {.known = 0}, caller;
    struct row row;
    uint64_t cfa;

    for (uint32_t i = 0; i < sizeof(stack) / 4; i++)
        put_word(stack + 4 * i, 0x100 + i);
    regs_set(&frame, 13, 0x7000);
    regs_set(&frame, 5, 55);
    assert_int_equal(run(P(0x01, 0xa8, 0xb0), &row, NULL), STATUS_OK);
    assert_int_equal(row_execute(&row, arch_get(ARCH_ARM), 0, &frame, &memory, &caller, &cfa),
                     STATUS_OK);
    assert_int_equal(cfa, 0x7010);
    assert_int_equal(caller.value[13], 0x7010);
    assert_int_equal(caller.value[4], 0x102);
    assert_int_equal(caller.value[5], 55);
    assert_int_equal(caller.value[15], 0x103);
}
