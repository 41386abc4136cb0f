/* SPDX-License-Identifier: MIT */
/*
 * The search for functions: function_search.c has the order of steps, function_walk.c follows code
 * that is known to be entered, function_gaps.c tries the code between functions,
 * function_landing_pads.c follows landing pads. Private to function_*.c.
 */
#ifndef UNWIND_FUNCTIONS_FUNCTION_WALK_H
#define UNWIND_FUNCTIONS_FUNCTION_WALK_H

#include "base/map.h"
#include "unwind/functions/function_evidence.h"
#include "unwind/functions/function_marks.h"
#include "unwind/functions/functions.h"
#include "unwind/prologue/prologue.h"

struct found { /* a function or fragment */
    uint64_t vaddr;
    uint64_t reach_vaddr; /* end of the code that its walk came to; 0: not walked */
    uint8_t mode, origin;
};

struct fragment {
    uint64_t vaddr;
    uint64_t owner_vaddr; /* start of the function to which it belongs, as far as is known */
    uint8_t mode;
    bool swallowed;     /* an earlier walk took the code for part of the function that jumps here */
    struct state state; /* at vaddr */
};

struct search {
    struct functions *functions;
    struct module_code *module_code;
    struct module_landing_pads *landing_pads; /* NULL: not known */
    struct code *code;
    uint64_t entry_vaddr; /* of the file */
    struct marks marks;
    struct prologue_pool pool;
    struct found *found; /* all starts; those from `walked` on are yet to be walked */
    size_t found_count, found_cap, walked;
    struct fragment *fragments; /* yet to be walked */
    size_t fragment_count, fragment_cap;
    /* certain starts (not by jumps, pointers or tries); of these: at multiples of 16; in T32 */
    unsigned certain, aligned, certain_t32;
    uint64_t calls, misaligned_calls; /* in functions */
    uint64_t kept;                    /* registers for which the file's functions obey the ABI */
    uint64_t pointed_shared; /* callee-saved registers that functions behind pointers share */
    /* functions from which `kept` was learned; by register: how many take, how many save it */
    unsigned looked_at, takers[ARCH_REG_MAX], savers[ARCH_REG_MAX];
    uint64_t work, work_max; /* instructions walked or tried; the search ends at work_max */
    struct map reaches;  /* start of a certain function -> end of the code that its walk came to */
    struct map open;     /* code in pieces: starts of functions with a jump to an unknown place */
    struct map branched; /* targets of branches in rejected code */
    bool in_rest; /* the gap may be the rest of a function in `open`, or of one before its piece */
    bool may_throw;     /* there may be landing pads */
    bool known_walked;  /* functions known before the search were walked */
    enum status failed; /* OK or NO_MEMORY */
};

/* What a walk knows of the end of its code. */
enum walk_end {
    WALK_OPEN_END,           /* the function ends at or before the limit */
    WALK_KNOWN_END,          /* it ends at the limit; code that no path reaches is left out */
    WALK_KNOWN_END_AND_GAPS, /* it ends at the limit; unreached code is analysed, too */
};

/* Counts a certain start, its alignment and its mode. */
void search_note_certain(struct search *s, uint64_t vaddr, enum code_mode mode);

/* Is there, by 50 or more certain functions, no code in this mode? False with one mode only. */
bool search_mode_is_unused(const struct search *s, enum code_mode mode);

/* Adds a function's start; does nothing at a known start, in data, or inside an instruction. */
void search_add_start(struct search *s, uint64_t vaddr, enum code_mode mode,
                      enum function_origin origin);

/*
 * Adds a fragment that is entered at `vaddr`, which is in an area, in `state`. `owner_vaddr`,
 * `swallowed`: see struct fragment.
 */
void search_add_fragment(struct search *s, uint64_t vaddr, enum code_mode mode,
                         uint64_t owner_vaddr, bool swallowed, const struct state *state);

/* Adds a jump in mid-frame to s->functions. */
void search_add_jump(struct search *s, uint64_t source_vaddr, uint64_t target_vaddr);

/* Is a byte with this mark part of a function or fragment? `swallowed`: see struct fragment. */
bool search_is_claimed(uint8_t mark, bool swallowed);

/*
 * Analyses the code from `vaddr` up to `limit`: as a fragment entered in `state`; NULL: as a
 * function. The caller destroys *out. Fails as prologue_create.
 */
MUST_CHECK enum status search_walk_from(struct search *s, uint64_t vaddr, enum code_mode mode,
                                        const struct state *state, uint64_t limit,
                                        enum walk_end end, struct prologue **out);

/* Collects evidence at `vaddr` without marking anything. False: the code cannot be walked. */
MUST_CHECK bool search_look_at(struct search *s, uint64_t vaddr, enum code_mode mode,
                               struct evidence *out);

/* Notes the reach of a certain function: fragments between its parts are its own. */
void search_note_reach(struct search *s, const struct found *found);

/*
 * Marks the code and data of the walk `prologue` from `vaddr` up to `limit`, and adds the starts,
 * fragments and jumps that it leads to. `owner_vaddr`: `vaddr`; of a fragment as in struct
 * fragment. `reached_vaddr`: where an earlier walk ended that did not know `limit`; 0: none.
 * Returns the end of the code that the walk came to.
 */
uint64_t search_claim_all(struct search *s, const struct prologue *prologue, uint64_t vaddr,
                          enum code_mode mode, uint64_t limit, uint64_t owner_vaddr,
                          uint64_t reached_vaddr);

/* Walks all starts and fragments that were not walked yet, and those that these lead to. */
void search_walk_found(struct search *s);

/* Walks those again that were walked over what is now known to be their end. */
void search_walk_overrunning(struct search *s);

/*
 * Tries the code at `vaddr` as a function: adds and walks it if it behaves like one. With
 * FUNCTION_GAP rejected code is marked. `continues`, `weak`: see is_function in function_gaps.c.
 */
void search_try_start(struct search *s, uint64_t vaddr, enum code_mode mode,
                      enum function_origin origin, bool continues, bool weak);

/*
 * Tries the gaps between functions that begin in [vaddr, until_vaddr), and returns where the next
 * one begins. `all` false: takes only what begins like a function, or is as good; a first pass, so
 * that the fragments to which such functions jump are known in the second. *mode is the mode of the
 * code before `vaddr`, then of the code before the place that is returned.
 */
uint64_t search_gaps(struct search *s, const struct area *area, uint64_t vaddr,
                     uint64_t until_vaddr, enum code_mode *mode, bool all);

/*
 * Follows the landing pads to the fragments that they jump to: landing pads are the code in
 * functions that no path reaches. For the end of the search, with all functions known.
 */
void search_landing_pads(struct search *s);

#endif
