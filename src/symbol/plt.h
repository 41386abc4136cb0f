/*
 * Private to symbol/: PLT stubs by the dynamic symbol they jump to. No symbol table covers them,
 * and frames do lie in them (a thread that resolves a function lazily, a sample that hits the
 * stub).
 */
#ifndef SYMBOL_PLT_H
#define SYMBOL_PLT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf_image.h"

struct plt_stub {       /* what one entry of a PLT section does */
    uint64_t got_vaddr; /* it jumps to what this word holds; valid when !by_index */
    uint32_t reloc;     /* it pushes this index into .rela.plt */
    bool by_index;
};

struct plt_section { /* a section of stubs, its stubs `entry_size` bytes each */
    const char *name;
    uint8_t entry_size; /* where the section header says nothing */
    bool header;        /* the first entry is the resolver's */
};

/* Reports one stub: [start, end), and the name of the symbol it jumps to (in the image). False:
 * stop. */
typedef bool plt_report_fn(void *context, uint64_t start_vaddr, uint64_t end_vaddr,
                           const char *name);

/* Reports every stub whose target is known. Nothing is reported for architectures without a
 * decoder. */
void plt_each(struct elf_image *image, plt_report_fn *report, void *context);

/* plt_x86_64.c: decodes an entry at `vaddr`; false: not understood. */
bool plt_x86_64_decode(const uint8_t *bytes, size_t size, uint64_t vaddr, struct plt_stub *out);

#endif
