/* SPDX-License-Identifier: MIT */
#include "graph/splits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/keyed_hash.h"
#include "base/vec.h"
#include "graph/split_text.h"

struct split_value {
    char *text; /* owned */
    bool is_number, is_signed, is_unknown, is_entry;
    bool is_other; /* after splits_settle: one of the rare ones */
    uint64_t number;
    uint64_t frames;
};

struct split { /* or a condition */
    struct split_text text;
    struct split_value *values;
    size_t value_count, value_cap;
    struct index value_index;
    size_t number_count; /* numbers among the values */
    struct split_count count;
};

/* A function of the frame, at this depth (variables_value's), has this value. */
struct mark_part {
    uint32_t depth, split, value;
};

struct mark {
    uint32_t passed;       /* conditions */
    uint32_t first, count; /* range in splits.parts */
};

/* The splits and conditions for a function, by its index in names. */
struct split_match {
    bool is_known;
    uint16_t splits, conditions;
};

struct splits {
    struct split list[2 * SPLITS_MAX]; /* splits, then conditions */
    unsigned split_count, condition_count;
    uint32_t limit;
    bool is_settled;
    struct names *names;
    struct splits_source source;
    struct mark *marks; /* the first is for frames without values */
    size_t mark_count, mark_cap;
    struct index mark_index;
    struct mark_part *parts;
    size_t part_count, part_cap;
    struct mark_part *current; /* of the current frame */
    size_t current_count, current_cap;
    struct split_match *matches;
    size_t match_count, match_cap;
    char *label; /* the last label made */
};

static struct split *condition(struct splits *splits, unsigned i)
{
    return &splits->list[SPLITS_MAX + i];
}

enum status splits_create(struct splits **out)
{
    struct splits *splits = calloc(1, sizeof(*splits));

    if (!splits)
        return STATUS_NO_MEMORY;
    splits->limit = SPLIT_VALUES;
    if (vec_reserve(&splits->marks, &splits->mark_cap, 1, sizeof(*splits->marks)) != STATUS_OK) {
        free(splits);
        return STATUS_NO_MEMORY;
    }
    splits->marks[splits->mark_count++] = (struct mark){0};
    *out = splits;
    return STATUS_OK;
}

void splits_destroy(struct splits *splits)
{
    if (!splits)
        return;
    for (size_t i = 0; i < 2 * SPLITS_MAX; i++) {
        struct split *split = &splits->list[i];

        split_text_deinit(&split->text);
        for (size_t j = 0; j < split->value_count; j++)
            free(split->values[j].text);
        free(split->values);
        index_deinit(&split->value_index);
    }
    free(splits->marks);
    index_deinit(&splits->mark_index);
    free(splits->parts);
    free(splits->current);
    free(splits->matches);
    free(splits->label);
    free(splits);
}

/* Adds to the `count` splits, or conditions, at `list`. */
static enum status add(struct split *list, unsigned *count, bool is_condition, const char *text,
                       struct diag *diag)
{
    struct split *split = &list[*count];
    enum status status;

    if (*count == SPLITS_MAX) {
        diag_set(diag, NULL, "more than %d of --%s", SPLITS_MAX, is_condition ? "where" : "split");
        return STATUS_BAD_DATA;
    }
    status = split_text_parse(text, is_condition, &split->text, diag);
    *count += status == STATUS_OK;
    split->count = (struct split_count){.text = split->text.given,
                                        .function = split->text.function,
                                        .path = split->text.path};
    return status;
}

enum status splits_add(struct splits *splits, const char *text, struct diag *diag)
{
    return add(splits->list, &splits->split_count, false, text, diag);
}

enum status splits_add_condition(struct splits *splits, const char *text, struct diag *diag)
{
    return add(condition(splits, 0), &splits->condition_count, true, text, diag);
}

void splits_set_limit(struct splits *splits, uint32_t values)
{
    splits->limit = values;
}

unsigned splits_all(const struct splits *splits)
{
    return (1u << splits->condition_count) - 1;
}

unsigned splits_passed(const struct splits *splits, uint32_t mark)
{
    return mark < splits->mark_count ? splits->marks[mark].passed : 0;
}

