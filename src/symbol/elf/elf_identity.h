/* SPDX-License-Identifier: MIT */
/* What tells a file from others, without reading all of it. */
#ifndef SYMBOL_ELF_ELF_IDENTITY_H
#define SYMBOL_ELF_ELF_IDENTITY_H

#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

#define ELF_IDENTITY_ID_MAX 64 /* bytes of a build-id; of a longer one the first */

/* The build-id, which strip(1) leaves; so the size and a hash of the headers, too. No padding. */
struct elf_identity {
    uint8_t build_id[ELF_IDENTITY_ID_MAX];
    uint64_t size, headers;
};

/* NOT_FOUND: the file has no build-id. */
MUST_CHECK enum status elf_image_identity(const struct elf_image *image, struct elf_identity *out);

#endif
