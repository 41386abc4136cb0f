/* SPDX-License-Identifier: MIT */
#include "output/pprof.h"

#include <stdlib.h>
#include <string.h>

#include "base/keyed_hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "graph/pprof/fields.h"
#include "graph/thread_state.h"
#include "output/format.h"
#include "output/gzip.h"
#include "output/pprof_order.h"
#include "output/proto.h"

#define PAGE_SIZE 0x1000 /* mappings begin at multiples, as the kernel's do */

/* A function of profile.proto, which has one file for all its lines. */
struct written_function {
    uint32_t function; /* for names_function */
    uint32_t file;     /* its place in the table of strings */
    struct module *module;
    const char *raw_file; /* NULL: not known */
};

struct written_mapping {
    const struct module *module;
    uint64_t low, high; /* addresses of its first and its last location */
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
    struct proto message, part;         /* being built; a part ends before the next begins */
    struct written_function *functions; /* by id - 1 */
    size_t function_count, function_cap;
    struct index function_index;
    struct written_mapping *mappings; /* by id - 1, in the order of their modules */
    size_t mapping_count, mapping_cap;
    struct pprof_order order;
    uint64_t *ids; /* of a sample's locations */
    char *letters; /* and of their trusts */
    size_t id_cap, letter_cap;
};

/* Sets *id to that of a text in the table of strings; cleaned, as strings must be UTF-8. */
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

/* Writes the message as a field of the profile, and empties it. */
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

/* Sets *id to that of a function, adding a new one. Functions are written at the end. */
static enum status find_function(struct pprof_writer *w, struct module *module,
                                 const struct place *place, uint32_t *id)
{
    struct written_function want = {.function = names_canonical(w->names, place->function),
                                    .module = module,
                                    .raw_file = place->file};
    enum status status = string_id(w, place->file ? place->file : "", &want.file);
    uint64_t hash = keyed_words(want.function, want.file);
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

/*
 * Puts where a function begins: its address, and its line, in the usual field if that is in the
 * file of its other lines, where readers look for it, else in fields of our own.
 */
static enum status put_start(struct pprof_writer *w, const struct written_function *f)
{
    const struct function *function = names_function(w->names, f->function);
    const struct places *places;
    const struct place *place;
    enum status status;

    if (!function->has_start)
        return STATUS_OK;
    proto_number(&w->message, FUNCTION_START,
                 pprof_order_addr(&w->order, function->module, function->start_vaddr) + 1);
    if (!f->raw_file)
        return STATUS_OK;
    status = names_find(w->names, f->module, function->start_vaddr, true, false, &places);
    if (status != STATUS_OK)
        return status;
    place = &places->list[places->count - 1];
    if (!place->file || !place->line)
        return STATUS_OK;
    if (strcmp(place->file, f->raw_file) == 0) {
        proto_number(&w->message, FUNCTION_START_LINE, place->line);
        return STATUS_OK;
    }
    proto_number(&w->message, FUNCTION_ENTRY_LINE, place->line);
    return put_string(w, &w->message, FUNCTION_ENTRY_FILE, place->file);
}

static enum status put_functions(struct pprof_writer *w)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < w->function_count && status == STATUS_OK; i++) {
        const struct written_function *f = &w->functions[i];
        const struct function *function = names_function(w->names, f->function);
        const char *label = names_label(w->names, f->function);

        proto_number(&w->message, FUNCTION_ID, i + 1);
        status = put_string(w, &w->message, FUNCTION_NAME, function->name);
        if (status == STATUS_OK)
            status = put_string(w, &w->message, FUNCTION_SYSTEM_NAME,
                                function->raw_name ? function->raw_name : function->name);
        proto_number(&w->message, FUNCTION_FILENAME, f->file);
        proto_number(&w->message, FUNCTION_MADE_UP, !function->has_name);
        if (status == STATUS_OK && label)
            status = put_string(w, &w->message, FUNCTION_LABEL, label);
        if (status == STATUS_OK)
            status = put_start(w, f); /* which may move functions */
        if (status == STATUS_OK)
            status = flush(w, PROFILE_FUNCTION);
    }
    return status;
}

/* Sets *out to the mapping of a frame's module, the last one or a new one; NULL: no module. */
static enum status find_mapping(struct pprof_writer *w, const struct profile_frame *frame,
                                struct written_mapping **out)
{
    struct written_mapping *last = w->mapping_count ? &w->mappings[w->mapping_count - 1] : NULL;

    const uint64_t addr = pprof_order_addr(&w->order, frame->module, frame->addr);

