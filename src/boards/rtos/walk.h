/* SPDX-License-Identifier: MIT */
/*
 * Common parts of the systems' walks: reading members of the kernel's structures, lists, texts and
 * stacks, and adding tasks. Private to rtos/.
 *
 * A walk reads a bounded number of bytes, in blocks that are cached: over a debug probe each
 * reading is a packet. What cannot be read or is malformed ends only what is being looked at; the
 * first problem is kept (walk_problem).
 */
#ifndef BOARDS_RTOS_WALK_H
#define BOARDS_RTOS_WALK_H

#include "boards/rtos/rtos.h"

#define WALK_BLOCK       64                   /* bytes read at once; a power of two */
#define WALK_BLOCKS      32                   /* blocks that are cached */
#define WALK_READS_MAX   65536                /* blocks read in one walk, at most */
#define WALK_ITEMS_MAX   (2 * RTOS_TASKS_MAX) /* items of one list */
#define WALK_PAINTED_MAX 65536                /* bytes of a stack that are searched for paint */

struct walk_block {
    uint64_t addr; /* valid if is_there */
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

/* Notes that not all was found, and why (static storage); the first reason is kept. */
void walk_problem(struct walk *w, const char *what);

/* Is the time over? Then notes this as a problem; the walk is to end. */
bool walk_is_late(struct walk *w);

static inline bool walk_has(const struct walk *w, unsigned field)
{
    return w->layout->fields[field].is_there;
}

/* Returns the address of a member of the structure at `addr`, or of a symbol (`addr` 0). */
static inline uint64_t walk_at(const struct walk *w, uint64_t addr, unsigned field)
{
    return addr + w->layout->fields[field].value;
}

MUST_CHECK bool walk_read(struct walk *w, uint64_t addr, void *buffer, size_t size);
/* Reads a little-endian integer of 1, 2, 4 or 8 bytes. */
MUST_CHECK bool walk_uint(struct walk *w, uint64_t addr, unsigned size, uint64_t *out);
/* Reads a word of the target. */
MUST_CHECK bool walk_word(struct walk *w, uint64_t addr, uint64_t *out);

/*
 * Reads a member of the structure at `addr`, or a symbol (`addr` 0), with its size. False: the
 * firmware has none, or it is unreadable.
 */
MUST_CHECK bool walk_member(struct walk *w, uint64_t addr, unsigned field, uint64_t *out);
/* walk_member's value; `otherwise` if it fails. */
uint64_t walk_member_or(struct walk *w, uint64_t addr, unsigned field, uint64_t otherwise);
/* walk_member_or for signed members. */
int64_t walk_signed_or(struct walk *w, uint64_t addr, unsigned field, int64_t otherwise);

/* Reads a text of at most `size` bytes, up to a NUL, cut to `out`; unprintable bytes become '?'. */
void walk_text(struct walk *w, uint64_t addr, size_t size, char out[RTOS_NAME_MAX]);

/* The fields of a list as in FreeRTOS and its imitators: */
struct walk_list {
    unsigned end;      /* the list's end marker, an item itself */
    unsigned end_next; /* the end marker's next item */
    unsigned next, owner;
};

/* Called for each item. False: ends the walk through the list. */
typedef bool walk_item(struct walk *w, uint64_t item_addr, uint64_t owner_addr, void *context);

void walk_list(struct walk *w, uint64_t list_addr, const struct walk_list *fields, walk_item *item,
               void *context);

/* Returns a control block's task, added if new. NULL: no valid address, or too many tasks. */
struct rtos_task *walk_task(struct walk *w, uint64_t handle_addr);

/* Returns where a stack's paint ends; 0: none, all is painted, or reading is not cheap. */
uint64_t walk_painted(struct walk *w, uint64_t start_addr, uint64_t end_addr);

/* Returns the object of this type at the address, or else a pointer to it; NULL: none known. */
const struct rtos_object *walk_object(struct walk *w, uint64_t addr, unsigned field);

/* Is this an address of code? True also if nothing is known of code. */
bool walk_is_code(const struct walk *w, uint64_t addr);

#endif
