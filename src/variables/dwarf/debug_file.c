/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/debug_file.h"

#include <string.h>

static const char *const names[] = {
    ".debug_info",      ".debug_abbrev",       ".debug_str",          ".debug_line",
    ".debug_line_str",  ".debug_loc",          ".debug_loclists",     ".debug_ranges",
    ".debug_rnglists",  ".debug_addr",         ".debug_str_offsets",  ".debug_types",
    ".debug_info.dwo",  ".debug_abbrev.dwo",   ".debug_str.dwo",      ".debug_line.dwo",
    ".debug_loc.dwo",   ".debug_loclists.dwo", ".debug_rnglists.dwo", ".debug_str_offsets.dwo",
    ".debug_types.dwo", ".debug_cu_index",     ".debug_tu_index",
};
_Static_assert(sizeof(names) / sizeof(names[0]) <= DEBUG_SECTIONS_MAX, "there is room for all");

const char *debug_section_name(size_t i)
{
    return i < sizeof(names) / sizeof(names[0]) ? names[i] : NULL;
}

enum status debug_file_of(struct elf_image *image, struct debug_file *out)
{
    const char *name;

    out->count = 0;
    out->word_size = elf_image_arch(image)->word_size;
    for (size_t i = 0; (name = debug_section_name(i)) != NULL; i++) {
        struct elf_section section;
        enum status status = elf_image_section(image, name, &section);

        if (status == STATUS_NO_MEMORY)
            return status;
        if (status == STATUS_OK && section.bytes && section.size > 0)
            out->sections[out->count++] = (struct debug_file_section){.name = name,
                                                                      .bytes = section.bytes,
                                                                      .size = section.size};
    }
    return STATUS_OK;
}

const struct debug_file_section *debug_file_section(const struct debug_file *file, const char *name)
{
    for (size_t i = 0; i < file->count; i++)
        if (strcmp(file->sections[i].name, name) == 0)
            return &file->sections[i];
    return NULL;
}
