/* SPDX-License-Identifier: MIT */
/*
 * Finds the functions at addresses. Functions have an identity, and a nameless function has the
 * same made-up name at each of its addresses. Answers are cached by (module, address).
 *
 * Two functions are the same if module, name and start are the same: static functions of one name
 * in one module are two. An inlined copy is the real function if the source of names tells where
 * the real one starts. Otherwise the copy counts as the real function of its name in its module, if
 * there is exactly one (names_canonical), else as a function of its own.
 *
 * A function without a name is `basename(module)+0xstart`; if its start is not known either,
 * `basename(module)+0xaddress`, one function per address, since they may be different. For a caller
 * this address is the return address, which gdb and eu-stack print, too; the function is still
 * looked up one byte before. Memory outside files is `[anon]+0xaddress`, outside all mappings
 * `[unknown]+0xaddress`.
 */
#ifndef GRAPH_NAMES_H
#define GRAPH_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/symbolize.h"
#include "unwind/unwinder.h"

struct function {
    const char *name;            /* demangled, raw bytes from the file; or made up as above */
    const char *raw_name;        /* as in the file; valid as long as the modules; NULL: made up */
    const struct module *module; /* NULL: outside all mappings */
    uint64_t start_vaddr;        /* valid if has_start */
    bool has_start;
    bool has_name;      /* the name comes from the file; false: it is made up */
    bool is_inline;     /* known only from inlined copies, which do not tell its start */
    uint32_t undivided; /* part made by names_divide: 1 + index of the whole function; else 0 */
    uint32_t group;     /* private: index of the group of this name in this module */
};

/* A function and source line at an address. */
struct place {
    uint32_t function; /* index for names_function */
    uint32_t line;     /* 0: not known */
    const char *file;  /* source file; NULL: not known */
    bool is_inline;    /* the function is inlined into that of the next place of the list */
};

struct places {
    uint32_t count;      /* at least 1 */
    struct place list[]; /* innermost inlined function first; the last is the real function */
};

/*
 * A source of names: `lookup` promises what symbolizer_lookup does, `function` what
 * unwinder_function does; NULL: finds nothing. Both are called only for addresses in an ELF file,
 * or in a MODULE_JIT.
 */
struct names_source {
    enum status (*lookup)(void *context, struct module *module, uint64_t vaddr,
                          const struct source_frames **out);
    enum status (*function)(void *context, struct module *module, uint64_t vaddr,
                            uint64_t *start_vaddr, uint64_t *end_vaddr);
    void *context;
};

struct names;

/*
 * names_create makes a struct names that asks a symbolizer and an unwinder (NULL: not asked),
 * names_create_from one that asks *source, which it copies. Symbolizer, unwinder and
 * source->context are borrowed and must outlive *out; the caller calls names_destroy. NO_MEMORY.
 */
MUST_CHECK enum status names_create(struct symbolizer *symbolizer, struct unwinder *unwinder,
                                    struct names **out);
MUST_CHECK enum status names_create_from(const struct names_source *source, struct names **out);
void names_destroy(struct names *names);

/*
 * Sets *out to the places of an address, valid as long as `names`. `addr`: a frame's lookup_vaddr,
 * or its pc_addr if `module` is NULL; vaddr_known: the frame's member of this name. `is_call`: the
 * frame is a caller, so with a module its return address is addr + 1. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status names_find(struct names *names, struct module *module, uint64_t addr,
                                  bool vaddr_known, bool is_call, const struct places **out);

/* Sets *out as names_find_marked does, for a frame of a chain, with its mark. */
MUST_CHECK enum status names_find_frame(struct names *names, const struct frame *frame,
                                        const struct places **out);

/*
 * names_divide makes names_find_marked divide functions of marked frames into parts, by labels that
 * follow their names: `label` returns the label of the function at `depth` of a frame with this
 * mark (0: the frame's real function, 1: the function inlined into it, and so on), which is copied;
 * NULL: not divided. To be called again when labels change. `context` is borrowed.
 */
typedef const char *names_label_fn(void *context, uint32_t mark, uint32_t depth);
void names_divide(struct names *names, names_label_fn *label, void *context);

/* Sets *out as names_find does, with functions divided (names_divide) by `mark`; 0: no mark. */
MUST_CHECK enum status names_find_marked(struct names *names, struct module *module, uint64_t addr,
                                         bool vaddr_known, bool is_call, uint32_t mark,
                                         const struct places **out);

/* Has the CPU bring what names_find_marked will read first: to be called some addresses ahead. */
void names_expect(const struct names *names, const struct module *module, uint64_t addr,
                  bool vaddr_known, uint32_t mark);

/*
 * Returns the label that names_divide added to the function's name; NULL: none. Valid as long as
 * the result of names_function.
 */
const char *names_label(const struct names *names, uint32_t function);

/* Returns the function with this index; valid until a names_find function finds a new one. */
const struct function *names_function(const struct names *names, uint32_t function);
size_t names_function_count(const struct names *names);

/*
 * Returns the real function as which an inlined copy counts, by the functions found so far; for any
 * other function, and a copy without exactly one such function, `function` itself.
 */
uint32_t names_canonical(const struct names *names, uint32_t function);

/*
 * Whether the real function `function` shares its name with another real function of its module, so
 * that its start has to be shown, too.
 */
bool names_ambiguous(const struct names *names, uint32_t function);

#endif