    *out = NULL;
    if (!frame->module)
        return STATUS_OK;
    if (!last || last->module != frame->module) {
        if (vec_reserve(&w->mappings, &w->mapping_cap, w->mapping_count + 1,
                        sizeof(*w->mappings)) != STATUS_OK)
            return STATUS_NO_MEMORY;
        last = &w->mappings[w->mapping_count++];
        *last = (struct written_mapping){.module = frame->module, .low = addr};
    }
    last->high = addr;
    *out = last;
    return STATUS_OK;
}

/* Puts the raw name of an inlined copy, if it differs from that of the function it counts as. */
static enum status put_copy_name(struct pprof_writer *w, uint32_t copy)
{
    const struct function *function = names_function(w->names, names_canonical(w->names, copy));
    const char *name = names_function(w->names, copy)->raw_name;

    if (!name || (function->raw_name && strcmp(name, function->raw_name) == 0))
        return STATUS_OK;
    return put_string(w, &w->part, LINE_SYSTEM_NAME, name);
}

static enum status put_lines(struct pprof_writer *w, const struct profile_frame *frame,
                             const struct places *places, struct written_mapping *mapping)
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
        proto_number(&w->part, LINE_BY_NAME, names_function(w->names, place->function)->is_inline);
        status = put_copy_name(w, place->function);
        if (status != STATUS_OK)
            return status;
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
    struct written_mapping *mapping;
    enum status status = find_mapping(w, frame, &mapping);

    if (status != STATUS_OK)
        return status;
    proto_number(&w->message, LOCATION_ID, id);
    proto_number(&w->message, LOCATION_MAPPING, mapping ? w->mapping_count : 0);
    proto_number(&w->message, LOCATION_ADDRESS,
                 pprof_order_addr(&w->order, frame->module, frame->addr));
    proto_number(&w->message, LOCATION_IN_FILE, frame->vaddr_known);
    /* No made-up names for a missing file: readers may look the address up. */
    if (frame->vaddr_known || !frame->module || frame->module->kind != MODULE_FILE)
        status = put_lines(w, frame, w->profile->places[frame_id], mapping);
    return status == STATUS_OK ? flush(w, PROFILE_LOCATION) : status;
}

static enum status put_locations(struct pprof_writer *w)
{
    const struct pprof_order *order = &w->order;
    enum status status = STATUS_OK;
    uint32_t last = 0;

    for (size_t i = 0; i < order->frame_count && status == STATUS_OK; i++) {
        uint32_t id = order->location[order->frames[i]];

        if (id != last)
            status = put_location(w, order->frames[i], id);
        last = id;
    }
    return status;
}

/* Fills `extent` from the page of the first executable segment to the end of the last one. */
static bool find_extent(const struct module *module, struct module_extent *extent)
{
    const struct elf_segment *segments;
    uint64_t below; /* offset of the first segment in its page */
    size_t count = 0;

    *extent = module->extent;
    if (module->extent.limit_vaddr)
        return true;
    *extent = (struct module_extent){.start_vaddr = UINT64_MAX};
    segments = module->image ? elf_image_segments(module->image, &count) : NULL;
    for (size_t i = 0; i < count; i++) {
        const struct elf_segment *segment = &segments[i];

        if (!(segment->prot & 4) || segment->mem_size > UINT64_MAX - segment->vaddr)
            continue;
        if (segment->vaddr < extent->start_vaddr) {
            extent->start_vaddr = segment->vaddr;
            extent->file_off = segment->file_off;
        }
        if (segment->vaddr + segment->mem_size > extent->limit_vaddr)
            extent->limit_vaddr = segment->vaddr + segment->mem_size;
    }
    below = extent->start_vaddr % PAGE_SIZE;
    if (extent->limit_vaddr && extent->file_off >= below) {
        extent->start_vaddr -= below;
        extent->file_off -= below;
    }
    return extent->limit_vaddr > 0;
}

/* Puts the file's addresses, or, if these do not hold all locations, those of the locations. */
static void put_range(struct pprof_writer *w, const struct written_mapping *mapping)
{
    struct module_extent extent;
    bool is_files = find_extent(mapping->module, &extent) && mapping->low >= extent.start_vaddr &&
                    mapping->high < extent.limit_vaddr;

    if (!is_files)
        extent = (struct module_extent){.start_vaddr =
                                            mapping->module->kind == MODULE_FILE ? 0 : mapping->low,
                                        .limit_vaddr = weight_add(mapping->high, 1)};
    proto_number(&w->message, MAPPING_MEMORY_START, extent.start_vaddr);
    proto_number(&w->message, MAPPING_MEMORY_LIMIT, extent.limit_vaddr);
    proto_number(&w->message, MAPPING_FILE_OFFSET, extent.file_off);
    proto_number(&w->message, MAPPING_OF_SEGMENTS, is_files);
}

static enum status put_build_id(struct pprof_writer *w, const struct module *module)
{
    char hex[BUILD_ID_HEX_MAX];

