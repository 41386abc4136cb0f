/* SPDX-License-Identifier: MIT */
#include "unwind/sources/ehabi.h"

#include "base/cursor.h"

#define WORDS_MAX                                                                                  \
    (2 + 255) /* of the generic model: personality routine, first word, words that it counts */
#define COMPACT    0x80000000u
#define R4         4
#define SP         13
#define LR         14
#define PC         15
#define CORE_COUNT 16

/*
 * While the program runs, the row's CFA is the vsp: CFA_REG, or CFA_DEREF once the vsp was loaded
 * from the stack. A popped register's rule is RULE_AT_CFA with the offset of its slot from the same
 * base as the vsp's, until the base changes (RULE_AT_REG then) or the program ends.
 */
struct ehabi_program {
    /* in the order of execution: each word's first byte is its highest */
    uint8_t bytes[4 * WORDS_MAX];
    struct cursor c;        /* over `bytes` */
    size_t instruction_pos; /* of the current instruction */
    const struct ehabi_entry *entry;
    struct row row;
    struct diag *diag;
    bool finished;
};

/* Fills the diag with a problem of the current instruction. */
static enum status problem(const struct ehabi_program *p, enum status status, const char *what)
{
    diag_set_at(p->diag, p->entry->file, p->entry->file_off + (p->instruction_pos ^ 3),
                "unwind instruction 0x%02x: %s", p->bytes[p->instruction_pos], what);
    return status;
}

static enum status entry_problem(const struct ehabi_program *p, enum status status,
                                 const char *what)
{
    diag_set_at(p->diag, p->entry->file, p->entry->file_off, "exception table entry: %s", what);
    return status;
}

/*
 * Finds the instructions, by the first word's highest byte (7.3, and the GNU convention for the
 * generic model):
 *     0x80 i i i               compact, routine 0
 *     0x81 n i i  n words      compact, routines 1 and 2
 *     a personality routine's address, then  n i i i  n words
 */
static enum status load(struct ehabi_program *p)
{
    struct cursor c = cursor_init(p->entry->bytes, (size_t)p->entry->size);
    uint32_t word, routine;
    size_t words = 1, begin;

    if (!cursor_u32(&c, &word))
        return entry_problem(p, STATUS_BAD_DATA, "not in the file");
    routine = word >> 24 & 0x7f;
    if (!(word & COMPACT)) {
        if (!cursor_u32(&c, &word))
            return entry_problem(p, STATUS_BAD_DATA, "cut short");
        words = 2 + (word >> 24);
        begin = 5;
    } else if (routine == 0) {
        begin = 1;
    } else if (routine <= 2) {
        words = 1 + (word >> 16 & 0xff);
        begin = 2;
    } else {
        return entry_problem(p, STATUS_UNSUPPORTED, "an unknown compact model");
    }
    c.pos = 0;
    for (size_t i = 0; i < words; i++) {
        if (!cursor_u32(&c, &word))
            return entry_problem(p, STATUS_BAD_DATA, "cut short");
        for (unsigned byte = 0; byte < 4; byte++)
            p->bytes[4 * i + byte] = (uint8_t)(word >> (24 - 8 * byte));
    }
    p->c = cursor_init(p->bytes, 4 * words);
    p->c.pos = begin;
    return STATUS_OK;
}

/* Returns the vsp's distance from its base. */
static int32_t *vsp(struct ehabi_program *p)
{
    return p->row.cfa.kind == CFA_DEREF ? &p->row.cfa_add : &p->row.cfa.off;
}

static enum status move_vsp(struct ehabi_program *p, int64_t bytes)
{
    if (__builtin_add_overflow(*vsp(p), bytes, vsp(p)))
        return problem(p, STATUS_BAD_DATA, "the stack pointer leaves the address space");
    return STATUS_OK;
}

/* Pops the registers of `mask`, whose bit 0 is register `first`, in ascending order. */
static enum status pop(struct ehabi_program *p, unsigned first, uint32_t mask)
{
    enum status status = STATUS_OK;

