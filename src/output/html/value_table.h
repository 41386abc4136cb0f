/* SPDX-License-Identifier: MIT */
/*
 * What variables of frames were told to be, each thing once: texts, variables (a name with a
 * value), lists of what one function has, and moments: a chain's lists, the outermost first. Most
 * frames of a thread have what they had before, so that a moment costs what changed.
 */
#ifndef OUTPUT_HTML_VALUE_TABLE_H
#define OUTPUT_HTML_VALUE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "base/status.h"
#include "graph/trie.h"
#include "variables/variables.h"

/* How a value is known: as known_state, and of an aggregate some parts of which are not. */
enum value_state {
    VALUE_KNOWN,
    VALUE_OPTIMIZED_OUT,
    VALUE_NOT_CAPTURED,
    VALUE_UNAVAILABLE,
    VALUE_PARTIAL,
    VALUE_STATE_COUNT
};

/* "known", "partial", or as known_state_name. Static storage. */
const char *value_state_name(enum value_state state);

struct value_told {
    uint32_t name, type, text; /* in texts; type: "" where it is not known */
    uint8_t kind, state;       /* enum variable_kind, value_state */
};

struct value_list {
    uint32_t first, count; /* in members */
};

#define VALUE_LIST_EMPTY 0 /* of a function without variables, or of which nothing is known */

struct value_table { /* zeroed: value_table_init first */
    struct pool texts;
    struct value_told *values;
    size_t value_count, value_cap;
    uint32_t *members; /* of lists: values */
    size_t member_count, member_cap;
    struct value_list *lists;
    size_t list_count, list_cap;
    struct trie moments; /* keys are lists */
    /* Private: */
    struct index value_index, list_index;
};

/* value_table_deinit, whatever the status. */
MUST_CHECK enum status value_table_init(struct value_table *table);
void value_table_deinit(struct value_table *table);

/*
 * From the moment of what is outside of a frame to the one with its functions, `count` of them.
 * `told` may be NULL. Only NO_MEMORY fails.
 */
MUST_CHECK enum status value_table_step(struct value_table *table, uint32_t outside,
                                        const struct told_frame *told, uint32_t count,
                                        uint32_t *moment);

/* The same by a list of the table. */
MUST_CHECK enum status value_table_step_list(struct value_table *table, uint32_t outside,
                                             uint32_t list, uint32_t *moment);

/* A list of another table. */
MUST_CHECK enum status value_table_copy_list(struct value_table *table,
                                             const struct value_table *from, uint32_t list,
                                             uint32_t *out);

/* About how many bytes of memory it takes. */
uint64_t value_table_bytes(const struct value_table *table);

#endif
