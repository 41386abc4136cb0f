/* SPDX-License-Identifier: MIT */
/*
 * Decoding of any bytes in every instruction set: the result's consistency, and that it depends on
 * nothing but the bytes, the address and the context.
 *
 * Input: one byte that chooses the set, one that T32's contexts are made of, then code. It is
 * decoded at every place an instruction may begin at, each time from a copy that ends with the
 * code.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/analysis/insn.h"
#include "unwind/row/row.h"

#define CODE_VADDR  UINT64_C(0x401000)
#define INPUT_MAX   256
#define CALL_WINDOW 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
    enum arch_id arch;
    enum code_mode mode;
} sets[] = {{ARCH_X86_64, CODE_DEFAULT}, {ARCH_I386, CODE_DEFAULT},    {ARCH_ARM, CODE_DEFAULT},
            {ARCH_ARM, CODE_T32},        {ARCH_AARCH64, CODE_DEFAULT}, {ARCH_RISCV64, CODE_DEFAULT},
            {ARCH_RISCV32, CODE_DEFAULT}};

#define SET_COUNT (sizeof(sets) / sizeof(sets[0]))

struct target {
    const struct arch *arch;
    const struct insn_set *set;
    struct decoder *decoder, *other; /* the other one has always decoded something else before */
    const uint8_t *code;             /* the input's */
    uint64_t size;
};

#define CHECK(condition) check(condition, #condition)

static void check(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz_insn: not so: %s\n", what);
    abort();
}

static bool is_reg(const struct target *t, uint8_t reg)
{
    return reg < t->arch->all_regs || reg == REG_TEMP || reg == REG_TEMP2;
}

/* A copy of the code from `off` on, so that what is read beyond it is seen. */
static uint8_t *copy_from(const struct target *t, uint64_t off)
{
    uint64_t left = t->size - off;
    uint8_t *copy = malloc(left);

    CHECK(copy);
    memcpy(copy, t->code + off, left);
    return copy;
}

static void check_op(const struct target *t, const struct op *op)
{
    uint64_t machine = (UINT64_C(1) << t->arch->all_regs) - 1;

    switch ((enum op_kind)op->kind) {
    case OP_CONST:
    case OP_LITERAL:
        CHECK(is_reg(t, op->dst));
        return;
    case OP_INSERT:
        CHECK(is_reg(t, op->dst) && op->shift <= 48);
        return;
    case OP_ADD:
        CHECK(is_reg(t, op->dst) && is_reg(t, op->src));
        return;
    case OP_ADD_REG:
        CHECK(is_reg(t, op->dst) && is_reg(t, op->src) && is_reg(t, op->src2) && op->shift < 64);
        CHECK(op->size == 0 || op->size == 1 || op->size == 2 || op->size == 4 ||
              op->size == (4 | OP_UNSIGNED));
        return;
    case OP_SUB_REG:
        CHECK(is_reg(t, op->dst) && is_reg(t, op->src) && is_reg(t, op->src2));
        return;
    case OP_ALIGN:
        CHECK(is_reg(t, op->dst));
        return;
    case OP_SHIFT:
        CHECK(is_reg(t, op->dst) && is_reg(t, op->src) && op->imm > -64 && op->imm < 64);
        return;
    case OP_LOAD:
        CHECK(op->size == 0 || (op->size < t->arch->word_size && op->shift <= 1));
        CHECK(is_reg(t, op->dst) && is_reg(t, op->src));
        return;
    case OP_THUMB:
        CHECK(is_reg(t, op->dst) && is_reg(t, op->src));
        return;
    case OP_ELEMENT:
        CHECK(is_reg(t, op->dst) && (op->src == REG_NONE || is_reg(t, op->src)) && op->shift <= 1);
        CHECK(op->size == 1 || op->size == 2 || op->size == 4 || op->size == 8);
        return;
    case OP_STRIDE:
        CHECK(is_reg(t, op->dst) && op->size > 0 && op->size <= UINT8_MAX);
        return;
    case OP_STORE:
        CHECK(is_reg(t, op->dst) && (op->src == REG_NONE || is_reg(t, op->src)) && op->size > 0);
        return;
    case OP_CLOBBER:
        CHECK((op->mask & ~machine & ~(UINT64_C(1) << REG_TEMP) & ~(UINT64_C(1) << REG_TEMP2)) ==
              0);
        return;
    case OP_COMPARE:
        CHECK(op->src == REG_NONE || is_reg(t, op->src));
        return;
    case OP_COMPARE_REG:
        CHECK(is_reg(t, op->src) && is_reg(t, op->src2));
        return;
    }
    abort();
}

