/* SPDX-License-Identifier: MIT */
/*
 * What an address is called: functions as things with an identity, and for nameless ones a name
 * that is the same for each address of the function. Answers are cached by (module, address).
 *
 * Two functions are the same when module, name and start are: static functions of one name in one
 * module are two. An inlined copy is the real function of which the source of names knows where it
 * starts. Where it does not, it counts as the one real function with its name in its module when
 * there is exactly one (names_canonical), else as a function of its own.
 *
 * Without a name a function is `basename(module)+0xstart`; where its start is not known either,
 * `basename(module)+0xaddress`: each address by itself, because to join them would say that they
 * are one function. For a caller that is the return address, where an instruction begins in a
 * disassembly, and what gdb and eu-stack print; it is looked up at one less all the same. Memory
 * outside files is `[anon]+0xaddress`, outside all mappings `[unknown]+0xaddress`.
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
    const char *name;            /* demangled, raw bytes of the file; or made up as above */
    const char *raw_name;        /* as in the file; NULL: made up. Lives as long as the modules */
    const struct module *module; /* NULL: outside all mappings */
    uint64_t start_vaddr;        /* valid when has_start */
    bool has_start;
    bool has_name;      /* the name comes from the file */
    bool is_inline;     /* known from inlined copies only, which do not tell where it starts */
    uint32_t undivided; /* of a divided one (names_divide): 1 + the whole function; else 0 */
    uint32_t group;     /* private: functions of this name in this module */
};

struct place {
    uint32_t function; /* for names_function */
    uint32_t line;     /* 0: not known */
    const char *file;  /* NULL: not known */
    bool is_inline;    /* inlined into the place that follows it */
};

struct places {
    uint32_t count;      /* at least 1 */
    struct place list[]; /* innermost first; the last one is the real function */
};

/*
 * Where names come from. lookup as symbolizer_lookup, function as unwinder_function; NULL: nothing
 * is known. Both are asked only for addresses that are in an ELF file.
 */
struct names_source {
    enum status (*lookup)(void *context, struct module *module, uint64_t vaddr,
                          const struct source_frames **out);
    enum status (*function)(void *context, struct module *module, uint64_t vaddr,
                            uint64_t *start_vaddr, uint64_t *end_vaddr);
    void *context;
};

struct names;

/* Both borrowed, may be NULL, and must outlive the names. */
MUST_CHECK enum status names_create(struct symbolizer *symbolizer, struct unwinder *unwinder,
                                    struct names **out);
MUST_CHECK enum status names_create_from(const struct names_source *source, struct names **out);
void names_destroy(struct names *names);

/*
 * `addr` is a frame's lookup_vaddr, or its pc_addr when `module` is NULL; `is_call`: of a caller,
 * so that the return address is addr + 1 when there is a module. *out is valid as long as the
 * names. Fails only for memory.
 */
MUST_CHECK enum status names_find(struct names *names, struct module *module, uint64_t addr,
                                  bool vaddr_known, bool is_call, const struct places **out);

/* The same for a frame of a chain. */
MUST_CHECK enum status names_find_frame(struct names *names, const struct frame *frame,
                                        const struct places **out);

/*
 * Has functions of marked frames divided: by the label that follows their name, NULL: not. `depth`:
 * 0 is a frame's own function, 1 what was inlined into that one, and so on. To be called again when
 * labels change. `context` is borrowed; the label is copied.
 */
typedef const char *names_label_fn(void *context, uint32_t mark, uint32_t depth);
void names_divide(struct names *names, names_label_fn *label, void *context);

/* As names_find, of a frame with that mark. */
MUST_CHECK enum status names_find_marked(struct names *names, struct module *module, uint64_t addr,
                                         bool vaddr_known, bool is_call, uint32_t mark,
                                         const struct places **out);

/* The label that names_divide has added to a function's name; NULL: none. As names_function. */
const char *names_label(const struct names *names, uint32_t function);

/* Valid until the next names_find that meets a new function. */
const struct function *names_function(const struct names *names, uint32_t function);
size_t names_function_count(const struct names *names);

/* What an inlined copy counts as, of all that was found so far; others are themselves. */
uint32_t names_canonical(const struct names *names, uint32_t function);

/* Another real function of the module has the same name: show the start too. */
bool names_ambiguous(const struct names *names, uint32_t function);

#endif
