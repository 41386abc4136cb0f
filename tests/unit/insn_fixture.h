/* SPDX-License-Identifier: MIT */
/*
 * For tests of instruction decoding: an instruction's whole effect as text, and tables of them.
 *
 * The text says where control goes, then the operations: "branch 0x1010 equal-if-taken; sp = sp+8;
 * r4 = [sp+0]". "?" is an unknown value, "(4)" the bytes of a store that are not a word, t and t2
 * the temporary registers.
 */
#ifndef TEST_INSN_FIXTURE_H
#define TEST_INSN_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "arch/analysis/insn.h"
#include "base/diag.h"

#define VADDR UINT64_C(0x1000)

struct effect_case {
    const char *bytes;
    uint8_t size;
    const char *effect;
};

struct text {
    char text[512];
    size_t len;
};

static void PRINTF_LIKE(2, 3) say(struct text *t, const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(t->text + t->len, sizeof(t->text) - t->len, format, args);
    va_end(args);
    assert_true(n >= 0 && (size_t)n < sizeof(t->text) - t->len);
    t->len += (size_t)n;
}

static const char *reg_name(const struct arch *arch, unsigned reg)
{
    return reg == REG_NONE    ? "?"
           : reg == REG_TEMP  ? "t"
           : reg == REG_TEMP2 ? "t2"
                              : arch_reg_names(arch)[reg];
}

static void say_op(struct text *t, const struct arch *arch, const struct op *op)
{
    const char *dst = reg_name(arch, op->dst), *src = reg_name(arch, op->src);
    const char *src2 = reg_name(arch, op->src2);
    long long imm = (long long)op->imm;

    switch ((enum op_kind)op->kind) {
    case OP_CONST:
        say(t, "%s = %lld", dst, imm);
        break;
    case OP_LITERAL:
        say(t, "%s = literal 0x%llx", dst, (unsigned long long)imm);
        break;
    case OP_INSERT:
        say(t, "%s insert %lld << %u", dst, imm, op->shift);
        break;
    case OP_ADD:
        say(t, "%s = %s%+lld", dst, src, imm);
        break;
    case OP_ADD_REG:
        say(t, "%s = %s + %s", dst, src, src2);
        if (op->size)
            say(t, " %c%u", op->size & OP_UNSIGNED ? 'u' : 's', (op->size & ~OP_UNSIGNED) * 8u);
        if (op->shift)
            say(t, " << %u", op->shift);
        break;
    case OP_SUB_REG:
        say(t, "%s = %s - %s", dst, src, src2);
        break;
    case OP_SHIFT:
        say(t, "%s = %s %s %d", dst, src, imm < 0 ? ">>" : "<<", (int)(imm < 0 ? -imm : imm));
        break;
    case OP_THUMB:
        say(t, "%s = %s | 1", dst, src);
        break;
    case OP_ALIGN:
        say(t, "align %s", dst);
        break;
    case OP_LOAD:
        say(t, "%s = [%s%+lld]", dst, src, imm);
        if (op->size)
            say(t, " %c%u", op->shift ? 's' : 'u', op->size * 8u);
        break;
    case OP_ELEMENT:
        say(t, "%s = %s%u of table %s%+lld", dst, op->shift ? "s" : "u", op->size * 8, src, imm);
        break;
    case OP_STRIDE:
        say(t, "%s = 0x%llx + n * %u", dst, (unsigned long long)imm, op->size);
        break;
    case OP_STORE:
        say(t, "[%s%+lld] = %s", dst, imm, src);
        if (op->size != arch->word_size)
            say(t, " (%u)", op->size);
        break;
    case OP_CLOBBER:
        say(t, "unknown");
        for (unsigned reg = 0; reg < ARCH_REG_MAX; reg++)
            if (op->mask >> reg & 1)
                say(t, " %s", reg_name(arch, reg));
        break;
    case OP_COMPARE:
        say(t, "compare %s %lld", src, imm);
        break;
    case OP_COMPARE_REG:
        say(t, "compare %s %s", src, src2);
        if (imm)
            say(t, "%+lld", imm);
        break;
    }
}

static struct text effect_text(const struct arch *arch, const struct insn *insn)
{
    static const char *const flows[] = {"", "jump", "branch", "call", "return", "indirect", "stop"};
    static const char *const equals[] = {"", " equal-if-taken", " equal-if-not"};
    struct text t = {.len = 0};

    say(&t, "%s", flows[insn->flow]);
    if (insn->has_target)
        say(&t, " 0x%llx%s", (unsigned long long)insn->target_vaddr,
            insn->target_mode == CODE_T32 ? " T32" : "");
    if (insn->flow == FLOW_INDIRECT)
        say(&t, " %s", reg_name(arch, insn->jump_reg));
    if (insn->slot)
        say(&t, " through %s0x%llx", insn->slot == SLOT_IN_GOT ? "GOT+" : "",
            (unsigned long long)insn->target_vaddr);
    if (insn->pops)
        say(&t, " pops %u", insn->pops);
    say(&t, "%s", equals[insn->equal]);
    if (insn->far)
        say(&t, " far");
    if (insn->predicate)
        say(&t, "%sif %u", t.len ? " " : "", insn->predicate - 1);
    if (insn->padding)
        say(&t, "%spadding", t.len ? ", " : "");
    for (unsigned i = 0; i < insn->op_count; i++) {
        say(&t, "%s", t.len ? "; " : "");
        say_op(&t, arch, &insn->ops[i]);
    }
    return t;
}

/* What must not matter to an instruction before it: nops of x86. */
#define FOLLOWING 16

/* Returns whether the instruction writes the flags. */
static bool check_effect(struct decoder *decoder, const struct arch *arch, size_t index,
                         const struct effect_case *expected, unsigned following)
{
    uint8_t bytes[UINT8_MAX + FOLLOWING];
    struct insn insn;
    struct text t;

    memcpy(bytes, expected->bytes, expected->size);
    memset(bytes + expected->size, 0x90, following);
    if (decoder_decode(decoder, bytes, expected->size + following, VADDR, 0, &insn) != STATUS_OK)
        fail_msg("case %zu (%s) is not decoded", index, expected->effect);
    t = effect_text(arch, &insn);
    if (insn.size != expected->size || strcmp(t.text, expected->effect) != 0)
        fail_msg("case %zu, %u bytes before the end: \"%s\" (%u bytes) instead of \"%s\"", index,
                 following, t.text, insn.size, expected->effect);
    return insn.writes_flags;
}

/* Each case at VADDR, as the last and, as there are faster ways then, with other code behind it. */
static inline void check_effects(enum arch_id id, enum code_mode mode,
                                 const struct effect_case *cases, size_t count)
{
    const struct arch *arch = arch_get(id);
    struct decoder *decoder;

    assert_int_equal(decoder_create(insn_set_for(arch, mode), &decoder), STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        bool writes_flags = check_effect(decoder, arch, i, &cases[i], 0);

        if (check_effect(decoder, arch, i, &cases[i], FOLLOWING) != writes_flags)
            fail_msg("case %zu writes the flags or not by what follows", i);
    }
    decoder_destroy(decoder);
}

#endif
