/* SPDX-License-Identifier: MIT */
/*
 * PLT stubs, by place and by the dynamic symbol they jump to. No symbol table covers them, and
 * frames do lie in them (a thread that resolves a function lazily, a sample that hits the stub).
 *
 * A stub's symbol is that of the relocation of the GOT word it jumps through. A stub whose
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
 * One stub: [start, end), the name of the symbol it jumps to (in the image), whether its first
 * instruction is T32. False: stop.
 */
typedef bool plt_report_fn(void *context, uint64_t start_vaddr, uint64_t end_vaddr,
                           const char *name, bool thumb);

/* Calls `report` for every stub with a known target; at most 262144 of a section. */
void plt_each(struct elf_image *image, plt_report_fn *report, void *context);

/*
 * Calls `report` for every stub that is understood (not lld's with retpolines), with or without
 * known target, and before those of .plt for the entry that calls the resolver (PLT0): [start,
 * end), whether the first instruction is T32. At most 262144 stubs of a section.
 */
typedef bool plt_range_fn(void *context, uint64_t start_vaddr, uint64_t end_vaddr, bool thumb);
void plt_each_range(struct elf_image *image, plt_range_fn *report, void *context);

#endif
