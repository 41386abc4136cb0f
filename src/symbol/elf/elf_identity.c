/* SPDX-License-Identifier: MIT */
#include "symbol/elf/elf_identity.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "cache/cache.h"

/* Where the table of sections is; nothing of a file that ends before its header does. */
static void section_table(const uint8_t *file, size_t size, bool wide, uint64_t *off,
                          uint64_t *table_size)
{
    Elf64_Ehdr head64;
    Elf32_Ehdr head32;

    *off = *table_size = 0;
    if (wide && size >= sizeof(head64)) {
        memcpy(&head64, file, sizeof(head64));
        *off = head64.e_shoff;
        *table_size = (uint64_t)head64.e_shnum * head64.e_shentsize;
    } else if (!wide && size >= sizeof(head32)) {
        memcpy(&head32, file, sizeof(head32));
        *off = head32.e_shoff;
        *table_size = (uint64_t)head32.e_shnum * head32.e_shentsize;
    }
}

enum status elf_image_identity(const struct elf_image *image, struct elf_identity *out)
{
    size_t size, id_size;
    const uint8_t *file = elf_image_file_bytes(image, &size);
    const uint8_t *build_id = elf_image_build_id(image, &id_size);
    uint64_t table_off, table_size;

    if (id_size == 0)
        return STATUS_NOT_FOUND;
    memset(out, 0, sizeof(*out));
    memcpy(out->build_id, build_id,
           id_size < sizeof(out->build_id) ? id_size : sizeof(out->build_id));
    out->size = size;
    out->headers = cache_hash(id_size, file, size < sizeof(Elf64_Ehdr) ? size : sizeof(Elf64_Ehdr));
    section_table(file, size, elf_image_arch(image)->word_size == 8, &table_off, &table_size);
    if (table_off <= size && table_size <= size - table_off)
        out->headers = cache_hash(out->headers, file + table_off, (size_t)table_size);
    return STATUS_OK;
}
