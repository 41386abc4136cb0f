/* SPDX-License-Identifier: MIT */
/*
 * The parent's side: asks the child, and starts another one when it dies, takes too long or gives
 * an unsound answer. Remembers what killed it: a question is not asked again (the caller keeps its
 * answer); a unit is not read again if the child died while reading all of it, or of several
 * questions about it.
 */
#ifndef VARIABLES_DWARF_ASKER_H
#define VARIABLES_DWARF_ASKER_H

#include "base/cursor.h"
#include "base/diag.h"
#include "confine/child.h"
#include "variables/dwarf/debug_info.h"
#include "variables/dwarf/split_files.h"
#include "variables/dwarf/wire.h"

struct asker {
    struct split_files files;
    struct child child;
    struct debug_info_limits limits;
    uint64_t pc_mask;
    die_ref *bad_units; /* owned */
    size_t bad_count, bad_cap;
    struct map unit_deaths; /* unit -> deaths of children at questions about it */
    unsigned deaths;        /* of children, including: */
    unsigned late, short_of_memory;
    uint32_t damage; /* parts not read, as a child told */
    /* waited_ms: in all; asked_ms: time of the last question, CLOCK_MONOTONIC */
    int64_t waited_ms, asked_ms;
    bool has_given_up;
    int begin_error; /* errno: why a child could not be started; 0: none */
    uint8_t *answer; /* owned */
    size_t answer_cap;
};

/*
 * Opens the module's files; starts no child yet. `limits` may be NULL. NOT_FOUND: no debug
 * information; NO_MEMORY. The caller calls asker_end in any case.
 */
MUST_CHECK enum status asker_begin(struct asker *asker, struct module_set *set,
                                   struct module *module, const struct debug_info_limits *limits);
void asker_end(struct asker *asker);

/*
 * Asks the child, which it starts when there is none. OK: *answer, valid until the next question.
 * NOT_FOUND. BAD_DATA, with an empty cursor: the child died or could not be started, or the debug
 * information is damaged. NO_MEMORY.
 */
MUST_CHECK enum status asker_ask(struct asker *asker, const struct wire_question *question,
                                 struct cursor *answer);

/* Returns how long all answers together may take; then nothing more is asked. */
int64_t asker_wait_limit_ms(const struct asker *asker);

/* Ends the child, if there is one; the next question starts another. */
void asker_rest(struct asker *asker);

/* Notes that the last answer was not sound: ends the child, as one that died of the question. */
void asker_distrust(struct asker *asker);

/* Describes what was not read; an empty `what`: nothing. */
void asker_problem(const struct asker *asker, struct diag *problem);

#endif
