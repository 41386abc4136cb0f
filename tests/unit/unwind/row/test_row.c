/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "unit_test.h"
#include "unwind/row/row.h"
#include "unwind/row/row_print.h"

enum { RAX = 0, RBX = 3, RBP = 6, RSP = 7, R10 = 10, R12 = 12, RIP = 16 };

#define STACK UINT64_C(0x7000)
#define WORDS 16

/*
 * A frame with rsp at the stack's first word; word i of the stack is 0x100 + i, but for word 4,
 * which points to the stack's tenth. Register i is 0x5000 + i, rbp points to word 4, and rip is
 * 0x401000.
 */
struct setting {
    uint64_t words[WORDS];
    struct snap_region region;
    struct memory memory;
    struct regs frame, caller;
    uint64_t cfa;
    struct row row;
    const struct arch *arch;
};

static void setting_init(struct setting *s)
{
    *s = (struct setting){.arch = arch_get(ARCH_X86_64)};
    for (unsigned i = 0; i < WORDS; i++)
        s->words[i] = 0x100 + i;
    s->words[4] = STACK + 80;
    s->region = (struct snap_region){.start_addr = STACK,
                                     .end_addr = STACK + sizeof(s->words),
                                     .map_end_addr = STACK + sizeof(s->words),
                                     .bytes = (const uint8_t *)s->words};
    s->memory = (struct memory){.regions = &s->region, .count = 1};
    for (unsigned reg = 0; reg < s->arch->reg_count; reg++)
        regs_set(&s->frame, reg, 0x5000 + reg);
    regs_set(&s->frame, RSP, STACK);
    regs_set(&s->frame, RBP, STACK + 32);
    regs_set(&s->frame, RIP, 0x401000);
    /* CFA = rsp + 16, RA at CFA-8 (word 1) */
    row_init(&s->row, 0x1000, 0x1010, TRUST_EH_FRAME);
    s->row.cfa = (struct rule){.kind = CFA_REG, .reg = RSP, .off = 16};
    s->row.ra = (struct rule){.kind = RULE_AT_CFA, .off = -8};
}

/* Nothing in it is its own. */
static void setting_deinit(struct setting *s)
{
    (void)s;
}

static enum status execute(struct setting *s)
{
    return row_execute(&s->row, s->arch, 0x400000, &s->frame, &s->memory, &s->caller, &s->cfa);
}

static void assert_caller(const struct setting *s, unsigned reg, uint64_t value)
{
    assert_true(regs_has(&s->caller, reg));
    assert_true(s->caller.value[reg] == value);
}

TEST_OF(row_plain_frame_gives_the_caller, setting, s)
{
    s->row.regs[RBX] = (struct rule){.kind = RULE_AT_CFA, .off = -16};
    assert_int_equal(execute(s), STATUS_OK);
    assert_int_equal(s->cfa, STACK + 16);
    assert_caller(s, RIP, 0x101);
    assert_caller(s, RSP, STACK + 16);
    assert_caller(s, RBX, 0x100);
    assert_caller(s, RBP, STACK + 32); /* callee-saved and not mentioned: as it is */
    assert_caller(s, R12, 0x5000 + R12);
    assert_false(regs_has(&s->caller, RAX)); /* the callee may have changed it */
    assert_false(regs_has(&s->caller, R10));
}

TEST_OF(row_cfa_kinds_are_applied, setting, s)
{
    static const uint8_t expr[] = {0x77, 24}; /* rsp + 24 */

    s->row.cfa = (struct rule){.kind = CFA_REG, .reg = RBP, .off = -16};
    assert_int_equal(execute(s), STATUS_OK);
    assert_int_equal(s->cfa, STACK + 16);
    s->row.cfa = (struct rule){.kind = CFA_DEREF, .reg = RBP, .off = 0};
    s->row.cfa_add = -8;
    assert_int_equal(execute(s), STATUS_OK);
    assert_int_equal(s->cfa, STACK + 72);
    s->row.cfa = (struct rule){.kind = CFA_EXPR, .off = 0, .expr_size = 2};
    s->row.exprs = expr;
    s->row.exprs_size = sizeof(expr);
    assert_int_equal(execute(s), STATUS_OK);
    assert_int_equal(s->cfa, STACK + 24);
    s->row.cfa = (struct rule){.kind = CFA_UNKNOWN};
    assert_int_equal(execute(s), STATUS_NOT_FOUND);
}

