/* SPDX-License-Identifier: MIT */
/*
 * What the decoder of RISC-V makes of instructions, for riscv_objdump.py.
 *
 * usage: riscv_text 32|64|33|65 < LINES
 *
 * 33 and 65 are 32 and 64 bits with Zcmp. A line has an address and the instruction as a number of
 * so many bytes, both hexadecimal; a line of output its size in bytes and its text.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/riscv/decode.h"

int main(int argc, char **argv)
{
    const unsigned isa = argc == 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
    char line[64];

    if (riscv_xlen(isa) != 32 && riscv_xlen(isa) != 64)
        return 2;
    while (fgets(line, sizeof(line), stdin)) {
        char *digits, text[128] = "";
        const uint64_t vaddr = strtoull(line, &digits, 16);
        const uint64_t word = strtoull(digits, NULL, 16);
        const uint64_t size = (strlen(digits) - 2) / 2; /* a space, a newline */
        struct riscv_insn insn;
        uint8_t bytes[8];

        for (unsigned i = 0; i < sizeof(bytes); i++)
            bytes[i] = (uint8_t)(word >> 8 * i);
        if (!riscv_decode(bytes, size, isa, &insn)) {
            puts("0");
            continue;
        }
        riscv_text(&insn, vaddr, isa, text, sizeof(text));
        printf("%u %s\n", insn.size, text);
    }
    return 0;
}
