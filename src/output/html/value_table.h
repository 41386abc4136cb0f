/* SPDX-License-Identifier: MIT */
/*
 * Values of frames' variables, each thing stored once:
 *
 *     text      a name, a type, a value as text
 *     value     a variable: name, type, text, state
 *     list      the values of one function
 *     moment    a chain's lists, the outermost first: a node of a trie
 *
 * Most frames of a thread keep their values, so that a new moment costs only what changed.
 */
#ifndef OUTPUT_HTML_VALUE_TABLE_H
#define OUTPUT_HTML_VALUE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "base/status.h"
#include "graph/trie.h"
#include "variables/variables.h"

/* How far a value is known: enum known_state, and aggregates with unknown parts. */
enum value_state {
    VALUE_KNOWN,
    VALUE_OPTIMIZED_OUT,
    VALUE_NOT_CAPTURED,
    VALUE_UNAVAILABLE,
    VALUE_PARTIAL,
    VALUE_STATE_COUNT
};

/* Returns "known", "partial", or known_state_name; static storage. */
const char *value_state_name(enum value_state state);

struct value_told {
    uint32_t name, type, text; /* in texts; type: "" if not known */
    uint8_t kind, state;       /* enum variable_kind, value_state */
};

struct value_list {
    uint32_t first, count; /* in members */
};

#define VALUE_LIST_EMPTY 0 /* of a function without variables, or without known ones */

struct value_table { /* value_table_init first */
    struct pool texts;
    struct value_told *values;
    size_t value_count, value_cap;
    uint32_t *members; /* indexes into values, of all lists */
    size_t member_count, member_cap;
    struct value_list *lists;
    size_t list_count, list_cap;
    struct trie moments; /* keys are lists */
    /* Private: */
    struct index value_index, list_index;
};

/* All fail only with NO_MEMORY. Call value_table_deinit whatever the status. */
MUST_CHECK enum status value_table_init(struct value_table *table);
void value_table_deinit(struct value_table *table);

/*
 * Sets *moment to `outside`, the moment of the frames outside of a frame, and the lists of the
 * frame's `count` functions. `told`: their variables; NULL: empty lists.
 */
MUST_CHECK enum status value_table_step(struct value_table *table, uint32_t outside,
                                        const struct told_frame *told, uint32_t count,
                                        uint32_t *moment);

/* Sets *moment to `outside` and one list of the table. */
MUST_CHECK enum status value_table_step_list(struct value_table *table, uint32_t outside,
                                             uint32_t list, uint32_t *moment);

/* Sets *out to a list of this table that equals one of another table. */
MUST_CHECK enum status value_table_copy_list(struct value_table *table,
                                             const struct value_table *from, uint32_t list,
                                             uint32_t *out);

/* Returns about how many bytes of memory the table takes. */
uint64_t value_table_bytes(const struct value_table *table);

#endif
