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

/* the most functions of one file; further ones are left out */
#define SYMBOL_FILE_FUNCTIONS_MAX 1000000u
#define SYMBOL_FILE_NAME_MAX      4095u /* bytes; a longer name is cut and not demangled */
/*
 * Bytes of all names given for one file; a file's limit is also twice the bytes of its symbol and
 * string tables, as many symbols may share the bytes of one name. Functions beyond are left out.
 */
#define SYMBOL_FILE_NAMES_MAX (UINT64_C(64) << 20)

struct symbol_file_function {
    uint64_t start_addr, size; /* its start, as the file says; its size in bytes, above 0 */
    const char *name;          /* demangled, not ""; valid during the call */
};

/* Takes one function of a file. A status other than OK ends symbol_file_each, which returns it. */
typedef enum status symbol_file_take_fn(void *context, const struct symbol_file_function *function);

/*
 * Calls `take` for each function of .symtab, local ones first, so that the later of two that
 * overlap has the better name. NOT_FOUND: no symbol table; BAD_DATA; NO_MEMORY; what `take`
 * returned.
 */
MUST_CHECK enum status symbol_file_each(struct elf_image *image, symbol_file_take_fn *take,
                                        void *context);

#endif
