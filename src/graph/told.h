/* SPDX-License-Identifier: MIT */
/*
 * A names_source of functions and lines that profiles bring along: no file is read for them, and
 * merging does not depend on the files of whoever merges.
 *
 * Addresses without an entry are looked up by the symbolizer and the unwinder, but only after
 * told_ask_files, which is called if snapshots are read, too. If an address has two entries, the
 * one that says more counts, of equals the one with the greater text: their order does not matter.
 */
#ifndef GRAPH_TOLD_H
#define GRAPH_TOLD_H

#include "graph/names.h"

struct told;
struct told_labels; /* see told_labels.h */

/* Makes an empty source; symbolizer and unwinder are borrowed until the last look-up. NO_MEMORY. */
MUST_CHECK enum status told_create(struct symbolizer *symbolizer, struct unwinder *unwinder,
                                   struct told **out);
void told_destroy(struct told *told);

/*
 * Returns a source for names_create_from, to be asked after the last told_add; its answers live as
 * long as `told`.
 */
struct names_source told_source(struct told *told);

/* From now on addresses without an entry are looked up in modules' files. */
void told_ask_files(struct told *told);

/* Sets *text to a copy of the bytes up to a NUL or `size`; lives as long as `told`. NO_MEMORY. */
MUST_CHECK enum status told_text(struct told *told, const void *bytes, size_t size,
                                 const char **text);

/*
 * Adds an entry: the functions and lines at an address of a module's file. `frames` is copied, its
 * texts are from told_text. `is_start`: only a function's beginning and line are known; an entry
 * without `is_start` for the address says more. NO_MEMORY.
 */
MUST_CHECK enum status told_add(struct told *told, struct module *module, uint64_t vaddr,
                                const struct source_frames *frames, bool is_start);

/* Returns the labels by which the functions in profiles were divided, for the reader to fill. */
struct told_labels *told_labels(struct told *told);

#endif
