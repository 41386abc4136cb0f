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

/*
 * plt_each_range calls `report` with the range, and whether the first instruction is T32, of each
 * stub that is understood (not lld's with retpolines), with or without known symbol, and before
 * those of .plt of the entry that calls the resolver (PLT0); at most 262144 stubs of a section.
 * `report` returns false to end.
 */
typedef bool plt_range_fn(void *context, uint64_t start_vaddr, uint64_t end_vaddr, bool thumb);
void plt_each_range(struct elf_image *image, plt_range_fn *report, void *context);

#endif
