/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/reader.h"

#include "base/cursor.h"
#include "variables/dwarf/child_memory.h"
#include "variables/dwarf/reader/file_methods.h"

#define GROUP_UNITS 32

static void open_group(struct debug_reader *reader, uint32_t file, struct unit_group *group)
{
    const uint32_t other = file == DEBUG_FILE_MAIN ? DEBUG_FILE_SHARED : DEBUG_FILE_MAIN;
    Dwarf_Debug tied = NULL;

    group->methods = file_methods();
    group->interface =
        (Dwarf_Obj_Access_Interface_a){.ai_object = &group->file, .ai_methods = &group->methods};
    if (!reader_ok(reader, NULL,
                   reader->dw->object_init_b(&group->interface, NULL, NULL, DW_GROUPNUMBER_ANY,
                                             &group->dbg, &reader->error))) {
        group->dbg = NULL;
        return;
    }
    /* Strings may be in the other file; a split file's addresses are in the main one. */
    if (file != DEBUG_FILE_SHARED)
        tied = reader_whole(reader, other);
    if (tied)
        reader_ok(reader, group->dbg, reader->dw->set_tied_dbg(group->dbg, tied, &reader->error));
}

/* Opened as the shared file, since it must not be tied to another view. */
Dwarf_Debug reader_whole(struct debug_reader *reader, uint32_t file)
{
    struct debug_source *source = file < reader->source_count ? reader->sources[file] : NULL;

    if (!source || source->file.count == 0)
        return NULL;
    if (!source->is_tried) {
        source->is_tried = true;
        source->whole.file = source->file;
        open_group(reader, DEBUG_FILE_SHARED, &source->whole);
    }
    return source->whole.dbg;
}

/* Finds the end of the unit at `off`; false: no unit. */
static bool unit_end(const struct debug_file_section *section, uint64_t off, uint64_t *end)
{
    struct cursor c = cursor_init(section->bytes, (size_t)section->size);
    uint64_t length;
    uint32_t word;

    if (!cursor_skip(&c, off) || !cursor_u32(&c, &word))
        return false;
    length = word;
    if (word == UINT32_MAX && !cursor_u64(&c, &length))
        return false;
    if (!cursor_skip(&c, length))
        return false;
    *end = c.pos;
    return true;
}

static bool is_package(const struct debug_file *file)
{
    return debug_file_section(file, ".debug_cu_index") ||
           debug_file_section(file, ".debug_tu_index");
}

struct unit_group *unit_group_next(struct debug_reader *reader, uint32_t file, bool in_types,
                                   uint64_t *off)
{
    const struct debug_source *source = reader->sources[file];
    const struct debug_file_section *section =
        debug_file_section(&source->file, in_types ? ".debug_types" : ".debug_info");
    struct unit_group *group;
    uint64_t end = *off;

    if (!section)
        section =
            debug_file_section(&source->file, in_types ? ".debug_types.dwo" : ".debug_info.dwo");
    if (!section)
        return NULL;
    for (int i = 0; i < GROUP_UNITS && unit_end(section, end, &end); i++)
        ;
    /* A package's index has offsets in the whole section: it stays one group. */
    if (*off == 0 && is_package(&source->file))
        end = section->size;
    if (end == *off) { /* the rest is no unit */
        reader->damage += *off < section->size;
        return NULL;
    }
    group = child_alloc(sizeof(*group));
    group->file = source->file;
    group->base = *off;
    for (size_t i = 0; i < group->file.count; i++)
        if (group->file.sections[i].name == section->name) {
            group->file.sections[i].bytes = section->bytes + *off;
            group->file.sections[i].size = end - *off;
        }
    *off = end;
    open_group(reader, file, group);
    return group;
}
