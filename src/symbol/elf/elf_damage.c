/* SPDX-License-Identifier: MIT */
#include "symbol/elf/elf_damage.h"

#include <inttypes.h>

#include <gelf.h>

static bool beyond(const struct elf_image *image, uint64_t off, uint64_t size)
{
    size_t file_size;

    elf_image_file_bytes(image, &file_size);
    return off > file_size || size > file_size - off;
}

static bool report(const struct elf_image *image, uint64_t off, uint64_t size, const char *what,
                   struct diag *diag)
{
    size_t file_size;

    elf_image_file_bytes(image, &file_size);
    diag_set_at(diag, elf_image_path(image), off,
                "%s of %" PRIu64 " bytes begins here, but the file ends at %zu", what, size,
                file_size);
    diag_hint(diag, "it is cut short or damaged: get it again");
    return true;
}

static bool find_segment(const struct elf_image *image, struct diag *diag)
{
    size_t count;
    const struct elf_segment *segments = elf_image_segments(image, &count);

    for (size_t i = 0; i < count; i++)
        if (segments[i].file_size > 0 && beyond(image, segments[i].file_off, segments[i].file_size))
            return report(image, segments[i].file_off, segments[i].file_size, "a segment", diag);
    return false;
}

/* e_shnum 0 with a table: the number is in its first header (gABI). */
static bool find_headers(struct elf_image *image, struct diag *diag)
{
    Elf *elf = elf_image_libelf(image);
    GElf_Ehdr ehdr;
    uint64_t size;

    if (!gelf_getehdr(elf, &ehdr) || ehdr.e_shoff == 0)
        return false;
    size = (uint64_t)ehdr.e_shentsize * (ehdr.e_shnum ? ehdr.e_shnum : 1);
    if (beyond(image, ehdr.e_shoff, size))
        return report(image, ehdr.e_shoff, size, "the table of section headers", diag);
    if (elf_image_has_sections(image))
        return false;
    diag_set_at(diag, elf_image_path(image), ehdr.e_shoff, "the section headers make no sense");
    diag_hint(diag, "the file is damaged: get it again");
    return true;
}

static bool find_section(struct elf_image *image, struct diag *diag)
{
    Elf *elf = elf_image_libelf(image);
    Elf_Scn *section = NULL;
    GElf_Shdr header;

    while ((section = elf_nextscn(elf, section)) != NULL)
        if (gelf_getshdr(section, &header) && header.sh_type != SHT_NOBITS && header.sh_size > 0 &&
            beyond(image, header.sh_offset, header.sh_size))
            return report(image, header.sh_offset, header.sh_size, "a section", diag);
    return false;
}

bool elf_damage_find(struct elf_image *image, struct diag *diag)
{
    return (!elf_image_is_debug_only(image) && find_segment(image, diag)) ||
           find_headers(image, diag) || find_section(image, diag);
}
