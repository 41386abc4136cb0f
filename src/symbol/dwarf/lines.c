/* SPDX-License-Identifier: MIT */
#include "symbol/dwarf/lines.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/interval.h"
#include "base/map.h"
#include "symbol/dwarf/die.h"
#include "symbol/dwarf/unit_functions.h"
#include "symbol/dwarf/unit_index.h"
#include "symbol/dwarf/unit_lines.h"

/* The tables of a unit of file->units. */
struct unit {
    unsigned loaded;                  /* LINES_...: read, or tried */
    struct unit_lines *lines;         /* NULL: none */
    bool lines_shared;                /* they belong to another unit */
    struct unit_functions *functions; /* NULL: none */
    struct dwarf_file *file;          /* with the DIEs of `functions`: a split file, or this one */
};

struct debug_lines {
    struct dwarf_file *file, *shared; /* shared: what dwz moved out, or NULL */
    split_find_fn *find_split;        /* NULL: none */
    void *context;                    /* of find_split */
    struct unit *units;               /* as file->units */
    struct interval_set *ranges;      /* → index in units */
    struct map line_tables;           /* offset in .debug_line → index of the unit that read it */
    struct qualifier *qualifier;
    struct arena paths;
};

enum status debug_lines_create(const struct lines_files *files, struct debug_lines **out)
{
    struct debug_lines *lines = calloc(1, sizeof(*lines));
    enum status status;

    if (!lines)
        return STATUS_NO_MEMORY;
    lines->find_split = files->find_split;
    lines->context = files->context;
    arena_init(&lines->paths);
    map_init(&lines->line_tables);
    if (files->shared && dwarf_file_open(files->shared, NULL, &lines->shared) != STATUS_OK)
        lines->shared = NULL;
    status = dwarf_file_open(files->image, lines->shared, &lines->file);
    if (status == STATUS_OK)
        status = qualifier_create(&lines->qualifier);
    if (status == STATUS_OK)
        status = unit_index_create(lines->file, &lines->ranges);
    if (status == STATUS_OK) {
        lines->units = calloc(lines->file->unit_count, sizeof(*lines->units));
        status = lines->units ? STATUS_OK : STATUS_NO_MEMORY;
    }
    if (status != STATUS_OK) {
        debug_lines_destroy(lines);
        return status;
    }
    *out = lines;
    return STATUS_OK;
}

void debug_lines_destroy(struct debug_lines *lines)
{
    if (!lines)
        return;
    for (size_t i = 0; lines->units && i < lines->file->unit_count; i++) {
        if (!lines->units[i].lines_shared)
            unit_lines_destroy(lines->units[i].lines);
        unit_functions_destroy(lines->units[i].functions);
    }
    free(lines->units);
    interval_set_destroy(lines->ranges);
    map_deinit(&lines->line_tables);
    arena_deinit(&lines->paths);
    qualifier_destroy(lines->qualifier);
    dwarf_file_close(lines->file);
    dwarf_file_close(lines->shared);
    free(lines);
}

const char *debug_lines_cut_short(const struct debug_lines *lines)
{
    if (lines->file->cut_short || (lines->shared && lines->shared->cut_short))
        return elf_image_path(lines->file->image);
    for (size_t i = 0; i < lines->file->unit_count; i++)
        if (lines->units[i].file && lines->units[i].file->cut_short)
            return elf_image_path(lines->units[i].file->image);
    return NULL;
}

/* Line tables are read once: several units may have the same one. */
static enum status load_places(struct debug_lines *lines, const struct die *die, uint32_t index)
{
    struct unit *unit = &lines->units[index];
    enum status status;
    uint64_t off, *known;

    if (!unit_lines_off(die, &off))
        return STATUS_NOT_FOUND;
    known = map_get(&lines->line_tables, off);
    if (known && unit_lines_fit(lines->units[*known].lines, die)) {
        unit->lines = lines->units[*known].lines;
        unit->lines_shared = true;
        return STATUS_OK;
    }
    status = unit_lines_create(die, &unit->lines);
    if (status == STATUS_OK && !known && !map_put(&lines->line_tables, off, index))
        status = STATUS_NO_MEMORY;
    return status;
}

/* The functions of a skeleton are in its split unit; only some skeletons have inlined ones. */
static enum status load_functions(struct debug_lines *lines, const struct die *die,
                                  struct unit *unit)
{
    struct split_found dies = {.file = lines->file, .unit = die->unit};
    struct split_wanted wanted;
    enum status status = STATUS_NOT_FOUND;

