#include "symbol/lines.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/cursor.h"
#include "base/map.h"
#include "base/vec.h"
#include "symbol/arena.h"
#include "symbol/die_ranges.h"
#include "symbol/dwarf_file.h"
#include "symbol/interval.h"
#include "symbol/unit_functions.h"
#include "symbol/unit_lines.h"

struct unit {
    uint64_t die_off;
    bool has_ranges, loaded;
    struct unit_lines *lines;         /* NULL: none */
    struct unit_functions *functions; /* NULL: none */
};

struct debug_lines {
    struct dwarf_file *file, *shared; /* shared: what dwz moved out, or NULL */
    struct unit *units;
    size_t unit_count, unit_cap;
    struct interval_set *ranges; /* → index in units */
    struct arena paths;
};

/* The index of units by address, while it is made. */
struct indexing {
    struct debug_lines *lines;
    struct interval *intervals;
    size_t count, cap;
    struct map by_header; /* offset of a unit's header → index in units */
};

static enum status add_interval(struct indexing *indexing, uint64_t start, uint64_t end,
                                size_t unit)
{
    if (vec_reserve(&indexing->intervals, &indexing->cap, indexing->count + 1,
                    sizeof(*indexing->intervals)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    indexing->intervals[indexing->count++] =
        (struct interval){.start = start, .end = end, .id = (uint32_t)unit};
    return STATUS_OK;
}

static enum status add_unit_range(void *context, uint64_t start_vaddr, uint64_t end_vaddr)
{
    struct indexing *indexing = context;
    size_t unit = indexing->lines->unit_count - 1;

    indexing->lines->units[unit].has_ranges = true;
    return add_interval(indexing, start_vaddr, end_vaddr, unit);
}

static enum status add_unit(struct indexing *indexing, uint64_t header_off)
{
    struct debug_lines *lines = indexing->lines;
    struct dwarf_file *file = lines->file;
    enum status status = STATUS_OK;
    struct unit_bases bases;
    Dwarf_Die die;
    Dwarf_Off off;

    if (!dwarf_ok(file, dwarf_siblingof_b(file->dbg, NULL, 1, &die, &file->error)))
        return STATUS_OK;
    file->budget = DWARF_UNIT_BUDGET;
    if (dwarf_ok(file, dwarf_dieoffset(die, &off, &file->error))) {
        status = vec_reserve(&lines->units, &lines->unit_cap, lines->unit_count + 1,
                             sizeof(*lines->units));
        if (status == STATUS_OK && !map_put(&indexing->by_header, header_off, lines->unit_count))
            status = STATUS_NO_MEMORY;
        if (status == STATUS_OK) {
            lines->units[lines->unit_count++] = (struct unit){.die_off = off};
            unit_bases_read(file, die, &bases);
            status = die_ranges(file, &bases, die, add_unit_range, indexing);
        }
    }
    dwarf_dealloc_die(die);
    return status;
}

static enum status add_units(struct indexing *indexing)
{
    struct dwarf_file *file = indexing->lines->file;
    enum status status = STATUS_OK;
    Dwarf_Unsigned length, type_off, next = 0;
    Dwarf_Half version, address_size, length_size, extension_size, unit_type;
    Dwarf_Off abbrev_off;
    Dwarf_Sig8 signature;
    uint64_t off = 0;

    while (status == STATUS_OK &&
           dwarf_ok(file,
                    dwarf_next_cu_header_d(file->dbg, 1, &length, &version, &abbrev_off,
                                           &address_size, &length_size, &extension_size, &signature,
                                           &type_off, &next, &unit_type, &file->error))) {
        if (unit_type == DW_UT_compile || unit_type == DW_UT_skeleton)
            status = add_unit(indexing, off);
        off = next;
    }
    return status;
}

/* One set of .debug_aranges (DWARF 5, 6.1.2), for a unit that does not say its ranges itself. */
static enum status add_arange_set(struct indexing *indexing, struct cursor c, size_t set_off,
                                  bool wide)
{
    struct elf_image *image = indexing->lines->file->image;
    uint64_t info_off, start, size, section_start, section_end;
    uint16_t version;
    uint8_t word, segment;
    const uint64_t *unit;
    enum status status = STATUS_OK;

    if (!cursor_u16(&c, &version) || !cursor_uint(&c, wide ? 8 : 4, &info_off) ||
        !cursor_u8(&c, &word) || !cursor_u8(&c, &segment) || segment != 0 ||
        (word != 4 && word != 8))
        return STATUS_OK;
    unit = map_get(&indexing->by_header, info_off);
    /* The pairs begin at a multiple of their size, counted from the set's start. */
    if (!unit || indexing->lines->units[*unit].has_ranges ||
        !cursor_skip(&c, -(uint64_t)(c.pos - set_off) & (2u * word - 1)))
        return STATUS_OK;
    while (status == STATUS_OK && cursor_uint(&c, word, &start) && cursor_uint(&c, word, &size) &&
           (start | size) != 0) {
        if (size > UINT64_MAX - start ||
            elf_image_exec_range(image, start, &section_start, &section_end) != STATUS_OK)
            continue;
        status = add_interval(indexing, start, start + size, (size_t)*unit);
    }
    return status;
}

static enum status add_aranges(struct indexing *indexing)
{
    struct elf_section section;
    enum status status = STATUS_OK;
    struct cursor c;
    uint32_t short_length;

    if (elf_image_section(indexing->lines->file->image, ".debug_aranges", &section) != STATUS_OK ||
        !section.bytes)
        return STATUS_OK;
    c = cursor_init(section.bytes, (size_t)section.size);
    while (status == STATUS_OK && cursor_left(&c) > 0) {
        size_t set_off = c.pos;
        bool wide = false;
        uint64_t length;
        struct cursor set;

        if (!cursor_u32(&c, &short_length))
            break;
        length = short_length;
        if (short_length == 0xffffffff) {
            wide = true;
            if (!cursor_u64(&c, &length))
                break;
        }
        set = c;
        if (!cursor_skip(&c, length))
            break;
        set.size = c.pos;
        status = add_arange_set(indexing, set, set_off, wide);
    }
    return status;
}

static enum status make_index(struct debug_lines *lines)
{
    struct indexing indexing = {.lines = lines};
    enum status status;

    map_init(&indexing.by_header);
    status = add_units(&indexing);
    if (status == STATUS_OK)
        status = add_aranges(&indexing);
    if (status == STATUS_OK) {
        interval_sort(indexing.intervals, indexing.count);
        status = interval_set_create(indexing.intervals, indexing.count, &lines->ranges);
    }
    map_deinit(&indexing.by_header);
    free(indexing.intervals);
    return status;
}

enum status debug_lines_create(struct elf_image *image, struct elf_image *shared,
                               struct debug_lines **out)
{
    struct debug_lines *lines = calloc(1, sizeof(*lines));
    enum status status;

    if (!lines)
        return STATUS_NO_MEMORY;
    arena_init(&lines->paths);
    if (shared && dwarf_file_open(shared, NULL, &lines->shared) != STATUS_OK)
        lines->shared = NULL;
    status = dwarf_file_open(image, lines->shared, &lines->file);
    if (status == STATUS_OK)
        status = make_index(lines);
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
    for (size_t i = 0; i < lines->unit_count; i++) {
        unit_lines_destroy(lines->units[i].lines);
        unit_functions_destroy(lines->units[i].functions);
    }
    free(lines->units);
    interval_set_destroy(lines->ranges);
    arena_deinit(&lines->paths);
    dwarf_file_close(lines->file);
    dwarf_file_close(lines->shared);
    free(lines);
}

/* Reads a unit's line table and functions when that was not done. */
static enum status load_unit(struct debug_lines *lines, struct unit *unit)
{
    struct dwarf_file *file = lines->file;
    struct unit_bases bases;
    enum status status;
    Dwarf_Die die;

    if (unit->loaded)
        return STATUS_OK;
    unit->loaded = true;
    if (!dwarf_ok(file, dwarf_offdie_b(file->dbg, unit->die_off, 1, &die, &file->error)))
        return STATUS_OK;
    file->budget = DWARF_UNIT_BUDGET;
    status = unit_lines_create(file, die, &unit->lines);
    if (status != STATUS_NO_MEMORY) {
        unit_bases_read(file, die, &bases);
        status = unit_functions_create(file, die, &bases, &unit->functions);
    }
    dwarf_dealloc_die(die);
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

static const char *path_of(struct debug_lines *lines, const struct unit *unit, uint64_t file_number)
{
    return unit->lines ? unit_lines_path(unit->lines, file_number, &lines->paths) : NULL;
}

/*
 * The frames of an address, innermost first. The line table says where the innermost one is; where
 * each outer one is, the call site of the one inlined into it says.
 *
 *     f() at f.c:10            line table                      (node 2, inlined into 1)
 *     g() at f.c:25            call_file, call_line of node 2  (node 1, inlined into 0)
 *     main() at main.c:7       call_file, call_line of node 1  (node 0, the real function)
 */
static size_t make_frames(struct debug_lines *lines, struct unit *unit, uint32_t node,
                          struct line_frame *frames, uint64_t *start_vaddr)
{
    size_t count = 0;

    while (node != FUNCTION_NONE && count < LINES_INLINE_DEPTH_MAX) {
        const struct function_node *function = unit_functions_node(unit->functions, node);

        frames[count++].function = unit_functions_name(unit->functions, lines->file, node);
        *start_vaddr = function->parent == FUNCTION_NONE ? function->start_vaddr : 0;
        if (function->parent != FUNCTION_NONE && count < LINES_INLINE_DEPTH_MAX)
            frames[count] = (struct line_frame){.file = path_of(lines, unit, function->call_file),
                                                .line = function->call_line};
        node = function->parent;
    }
    return count;
}

enum status debug_lines_find(struct debug_lines *lines, uint64_t vaddr,
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
    status = load_unit(lines, unit);
    if (status != STATUS_OK)
        return status;
    frames[0] = (struct line_frame){0};
    *start_vaddr = 0;
    if (unit->lines && unit_lines_find(unit->lines, vaddr, &file_number, &line) == STATUS_OK) {
        frames[0].file = path_of(lines, unit, file_number);
        frames[0].line = line;
        has_line = true;
    }
    if (unit->functions)
        node = unit_functions_find(unit->functions, vaddr);
    *count = make_frames(lines, unit, node, frames, start_vaddr);
    if (*count == 0 && !has_line)
        return STATUS_NOT_FOUND;
    *count += *count == 0;
    return STATUS_OK;
}