static void check_flow(const struct target *t, const struct insn *insn)
{
    CHECK(insn->flow <= FLOW_STOP);
    switch ((enum flow)insn->flow) {
    case FLOW_NEXT:
    case FLOW_STOP:
        CHECK(!insn->has_target && insn->jump_reg == REG_NONE);
        return;
    case FLOW_JUMP:
    case FLOW_BRANCH:
        CHECK(insn->has_target && insn->jump_reg == REG_NONE);
        break;
    case FLOW_CALL:
        break;
    case FLOW_INDIRECT:
    case FLOW_RETURN:
        CHECK(!insn->has_target && (insn->jump_reg == REG_NONE || is_reg(t, insn->jump_reg)));
        return;
    }
    if (!insn->has_target)
        return;
    CHECK(insn_set_for(t->arch, (enum code_mode)insn->target_mode) != NULL);
    CHECK(insn->target_vaddr %
              insn_set_for(t->arch, (enum code_mode)insn->target_mode)->alignment ==
          0);
    CHECK(t->arch->word_size == 8 || insn->target_vaddr <= UINT32_MAX);
}

static void check_insn(const struct target *t, const struct insn *insn, uint64_t vaddr,
                       uint64_t left, uint8_t context)
{
    CHECK(insn->vaddr == vaddr && insn->context == context);
    CHECK(insn->size > 0 && insn->size <= left && insn->size <= INSN_SIZE_MAX);
    CHECK(insn->size % t->set->alignment == 0);
    CHECK(insn->op_count <= INSN_OPS_MAX);
    CHECK(insn->equal == EQUAL_NEVER || insn->flow == FLOW_BRANCH);
    CHECK(insn->pops == 0 || insn->flow == FLOW_RETURN);
    CHECK(!insn->padding || (insn->flow == FLOW_NEXT || insn->flow == FLOW_STOP));
    CHECK(!(insn->predicate && insn->flow == FLOW_BRANCH));
    CHECK(t->set->mode == CODE_T32 || insn->next_context == 0);
    check_flow(t, insn);
    for (unsigned i = 0; i < insn->op_count; i++)
        check_op(t, &insn->ops[i]);
}

static bool same_op(const struct op *a, const struct op *b)
{
    return a->kind == b->kind && a->dst == b->dst && a->src == b->src && a->src2 == b->src2 &&
           a->size == b->size && a->shift == b->shift && a->imm == b->imm;
}

static void check_same(const struct insn *a, const struct insn *b)
{
    CHECK(a->vaddr == b->vaddr && a->size == b->size && a->flow == b->flow);
    CHECK(a->has_target == b->has_target && a->target_vaddr == b->target_vaddr);
    CHECK(a->target_mode == b->target_mode && a->jump_reg == b->jump_reg && a->equal == b->equal);
    CHECK(a->padding == b->padding && a->predicate == b->predicate);
    CHECK(a->writes_flags == b->writes_flags && a->far == b->far && a->pops == b->pops);
    CHECK(a->next_context == b->next_context && a->op_count == b->op_count);
    for (unsigned i = 0; i < a->op_count; i++)
        CHECK(same_op(&a->ops[i], &b->ops[i]));
}

/* At one place, with one context. False: no instruction. */
static bool decode(const struct target *t, uint64_t off, uint8_t context, struct insn *insn)
{
    uint64_t vaddr = CODE_VADDR + off, left = t->size - off;
    uint8_t *bytes = copy_from(t, off);
    struct insn again;
    enum status status = decoder_decode(t->decoder, bytes, left, vaddr, context, insn);

    CHECK(status == STATUS_OK || status == STATUS_NOT_FOUND);
    CHECK(decoder_decode(t->decoder, bytes, left, vaddr, context, &again) == status);
    if (status == STATUS_OK) {
        check_insn(t, insn, vaddr, left, context);
        check_same(insn, &again);
    }
    CHECK(decoder_decode(t->other, bytes, left, vaddr, context, &again) == status);
    if (status == STATUS_OK)
        check_same(insn, &again);
    free(bytes);
    return status == STATUS_OK;
}

/* The instruction alone, without what follows it, is the same one. */
static void decode_cut(const struct target *t, uint64_t off, const struct insn *insn)
{
    uint8_t *bytes = malloc(insn->size);
    struct insn alone;

    CHECK(bytes);
    memcpy(bytes, t->code + off, insn->size);
    CHECK(decoder_decode(t->decoder, bytes, insn->size, insn->vaddr, insn->context, &alone) ==
          STATUS_OK);
    check_same(insn, &alone);
    free(bytes);
}

