/* SPDX-License-Identifier: MIT */
/*
 * From an address in a module to what a person reads: function, file and line, inlined functions,
 * demangled.
 *
 * Answers are cached by (module, vaddr) and live as long as the symbolizer. Lines and inlines come
 * from DWARF (2 to 5, of the file itself or its separate debug file, split files
 * excepted); names from symtab.h, then from DWARF. What these do not tell of a Go program,
 * elf/gopclntab.h does.
 *
 * An inlined function is named as the real one is, where DWARF tells which that is: by its linkage
 * name, or as the symbol of the real function that has the same declaration.
 */
#ifndef SYMBOL_SYMBOLIZE_H
#define SYMBOL_SYMBOLIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/module.h"

struct source_frame {
    const char *function;     /* demangled, TEXT_NAME_SEEN bytes of it; NULL: no name known */
    const char *raw_function; /* as in the file; NULL: no name known */
    const char *file;         /* NULL: not known */
    uint32_t line;            /* 0: not known */
    bool is_inline;           /* inlined into the frame that follows it */
    /* Inlined: where the real function starts, which has that name; 0: not known, or has none. */
    uint64_t real_vaddr;
};

struct source_frames {
    const struct source_frame *frames; /* innermost first; the last one is the real function */
    size_t count;                      /* at least 1 */
    uint64_t function_vaddr;           /* start of the real function, valid when has_function */
    bool has_function;
    /* Its name is of .dynsym, which does not say how long it is: other functions may follow it. */
    bool is_unsized;
};

struct symbolizer;

/*
 * What is asked for, of which no more is read: `lines`, files and lines; `inlines`, inlined
 * functions (false: one frame for each address, the real function at the line that runs). Neither:
 * names of symbols (and Go's) only, and no DWARF is read at all.
 */
MUST_CHECK enum status symbolizer_create(struct module_set *set, bool lines, bool inlines,
                                         struct symbolizer **out);
void symbolizer_destroy(struct symbolizer *symbolizer);

/*
 * `vaddr` is the address to look up: for a caller's frame the return address minus one. Never fails
 * but for memory: what is not known is NULL.
 */
MUST_CHECK enum status symbolizer_lookup(struct symbolizer *symbolizer, struct module *module,
                                         uint64_t vaddr, const struct source_frames **out);

struct module_wanted { /* what will be asked of a module */
    struct module *module;
    const uint64_t *vaddrs; /* borrowed, in the order in which they will be asked */
    size_t count;
};

/*
 * Reads what these look-ups need of files, several modules at a time, on at most `jobs` threads;
 * all have ended when it returns. Each module is there once, in the order in which they will be
 * asked. The look-ups then answer what they would have answered without it. Fails only for memory.
 */
MUST_CHECK enum status symbolizer_prepare(struct symbolizer *symbolizer,
                                          const struct module_wanted *wanted, size_t count,
                                          unsigned jobs);

/* C++ (Itanium), Rust (legacy and v0) and D names made readable; NULL when it is none. malloc'ed,
 * yours to free. */
char *demangle(const char *name);

#endif
