/* SPDX-License-Identifier: MIT */
#include "output/pprof.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "graph/thread_state.h"
#include "output/format.h"
#include "output/gzip.h"
#include "output/proto.h"

/* Field numbers of profile.proto. */
enum profile_field {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_MAPPING = 3,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING_TABLE = 6,
    PROFILE_TIME_NANOS = 9,
    PROFILE_DURATION_NANOS = 10,
    PROFILE_PERIOD_TYPE = 11,
    PROFILE_PERIOD = 12,
    PROFILE_COMMENT = 13,
    PROFILE_DEFAULT_SAMPLE_TYPE = 14,
};
enum value_type_field { VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT = 2 };
enum sample_field { SAMPLE_LOCATION_ID = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };
enum label_field { LABEL_KEY = 1, LABEL_STR = 2, LABEL_NUM = 3 };
enum mapping_field {
    MAPPING_ID = 1,
    MAPPING_MEMORY_START = 2,
    MAPPING_MEMORY_LIMIT = 3,
    MAPPING_FILE_OFFSET = 4,
    MAPPING_FILENAME = 5,
    MAPPING_BUILD_ID = 6,
    MAPPING_HAS_FUNCTIONS = 7,
    MAPPING_HAS_FILENAMES = 8,
    MAPPING_HAS_LINE_NUMBERS = 9,
    MAPPING_HAS_INLINE_FRAMES = 10,
};
enum location_field {
    LOCATION_ID = 1,
    LOCATION_MAPPING = 2,
    LOCATION_ADDRESS = 3,
    LOCATION_LINE = 4
};
enum line_field { LINE_FUNCTION = 1, LINE_LINE = 2 };
enum function_field {
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
    FUNCTION_FILENAME = 4,
    FUNCTION_START_LINE = 5,
};

#define PAGE_SIZE 0x1000 /* mappings begin at multiples, as the kernel makes them */

/* A function as profile.proto has it: with the one file that its lines are in. */
struct pprof_function {
    uint32_t function; /* for names_function */
    uint32_t file;     /* in the table of strings */
    struct module *module;
    const char *raw_file; /* NULL: not known */
};

struct pprof_mapping {
    const struct module *module;
    uint64_t low, high; /* addresses of the first and last location in it */
    bool functions, files, lines, inlines;
};

static const struct {
    const char *type, *unit;
    enum weight_kind weight;
} SAMPLE_TYPES[] = {{"samples", "count", WEIGHT_SAMPLES},
                    {"cpu", "nanoseconds", WEIGHT_CPU},
                    {"wall", "nanoseconds", WEIGHT_WALL}};
#define SAMPLE_TYPE_COUNT (sizeof(SAMPLE_TYPES) / sizeof(SAMPLE_TYPES[0]))

struct pprof_writer {
    const struct view *view;
    const struct profile *profile;
    struct names *names;
    struct gzip *gzip;
    struct pool strings;
    struct proto message, part;       /* at work on; a part is ended before the next begins */
    struct pprof_function *functions; /* by id - 1 */
    size_t function_count, function_cap;
    struct index function_index;
    struct pprof_mapping *mappings; /* by id - 1, in the order of their modules */
    size_t mapping_count, mapping_cap;
    uint32_t *location; /* by the profile's frame: its id; 0: not used */
    uint64_t *ids;      /* of a sample's locations */
    size_t id_cap;
};

/* The id of a text in the table of strings, cleaned, as strings have to be UTF-8. */
static enum status string_id(struct pprof_writer *w, const char *text, uint32_t *id)
{
    char *clean = text_clean(text, TEXT_REPLACE_CONTROLS);
    enum status status = clean ? pool_intern(&w->strings, clean, id) : STATUS_NO_MEMORY;

    free(clean);
    return status;
}

static enum status put_string(struct pprof_writer *w, struct proto *proto, uint32_t field,
                              const char *text)
{
    uint32_t id;
    enum status status = string_id(w, text, &id);

    if (status == STATUS_OK)
        proto_number(proto, field, id);
    return status;
}

/* Writes the message as a field of the profile, and begins another. */
static enum status flush(struct pprof_writer *w, enum profile_field field)
{
    uint8_t head[PROTO_HEAD_MAX];
    enum status status;

    if (w->message.failed || w->part.failed)
        return STATUS_NO_MEMORY;
    status = gzip_write(w->gzip, head, proto_head(head, field, w->message.len));
    if (status == STATUS_OK)
        status = gzip_write(w->gzip, w->message.bytes, w->message.len);
    proto_clear(&w->message);
    return status;
}

