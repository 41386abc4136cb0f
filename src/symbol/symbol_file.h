/* SPDX-License-Identifier: MIT */
/*
 * Functions in ELF files that run-time compilers register for debuggers (the GDB manual, "JIT
 * Compilation Interface"). In a relocatable file the compiler has written the sections' run-time
 * addresses into the section headers; in other files the symbols' values are run-time addresses.
 */
#ifndef SYMBOL_SYMBOL_FILE_H
#define SYMBOL_SYMBOL_FILE_H

#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

#define SYMBOL_FILE_FUNCTIONS_MAX 1000000u /* of a file; others are left out */
#define SYMBOL_FILE_NAME_MAX      4095u /* bytes; a longer name is cut to that and not demangled */
/*
 * Bytes of names of a file, at most twice the bytes of its symbol and string tables: symbols may
 * share the bytes of their names, and each gets a copy. Functions beyond are left out.
 */
#define SYMBOL_FILE_NAMES_MAX (UINT64_C(64) << 20)

struct symbol_file_function {
    uint64_t start_addr, size; /* size > 0 */
    const char *name;          /* demangled, not ""; valid during the call */
};

/* A status other than OK ends the enumeration. */
typedef enum status symbol_file_take_fn(void *context, const struct symbol_file_function *function);

/*
 * Calls `take` for each function of .symtab, local ones first: where two overlap, the later one has
 * the better name. NOT_FOUND: no symbol table; BAD_DATA; NO_MEMORY; what `take` returned.
 */
MUST_CHECK enum status symbol_file_each(struct elf_image *image, symbol_file_take_fn *take,
                                        void *context);

#endif
