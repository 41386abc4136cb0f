/* SPDX-License-Identifier: MIT */
/*
 * The colours of a flame graph, as classes of its style sheet, in a light and in a dark one: each
 * of the modules that take most room has one, the others have one together. Compared with a
 * baseline they tell by how much a share has changed.
 */
#ifndef OUTPUT_FLAME_COLOURS_H
#define OUTPUT_FLAME_COLOURS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "output/flame_layout.h"

#define FLAME_MODULES_MAX 8u /* with a colour of their own */
#define FLAME_STEPS       5u /* of more, and as many of less */

struct flame_colours {                      /* zeroed: of nothing */
    const char *modules[FLAME_MODULES_MAX]; /* paths, of the view: those with a colour */
    size_t module_count;
    bool has_others;
    /* Private: */
    const struct fold *fold;
    uint32_t *module_of; /* by the view's node: the module's rank */
};

/* Of the frames of a layout; both are borrowed. */
MUST_CHECK enum status flame_colours_init(struct flame_colours *colours,
                                          const struct flame_layout *layout,
                                          const struct fold *fold);
void flame_colours_deinit(struct flame_colours *colours);

/* The rules of all classes, for <style>. */
void flame_colours_put_style(FILE *out);

#define FLAME_CLASS_MAX 4 /* bytes of a class, with the NUL */
/* "m0": the first module. */
const char *flame_colours_class(const struct flame_colours *colours,
                                const struct flame_frame *frame, char name[FLAME_CLASS_MAX]);

/* Of the module of that rank. */
const char *flame_colours_module(size_t rank, char name[FLAME_CLASS_MAX]);

/* Of a change by so many steps: -FLAME_STEPS to FLAME_STEPS. */
const char *flame_colours_step(int step, char name[FLAME_CLASS_MAX]);

/* Percentage points from which a change has that step, 1 to FLAME_STEPS, in ten thousandths. */
int32_t flame_colours_step_from(unsigned step);

#endif
