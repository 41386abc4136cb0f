/* SPDX-License-Identifier: MIT */
/*
 * A names_source of functions and lines that profiles bring along: no file is read for them, and
 * merging does not depend on the files of whoever merges.
 *
 * Other addresses are looked up by the symbolizer and the unwinder after told_ask_files, which is
 * called if there are snapshots, too. If an address is told twice, the entry that says more counts,
 * of equals the one with the greater text: the order does not matter.
 */
#ifndef GRAPH_TOLD_H
#define GRAPH_TOLD_H

#include "graph/names.h"

struct told;
struct told_labels; /* told_labels.h */

/* Both are borrowed and have to outlive look-ups. NO_MEMORY. */
MUST_CHECK enum status told_create(struct symbolizer *symbolizer, struct unwinder *unwinder,
                                   struct told **out);
void told_destroy(struct told *told);

/*
 * Returns a source for names_create_from, to be asked when all is told; answers live like `told`.
 */
struct names_source told_source(struct told *told);

void told_ask_files(struct told *told);

/* Sets *text to a NUL-terminated copy, cut at a NUL; lives as long as `told`. NO_MEMORY. */
MUST_CHECK enum status told_text(struct told *told, const void *bytes, size_t size,
                                 const char **text);

/*
 * Tells what is at an address of a module's file; texts are from told_text. `is_start`: only that a
 * function begins there, and its line; any other entry for the address says more. NO_MEMORY.
 */
MUST_CHECK enum status told_add(struct told *told, struct module *module, uint64_t vaddr,
                                const struct source_frames *frames, bool is_start);

/* Returns the labels by which functions of profiles had been divided. */
struct told_labels *told_labels(struct told *told);

#endif
