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

struct found { /* a function or fragment that was found */
    uint64_t vaddr;
    uint64_t reach_vaddr; /* end of the code that the walk from its start came to; 0: not walked */
    uint8_t mode, origin;
};

struct fragment {
    uint64_t vaddr;
    uint64_t owner_vaddr; /* start of the function that it is a part of, as far as is known */
    uint8_t mode;
    bool swallowed; /* an earlier walk took this code for a part of the function that jumps here */
    struct state state; /* the state at vaddr, when it is entered */
};

struct search {
    struct functions *functions;
    struct module_code *module_code;
    /* landing pads of the file's exceptions; NULL: not known */
    struct module_landing_pads *landing_pads;
    struct code *code;
    uint64_t entry_vaddr; /* entry point of the file */
    struct marks marks;
    struct prologue_pool pool;
    struct found *found; /* owned; all starts; those from index `walked` on are yet to be walked */
    size_t found_count, found_cap, walked;
    struct fragment *fragments; /* the fragments that are yet to be walked; owned */
    size_t fragment_count, fragment_cap;
    /*
     * numbers of certain starts (not found by jumps, pointers or tries), and of those at multiples
     * of 16, and in T32
     */
    unsigned certain, aligned, certain_t32;
    /* numbers of calls in functions, and of those with a misaligned stack */
    uint64_t calls, misaligned_calls;
    uint64_t kept; /* mask of registers for which the file's functions obey the ABI */
    /*
     * mask of callee-saved registers that functions found by pointers use in common, like global
     * variables
     */
    uint64_t pointed_shared;
    /*
     * number of functions that `kept` was learned from; by register: how many of them use it
     * without saving it, and how many save it
     */
    unsigned looked_at, takers[ARCH_REG_MAX], savers[ARCH_REG_MAX];
    /* number of instructions walked or tried; the search ends at work_max */
    uint64_t work, work_max;
    struct map reaches; /* start of a certain function -> reach_vaddr of its walk */
    /* set, for code in pieces: starts of functions that jump to an unknown place */
    struct map open;
    struct map branched; /* set: targets of branches in rejected code */
    /*
     * the gap being tried may be the rest of a function in `open`, or of one that begins before the
     * piece of code
     */
    bool in_rest;
    bool may_throw;     /* the file may have landing pads */
    bool known_walked;  /* the functions known before the search were walked, too */
    enum status failed; /* NO_MEMORY: the search has failed; else OK */
};

/* The end of the code that a walk follows. */
enum walk_end {
    WALK_OPEN_END,  /* the function ends at or before the limit */
    WALK_KNOWN_END, /* the function ends at the limit; code that no path reaches is left out */
    /* the function ends at the limit; code that no path reaches is analysed, too */
    WALK_KNOWN_END_AND_GAPS,
};

/* Counts a certain start in s->certain, and by its alignment and mode in the members after that. */
void search_note_certain(struct search *s, uint64_t vaddr, enum code_mode mode);

/*
 * Whether none of the certain starts is in this mode, of which there must be 50 at least. False on
 * architectures with one mode.
 */
bool search_mode_is_unused(const struct search *s, enum code_mode mode);

/*
 * Adds `vaddr` as a function's start to s->found; does nothing at a known start, in data, inside an
 * instruction, or outside the areas. Sets s->failed without memory.
 */
void search_add_start(struct search *s, uint64_t vaddr, enum code_mode mode,
                      enum function_origin origin);

/*
 * Adds a fragment that is entered at `vaddr`, which must be in an area, in `state` (copied), to
 * those yet to be walked. `owner_vaddr`, `swallowed`: as in struct fragment. Sets s->failed without
 * memory.
 */
void search_add_fragment(struct search *s, uint64_t vaddr, enum code_mode mode,
                         uint64_t owner_vaddr, bool swallowed, const struct state *state);

/*
 * Adds a jump that leaves its function in mid-frame to s->functions->jumps. Sets s->failed without
 * memory.
 */
void search_add_jump(struct search *s, uint64_t source_vaddr, uint64_t target_vaddr);

/*
 * Whether a byte with this mark is part of a function or fragment that was taken. `swallowed` (as
 * in struct fragment): false.
 */
bool search_is_claimed(uint8_t mark, bool swallowed);

/*
 * Analyses the code from `vaddr` up to `limit` as a fragment that is entered in `state`; NULL: as a
 * function. The caller destroys *out. Fails as prologue_create.
 */
MUST_CHECK enum status search_walk_from(struct search *s, uint64_t vaddr, enum code_mode mode,
                                        const struct state *state, uint64_t limit,
                                        enum walk_end end, struct prologue **out);

/*
 * Fills *out with the evidence that a function starts at `vaddr`, without marking anything. False:
 * the code there cannot be walked, or no memory (s->failed).
 */
MUST_CHECK bool search_look_at(struct search *s, uint64_t vaddr, enum code_mode mode,
                               struct evidence *out);

/*
 * Notes in s->reaches how far a certain function reaches: fragments between its parts belong to it.
 */
void search_note_reach(struct search *s, const struct found *found);

/*
 * Marks the code and data that the walk `prologue` from `vaddr` up to `limit` has met, and adds the
 * starts, fragments and jumps that these lead to. `owner_vaddr`: for a function `vaddr`, for a
 * fragment as in struct fragment. `reached_vaddr`: end of an earlier walk that did not know
 * `limit`; 0: there was none. Returns the end of the code that the walk came to.
 */
uint64_t search_claim_all(struct search *s, const struct prologue *prologue, uint64_t vaddr,
                          enum code_mode mode, uint64_t limit, uint64_t owner_vaddr,
                          uint64_t reached_vaddr);

/* Walks all starts and fragments that are yet to be walked, and those that they lead to. */
void search_walk_found(struct search *s);

/*
 * Walks again the functions whose walks ran over what is now known to be their end, then as
 * search_walk_found.
 */
void search_walk_overrunning(struct search *s);

/*
 * Tries the code at `vaddr` as a function: adds and walks it if it behaves like one, else with
 * origin FUNCTION_GAP marks it as rejected. `continues`: it is right after a call that may return.
 * `weak`: it must begin like a function, or if a pointer leads to it return like one.
 */
void search_try_start(struct search *s, uint64_t vaddr, enum code_mode mode,
                      enum function_origin origin, bool continues, bool weak);

/*
 * Tries the gaps between functions that begin in [vaddr, until_vaddr) of `area`, and returns where
 * the next gap begins. `all` false, for a first pass: takes only code that begins like a function,
 * or is as good, so that the second pass knows the fragments to which these functions jump. *mode:
 * the mode of the code before `vaddr`; set to that of the code before the returned address.
 */
uint64_t search_gaps(struct search *s, const struct area *area, uint64_t vaddr,
                     uint64_t until_vaddr, enum code_mode *mode, bool all);

/*
 * Follows the landing pads, code in functions that no path reaches, to the fragments that they jump
 * to. Call it at the end of the search, when all functions are known.
 */
void search_landing_pads(struct search *s);

#endif
