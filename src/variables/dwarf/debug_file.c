/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/debug_file.h"

#include <string.h>

#include "base/cursor.h"

static const char *const names[] = {
    ".debug_info",     ".debug_abbrev",       ".debug_str",          ".debug_line",
    ".debug_line_str", ".debug_loc",          ".debug_loclists",     ".debug_ranges",
    ".debug_rnglists", ".debug_addr",         ".debug_str_offsets",  ".debug_types",
    ".debug_info.dwo", ".debug_abbrev.dwo",   ".debug_str.dwo",      ".debug_str_offsets.dwo",
    ".debug_loc.dwo",  ".debug_loclists.dwo", ".debug_rnglists.dwo", ".debug_types.dwo",
    ".debug_cu_index", ".debug_tu_index",
};
_Static_assert(sizeof(names) / sizeof(names[0]) <= DEBUG_SECTIONS_MAX, "there is room for all");

const char *debug_section_name(size_t i)
{
    return i < sizeof(names) / sizeof(names[0]) ? names[i] : NULL;
}

/* Skips a table of .debug_loclists (DWARF 5, 7.29). */
static bool skip_lists(struct cursor *c)
{
    unsigned offset_size = 4;
    uint64_t length, offsets;
    uint16_t version;
    uint8_t address_size, segment_size;
    uint32_t count;
    size_t end;

    if (!cursor_u32(c, &count))
        return false;
    length = count;
    if (count == UINT32_MAX) {
        offset_size = 8;
        if (!cursor_u64(c, &length))
            return false;
    }
    if (length > cursor_left(c))
        return false;
    end = c->pos + (size_t)length;
    if (!cursor_u16(c, &version) || version != 5 || !cursor_u8(c, &address_size) ||
        (address_size != 4 && address_size != 8) || !cursor_u8(c, &segment_size) ||
        segment_size != 0 || !cursor_u32(c, &count))
        return false;
    offsets = (uint64_t)count * offset_size;
    if (c->pos > end || offsets > end - c->pos)
        return false;
    c->pos = end;
    return true;
}

/*
 * Can libdwarf read the section? It reads the headers of all lists first, and dies of some damaged
 * ones: the section is left out then.
 */
static bool is_usable(const char *name, const struct elf_section *section)
{
    struct cursor c = cursor_init(section->bytes, (size_t)section->size);

    if (!strstr(name, "loclists"))
        return true;
    while (cursor_left(&c) > 0)
        if (!skip_lists(&c))
            return false;
    return true;
}

enum status debug_file_of(struct elf_image *image, struct debug_file *out)
{
    const char *name;

    out->count = 0;
    out->left_out = NULL;
    out->word_size = elf_image_arch(image)->word_size;
    for (size_t i = 0; (name = debug_section_name(i)) != NULL; i++) {
        struct elf_section section;
        enum status status = elf_image_section(image, name, &section);

        if (status == STATUS_NO_MEMORY)
            return status;
        if (status != STATUS_OK || !section.bytes || section.size == 0)
            continue;
        if (!is_usable(name, &section))
            out->left_out = name;
        else
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
