/* SPDX-License-Identifier: MIT */
#include "arch/aarch64/mask.h"

#include <stddef.h>

#include "arch/analysis/capstone_decoder.h"
#include "arch/analysis/ops.h"

struct encoding_group {
    uint32_t mask, value;
};

static bool in_group(uint32_t word, const struct encoding_group *groups, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((word & groups[i].mask) == groups[i].value)
            return true;
    return false;
}

#define IN_GROUP(word, groups) in_group(word, groups, sizeof(groups) / sizeof(groups[0]))

static uint32_t field(uint32_t word, unsigned low, unsigned width)
{
    return word >> low & ((UINT32_C(1) << width) - 1);
}

static int64_t signed_field(uint32_t word, unsigned low, unsigned width)
{
    int64_t sign = INT64_C(1) << (width - 1);

    return ((int64_t)field(word, low, width) ^ sign) - sign;
}

/* A register field where 31 is XZR. */
static uint64_t general(uint32_t word, unsigned low)
{
    return UINT64_C(1) << field(word, low, 5) & ~(UINT64_C(1) << A64_SP);
}

/* A register field where 31 is SP: bases, and destinations of address arithmetic. */
static uint64_t general_or_sp(uint32_t word, unsigned low)
{
    return UINT64_C(1) << field(word, low, 5);
}

#define RD(word)  general(word, 0) /* Rt as well */
#define RN(word)  general_or_sp(word, 5)
#define RT2(word) general(word, 10)
#define RS(word)  general(word, 16)

/* A pair of consecutive registers (CASP), the first of which is even. */
static uint64_t register_pair(uint32_t word, unsigned low)
{
    return (UINT64_C(3) << field(word, low, 5)) & ~(UINT64_C(3) << A64_SP);
}

/* Scalable vectors: only a few instructions write a general register. */
static uint64_t written_by_sve(uint32_t word)
{
    static const struct encoding_group to_sp[] = {
        {0xffa0f000, 0x04205000}, /* addvl, addsvl, addpl, addspl */
    };
    static const struct encoding_group to_general[] = {
        {0xfffff000, 0x04bf5000}, /* rdvl, rdsvl */
        {0xff20e000, 0x0420e000}, /* cntb ..., incb ..., sqincb ... */
        {0xff30c000, 0x25208000}, /* cntp, incp, sqincp ... */
        {0xff2ee000, 0x0520a000}, /* lasta, lastb, clasta, clastb */
    };

    if (IN_GROUP(word, to_general))
        return RD(word);
    return IN_GROUP(word, to_sp) ? general_or_sp(word, 0) : 0;
}

/* ZA moves nothing to general registers; ZT0 does (movt). */
static uint64_t written_by_sme(uint32_t word)
{
    return (word & 0xfffe0fe0) == 0xc04c03e0 ? RD(word) : 0;
}

static uint64_t written_by_immediate(uint32_t word)
{
    bool sets_flags = word >> 29 & 1;

    switch (field(word, 23, 3)) {
    case 2: /* add, sub */
        return sets_flags ? RD(word) : general_or_sp(word, 0);
    case 3: /* addg, subg; smax ... with an immediate */
        return word >> 22 & 1 ? RD(word) : general_or_sp(word, 0);
    case 4: /* and, orr, eor; ands */
        return field(word, 29, 2) == 3 ? RD(word) : general_or_sp(word, 0);
    }
    return RD(word);
}

static uint64_t written_by_system(uint32_t word)
{
    if ((word & 0xffe00000) == 0xd5200000) /* mrs, sysl */
        return RD(word);
    if ((word & 0xfff00000) == 0xd5700000) /* mrrs */
        return register_pair(word, 0);
    if ((word & 0xffffff3f) == 0xd503211f) /* pacia1716 and its like: hints 8, 10, 12, 14 */
        return UINT64_C(1) << 17;
    if (word == 0xd503251f) /* chkfeat */
        return UINT64_C(1) << 16;
    if ((word & 0xfc000000) == 0x94000000 || (word & 0xfefff000) == 0xd63f0000) /* bl, blr, blraa */
        return UINT64_C(1) << 30;
    return 0;
}