/* What looks at bytes without being told that they are instructions. */
static void match(const struct target *t, uint64_t off)
{
    uint64_t vaddr = CODE_VADDR + off, left = t->size - off,
             before = off < CALL_WINDOW ? off : CALL_WINDOW;
    uint8_t *bytes = copy_from(t, off), *ahead = malloc(before + 1);
    struct row row;

    (void)t->set->jump_target(bytes, left, vaddr);
    (void)t->set->strong_start(bytes, left);
    (void)t->set->reads(t->decoder, bytes, left, vaddr);
    if (t->set->pc_thunk) {
        uint8_t reg = t->set->pc_thunk(bytes, left);

        CHECK(reg == REG_NONE || is_reg(t, reg));
    }
    if (t->set->sigreturn_row(bytes, left, vaddr, &row) == STATUS_OK)
        CHECK(row.start_vaddr <= vaddr && row.end_vaddr > vaddr && row.signal_frame);
    free(bytes);
    CHECK(ahead);
    if (before > 0) {
        bytes = realloc(ahead, before);
        CHECK(bytes);
        memcpy(bytes, t->code + off - before, before);
        (void)t->set->ends_with_call(bytes, before);
        free(bytes);
    } else {
        free(ahead);
    }
}

/*
 * Not the calls that compilers make: far ones (9a; ff /3 is looked for), and those with prefixes,
 * which include 16-bit addresses, perhaps behind a REX that has no effect.
 */
static bool is_odd_call(const struct target *t, const uint8_t *bytes)
{
    static const uint8_t odd[] = {0x9a, 0x67, 0x66, 0x26, 0x2e, 0x36,
                                  0x3e, 0x64, 0x65, 0xf0, 0xf2, 0xf3};

    while (t->arch->id == ARCH_X86_64 && (bytes[0] & 0xf0) == 0x40)
        bytes++;
    return (t->arch->id == ARCH_I386 || t->arch->id == ARCH_X86_64) &&
           memchr(odd, bytes[0], sizeof(odd)) != NULL;
}

/* Calls that are decoded must be found before their return address. */
static void check_call(const struct target *t, uint64_t off, const struct insn *insn)
{
    uint64_t end = off + insn->size, before = end < CALL_WINDOW ? end : CALL_WINDOW;

    if (insn->flow == FLOW_CALL && !is_odd_call(t, t->code + off))
        CHECK(t->set->ends_with_call(t->code + end - before, before));
    if (insn->flow == FLOW_JUMP && !insn->predicate) {
        uint64_t target = t->set->jump_target(t->code + off, t->size - off, insn->vaddr);

        CHECK(target == 0 || target == insn->target_vaddr);
    }
}

static void run(const struct target *t, uint8_t seed)
{
    static const uint8_t other_code[] = {0x08, 0xbf, 0x70,
                                         0x47, 0x08, 0xbf}; /* it eq; bx lr; it eq */
    struct insn insn, scratch;

    for (uint64_t off = 0; off < t->size; off += t->set->alignment) {
        unsigned contexts = t->set->mode == CODE_T32 ? 256 : 1;

        match(t, off);
        for (unsigned context = 0; context < contexts; context++) {
            /* All contexts at the first places, of the others some. */
            if (context && off >= 8 && context != seed)
                continue;
            (void)!decoder_decode(t->other, other_code + (context & 2),
                                  sizeof(other_code) - (context & 2), 0x2000,
                                  (uint8_t)(context * 7), &scratch);
            if (!decode(t, off, (uint8_t)context, &insn))
                continue;
            decode_cut(t, off, &insn);
            if (context == 0)
                check_call(t, off, &insn);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct decoder *decoders[SET_COUNT][2];
    struct target t;
    unsigned set;

    if (size < 3 || size > INPUT_MAX)
        return 0;
    set = data[0] % SET_COUNT;
    t.arch = arch_get(sets[set].arch);
    t.set = insn_set_for(t.arch, sets[set].mode);
    for (unsigned i = 0; i < 2; i++)
        if (!decoders[set][i] && decoder_create(t.set, &decoders[set][i]) != STATUS_OK)
            abort();
    t.decoder = decoders[set][0];
    t.other = decoders[set][1];
    t.code = data + 2;
    t.size = size - 2;
    run(&t, data[1]);
    return 0;
}
