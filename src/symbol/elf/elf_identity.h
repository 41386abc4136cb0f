/* SPDX-License-Identifier: MIT */
/* What tells a file from others, and from what it was before, without reading it. */
#ifndef SYMBOL_ELF_ELF_IDENTITY_H
#define SYMBOL_ELF_ELF_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "symbol/elf/elf_image.h"

#define ELF_IDENTITY_ID_MAX 64 /* bytes of a build-id; images have no longer ones */

/*
 * strip(1), and who edits a file, leave the build-id; so there is the size, and when the file was
 * written and changed. No padding.
 */
struct elf_identity {
    uint8_t build_id[ELF_IDENTITY_ID_MAX];
    uint64_t size, written_ns, changed_ns;
};

/* False: it is no file, or has no build-id; the rest is filled all the same. */
bool elf_image_identity(const struct elf_image *image, struct elf_identity *out);

#endif