/* Load and store exclusive, acquire and release; compare and swap. */
static uint64_t written_by_exclusive(uint32_t word)
{
    bool load = word >> 22 & 1, pair = word >> 21 & 1, ordered = word >> 23 & 1;
    bool large = word >> 31;

    if (ordered)
        return pair ? RS(word) : load ? RD(word) : 0; /* cas; ldar; stlr */
    if (pair && !large)
        return register_pair(word, 16); /* casp */
    if (!load)
        return RS(word); /* the status of stxr */
    return pair ? RD(word) | RT2(word) : RD(word);
}

/* ldapur, stlur; memory copy and set; RCPC3's with write-back. */
static uint64_t written_by_unscaled_release(uint32_t word)
{
    bool vector = word >> 26 & 1;
    unsigned opc = field(word, 22, 2);

    switch (field(word, 10, 2)) {
    case 0:
        return opc == 0 || vector ? 0 : RD(word);
    case 1:
        /* Address and size count down or up; so does the source of a copy. */
        return RD(word) | general(word, 5) | (opc == 3 ? 0 : RS(word));
    case 2:
        return vector ? 0 : RD(word) | RS(word) | RN(word);
    }
    return 0;
}

/* Allocation tags: stg ... with write-back, ldg, ldgm. */
static uint64_t written_by_tags(uint32_t word)
{
    unsigned mode = field(word, 10, 2);

    if (mode == 0)
        return word >> 22 & 1 ? RD(word) : 0;
    return mode == 2 ? 0 : RN(word);
}

static uint64_t written_by_atomic(uint32_t word)
{
    if (field(word, 30, 2) == 3)
        switch (field(word, 12, 4)) {
        case 9: /* st64b */
            return 0;
        case 10:
        case 11: /* st64bv, st64bv0: a status */
            return RS(word);
        case 13: /* ld64b: eight registers */
            return (UINT64_C(0xff) << field(word, 0, 5)) & ((UINT64_C(1) << A64_SP) - 1);
        }
    return RD(word);
}

static uint64_t written_by_single(uint32_t word)
{
    bool vector = word >> 26 & 1;
    unsigned opc = field(word, 22, 2), mode = field(word, 10, 2);
    bool prefetch = field(word, 30, 2) == 3 && opc == 2;
    uint64_t loaded = vector || opc == 0 || prefetch ? 0 : RD(word);

    if (word >> 24 & 1)
        return loaded; /* an unsigned offset */
    if (!(word >> 21 & 1))
        return mode & 1 ? loaded | RN(word) : loaded; /* post- or pre-indexed */
    if (mode == 2)
        return loaded; /* an index register */
    if (vector)
        return 0;
    if (mode == 0)
        return written_by_atomic(word);
    return mode == 3 ? RD(word) | RN(word) : RD(word); /* ldraa, ldrab */
}

static uint64_t written_by_load_store(uint32_t word)
{
    bool vector = word >> 26 & 1, late = word >> 24 & 1, load = word >> 22 & 1;
    uint64_t mask = 0;

    switch (field(word, 28, 2)) {
    case 0:
        if (!vector)
            return written_by_exclusive(word);
        return word >> 23 & 1 ? RN(word) : 0; /* ld1 ... st4, post-indexed */
    case 1:
        if (!late) /* a literal */
            return vector || field(word, 30, 2) == 3 ? 0 : RD(word);
        return word >> 21 & 1 ? written_by_tags(word) : written_by_unscaled_release(word);
    case 2: /* pairs */
        if (load && !vector)
            mask = RD(word) | RT2(word);
        return word >> 23 & 1 ? mask | RN(word) : mask;
    }
    return written_by_single(word);
}

static uint64_t written_by_register(uint32_t word)
{
    static const struct encoding_group none[] = {
        {0x3fe00000, 0x3a400000}, /* ccmn, ccmp */
        {0xffe07c10, 0xba000400}, /* rmif */
        {0xffffbc1f, 0x3a00080d}, /* setf8, setf16 */
    };
    static const struct encoding_group to_sp[] = {
        {0x3f200000, 0x0b200000}, /* add, sub of an extended register */
        {0xffe0fc00, 0x9ac01000}, /* irg */
        {0xbfe0e000, 0x9a002000}, /* addpt, subpt */
    };

    if (IN_GROUP(word, none))
        return 0;
    return IN_GROUP(word, to_sp) ? general_or_sp(word, 0) : RD(word);
}

