/* SPDX-License-Identifier: MIT */
/*
 * Finds the bytes of .data.rel.ro, which the dynamic linker may relocate and then write-protects,
 * that are the same in memory as in the file, as no relocation changes them ("certain" bytes). In a
 * virtual table these are the offsets.
 */
#ifndef SYMBOL_ELF_SETTLED_DATA_H
#define SYMBOL_ELF_SETTLED_DATA_H

#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

struct settled_data;

/*
 * Reads the relocations of .data.rel.ro in `image`, which is borrowed for the call. NOT_FOUND:
 * there is no such section, it stays writable, or the file has no DT_NEEDED (ld.so and static
 * programs write to the section before it is protected). BAD_DATA: not all relocations can be read;
 * NO_MEMORY.
 */
MUST_CHECK enum status settled_data_create(struct elf_image *image, struct settled_data **out);
void settled_data_destroy(struct settled_data *settled);

/*
 * Returns how many of the `size` bytes from `vaddr` on are certain, up to the first that is not; 0
 * outside .data.rel.ro.
 */
uint64_t settled_data_count(const struct settled_data *settled, uint64_t vaddr, uint64_t size);

#endif
