/* SPDX-License-Identifier: MIT */
/*
 * The table of functions that Go's linker puts into every program, stripped or not, for the
 * runtime's own tracebacks (runtime.pclntab; .gopclntab, .data.rel.ro.gopclntab): names, lines,
 * inlined calls, and how far SP is below its value at function entry. Go 1.16 and later; layouts by
 * runtime/symtab.go and debug/gosym.
 *
 * Tested with: Go 1.16, 1.17, 1.19, 1.24 and 1.26; programs that are relocated at load time, also
 * if the file does not have the addresses; several sections of text (32-bit ARM above 28 MB). Not
 * read: inlined calls of Go 1.16 and 1.17 if the address of their tree is in neither the file nor a
 * RELA record.
 *
 * The table is untrusted: each offset and length is checked when it is used, and a value that
 * cannot be right gives NOT_FOUND. A name or path has at most 64 KiB. A look-up reads at most a
 * million pairs of values; a search for the table tries at most a thousand places.
 */
#ifndef RUNTIME_GO_GOPCLNTAB_H
#define RUNTIME_GO_GOPCLNTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

struct gopclntab;

/*
 * Finds the table in `image`, which is borrowed and has to outlive *out, and reads its header.
 * Looks for the section by name; else, in a file without section headers, or a Go program whose
 * linker merged the table into another section, for the magic number in the first 64 segments.
 * NOT_FOUND: there is no table. UNSUPPORTED: it is of Go before 1.16 or after the known versions.
 * BAD_DATA: its header cannot be right, or its functions are not in code. NO_MEMORY.
 */
MUST_CHECK enum status gopclntab_create(struct elf_image *image, struct gopclntab **out);
void gopclntab_destroy(struct gopclntab *table);

enum go_function_flags {
    GO_FUNCTION_TOP = 1,      /* outermost: a thread or a goroutine begins here */
    GO_FUNCTION_SP_WRITE = 2, /* sets SP other than by adding, so that deltas are not right */
    GO_FUNCTION_ASM = 4,      /* written in assembly; never set by Go 1.17 */
};

struct go_function {
    uint64_t start_vaddr, end_vaddr; /* end_vaddr: start of the next function */
    const char *name;                /* "runtime.systemstack", may be ""; borrowed from the image */
    uint8_t flags;                   /* enum go_function_flags; 0 before Go 1.17 */
    uint64_t func_off;               /* private: offset of the struct _func in the table */
};

/* Returns the number of functions. */
size_t gopclntab_count(const struct gopclntab *table);

/*
 * Sets *out to function number `index`, in the order of addresses. NOT_FOUND: there are not so
 * many, or the table is damaged there.
 */
MUST_CHECK enum status gopclntab_at(const struct gopclntab *table, size_t index,
                                    struct go_function *out);

/* Sets *out to the function that holds `vaddr`. NOT_FOUND: there is none. O(log n). */
MUST_CHECK enum status gopclntab_find(const struct gopclntab *table, uint64_t vaddr,
                                      struct go_function *out);

/* From start to end SP is `delta` bytes below its value at function entry. */
struct go_sp_delta {
    uint64_t start_vaddr, end_vaddr;
    int32_t delta;
    uint64_t func_off, next_off; /* private */
};

/*
 * Sets *out to the delta at `vaddr` in `function`. *out is zeroed before, or has an earlier answer:
 * then a higher address in the same function costs only the distance. NOT_FOUND: the table has no
 * delta, as for functions written in C and between functions.
 */
MUST_CHECK enum status gopclntab_sp_delta(const struct gopclntab *table,
                                          const struct go_function *function, uint64_t vaddr,
                                          struct go_sp_delta *out);

/* One source position of an address; inlined code has several. */
struct go_source {
    const char *function; /* borrowed from the image */
    const char *file;     /* borrowed from the image; NULL: not known */
    uint32_t line;        /* 0: not known */
    bool is_inline;       /* the function is inlined into that of the next position */
};

#define GO_SOURCES_MAX 64 /* most positions; deeper inlining is cut; the function itself stays */

/*
 * Sets `out` to the positions of `vaddr`, which is in `function`, the innermost first. Returns
 * their number, at least 1.
 */
size_t gopclntab_sources(const struct gopclntab *table, const struct go_function *function,
                         uint64_t vaddr, struct go_source out[GO_SOURCES_MAX]);

#endif
