/* SPDX-License-Identifier: MIT */
/*
 * Jump tables of ARMv6-M code (gcc -Os, Cortex-M0). ARMv6-M has no tbb: a switch calls a subroutine
 * of libgcc with the case's number in r0 (__gnu_thumb1_case_sqi, _uqi, _shi, _uhi, _si; libgcc's
 * config/arm/lib1funcs.S). The subroutine returns to an address from the table behind the call:
 *
 *     bl   __gnu_thumb1_case_uqi       to this address + 2 * table[r0]
 *     .byte 5, 7, 10, ...              _si: words, aligned to 4: to the table + table[r0]
 *
 * The subroutine is recognised by its code, as stripped firmware has no names.
 */
#ifndef ARCH_ARM_CASE_HELPER_H
#define ARCH_ARM_CASE_HELPER_H

#include <stdint.h>

#include "arch/analysis/insn.h"

/*
 * If the code at `bytes` is one of libgcc's subroutines __gnu_thumb1_case_..., turns `call`, which
 * calls it, into a jump through the table behind the call; else leaves `call` as it is. Implements
 * insn_set.table_call.
 */
void arm_table_call(const uint8_t *bytes, uint64_t size, struct insn *call);

#endif
