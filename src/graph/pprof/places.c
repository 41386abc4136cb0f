/* SPDX-License-Identifier: MIT */
#include "graph/pprof/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "graph/told_labels.h"
#include "runtime/jit/jit_map.h"
#include "symbol/module_set.h"

struct maker {
    const struct pprof_tables *tables;
    struct module_set *modules;
    struct told *told;
    struct diag *diag;
    bool is_ours;            /* cgunwind wrote it: fields.h */
    struct module **mapping; /* by mapping */
    const char **texts;      /* by text; NULL: not needed yet */
    struct source_frame *lines;
    const char **labels; /* labels of the lines; NULL: none */
    size_t line_cap, label_cap;
};

static enum status bad(const struct maker *m, size_t off, const char *what)
{
    return pprof_bad(m->tables, off, what, m->diag);
}

/* Sets *out to a text from told_text; NULL: the empty one. */
static enum status take_text(struct maker *m, uint64_t id, size_t off, const char **out)
{
    struct cursor text;
    enum status status = pprof_text(m->tables, id, off, &text, m->diag);

    *out = NULL;
    if (status != STATUS_OK || text.size == 0)
        return status;
    if (!m->texts[id])
        status = told_text(m->told, text.data, text.size, &m->texts[id]);
    if (status == STATUS_OK && *m->texts[id])
        *out = m->texts[id];
    return status;
}

