/* SPDX-License-Identifier: MIT */
#include "output/html/value_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/keyed_hash.h"
#include "base/vec.h"

const char *value_state_name(enum value_state state)
{
    if (state == VALUE_PARTIAL)
        return "partial";
    return state == VALUE_KNOWN ? "known" : known_state_name((enum known_state)state);
}

enum status value_table_init(struct value_table *table)
{
    *table = (struct value_table){.values = NULL};
    if (trie_init(&table->moments) != STATUS_OK ||
        vec_reserve(&table->lists, &table->list_cap, 1, sizeof(*table->lists)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    table->lists[table->list_count++] = (struct value_list){.count = 0};
    return STATUS_OK;
}

void value_table_deinit(struct value_table *table)
{
    pool_deinit(&table->texts);
    free(table->values);
    free(table->members);
    free(table->lists);
    trie_deinit(&table->moments);
    index_deinit(&table->value_index);
    index_deinit(&table->list_index);
    *table = (struct value_table){.values = NULL};
}

static enum status intern_value(struct value_table *table, const struct value_told *value,
                                uint32_t *out)
{
    const uint64_t how = (uint64_t)value->kind << 8 | value->state;
    const uint64_t hash =
        keyed_words(keyed_words((uint64_t)value->name << 32 | value->text, how), value->type);
    struct index_probe probe = index_find(&table->value_index, hash);

    while (index_next(&probe, out)) {
        const struct value_told *known = &table->values[*out];

        if (known->name == value->name && known->text == value->text &&
            known->type == value->type && known->kind == value->kind &&
            known->state == value->state)
            return STATUS_OK;
    }
    *out = (uint32_t)table->value_count;
    if (*out >= INDEX_ID_MAX ||
        vec_reserve(&table->values, &table->value_cap, table->value_count + 1,
                    sizeof(*table->values)) != STATUS_OK ||
        index_add(&table->value_index, hash, *out) != STATUS_OK)
        return STATUS_NO_MEMORY;
    table->values[table->value_count++] = *value;
    return STATUS_OK;
}

/* Makes a list of the members from `first` on; removes them if there is an equal list. */
static enum status intern_list(struct value_table *table, size_t first, uint32_t *out)
{
    const uint32_t *members = table->members + first;
    const struct value_list list = {.first = (uint32_t)first,
                                    .count = (uint32_t)(table->member_count - first)};
    uint64_t hash = list.count;
    struct index_probe probe;

    *out = VALUE_LIST_EMPTY;
    if (list.count == 0)
        return STATUS_OK;
    for (uint32_t i = 0; i < list.count; i++)
        hash = keyed_words(hash, members[i]);
    probe = index_find(&table->list_index, hash);
    while (index_next(&probe, out)) {
        const struct value_list *known = &table->lists[*out];

        if (known->count == list.count &&
            memcmp(table->members + known->first, members, list.count * sizeof(*members)) == 0) {
            table->member_count = first;
            return STATUS_OK;
        }
    }
    *out = (uint32_t)table->list_count;
    if (table->member_count > UINT32_MAX ||
        vec_reserve(&table->lists, &table->list_cap, table->list_count + 1,
                    sizeof(*table->lists)) != STATUS_OK ||
        index_add(&table->list_index, hash, *out) != STATUS_OK)
        return STATUS_NO_MEMORY;
    table->lists[table->list_count++] = list;
    return STATUS_OK;
}

static enum status append_member(struct value_table *table, const struct value_told *value)
{
    uint32_t id;
    enum status status = intern_value(table, value, &id);

    if (status == STATUS_OK)
        status = vec_reserve(&table->members, &table->member_cap, table->member_count + 1,
                             sizeof(*table->members));
    if (status == STATUS_OK)
        table->members[table->member_count++] = id;
    return status;
}

static enum status append_told(struct value_table *table, const struct told_variable *variable)
{
    char room[KNOWN_TEXT_MAX];
    const char *text = variable->value ? variable->value : known_text(variable->known, room);
    struct value_told value = {.kind = (uint8_t)variable->kind,
                               .state = variable->is_partial ? VALUE_PARTIAL
                                                             : (uint8_t)variable->known.state};
    enum status status = pool_intern(&table->texts, variable->name, &value.name);

    if (status == STATUS_OK)
        status = pool_intern(&table->texts, variable->type ? variable->type : "", &value.type);
    if (status == STATUS_OK)
        status = pool_intern(&table->texts, text, &value.text);
    return status == STATUS_OK ? append_member(table, &value) : status;
}

enum status value_table_step_list(struct value_table *table, uint32_t outside, uint32_t list,
                                  uint32_t *moment)
{
    return trie_step(&table->moments, outside, list, moment);
}

enum status value_table_step(struct value_table *table, uint32_t outside,
                             const struct told_frame *told, uint32_t count, uint32_t *moment)
{
    enum status status = STATUS_OK;

    *moment = outside;
    for (uint32_t i = count; i-- > 0 && status == STATUS_OK;) {
        const struct told_level *level = told ? told_frame_level(told, i, count) : NULL;
        const size_t first = table->member_count;
        uint32_t list = VALUE_LIST_EMPTY;

        for (size_t j = 0; level && j < level->count && status == STATUS_OK; j++)
            status = append_told(table, &level->list[j]);
        if (status == STATUS_OK)
            status = intern_list(table, first, &list);
        if (status == STATUS_OK)
            status = value_table_step_list(table, *moment, list, moment);
    }
    return status;
}

enum status value_table_copy_list(struct value_table *table, const struct value_table *from,
                                  uint32_t list, uint32_t *out)
{
    const struct value_list *members = &from->lists[list];
    const size_t first = table->member_count;
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < members->count && status == STATUS_OK; i++) {
        const struct value_told *known = &from->values[from->members[members->first + i]];
        struct value_told value = *known;

        status = pool_intern(&table->texts, from->texts.texts[known->name], &value.name);
        if (status == STATUS_OK)
            status = pool_intern(&table->texts, from->texts.texts[known->type], &value.type);
        if (status == STATUS_OK)
            status = pool_intern(&table->texts, from->texts.texts[known->text], &value.text);
        if (status == STATUS_OK)
            status = append_member(table, &value);
    }
    return status == STATUS_OK ? intern_list(table, first, out) : status;
}

uint64_t value_table_bytes(const struct value_table *table)
{
    const uint64_t slot = 16; /* of an index, about */

    return table->texts.bytes + table->texts.len * (sizeof(char *) + 16 + slot) +
           table->value_count * (sizeof(*table->values) + slot) +
           table->member_count * sizeof(*table->members) +
           table->list_count * (sizeof(*table->lists) + slot) +
           table->moments.len * (sizeof(*table->moments.nodes) + slot);
}
