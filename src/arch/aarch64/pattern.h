/* SPDX-License-Identifier: MIT */
/*
 * Recognises A64 code by its bytes, without decoding: begins of functions, calls, jumps, system
 * calls and signal trampolines.
 */
#ifndef ARCH_AARCH64_PATTERN_H
#define ARCH_AARCH64_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct row;

/* Implement the members of the same names of struct insn_set (arch/analysis/insn.h). */
uint64_t a64_jump_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr);
uint64_t a64_call_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr);
bool a64_ends_with_call(const uint8_t *bytes, uint64_t size);
bool a64_strong_start(const uint8_t *bytes, uint64_t size);
/* As calls_nothing of struct insn_set. */
bool a64_calls_nothing(const uint8_t *bytes, uint64_t size);
unsigned a64_system_call(const uint8_t *bytes, uint64_t size);
enum status a64_sigreturn_row(const uint8_t *bytes, uint64_t size, uint64_t vaddr, struct row *out);

#endif
