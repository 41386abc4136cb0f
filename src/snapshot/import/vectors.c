/* SPDX-License-Identifier: MIT */
#include "snapshot/import/vectors.h"

#define TABLE_ALIGN   128u        /* the least that VTOR allows */
#define SRAM_ADDR     0x10000000u /* core-coupled memory; SP cannot be below, ... */
#define SRAM_END_ADDR 0x40000000u /* ... nor above, where devices are (ARMv7-M ARM, B3.1) */
#define REGION(addr)  ((addr) >> 28)
#define VECTOR_SP     0
#define VECTOR_RESET  1
#define VECTORS_SEEN  4

void vectors_try(const struct vector_memory *memory, uint64_t addr, struct snap_board *board)
{
    uint32_t words[VECTORS_SEEN];

    if (board->profile != SNAP_PROFILE_ARM_M || board->initial_sp || addr % TABLE_ALIGN ||
        !memory->read(memory->context, addr, words, sizeof(words)))
        return;
    if (words[VECTOR_SP] % 4 || words[VECTOR_SP] <= SRAM_ADDR || words[VECTOR_SP] > SRAM_END_ADDR)
        return;
    for (unsigned i = VECTOR_RESET; i < VECTORS_SEEN; i++)
        if (!(words[i] & 1) || REGION(words[i]) != REGION(words[VECTOR_RESET]))
            return;
    board->vectors_addr = addr;
    board->initial_sp = words[VECTOR_SP];
    board->reset_addr = words[VECTOR_RESET];
}
