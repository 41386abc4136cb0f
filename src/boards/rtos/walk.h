/* SPDX-License-Identifier: MIT */
/*
 * Common parts of the systems' walks: reading members of the kernel's structures, lists, texts and
 * stacks, and adding tasks. Private to rtos/.
 *
 * A walk reads a bounded number of bytes, in blocks that are cached: over a debug probe each read
 * is a packet. Memory that is unreadable or malformed ends only the search that met it, as of one
 * list; the first problem is kept (walk_problem).
 */
#ifndef BOARDS_RTOS_WALK_H
#define BOARDS_RTOS_WALK_H

#include "boards/rtos/rtos.h"

#define WALK_BLOCK       64                   /* bytes read at once; a power of two */
#define WALK_BLOCKS      32                   /* blocks that are cached */
#define WALK_READS_MAX   65536                /* most reads of memory in one walk */
#define WALK_ITEMS_MAX   (2 * RTOS_TASKS_MAX) /* most items of one list */
#define WALK_PAINTED_MAX 65536                /* bytes of a stack that are searched for paint */

struct walk_block {
    uint64_t addr; /* address of the bytes; valid if is_there */
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

/* Notes that not all tasks were found, and why (static storage); only the first reason is kept. */
void walk_problem(struct walk *w, const char *what);

/* Whether the time is over (rtos_memory.is_late). If so, notes a problem; the walk is to end. */
bool walk_is_late(struct walk *w);

static inline bool walk_has(const struct walk *w, unsigned field)
{
    return w->layout->fields[field].is_there;
}

/*
 * Returns the address of a member (RTOS_MEMBER) of the structure at `addr`, or of a symbol: `addr`
 * 0.
 */
static inline uint64_t walk_at(const struct walk *w, uint64_t addr, unsigned field)
{
    return addr + w->layout->fields[field].value;
}

/* Copies `size` bytes at `addr`. False: not all can be read, or WALK_READS_MAX is reached. */
MUST_CHECK bool walk_read(struct walk *w, uint64_t addr, void *buffer, size_t size);
/* Reads a little-endian integer of 1, 2, 4 or 8 bytes. False: as walk_read. */
MUST_CHECK bool walk_uint(struct walk *w, uint64_t addr, unsigned size, uint64_t *out);
/* Reads a word of the target's size. False: as walk_read. */
MUST_CHECK bool walk_word(struct walk *w, uint64_t addr, uint64_t *out);

/*
 * Sets *out to the value of a member of the structure at `addr`, or of a symbol: `addr` 0. False:
 * the firmware does not have the field, or its value cannot be read.
 */
MUST_CHECK bool walk_member(struct walk *w, uint64_t addr, unsigned field, uint64_t *out);
/* Returns walk_member's value; `otherwise` if walk_member fails. */
uint64_t walk_member_or(struct walk *w, uint64_t addr, unsigned field, uint64_t otherwise);
/*
 * Returns the member's value, sign-extended if its type is signed; `otherwise`: walk_member fails.
 */
int64_t walk_signed_or(struct walk *w, uint64_t addr, unsigned field, int64_t otherwise);

/*
 * Copies a text of at most `size` bytes, up to a NUL or unreadable byte, to `out`, cut to fit and
 * NUL-terminated; unprintable bytes become '?'.
 */
void walk_text(struct walk *w, uint64_t addr, size_t size, char out[RTOS_NAME_MAX]);

/* A list as in FreeRTOS and its imitators, by indexes of fields: */
struct walk_list {
    unsigned end;         /* member of the list: its end marker, an item itself */
    unsigned end_next;    /* member of the list: the end marker's next item */
    unsigned next, owner; /* members of an item: the next one; its control block */
};

/* Takes an item of a list and the value of its `owner`. False: ends the walk through the list. */
typedef bool walk_item(struct walk *w, uint64_t item_addr, uint64_t owner_addr, void *context);

/*
 * Calls `item` with each item of the list at list_addr. A list that cannot be read, or is longer
 * than WALK_ITEMS_MAX, ends early with a problem noted.
 */
void walk_list(struct walk *w, uint64_t list_addr, const struct walk_list *fields, walk_item *item,
               void *context);

/*
 * Returns the task with this control block, added if new. NULL, with a problem noted: the address
 * is 0 or not aligned, or there are RTOS_TASKS_MAX tasks.
 */
struct rtos_task *walk_task(struct walk *w, uint64_t handle_addr);

/*
 * Returns the address of the first word of the stack [start_addr, end_addr) that is not painted
 * (rtos_system.paint); 0: the first word is not, all searched is painted, or reading is not cheap.
 */
uint64_t walk_painted(struct walk *w, uint64_t start_addr, uint64_t end_addr);

/*
 * Returns the layout's object of this RTOS_OBJECT field at `addr`, or else a pointer that points to
 * `addr`; NULL: there is none.
 */
const struct rtos_object *walk_object(struct walk *w, uint64_t addr, unsigned field);

/* Whether the address is code; true also if the layout does not know what is code. */
bool walk_is_code(const struct walk *w, uint64_t addr);

#endif