bool splits_count(const struct splits *splits, size_t i, struct split_count *out)
{
    const size_t at = i < splits->split_count ? i : i - splits->split_count + SPLITS_MAX;

    if (i >= splits->split_count + splits->condition_count)
        return false;
    *out = splits->list[at].count;
    return true;
}

/* Prints the path, with "@entry" if the value is the one at entry: "request@entry->head.size". */
static void put_path(const char *path, bool is_entry, FILE *file)
{
    const size_t name = strspn(path, "*") + strcspn(path + strspn(path, "*"), ".[-");

    if (is_entry)
        fprintf(file, "%.*s@entry%s", (int)name, path, path + name);
    else
        fputs(path, file);
}

/* Returns "[kind=READ, size=64..127]"; NULL: the function is not divided. */
static const char *label_of(void *context, uint32_t mark, uint32_t depth)
{
    struct splits *splits = context;
    const struct mark *found = mark < splits->mark_count ? &splits->marks[mark] : &splits->marks[0];
    bool any = false;
    size_t size;
    FILE *file;

    free(splits->label);
    splits->label = NULL;
    if (!found->count || !(file = open_memstream(&splits->label, &size)))
        return NULL;
    for (uint32_t i = found->first; i < found->first + found->count; i++) {
        const struct mark_part *part = &splits->parts[i];
        const struct split *split = &splits->list[part->split];
        const struct split_value *value = &split->values[part->value];
        const bool is_range = splits->is_settled && split->number_count > splits->limit;
        char range[SPLIT_RANGE_SIZE];

        if (part->depth != depth)
            continue;
        fputs(any ? ", " : "[", file);
        put_path(split->text.path, value->is_entry, file);
        fprintf(file, "=%s",
                is_range && value->is_number ? split_range(value->number, value->is_signed, range)
                : value->is_other            ? "other"
                                             : value->text);
        any = true;
    }
    if (any)
        fputc(']', file);
    if (fclose(file) != 0 || !any)
        return NULL;
    return splits->label;
}

void splits_begin_from(struct splits *splits, struct names *names,
                       const struct splits_source *source)
{
    splits->names = names;
    splits->source = *source;
    names_divide(names, label_of, splits);
}

static enum status ask_variables(void *context, const struct variables_frame *frame, size_t depth,
                                 const char *path, struct variable_value *out)
{
    return variables_value(context, frame, depth, path, out);
}

void splits_begin(struct splits *splits, struct names *names, struct variables *variables)
{
    splits_begin_from(splits, names,
                      &(struct splits_source){.value = ask_variables, .context = variables});
}

static bool is_text(const struct split_value *value)
{
    return !value->is_number && !value->is_unknown;
}

static int by_frames(const void *a, const void *b)
{
    const struct split_value *va = *(const struct split_value *const *)a;
    const struct split_value *vb = *(const struct split_value *const *)b;

    if (va->frames != vb->frames)
        return va->frames > vb->frames ? -1 : 1;
    return strcmp(va->text, vb->text);
}

/* Joins all but the `limit` most frequent texts as "other"; without memory none. */
static void join_others(struct split *split, uint32_t limit)
{
    struct split_value **order = calloc(split->value_count + 1, sizeof(struct split_value *));
    size_t count = 0;

    for (size_t i = 0; order && i < split->value_count; i++)
        if (is_text(&split->values[i]))
            order[count++] = &split->values[i];
    if (order)
        qsort(order, count, sizeof(struct split_value *), by_frames);
    for (size_t i = limit; i < count; i++)
        order[i]->is_other = true;
    free(order);
}

void splits_settle(struct splits *splits)
{
    for (unsigned i = 0; i < splits->split_count && !splits->is_settled; i++)
        join_others(&splits->list[i], splits->limit);
    splits->is_settled = true;
    names_divide(splits->names, label_of, splits); /* labels have changed */
}