static enum status put_value_type(struct pprof_writer *w, enum profile_field field,
                                  const char *type, const char *unit)
{
    enum status status = put_string(w, &w->message, VALUE_TYPE_TYPE, type);

    if (status == STATUS_OK)
        status = put_string(w, &w->message, VALUE_TYPE_UNIT, unit);
    return status == STATUS_OK ? flush(w, field) : status;
}

/* Finds or adds a function; its id. They are written when all are known. */
static enum status find_function(struct pprof_writer *w, struct module *module,
                                 const struct place *place, uint32_t *id)
{
    struct pprof_function want = {.function = names_canonical(w->names, place->function),
                                  .module = module,
                                  .raw_file = place->file};
    enum status status = string_id(w, place->file ? place->file : "", &want.file);
    uint64_t hash = hash_words(want.function, want.file);
    struct index_probe probe = index_find(&w->function_index, hash);
    uint32_t index;

    if (status != STATUS_OK)
        return status;
    while (index_next(&probe, &index)) {
        *id = index + 1;
        if (w->functions[index].function == want.function && w->functions[index].file == want.file)
            return STATUS_OK;
    }
    if (vec_reserve(&w->functions, &w->function_cap, w->function_count + 1,
                    sizeof(*w->functions)) != STATUS_OK ||
        index_add(&w->function_index, hash, (uint32_t)w->function_count) != STATUS_OK)
        return STATUS_NO_MEMORY;
    w->functions[w->function_count++] = want;
    *id = (uint32_t)w->function_count;
    return STATUS_OK;
}

/* The line at which a function begins, when it is in the file of its other lines. */
static enum status find_start_line(struct pprof_writer *w, const struct pprof_function *f,
                                   uint32_t *line)
{
    const struct function *function = names_function(w->names, f->function);
    const struct places *places;
    const struct place *place;
    enum status status;

    *line = 0;
    if (!function->has_start || !f->raw_file)
        return STATUS_OK;
    status = names_find(w->names, f->module, function->start_vaddr, true, false, &places);
    if (status != STATUS_OK)
        return status;
    place = &places->list[places->count - 1];
    if (place->file && strcmp(place->file, f->raw_file) == 0)
        *line = place->line;
    return STATUS_OK;
}

static enum status put_functions(struct pprof_writer *w)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < w->function_count && status == STATUS_OK; i++) {
        const struct pprof_function *f = &w->functions[i];
        const struct function *function;
        uint32_t line;

        status = find_start_line(w, f, &line);
        if (status != STATUS_OK)
            return status;
        function = names_function(w->names, f->function);
        proto_number(&w->message, FUNCTION_ID, i + 1);
        status = put_string(w, &w->message, FUNCTION_NAME, function->name);
        if (status == STATUS_OK)
            status = put_string(w, &w->message, FUNCTION_SYSTEM_NAME,
                                function->raw_name ? function->raw_name : function->name);
        proto_number(&w->message, FUNCTION_FILENAME, f->file);
        proto_number(&w->message, FUNCTION_START_LINE, line);
        if (status == STATUS_OK)
            status = flush(w, PROFILE_FUNCTION);
    }
    return status;
}

/* The mapping of a frame's module, the last one or a new one; NULL when it is in none. */
static enum status find_mapping(struct pprof_writer *w, const struct profile_frame *frame,
                                struct pprof_mapping **out)
{
    struct pprof_mapping *last = w->mapping_count ? &w->mappings[w->mapping_count - 1] : NULL;

    *out = NULL;
    if (!frame->module)
        return STATUS_OK;
    if (!last || last->module != frame->module) {
        if (vec_reserve(&w->mappings, &w->mapping_cap, w->mapping_count + 1,
                        sizeof(*w->mappings)) != STATUS_OK)
            return STATUS_NO_MEMORY;
        last = &w->mappings[w->mapping_count++];
        *last = (struct pprof_mapping){.module = frame->module, .low = frame->addr};
    }
    last->high = frame->addr;
    *out = last;
    return STATUS_OK;
}

