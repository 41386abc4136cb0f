/* SPDX-License-Identifier: MIT */
/* <elf.h> and the relocation numbers that some C libraries' lacks (musl). */
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
