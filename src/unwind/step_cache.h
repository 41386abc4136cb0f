/* SPDX-License-Identifier: MIT */
/*
 * Caches steps by address: a frame's module and address in the file, and its row if that is of the
 * usual kind (CFA = register + offset, registers saved in the frame), packed so that a step is a
 * look-up and a few loads.
 *
 * A cached step depends on no stack. The checks of a step (is the caller plausible?) are cached as
 * far as they depend on addresses alone; where a cached step does not apply, the row sources are
 * asked as for the first time.
 *
 * The cache is a hash table of its own and not one of base/: a step is found by the guess of the
 * step before, in one cache line, which is most of the time that unwinding takes.
 *
 * A stamp names an address space as it was at one time: a space gets a new stamp when a mapping is
 * taken from it.
 */
#ifndef UNWIND_STEP_CACHE_H
#define UNWIND_STEP_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/keyed_hash.h"
#include "base/status.h"
#include "unwind/chain.h"
#include "unwind/row/row.h"

#define STEPS_MAX       (UINT32_C(1) << 18) /* steps that are cached before all are forgotten */
#define STEP_SAVED_MAX  11
#define STEP_PLACE_MASK ((UINT32_C(1) << 20) - 1)
#define STEP_RA_IN_LR   0xff
#define STEP_FORGOTTEN  0xff

enum step_flag {
    STEP_KNOWN = 1,     /* module, lookup_vaddr, STEP_VADDR and STEP_CALL are valid */
    STEP_VADDR = 2,     /* vaddr_known of the step's frame is true (struct frame) */
    STEP_CALL = 4,      /* is_call of the step's frame is true (struct frame) */
    STEP_RETURNED = 8,  /* a call can return to the step's address */
    STEP_ROW = 16,      /* the row's members, from cfa_off on, are valid */
    STEP_END = 32,      /* there is no caller; `trust` is the enum stop_reason */
    STEP_UNPACKED = 64, /* the row is of an unusual kind, and is not here */
};

struct step {      /* one cached step, the size of a cache line */
    uint64_t addr; /* PC; in a caller's frame the return address, with the instruction set's bit */
    struct module *module;
    uint64_t lookup_vaddr;
    uint32_t tag; /* address space and kind of address (step_tag); 0: the place is free */
    int32_t cfa_off;
    /*
     * A guess of the caller's step: index of the step that followed last time, or any other. If the
     * guess is right, the processor need not wait for the return address to be read.
     */
    uint32_t next : 20;
    uint32_t trust : 4;
    uint32_t count : 4; /* number of entries in `saved` */
    int16_t base;       /* place of the lowest saved word, in words from the CFA */
    uint8_t cfa_reg;
    uint8_t flags;
    uint8_t top; /* end of the highest saved word, in words from `base` */
    /* place of the return address, in words from `base`; STEP_RA_IN_LR: it is in LR */
    uint8_t ra_at;
    struct {
        /* at: place of the saved register, in words from `base`; STEP_FORGOTTEN: not known */
        uint8_t reg, at;
    } saved[STEP_SAVED_MAX];
};

struct step_cache {     /* cached steps; the caller zeroes it before the first use */
    struct step *steps; /* `cap` places for steps; owned */
    uint32_t cap, len;  /* cap: places, a power of two or 0; len: places in use */
};

void step_cache_deinit(struct step_cache *cache);
void step_cache_clear(struct step_cache *cache);

/*
 * Returns the tag of a step in the address space with this stamp. `returned_to`: the step's address
 * is one that a call returns to.
 */
static inline uint32_t step_tag(uint64_t stamp, bool returned_to)
{
    return (uint32_t)stamp << 1 | returned_to;
}

/*
 * Returns the place at which a look-up begins in a table of `cap` places. The tag is hashed, too,
 * since forks of one process have the same addresses.
 */
static inline uint32_t step_place(uint64_t addr, uint32_t tag, uint32_t cap)
{
    return (uint32_t)keyed_fold(addr ^ keyed_secret[0], tag ^ keyed_secret[1]) & (cap - 1);
}

/*
 * Returns the cached step with this address and this tag (step_tag), valid until the next
 * step_cache_put; NULL: there is none.
 */
static inline struct step *step_cache_find(const struct step_cache *cache, uint64_t addr,
                                           uint32_t tag)
{
    if (cache->cap == 0)
        return NULL;
    for (uint32_t i = step_place(addr, tag, cache->cap); cache->steps[i].tag;
         i = (i + 1) & (cache->cap - 1))
        if (cache->steps[i].addr == addr && cache->steps[i].tag == tag)
            return &cache->steps[i];
    return NULL;
}

/* As step_cache_find, but tries the guess before->next first, and corrects it if it is wrong. */
static inline struct step *step_cache_next(const struct step_cache *cache, struct step *before,
                                           uint64_t addr, uint32_t tag)
{
    struct step *step = &cache->steps[before->next & (cache->cap - 1)];

    if (step->addr == addr && step->tag == tag)
        return step;
    step = step_cache_find(cache, addr, tag);
    if (step)
        before->next = (uint32_t)(step - cache->steps) & STEP_PLACE_MASK;
    return step;
}

/*
 * Returns the step with this address and tag; adds one without flags if there is none. NULL: no
 * memory.
 */
MUST_CHECK struct step *step_cache_put(struct step_cache *cache, uint64_t addr, uint32_t tag);

/*
 * Packs the row into `step` and sets STEP_ROW; if the row is of an unusual kind sets STEP_UNPACKED
 * instead.
 */
void step_pack(struct step *step, const struct row *row, const struct arch *arch);

#endif
