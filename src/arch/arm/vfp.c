/* SPDX-License-Identifier: MIT */
#include "arch/arm/vfp.h"

#include "arch/arm/insn.h"

#define LOAD       (1u << 20)
#define WRITE_BACK (1u << 21)
#define UP         (1u << 23)
#define PRE        (1u << 24)

#define VECTOR_LOAD (1u << 21)

/*
 * ARMv8's SIMD additions (vcmla, vsdot ...) use encodings of these coprocessors' ldc2 and others.
 */
static bool is_vector_arithmetic(uint32_t word)
{
    unsigned number = word >> 8 & 0xf;

    return word >> 28 == 0xf && number >= 8 && number < 14;
}

bool arm_is_coprocessor(uint32_t word)
{
    unsigned kind = word >> 24 & 0xf;

    return kind >= 0xc && kind <= 0xe;
}

static bool is_load_store(uint32_t word)
{
    return (word & 0x0e000000) == 0x0c000000;
}

static bool is_two_registers(uint32_t word)
{
    return (word & 0x0fe00000) == 0x0c400000;
}

static bool is_register_move(uint32_t word)
{
    return (word & 0x0f000010) == 0x0e000010;
}

bool arm_is_coprocessor_defined(uint32_t word)
{
    unsigned number = word >> 8 & 0xf;

    if ((number >= 8 && number <= 11) || number >= 14 || is_vector_arithmetic(word))
        return true;
    /* Other coprocessors have had loads, stores and moves (iWMMXt; FPA in glibc's setjmp). */
    return word >> 28 != 0xf && (is_load_store(word) || is_register_move(word)) &&
           (word & 0x0fe00000) != 0x0c000000;
}

/* mrc, vmov, vmrs: the result is in Rt, or in the flags when that is PC. */
static void move_to_core(uint32_t word, struct insn *out)
{
    uint8_t rt = word >> 12 & 0xf;

    if (rt == ARM_PC)
        out->writes_flags = true;
    else
        arm_op_clobber(out, 1u << rt);
}

/* vldm, vstm, vldr, vstr, ldc, stc: 8 bits of distance in words (vldr.16: halfwords). */
static void load_store(uint32_t word, uint64_t pc, struct insn *out)
{
    uint8_t base = word >> 16 & 0xf;
    bool half = (word >> 8 & 0xf) == 9;
    unsigned distance = (word & 0xff) * (half ? 2 : ARM_WORD);
    unsigned number = word >> 8 & 0xf;
    unsigned size = number == 11 ? 8 : half ? 2 : ARM_WORD; /* bytes that vstr writes */
    int64_t offset = word & UP ? (int64_t)distance : -(int64_t)distance;

    if (base == ARM_PC) {
        out->literal_vaddr = pc + (uint64_t)offset;
        out->literal_size = (uint8_t)size;
        return;
    }
    if (!(word & PRE) || (word & WRITE_BACK && number >= 9 && number <= 11))
        size = distance; /* vstm: registers of 4 bytes, or of 8, one word more for fstmx */
    if (word & PRE && word & WRITE_BACK)
        arm_op_add(out, base, base, offset);
    if (!(word & LOAD) && size)
        arm_op_store(out, base, word & PRE && !(word & WRITE_BACK) ? offset : 0, REG_NONE, size);
    if (!(word & PRE) && word & WRITE_BACK)
        arm_op_add(out, base, base, offset);
}

void arm_coprocessor(uint32_t word, uint64_t pc, struct insn *out)
{
    bool two_registers = is_two_registers(word); /* mcrr, mrrc, vmov d, r, r */

    if (is_vector_arithmetic(word))
        return;
    if (two_registers && word & LOAD)
        arm_op_clobber(out,
                       (UINT64_C(1) << (word >> 12 & 0xf) | UINT64_C(1) << (word >> 16 & 0xf)) &
                           ~(UINT64_C(1) << ARM_PC));
    else if (!two_registers && is_load_store(word))
        load_store(word, pc, out);
    else if (is_register_move(word) && word & LOAD)
        move_to_core(word, out);
}

uint64_t arm_coprocessor_reads(uint32_t word)
{
    uint64_t rn = ARM_BIT(word >> 16 & 0xf), rt = ARM_BIT(word >> 12 & 0xf), mask = 0;

    if (is_vector_arithmetic(word))
        return 0;
    if (is_two_registers(word))
        mask = word & LOAD ? 0 : rn | rt;
    else if (is_load_store(word))
        mask = rn;
    else if (is_register_move(word))
        mask = word & LOAD ? 0 : rt;
    return mask & ~ARM_BIT(ARM_PC);
}

/* Returns the bytes that vld1 ... vst4 move. */
static unsigned vector_bytes(uint32_t word)
{
    static const uint8_t registers[16] = {4, 4, 4, 2, 3, 3, 3, 1, 2, 2, 2};
    unsigned elements = (word >> 8 & 3) + 1;
    unsigned element = word >> 10 & 3;

    if (!(word & UP)) /* whole registers */
        return registers[word >> 8 & 0xf] * 8u;
    if (element == 3) { /* one element to all lanes */
        unsigned code = word >> 6 & 3;

        return elements * (code == 3 ? 4 : 1u << code);
    }
    return elements << element;
}

void arm_vector_memory(uint32_t word, struct insn *out)
{
    uint8_t base = word >> 16 & 0xf, index = word & 0xf;
    unsigned bytes = vector_bytes(word);

    if (!(word & VECTOR_LOAD) && bytes)
        arm_op_store(out, base, 0, REG_NONE, bytes);
    if (index == ARM_SP)
        arm_op_add(out, base, base, bytes);
    else if (index != ARM_PC)
        arm_op_clobber(out, 1u << base);
}