static uint64_t written_by_vector(uint32_t word)
{
    unsigned opcode = field(word, 16, 3);

    if ((word & 0xbfe0ec00) == 0x0e002c00) /* umov, smov */
        return RD(word);
    if ((word & 0x7f20fc00) == 0x1e200000) /* fcvtzs ... to an integer, fmov */
        return opcode == 2 || opcode == 3 || opcode == 7 ? 0 : RD(word);
    if ((word & 0x7f200000) == 0x1e000000) /* fcvtzs, fcvtzu to fixed point */
        return opcode >= 2 ? 0 : RD(word);
    return 0;
}

uint64_t a64_written(uint32_t word)
{
    switch (field(word, 25, 4)) {
    case 0:
        return word >> 31 ? written_by_sme(word) : 0;
    case 2:
        return written_by_sve(word);
    case 8:
    case 9:
        return written_by_immediate(word);
    case 10:
    case 11:
        return written_by_system(word);
    case 4:
    case 6:
    case 12:
    case 14:
        return written_by_load_store(word);
    case 5:
    case 13:
        return written_by_register(word);
    case 7:
    case 15:
        return written_by_vector(word);
    }
    return 0;
}

/* Returns the bytes of ld1 ... st4 of whole registers; 0: reserved. */
static unsigned whole_structure_size(uint32_t word)
{
    static const uint8_t registers[16] = {
        [0] = 4, [2] = 4, [4] = 3, [6] = 3, [7] = 1, [8] = 2, [10] = 2};

    return registers[field(word, 12, 4)] * (word >> 30 & 1 ? 16u : 8u);
}

/* Returns the bytes of ld1 ... st4 of one lane each, or of one element to all lanes. */
static unsigned lane_structure_size(uint32_t word)
{
    unsigned registers = (word >> 13 & 1) * 2 + (word >> 21 & 1) + 1;
    unsigned scale = field(word, 14, 2);

    if (scale == 3)
        scale = field(word, 10, 2); /* to all lanes */
    else if (scale == 2)
        scale += word >> 10 & 1;
    return registers << scale;
}

bool a64_stored(uint32_t word, uint8_t *base, int64_t *offset, uint16_t *size)
{
    static const struct encoding_group long_stores[] = {
        {0xff20dc00, 0xf8209000}, /* st64b, st64bv */
        {0xff20fc00, 0xf820a000}, /* st64bv0 */
    };
    static const struct encoding_group pairs[] = {
        {0x3fe00000, 0x08200000}, /* stxp, casp */
        {0xbfe00000, 0x08600000}, /* caspa */
    };
    static const struct encoding_group single[] = {
        {0x3fe00000, 0x08000000}, /* stxr */
        {0x3fe00000, 0x08800000}, /* stlr */
        {0x3fa00000, 0x08a00000}, /* cas */
        {0x3b208c00, 0x38200000}, /* atomics */
        {0x3b20fc00, 0x38208000}, /* swp */
    };
    static const struct encoding_group unscaled[] = {
        {0x3fe00c00, 0x19000000}, /* stlur */
        {0x3f600c00, 0x1d000800}, /* stlur of vectors */
        {0x3fe00c00, 0x38000800}, /* sttr */
    };
    static const struct encoding_group tags[] = {
        {0xff600400, 0xd9600400}, /* stzg, stz2g: zero 16 or 32 bytes */
        {0xff600c00, 0xd9600800},
    };

    *base = (uint8_t)field(word, 5, 5);
    *offset = 0;
    *size = (uint16_t)(1u << field(word, 30, 2));
    if (IN_GROUP(word, single))
        return true;
    if (IN_GROUP(word, unscaled)) {
        *offset = signed_field(word, 12, 9);
        if (word >> 26 & 1)
            *size = 16;
        return true;
    }
    *size = 16;
    if (IN_GROUP(word, pairs))
        return true;
    if ((word & 0xbe400000) == 0x0c000000) { /* st1 ... st4 of whole registers, of lanes */
        *size = (uint16_t)(word >> 24 & 1 ? lane_structure_size(word) : whole_structure_size(word));
        return *size > 0;
    }
    *size = 64;
    if (IN_GROUP(word, long_stores))
        return true;
    if (IN_GROUP(word, tags)) {
        /* Post-indexed ones write at the base. */
        *offset = field(word, 10, 2) == 1 ? 0 : signed_field(word, 12, 9) * 16;
        *size = 32;
        return true;
    }
    if ((word & 0xfe400000) == 0x68000000) { /* stgp */
        *offset = field(word, 23, 2) == 1 ? 0 : signed_field(word, 15, 7) * 16;
        *size = 16;
        return true;
    }
    return false;
}

