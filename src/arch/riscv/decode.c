/* SPDX-License-Identifier: MIT */
#include "arch/riscv/decode.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/riscv/pattern.h"
#include "base/bits.h"

enum { ZERO, RA, SP };

static uint32_t bits(uint32_t word, unsigned low, unsigned count)
{
    return word >> low & ((1u << count) - 1);
}

/* The immediate's bits in the order of a compressed encoding, from the topmost on. */
struct bit_range {
    uint8_t low, count, to; /* bits [low, low + count) are the immediate's from `to` on */
};

static uint32_t gather(uint32_t word, const struct bit_range *pieces)
{
    uint32_t value = 0;

    for (; pieces->count; pieces++)
        value |= bits(word, pieces->low, pieces->count) << pieces->to;
    return value;
}

#define PIECES(...) ((const struct bit_range[]){__VA_ARGS__, {0, 0, 0}})

/* Sets *out to the immediate that the letter stands for. False: it stands for another operand. */
static bool immediate(uint32_t word, char letter, int64_t *out)
{
    switch (letter) {
    case 'i':
        *out = bits_signed(word >> 20, 12);
        return true;
    case 'q':
        *out = bits_signed(gather(word, PIECES({25, 7, 5}, {7, 5, 0})), 12);
        return true;
    case 'b':
        *out =
            bits_signed(gather(word, PIECES({31, 1, 12}, {7, 1, 11}, {25, 6, 5}, {8, 4, 1})), 13);
        return true;
    case 'J':
        *out = riscv_j_offset(word);
        return true;
    case 'K':
        *out = riscv_cj_offset(word);
        return true;
    case 'c':
        *out = bits_signed(gather(word,
                                  PIECES({12, 1, 8}, {5, 2, 6}, {2, 1, 5}, {10, 2, 3}, {3, 2, 1})),
                           9);
        return true;
    case 'u':
        *out = bits_signed(word & 0xfffff000, 32);
        return true;
    case 'k':
        *out = bits_signed(gather(word, PIECES({12, 1, 17}, {2, 5, 12})), 18);
        return true;
    case 'j':
        *out = bits_signed(gather(word, PIECES({12, 1, 5}, {2, 5, 0})), 6);
        return true;
    case '<':
        *out = gather(word, PIECES({12, 1, 5}, {2, 5, 0}));
        return true;
    case '>':
        *out = bits(word, 20, 6);
        return true;
    case '1':
        *out = bits_signed(gather(word,
                                  PIECES({12, 1, 9}, {3, 2, 7}, {5, 1, 6}, {2, 1, 5}, {6, 1, 4})),
                           10);
        return true;
    case '2':
        *out = gather(word, PIECES({7, 4, 6}, {11, 2, 4}, {5, 1, 3}, {6, 1, 2}));
        return true;
    case '3':
        *out = gather(word, PIECES({5, 1, 6}, {10, 3, 3}, {6, 1, 2}));
        return true;
    case '4':
        *out = gather(word, PIECES({5, 2, 6}, {10, 3, 3}));
        return true;
    case '5':
        *out = gather(word, PIECES({2, 2, 6}, {12, 1, 5}, {4, 3, 2}));
        return true;
    case '6':
        *out = gather(word, PIECES({2, 3, 6}, {12, 1, 5}, {5, 2, 3}));
        return true;
    case '7':
        *out = gather(word, PIECES({7, 2, 6}, {9, 4, 2}));
        return true;
    case '8':
        *out = gather(word, PIECES({7, 3, 6}, {10, 3, 3}));
        return true;
    case '9':
        *out = gather(word, PIECES({5, 1, 1}, {6, 1, 0}));
        return true;
    case 'h':
        *out = bits(word, 5, 1) << 1;
        return true;
    case 'e':
        *out = bits(word, 15, 5);
        return true;
    case 'p':
        *out = bits(word, 2, 8);
        return true;
    }
    return false;
}

