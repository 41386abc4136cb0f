/* SPDX-License-Identifier: MIT */
/*
 * PLT stubs: their addresses, and the dynamic symbols that they jump to. No symbol table covers
 * them, and frames may lie in them (a thread that resolves a function lazily, a sample that hits
 * the stub).
 *
 * A stub jumps through a word of the GOT; its symbol is that of the word's relocation. A stub whose
 * relocation has no symbol (STT_GNU_IFUNC functions of the file itself) has no name.
 */
#ifndef SYMBOL_ELF_PLT_H
#define SYMBOL_ELF_PLT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

/*
 * Takes a stub: its range [start_vaddr, end_vaddr), the name of the symbol that it jumps to, owned
 * by the image, and whether its first instruction is T32. False: ends plt_each.
 */
typedef bool plt_report_fn(void *context, uint64_t start_vaddr, uint64_t end_vaddr,
                           const char *name, bool thumb);

/* Calls `report` for each stub with a known symbol, at most 262144 of a section. */
void plt_each(struct elf_image *image, plt_report_fn *report, void *context);

#define PLT_SECTIONS 5 /* the most PLT sections of a file */

/*
 * Sets out[0] ... to the ranges of the file's PLT sections (.plt, .plt.sec, .plt.got, ...); returns
 * how many there are.
 */
size_t plt_sections(struct elf_image *image, struct vaddr_range out[PLT_SECTIONS]);

/* Whether `vaddr` is in a PLT section. */
bool plt_holds(struct elf_image *image, uint64_t vaddr);

/*
 * plt_each_range calls `report` with the range, and whether the first instruction is T32, of each
 * stub that is understood, with or without known symbol, and before those of .plt of the entry that
 * calls the resolver (PLT0); at most 262144 stubs of a section. A stub that is entered in its midst
 * as well, to be bound, has two ranges. What lld's retpolines call at that
 * entry's end belongs to neither: stubs come there with other stacks than the entry does. `report`
 * returns false to end. Sections that do not reach into `within` are left out; NULL: none are.
 */
typedef bool plt_range_fn(void *context, uint64_t start_vaddr, uint64_t end_vaddr, bool thumb);
void plt_each_range(struct elf_image *image, const struct vaddr_range *within, plt_range_fn *report,
                    void *context);

#endif
