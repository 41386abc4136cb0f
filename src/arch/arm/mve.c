/* SPDX-License-Identifier: MIT */
#include "arch/arm/mve.h"

#include "arch/arm/insn.h"

#define LOAD         0x00100000u
#define WRITE_BACK   0x00200000u
#define UP           0x00800000u
#define PRE          0x01000000u
#define HALVES       0x00080000u /* memory has halfwords, the vector words */
#define SAME_SIZE    0x1000u     /* memory's elements are the vector's */
#define UNSIGNED     0x10000000u /* loaded elements are zero-extended */
#define FOUR         1u          /* vld4, vst4; else vld2, vst2 */
#define VECTOR_BYTES 16u

/* Appends an access of `bytes` at `base`, or with `pre` at base + offset, with its write-back. */
static void transfer(uint32_t word, uint8_t base, bool pre, int64_t offset, unsigned bytes,
                     struct insn *out)
{
    const bool write_back = word & WRITE_BACK;

    if (pre && write_back)
        arm_op_add(out, base, base, offset);
    if (!(word & LOAD))
        arm_op_store(out, base, pre && !write_back ? offset : 0, REG_NONE, bytes);
    if (!pre && write_back)
        arm_op_add(out, base, base, offset);
}

/* vldr, vstr of contiguous elements: base, and a distance up or down of 7 bits in elements. */
static void contiguous(uint32_t word, struct insn *out)
{
    const bool is_same = word & SAME_SIZE;
    const unsigned shift = is_same ? word >> 7 & 3 : (word & HALVES) != 0;
    const uint8_t base = (uint8_t)(word >> 16 & (is_same ? 0xf : 7));
    const int64_t distance = (int64_t)(word & 0x7f) << shift;

    transfer(word, base, word & PRE, word & UP ? distance : -distance, VECTOR_BYTES, out);
}

static bool is_contiguous(uint32_t word)
{
    return (word & 0xfe400e00) == 0xec000e00 ||
           (word & (0xfe401e00 | LOAD)) == (0xec000e00 | UNSIGNED | LOAD);
}

/* vld2, vst4 and their like: one of the two or four steps of an access to interleaved elements. */
static void interleaved(uint32_t word, struct insn *out)
{
    const unsigned bytes = (word & FOUR ? 4 : 2) * VECTOR_BYTES;

    transfer(word, word >> 16 & 0xf, false, bytes, bytes, out);
}

bool arm_mve_memory(uint32_t word, struct insn *out)
{
    const bool moves = word & (PRE | WRITE_BACK);

    if (is_contiguous(word) && moves) {
        contiguous(word, out);
    } else if ((word & 0xff801e00) == 0xfc801e00) {
        interleaved(word, out);
    } else if ((word & 0xffe01fe0) == 0xec000f00) { /* two elements and two registers */
        if (word & LOAD)
            arm_op_clobber(out, ARM_BIT(word & 0xf) | ARM_BIT(word >> 16 & 0xf));
    } else {
        /* Addresses from the elements of another vector. */
        return (word & 0xefa00e00) == 0xec800e00 || (word & 0xff000e00) == 0xfd000e00;
    }
    return true;
}