unsigned a64_structure_size(uint32_t word)
{
    if ((word & 0xbfbf0000) == 0x0c9f0000)
        return whole_structure_size(word);
    return (word & 0xbf9f0000) == 0x0d9f0000 ? lane_structure_size(word) : 0;
}

static void branch_to(uint32_t word, unsigned low, unsigned width, uint64_t vaddr, struct insn *out)
{
    out->flow = FLOW_BRANCH;
    out->has_target = true;
    out->target_vaddr = vaddr + (uint64_t)(signed_field(word, low, width) * 4);
}

static void call(struct insn *out)
{
    out->flow = FLOW_CALL;
    insn_push_op(out, OP_CLOBBER)->mask = A64_CALL_CLOBBERED;
}

/* Decodes branches to an address in the encoding. */
static bool decode_direct_branch(uint32_t word, uint64_t vaddr, struct insn *out)
{
    if ((word & 0x7c000000) == 0x14000000) { /* b, bl */
        branch_to(word, 0, 26, vaddr, out);
        if (word >> 31)
            call(out);
        else
            out->flow = FLOW_JUMP;
        return true;
    }
    if ((word & 0xff000000) == 0x54000000) { /* b.eq ..., bc.eq ... */
        unsigned condition = field(word, 0, 4);

        branch_to(word, 5, 19, vaddr, out);
        if (condition >= 14) /* al; nv, which means always too */
            out->flow = FLOW_JUMP;
        else if (condition <= 1)
            out->equal = condition == 0 ? EQUAL_TAKEN : EQUAL_FALLS;
        return true;
    }
    if ((word & 0x7e000000) == 0x34000000) { /* cbz, cbnz */
        branch_to(word, 5, 19, vaddr, out);
        return true;
    }
    if ((word & 0x7e000000) == 0x36000000) { /* tbz, tbnz */
        branch_to(word, 5, 14, vaddr, out);
        return true;
    }
    return false;
}

/* Decodes branches to an address in a register, with or without authentication. */
static bool decode_register_branch(uint32_t word, struct insn *out)
{
    static const struct encoding_group jumps[] = {
        {0xfffffc1f, 0xd61f0000}, /* br */
        {0xfffff81f, 0xd61f081f}, /* braaz, brabz */
        {0xfffff800, 0xd71f0800}, /* braa, brab */
    };
    static const struct encoding_group returns[] = {
        {0xffffffff, 0xd65f03c0}, /* ret */
        {0xfffffbe0, 0xd65f0be0}, /* retaa, retab */
        {0xffc0001f, 0x5500001f}, /* retaasppc, retabsppc */
        {0xffffffff, 0xd69f03e0}, /* eret */
        {0xfffffbff, 0xd69f0bff}, /* eretaa, eretab */
    };

    if (a64_is_register_call(word)) {
        call(out);
        return true;
    }
    if (IN_GROUP(word, returns)) {
        out->flow = FLOW_RETURN;
        return true;
    }
    /* A ret through another register than LR is a jump to its value. */
    if (IN_GROUP(word, jumps) || (word & 0xfffffc1f) == 0xd65f0000) {
        out->flow = FLOW_INDIRECT;
        out->jump_reg = (uint8_t)field(word, 5, 5);
        if (out->jump_reg == A64_SP) /* XZR */
            out->jump_reg = REG_NONE;
        return true;
    }
    return false;
}

