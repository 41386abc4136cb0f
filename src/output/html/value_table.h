/* SPDX-License-Identifier: MIT */
/*
 * Values of frames' variables, where equal texts, values, lists and moments are stored once:
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

/* States of a value: those of enum known_state; VALUE_PARTIAL: an aggregate with unknown parts. */
enum value_state {
    VALUE_KNOWN,
    VALUE_OPTIMIZED_OUT,
    VALUE_NOT_CAPTURED,
    VALUE_UNAVAILABLE,
    VALUE_PARTIAL,
    VALUE_STATE_COUNT
};

/* Returns "known", "partial", or known_state_name's text; static storage. */
const char *value_state_name(enum value_state state);

struct value_told {
    uint32_t name, type, text; /* ids in value_table.texts; type: that of "" if not known */
    uint8_t kind, state;       /* enum variable_kind, enum value_state */
};
struct value_list {
    uint32_t first, count; /* range in value_table.members */
};
#define VALUE_LIST_EMPTY 0 /* list of a function without variables, or whose are not known */

struct value_table { /* value_table_init makes it */
    struct pool texts;
    struct value_told *values;
    size_t value_count, value_cap;
    uint32_t *members; /* indexes in `values`, the lists' one after the other */
    size_t member_count, member_cap;
    struct value_list *lists;
    size_t list_count, list_cap;
    struct trie moments; /* a moment is a node; keys are indexes in `lists` */
    /* Private: */
    struct index value_index, list_index;
};

/*
 * Makes an empty table; value_table_deinit is to be called also if this fails. All functions fail
 * only with NO_MEMORY.
 */
MUST_CHECK enum status value_table_init(struct value_table *table);
void value_table_deinit(struct value_table *table);

/*
 * Sets *moment to that of a frame and all frames outside of it: `outside`, the moment of the frames
 * outside (TRIE_ROOT: none), extended by the lists of the frame's `count` functions. `told`: the
 * functions' variables; NULL: the lists are empty.
 */
MUST_CHECK enum status value_table_step(struct value_table *table, uint32_t outside,
                                        const struct told_frame *told, uint32_t count,
                                        uint32_t *moment);

/* Sets *moment to the moment `outside` extended by `list` of the table. */
MUST_CHECK enum status value_table_step_list(struct value_table *table, uint32_t outside,
                                             uint32_t list, uint32_t *moment);

/* Copies `list` of the table `from`; sets *out to the list of `table` with the same values. */
MUST_CHECK enum status value_table_copy_list(struct value_table *table,
                                             const struct value_table *from, uint32_t list,
                                             uint32_t *out);

/* Returns an estimate of the bytes of memory that the table takes. */
uint64_t value_table_bytes(const struct value_table *table);

#endif
