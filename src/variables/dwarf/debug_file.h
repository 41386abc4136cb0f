/* SPDX-License-Identifier: MIT */
/*
 * Lists the sections with debug information of a file, as they are mapped. libdwarf gets no file,
 * and of these sections those that we do not read ourselves (file_methods.c).
 */
#ifndef VARIABLES_DWARF_DEBUG_FILE_H
#define VARIABLES_DWARF_DEBUG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

/*
 * Numbers of files in a die_ref: the module's debug file; the file that dwz moved common parts to;
 * split files.
 */
#define DEBUG_FILE_MAIN   0
#define DEBUG_FILE_SHARED 1
#define DEBUG_FILE_SPLIT  2 /* number of the first split file; the others follow */
#define DEBUG_FILES_MAX   8192

#define DEBUG_SECTIONS_MAX 32

struct debug_file_section {
    const char *name; /* the section's name as debug_section_name returns it; static storage */
    const uint8_t *bytes;
    uint64_t size;
};

struct debug_file {
    const char *left_out; /* name of a damaged section that libdwarf does not get; NULL: none */
    struct debug_file_section sections[DEBUG_SECTIONS_MAX];
    size_t count; /* number of sections; 0: there is no such file */
    uint8_t word_size;
};

/*
 * Returns name number `i`, from 0 on, of the sections that are listed; static storage; NULL: there
 * are no more.
 */
const char *debug_section_name(size_t i);

/*
 * Fills *out with the image's sections that can be read; valid as long as the image.
 * Fails with NO_MEMORY only.
 */
MUST_CHECK enum status debug_file_of(struct elf_image *image, struct debug_file *out);

const struct debug_file_section *debug_file_section(const struct debug_file *file,
                                                    const char *name);

#endif
