/* SPDX-License-Identifier: MIT */
#include "symbol/elf/entry_point.h"

#include <elf.h>

#include "symbol/elf/dynamic.h"

static bool is_entered(struct elf_image *image)
{
    struct elf_section text, interp;
    uint64_t flags;

    return elf_image_type(image) != ET_DYN ||
           elf_image_section(image, ".interp", &interp) == STATUS_OK ||
           (dynamic_value(image, DT_FLAGS_1, &flags) == STATUS_OK && flags & DF_1_PIE) ||
           elf_image_section(image, ".text", &text) != STATUS_OK ||
           elf_image_entry_vaddr(image) != text.vaddr;
}

bool entry_point_find(struct elf_image *image, uint64_t *vaddr)
{
    *vaddr = elf_image_entry_vaddr(image);
    return is_entered(image);
}
