/* SPDX-License-Identifier: MIT */
/*
 * ELF files that run-time compilers register for debuggers (the GDB manual, "JIT Compilation
 * Interface"): what they tell of functions. Of a relocatable file the compiler has written into its
 * section headers where the sections are; addresses in others are those in memory.
 */
#ifndef SYMBOL_SYMBOL_FILE_H
#define SYMBOL_SYMBOL_FILE_H

#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

#define SYMBOL_FILE_FUNCTIONS_MAX 1000000u /* of a file; others are left out */
#define SYMBOL_FILE_NAME_MAX      4095u    /* a longer name is cut to that, and not demangled */
/*
 * Symbols may share the bytes of their names, which are then copied for each: so many of a file are
 * taken, and no more than twice what its symbol and string tables have; then others are left out.
 */
#define SYMBOL_FILE_NAMES_MAX (UINT64_C(64) << 20)

struct symbol_file_function {
    uint64_t start_addr, size; /* in the process's memory; size > 0 */
    const char *name;          /* demangled; not "" */
};

/* What is not OK ends it. */
typedef enum status symbol_file_take_fn(void *context, const struct symbol_file_function *function);

/*
 * Gives each function to `take`, local ones before others: where they overlap the last one is the
 * better name. NOT_FOUND: there is no symbol table; BAD_DATA: it is not all there; NO_MEMORY; what
 * `take` returned.
 */
MUST_CHECK enum status symbol_file_each(struct elf_image *image, symbol_file_take_fn *take,
                                        void *context);

#endif
