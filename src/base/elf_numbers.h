/* SPDX-License-Identifier: MIT */
/* <elf.h> and the constants that some C libraries' lacks (musl, glibc before 2.36). */
#ifndef BASE_ELF_NUMBERS_H
#define BASE_ELF_NUMBERS_H

#include <elf.h>

#ifndef DT_RELR /* gABI, "RELR relocations" */
#define DT_RELRSZ  35
#define DT_RELR    36
#define DT_RELRENT 37
#endif

#endif