static int hex_digit(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads a build-id and returns its bytes; 0: none, as Go's own, which is no GNU note. */
static size_t read_build_id(const struct cursor *text, uint8_t bytes[64])
{
    if (text->size % 2 || text->size > 128)
        return 0;
    for (size_t i = 0; i < text->size / 2; i++) {
        int high = hex_digit(text->data[2 * i]), low = hex_digit(text->data[2 * i + 1]);

        if (high < 0 || low < 0)
            return 0;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return text->size / 2;
}

static enum module_kind kind_of(const char *path)
{
    if (!path || strncmp(path, "[anon", 5) == 0 || strncmp(path, "//anon", 6) == 0)
        return MODULE_ANON;
    if (strcmp(path, "[vdso]") == 0)
        return MODULE_VDSO;
    return path[0] == '[' ? MODULE_SPECIAL : MODULE_FILE;
}

/*
 * Takes the mapping's extent. Of different files of one name without build-id always the same one
 * counts.
 */
static void take_extent(struct module *module, const struct pprof_mapping *mapping)
{
    const struct module_extent extent = {mapping->start, mapping->limit, mapping->file_off};
    const struct module_extent *known = &module->extent;

    if (!mapping->of_segments)
        return;
    if (known->limit_vaddr == 0 || extent.start_vaddr > known->start_vaddr ||
        (extent.start_vaddr == known->start_vaddr &&
         (extent.limit_vaddr > known->limit_vaddr ||
          (extent.limit_vaddr == known->limit_vaddr && extent.file_off > known->file_off))))
        module->extent = extent;
}

static enum status make_module(struct maker *m, const struct pprof_mapping *mapping,
                               struct module **out)
{
    enum module_kind kind = (enum module_kind)mapping->kind;
    struct cursor build_id;
    uint8_t bytes[64];
    const char *path;
    enum status status = take_text(m, mapping->file, mapping->off, &path);

    if (status == STATUS_OK)
        status = pprof_text(m->tables, mapping->build_id, mapping->off, &build_id, m->diag);
    if (status != STATUS_OK)
        return status;
    if (mapping->kind > MODULE_NOTE)
        return bad(m, mapping->off, "the kind of the mapping is not known");
    if (mapping->kind == 0)
        kind = kind_of(path);
    if (kind == MODULE_ANON)
        path = "[anon]";
    if (!path || strlen(path) > PPROF_PATH_MAX || strlen(text_basename(path)) > PPROF_FILE_NAME_MAX)
        return bad(m, mapping->off, "the mapping's file has no name, or one that is too long");
    status = module_set_get(m->modules, kind, path, bytes, read_build_id(&build_id, bytes),
                            mapping->deleted, out);
    if (status == STATUS_OK)
        take_extent(*out, mapping);
    return status;
}

/* Sets *name to the function's name without its label, and *label. */
static enum status take_name(struct maker *m, const struct pprof_function *f, const char **name,
                             const char **label)
{
    enum status status = take_text(m, f->label, f->off, label);
    size_t size;

    if (status == STATUS_OK && !f->made_up)
        status = take_text(m, f->name, f->off, name);
    if (status != STATUS_OK || !*label || !*name)
        return status;
    size = strlen(*name);
    if (size < strlen(*label) + 2 || strcmp(*name + size - strlen(*label), *label) != 0)
        return bad(m, f->off, "the function's name does not end in its label");
    return told_text(m->told, *name, size - strlen(*label) - 1, name);
}

/* Reads the functions and lines of a location into m->lines, the innermost first. */
static enum status read_lines(struct maker *m, const struct pprof_location *location,
                              struct source_frames *frames)
{
    const struct pprof_tables *t = m->tables;
    enum status status =
        vec_reserve(&m->lines, &m->line_cap, location->line_count + 1, sizeof(*m->lines));

    if (status == STATUS_OK)
        status =
            vec_reserve(&m->labels, &m->label_cap, location->line_count + 1, sizeof(*m->labels));
    *frames = (struct source_frames){.frames = m->lines, .count = location->line_count};
    for (size_t i = 0; i < location->line_count && status == STATUS_OK; i++) {
        const struct pprof_line *line = &t->lines[location->first_line + i];
        const struct pprof_function *f;
        struct source_frame *frame = &m->lines[i];
        size_t index;

        if (!pprof_find(&t->function_ids, line->function, &index))
            return bad(m, location->off, "the location names a function that is not there");
        f = &t->functions[index];
        *frame = (struct source_frame){.line = line->line <= UINT32_MAX ? (uint32_t)line->line : 0,
                                       .is_inline = i + 1 < location->line_count};
        status = take_text(m, f->file, f->off, &frame->file);
        if (status == STATUS_OK)
            status = take_name(m, f, &frame->function, &m->labels[i]);
        if (status == STATUS_OK && frame->function)
            status = take_text(m, line->system_name ? line->system_name : f->system_name, f->off,
                               &frame->raw_function);
        if (!frame->raw_function)
            frame->raw_function = frame->function;
        if (frame->is_inline && f->start && !line->by_name)
            frame->real_vaddr = f->start - 1;
        frames->has_function = f->start > 0;
        frames->function_vaddr = f->start ? f->start - 1 : 0;
    }
    return status;
}

/* Tells where the functions of a location begin, as far as known. */
static enum status tell_starts(struct maker *m, const struct pprof_location *location,
                               struct module *module)
{
    const struct pprof_tables *t = m->tables;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < location->line_count && status == STATUS_OK; i++) {
        const uint64_t id = t->lines[location->first_line + i].function;
        const struct pprof_function *f;
        struct source_frame frame = m->lines[i];
        struct source_frames frames = {.frames = &frame, .count = 1, .has_function = true};
        uint64_t line;
        size_t index;

        if (!pprof_find(&t->function_ids, id, &index))
            continue;
        f = &t->functions[index];
        line = f->entry_file ? f->entry_line : f->start_line;
        if (f->start == 0 || line == 0 || line > UINT32_MAX)
            continue;
        if (f->entry_file)
            status = take_text(m, f->entry_file, f->off, &frame.file);
        frame.line = (uint32_t)line;
        frame.is_inline = false;
        frame.real_vaddr = 0;
        frames.function_vaddr = f->start - 1;
        if (status == STATUS_OK)
            status = told_add(m->told, module, f->start - 1, &frames, true);
    }
    return status;
}

/* Returns a made-up address: the same for the same functions and lines. */
static uint64_t address_of(const struct source_frames *frames)
{
    uint64_t hash = 0;

    for (size_t i = 0; i < frames->count; i++) {
        const struct source_frame *f = &frames->frames[i];

        hash = hash_words(hash, hash_text(f->function ? f->function : ""));
        hash = hash_words(hash_words(hash, f->line), hash_text(f->file ? f->file : ""));
    }
    return hash >> 1;
}

/* Places a location of other programs' profiles: load.h. */
static enum status place_foreign(struct maker *m, const struct pprof_location *location,
                                 const struct pprof_mapping *mapping,
                                 const struct source_frames *frames, struct frame *frame)
{
    if (mapping && location->addr >= mapping->start && location->addr < mapping->limit) {
        if (frame->module->kind == MODULE_FILE)
            frame->lookup_vaddr = location->addr - mapping->start + mapping->file_off;
    } else if (frames->count > 0) {
        frame->lookup_vaddr = address_of(frames);
        return module_set_get(m->modules, MODULE_SPECIAL, "[unknown]", NULL, 0, false,
                              &frame->module);
    }
    return STATUS_OK;
}

/* Places a function made at run time: its number is this run's (jit_map.h), found by name. */
static enum status place_made(struct maker *m, const struct pprof_location *location,
                              struct source_frames *frames, struct frame *frame)
{
    const uint64_t distance = location->addr & ((UINT64_C(1) << JIT_NAME_SHIFT) - 1);
    const struct source_frame *last = frames->count ? &frames->frames[frames->count - 1] : NULL;
    const char *name = last ? last->raw_function : NULL;
    enum status status;
    uint32_t id;

    if (!name)
        return bad(m, location->off, "the location is of a function without a name");
    status = pool_intern(&frame->module->jit_names, name, &id);
    if (status != STATUS_OK)
        return status;
    frames->has_function = true;
    frames->function_vaddr = ((uint64_t)id + 1) << JIT_NAME_SHIFT;
    frame->lookup_vaddr = frames->function_vaddr + distance;
    return told_add(m->told, frame->module, frame->lookup_vaddr, frames, false);
}

static enum status make_frame(struct maker *m, const struct pprof_location *location,
                              struct frame *frame)
{
    const struct pprof_tables *t = m->tables;
    const struct pprof_mapping *mapping = NULL;
    struct source_frames frames;
    enum status status = read_lines(m, location, &frames);
    size_t index;

    if (status != STATUS_OK)
        return status;
    *frame = (struct frame){.pc_addr = location->addr, .lookup_vaddr = location->addr};
    if (location->mapping && !pprof_find(&t->mapping_ids, location->mapping, &index))
        return bad(m, location->off, "the location names a mapping that is not there");
    if (location->mapping) {
        mapping = &t->mappings[index];
        frame->module = m->mapping[index];
    }
    if (frame->module && frame->module->kind == MODULE_JIT) {
        frame->vaddr_known = location->in_file;
        return place_made(m, location, &frames, frame);
    }
    if (!m->is_ours)
        status = place_foreign(m, location, mapping, &frames, frame);
    frame->vaddr_known = m->is_ours ? location->in_file : frames.count > 0;
    if (status != STATUS_OK || !frame->vaddr_known)
        return status;
    if (!frame->module || frames.count == 0)
        return bad(m, location->off, "the location is in a file, but tells nothing of it");
    status = told_add(m->told, frame->module, frame->lookup_vaddr, &frames, false);
    if (status == STATUS_OK)
        status = told_labels_mark(told_labels(m->told), m->labels, frames.count, &frame->mark);
    return status == STATUS_OK && m->is_ours ? tell_starts(m, location, frame->module) : status;
}

static enum status make_all(struct maker *m, struct pprof_places *places)
{
    const struct pprof_tables *t = m->tables;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < t->mapping_count && status == STATUS_OK; i++)
        status = make_module(m, &t->mappings[i], &m->mapping[i]);
    for (size_t i = 0; i < t->location_count && status == STATUS_OK; i++)
        status = make_frame(m, &t->locations[i], &places->frames[i]);
    return status;
}

enum status pprof_places_make(const struct pprof_tables *tables, struct module_set *modules,
                              struct told *told, struct pprof_places *places, struct diag *diag)
{
    struct maker m = {.tables = tables,
                      .modules = modules,
                      .told = told,
                      .diag = diag,
                      .is_ours = tables->arch != 0};
    enum status status = STATUS_NO_MEMORY;

    m.mapping = calloc(tables->mapping_count + 1, sizeof(struct module *));
    m.texts = calloc(tables->text_count + 1, sizeof(*m.texts));
    places->frames = calloc(tables->location_count + 1, sizeof(*places->frames));
    if (m.mapping && m.texts && places->frames)
        status = make_all(&m, places);
    free(m.mapping);
    free(m.texts);
    free(m.lines);
    free(m.labels);
    return status;
}

void pprof_places_deinit(struct pprof_places *places)
{
    free(places->frames);
    places->frames = NULL;
}
