/* SPDX-License-Identifier: MIT */
/*
 * The tables of functions that Go's linker puts into every program, stripped or not, for the
 * runtime's own tracebacks (runtime.pclntab; .gopclntab, .data.rel.ro.gopclntab): names, lines,
 * inlined calls, and how far SP is below its value at the function's entry. Go 1.16 and later; the
 * layouts are those of runtime/symtab.go and debug/gosym.
 *
 * Known to be read: Go 1.16, 1.17, 1.19, 1.24 and 1.26; programs that are relocated when they are
 * loaded, also where the file does not hold the addresses; several sections of text (32-bit ARM
 * above 28 MB). Not read: inlined calls of Go 1.16 and 1.17 whose tree's address is in neither the
 * file nor a RELA record.
 *
 * The tables are untrusted: each offset and each length is checked when it is used, what cannot be
 * right is NOT_FOUND. A name or path has at most 64 KiB. For one question at most a million pairs
 * of the tables of values are read; where a table is looked for, a thousand places that look like
 * its begin are tried.
 */
#ifndef SYMBOL_ELF_GOPCLNTAB_H
#define SYMBOL_ELF_GOPCLNTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

struct gopclntab;

/*
 * `image` is borrowed and outlives the table. The section is looked for by name. Its magic number
 * is looked for in the first 64 segments if there are no section headers, or if they tell that the
 * file is of Go but the linker made the table a part of another section. NOT_FOUND: the file has
 * none. UNSUPPORTED: one of Go before 1.16, or newer than what is known. BAD_DATA: its header
 * cannot be right, or its functions are not in code. NO_MEMORY.
 */
MUST_CHECK enum status gopclntab_create(struct elf_image *image, struct gopclntab **out);
void gopclntab_destroy(struct gopclntab *table);

enum go_function_flags {
    GO_FUNCTION_TOP = 1,      /* nothing called it: where a thread or a goroutine begins */
    GO_FUNCTION_SP_WRITE = 2, /* it sets SP otherwise than by adding: no delta tells where it is */
    GO_FUNCTION_ASM = 4,      /* in assembly; Go 1.17 does not tell */
};

struct go_function {
    uint64_t start_vaddr, end_vaddr; /* end: where the next one starts */
    const char *name;                /* "runtime.systemstack", may be ""; borrowed from the file */
    uint8_t flags;                   /* enum go_function_flags; 0 before Go 1.17 */
    uint64_t func_off;               /* private: of its struct _func in the table */
};

size_t gopclntab_count(const struct gopclntab *table);

/* The functions ascend. NOT_FOUND: there are no more, or this one cannot be right. */
MUST_CHECK enum status gopclntab_at(const struct gopclntab *table, size_t index,
                                    struct go_function *out);

/* The function that holds `vaddr`. NOT_FOUND. O(log n). */
MUST_CHECK enum status gopclntab_find(const struct gopclntab *table, uint64_t vaddr,
                                      struct go_function *out);

/* How many bytes SP is below its value at the function's entry, from start to end. */
struct go_sp_delta {
    uint64_t start_vaddr, end_vaddr;
    int32_t delta;
    uint64_t func_off, next_off; /* private */
};

/*
 * `out` is zeroed, or what was found before: what is behind that in the same function costs no more
 * than what is between. NOT_FOUND: the table does not say (as of functions written in C, and of
 * bytes between two).
 */
MUST_CHECK enum status gopclntab_sp_delta(const struct gopclntab *table,
                                          const struct go_function *function, uint64_t vaddr,
                                          struct go_sp_delta *out);

/* One source position of an address; of inlined code there are several. */
struct go_source {
    const char *function; /* borrowed from the file */
    const char *file;     /* borrowed from the file; NULL: not known */
    uint32_t line;        /* 0: not known */
    bool is_inline;       /* inlined into the one that follows */
};

#define GO_SOURCES_MAX 64 /* deeper inlining is cut: the function itself stays */

/*
 * Where `vaddr`, in `function`, comes from, innermost first; gives how many there are, at least 1.
 */
size_t gopclntab_sources(const struct gopclntab *table, const struct go_function *function,
                         uint64_t vaddr, struct go_source out[GO_SOURCES_MAX]);

#endif
