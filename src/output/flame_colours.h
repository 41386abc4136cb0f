/* SPDX-License-Identifier: MIT */
/*
 * The colours of a flame graph, as classes of its style sheet, each in a light and a dark variant.
 * Each of the modules with the most weight in frames has a colour, the others share one. With a
 * baseline a colour says by how much a share has changed.
 */
#ifndef OUTPUT_FLAME_COLOURS_H
#define OUTPUT_FLAME_COLOURS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "output/flame_layout.h"

#define FLAME_MODULES_MAX 8u /* modules with a colour of their own */
#define FLAME_STEPS       5u /* colours for greater shares, and as many for smaller ones */

struct flame_colours {                      /* zeroed: empty */
    const char *modules[FLAME_MODULES_MAX]; /* paths of the coloured modules, the heaviest first */
    size_t module_count;                    /* in `modules`, whose texts are the view's */
    bool has_others;                        /* other modules have frames; they share a colour */
    /* Private: */
    const struct fold *fold;
    uint32_t *module_of; /* by the view's node: the module's rank */
};

/*
 * Ranks the modules by the weight of their frames in the layout. Borrows `fold`. Fails only with
 * NO_MEMORY; *colours is empty then.
 */
MUST_CHECK enum status flame_colours_init(struct flame_colours *colours,
                                          const struct flame_layout *layout,
                                          const struct fold *fold);
void flame_colours_deinit(struct flame_colours *colours);

/* Writes the CSS rules of all classes, for inside <style>. */
void flame_colours_put_style(FILE *out);

#define FLAME_CLASS_MAX 4 /* bytes of a class's name, with the NUL */
/*
 * Write a class's name to `name`, and return `name`: the class of a frame; of the module of a rank
 * ("m0": the heaviest, "x": from FLAME_MODULES_MAX on); of a change by `step`, from -FLAME_STEPS to
 * FLAME_STEPS ("l0" for -1, "r0" for 1, "x" for 0).
 */
const char *flame_colours_class(const struct flame_colours *colours,
                                const struct flame_frame *frame, char name[FLAME_CLASS_MAX]);
const char *flame_colours_module(size_t rank, char name[FLAME_CLASS_MAX]);
const char *flame_colours_step(int step, char name[FLAME_CLASS_MAX]);

/* Returns the least change of a share, in ten thousandths, that has `step`, 1 to FLAME_STEPS. */
int32_t flame_colours_step_from(unsigned step);

#endif
