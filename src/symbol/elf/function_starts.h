/* SPDX-License-Identifier: MIT */
/*
 * The starts of functions, and on ARM their instruction set, by the ELF file itself: symbols, the
 * entry point, initialisers, and pointers to code. Decodes no instruction and reads no unwind
 * table; unwind/ adds the starts found there.
 *
 * Origins of a start, strongest first:
 *
 *   symbols    certain: functions, and parts of functions with a symbol of their own ("f.cold").
 *              Untyped symbols (assembly) count when they are not local; on ARM, when the
 *              instruction set is known.
 *   ENTRY, VECTOR, INIT  certain
 *   POINTER    a word that the dynamic loader relocates to this address. The address may be a label
 *              (computed goto), if no sized symbol shows that it lies inside a function.
 *   CONSTANT   a word of writable data of a file at a fixed address (ET_EXEC) that looks like an
 *              address of code: as POINTER, or a number by chance.
 *
 * Without section headers a whole executable segment counts as code: PLT stubs are not told apart,
 * and pointers to read-only data may appear as POINTER or CONSTANT.
 */
#ifndef SYMBOL_ELF_FUNCTION_STARTS_H
#define SYMBOL_ELF_FUNCTION_STARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

#define FUNCTION_STARTS_MAX 8000000 /* most candidates; others are left out */

enum code_origin {
    ORIGIN_SYMTAB,
    ORIGIN_DYNSYM,
    ORIGIN_DEBUG_FILE,
    ORIGIN_MINI_DEBUGINFO,
    ORIGIN_ENTRY,  /* e_entry of the ELF header */
    ORIGIN_VECTOR, /* vector table of a firmware */
    ORIGIN_INIT,   /* DT_INIT, DT_FINI; .preinit_array, .init_array, .fini_array */
    ORIGIN_POINTER,
    ORIGIN_CONSTANT,
};

struct function_start {
    uint64_t vaddr; /* without the bit that selects the instruction set */
    uint64_t size;  /* bytes; 0: not known */
    enum code_origin origin;
    bool thumb; /* the function is T32 */
};

/*
 * Kinds of code: CODE: the architecture's first or only instruction set; OTHER_CODE: the one that
 * arch->isa_bit selects (T32); DATA: data among code.
 */
enum code_kind { KIND_UNKNOWN, KIND_CODE, KIND_OTHER_CODE, KIND_DATA };

struct function_starts;
struct symtab;

/*
 * Gathers the starts in `image` from all origins. With `code_only`, or `symtab` NULL, as if the
 * file were stripped: uses .dynsym, but neither .symtab, debug file, mini-debuginfo nor mapping
 * symbols. Borrows both. Damaged tables are left out; fails only with NO_MEMORY.
 */
MUST_CHECK enum status function_starts_create(struct elf_image *image, const struct symtab *symtab,
                                              bool code_only, struct function_starts **out);
/* Does what function_starts_create does, but from symbols alone, as pointers cost far more. */
MUST_CHECK enum status function_starts_create_named(struct elf_image *image,
                                                    const struct symtab *symtab, bool code_only,
                                                    struct function_starts **out);
/*
 * Does what function_starts_create_named does, but for the symbols inside `window` alone.
 * NOT_FOUND: a symbol crosses an end of the window.
 */
MUST_CHECK enum status function_starts_create_within(struct elf_image *image,
                                                     const struct symtab *symtab, bool code_only,
                                                     const struct vaddr_range *window,
                                                     struct function_starts **out);
void function_starts_destroy(struct function_starts *starts);

/*
 * Returns the *count starts, owned by `starts`: ascending, one for an address, with the strongest
 * of its origins. All are in executable sections without PLT stubs.
 */
const struct function_start *function_starts_all(const struct function_starts *starts,
                                                 size_t *count);

/*
 * Returns the kind of code at `vaddr` by the mapping symbols of ARM and AArch64 files, and sets
 * *until to the end of that kind: the next mapping symbol or the section's end. KIND_UNKNOWN: no
 * mapping symbol, or contradicting ones; outside executable sections *until is `vaddr`.
 */
enum code_kind code_kind_at(const struct function_starts *starts, uint64_t vaddr, uint64_t *until);

#endif
