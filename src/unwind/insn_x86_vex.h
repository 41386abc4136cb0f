/*
 * Vector instructions that Capstone 4 does not decode (AVX-512, mask registers, protection keys): their length and the
 * general registers they may write, from their encoding (Intel SDM volume 2, sections 2.3 and 2.7). 64-bit mode.
 */
#ifndef UNWIND_INSN_X86_VEX_H
#define UNWIND_INSN_X86_VEX_H

#include <stdint.h>

/*
 * The length of the VEX, EVEX or rdpkru/wrpkru instruction at `bytes`; 0: none, or cut. *written: bit mask of general registers by their number in the
 * encoding (0 rax, 1 rcx, 2 rdx, 3 rbx, 4 rsp …).
 */
unsigned x86_vector_length(const uint8_t *bytes, uint64_t size, uint32_t *written);

#endif
