/* SPDX-License-Identifier: MIT */
/*
 * The parent's side: asks the child, begins another one when it dies, takes too long, or says what
 * makes no sense, and remembers what that was about: a question that it died of is not asked again
 * (its answer is kept, by who asks), a unit that it died of while it read all of it, or several
 * questions' unit, is not read again.
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
    struct map unit_deaths; /* of questions about a unit */
    unsigned deaths;        /* of children; among them: */
    unsigned late, short_of_memory;
    uint32_t damage;             /* as a child has told */
    int64_t waited_ms, asked_ms; /* in all; when it was last asked, of CLOCK_MONOTONIC */
    bool has_given_up;
    int begin_error; /* errno: a child could not be begun; 0: none */
    uint8_t *answer; /* owned */
    size_t answer_cap;
};

/* NOT_FOUND: no debug information; NO_MEMORY. */
MUST_CHECK enum status asker_begin(struct asker *asker, struct module_set *set,
                                   struct module *module, const struct debug_info_limits *limits);
void asker_end(struct asker *asker);

/*
 * OK: the answer, valid until the next question. NOT_FOUND; BAD_DATA, with an empty cursor: there
 * is none, as a child died or could not be begun, or the debug information is damaged; NO_MEMORY.
 */
MUST_CHECK enum status asker_ask(struct asker *asker, const struct wire_question *question,
                                 struct cursor *answer);

/* So long is waited for answers altogether. */
int64_t asker_wait_limit_ms(const struct asker *asker);

/* Ends the child, which there may be none; the next question begins another. */
void asker_rest(struct asker *asker);

/* The last answer was not sound. */
void asker_distrust(struct asker *asker);

void asker_problem(const struct asker *asker, struct diag *problem);

#endif