/* A register operand. */
struct operand {
    uint8_t number;
    bool rd, rs1, rs2; /* the operands that it is, as an integer register */
    bool is_float;
};

/* Returns the register number of s0, s1, s2 and so on. */
static uint8_t saved_register(uint32_t number)
{
    return (uint8_t)(number < 2 ? 8 + number : 16 + number);
}

/* Fills *out with the register that the letter stands for. False: another operand. */
static bool register_of(uint32_t word, char letter, struct operand *out)
{
    const uint8_t rd = (uint8_t)bits(word, 7, 5), low = (uint8_t)(8 + bits(word, 2, 3)),
                  high = (uint8_t)(8 + bits(word, 7, 3)), rs2 = (uint8_t)bits(word, 2, 5);

    *out = (struct operand){.is_float = false};
    switch (letter) {
    case 'd':
        *out = (struct operand){.number = rd, .rd = true};
        return true;
    case 's':
        *out = (struct operand){.number = (uint8_t)bits(word, 15, 5), .rs1 = true};
        return true;
    case 't':
        *out = (struct operand){.number = (uint8_t)bits(word, 20, 5), .rs2 = true};
        return true;
    case 'D':
        *out = (struct operand){.number = rd, .is_float = true};
        return true;
    case 'S':
        *out = (struct operand){.number = (uint8_t)bits(word, 15, 5), .is_float = true};
        return true;
    case 'T':
        *out = (struct operand){.number = (uint8_t)bits(word, 20, 5), .is_float = true};
        return true;
    case 'R':
        *out = (struct operand){.number = (uint8_t)bits(word, 27, 5), .is_float = true};
        return true;
    case 'U':
        *out = (struct operand){.number = rd, .rd = true, .rs1 = true};
        return true;
    case 'f':
        *out = (struct operand){.number = rd, .rs1 = true};
        return true;
    case 'V':
        *out = (struct operand){.number = rs2, .rs2 = true};
        return true;
    case 'W':
        *out = (struct operand){.number = rs2, .is_float = true};
        return true;
    case 'v':
        *out = (struct operand){.number = high, .rs1 = true};
        return true;
    case 'w':
        *out = (struct operand){.number = low, .rs2 = true};
        return true;
    case 'x':
        *out = (struct operand){.number = high, .rd = true, .rs1 = true};
        return true;
    case 'y':
        *out = (struct operand){.number = low, .rd = true};
        return true;
    case 'Y':
        *out = (struct operand){.number = low, .is_float = true};
        return true;
    case 'g':
        *out = (struct operand){.number = SP, .rd = true, .rs1 = true};
        return true;
    case 'G':
        *out = (struct operand){.number = SP, .rs1 = true};
        return true;
    case 'z':
        *out = (struct operand){.number = ZERO, .rs1 = true};
        return true;
    case 'Z':
        *out = (struct operand){.number = RA, .rd = true};
        return true;
    case 'l':
        *out = (struct operand){.number = saved_register(bits(word, 7, 3)), .rs1 = true};
        return true;
    case 'o':
        *out = (struct operand){.number = saved_register(bits(word, 2, 3)), .rs2 = true};
        return true;
    }
    return false;
}

static void read_operands(struct riscv_insn *insn)
{
    struct operand operand;

    for (const char *letter = insn->row->operands; *letter; letter++) {
        if (immediate(insn->word, *letter, &insn->imm) ||
            !register_of(insn->word, *letter, &operand))
            continue;
        if (operand.rd)
            insn->rd = operand.number;
        if (operand.rs1)
            insn->rs1 = operand.number;
        if (operand.rs2)
            insn->rs2 = operand.number;
    }
}

