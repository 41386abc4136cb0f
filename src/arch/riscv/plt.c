/* SPDX-License-Identifier: MIT */
#include "arch/riscv/plt.h"

#define AUIPC_T3   0x00000e17
#define LD_T3_T3   0x000e3e03
#define LW_T3_T3   0x000e2e03
#define JALR_T1_T3 0x000e0367
#define STUB_SIZE  16

/*
 *     auipc t3, %pcrel_hi(slot); l[w|d] t3, %pcrel_lo(slot)(t3); jalr t1, t3; nop
 * (psABI, Procedure Linkage Table). The resolver's entry begins with auipc t2.
 */
bool riscv_plt_decode(const struct plt_code *code, unsigned word_size, struct plt_stub *out)
{
    uint32_t auipc, word;
    uint64_t high, low;

    if (code->size < STUB_SIZE)
        return false;
    auipc = plt_word(code, 0);
    word = plt_word(code, 4);
    if ((auipc & 0xfff) != AUIPC_T3 || (word & 0xfffff) != (word_size == 8 ? LD_T3_T3 : LW_T3_T3) ||
        plt_word(code, 8) != JALR_T1_T3)
        return false;
    high = ((uint64_t)(auipc & 0xfffff000) ^ 0x80000000) - 0x80000000; /* signed */
    low = ((uint64_t)(word >> 20) ^ 0x800) - 0x800;
    *out = (struct plt_stub){.got_vaddr = code->vaddr + high + low, .size = STUB_SIZE};
    if (word_size == 4)
        out->got_vaddr = (uint32_t)out->got_vaddr;
    return true;
}
