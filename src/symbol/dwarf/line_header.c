/* SPDX-License-Identifier: MIT */
#include "symbol/dwarf/line_header.h"

#include <stdbool.h>
#include <stdlib.h>

#include <dwarf.h>

#include "base/vec.h"

#define FORMATS_MAX 255 /* their number is a byte */

struct format {
    uint64_t content, form; /* DW_LNCT_…, DW_FORM_… */
};

enum status line_header_read(const uint8_t *section, size_t size, uint64_t off,
                             struct line_header *out)
{
    struct cursor c = cursor_init(section, size);
    uint32_t short_length;
    uint64_t length, header_length;
    uint8_t line_base;

    *out = (struct line_header){.off_size = 4, .max_ops = 1};
    if (!cursor_skip(&c, off) || !cursor_u32(&c, &short_length))
        return STATUS_BAD_DATA;
    length = short_length;
    if (short_length == 0xffffffff) {
        out->off_size = 8;
        if (!cursor_u64(&c, &length))
            return STATUS_BAD_DATA;
    }
    if (length > cursor_left(&c))
        return STATUS_BAD_DATA;
    if (length > LINE_PROGRAM_MAX)
        return STATUS_UNSUPPORTED;
    c.size = c.pos + (size_t)length;
    if (!cursor_u16(&c, &out->version) || out->version < 2 || out->version > 5 ||
        (out->version >= 5 && !cursor_skip(&c, 2)) ||
        !cursor_uint(&c, out->off_size, &header_length))
        return STATUS_BAD_DATA;
    out->program = c;
    if (!cursor_skip(&out->program, header_length))
        return STATUS_BAD_DATA;
    c.size = out->program.pos;
    if (!cursor_u8(&c, &out->min_length) || (out->version >= 4 && !cursor_u8(&c, &out->max_ops)) ||
        !cursor_skip(&c, 1) || !cursor_u8(&c, &line_base) || !cursor_u8(&c, &out->line_range) ||
        !cursor_u8(&c, &out->opcode_base) || out->line_range == 0 || out->max_ops == 0 ||
        out->opcode_base == 0 || !cursor_bytes(&c, out->opcode_base - 1u, &out->operand_counts))
        return STATUS_BAD_DATA;
    out->line_base = (int8_t)line_base;
    out->tables = c;
    return STATUS_OK;
}

static enum status add_entry(struct line_entry **entries, size_t *count, size_t *cap,
                             const char *name, uint64_t dir)
{
    if (vec_reserve(entries, cap, *count + 1, sizeof(**entries)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    (*entries)[(*count)++] = (struct line_entry){.name = name, .dir = dir};
    return STATUS_OK;
}

/*
 * Versions 2 to 4: names, each list ended by an empty one; files with directory, time and length.
 */
static enum status read_lists(struct cursor c, struct line_files *out)
{
    enum status status = add_entry(&out->dirs, &out->dir_count, &out->dir_cap, NULL, 0);
    uint64_t dir, time, length;
    const char *name = "";

    while (status == STATUS_OK && cursor_string(&c, &name) && name[0])
        status = add_entry(&out->dirs, &out->dir_count, &out->dir_cap, name, 0);
    if (status == STATUS_OK)
        status = add_entry(&out->files, &out->file_count, &out->file_cap, NULL, 0);
    while (status == STATUS_OK && cursor_string(&c, &name) && name[0] && cursor_uleb(&c, &dir) &&
           cursor_uleb(&c, &time) && cursor_uleb(&c, &length))
        status = add_entry(&out->files, &out->file_count, &out->file_cap, name, dir);
    return status;
}

static bool string_at(struct cursor strings, uint64_t off, const char **out)
{
    if (!cursor_skip(&strings, off))
        return false;
    if (cursor_left(&strings) > LINE_STRING_MAX)
        strings.size = strings.pos + LINE_STRING_MAX + 1;
    return cursor_string(&strings, out);
}

struct line_value {
    uint64_t number;
    const char *text;
};

/* Reads one value of the forms that DWARF 5 allows here (6.2.4.1), but for .debug_str_offsets. */
static bool read_value(struct cursor *c, const struct line_header *header,
                       const struct line_strings *strings, uint64_t form, struct line_value *out)
{
    uint64_t off;

    switch (form) {
    case DW_FORM_string:
        return cursor_string(c, &out->text);
    case DW_FORM_line_strp:
        return cursor_uint(c, header->off_size, &off) &&
               string_at(strings->line_str, off, &out->text);
    case DW_FORM_strp:
        return cursor_uint(c, header->off_size, &off) && string_at(strings->str, off, &out->text);
    case DW_FORM_udata:
        return cursor_uleb(c, &out->number);
    case DW_FORM_data1:
        return cursor_uint(c, 1, &out->number);
    case DW_FORM_data2:
        return cursor_uint(c, 2, &out->number);
    case DW_FORM_data4:
        return cursor_uint(c, 4, &out->number);
    case DW_FORM_data8:
        return cursor_uint(c, 8, &out->number);
    case DW_FORM_data16:
        return cursor_skip(c, 16);
    case DW_FORM_block:
        return cursor_uleb(c, &off) && cursor_skip(c, off);
    default:
        return false;
    }
}

/* A table of version 5: the formats of its entries, their number, the entries. False: damaged. */
static bool read_table(struct cursor *c, const struct line_header *header,
                       const struct line_strings *strings, struct line_entry **entries,
                       size_t *entry_count, size_t *entry_cap, enum status *status)
{
    struct format formats[FORMATS_MAX];
    uint8_t format_count;
    uint64_t count;

    if (!cursor_u8(c, &format_count))
        return false;
    for (uint8_t i = 0; i < format_count; i++)
        if (!cursor_uleb(c, &formats[i].content) || !cursor_uleb(c, &formats[i].form))
            return false;
    /* Every form takes a byte at least: an entry of no bytes could be there 2^64 times. */
    if (!cursor_uleb(c, &count) || (count > 0 && format_count == 0))
        return false;
    for (uint64_t i = 0; i < count && *status == STATUS_OK; i++) {
        const char *name = NULL;
        uint64_t dir = 0;

        for (uint8_t k = 0; k < format_count; k++) {
            struct line_value value = {0};

            if (!read_value(c, header, strings, formats[k].form, &value))
                return false;
            if (formats[k].content == DW_LNCT_path)
                name = value.text;
            else if (formats[k].content == DW_LNCT_directory_index)
                dir = value.number;
        }
        *status = add_entry(entries, entry_count, entry_cap, name, dir);
    }
    return *status == STATUS_OK;
}

enum status line_files_read(const struct line_header *header, const struct line_strings *strings,
                            struct line_files *out)
{
    struct cursor c = header->tables;
    enum status status = STATUS_OK;

    *out = (struct line_files){0};
    if (header->version < 5)
        return read_lists(c, out);
    if (read_table(&c, header, strings, &out->dirs, &out->dir_count, &out->dir_cap, &status))
        read_table(&c, header, strings, &out->files, &out->file_count, &out->file_cap, &status);
    return status;
}

void line_files_deinit(struct line_files *files)
{
    free(files->dirs);
    free(files->files);
    *files = (struct line_files){0};
}