bool riscv_decode(const uint8_t *bytes, uint64_t size, unsigned isa, struct riscv_insn *out)
{
    if (size < RISCV_PARCEL_SIZE)
        return false;
    *out = (struct riscv_insn){.word = riscv_half(bytes),
                               .size = (uint8_t)riscv_size(riscv_half(bytes)),
                               .rd = REG_NONE,
                               .rs1 = REG_NONE,
                               .rs2 = REG_NONE};
    if (out->size == 0 || size < out->size)
        return false;
    if (out->size >= 4)
        out->word = riscv_word(bytes);
    if (out->size <= 4)
        out->row = riscv_row_of(out->word, isa);
    if (out->row)
        read_operands(out);
    return true;
}

uint64_t riscv_push_registers(const struct riscv_insn *insn)
{
    const unsigned list = bits(insn->word, 4, 4);
    uint64_t mask = UINT64_C(1) << RA;

    for (unsigned i = 5; i <= list; i++)
        mask |= UINT64_C(1) << saved_register(i - 5);
    return list == 15 ? mask | UINT64_C(3) << 26 : mask; /* s10 only with s11 */
}

int64_t riscv_push_size(const struct riscv_insn *insn, unsigned isa)
{
    const int64_t count = __builtin_popcountll(riscv_push_registers(insn));

    return ((count * riscv_xlen(isa) / 8 + 15) & ~INT64_C(15)) + 16 * bits(insn->word, 2, 2);
}

/* Text that is written, and cut at `size`. */
struct text {
    char *text;
    uint64_t size, len;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(t->text + t->len, (size_t)(t->size - t->len), format, args);
    va_end(args);
    if (n > 0)
        t->len += (uint64_t)n < t->size - t->len ? (uint64_t)n : t->size - t->len - 1;
}

static void put_float(struct text *t, unsigned number)
{
    static const char *const names[32] = {"ft0", "ft1", "ft2",  "ft3", "ft4", "ft5",  "ft6",
                                          "ft7", "fs0", "fs1",  "fa0", "fa1", "fa2",  "fa3",
                                          "fa4", "fa5", "fa6",  "fa7", "fs2", "fs3",  "fs4",
                                          "fs5", "fs6", "fs7",  "fs8", "fs9", "fs10", "fs11",
                                          "ft8", "ft9", "ft10", "ft11"};

    put(t, "%s", names[number & 31]);
}

