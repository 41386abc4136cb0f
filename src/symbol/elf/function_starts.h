/* SPDX-License-Identifier: MIT */
/*
 * Where functions start, and on ARM in which instruction set, as far as an ELF file itself says:
 * symbols, the entry point, initialisers, and pointers to code. No instruction is decoded and no
 * unwind table is read (unwind/ adds what those tell).
 *
 * How sure a start is depends on its origin, strongest first:
 *
 *   symbols          certain: functions, and parts of functions that have a symbol of their own
 *                    ("f.cold"). Untyped symbols (of assembly) count when they are not local; on
 *                    ARM, when the instruction set is known.
 *   ENTRY, VECTOR, INIT  certain
 *   POINTER          a word that the dynamic loader relocates to hold that address. It may be a
 *                    label whose address is taken (computed goto) when no sized symbol says that
 *                    it lies inside a function.
 *   CONSTANT         a word of writable data of a file at a fixed address (ET_EXEC) that happens to
 *                    be an address of code: as POINTER, or a number by chance.
 *
 * Without section headers a whole executable segment counts as code: PLT stubs are not
 * distinguished, and pointers to read-only data may appear as POINTER or CONSTANT.
 */
#ifndef SYMBOL_ELF_FUNCTION_STARTS_H
#define SYMBOL_ELF_FUNCTION_STARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

#define FUNCTION_STARTS_MAX 8000000 /* candidates that are looked at; others are left out */

enum code_origin {
    ORIGIN_SYMTAB,
    ORIGIN_DYNSYM,
    ORIGIN_DEBUG_FILE,
    ORIGIN_MINI_DEBUGINFO,
    ORIGIN_ENTRY,  /* e_entry */
    ORIGIN_VECTOR, /* the vector table of a firmware */
    ORIGIN_INIT,   /* DT_INIT, DT_FINI; .preinit_array, .init_array, .fini_array */
    ORIGIN_POINTER,
    ORIGIN_CONSTANT,
};

struct function_start {
    uint64_t vaddr; /* bit 0 is not part of it */
    uint64_t size;  /* 0: not known */
    enum code_origin origin;
    bool thumb; /* T32 */
};

/* OTHER_CODE: of the instruction set that isa_bit means (T32); CODE: of the first, or only one. */
enum code_kind { KIND_UNKNOWN, KIND_CODE, KIND_OTHER_CODE, KIND_DATA };

struct function_starts;
struct symtab;

/*
 * `code_only`: as if the file were stripped: nothing of `symtab` is used (.symtab, the debug file,
 * mini-debuginfo, mapping symbols), but .dynsym is. `symtab` may be NULL, which says the same. Both
 * stay borrowed. Only NO_MEMORY fails: damaged tables are left out.
 */
MUST_CHECK enum status function_starts_create(struct elf_image *image, const struct symtab *symtab,
                                              bool code_only, struct function_starts **out);
/* The same of symbols alone: pointers cost far more where there are many. */
MUST_CHECK enum status function_starts_create_named(struct elf_image *image,
                                                    const struct symtab *symtab, bool code_only,
                                                    struct function_starts **out);
/*
 * The same of the symbols in `window` alone. NOT_FOUND: some symbol reaches into it, or out of it.
 */
MUST_CHECK enum status function_starts_create_within(struct elf_image *image,
                                                     const struct symtab *symtab, bool code_only,
                                                     const struct vaddr_range *window,
                                                     struct function_starts **out);
void function_starts_destroy(struct function_starts *starts);

/*
 * Ascending, one an address, all in executable sections other than those of PLT stubs. Of several
 * origins the strongest is named.
 */
const struct function_start *function_starts_all(const struct function_starts *starts,
                                                 size_t *count);

/*
 * What the mapping symbols of ARM and AArch64 files say is at `vaddr`, and the end of the range for
 * which they say so. KIND_UNKNOWN: nothing; outside executable sections *until is `vaddr`.
 */
enum code_kind code_kind_at(const struct function_starts *starts, uint64_t vaddr, uint64_t *until);

#endif
