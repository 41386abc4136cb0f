/* SPDX-License-Identifier: MIT */
/*
 * Decodes vector instructions that Capstone 4 does not know (AVX-512, mask registers, protection
 * keys) from their encoding (Intel SDM volume 2, sections 2.3 and 2.7): length, and the general
 * registers and memory that they may write.
 */
#ifndef ARCH_X86_VEX_H
#define ARCH_X86_VEX_H

#include <stdbool.h>
#include <stdint.h>

struct x86_vector {
    unsigned length; /* length of the instruction, in bytes */
    /* Mask of general registers written, by the encoding's numbers (0 rax, 1 rcx, 2 rdx ...). */
    uint32_t written;
    bool writes_flags;
    bool relative;   /* an operand's address is PC-relative */
    unsigned stored; /* EVEX only: bytes written at base + disp; 0: none, or at another address */
    uint8_t base;    /* the encoding's number of the register; if `stored` is not 0 */
    int64_t disp;    /* displacement from `base` in bytes; if `stored` is not 0 */
};

/*
 * Decodes the VEX, EVEX, rdpkru or wrpkru instruction at `bytes`. False: the instruction there is
 * another, or longer than `size`. `long_mode`: it is 64-bit code; in 32-bit code the bytes c4, c5
 * and 62 begin other instructions as well.
 */
bool x86_vector(const uint8_t *bytes, uint64_t size, bool long_mode, struct x86_vector *out);

/*
 * Returns how many prefixes of segments without base (at most 4) are at `bytes`: they may precede
 * the instructions that x86_vector decodes.
 */
unsigned x86_segment_prefixes(const uint8_t *bytes, uint64_t size);

/*
 * Whether the instruction at `bytes` is of a kind of which Capstone 4 knows few instructions and
 * Capstone 5 most: EVEX, mask registers, protection keys, and some others of VEX.
 */
bool x86_is_late_vector(const uint8_t *bytes, uint64_t size, bool long_mode);

#endif
