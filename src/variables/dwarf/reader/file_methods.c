/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/file_methods.h"

#include <string.h>

#include "variables/dwarf/debug_file.h"

/* symbol/dwarf/range_list.h and line_program.h read it, whatever its bytes are. */
static bool is_ours(const struct debug_file_section *section)
{
    return strstr(section->name, "ranges") || strstr(section->name, "rnglists") ||
           strcmp(section->name, ".debug_line") == 0;
}

static int section_info(void *object, libdwarf_section i, Dwarf_Obj_Access_Section_a *out,
                        int *error)
{
    const struct debug_file *file = object;

    (void)error;
    *out = (Dwarf_Obj_Access_Section_a){.as_name = ""};
    if (i > file->count)
        return DW_DLV_NO_ENTRY;
    if (i > 0 && !is_ours(&file->sections[i - 1])) {
        out->as_name = file->sections[i - 1].name;
        out->as_size = file->sections[i - 1].size;
    }
    return DW_DLV_OK;
}

static libdwarf_byte_order byte_order(void *object)
{
    (void)object;
    return LIBDWARF_LITTLE_ENDIAN;
}

/* Size of an offset where libdwarf knows no other. */
static Dwarf_Small length_size(void *object)
{
    (void)object;
    return 4;
}

static Dwarf_Small pointer_size(void *object)
{
    return ((const struct debug_file *)object)->word_size;
}

static Dwarf_Unsigned section_count(void *object)
{
    return ((const struct debug_file *)object)->count + 1;
}

static int load_section(void *object, libdwarf_section i, Dwarf_Small **bytes, int *error)
{
    const struct debug_file *file = object;

    (void)error;
    if (i == 0 || i > file->count || is_ours(&file->sections[i - 1]))
        return DW_DLV_NO_ENTRY;
    *bytes = (Dwarf_Small *)(uintptr_t)file->sections[i - 1].bytes;
    return DW_DLV_OK;
}

#ifndef CG_LIBDWARF_20210528
/* libdwarf calls larger sections damaged; decompressed ones may exceed the file. */
static Dwarf_Unsigned file_size(void *object)
{
    (void)object;
    return INT64_MAX;
}
#endif

Dwarf_Obj_Access_Methods_a file_methods(void)
{
    return (Dwarf_Obj_Access_Methods_a){
        .om_get_section_info = section_info,
        .om_get_byte_order = byte_order,
        .om_get_length_size = length_size,
        .om_get_pointer_size = pointer_size,
#ifndef CG_LIBDWARF_20210528
        .om_get_filesize = file_size,
#endif
        .om_get_section_count = section_count,
        .om_load_section = load_section,
    };
}