TEST(row_rule_kinds_are_applied)
{
    /* For val_expression: CFA + 1; for expression: CFA + 8; one that is not the section's. */
    static const uint8_t exprs[] = {0x23, 1, 0x23, 8, 0x23, 1};
    static const struct {
        struct rule rule;
        bool known;
        uint64_t value;
    } cases[] = {
        {{.kind = RULE_UNSPECIFIED}, true, 0x5000 + RBX},
        {{.kind = RULE_SAME}, true, 0x5000 + RBX},
        {{.kind = RULE_UNDEFINED}, false, 0},
        {{.kind = RULE_AT_CFA, .off = 8}, true, 0x103},
        {{.kind = RULE_AT_CFA, .off = -16}, true, 0x100},
        {{.kind = RULE_AT_CFA, .off = -17}, false, 0}, /* the stack's first byte is missing */
        {{.kind = RULE_AT_CFA, .off = 4096}, false, 0},
        {{.kind = RULE_IS_CFA, .off = -8}, true, STACK + 8},
        {{.kind = RULE_IN_REG, .reg = R12}, true, 0x5000 + R12},
        {{.kind = RULE_IN_REG, .reg = R12, .off = 3}, true, 0x5003 + R12},
        {{.kind = RULE_AT_REG, .reg = RBP, .off = 8}, true, 0x105},
        {{.kind = RULE_AT_REG, .reg = R12}, false, 0}, /* points nowhere */
        {{.kind = RULE_IS_EXPR, .off = 0, .expr_size = 2}, true, STACK + 17},
        {{.kind = RULE_AT_EXPR, .off = 2, .expr_size = 2}, true, 0x103},
        {{.kind = RULE_IS_EXPR, .off = 4, .expr_size = 2}, false, 0}, /* beyond the expressions */
        {{.kind = RULE_IS_EXPR, .off = -1, .expr_size = 1}, false, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct setting s;

        setting_init(&s);
        s.row.exprs = exprs;
        s.row.exprs_size = 4;
        s.row.regs[RBX] = cases[i].rule;
        /* One register that cannot be had is no reason to fail. */
        assert_int_equal(execute(&s), STATUS_OK);
        assert_int_equal(regs_has(&s.caller, RBX), cases[i].known);
        if (cases[i].known)
            assert_caller(&s, RBX, cases[i].value);
    }
}

/* Of gcc's functions that realign: DW_CFA_expression (rbp): DW_OP_breg6 0. */
TEST_OF(row_registers_are_back_when_the_frame_pointer_is, setting, s)
{
    static const uint8_t exprs[] = {0x76, 0x00, 0x76, 0x78}; /* breg6 0; breg6 -8 */

    s->row.exprs = exprs;
    s->row.exprs_size = sizeof(exprs);
    s->row.cfa = (struct rule){.kind = CFA_REG, .reg = R10};
    s->row.regs[RBP] = (struct rule){.kind = RULE_AT_EXPR, .off = 0, .expr_size = 2};
    s->row.regs[R12] = (struct rule){.kind = RULE_AT_EXPR, .off = 2, .expr_size = 2};
    regs_set(&s->frame, R10, STACK + 64);
    assert_int_equal(execute(s), STATUS_OK);
    assert_caller(s, RBP, STACK + 80); /* word 4 */
    assert_caller(s, R12, 0x103);
    regs_set(&s->frame, RBP, STACK + 64); /* the caller's: popped */
    assert_int_equal(execute(s), STATUS_OK);
    assert_caller(s, RBP, STACK + 64);
    assert_caller(s, R12, 0x5000 + R12);
    regs_set(&s->frame, RBP, 5); /* of a caller that keeps something else in it */
    assert_int_equal(execute(s), STATUS_OK);
    assert_caller(s, RBP, 5);
    assert_caller(s, R12, 0x5000 + R12);
}

TEST_OF(row_rules_read_the_frame_not_the_caller, setting, s)
{
    /* Two registers that were exchanged. */
    s->row.regs[RBX] = (struct rule){.kind = RULE_IN_REG, .reg = R12};
    s->row.regs[R12] = (struct rule){.kind = RULE_IN_REG, .reg = RBX};
    assert_int_equal(execute(s), STATUS_OK);
    assert_caller(s, RBX, 0x5000 + R12);
    assert_caller(s, R12, 0x5000 + RBX);
}

TEST_OF(row_caller_saved_register_with_a_rule_is_recovered, setting, s)
{
    s->row.regs[RAX] = (struct rule){.kind = RULE_AT_CFA, .off = 0};
    assert_int_equal(execute(s), STATUS_OK);
    assert_caller(s, RAX, 0x102);
}

TEST_OF(row_stack_pointer_rule_replaces_the_cfa, setting, s)
{
    s->row.regs[RSP] = (struct rule){.kind = RULE_AT_CFA, .off = 16};
    assert_int_equal(execute(s), STATUS_OK);
    assert_int_equal(s->cfa, STACK + 16);
    assert_caller(s, RSP, STACK + 80);
    s->row.regs[RSP] = (struct rule){.kind = RULE_AT_CFA, .off = 4096};
    assert_int_equal(execute(s), STATUS_FAULT);
    s->row.regs[RSP] = (struct rule){.kind = RULE_UNDEFINED};
    assert_int_equal(execute(s), STATUS_FAULT);
}

TEST_OF(row_without_caller_ends_the_chain, setting, s)
{
    s->row.ra = (struct rule){.kind = RULE_UNDEFINED};
    assert_int_equal(execute(s), STATUS_END);
    /* Also when the CFA is not known: _start needs none. */
    s->row.cfa = (struct rule){.kind = CFA_UNKNOWN};
    assert_int_equal(execute(s), STATUS_END);
}

/* It may be where makecontext ends a chain, or damage: whoever asked can tell. */
TEST_OF(row_return_address_of_zero_is_a_value, setting, s)
{
    s->words[1] = 0;
    assert_int_equal(execute(s), STATUS_OK);
    assert_caller(s, RIP, 0);
}

TEST_OF(row_return_address_must_be_had, setting, s)
{
    s->row.ra = (struct rule){.kind = RULE_UNSPECIFIED};
    assert_int_equal(execute(s), STATUS_NOT_FOUND);
    s->row.ra = (struct rule){.kind = RULE_AT_CFA, .off = (int)sizeof(s->words)};
    assert_int_equal(execute(s), STATUS_FAULT);
    s->row.ra = (struct rule){.kind = RULE_IN_REG, .reg = R10};
    assert_int_equal(execute(s), STATUS_OK);
    assert_caller(s, RIP, 0x5000 + R10);
    regs_forget(&s->frame, R10);
    assert_int_equal(execute(s), STATUS_FAULT);
}

TEST(row_cfa_needs_its_register)
{
    struct setting s;

    setting_init(&s);
    regs_forget(&s.frame, RSP);
    assert_int_equal(execute(&s), STATUS_FAULT);
    setting_init(&s);
    s.row.cfa = (struct rule){.kind = CFA_DEREF, .reg = R12, .off = 0};
    assert_int_equal(execute(&s), STATUS_FAULT);
    setting_init(&s);
    s.row.cfa = (struct rule){.kind = CFA_EXPR, .off = 7, .expr_size = 1};
    assert_int_equal(execute(&s), STATUS_BAD_DATA);
}

TEST_OF(row_addresses_of_32_bit_targets_wrap, setting, s)
{
    uint32_t words[4] = {0x11, 0x22, 0x33, 0x44};

    s->arch = arch_get(ARCH_I386);
    s->region = (struct snap_region){.start_addr = 0,
                                     .end_addr = sizeof(words),
                                     .map_end_addr = sizeof(words),
                                     .bytes = (const uint8_t *)words};
    s->frame.known = 0;
    regs_set(&s->frame, s->arch->sp, 0xfffffffc);
    s->row.cfa = (struct rule){.kind = CFA_REG, .reg = s->arch->sp, .off = 8};
    s->row.ra = (struct rule){.kind = RULE_AT_CFA, .off = -4};
    assert_int_equal(execute(s), STATUS_OK);
    assert_int_equal(s->cfa, 4);
    assert_caller(s, s->arch->pc, 0x11); /* four bytes, no more */
}

TEST_OF(row_return_address_may_still_be_in_the_link_register, setting, s)
{
    s->arch = arch_get(ARCH_AARCH64);
    for (unsigned reg = 0; reg < s->arch->reg_count; reg++)
        regs_set(&s->frame, reg, 0x5000 + reg);
    regs_set(&s->frame, s->arch->sp, STACK);
    s->row.cfa = (struct rule){.kind = CFA_REG, .reg = s->arch->sp, .off = 0};
    s->row.ra = (struct rule){.kind = RULE_UNSPECIFIED};
    assert_int_equal(execute(s), STATUS_OK);
    assert_caller(s, s->arch->pc, 0x5000 + s->arch->lr);
    s->row.ra = (struct rule){.kind = RULE_SAME};
    assert_int_equal(execute(s), STATUS_OK);
    assert_caller(s, s->arch->pc, 0x5000 + s->arch->lr);
}

TEST(row_with_a_pushed_link_register_leaves_sp_behind_it)
{
    enum { X31 = 31 };
    struct setting s;

    setting_init(&s);
    s.arch = arch_get(ARCH_AARCH64);
    regs_set(&s.frame, X31, STACK);
    /* glibc's row of _dl_runtime_resolve: PLT0 has pushed x16 and x30 above the frame */
    s.row.cfa = (struct rule){.kind = CFA_REG, .reg = X31, .off = 16};
    s.row.ra = (struct rule){.kind = RULE_AT_CFA, .off = 8};
    assert_int_equal(execute(&s), STATUS_OK);
    assert_int_equal(s.caller.value[s.arch->pc], 0x103);
    assert_int_equal(s.caller.value[X31], STACK + 32);
    s.row.ra.off = -8;
    assert_int_equal(execute(&s), STATUS_OK);
    assert_int_equal(s.caller.value[X31], STACK + 16);
    s.row.ra.off = 8;
    s.row.signal_frame = true;
    assert_int_equal(execute(&s), STATUS_OK);
    assert_int_equal(s.caller.value[X31], STACK + 16);
    setting_deinit(&s);
}

TEST(row_same_rules_ignores_range_and_source)
{
    struct row a, b;

    row_init(&a, 0, 8, TRUST_EH_FRAME);
    row_init(&b, 8, 16, TRUST_PROLOGUE);
    assert_true(row_same_rules(&a, &b));
    b.regs[R12].kind = RULE_SAME; /* is not the same as unspecified */
    assert_false(row_same_rules(&a, &b));
    b = a;
    b.cfa.off = 1;
    assert_false(row_same_rules(&a, &b));
    b = a;
    b.cfa_add = 1;
    assert_false(row_same_rules(&a, &b));
    b = a;
    b.ra.kind = RULE_UNDEFINED;
    assert_false(row_same_rules(&a, &b));
    b = a;
    b.signal_frame = true;
    assert_false(row_same_rules(&a, &b));
    b = a;
    b.call_site_only = true;
    assert_false(row_same_rules(&a, &b));
}

TEST(row_prints_as_readelf_does)
{
    static const struct {
        struct rule rule;
        const char *text;
    } cases[] = {
        {{.kind = RULE_UNSPECIFIED}, ""},
        {{.kind = RULE_UNDEFINED}, "u"},
        {{.kind = RULE_SAME}, "s"},
        {{.kind = RULE_AT_CFA, .off = -16}, "c-16"},
        {{.kind = RULE_IS_CFA, .off = 0}, "v+0"},
        {{.kind = RULE_IN_REG, .reg = R12}, "r12"},
        {{.kind = RULE_AT_REG, .reg = RBP, .off = -8}, "[rbp-8]"},
        {{.kind = RULE_AT_EXPR}, "exp"},
        {{.kind = RULE_IS_EXPR}, "vexp"},
        {{.kind = RULE_IN_REG, .reg = 33}, "?"},
    };
    struct row row;
    char text[64];

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_string_equal(rule_format(&cases[i].rule, arch_get(ARCH_X86_64), text, sizeof(text)),
                            cases[i].text);
    row_init(&row, 0, 1, TRUST_EH_FRAME);
    assert_string_equal(row_format_cfa(&row, arch_get(ARCH_X86_64), text, sizeof(text)), "u");
    row.cfa = (struct rule){.kind = CFA_REG, .reg = RSP, .off = 8};
    assert_string_equal(row_format_cfa(&row, arch_get(ARCH_X86_64), text, sizeof(text)), "rsp+8");
    row.cfa = (struct rule){.kind = CFA_DEREF, .reg = RBP, .off = -8};
    row.cfa_add = 16;
    assert_string_equal(row_format_cfa(&row, arch_get(ARCH_X86_64), text, sizeof(text)),
                        "[rbp-8]+16");
    assert_string_equal(row_format_cfa(&row, arch_get(ARCH_X86_64), text, 5), "[rbp");
    row.cfa = (struct rule){.kind = CFA_REG, .reg = RSP, .off = INT32_MIN};
    assert_string_equal(row_format_cfa(&row, arch_get(ARCH_X86_64), text, sizeof(text)),
                        "rsp-2147483648");
    row.cfa = (struct rule){.kind = CFA_EXPR};
    assert_string_equal(row_format_cfa(&row, arch_get(ARCH_X86_64), text, sizeof(text)), "exp");
}

TEST(memory_gives_what_lies_in_one_region_only)
{
    static const uint8_t bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    struct snap_region regions[] = {
        {.start_addr = 0x1000, .end_addr = 0x1008, .map_end_addr = 0x2000, .bytes = bytes},
        {.start_addr = UINT64_MAX - 8,
         .end_addr = UINT64_MAX,
         .map_end_addr = UINT64_MAX,
         .bytes = bytes + 8},
    };
    struct memory memory = {.regions = regions, .count = 2};
    uint64_t value = 0;

    assert_int_equal(memory_read(&memory, 0x1000, 8, &value), STATUS_OK);
    assert_true(value == UINT64_C(0x0807060504030201));
    assert_int_equal(memory_read(&memory, 0x1004, 4, &value), STATUS_OK);
    assert_int_equal(value, 0x08070605);
    assert_int_equal(memory_read(&memory, 0x1007, 1, &value), STATUS_OK);
    assert_int_equal(memory_read(&memory, 0x1001, 8, &value), STATUS_FAULT);
    assert_int_equal(memory_read(&memory, 0x1008, 1, &value), STATUS_FAULT);
    assert_int_equal(memory_read(&memory, 0xfff, 1, &value), STATUS_FAULT);
    assert_int_equal(memory_read(&memory, UINT64_MAX - 8, 8, &value), STATUS_OK);
    assert_int_equal(memory_read(&memory, UINT64_MAX - 7, 8, &value), STATUS_FAULT);
    assert_int_equal(memory_read(&memory, UINT64_MAX, 8, &value), STATUS_FAULT);
    assert_int_equal(memory_read(&memory, 0x1000, 9, &value), STATUS_FAULT);
}
