/* SPDX-License-Identifier: MIT */
/*
 * Vector instructions that Capstone 4 does not decode (AVX-512, mask registers, protection keys):
 * their length and the general registers and memory they may write, from their encoding (Intel SDM
 * volume 2, sections 2.3 and 2.7).
 */
#ifndef ARCH_X86_VEX_H
#define ARCH_X86_VEX_H

#include <stdbool.h>
#include <stdint.h>

struct x86_vector {
    unsigned length; /* bytes */
    /*
     * general registers, bit mask by number in the encoding (0 rax, 1 rcx, 2 rdx, 3 rbx, 4 rsp …)
     */
    uint32_t written;
    bool writes_flags;
    bool relative;   /* an operand's address is relative to the instruction's */
    unsigned stored; /* bytes written at [base + disp]; 0: none, or elsewhere. Of EVEX alone. */
    uint8_t base;    /* by number */
    int64_t disp;
};

/*
 * The VEX, EVEX or rdpkru/wrpkru instruction at `bytes`. False: none, or cut. Outside long mode c4,
 * c5 and 62 are other instructions as well.
 */
bool x86_vector(const uint8_t *bytes, uint64_t size, bool long_mode, struct x86_vector *out);

/* Prefixes of a segment that has no base, which may be before such an instruction. */
unsigned x86_segment_prefixes(const uint8_t *bytes, uint64_t size);

/*
 * Is it one that Capstone 4 knows few of and Capstone 5 most: EVEX, of mask registers, protection
 * keys?
 */
bool x86_is_late_vector(const uint8_t *bytes, uint64_t size, bool long_mode);

#endif