/* Finds the splits and conditions for a function. */
static enum status find_match(struct splits *splits, uint32_t function,
                              const struct split_match **out)
{
    struct split_match *match;

    if (vec_reserve(&splits->matches, &splits->match_cap, (size_t)function + 1,
                    sizeof(*splits->matches)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    while (splits->match_count <= function)
        splits->matches[splits->match_count++] = (struct split_match){0};
    match = &splits->matches[function];
    if (!match->is_known) {
        const char *name = names_function(splits->names, function)->name;

        match->is_known = true;
        for (unsigned i = 0; i < splits->split_count; i++)
            if (split_text_is_of(&splits->list[i].text, name))
                match->splits |= (uint16_t)(1u << i);
        for (unsigned i = 0; i < splits->condition_count; i++)
            if (split_text_is_of(&condition(splits, i)->text, name))
                match->conditions |= (uint16_t)(1u << i);
    }
    *out = match;
    return STATUS_OK;
}

/* Finds a value with this text. */
static bool find_value(const struct split *split, const struct split_value *want, uint64_t hash,
                       uint32_t *out)
{
    struct index_probe probe = index_find(&split->value_index, hash);

    while (index_next(&probe, out))
        if (split->values[*out].is_number == want->is_number &&
            split->values[*out].is_entry == want->is_entry &&
            strcmp(split->values[*out].text, want->text) == 0)
            return true;
    return false;
}

/* Finds or adds a value; `want.text` need not outlive the call. */
static enum status intern_text(struct split *split, struct split_value want, uint32_t *out)
{
    uint64_t hash = keyed_text(want.text);
    char range[SPLIT_RANGE_SIZE];

    if (find_value(split, &want, hash, out))
        return STATUS_OK;
    if (split->value_count >= SPLIT_VALUES_MAX) { /* there are few ranges */
        want.text = (char *)(uintptr_t) "other";
        if (want.is_number)
            want.text = (char *)(uintptr_t)split_range(want.number, want.is_signed, range);
        hash = keyed_text(want.text);
        if (find_value(split, &want, hash, out))
            return STATUS_OK;
    }
    *out = (uint32_t)split->value_count;
    want.text = strdup(want.text);
    if (!want.text)
        return STATUS_NO_MEMORY;
    if (vec_reserve(&split->values, &split->value_cap, split->value_count + 1,
                    sizeof(*split->values)) != STATUS_OK ||
        index_add(&split->value_index, hash, *out) != STATUS_OK) {
        free(want.text);
        return STATUS_NO_MEMORY;
    }
    split->values[split->value_count++] = want;
    split->number_count += want.is_number;
    return STATUS_OK;
}

static enum status intern_value(struct split *split, const struct variable_value *value,
                                uint32_t *out)
{
    const struct known_how how = {.state = value->known.state}; /* one node for all reasons */
    char room[KNOWN_TEXT_MAX];
    struct split_value want = {.is_number = is_known(value->known) && value->is_number,
                               .is_unknown = !is_known(value->known),
                               .is_signed = value->is_signed,
                               .is_entry = is_known(value->known) && value->is_entry,
                               .number = value->number};

    want.text = (char *)(uintptr_t)(is_known(value->known) ? split_label(value->text)
                                                           : known_text(how, room));
    return intern_text(split, want, out);
}

/* Asks for the value of a split or condition in a function of the frame. Its text is malloc'ed. */
static enum status ask(const struct splits *splits, struct split *asked, uint32_t depth,
                       const struct variables_frame *frame, struct variable_value *value)
{
    enum status status =
        splits->source.value(splits->source.context, frame, depth, asked->text.path, value);

    if (status != STATUS_OK)
        return status;
    asked->count.frames++;
    if (is_known(value->known))
        asked->count.known++;
    else
        asked->count.last_unknown = value->known;
    asked->count.not_captured += value->known.state == NOT_CAPTURED;
    return STATUS_OK;
}

static enum status note_value(struct splits *splits, uint32_t depth, uint32_t i,
                              const struct variables_frame *frame)
{
    struct split *split = &splits->list[i];
    struct variable_value value;
    struct mark_part part = {.depth = depth, .split = i};
    enum status status = ask(splits, split, depth, frame, &value);

    if (status != STATUS_OK)
        return status;
    status = intern_value(split, &value, &part.value);
    free(value.text);
    if (status == STATUS_OK)
        split->values[part.value].frames++;
    if (status == STATUS_OK)
        status = vec_reserve(&splits->current, &splits->current_cap, splits->current_count + 1,
                             sizeof(*splits->current));
    if (status == STATUS_OK)
        splits->current[splits->current_count++] = part;
    return status;
}

static enum status ask_condition(struct splits *splits, uint32_t depth, unsigned i,
                                 const struct variables_frame *frame, uint32_t *passed)
{
    struct split *asked = condition(splits, i);
    struct variable_value value;
    enum status status = ask(splits, asked, depth, frame, &value);

    if (status != STATUS_OK)
        return status;
    if (is_known(value.known) && !value.is_entry && split_text_holds(&asked->text, &value))
        *passed |= 1u << i;
    free(value.text);
    return STATUS_OK;
}

static bool same_parts(const struct splits *splits, const struct mark *mark)
{
    return mark->count == splits->current_count &&
           (mark->count == 0 || memcmp(&splits->parts[mark->first], splits->current,
                                       mark->count * sizeof(*splits->current)) == 0);
}

/* Finds or adds the mark for `current` and the conditions passed. */
static enum status intern_mark(struct splits *splits, uint32_t passed, uint32_t *out)
{
    struct mark want = {.passed = passed,
                        .first = (uint32_t)splits->part_count,
                        .count = (uint32_t)splits->current_count};
    uint64_t hash = keyed_words(passed, want.count);
    struct index_probe probe;

    *out = 0;
    if (!passed && !want.count)
        return STATUS_OK;
    for (size_t i = 0; i < splits->current_count; i++)
        hash = keyed_words(hash, (uint64_t)splits->current[i].value << 16 ^
                                     splits->current[i].split << 8 ^ splits->current[i].depth);
    probe = index_find(&splits->mark_index, hash);
    while (index_next(&probe, out))
        if (splits->marks[*out].passed == passed && same_parts(splits, &splits->marks[*out]))
            return STATUS_OK;
    if (vec_reserve(&splits->marks, &splits->mark_cap, splits->mark_count + 1,
                    sizeof(*splits->marks)) != STATUS_OK ||
        vec_reserve(&splits->parts, &splits->part_cap, splits->part_count + want.count,
                    sizeof(*splits->parts)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    *out = (uint32_t)splits->mark_count;
    if (index_add(&splits->mark_index, hash, *out) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (want.count)
        memcpy(splits->parts + splits->part_count, splits->current,
               want.count * sizeof(*splits->parts));
    splits->part_count += want.count;
    splits->marks[splits->mark_count++] = want;
    return STATUS_OK;
}

static enum status mark_frame(struct splits *splits, const struct variables_frame *frame,
                              const struct places *places, uint32_t *mark)
{
    enum status status = STATUS_OK;
    uint32_t passed = 0;

    splits->current_count = 0;
    for (uint32_t level = 0; level < places->count && status == STATUS_OK; level++) {
        const uint32_t depth = places->count - 1 - level;
        const struct split_match *match;

        status = find_match(splits, places->list[level].function, &match);
        for (unsigned i = 0; i < splits->split_count && status == STATUS_OK; i++)
            if (match->splits >> i & 1)
                status = note_value(splits, depth, i, frame);
        for (unsigned i = 0; i < splits->condition_count && status == STATUS_OK; i++)
            if (match->conditions >> i & 1)
                status = ask_condition(splits, depth, i, frame, &passed);
    }
    return status == STATUS_OK ? intern_mark(splits, passed, mark) : status;
}

enum status splits_mark(struct splits *splits, struct address_space *space,
                        const struct snap_sample *sample, struct chain *chain)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < chain->count && status == STATUS_OK; i++) {
        const struct variables_frame frame = {.space = space,
                                              .sample = sample,
                                              .chain = chain,
                                              .index = i};
        const struct places *places;

        chain->frames[i].mark = 0;
        status = names_find_frame(splits->names, &chain->frames[i], &places);
        if (status == STATUS_OK)
            status = mark_frame(splits, &frame, places, &chain->frames[i].mark);
    }
    return status;
}
