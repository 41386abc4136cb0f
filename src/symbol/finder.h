/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: finders of modules' files. Each looks in one place:
 *
 *     module_open ─► finders_ask ─► --elf, the input, the target's path or process, …
 *                                   in the order of finder_list.h, until one has found a file
 *
 * A finder is a file with a constant `struct file_finder finder_ID`, and a line in finder_list.h.
 * It does not write to the module: what it found, or refused, is its answer.
 */
#ifndef SYMBOL_FINDER_H
#define SYMBOL_FINDER_H

#include <stdbool.h>

#include "base/diag.h"
#include "symbol/elf/elf_image.h"
#include "symbol/given_files.h"
#include "symbol/module_set.h"

struct file_search { /* what finders may look at; all borrowed */
    const struct module *module;
    const struct module_options *options;
    struct given_files *given;
    const struct process_memory *memory; /* of the process being read */
};

struct file_found {
    struct elf_image *image; /* the module's from now on; NULL: not found */
    enum image_place place;
    /*
     * The first file that was refused, and why; or a doubt about `image`. `what` is empty: nothing
     * to tell.
     */
    struct diag problem;
};

#define FINDS(kind) (1u << (kind)) /* of an enum module_kind, for `kinds` */

struct file_finder {
    unsigned kinds; /* of modules that the finder is asked for: FINDS(MODULE_FILE) | … */
    /* Fills *found, which is zeroed before. */
    void (*find)(const struct file_search *search, struct file_found *found);
};

/*
 * Asks the finders for the module's file; true: module->image is set. False: the module may be
 * REFUSED. module->problem has the first file that was refused, else the doubt about the image.
 */
bool finders_ask(const struct file_search *search, struct module *module);

/* Functions that finders share: */

/*
 * Takes over `image`: sets found->image to it if it has the module's build-id (where the module has
 * one) and is for the target's architecture; else closes it, and found->problem says why.
 */
void finder_take(const struct file_search *search, struct elf_image *image,
                 struct file_found *found);

/* Takes the file at `path`, if it can be opened, and says nothing of one that does not fit. */
void finder_take_quietly(const struct file_search *search, const char *path,
                         struct file_found *found);

/* Sets found->problem to *why, unless it is set. */
void finder_tell(struct file_found *found, const struct diag *why);

/* Tells that the image's build-id is not the module's. */
void finder_tell_build_id(const struct file_search *search, const struct elf_image *image,
                          struct file_found *found);

/*
 * Whether `image`, a file of the module's name, may be what the process ran; for use if module or
 * file has no build-id. Compares it with the pieces that the snapshot has of the file, if any, and
 * with the process's memory, if it can be read. False: pieces differ, or AGREEMENT_BROKEN. Tells
 * why (finder_tell), and tells of AGREEMENT_CHANGED, which is true.
 */
bool finder_agrees(const struct file_search *search, struct elf_image *image,
                   struct file_found *found);

/* Whether the image is for `arch` (NULL: any will do); otherwise *why says for which. */
bool finder_is_for(const struct elf_image *image, const struct arch *arch, struct diag *why);

#endif
