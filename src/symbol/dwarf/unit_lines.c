/* SPDX-License-Identifier: MIT */
#include "symbol/dwarf/unit_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/interval.h"
#include "base/search.h"
#include "base/vec.h"
#include "symbol/dwarf/line_program.h"

#define PATH_SIZE_MAX 16384 /* a longer path counts as none */

struct line_place {
    uint32_t off; /* of its first address from the sequence's start */
    uint32_t file, line;
};

struct sequence { /* of rows with ascending addresses */
    uint64_t start_vaddr;
    uint32_t first, count; /* in places */
};

struct unit_lines {
    struct line_place *places;
    size_t place_count, place_cap;
    struct sequence *sequences;
    size_t sequence_count, sequence_cap;
    struct interval_set *ranges; /* → index in sequences */
    struct line_files files;
    const char **paths;   /* of files, when they were asked for */
    const char *comp_dir; /* in the file's sections, or NULL */
};

/* The rows of a program, as they come. */
struct line_gathering {
    struct unit_lines *lines;
    const struct elf_image *image;
    struct interval *intervals; /* of sequences */
    size_t count, cap;
    struct line_row row; /* the last one, which holds up to the next one's address */
    bool has_row;
    bool is_code;         /* the sequence lies in executable code */
    uint64_t section_end; /* valid when is_code */
};

/* Rows of dropped code have addresses at or near 0: they are in no section. */
static enum status begin_sequence(struct line_gathering *to, uint64_t start_vaddr)
{
    struct unit_lines *lines = to->lines;
    uint64_t section_start;

