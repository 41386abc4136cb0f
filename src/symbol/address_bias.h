/* SPDX-License-Identifier: MIT */
/* Private to symbol/: the load bias of a mapping, by the program headers of its file. */
#ifndef SYMBOL_ADDRESS_BIAS_H
#define SYMBOL_ADDRESS_BIAS_H

#include "symbol/module.h"

/*
 * Sets *bias to run-time address minus vaddr of `image` in `mapping`, by the mapping's anchor: its
 * file offset, the bias itself, or the address of the entry point. False: no segment of the image
 * lies there; for the last two: no executable one, or the bias is impossible.
 */
bool mapping_bias(const struct elf_image *image, const struct mapping *mapping, uint64_t *bias);

#endif
