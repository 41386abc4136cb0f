/* SPDX-License-Identifier: MIT */
/*
 * Turns an address in a module into what a person reads: demangled functions, inlined ones too,
 * with file and line.
 *
 * Answers are cached by (module, vaddr) and live as long as the symbolizer. Functions are named by
 * symtab.h (the kernel's by kallsyms.h, those made at run time by runtime/jit/jit_map.h), else by
 * Go's table (runtime/go/gopclntab.h), else by DWARF (2 to 5, in the file, its separate debug file
 * and split files). Lines and inlined functions come from DWARF, else from Go's table.
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
    const char *raw_function; /* the name as in the file, mangled; NULL: not known */
    const char *file;         /* path of the source file; NULL: not known */
    uint32_t line;            /* line in `file`; 0: not known */
    bool is_inline;           /* this function is inlined into that of the next frame */
    /* if is_inline: start of the function's copy that is not inlined; 0: none, or not known */
    uint64_t real_vaddr;
};

struct source_frames {
    /* frames of the functions at the address, innermost first; the last one is the real function */
    const struct source_frame *frames;
    size_t count;            /* number of frames, at least 1 */
    uint64_t function_vaddr; /* start of the real function, valid when has_function */
    bool has_function;
    /* The name is a symbol's without size: `vaddr` may be in an unnamed function behind it. */
    bool is_unsized;
};

struct symbolizer;

/*
 * `lines`: look up files and lines. `inlines`: look up inlined functions; false: each address has
 * one frame, the real function at the line that runs. Both false: no DWARF is read, and names come
 * from symbols and Go's table only. `set` is borrowed. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status symbolizer_create(struct module_set *set, bool lines, bool inlines,
                                         struct symbolizer **out);
void symbolizer_destroy(struct symbolizer *symbolizer);

/*
 * Looks up `vaddr`, an address in the module's file (for a caller's frame: the return address minus
 * one). Members of *out that are not known are NULL or 0. *out is owned by the symbolizer. Fails
 * with NO_MEMORY only.
 */
MUST_CHECK enum status symbolizer_lookup(struct symbolizer *symbolizer, struct module *module,
                                         uint64_t vaddr, const struct source_frames **out);

struct module_wanted { /* addresses of one module that will be looked up */
    struct module *module;
    /* addresses in the module's file, in the order of the look-ups; borrowed */
    const uint64_t *vaddrs;
    size_t count;
};

/*
 * Reads from files what the look-ups in `wanted` will need, on at most `jobs` threads, which it
 * joins before it returns. `wanted` (`count` entries) has each module once, in the order of
 * their ids, and its addresses in the order of the look-ups. Changes the speed of look-ups, not
 * their answers. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status symbolizer_prepare(struct symbolizer *symbolizer,
                                          const struct module_wanted *wanted, size_t count,
                                          unsigned jobs);

/*
 * Returns `name` demangled (C++ Itanium, Rust legacy and v0, D), with a suffix such as ".cold" or
 * "@plt" kept; malloc'ed, the caller frees it. NULL: not mangled, longer than 8 KiB, too costly, or
 * no memory.
 */
char *demangle(const char *name);

#endif