    if (lines->find_split && split_wanted_by(die, &wanted))
        status = lines->find_split(lines->context, &wanted, &dies);
    if (status == STATUS_OK)
        split_unit_tie(&dies, die);
    if (status == STATUS_NO_MEMORY)
        return status;
    unit->file = dies.file;
    return unit_functions_create(dies.file, dies.unit, &unit->functions);
}

/* Reads the parts of a unit that are asked for and were not read yet. */
static enum status load_unit(struct debug_lines *lines, unsigned what, uint32_t index)
{
    struct dwarf_unit *dwarf_unit = &lines->file->units[index];
    struct unit *unit = &lines->units[index];
    enum status status = STATUS_OK;
    struct die die;

    what &= ~unit->loaded;
    unit->loaded |= what;
    if (what == 0 || !die_read_unit(lines->file, dwarf_unit, &die))
        return STATUS_OK;
    if (what & LINES_PLACES)
        status = load_places(lines, &die, index);
    if (status != STATUS_NO_MEMORY && (what & LINES_FUNCTIONS))
        status = load_functions(lines, &die, unit);
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

static const char *path_of(struct debug_lines *lines, const struct unit *unit, uint32_t file_number)
{
    return unit->lines ? unit_lines_path(unit->lines, file_number, &lines->paths) : NULL;
}

/*
 * Makes the frames of an address, innermost first. The innermost one's place is from the line
 * table, each outer one's from the call site of the one inlined into it.
 *
 *     f() at f.c:10            line table                      (node 2, inlined into 1)
 *     g() at f.c:25            call_file, call_line of node 2  (node 1, inlined into 0)
 *     main() at main.c:7       call_file, call_line of node 1  (node 0, the real function)
 */
static enum status make_frames(struct debug_lines *lines, unsigned what, struct unit *unit,
                               uint32_t node, struct line_frame *frames, size_t *frame_count,
                               uint64_t *start_vaddr)
{
    const struct function_origin *origin;
    size_t count = 0;

    while (node != FUNCTION_NONE && count < LINES_INLINE_DEPTH_MAX) {
        const struct function_node *function = unit_functions_node(unit->functions, node);
        enum status status =
            unit_functions_origin(unit->functions, unit->file, lines->qualifier, node, &origin);

        if (status != STATUS_OK)
            return status;
        frames[count].function = origin->name;
        frames[count++].real_vaddr = function->parent == FUNCTION_NONE ? 0 : origin->real_vaddr;
        *start_vaddr = function->parent == FUNCTION_NONE ? function->start_vaddr : 0;
        if (function->parent != FUNCTION_NONE && count < LINES_INLINE_DEPTH_MAX) {
            frames[count] = (struct line_frame){0};
            if (what & LINES_PLACES) {
                frames[count].file = path_of(lines, unit, function->call_file);
                frames[count].line = function->call_line;
            }
        }
        node = function->parent;
    }
    *frame_count = count;
    return STATUS_OK;
}

enum status debug_lines_find(struct debug_lines *lines, unsigned what, uint64_t vaddr,
                             struct line_frame frames[LINES_INLINE_DEPTH_MAX], size_t *count,
                             uint64_t *start_vaddr)
{
    uint32_t index, file_number, line, node = FUNCTION_NONE;
    bool has_line = false;
    struct unit *unit;
    enum status status;

    if (interval_set_find(lines->ranges, vaddr, &index) != STATUS_OK)
        return STATUS_NOT_FOUND;
    unit = &lines->units[index];
    status = load_unit(lines, what, index);
    if (status != STATUS_OK)
        return status;
    frames[0] = (struct line_frame){0};
    *start_vaddr = 0;
    if ((what & LINES_PLACES) && unit->lines &&
        unit_lines_find(unit->lines, vaddr, &file_number, &line) == STATUS_OK) {
        frames[0].file = path_of(lines, unit, file_number);
        frames[0].line = line;
        has_line = true;
    }
    if ((what & LINES_FUNCTIONS) && unit->functions)
        node = unit_functions_find(unit->functions, vaddr);
    status = make_frames(lines, what, unit, node, frames, count, start_vaddr);
    if (status != STATUS_OK)
        return status;
    if (*count == 0 && !has_line)
        return STATUS_NOT_FOUND;
    *count += *count == 0;
    return STATUS_OK;
}
