/* SPDX-License-Identifier: MIT */
/* Private to symbol/: from a mapping and its file to the difference of their addresses. */
#ifndef SYMBOL_ADDRESS_BIAS_H
#define SYMBOL_ADDRESS_BIAS_H

#include "symbol/module.h"

/*
 * Run-time address minus vaddr, as the image lies in the mapping by what that is anchored by.
 * False: nothing of the image can be mapped there.
 */
bool mapping_bias(const struct elf_image *image, const struct mapping *mapping, uint64_t *bias);

#endif
