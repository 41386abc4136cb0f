/* SPDX-License-Identifier: MIT */
/*
 * The parent's side of reading debug information in a child: asks the child, and starts another
 * child when that dies, takes too long or gives an unsound answer. Remembers what killed children:
 * a question is not asked again (the caller keeps its answer); a unit is not read again if a child
 * died while reading all of it, or children died of several questions about it.
 */
#ifndef VARIABLES_DWARF_ASKER_H
#define VARIABLES_DWARF_ASKER_H

#include "base/cursor.h"
#include "base/diag.h"
#include "confine/child.h"
#include "variables/dwarf/debug_info.h"
#include "variables/dwarf/numbered_files.h"
#include "variables/dwarf/wire.h"

struct asker {
    struct numbered_files files;
    struct child child;
    struct debug_info_limits limits;
    uint64_t pc_mask;
    /* units that are not asked about any more, as children died of them; owned */
    die_ref *bad_units;
    size_t bad_count, bad_cap;
    struct map unit_deaths; /* unit -> number of children that died at questions about it */
    unsigned deaths; /* number of children that died; of these: took too long; had no memory left */
    unsigned late, short_of_memory;
    uint32_t damage; /* number of parts that could not be read, by the children */
    /*
     * waited_ms: total time of all answers; asked_ms: time of the last question (CLOCK_MONOTONIC)
     */
    int64_t waited_ms, asked_ms;
    bool has_given_up;
    int begin_error; /* errno of the failure to start a child; 0: no failure */
    uint8_t *answer; /* bytes of the last answer; owned */
    size_t answer_cap;
};

/*
 * Opens the module's files with debug information; starts no child yet. *asker must be zeroed.
 * `limits` NULL: the defaults. NOT_FOUND: the module has no debug information; NO_MEMORY. Call
 * asker_end whatever the status.
 */
MUST_CHECK enum status asker_begin(struct asker *asker, struct module_set *set,
                                   struct module *module, const struct debug_info_limits *limits);
void asker_end(struct asker *asker);

/*
 * Asks the child, which is started if there is none, and sets *answer to its answer, valid until
 * the next question. NOT_FOUND: the child found nothing. BAD_DATA: the child died or could not be
 * started, the asker has given up, or the debug information is damaged. NO_MEMORY. *answer is empty
 * unless OK.
 */
MUST_CHECK enum status asker_ask(struct asker *asker, const struct wire_question *question,
                                 struct cursor *answer);

/* Returns how long, in ms, all answers together may take; after that the asker gives up. */
int64_t asker_wait_limit_ms(const struct asker *asker);

/*
 * Ends the child, if there is one, and frees the last answer; the next question starts another
 * child.
 */
void asker_rest(struct asker *asker);

/*
 * Notes that the last answer was not sound: ends the child, and counts it as died of the question.
 */
void asker_distrust(struct asker *asker);

/* Fills *problem with what was not read and why; problem->what is empty if all was read. */
void asker_problem(const struct asker *asker, struct diag *problem);

#endif