static enum status put_lines(struct pprof_writer *w, const struct profile_frame *frame,
                             const struct places *places, struct pprof_mapping *mapping)
{
    for (uint32_t i = 0; i < places->count; i++) {
        const struct place *place = &places->list[i];
        uint32_t id;
        enum status status = find_function(w, frame->module, place, &id);

        if (status != STATUS_OK)
            return status;
        proto_clear(&w->part);
        proto_number(&w->part, LINE_FUNCTION, id);
        proto_number(&w->part, LINE_LINE, place->line);
        proto_message(&w->message, LOCATION_LINE, &w->part);
        if (!mapping)
            continue;
        mapping->functions |= names_function(w->names, place->function)->has_name;
        mapping->files |= place->file != NULL;
        mapping->lines |= place->line != 0;
        mapping->inlines |= place->is_inline;
    }
    return STATUS_OK;
}

static enum status put_location(struct pprof_writer *w, uint32_t frame_id, uint32_t id)
{
    const struct profile_frame *frame = &w->profile->frames[frame_id];
    struct pprof_mapping *mapping;
    enum status status = find_mapping(w, frame, &mapping);

    if (status != STATUS_OK)
        return status;
    proto_number(&w->message, LOCATION_ID, id);
    proto_number(&w->message, LOCATION_MAPPING, mapping ? w->mapping_count : 0);
    proto_number(&w->message, LOCATION_ADDRESS, frame->addr);
    /* A made-up name of an address in a file that is missing would hide that it can be looked up.
     */
    if (frame->vaddr_known || !frame->module || frame->module->kind != MODULE_FILE)
        status = put_lines(w, frame, w->profile->places[frame_id], mapping);
    return status == STATUS_OK ? flush(w, PROFILE_LOCATION) : status;
}

static int compare_frames(const void *a, const void *b, void *context)
{
    const struct profile *profile = context;
    uint32_t ia = *(const uint32_t *)a;
    uint32_t ib = *(const uint32_t *)b;
    const struct profile_frame *fa = &profile->frames[ia];
    const struct profile_frame *fb = &profile->frames[ib];
    uint32_t ma = fa->module ? fa->module->id + 1 : 0;
    uint32_t mb = fb->module ? fb->module->id + 1 : 0;

    if (ma != mb)
        return ma < mb ? -1 : 1;
    if (fa->addr != fb->addr)
        return fa->addr < fb->addr ? -1 : 1;
    if (fa->vaddr_known != fb->vaddr_known)
        return fa->vaddr_known ? 1 : -1;
    return ia < ib ? -1 : ia > ib;
}

/* Marks the frames of the chains that are shown, with 1 in w->location. */
static enum status mark_frames(struct pprof_writer *w)
{
    const struct profile *profile = w->profile;
    const struct trie *trie = &profile->trie;
    bool *used = calloc(trie->len, sizeof(*used));

    if (!used)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < profile->cell_count; i++)
        if (w->view->cell_shown[i])
            used[profile->chains[profile->cells[i].chain].leaf] = true;
    for (size_t i = trie->len; i-- > 1;) {
        if (!used[i])
            continue;
        used[trie->nodes[i].parent] = true;
        w->location[trie->nodes[i].key] = 1;
    }
    free(used);
    return STATUS_OK;
}

/* Frames that differ in trust alone are one location. */
static enum status put_locations(struct pprof_writer *w)
{
    const struct profile *profile = w->profile;
    uint32_t *order = calloc(profile->frame_count + 1, sizeof(*order));
    enum status status = order ? mark_frames(w) : STATUS_NO_MEMORY;
    uint32_t id = 0;
    size_t count = 0;

    for (size_t i = 0; status == STATUS_OK && i < profile->frame_count; i++)
        if (w->location[i])
            order[count++] = (uint32_t)i;
    if (status == STATUS_OK)
        qsort_r(order, count, sizeof(*order), compare_frames, (void *)(uintptr_t)profile);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        /* Places are one for each address of a module. */
        if (i == 0 || profile->places[order[i]] != profile->places[order[i - 1]])
            status = put_location(w, order[i], ++id);
        w->location[order[i]] = id;
    }
    free(order);
    return status;
}

/* From the first executable segment to the last; false when that does not hold all locations. */
static bool file_range(const struct pprof_mapping *mapping, uint64_t *start, uint64_t *limit,
                       uint64_t *off)
{
    const struct elf_image *image = mapping->module->image;
    const struct elf_segment *segments;
    uint64_t below; /* how far into its page the first segment begins */
    size_t count = 0;

    *start = UINT64_MAX;
    *limit = *off = 0;
    segments = image ? elf_image_segments(image, &count) : NULL;
    for (size_t i = 0; i < count; i++) {
        const struct elf_segment *segment = &segments[i];

        if (!(segment->prot & 4) || segment->mem_size > UINT64_MAX - segment->vaddr)
            continue;
        if (segment->vaddr < *start) {
            *start = segment->vaddr;
            *off = segment->file_off;
        }
        if (segment->vaddr + segment->mem_size > *limit)
            *limit = segment->vaddr + segment->mem_size;
    }
    if (mapping->low < *start || mapping->high >= *limit)
        return false;
    below = *start % PAGE_SIZE;
    if (*off >= below) {
        *start -= below;
        *off -= below;
    }
    return true;
}