    to->is_code =
        elf_image_exec_range(to->image, start_vaddr, &section_start, &to->section_end) == STATUS_OK;
    if (!to->is_code)
        return STATUS_OK;
    if (vec_reserve(&lines->sequences, &lines->sequence_cap, lines->sequence_count + 1,
                    sizeof(*lines->sequences)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    lines->sequences[lines->sequence_count++] =
        (struct sequence){.start_vaddr = start_vaddr, .first = (uint32_t)lines->place_count};
    return STATUS_OK;
}

static enum status end_sequence(struct line_gathering *to, uint64_t end_vaddr)
{
    struct unit_lines *lines = to->lines;
    struct sequence *sequence;

    if (!to->is_code)
        return STATUS_OK;
    sequence = &lines->sequences[lines->sequence_count - 1];
    sequence->count = (uint32_t)lines->place_count - sequence->first;
    if (vec_reserve(&to->intervals, &to->cap, to->count + 1, sizeof(*to->intervals)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    to->intervals[to->count++] =
        (struct interval){.start = sequence->start_vaddr,
                          .end = end_vaddr < to->section_end ? end_vaddr : to->section_end,
                          .id = (uint32_t)lines->sequence_count - 1};
    return STATUS_OK;
}

/* Keeps the last row, which holds some address, unless the one before says the same. */
static enum status keep_row(struct line_gathering *to)
{
    struct unit_lines *lines = to->lines;
    const struct sequence *sequence = &lines->sequences[lines->sequence_count - 1];
    const struct line_row *row = &to->row;
    struct line_place place = {.off = (uint32_t)(row->addr - sequence->start_vaddr),
                               .file = row->file < UINT32_MAX ? (uint32_t)row->file : UINT32_MAX,
                               .line = row->line};

    if (lines->place_count > sequence->first) {
        const struct line_place *last = &lines->places[lines->place_count - 1];

        if (last->file == place.file && last->line == place.line)
            return STATUS_OK;
    }
    if (lines->place_count >= UINT32_MAX ||
        vec_reserve(&lines->places, &lines->place_cap, lines->place_count + 1,
                    sizeof(*lines->places)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    lines->places[lines->place_count++] = place;
    return STATUS_OK;
}

/* Does the row continue the sequence? Always in a sound program; rows of dropped code may not. */
static bool goes_on(const struct line_gathering *to, const struct line_row *next)
{
    const struct unit_lines *lines = to->lines;

    if (!to->is_code)
        return !next->jumps;
    return (next->addr >= to->row.addr &&
            next->addr - lines->sequences[lines->sequence_count - 1].start_vaddr <= UINT32_MAX);
}

/* Takes the next row; the last of several at one address counts. */
static enum status gather(void *context, const struct line_row *next)
{
    struct line_gathering *to = context;
    enum status status = STATUS_OK;

    if (to->has_row && !goes_on(to, next)) {
        status = end_sequence(to, to->row.addr);
        to->has_row = false;
    }
    if (status == STATUS_OK && !to->has_row)
        status = begin_sequence(to, next->addr);
    else if (status == STATUS_OK && to->is_code && next->addr > to->row.addr)
        status = keep_row(to);
    if (status == STATUS_OK && next->ends)
        status = end_sequence(to, next->addr);
    to->row = *next;
    to->has_row = !next->ends;
    return status;
}

static enum status read_rows(struct unit_lines *lines, const struct elf_image *image,
                             const struct line_header *header)
{
    struct line_gathering to = {.lines = lines, .image = image};
    enum status status = line_program_run(header, gather, &to);

    if (status == STATUS_OK && to.has_row) /* cut short */
        status = end_sequence(&to, to.row.addr);
    if (status == STATUS_OK)
        status = interval_sort(to.intervals, to.count);
    if (status == STATUS_OK)
        status = interval_set_create(to.intervals, to.count, &lines->ranges);
    free(to.intervals);
    return status;
}

static enum status read_files(struct unit_lines *lines, struct dwarf_file *file,
                              const struct line_header *header)
{
    struct line_strings strings = {.str = dwarf_section_at(file, DWARF_STR, 0),
                                   .line_str = dwarf_section_at(file, DWARF_LINE_STR, 0)};
    enum status status = line_files_read(header, &strings, &lines->files);

    if (status != STATUS_OK || lines->files.file_count == 0)
        return status;
    lines->paths = calloc(lines->files.file_count, sizeof(*lines->paths));
    return lines->paths ? STATUS_OK : STATUS_NO_MEMORY;
}

bool unit_lines_off(const struct die *unit_die, uint64_t *off)
{
    const struct form_value *value = &unit_die->values.value[SLOT_STMT_LIST];

    if (!die_has(&unit_die->values, SLOT_STMT_LIST) ||
        (value->class != FORM_SECTION_OFF && value->class != FORM_CONSTANT))
        return false;
    *off = value->number;
    return true;
}

bool unit_lines_fit(const struct unit_lines *lines, const struct die *unit_die)
{
    return lines->comp_dir == die_text(unit_die, SLOT_COMP_DIR);
}

/* Pays for reading a line table. False: the budget does not allow it. */
static bool spend(struct dwarf_file *file, const struct line_header *header)
{
    uint64_t size = (uint64_t)cursor_left(&header->tables) + cursor_left(&header->program);

    if (size > file->line_budget) {
        file->cut_short = true;
        return false;
    }
    file->line_budget -= size;
    return true;
}

enum status unit_lines_create(const struct die *unit_die, struct unit_lines **out)
{
    struct dwarf_file *file = unit_die->file;
    struct cursor section = dwarf_section_at(file, DWARF_LINE, 0);
    struct line_header header;
    struct unit_lines *lines;
    enum status status;
    uint64_t off;

    if (!unit_lines_off(unit_die, &off))
        return STATUS_NOT_FOUND;
    status = line_header_read(section.data, section.size, off, &header);
    file->cut_short |= status == STATUS_UNSUPPORTED;
    if (status != STATUS_OK || !spend(file, &header))
        return STATUS_NOT_FOUND;
    lines = calloc(1, sizeof(*lines));
    if (!lines)
        return STATUS_NO_MEMORY;
    status = read_rows(lines, file->image, &header);
    if (status == STATUS_OK)
        status = read_files(lines, file, &header);
    if (status != STATUS_OK) {
        unit_lines_destroy(lines);
        return status;
    }
    lines->comp_dir = die_text(unit_die, SLOT_COMP_DIR);
    *out = lines;
    return STATUS_OK;
}

void unit_lines_destroy(struct unit_lines *lines)
{
    if (!lines)
        return;
    interval_set_destroy(lines->ranges);
    free(lines->places);
    free(lines->sequences);
    free(lines->paths);
    line_files_deinit(&lines->files);
    free(lines);
}

/* Returns the last place of a sequence that begins at `off` or before; NULL: none. */
static const struct line_place *place_at(const struct unit_lines *lines,
                                         const struct sequence *sequence, uint64_t off)
{
    size_t at = SEARCH_FIRST(i, sequence->first, sequence->first + sequence->count,
                             lines->places[i].off <= off);

    return at > sequence->first ? &lines->places[at - 1] : NULL;
}

enum status unit_lines_find(const struct unit_lines *lines, uint64_t vaddr, uint32_t *file_number,
                            uint32_t *line)
{
    const struct line_place *place;
    const struct sequence *sequence;
    uint32_t id;
    enum status status = interval_set_find(lines->ranges, vaddr, &id);

    if (status != STATUS_OK)
        return status;
    sequence = &lines->sequences[id];
    place = place_at(lines, sequence, vaddr - sequence->start_vaddr);
    if (!place)
        return STATUS_NOT_FOUND;
    *file_number = place->file;
    *line = place->line;
    return STATUS_OK;
}

/* Joins the directories that are given, each with a '/', and the name. */
static char *join_path(struct arena *arena, const char *first, const char *second, const char *name)
{
    const char *parts[] = {first, second};
    size_t size = strnlen(name, PATH_SIZE_MAX) + 1, len;
    char *path, *end;

    for (size_t i = 0; i < 2; i++)
        size += parts[i] ? strnlen(parts[i], PATH_SIZE_MAX) + 1 : 0;
    path = size <= PATH_SIZE_MAX ? arena_alloc(arena, size) : NULL;
    if (!path)
        return NULL;
    end = path;
    for (size_t i = 0; i < 2; i++) {
        if (!parts[i])
            continue;
        len = strlen(parts[i]);
        memcpy(end, parts[i], len);
        end += len;
        if (len > 0 && end[-1] != '/')
            *end++ = '/';
    }
    memcpy(end, name, strlen(name) + 1);
    return path;
}

const char *unit_lines_path(struct unit_lines *lines, uint64_t file_number, struct arena *arena)
{
    const struct line_files *files = &lines->files;
    const char *comp_dir = lines->comp_dir, *dir, *name;
    const struct line_entry *entry;

    if (file_number >= files->file_count)
        return NULL;
    entry = &files->files[file_number];
    name = entry->name;
    if (lines->paths[file_number] || !name)
        return lines->paths[file_number];
    dir = entry->dir < files->dir_count ? files->dirs[entry->dir].name : NULL;
    if (name[0] == '/')
        comp_dir = dir = NULL;
    else if (dir && dir[0] == '/')
        comp_dir = NULL;
    lines->paths[file_number] = join_path(arena, comp_dir, dir, name);
    return lines->paths[file_number];
}
