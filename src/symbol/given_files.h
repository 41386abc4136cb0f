/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the files given with --elf. The finder `given` (finder.h) gives a module one
 * of them
 *
 *     1. by build-id;
 *     2. if module or file has no build-id: by file name, or by the DT_SONAME in the file;
 *     3. likewise, whatever the name: if the code is that of the process's memory (agreement.h), or
 *        of the snapshot's pieces (piece_match.h); of a module without name ("[...]") it may also
 *        be a library of which other bytes can be compared and all agree; and this holds of no
 *        other given file;
 *     4. the executable: a program whose code agrees with the process's memory, else the only one
 *        with which that agrees, even with AGREEMENT_PLACE, which module->problem notes.
 *
 * A file whose contents differ from the process's memory is refused with a message, since the user
 * asked for the file.
 */
#ifndef SYMBOL_GIVEN_FILES_H
#define SYMBOL_GIVEN_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/status.h"
#include "symbol/elf/elf_image.h"
#include "symbol/module.h"

/* A file, kept open for its build-id and name; a module that gets the file opens the path again. */
struct given_file {
    const char *path;        /* borrowed */
    struct elf_image *image; /* owned; NULL: not opened */
    struct diag problem;     /* the reason why `image` is NULL */
    bool used;       /* the file was tried for some module: no warning that it was of no use */
    bool matched_id; /* a module has the file's build-id: the file is not tried by name any more */
};

struct given_files {
    struct given_file *list;
    size_t count;
};

/*
 * Opens the `count` files at `paths`, which are borrowed. A file that cannot be opened, or is for
 * another architecture than `arch` (NULL: any is accepted), is in the list with `problem`.
 * NO_MEMORY.
 */
MUST_CHECK enum status given_files_open(struct given_files *files, const char *const *paths,
                                        size_t count, const struct arch *arch);
void given_files_close(struct given_files *files);

/*
 * Returns program number `index` among the files, not counting libraries, debug files and files
 * that a module has got by build-id; NULL: there are no more.
 */
struct given_file *given_files_program(const struct given_files *files, size_t index);

/*
 * Returns the kernel's file (vmlinux) among the files: with the module's build-id, else with code
 * in the upper half of the address space; NULL: there is none.
 */
struct given_file *given_files_kernel(const struct given_files *files, const struct module *module);

#endif
