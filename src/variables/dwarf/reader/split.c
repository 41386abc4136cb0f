/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/split.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "variables/dwarf/reader/attributes.h"
#include "variables/dwarf/child_memory.h"
#include "variables/dwarf/pipes.h"

/* Receives a file from the parent. */
static void receive(struct debug_reader *reader)
{
    struct debug_source *source;
    struct wire_file file;

    pipe_read_or_exit(reader->in, &file, sizeof(file));
    if (file.sections == 0)
        return;
    if (file.file >= DEBUG_FILES_MAX || file.sections > DEBUG_SECTIONS_MAX)
        _exit(CHILD_EXIT_CONFUSED);
    source = child_alloc(sizeof(*source));
    source->file.word_size = reader->sources[DEBUG_FILE_MAIN]->file.word_size;
    for (uint32_t i = 0; i < file.sections; i++) {
        struct wire_section section;
        uint8_t *bytes;

        pipe_read_or_exit(reader->in, &section, sizeof(section));
        bytes = child_alloc((size_t)section.size);
        pipe_read_or_exit(reader->in, bytes, (size_t)section.size);
        source->file.sections[source->file.count++] =
            (struct debug_file_section){.name = debug_section_name(section.name),
                                        .bytes = bytes,
                                        .size = section.size};
    }
    reader->sources[file.file] = source;
    if (file.file >= reader->source_count)
        reader->source_count = file.file + 1;
    reader_units(reader, file.file, false);
}

static void ask(struct debug_reader *reader, uint64_t id, const char *name, const char *directory)
{
    struct wire_out out = {0};
    struct wire_head head = {.result = WIRE_NEEDS_FILE};

    wire_u64(&out, id);
    wire_text(&out, name);
    wire_text(&out, directory);
    head.size = (uint32_t)out.len;
    pipe_write_or_exit(reader->out, &head, sizeof(head));
    pipe_write_or_exit(reader->out, out.bytes, out.len);
    free(out.bytes);
    receive(reader);
}

static struct debug_unit *known(struct debug_reader *reader, uint64_t id)
{
    const uint64_t *unit = map_get(&reader->split_units, id);
    struct debug_unit *found = unit ? reader_unit(reader, *unit) : NULL;

    return found && !found->is_bad ? found : NULL;
}

struct debug_unit *split_find(struct debug_reader *reader, struct debug_unit *skeleton)
{
    const char *name, *directory;
    struct debug_unit *found;
    struct debug_die die;

    if (!skeleton->signature || skeleton->is_type_unit ||
        !die_open(reader, unit_ref(skeleton, skeleton->die_off), &die))
        return NULL;
    name = attr_text(reader, &die, DW_AT_dwo_name);
    if (!name)
        name = attr_text(reader, &die, DW_AT_GNU_dwo_name);
    directory = attr_text(reader, &die, DW_AT_comp_dir);
    die_close(reader, &die);
    if (!name)
        return NULL;
    for (size_t i = DEBUG_FILE_SPLIT; i < reader->source_count; i++)
        reader_units(reader, (uint32_t)i, false);
    found = known(reader, skeleton->signature);
    if (found)
        return found;
    ask(reader, skeleton->signature, name, directory);
    return known(reader, skeleton->signature);
}