bool a64_is_register_call(uint32_t word)
{
    static const struct encoding_group calls[] = {
        {0xfffffc1f, 0xd63f0000}, /* blr */
        {0xfffff81f, 0xd63f081f}, /* blraaz, blrabz */
        {0xfffff800, 0xd73f0800}, /* blraa, blrab */
    };

    return IN_GROUP(word, calls);
}

/* Decodes frequent instructions that only write a register, without Capstone. */
static bool decode_plain(uint32_t word, struct insn *out)
{
    static const struct encoding_group groups[] = {
        {0xffc00000, 0xb9400000}, /* ldr w0, [x1, #n] */
        {0xffc00000, 0x39400000}, /* ldrb */
        {0xffc00000, 0x79400000}, /* ldrh */
        {0x3fe00800, 0x1a800000}, /* csel, csinc, csinv, csneg */
        {0x7fe00000, 0x1b000000}, /* madd, msub */
        {0xff800000, 0x11000000}, /* add w0, w1, #n */
        {0xff800000, 0x51000000}, /* sub w0, w1, #n */
        {0xffe08000, 0x0b000000}, /* add w0, w1, w2 */
        {0xffe08000, 0x4b000000}, /* sub w0, w1, w2 */
        {0xffe08000, 0x0a000000}, /* and w0, w1, w2 */
        {0xffe00000, 0x8a000000}, /* and x0, x1, x2 */
        {0xffe08000, 0x13000000}, /* sbfm: sxtb, asr ... */
    };
    uint64_t written;

    if (!IN_GROUP(word, groups))
        return false;
    written = a64_written(word);
    if (written)
        insn_push_op(out, OP_CLOBBER)->mask = written;
    return true;
}

bool a64_decode_by_mask(uint32_t word, uint64_t vaddr, struct insn *out)
{
    if (word >> 16 == 0) { /* udf */
        out->flow = FLOW_STOP;
        out->padding = word == 0;
        return true;
    }
    if (decode_plain(word, out))
        return true;
    if ((word & 0xfffff01f) == 0xd503201f) { /* hints: none but two change a register */
        uint64_t written = written_by_system(word);

        out->padding = word == 0xd503201f;
        if (written)
            insn_push_op(out, OP_CLOBBER)->mask = written;
        return true;
    }
    /* Signed or not, LR is the return address: pacia x30, sp; xpaci x30; autiasppc. */
    if ((word & 0xffff001f) == 0xdac1001e || (word & 0xffc0001f) == 0xf380001f)
        return true;
    return decode_direct_branch(word, vaddr, out) || decode_register_branch(word, out);
}

/* Says whether it moves a general register to a vector (dup), or converts one to half precision. */
static bool is_to_vector(uint32_t word)
{
    unsigned opcode = field(word, 16, 3);

    if ((word & 0xbfe0fc00) == 0x0e000c00)
        return true;
    if ((word & 0x7fe0fc00) == 0x1ee00000)
        return opcode == 2 || opcode == 3 || opcode == 7;
    return (word & 0x7fe00000) == 0x1ec00000 && (opcode == 2 || opcode == 3);
}

bool a64_reads_by_mask(uint32_t word, uint64_t *reads)
{
    static const struct encoding_group prefetches[] = {
        {0xffc00000, 0xf9800000}, /* prfm [x0, #n] */
        {0xffe00c00, 0xf8800000}, /* prfum */
    };
    uint64_t rn = general(word, 5), rm = general(word, 16);
    bool vector = (word & 0x0e000000) == 0x0e000000;

    *reads = 0;
    if (IN_GROUP(word, prefetches) || is_to_vector(word) ||
        (word & 0xfe000800) == 0xd6000800) { /* braa ... */
        *reads = rn;
        return true;
    }
    if ((word & 0xffe00c00) == 0xf8a00800) { /* prfm [x0, x1] */
        *reads = rn | rm;
        return true;
    }
    /* Among vectors of the later groups, Capstone 4 knows most. */
    if (vector || !a64_later_group(word))
        return false;
    if (a64_is_scalable(word))
        return true;
    if ((word & 0x3fe00c00) == 0x38000800) /* sttr */
        *reads = rn | RD(word);
    else if ((word & 0x0a000000) == 0x08000000) /* loads and stores */
        *reads = rn;
    else if ((word & 0x5fe00000) == 0x1ac00000 || (word & 0xbfe0e000) == 0x9a002000)
        *reads = rn | rm; /* two sources: udiv, lsl; addpt */
    else if ((word & 0x7fe00000) == 0x5ac00000)
        *reads = rn; /* one source: rev, clz, pacia */
    return true;
}

