/* SPDX-License-Identifier: MIT */
#include "symbol/elf/elf_identity.h"

#include <string.h>

bool elf_image_identity(const struct elf_image *image, struct elf_identity *out)
{
    size_t size, id_size;
    const uint8_t *build_id = elf_image_build_id(image, &id_size);

    memset(out, 0, sizeof(*out));
    memcpy(out->build_id, build_id,
           id_size < sizeof(out->build_id) ? id_size : sizeof(out->build_id));
    elf_image_file_bytes(image, &size);
    out->size = size;
    elf_image_times(image, &out->written_ns, &out->changed_ns);
    return id_size > 0 && out->changed_ns != 0;
}
