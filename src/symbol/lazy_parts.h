/* SPDX-License-Identifier: MIT */
/*
 * What is read of a module when it is first needed:
 *
 *     UNTRIED ──first call──► THERE    the pointer is set
 *                        └──► ABSENT   the module has none that can be used
 *
 * A part that memory did not suffice for stays UNTRIED. All but the kernel's list are read from the
 * module's file, which is opened for it. The module owns its parts until it is destroyed.
 */
#ifndef SYMBOL_LAZY_PARTS_H
#define SYMBOL_LAZY_PARTS_H

#include <stdbool.h>

struct data_symbols; /* data_symbols.h */
struct debug_lines;  /* dwarf/lines.h */
struct diag;         /* base/diag.h */
struct elf_image;    /* elf/elf_image.h */
struct gopclntab;    /* runtime/go/gopclntab.h */
struct kallsyms;     /* kallsyms.h */
struct settled_data; /* elf/settled_data.h */
struct split_files;  /* split_files.h */
struct symtab;       /* elf/symtab.h */

enum part_state { PART_UNTRIED, PART_THERE, PART_ABSENT };

enum lazy_part {
    PART_DEBUG,
    PART_SHARED,
    PART_SYMTAB,
    PART_DATA_SYMBOLS,
    PART_SETTLED_DATA,
    PART_LINES,
    PART_GOPCLNTAB,
    PART_KALLSYMS,
};
#define LAZY_PARTS (PART_KALLSYMS + 1)

struct lazy_parts { /* private to lazy_parts.c; a pointer is NULL unless its part is THERE */
    enum part_state states[LAZY_PARTS];
    struct elf_image *debug, *shared;
    struct symtab *symtab;
    struct data_symbols *data_symbols;
    struct settled_data *settled_data;
    struct split_files *split_files; /* of `lines` */
    struct debug_lines *lines;
    struct gopclntab *gopclntab;
    struct kallsyms *kallsyms;
};

void lazy_parts_deinit(struct lazy_parts *parts);

struct module;
struct module_set;

/*
 * Returns the module's separate debug file: an --elf file with the module's build-id and no code,
 * else what debug_file_open finds. NULL: none.
 */
struct elf_image *module_debug_image(struct module_set *set, struct module *module);

/*
 * Returns the file with the module's .debug_info: its image, else its separate debug file; NULL:
 * neither, or the module cannot be opened. Sets *shared to the file that dwz moved common parts to;
 * NULL: none.
 */
struct elf_image *module_dwarf_image(struct module_set *set, struct module *module,
                                     struct elf_image **shared);

/* Returns the module's function symbols; NULL: no image, or no memory. */
const struct symtab *module_symtab(struct module_set *set, struct module *module);

/* Returns the module's variable symbols; NULL: no image, or no memory. */
const struct data_symbols *module_data_symbols(struct module_set *set, struct module *module);

/*
 * Returns which of the file's constants that relocation may change are in memory as in the file.
 * NULL: not known for any.
 */
const struct settled_data *module_settled_data(struct module_set *set, struct module *module);

/*
 * Returns the line and function look-ups over the file of module_dwarf_image. NULL: no DWARF, or no
 * memory.
 */
struct debug_lines *module_lines(struct module_set *set, struct module *module);

/*
 * Returns the path of the file with the DWARF if a limit made module_lines leave out something that
 * was looked up; NULL: nothing was left out.
 */
const char *module_lines_cut_short(const struct module *module);

/*
 * Sets *problem to which split files with functions were looked for by module_lines, and not found;
 * false: none.
 */
bool module_lines_problem(const struct module *module, struct diag *problem);

/* Returns Go's table of the module's functions; NULL: none that can be read. */
const struct gopclntab *module_gopclntab(struct module_set *set, struct module *module);

/* Returns the function names of a MODULE_KERNEL. NULL: module->problem says why. */
const struct kallsyms *module_kallsyms(struct module_set *set, struct module *module);

#endif
