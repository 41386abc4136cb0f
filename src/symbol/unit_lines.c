#include "symbol/unit_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "symbol/interval.h"
#include "symbol/line_program.h"

#define PATH_SIZE_MAX 16384 /* a longer one is none */

struct line_place {
    uint32_t file, line;
};

struct unit_lines {
    struct line_place *places;
    size_t place_count, place_cap;
    struct interval_set *ranges; /* → index in places */
    struct line_files files;
    const char **paths;   /* of files, when they were asked for */
    const char *comp_dir; /* in the file's sections, or NULL */
};

/* The rows of a program, as they come. */
struct gathering {
    struct unit_lines *lines;
    const struct elf_image *image;
    struct interval *intervals;
    size_t count, cap;
    struct line_row row; /* the last one, which holds up to the next one's address */
    bool has_row;
};

/*
 * Of several rows at one address the last one counts. What the linker dropped has rows too, at or
 * near 0.
 */
static enum status gather(void *context, const struct line_row *next)
{
    struct gathering *to = context;
    struct unit_lines *lines = to->lines;
    struct line_row row = to->row;
    uint64_t section_start, section_end;
    bool has_row = to->has_row;

    to->row = *next;
    to->has_row = !next->ends;
    if (!has_row || next->addr <= row.addr || row.file > UINT32_MAX ||
        elf_image_exec_range(to->image, row.addr, &section_start, &section_end) != STATUS_OK)
        return STATUS_OK;
    if (vec_reserve(&lines->places, &lines->place_cap, lines->place_count + 1,
                    sizeof(*lines->places)) != STATUS_OK ||
        vec_reserve(&to->intervals, &to->cap, to->count + 1, sizeof(*to->intervals)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    to->intervals[to->count++] =
        (struct interval){.start = row.addr, .end = next->addr, .id = (uint32_t)lines->place_count};
    lines->places[lines->place_count++] =
        (struct line_place){.file = (uint32_t)row.file, .line = row.line};
    return STATUS_OK;
}

static enum status read_rows(struct unit_lines *lines, const struct elf_image *image,
                             const struct line_header *header)
{
    struct gathering to = {.lines = lines, .image = image};
    enum status status = line_program_run(header, gather, &to);

    if (status == STATUS_OK) {
        interval_sort(to.intervals, to.count);
        status = interval_set_create(to.intervals, to.count, &lines->ranges);
    }
    free(to.intervals);
    return status;
}

static struct cursor strings_of(const struct dwarf_file *file, const char *name)
{
    const struct dwarf_section *section = dwarf_file_section(file, name);

    return section ? cursor_init(section->bytes, (size_t)section->size) : cursor_init("", 0);
}

static enum status read_files(struct unit_lines *lines, const struct dwarf_file *file,
                              const struct line_header *header)
{
    struct line_strings strings = {.str = strings_of(file, ".debug_str"),
                                   .line_str = strings_of(file, ".debug_line_str")};
    enum status status = line_files_read(header, &strings, &lines->files);

    if (status != STATUS_OK || lines->files.file_count == 0)
        return status;
    lines->paths = calloc(lines->files.file_count, sizeof(*lines->paths));
    return lines->paths ? STATUS_OK : STATUS_NO_MEMORY;
}

enum status unit_lines_create(struct dwarf_file *file, Dwarf_Die unit_die, struct unit_lines **out)
{
    const struct dwarf_section *section = dwarf_file_section(file, ".debug_line");
    struct line_header header;
    struct unit_lines *lines;
    enum status status;
    uint64_t off;

    if (!section || !die_section_off(file, unit_die, DW_AT_stmt_list, &off) ||
        line_header_read(section->bytes, (size_t)section->size, off, &header) != STATUS_OK)
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
    lines->comp_dir = die_string(file, unit_die, DW_AT_comp_dir);
    *out = lines;
    return STATUS_OK;
}

void unit_lines_destroy(struct unit_lines *lines)
{
    if (!lines)
        return;
    interval_set_destroy(lines->ranges);
    free(lines->places);
    free(lines->paths);
    line_files_deinit(&lines->files);
    free(lines);
}

enum status unit_lines_find(const struct unit_lines *lines, uint64_t vaddr, uint32_t *file_number,
                            uint32_t *line)
{
    uint32_t id;
    enum status status = interval_set_find(lines->ranges, vaddr, &id);

    if (status != STATUS_OK)
        return status;
    *file_number = lines->places[id].file;
    *line = lines->places[id].line;
    return STATUS_OK;
}

/* Joins what precedes the name, the parts that are given, each with a '/'. */
static char *join_path(struct arena *arena, const char *first, const char *second, const char *name)
{
    const char *parts[] = {first, second};
    size_t size = strlen(name) + 1, len;
    char *path, *end;

    for (size_t i = 0; i < 2; i++)
        size += parts[i] ? strlen(parts[i]) + 1 : 0;
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
