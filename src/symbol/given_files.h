/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the files given with --elf, each for the module that it is of:
 *
 *     1. by build-id
 *     2. where one of the two has no build-id, by the file's name or the DT_SONAME in it
 *     3. the only program among them for the executable, where the process's memory has something
 *        of it that agrees, be it only the place of its code, which is noted; and any for a module
 *        that has no name, where there are bytes to compare and all of them agree
 *
 * One whose contents differ from that memory (agreement.h) is refused out loud: the user meant it.
 */
#ifndef SYMBOL_GIVEN_FILES_H
#define SYMBOL_GIVEN_FILES_H

#include "symbol/module.h"

/* Kept open to know what it is; a module that it matches opens it anew. */
struct given_file {
    const char *path; /* borrowed */
    struct elf_image *image;
    struct diag problem; /* when image is NULL */
    bool used;
    bool matched_id; /* some module has its build-id: it is no other's by name */
};

struct given_files {
    struct given_file *list;
    size_t count;
};

/* `arch`: files for another one are no use; NULL: any will do. NO_MEMORY. */
MUST_CHECK enum status given_files_open(struct given_files *files, const char *const *paths,
                                        size_t count, const struct arch *arch);
void given_files_close(struct given_files *files);

/* The path of the file for the module; NULL: none; `problem` and state say if one was refused. */
const char *given_files_find(struct given_files *files, const struct process_memory *memory,
                             struct module *module);

/* The i-th of them that is a program, and no library; NULL: there are no more. */
struct given_file *given_files_program(const struct given_files *files, size_t index);

/* Does the file have the module's build-id, if there is one? */
bool module_has_build_id(const struct module *module, const struct elf_image *image);

/*
 * Of a file with the module's name where one of the two has no build-id: may it be used? If not it
 * is refused; where the process's code differs a bit, that is kept for a note.
 */
bool module_agrees(const struct process_memory *memory, struct module *module,
                   struct elf_image *image);

/* Refuses a file of another build-id, or by `why`; the first refusal is the most telling one. */
void module_refuse_build_id(struct module *module, const struct elf_image *image);
void module_refuse(struct module *module, const struct diag *why);

#endif
