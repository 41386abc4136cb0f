/* SPDX-License-Identifier: MIT */
/*
 * From an address in a module to what a person reads: function, file and line, inlined functions,
 * demangled.
 *
 * Answers are cached by (module, vaddr) and live as long as the symbolizer. Functions are named by
 * symtab.h (the kernel's by kallsyms.h, those made at run time by jit_map.h), else by Go's table
 * (elf/gopclntab.h), else by DWARF (2 to 5, in the file or its separate debug file; no split
 * files). Lines and inlined functions come from DWARF, else from Go's table.
 *
 * An inlined function has the name of its real function where DWARF tells which that is: the
 * linkage name, or the symbol of the real function with the same declaration.
 */
#ifndef SYMBOL_SYMBOLIZE_H
#define SYMBOL_SYMBOLIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/module.h"

struct source_frame {
    const char *function;     /* demangled, cut to TEXT_NAME_SEEN bytes; NULL: not known */
    const char *raw_function; /* as in the file; NULL: not known */
    const char *file;         /* NULL: not known */
    uint32_t line;            /* 0: not known */
    bool is_inline;           /* inlined into the next frame */
    /* Of an inlined function: start of the real function of that name; 0: not known, or none. */
    uint64_t real_vaddr;
};

struct source_frames {
    const struct source_frame *frames; /* innermost first; the last one is the real function */
    size_t count;                      /* at least 1 */
    uint64_t function_vaddr;           /* start of the real function, valid when has_function */
    bool has_function;
    /* The name is a .dynsym symbol's without size: other functions may lie behind it. */
    bool is_unsized;
};

struct symbolizer;

/*
 * `lines`: look up files and lines. `inlines`: look up inlined functions; false: one frame an
 * address, the real function at the line that runs. Neither: names of symbols and of Go's table
 * only, and no DWARF is read. `set` is borrowed.
 */
MUST_CHECK enum status symbolizer_create(struct module_set *set, bool lines, bool inlines,
                                         struct symbolizer **out);
void symbolizer_destroy(struct symbolizer *symbolizer);

/*
 * Looks up `vaddr`: for a caller's frame the return address minus one. What is not known is NULL.
 * Fails with NO_MEMORY only. *out is owned by the symbolizer.
 */
MUST_CHECK enum status symbolizer_lookup(struct symbolizer *symbolizer, struct module *module,
                                         uint64_t vaddr, const struct source_frames **out);

struct module_wanted { /* look-ups to come in one module */
    struct module *module;
    const uint64_t *vaddrs; /* borrowed, in the order of the look-ups */
    size_t count;
};

/*
 * Reads ahead what these look-ups need of files, several modules at a time, on at most `jobs`
 * threads, and joins them before it returns. `wanted` has each module once, in the order of the
 * look-ups. Answers are the same as without it. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status symbolizer_prepare(struct symbolizer *symbolizer,
                                          const struct module_wanted *wanted, size_t count,
                                          unsigned jobs);

/*
 * Demangles C++ (Itanium), Rust (legacy and v0) and D names; keeps a suffix such as ".cold" or
 * "@plt". malloc'ed, the caller's; NULL: not mangled, too long (8 KiB), too costly, or no memory.
 */
char *demangle(const char *name);

#endif
