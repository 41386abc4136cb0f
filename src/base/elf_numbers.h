/* SPDX-License-Identifier: MIT */
/* Includes <elf.h> and defines the constants that musl's and glibc's before 2.36 lack. */
#ifndef BASE_ELF_NUMBERS_H
#define BASE_ELF_NUMBERS_H

#include <elf.h>

#ifndef DT_RELR /* gABI, "RELR relocations" */
#define DT_RELRSZ  35
#define DT_RELR    36
#define DT_RELRENT 37
#endif

#endif
