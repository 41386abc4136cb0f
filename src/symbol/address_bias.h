/* SPDX-License-Identifier: MIT */
/* Private to symbol/: the load bias of a mapping, by the program headers of its file. */
#ifndef SYMBOL_ADDRESS_BIAS_H
#define SYMBOL_ADDRESS_BIAS_H

#include "symbol/module.h"

/*
 * Sets *bias to run-time address minus vaddr for `image`, which is mapped at `mapping`, by the
 * mapping's anchor: a file offset, the bias, or the address of the entry point. False: no segment
 * of the image (with the last two anchors: no executable one) is at the mapping with that bias.
 */
bool mapping_bias(const struct elf_image *image, const struct mapping *mapping, uint64_t *bias);

#endif
