/* SPDX-License-Identifier: MIT */
/*
 * Jump tables of ARMv6-M code (gcc -Os, Cortex-M0). It has no tbb: a switch calls a subroutine of
 * libgcc (__gnu_thumb1_case_sqi, _uqi, _shi, _uhi, _si; libgcc's config/arm/lib1funcs.S), with the
 * case's number in r0, which returns to where the table says that lies right behind the call:
 *
 *     bl   __gnu_thumb1_case_uqi       to this address + 2 * table[r0]
 *     .byte 5, 7, 10, …                _si: words, from a multiple of 4 on: to the table + its word
 *
 * It is known by its code, as stripped firmware has no names.
 */
#ifndef ARCH_ARM_CASE_HELPER_H
#define ARCH_ARM_CASE_HELPER_H

#include <stdint.h>

#include "arch/analysis/insn.h"

/* struct insn_set's table_call. */
void arm_table_call(const uint8_t *bytes, uint64_t size, struct insn *call);

#endif
