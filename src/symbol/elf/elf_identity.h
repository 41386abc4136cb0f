/* SPDX-License-Identifier: MIT */
/*
 * An identity by which a file differs from others, and from its earlier contents, without reading
 * it.
 */
#ifndef SYMBOL_ELF_ELF_IDENTITY_H
#define SYMBOL_ELF_ELF_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "symbol/elf/elf_image.h"

#define ELF_IDENTITY_ID_MAX 64 /* most bytes of a build-id */

/*
 * The build-id, padded with zeroes, and, since strip(1) and editors keep the build-id, the file's
 * size and times (elf_image_times). The struct has no padding, so that it can be hashed as bytes.
 */
struct elf_identity {
    uint8_t build_id[ELF_IDENTITY_ID_MAX];
    uint64_t size, written_ns, changed_ns;
};

/* Sets *out. False: the image is no file, or has no build-id; all that is known is set, though. */
bool elf_image_identity(const struct elf_image *image, struct elf_identity *out);

#endif
