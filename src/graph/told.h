/* SPDX-License-Identifier: MIT */
/*
 * A names_source of what was told of addresses: a profile brings functions and lines, so that no
 * file has to be read for them, and what is merged does not depend on the files of who merges.
 *
 * Of an address that nobody told of, the symbolizer and the unwinder are asked once told_ask_files
 * was called, which is when there are snapshots, too. Told twice, what says more counts, of equals
 * the greater text: it does not matter who came first.
 */
#ifndef GRAPH_TOLD_H
#define GRAPH_TOLD_H

#include "graph/names.h"

struct told;
struct told_labels; /* told_labels.h */

/* Both borrowed, and have to outlive what is asked. */
MUST_CHECK enum status told_create(struct symbolizer *symbolizer, struct unwinder *unwinder,
                                   struct told **out);
void told_destroy(struct told *told);

/* For names_create_from; what it answers lives as long as `told`, and is to be asked when all is
 * told. */
struct names_source told_source(struct told *told);

void told_ask_files(struct told *told);

/* The text as told_add wants it, NUL-terminated; what follows a NUL in it is left out. */
MUST_CHECK enum status told_text(struct told *told, const void *bytes, size_t size,
                                 const char **text);

/*
 * What is at an address of a module's file; texts are of told_text. `is_start`: only that a
 * function begins there, and in which line; whatever else is told of the address says more.
 */
MUST_CHECK enum status told_add(struct told *told, struct module *module, uint64_t vaddr,
                                const struct source_frames *frames, bool is_start);

/* How functions that were told of had been divided. */
struct told_labels *told_labels(struct told *told);

#endif
