/* SPDX-License-Identifier: MIT */
/*
 * Names for addresses: functions have an identity, and a nameless one has the same made-up name at
 * each of its addresses. Answers are cached by (module, address).
 *
 * Two functions are the same if module, name and start are: static functions of one name in one
 * module are two. An inlined copy is the real function if the source of names knows where that
 * starts. Otherwise it counts as the one real function of its name in its module, if there is
 * exactly one (names_canonical), else as a function of its own.
 *
 * A function without a name is `basename(module)+0xstart`; if its start is not known either,
 * `basename(module)+0xaddress`, one per address, since they may be different functions. For a
 * caller that address is the return address, which gdb and eu-stack print, too; the look-up is
 * still at one less. Memory outside files is `[anon]+0xaddress`, outside all mappings
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
    const char *raw_name;        /* as in the file, living as long as the modules; NULL: made up */
    const struct module *module; /* NULL: outside all mappings */
    uint64_t start_vaddr;        /* valid if has_start */
    bool has_start;
    bool has_name;      /* the name comes from the file */
    bool is_inline;     /* known only from inlined copies, which lack its start */
    uint32_t undivided; /* part made by names_divide: 1 + the whole function; else 0 */
    uint32_t group;     /* private: index of the group of this name in this module */
};

struct place {
    uint32_t function; /* index for names_function */
    uint32_t line;     /* 0: not known */
    const char *file;  /* NULL: not known */
    bool is_inline;    /* inlined into the next place of the list */
};

struct places {
    uint32_t count;      /* at least 1 */
    struct place list[]; /* innermost first; the last is the real function */
};

/*
 * Where names come from: the contracts of symbolizer_lookup and unwinder_function; a NULL member
 * knows nothing. Both are asked only for addresses in an ELF file, or in a MODULE_JIT.
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
 * Make names from a symbolizer and an unwinder (may be NULL), or from a source, which is copied.
 * What they use is borrowed and must outlive the names. NO_MEMORY.
 */
MUST_CHECK enum status names_create(struct symbolizer *symbolizer, struct unwinder *unwinder,
                                    struct names **out);
MUST_CHECK enum status names_create_from(const struct names_source *source, struct names **out);
void names_destroy(struct names *names);

/*
 * Sets *out to the places of an address, valid as long as the names. `addr`: a frame's
 * lookup_vaddr, or its pc_addr if `module` is NULL. `is_call`: the frame is a caller, so with a
 * module its return address is addr + 1. Only NO_MEMORY fails.
 */
MUST_CHECK enum status names_find(struct names *names, struct module *module, uint64_t addr,
                                  bool vaddr_known, bool is_call, const struct places **out);

/* Like names_find, for a frame of a chain and its mark. */
MUST_CHECK enum status names_find_frame(struct names *names, const struct frame *frame,
                                        const struct places **out);

/*
 * names_divide divides functions of marked frames: `label` returns the text to follow a function's
 * name; NULL: not divided. `depth` 0 is a frame's own function, 1 the one inlined into it, and so
 * on. To be called again when labels change. `context` is borrowed; the text is copied.
 */
typedef const char *names_label_fn(void *context, uint32_t mark, uint32_t depth);
void names_divide(struct names *names, names_label_fn *label, void *context);

/* Like names_find, for a frame with this mark. */
MUST_CHECK enum status names_find_marked(struct names *names, struct module *module, uint64_t addr,
                                         bool vaddr_known, bool is_call, uint32_t mark,
                                         const struct places **out);

/*
 * Returns the label that names_divide added to the function's name; NULL: none. Valid like the
 * result of names_function.
 */
const char *names_label(const struct names *names, uint32_t function);

/* Returns a function; valid until the next names_find* that meets a new one. */
const struct function *names_function(const struct names *names, uint32_t function);
size_t names_function_count(const struct names *names);

/* Returns what an inlined copy counts as, among functions found so far; others are themselves. */
uint32_t names_canonical(const struct names *names, uint32_t function);

/* Returns whether another real function of the module has the same name: show the start, too. */
bool names_ambiguous(const struct names *names, uint32_t function);

#endif