    for (unsigned reg = first; mask && status == STATUS_OK; reg++, mask >>= 1) {
        if (!(mask & 1))
            continue;
        p->row.regs[reg] = (struct rule){.kind = RULE_AT_CFA, .off = *vsp(p)};
        status = move_vsp(p, 4);
    }
    return status;
}

/* vsp = a register: its value at entry, or the word it was popped from before. */
static enum status set_vsp(struct ehabi_program *p, uint8_t reg)
{
    struct row *row = &p->row;
    const struct rule *rule = &row->regs[reg];

    for (unsigned i = 0; i < CORE_COUNT; i++) {
        if (row->regs[i].kind != RULE_AT_CFA)
            continue;
        if (row->cfa.kind != CFA_REG)
            return problem(p, STATUS_UNSUPPORTED,
                           "registers relative to two stack pointers that were saved");
        row->regs[i].kind = RULE_AT_REG;
        row->regs[i].reg = row->cfa.reg;
    }
    if (rule->kind == RULE_AT_REG)
        row->cfa = (struct rule){.kind = CFA_DEREF, .reg = rule->reg, .off = rule->off};
    else
        row->cfa = (struct rule){.kind = CFA_REG, .reg = reg};
    row->cfa_add = 0;
    return STATUS_OK;
}

/* pop under mask {r15-r4}. A popped SP becomes the vsp when all are popped. */
static enum status pop_high(struct ehabi_program *p, uint32_t mask)
{
    enum status status;

    if (mask == 0)
        return problem(p, STATUS_NOT_FOUND, "refuses to unwind");
    status = pop(p, R4, mask);
    if (status == STATUS_OK && (mask >> (SP - R4) & 1)) {
        status = set_vsp(p, SP);
        p->row.regs[SP] = (struct rule){.kind = RULE_UNSPECIFIED};
    }
    return status;
}

/* Operand 0000iiii, not all zero: pop under mask {r3-r0} or of WMMX control registers. */
static enum status pop_under_mask(struct ehabi_program *p, bool core)
{
    uint8_t mask;

    if (!cursor_u8(&p->c, &mask))
        return problem(p, STATUS_BAD_DATA, "cut short");
    if (mask == 0 || mask > 0x0f)
        return problem(p, STATUS_BAD_DATA, "spare");
    return core ? pop(p, 0, mask) : move_vsp(p, 4 * __builtin_popcount(mask));
}

/* Operand sssscccc: pops registers of eight bytes, ssss to ssss + cccc; there are `count`. */
static enum status pop_wide_range(struct ehabi_program *p, unsigned count, int extra)
{
    uint8_t range;

    if (!cursor_u8(&p->c, &range))
        return problem(p, STATUS_BAD_DATA, "cut short");
    if ((range >> 4) + (range & 0x0fu) >= count)
        return problem(p, STATUS_BAD_DATA, "registers that do not exist");
    return move_vsp(p, 8 * ((range & 0x0f) + 1) + extra);
}

/* vsp = vsp + 0x204 + (uleb128 << 2) */
static enum status move_far(struct ehabi_program *p)
{
    uint64_t words;

    if (!cursor_uleb(&p->c, &words))
        return problem(p, STATUS_BAD_DATA, "cut short, or its operand is too large");
    if (words > INT32_MAX)
        return problem(p, STATUS_BAD_DATA, "the stack pointer leaves the address space");
    return move_vsp(p, 0x204 + ((int64_t)words << 2));
}

/* 0xb0 to 0xbf */
static enum status instruction_b(struct ehabi_program *p, uint8_t op)
{
    switch (op) {
    case 0xb0:
        p->finished = true;
        return STATUS_OK;
    case 0xb1:
        return pop_under_mask(p, true);
    case 0xb2:
        return move_far(p);
    case 0xb3: /* D registers as FSTMFDX stored them, with a word of format */
        return pop_wide_range(p, 16, 4);
    case 0xb4: /* the return address authentication code: r12's; the return address is plain */
        return move_vsp(p, 4);
    case 0xb5: /* the vsp is the modifier of the authentication */
        return STATUS_OK;
    case 0xb6:
    case 0xb7:
        return problem(p, STATUS_BAD_DATA, "spare");
    default: /* D8 to D8+n by FSTMFDX */
        return move_vsp(p, 8 * ((op & 7) + 1) + 4);
    }
}