static enum status put_build_id(struct pprof_writer *w, const struct module *module)
{
    char text[2 * sizeof(module->build_id) + 1] = "";

    for (size_t i = 0; i < module->build_id_size; i++)
        snprintf(text + 2 * i, 3, "%02x", module->build_id[i]);
    return put_string(w, &w->message, MAPPING_BUILD_ID, text);
}

static enum status put_mappings(struct pprof_writer *w)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < w->mapping_count && status == STATUS_OK; i++) {
        const struct pprof_mapping *mapping = &w->mappings[i];
        uint64_t start;
        uint64_t limit;
        uint64_t off;

        if (!file_range(mapping, &start, &limit, &off)) {
            start = mapping->module->kind == MODULE_FILE ? 0 : mapping->low;
            limit = weight_add(mapping->high, 1);
            off = 0;
        }
        proto_number(&w->message, MAPPING_ID, i + 1);
        proto_number(&w->message, MAPPING_MEMORY_START, start);
        proto_number(&w->message, MAPPING_MEMORY_LIMIT, limit);
        proto_number(&w->message, MAPPING_FILE_OFFSET, off);
        status = put_string(w, &w->message, MAPPING_FILENAME, mapping->module->path);
        if (status == STATUS_OK)
            status = put_build_id(w, mapping->module);
        proto_number(&w->message, MAPPING_HAS_FUNCTIONS, mapping->functions);
        proto_number(&w->message, MAPPING_HAS_FILENAMES, mapping->files);
        proto_number(&w->message, MAPPING_HAS_LINE_NUMBERS, mapping->lines);
        proto_number(&w->message, MAPPING_HAS_INLINE_FRAMES, mapping->inlines);
        if (status == STATUS_OK)
            status = flush(w, PROFILE_MAPPING);
    }
    return status;
}

/* A label with a text, or where that is NULL with a number; one that says nothing is left out. */
static enum status put_label(struct pprof_writer *w, const char *key, const char *text,
                             uint64_t number)
{
    enum status status;

    if (text ? !*text : !number)
        return STATUS_OK;
    proto_clear(&w->part);
    status = put_string(w, &w->part, LABEL_KEY, key);
    if (status == STATUS_OK && text)
        status = put_string(w, &w->part, LABEL_STR, text);
    proto_number(&w->part, LABEL_NUM, text ? 0 : number);
    proto_message(&w->message, SAMPLE_LABEL, &w->part);
    return status;
}

static enum status put_sample(struct pprof_writer *w, const struct profile_cell *cell)
{
    const struct profile *profile = w->profile;
    const struct profile_thread *thread = &profile->threads[cell->thread];
    const char *state = thread_state_name(cell->state);
    uint64_t values[SAMPLE_TYPE_COUNT];
    size_t depth = 0;
    enum status status = STATUS_OK;

    for (uint32_t node = profile->chains[cell->chain].leaf; node != TRIE_ROOT;
         node = profile->trie.nodes[node].parent) {
        status = vec_reserve(&w->ids, &w->id_cap, depth + 1, sizeof(*w->ids));
        if (status != STATUS_OK)
            return status;
        w->ids[depth++] = w->location[profile->trie.nodes[node].key];
    }
    for (size_t i = 0; i < SAMPLE_TYPE_COUNT; i++) {
        uint64_t value = cell->weights.value[SAMPLE_TYPES[i].weight];

        values[i] = value < INT64_MAX ? value : INT64_MAX;
    }
    proto_packed(&w->message, SAMPLE_LOCATION_ID, w->ids, depth);
    proto_packed(&w->message, SAMPLE_VALUE, values, SAMPLE_TYPE_COUNT);
    status = put_label(w, "thread", thread->name, 0);
    if (status == STATUS_OK)
        status = put_label(w, "thread_id", NULL, thread->tid);
    if (status == STATUS_OK)
        status = put_label(w, "state", state ? state : "", 0);
    return status == STATUS_OK ? flush(w, PROFILE_SAMPLE) : status;
}

