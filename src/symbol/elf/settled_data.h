/* SPDX-License-Identifier: MIT */
/*
 * Constants of a file that the dynamic linker may relocate and write-protects then (.data.rel.ro):
 * which of their bytes are in memory as they are in the file, because no relocation is of them. Of
 * a virtual table these are the offsets.
 */
#ifndef SYMBOL_ELF_SETTLED_DATA_H
#define SYMBOL_ELF_SETTLED_DATA_H

#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

struct settled_data;

/*
 * The image is borrowed for the call. NOT_FOUND: there is no such section, or it is not protected,
 * or the file is one that protects it itself: that may have written there before (glibc's ld.so);
 * BAD_DATA: not all relocations can be read, so that nothing is sure; NO_MEMORY.
 */
MUST_CHECK enum status settled_data_create(struct elf_image *image, struct settled_data **out);
void settled_data_destroy(struct settled_data *settled);

/* How many of the `size` bytes from `vaddr` on, up to the first that are not sure. */
uint64_t settled_data_count(const struct settled_data *settled, uint64_t vaddr, uint64_t size);

#endif