    return put_string(w, &w->message, MAPPING_BUILD_ID,
                      build_id_hex(module->file.build_id, module->file.build_id_size, hex));
}

static enum status put_mappings(struct pprof_writer *w)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < w->mapping_count && status == STATUS_OK; i++) {
        const struct written_mapping *mapping = &w->mappings[i];

        proto_number(&w->message, MAPPING_ID, i + 1);
        put_range(w, mapping);
        proto_number(&w->message, MAPPING_KIND, mapping->module->kind);
        proto_number(&w->message, MAPPING_DELETED, mapping->module->file.deleted);
        status = put_string(w, &w->message, MAPPING_FILENAME, mapping->module->file.path);
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

/* Puts a label with a text, or, if that is NULL, with a number; none if that is "" or 0. */
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

/* Puts the locations and trusts of a chain's frames, innermost first. */
static enum status put_frames(struct pprof_writer *w, const struct profile_chain *chain)
{
    static const char letters[] = PPROF_TRUST_LETTERS;
    const struct profile *profile = w->profile;
    const struct trie_node *nodes = profile->trie.nodes;
    size_t depth = 0;

    for (uint32_t node = chain->leaf; node != TRIE_ROOT; node = nodes[node].parent) {
        const struct profile_frame *frame = &profile->frames[nodes[node].key];
        char letter = letters[frame->trust];

        if (vec_reserve(&w->ids, &w->id_cap, depth + 1, sizeof(*w->ids)) != STATUS_OK ||
            vec_reserve(&w->letters, &w->letter_cap, depth + 1, 1) != STATUS_OK)
            return STATUS_NO_MEMORY;
        w->ids[depth] = w->order.location[nodes[node].key];
        w->letters[depth++] = frame->is_call ? (char)(letter - 'a' + 'A') : letter;
    }
    proto_packed(&w->message, SAMPLE_LOCATION_ID, w->ids, depth);
    if (depth > 0)
        proto_bytes(&w->message, SAMPLE_FRAMES, w->letters, depth);
    return STATUS_OK;
}

static uint64_t positive(uint64_t value)
{
    return value < INT64_MAX ? value : INT64_MAX;
}

static enum status put_sample(struct pprof_writer *w, const struct profile_cell *cell,
                              const struct weights *weights)
{
    const struct profile *profile = w->profile;
    const struct profile_thread *thread = &profile->threads[cell->thread];
    const struct profile_chain *chain = &profile->chains[cell->chain];
    const char *state = thread_state_name(cell->state);
    uint64_t values[SAMPLE_TYPE_COUNT];
    enum status status = put_frames(w, chain);

    for (size_t i = 0; i < SAMPLE_TYPE_COUNT; i++)
        values[i] = positive(weights->value[SAMPLE_TYPES[i].weight]);
    proto_packed(&w->message, SAMPLE_VALUE, values, SAMPLE_TYPE_COUNT);
    proto_number(&w->message, SAMPLE_OFFCPU, positive(weights->value[WEIGHT_OFFCPU]));
    if (status == STATUS_OK)
        status = put_label(w, PPROF_LABEL_THREAD, thread->name, 0);
    if (status == STATUS_OK)
        status = put_label(w, PPROF_LABEL_THREAD_ID, NULL, thread->tid);
    if (status == STATUS_OK)
        status = put_label(w, PPROF_LABEL_STATE, state ? state : "", 0);
    if (status == STATUS_OK && chain->stop != STOP_THREAD_START)
        status = put_label(w, PPROF_LABEL_STOP, stop_reason_name(chain->stop), 0);
    return status == STATUS_OK ? flush(w, PROFILE_SAMPLE) : status;
}

static enum status put_samples(struct pprof_writer *w)
{
    const struct pprof_order *order = &w->order;
    enum status status = STATUS_OK;