/* Writes the name of a CSR that programs and trap handlers use, else its number. */
static void put_csr(struct text *t, uint32_t number)
{
    static const struct {
        uint16_t number;
        const char *name;
    } names[] = {
        {0x001, "fflags"},     {0x002, "frm"},       {0x003, "fcsr"},     {0x008, "vstart"},
        {0x009, "vxsat"},      {0x00a, "vxrm"},      {0x00f, "vcsr"},     {0x017, "jvt"},
        {0x100, "sstatus"},    {0x104, "sie"},       {0x105, "stvec"},    {0x106, "scounteren"},
        {0x140, "sscratch"},   {0x141, "sepc"},      {0x142, "scause"},   {0x143, "stval"},
        {0x144, "sip"},        {0x180, "satp"},      {0x300, "mstatus"},  {0x301, "misa"},
        {0x302, "medeleg"},    {0x303, "mideleg"},   {0x304, "mie"},      {0x305, "mtvec"},
        {0x306, "mcounteren"}, {0x340, "mscratch"},  {0x341, "mepc"},     {0x342, "mcause"},
        {0x343, "mtval"},      {0x344, "mip"},       {0xb00, "mcycle"},   {0xb02, "minstret"},
        {0xb80, "mcycleh"},    {0xb82, "minstreth"}, {0xc00, "cycle"},    {0xc01, "time"},
        {0xc02, "instret"},    {0xc20, "vl"},        {0xc21, "vtype"},    {0xc22, "vlenb"},
        {0xc80, "cycleh"},     {0xc81, "timeh"},     {0xc82, "instreth"}, {0xf11, "mvendorid"},
        {0xf12, "marchid"},    {0xf13, "mimpid"},    {0xf14, "mhartid"},  {0x3a0, "pmpcfg0"},
        {0x3b0, "pmpaddr0"},
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (names[i].number == number) {
            put(t, "%s", names[i].name);
            return;
        }
    put(t, "0x%" PRIx32, number);
}

static void put_fence(struct text *t, uint32_t set)
{
    for (unsigned i = 0; i < 4; i++)
        if (set & (8u >> i))
            put(t, "%c", "iorw"[i]);
    if (!set)
        put(t, "unknown");
}

static void put_rounding(struct text *t, uint32_t mode, uint32_t unsaid)
{
    static const char *const names[8] = {"rne", "rtz",     "rdn",     "rup",
                                         "rmm", "unknown", "unknown", "dyn"};

    if (mode != unsaid)
        put(t, ",%s", names[mode]);
}

/* Writes {ra,s0-s2}, or how far SP moves. */
static void put_push(struct text *t, const struct riscv_insn *insn, char letter, unsigned isa)
{
    const unsigned saved = (unsigned)__builtin_popcountll(riscv_push_registers(insn)) - 1;

    if (letter == 'r' && saved < 2)
        put(t, saved ? "{ra,s0}" : "{ra}");
    else if (letter == 'r')
        put(t, "{ra,s0-s%u}", saved - 1);
    else
        put(t, "%s%" PRId64, letter == 'a' ? "-" : "", riscv_push_size(insn, isa));
}

static void put_immediate(struct text *t, char letter, int64_t imm, uint64_t vaddr, unsigned isa)
{
    const uint64_t target = vaddr + (uint64_t)imm;

    switch (letter) {
    case 'b':
    case 'c':
    case 'J':
    case 'K':
        put(t, "%" PRIx64, riscv_xlen(isa) == 32 ? (uint32_t)target : target);
        return;
    case 'u':
    case 'k':
        put(t, "0x%" PRIx64, (uint64_t)imm >> 12 & 0xfffff);
        return;
    case '>':
    case '<':
        put(t, "0x%" PRIx64, (uint64_t)imm);
        return;
    }
    put(t, "%" PRId64, imm);
}

static void put_operand(struct text *t, const struct riscv_insn *insn, char letter, uint64_t vaddr,
                        unsigned isa)
{
    const uint32_t word = insn->word;
    struct operand operand;
    int64_t imm;

    if (letter == 'z' || letter == 'Z')
        return;
    if (register_of(word, letter, &operand)) {
        if (operand.is_float)
            put_float(t, operand.number);
        else
            put(t, "%s", riscv64_reg_names[operand.number & 31]);
        return;
    }
    if (immediate(word, letter, &imm)) {
        put_immediate(t, letter, imm, vaddr, isa);
        return;
    }
    switch (letter) {
    case 'E':
        put_csr(t, word >> 20);
        return;
    case 'm':
        put_rounding(t, bits(word, 12, 3), 7);
        return;
    case 'n':
        put_rounding(t, bits(word, 12, 3), 0);
        return;
    case 'P':
        put_fence(t, bits(word, 24, 4));
        return;
    case 'Q':
        put_fence(t, bits(word, 20, 4));
        return;
    case 'r':
    case 'a':
    case 'A':
        put_push(t, insn, letter, isa);
        return;
    }
    put(t, "%c", letter); /* a comma, a parenthesis */
}

void riscv_text(const struct riscv_insn *insn, uint64_t vaddr, unsigned isa, char *text,
                uint64_t text_size)
{
    struct text t = {.text = text, .size = text_size};
    static const char *const orders[] = {"", ".rl", ".aq", ".aqrl"};

    text[0] = '\0';
    if (!insn->row || !insn->row->name[0])
        return;
    put(&t, "%s", insn->row->name);
    if (insn->size == 4 && bits(insn->word, 0, 7) == 0x2f)
        put(&t, "%s", orders[bits(insn->word, 25, 2)]);
    if (insn->row->operands[0])
        put(&t, " ");
    for (const char *letter = insn->row->operands; *letter; letter++)
        put_operand(&t, insn, *letter, vaddr, isa);
}
