/* SPDX-License-Identifier: MIT */
/*
 * What the descriptions of systems have in common: reading members of the kernel's structures, its
 * lists, texts, stacks, and the tasks that are found. Private to rtos/.
 *
 * A walk reads a bounded number of bytes, in blocks that are read once each: over a debug probe
 * each reading is a packet. What cannot be read, or is not as it has to be, ends what is being
 * looked at, and is said once (walk_problem).
 */
#ifndef RTOS_WALK_H
#define RTOS_WALK_H

#include "rtos/rtos.h"

#define WALK_BLOCK       64                   /* bytes that are read at once; a power of two */
#define WALK_BLOCKS      32                   /* that are kept */
#define WALK_READS_MAX   65536                /* blocks that are read in one walk, at most */
#define WALK_ITEMS_MAX   (2 * RTOS_TASKS_MAX) /* of one list */
#define WALK_PAINTED_MAX 65536                /* bytes of a stack that are looked at for paint */

struct walk_block {
    uint64_t addr; /* valid when is_there */
    bool is_there;
    uint8_t bytes[WALK_BLOCK];
};

struct walk {
    const struct rtos_layout *layout;
    const struct rtos_memory *memory;
    struct rtos_tasks *out;
    unsigned reads_left;
    struct walk_block blocks[WALK_BLOCKS];
};

void walk_init(struct walk *w, const struct rtos_layout *layout, const struct rtos_memory *memory,
               struct rtos_tasks *out);

/* Something was not as it has to be; static storage. The first one is kept. */
void walk_problem(struct walk *w, const char *what);

/* Is there no more time? Then the walk is to end, and says so. */
bool walk_is_late(struct walk *w);

static inline bool walk_has(const struct walk *w, unsigned field)
{
    return w->layout->fields[field].is_there;
}

/* Where a member is: of a structure at `addr`; of a symbol, its own address with `addr` 0. */
static inline uint64_t walk_at(const struct walk *w, uint64_t addr, unsigned field)
{
    return addr + w->layout->fields[field].value;
}

MUST_CHECK bool walk_read(struct walk *w, uint64_t addr, void *buffer, size_t size);
/* 1, 2, 4 or 8 bytes. */
MUST_CHECK bool walk_uint(struct walk *w, uint64_t addr, unsigned size, uint64_t *out);
/* A word of the target. */
MUST_CHECK bool walk_word(struct walk *w, uint64_t addr, uint64_t *out);

/* A member of a structure at `addr` (of a symbol: 0), of the size that it has. */
MUST_CHECK bool walk_member(struct walk *w, uint64_t addr, unsigned field, uint64_t *out);
/* The same of what is optional, or cannot be read: `otherwise`. */
uint64_t walk_member_or(struct walk *w, uint64_t addr, unsigned field, uint64_t otherwise);
/* The same with its sign. */
int64_t walk_signed_or(struct walk *w, uint64_t addr, unsigned field, int64_t otherwise);

/* Up to a NUL, or as many as there is room for; what is not printable becomes '?'. */
void walk_text(struct walk *w, uint64_t addr, size_t size, char out[RTOS_NAME_MAX]);

/* How FreeRTOS, and others by its example, keep lists: by the fields that say where things are. */
struct walk_list {
    unsigned end;      /* of the list: its end marker, an item itself */
    unsigned end_next; /* of the list: the end marker's next one */
    unsigned next, owner;
};

/* False ends the list. */
typedef bool walk_item(struct walk *w, uint64_t item_addr, uint64_t owner_addr, void *context);

void walk_list(struct walk *w, uint64_t list_addr, const struct walk_list *fields, walk_item *item,
               void *context);

/*
 * The task of a control block; it is made where there is none yet. NULL: it cannot be one, or there
 * are too many.
 */
struct rtos_task *walk_task(struct walk *w, uint64_t handle_addr);

/*
 * Where the part of a stack ends that still has the paint it was filled with; 0: none has, or that
 * is not to be looked for.
 */
uint64_t walk_painted(struct walk *w, uint64_t start_addr, uint64_t end_addr);

/* The object of that type at the address; NULL: none is known. Those that are are preferred. */
const struct rtos_object *walk_object(struct walk *w, uint64_t addr, unsigned field);

/* Is it an address of code? Also where nothing is known of code. */
bool walk_is_code(const struct walk *w, uint64_t addr);

#endif