    for (size_t i = 0, next; i < order->cell_count && status == STATUS_OK; i = next) {
        const struct profile_cell *cell = &w->profile->cells[order->cells[i]];
        struct weights weights = {{0}};

        for (next = i; next < order->cell_count &&
                       pprof_order_same(order, order->cells[i], order->cells[next]);
             next++)
            for (size_t j = 0; j < WEIGHT_COUNT; j++)
                weights.value[j] =
                    weight_add(weights.value[j],
                               w->profile->cells[order->cells[next]].weights.value[j]);
        status = put_sample(w, cell, &weights);
    }
    return status;
}

static void put_account(struct pprof_writer *w, const struct quality *quality)
{
    const struct cpu_account *cpu = &quality->all.cpu;
    uint64_t numbers[ACCOUNT_NUMBERS] = {
        [ACCOUNT_FLAGS] = (quality->cut_short ? ACCOUNT_IS_CUT_SHORT : 0u) |
                          (cpu->by_clock ? ACCOUNT_IS_BY_CLOCK : 0u) |
                          (cpu->untold ? ACCOUNT_IS_UNTOLD : 0u),
        [ACCOUNT_CHAINS_UNWOUND] = quality->chains_unwound,
        [ACCOUNT_CPU_USED] = cpu->used_ns,
        [ACCOUNT_CPU_WAITED] = cpu->waited_ns,
        [ACCOUNT_CPU_PLACED] = cpu->placed_ns,
        [ACCOUNT_TICKS] = cpu->ticks,
        [ACCOUNT_CPU_CUT] = cpu->cut_ns,
        [ACCOUNT_PLACES] = cpu->places,
        [ACCOUNT_SQUARES] = cpu->squares_us2,
    };

    memcpy(numbers + ACCOUNT_LOST, quality->all.lost, sizeof(quality->all.lost));
    proto_packed(&w->message, PROFILE_ACCOUNT, numbers, sizeof(numbers) / sizeof(numbers[0]));
    if (quality->all.rate.asked_mhz || quality->all.captures > 1)
        proto_packed(&w->message, PROFILE_RATE,
                     (uint64_t[]){[RATE_ASKED] = quality->all.rate.asked_mhz,
                                  [RATE_REACHED] = quality->all.rate.reached_mhz,
                                  [RATE_CAPTURES] = quality->all.captures},
                     3);
}

static enum status put_programs(struct pprof_writer *w, const struct title *programs)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; programs && i < programs->count && status == STATUS_OK; i++) {
        char *text = title_program_text(programs, i);

        status = text ? put_string(w, &w->message, PROFILE_COMMENT, text) : STATUS_NO_MEMORY;
        free(text);
    }
    return status;
}

/* Writes the profile's facts, fields without messages of their own. */
static enum status put_facts(struct pprof_writer *w, const struct pprof_facts *facts)
{
    uint32_t type = 0;
    enum status status = put_programs(w, facts->programs);

    for (size_t i = 0; i < SAMPLE_TYPE_COUNT && status == STATUS_OK; i++)
        if (SAMPLE_TYPES[i].weight == w->view->weight)
            status = string_id(w, SAMPLE_TYPES[i].type, &type);
    proto_number(&w->message, PROFILE_TIME_NANOS, positive(facts->start_ns));
    proto_number(&w->message, PROFILE_DURATION_NANOS, positive(facts->duration_ns));
    proto_number(&w->message, PROFILE_PERIOD, positive(facts->period_ns));
    proto_number(&w->message, PROFILE_DEFAULT_SAMPLE_TYPE, type);
    if (status == STATUS_OK)
        status = put_string(w, &w->message, PROFILE_ARCH,
                            facts->arch ? facts->arch->name : PPROF_ARCH_ANY);
    if (facts->quality)
        put_account(w, facts->quality);
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
    enum status status = pool_intern(&w->strings, "", &empty); /* the first string must be "" */

    for (size_t i = 0; i < SAMPLE_TYPE_COUNT && status == STATUS_OK; i++)
        status = put_value_type(w, PROFILE_SAMPLE_TYPE, SAMPLE_TYPES[i].type, SAMPLE_TYPES[i].unit);
    if (status == STATUS_OK && facts->period_ns)
        status = put_value_type(w, PROFILE_PERIOD_TYPE, "wall", "nanoseconds");
    if (status == STATUS_OK)
        status = put_locations(w);
    if (status == STATUS_OK)
        status = put_samples(w);
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

    if (status == STATUS_OK)
        status = pprof_order_make(&w.order, view, facts->programs);
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
    pprof_order_deinit(&w.order);
    free(w.ids);
    free(w.letters);
    return status == STATUS_OK ? text_finish(out) : status;
}

static enum status finish(struct output *o, struct diag *diag)
{
    const struct pprof_facts facts = {.programs = o->programs,
                                      .start_ns = o->start_ns,
                                      .duration_ns = o->duration_ns,
                                      .period_ns = o->period_ns,
                                      .arch = o->arch,
                                      .quality = o->quality};

    (void)diag;
    return pprof_write(o->view, o->names, &facts, o->file);
}

const struct output_format output_format_pprof = {
    .name = "pprof",
    .suffixes = {".pb.gz"},
    .help = "for go tool pprof, Parca and Pyroscope",
    .begins = "^\x1f\x8b\x08 {6}\x03",
    .medium = MEDIUM_BINARY,
    .needs = NEEDS_VIEW | NEEDS_LINES | NEEDS_TIDS,
    .honours = (HONOURS_SAMPLES & ~HONOURS(WEIGHT_OFFCPU)) | HONOURS_TRIMMING,
    .finish = finish,
};