/* 0xc0 to 0xff */
static enum status instruction_c(struct ehabi_program *p, uint8_t op)
{
    switch (op) {
    case 0xc6: /* WMMX data registers */
        return pop_wide_range(p, 16, 0);
    case 0xc7:
        return pop_under_mask(p, false);
    case 0xc8: /* D16 and up */
        return pop_wide_range(p, 16, 0);
    case 0xc9: /* D0 and up */
        return pop_wide_range(p, 32, 0);
    default: /* wR10 to wR10+n; D8 to D8+n */
        if (op <= 0xc5 || (op & 0xf8) == 0xd0)
            return move_vsp(p, 8 * ((op & 7) + 1));
        return problem(p, STATUS_BAD_DATA, "spare");
    }
}

static enum status instruction(struct ehabi_program *p, uint8_t op)
{
    uint8_t low;

    switch (op >> 4) {
    case 0x0:
    case 0x1:
    case 0x2:
    case 0x3:
        return move_vsp(p, ((op & 0x3f) << 2) + 4);
    case 0x4:
    case 0x5:
    case 0x6:
    case 0x7:
        return move_vsp(p, -((op & 0x3f) << 2) - 4);
    case 0x8:
        if (!cursor_u8(&p->c, &low))
            return problem(p, STATUS_BAD_DATA, "cut short");
        return pop_high(p, (uint32_t)(op & 0x0f) << 8 | low);
    case 0x9:
        if ((op & 0x0f) == SP || (op & 0x0f) == PC)
            return problem(p, STATUS_BAD_DATA, "reserved");
        return set_vsp(p, op & 0x0f);
    case 0xa: /* r4 to r4+n, and lr */
        return pop(p, R4, (2u << (op & 7)) - 1u + (op & 8 ? 1u << (LR - R4) : 0));
    case 0xb:
        return instruction_b(p, op);
    default:
        return instruction_c(p, op);
    }
}

/*
 * Makes slots relative to the CFA, which the vsp has reached. An entry that restores every register
 * returns to interrupted code, not to a call: so the C library describes its signal trampolines.
 */
static enum status finish(struct ehabi_program *p)
{
    struct row *row = &p->row;
    unsigned restored = 0;

    for (unsigned i = 0; i < CORE_COUNT; i++) {
        restored += i == SP ? row->cfa.kind == CFA_DEREF : row->regs[i].kind != RULE_UNSPECIFIED;
        if (row->regs[i].kind == RULE_AT_CFA &&
            __builtin_sub_overflow(row->regs[i].off, *vsp(p), &row->regs[i].off))
            return entry_problem(p, STATUS_BAD_DATA, "a frame larger than the address space");
    }
    row->ra = (struct rule){.kind = RULE_SAME};
    if (row->regs[PC].kind != RULE_UNSPECIFIED)
        row->ra = row->regs[PC];
    else if (row->regs[LR].kind != RULE_UNSPECIFIED)
        row->ra = row->regs[LR];
    row->regs[PC] = (struct rule){.kind = RULE_UNSPECIFIED};
    row->signal_frame = restored == CORE_COUNT;
    row->call_site_only = true;
    return STATUS_OK;
}

enum status ehabi_row(const struct ehabi_entry *entry, struct row *row, struct diag *diag)
{
    struct ehabi_program p = {.entry = entry, .diag = diag};
    enum status status = load(&p);
    uint8_t op;

    row_init(&p.row, row->start_vaddr, row->end_vaddr, (enum trust)row->source);
    p.row.cfa = (struct rule){.kind = CFA_REG, .reg = SP};
    while (status == STATUS_OK && !p.finished) {
        p.instruction_pos = p.c.pos;
        if (!cursor_u8(&p.c, &op))
            break; /* the end finishes as well */
        status = instruction(&p, op);
    }
    if (status == STATUS_OK)
        status = finish(&p);
    if (status == STATUS_OK)
        *row = p.row;
    return status;
}
