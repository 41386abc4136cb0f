/* SPDX-License-Identifier: MIT */
/* Tells a file from others, and from its earlier contents, without reading it. */
#ifndef SYMBOL_ELF_ELF_IDENTITY_H
#define SYMBOL_ELF_ELF_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "symbol/elf/elf_image.h"

#define ELF_IDENTITY_ID_MAX 64 /* bytes of a build-id; images have no longer ones */

/* strip(1) and editors keep the build-id, hence also size and times, in ns. No padding. */
struct elf_identity {
    uint8_t build_id[ELF_IDENTITY_ID_MAX];
    uint64_t size, written_ns, changed_ns;
};

/* Fills `out`. False: the image is no file, or has no build-id; the rest is filled all the same. */
bool elf_image_identity(const struct elf_image *image, struct elf_identity *out);

#endif
