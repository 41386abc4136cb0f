/* SPDX-License-Identifier: MIT */
/* Includes <elf.h> and defines the relocation numbers that musl's <elf.h> lacks. */
#ifndef ARCH_RELOC_NUMBERS_H
#define ARCH_RELOC_NUMBERS_H

#include <elf.h>

#ifndef R_AARCH64_IRELATIVE
#define R_AARCH64_IRELATIVE 1032
#endif

#ifndef R_RISCV_IRELATIVE
#define R_RISCV_IRELATIVE 58
#endif

#endif
