/*
 * Vector instructions that Capstone 4 does not decode (AVX-512, mask registers, protection keys): their length and the
 * general registers they may write, from their encoding (Intel SDM volume 2, sections 2.3 and 2.7).
 */
#ifndef UNWIND_INSN_X86_VEX_H
#define UNWIND_INSN_X86_VEX_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The length of the VEX, EVEX or rdpkru/wrpkru instruction at `bytes`; 0: none, or cut. *written: bit mask of general registers by their number in the
 * encoding (0 rax, 1 rcx, 2 rdx, 3 rbx, 4 rsp …). Outside long mode c4, c5 and 62 are other instructions as well.
 */
unsigned x86_vector_length(const uint8_t *bytes, uint64_t size, bool long_mode, uint32_t *written);

#endif
