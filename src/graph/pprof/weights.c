/* SPDX-License-Identifier: MIT */
#include "graph/pprof/weights.h"

#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
    const char *type;
    enum weight_kind weight;
} TYPES[] = {
    {"samples", WEIGHT_SAMPLES},
    {"sample", WEIGHT_SAMPLES},
    {"events", WEIGHT_SAMPLES},
    {"goroutine", WEIGHT_SAMPLES}, /* of Go's, as the next three */
    {"threadcreate", WEIGHT_SAMPLES},
    {"contentions", WEIGHT_SAMPLES},
    {"delay", WEIGHT_OFFCPU},
    {"offcpu", WEIGHT_OFFCPU},
    {"off-cpu", WEIGHT_OFFCPU},
    {"cpu", WEIGHT_CPU},
    {"wall", WEIGHT_WALL},
};

static const struct {
    const char *unit;
    uint64_t ns; /* 0: a count */
} UNITS[] = {{"count", 0},           {"nanoseconds", 1},        {"ns", 1},
             {"microseconds", 1000}, {"milliseconds", 1000000}, {"seconds", 1000000000}};

static bool find_column(const struct pprof_tables *tables, const struct pprof_value_type *type,
                        struct pprof_column *column)
{
    *column = (struct pprof_column){.known = false};
    for (size_t i = 0; i < COUNT_OF(TYPES); i++) {
        const bool is_count = TYPES[i].weight == WEIGHT_SAMPLES;

        if (!pprof_text_is(tables, type->type, TYPES[i].type))
            continue;
        for (size_t j = 0; j < COUNT_OF(UNITS); j++)
            if (pprof_text_is(tables, type->unit, UNITS[j].unit) && is_count == !UNITS[j].ns)
                *column = (struct pprof_column){.known = true,
                                                .weight = TYPES[i].weight,
                                                .factor = is_count ? 1 : UNITS[j].ns};
    }
    return column->known;
}

/* Writes "inuse_space/bytes", cut to the room. */
static void put_type(char *buffer, size_t size, const struct pprof_tables *tables,
                     const struct pprof_value_type *type)
{
    const struct cursor none = cursor_init("?", 1);
    const struct cursor *name =
        type->type < tables->text_count ? &tables->texts[type->type] : &none;
    const struct cursor *unit =
        type->unit < tables->text_count ? &tables->texts[type->unit] : &none;

    snprintf(buffer, size, "%.*s/%.*s", name->size < 40 ? (int)name->size : 40,
             (const char *)name->data, unit->size < 20 ? (int)unit->size : 20,
             (const char *)unit->data);
}

enum status pprof_columns_find(const struct pprof_tables *tables, struct pprof_columns *columns,
                               struct diag *diag)
{
    bool taken[WEIGHT_COUNT] = {false};
    size_t known = 0;
    char name[80] = "nothing";

    *columns = (struct pprof_columns){.count = tables->type_count};
    if (columns->count > PPROF_COLUMNS_MAX)
        return pprof_bad(tables, 0, "it has more sample types than any profile", diag);
    for (size_t i = 0; i < columns->count; i++) {
        struct pprof_column *column = &columns->list[i];

        if (find_column(tables, &tables->types[i], column) && !taken[column->weight]) {
            taken[column->weight] = true;
            known++;
            continue;
        }
        column->known = false;
        put_type(name, sizeof(name), tables, &tables->types[i]);
        diag_set(&columns->note, tables->name, "its values %s are left out: no weight is like them",
                 name);
    }
    if (known > 0)
        return STATUS_OK;
    diag_set(diag, tables->name, "is a profile of %s, which is neither samples nor time", name);
    diag_hint(diag, "what cgunwind reads are profiles of samples, CPU, wall or blocked time");
    return STATUS_UNSUPPORTED;
}

struct weights pprof_weights(const struct pprof_columns *columns, const uint64_t *values)
{
    struct weights weights = {{0}};

    for (size_t i = 0; i < columns->count; i++) {
        const struct pprof_column *column = &columns->list[i];
        uint64_t value;

        if (!column->known || values[i] > INT64_MAX)
            continue;
        if (__builtin_mul_overflow(values[i], column->factor, &value))
            value = UINT64_MAX;
        weights.value[column->weight] = value;
    }
    return weights;
}