bool a64_is_exclusive_undefined(uint32_t word)
{
    bool one_way = word >> 22 & 1 || word >> 23 & 1; /* no status is written */

    if ((word & 0x3f200000) != 0x08000000)
        return false;
    return field(word, 10, 5) != 31 || (one_way && field(word, 16, 5) != 31);
}

bool a64_later_flags(uint32_t word)
{
    static const struct encoding_group groups[] = {
        {0xfff8f01f, 0xd500401f}, /* msr of a PSTATE field: cfinv */
        {0xffe0fc00, 0xbac00000}, /* subps */
        {0xffe07c10, 0xba000400}, /* rmif */
        {0xffffbc1f, 0x3a00080d}, /* setf8, setf16 */
        {0xff203c07, 0x1e202000}, /* fcmp */
        {0xff200c00, 0x1e200400}, /* fccmp */
    };

    return a64_is_scalable(word) || IN_GROUP(word, groups); /* ptest, whilelo ... */
}

bool a64_is_scalable(uint32_t word)
{
    return (word & 0x9e000000) == 0x80000000 || (word & 0x1e000000) == 0x04000000;
}

bool a64_later_group(uint32_t word)
{
    static const struct encoding_group groups[] = {
        {0x9e000000, 0x80000000}, /* SME */
        {0x1e000000, 0x04000000}, /* SVE */
        {0x3fa07c00, 0x08a07c00}, /* cas */
        {0xbfa07c00, 0x08207c00}, /* casp */
        {0x3fbffc00, 0x089f7c00}, /* ldlar, stllr */
        {0x3f200c00, 0x38200000}, /* atomics, ldapr, ld64b, st64b */
        {0x3f200c00, 0x38000800}, /* ldtr: Capstone refuses a base that is loaded */
        {0xff200400, 0xf8200400}, /* ldraa, ldrab */
        {0x3f200c00, 0x19000000}, /* ldapur, stlur */
        {0xfb200c00, 0x19000400}, /* memory copy and set */
        {0x3f200c00, 0x19000800}, /* RCPC3: ldiapp, stilp, ldapr, stlr with write-back */
        {0x3f200c00, 0x1d000800}, /* ldapur, stlur of vectors */
        {0xff200000, 0xd9200000}, /* ldg, stg ... */
        {0xfe400000, 0x68000000}, /* stgp */
        {0xbfc0c000, 0x91800000}, /* addg, subg */
        {0x7ff00000, 0x11c00000}, /* smax, umax, smin, umin with an immediate */
        {0x7fe00000, 0x1ac00000}, /* two sources: irg, gmi, subp, pacga, smax ... */
        {0xffe0fc00, 0xbac00000}, /* subps */
        {0x7fe00000, 0x5ac00000}, /* one source: pacia ..., abs, cnt, ctz */
        {0xbfe0e000, 0x9a002000}, /* addpt, subpt */
        {0xffe07c10, 0xba000400}, /* rmif */
        {0xffffbc1f, 0x3a00080d}, /* setf8, setf16 */
        {0xfff8f01f, 0xd500401f}, /* msr of a PSTATE field: cfinv, smstart ... */
        {0xfffff01f, 0xd503301f}, /* sb, dsb nxs */
        {0xffffffc0, 0xd5031000}, /* wfet, wfit */
        {0xffe0001f, 0xd4600000}, /* tcancel */
        {0xffc00000, 0xd5400000}, /* sysp, mrrs, msrr */
        {0x9e000000, 0x0e000000}, /* vectors: dot product, complex numbers, BF16, matrices ... */
        {0xde000000, 0x5e000000}, /* scalars in vectors */
        {0x7e000000, 0x1e000000}, /* floating point: half precision, frint32z ... */
        {0xff000000, 0xce000000}, /* SHA-3, SHA-512, SM3, SM4 */
    };

    return IN_GROUP(word, groups);
}