/* The fields of the profile that are numbers, written as they stand. */
static enum status put_facts(struct pprof_writer *w, const struct pprof_facts *facts)
{
    uint32_t comment = 0;
    uint32_t type = 0;
    enum status status = STATUS_OK;

    if (facts->title)
        status = string_id(w, facts->title, &comment);
    for (size_t i = 0; i < SAMPLE_TYPE_COUNT && status == STATUS_OK; i++)
        if (SAMPLE_TYPES[i].weight == w->view->weight)
            status = string_id(w, SAMPLE_TYPES[i].type, &type);
    proto_number(&w->message, PROFILE_TIME_NANOS, facts->start_ns);
    proto_number(&w->message, PROFILE_DURATION_NANOS, facts->duration_ns);
    proto_number(&w->message, PROFILE_PERIOD, facts->period_ns);
    proto_number(&w->message, PROFILE_COMMENT, comment);
    proto_number(&w->message, PROFILE_DEFAULT_SAMPLE_TYPE, type);
    if (w->message.failed)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = gzip_write(w->gzip, w->message.bytes, w->message.len);
    proto_clear(&w->message);
    return status;
}

static enum status put_strings(struct pprof_writer *w)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < w->strings.len && status == STATUS_OK; i++) {
        const char *text = w->strings.texts[i];
        uint8_t head[PROTO_HEAD_MAX];

        status = gzip_write(w->gzip, head, proto_head(head, PROFILE_STRING_TABLE, strlen(text)));
        if (status == STATUS_OK)
            status = gzip_write(w->gzip, text, strlen(text));
    }
    return status;
}

static enum status put_profile(struct pprof_writer *w, const struct pprof_facts *facts)
{
    uint32_t empty;
    enum status status = pool_intern(&w->strings, "", &empty); /* has to be the first */

    for (size_t i = 0; i < SAMPLE_TYPE_COUNT && status == STATUS_OK; i++)
        status = put_value_type(w, PROFILE_SAMPLE_TYPE, SAMPLE_TYPES[i].type, SAMPLE_TYPES[i].unit);
    if (status == STATUS_OK && facts->period_ns)
        status = put_value_type(w, PROFILE_PERIOD_TYPE, "wall", "nanoseconds");
    if (status == STATUS_OK)
        status = put_locations(w);
    for (size_t i = 0; i < w->profile->cell_count && status == STATUS_OK; i++)
        if (w->view->cell_shown[i])
            status = put_sample(w, &w->profile->cells[i]);
    if (status == STATUS_OK)
        status = put_mappings(w);
    if (status == STATUS_OK)
        status = put_functions(w);
    if (status == STATUS_OK)
        status = put_facts(w, facts);
    return status == STATUS_OK ? put_strings(w) : status;
}

enum status pprof_write(const struct view *view, struct names *names,
                        const struct pprof_facts *facts, FILE *out)
{
    struct pprof_writer w = {.view = view, .profile = view->profile, .names = names};
    enum status status = gzip_create(out, &w.gzip);

    w.location = calloc(w.profile->frame_count + 1, sizeof(*w.location));
    if (!w.location)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = put_profile(&w, facts);
    if (status == STATUS_OK)
        status = gzip_end(w.gzip);
    gzip_destroy(w.gzip);
    pool_deinit(&w.strings);
    proto_deinit(&w.message);
    proto_deinit(&w.part);
    free(w.functions);
    index_deinit(&w.function_index);
    free(w.mappings);
    free(w.location);
    free(w.ids);
    return status == STATUS_OK ? text_finish(out) : status;
}

static enum status finish(struct output *o, struct diag *diag)
{
    struct pprof_facts facts = {.title = o->title,
                                .start_ns = o->start_ns,
                                .duration_ns = o->duration_ns};

    (void)diag;
    if (o->summary && o->summary->rate_asked_mhz)
        facts.period_ns = UINT64_C(1000000000000) / o->summary->rate_asked_mhz;
    return pprof_write(o->view, o->names, &facts, o->file);
}

const struct output_format output_format_pprof = {
    .name = "pprof",
    .suffixes = {".pb.gz"},
    .help = "for go tool pprof, Parca and Pyroscope",
    .begins = "^\x1f\x8b\x08 {6}\x03",
    .needs = NEEDS_VIEW | NEEDS_LINES | NEEDS_TIDS,
    .honours = (HONOURS_SAMPLES & ~HONOURS(WEIGHT_OFFCPU)) | HONOURS_TRIMMING,
    .finish = finish,
};
