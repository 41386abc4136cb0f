/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the files given with --elf. A module gets one
 *
 *     1. by build-id;
 *     2. where one of the two has no build-id: by file name, or by the DT_SONAME in the file;
 *     3. the executable: the only program among the files, where the process's memory agrees,
 *        even by place alone (which `problem` notes);
 *     4. a module without name ("[...]"): any library of which bytes can be compared and all agree.
 *
 * A file whose contents differ from that memory (agreement.h) is refused with a message, since the
 * user asked for it.
 */
#ifndef SYMBOL_GIVEN_FILES_H
#define SYMBOL_GIVEN_FILES_H

#include "symbol/module.h"

/* Kept open for its build-id and name; a module that it matches opens the path again. */
struct given_file {
    const char *path; /* borrowed */
    struct elf_image *image;
    struct diag problem; /* why `image` is NULL */
    bool used;           /* some module looked at it: no warning that it served nothing */
    bool matched_id;     /* a module has its build-id: not tried by name any more */
};

struct given_files {
    struct given_file *list;
    size_t count;
};

/*
 * Opens each path. A file that cannot be opened, or is for another architecture than `arch` (NULL:
 * any will do), stays in the list with `problem`. `paths` are borrowed. NO_MEMORY.
 */
MUST_CHECK enum status given_files_open(struct given_files *files, const char *const *paths,
                                        size_t count, const struct arch *arch);
void given_files_close(struct given_files *files);

/* Returns the path of the module's file; NULL: none; state and `problem` say if one was refused. */
const char *given_files_find(struct given_files *files, const struct process_memory *memory,
                             struct module *module);

/*
 * Returns program number `index` among the files (libraries, debug files and those matched by
 * build-id do not count); NULL: there are no more.
 */
struct given_file *given_files_program(const struct given_files *files, size_t index);

/* Has the image a build-id, and is it the module's? */
bool module_has_build_id(const struct module *module, const struct elf_image *image);

/*
 * Compares a file of the module's name, where one of the two has no build-id, with the process's
 * memory. False: it differs, and is refused. Code that the process changed is noted in `problem`.
 */
bool module_agrees(const struct process_memory *memory, struct module *module,
                   struct elf_image *image);

/* Marks the module as REFUSED, for another build-id or for `why`. The first refusal stays. */
void module_refuse_build_id(struct module *module, const struct elf_image *image);
void module_refuse(struct module *module, const struct diag *why);

#endif
