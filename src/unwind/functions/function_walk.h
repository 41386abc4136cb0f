/* SPDX-License-Identifier: MIT */
/*
 * The search for functions, in parts: function_search.c says what is done in which order,
 * function_walk.c follows what is known to be entered, function_gaps.c tries what is left between,
 * function_landing_pads.c follows landing pads. Private to function_*.c.
 */
#ifndef UNWIND_FUNCTIONS_FUNCTION_WALK_H
#define UNWIND_FUNCTIONS_FUNCTION_WALK_H

#include "base/map.h"
#include "unwind/functions/function_evidence.h"
#include "unwind/functions/function_marks.h"
#include "unwind/functions/functions.h"
#include "unwind/prologue/prologue.h"

struct found {
    uint64_t vaddr;
    uint64_t reach_vaddr; /* the end of what its walk came to */
    uint8_t mode, origin;
};

struct fragment {
    uint64_t vaddr;
    uint64_t owner_vaddr; /* the start of the function that fragments jump here for; 0: unknown */
    uint8_t mode;
    bool swallowed; /* the code was thought to be part of the function that jumps here */
    struct state state;
};

struct search {
    struct functions *functions;
    struct module_code *module_code;
    struct module_landing_pads *landing_pads; /* NULL: nothing is known of landing pads */
    struct code *code;
    uint64_t entry_vaddr; /* of the file */
    struct marks marks;
    struct prologue_pool pool;
    struct found *found; /* all starts; those from `walked` on are yet to be walked */
    size_t found_count, found_cap, walked;
    struct fragment *fragments; /* to be walked */
    size_t fragment_count, fragment_cap;
    /* starts that were called or pointed to; those of them at 16 bytes, and in T32 code */
    unsigned certain, aligned, certain_t32;
    uint64_t calls, misaligned_calls; /* in what is known to be functions */
    uint64_t kept;           /* registers of which the functions of this file obey the ABI */
    uint64_t pointed_shared; /* of these, those that functions share that pointers lead to */
    /* of functions that were looked at for that: how many use or change, and save, a register */
    unsigned looked_at, takers[ARCH_REG_MAX], savers[ARCH_REG_MAX];
    /* instructions of what was walked or tried; no more is as soon as these are too many */
    uint64_t work, work_max;
    struct map reaches; /* by the start of a function that was walked, the end of what it came to */
    struct map open;    /* starts of functions that jump to where is not known, of code in pieces */
    struct map branched; /* where branches lead of code that is in no function of its own */
    bool in_rest;        /* what lies at hand may be the rest of such a function, or of one that
                           starts before its piece */
    bool may_throw;      /* there may be landing pads */
    bool known_walked;   /* functions that were known before were walked, too */
    enum status failed;  /* NO_MEMORY */
};

/* Of the code that a walk covers. */
enum walk_end {
    WALK_OPEN_END,           /* the function ends somewhere before */
    WALK_KNOWN_END,          /* what no path reaches is left out */
    WALK_KNOWN_END_AND_GAPS, /* nothing is */
};

/* Notes of a start that is certain how it is aligned, and its instruction set. */
void search_note_certain(struct search *s, uint64_t vaddr, enum code_mode mode);

/* Is no function of the file's, that is certain, in this instruction set? */
bool search_mode_is_unused(const struct search *s, enum code_mode mode);

/* A function starts here; nothing happens where one cannot, or where it is known already. */
void search_add_start(struct search *s, uint64_t vaddr, enum code_mode mode,
                      enum function_origin origin);

/*
 * A fragment starts here, which is entered in `state`; `owner_vaddr`, `swallowed`: see struct
 * fragment.
 */
void search_add_fragment(struct search *s, uint64_t vaddr, enum code_mode mode,
                         uint64_t owner_vaddr, bool swallowed, const struct state *state);

/* A jump in mid-frame. */
void search_add_jump(struct search *s, uint64_t source_vaddr, uint64_t target_vaddr);

/*
 * Is the code part of something? `swallowed`: of something that it was found out since not to
 * belong to.
 */
bool search_is_claimed(uint8_t mark, bool swallowed);

/* Walks from `vaddr` on, up to `limit`. A `state` makes it a fragment, NULL a function. */
MUST_CHECK enum status search_walk_from(struct search *s, uint64_t vaddr, enum code_mode mode,
                                        const struct state *state, uint64_t limit,
                                        enum walk_end end, struct prologue **out);

/* Walks from `vaddr` on and changes nothing. False: it cannot be walked. */
MUST_CHECK bool search_look_at(struct search *s, uint64_t vaddr, enum code_mode mode,
                               struct evidence *out);

/*
 * Notes how far a function reaches that is one for certain: code elsewhere that jumps back between
 * its parts is its own.
 */
void search_note_reach(struct search *s, const struct found *found);

/*
 * Marks what a walk came to and adds what it leads to. `owner_vaddr`: `vaddr` of a function, of a
 * fragment as in its struct. `reached_vaddr`: the end of what an earlier walk came to, when it was
 * not yet known that the function ends at `limit`. Gives the end of what it came to.
 */
uint64_t search_claim_all(struct search *s, const struct prologue *prologue, uint64_t vaddr,
                          enum code_mode mode, uint64_t limit, uint64_t owner_vaddr,
                          uint64_t reached_vaddr);

/* Walks all that was found, and what it finds. */
void search_walk_found(struct search *s);

/* Once more, those that were walked before it was known where they end. */
void search_walk_overrunning(struct search *s);

/*
 * Tries the code at `vaddr` as a function; a GAP is marked in any case. `continues`, `weak`: see
 * function_gaps.c, is_function.
 */
void search_try_start(struct search *s, uint64_t vaddr, enum code_mode mode,
                      enum function_origin origin, bool continues, bool weak);

/*
 * Tries what lies between the functions. First only what begins like a function: what it jumps to
 * in mid-frame is then known as a fragment when all the rest is tried. From `vaddr` on, up to where
 * a gap begins at `until_vaddr` or behind; gives that place. *mode: that of the code before.
 */
uint64_t search_gaps(struct search *s, const struct area *area, uint64_t vaddr,
                     uint64_t until_vaddr, enum code_mode *mode, bool all);

/*
 * With all functions known, what lies in none of them but among them are landing pads: follows
 * those to where they lead.
 */
void search_landing_pads(struct search *s);

#endif
