/* SPDX-License-Identifier: MIT */
/*
 * The part of a page about waits: the contents of -f waits, with the page's numbers of threads.
 *
 *     waits        waits of pieces of the timeline and of blocked threads
 *     objects      objects by the time lost in waiting for them, with waiters and holders
 *     blocked      threads that are blocked at the end
 *     hold.*       columns: who held an object when, while others waited for it
 *     deadlocks, lock_orders
 */
#ifndef OUTPUT_HTML_PAGE_WAITS_H
#define OUTPUT_HTML_PAGE_WAITS_H

#include "base/map.h"
#include "base/status.h"
#include "output/format.h"
#include "output/html/page_columns.h"
#include "output/html/page_threads.h"
#include "output/json_line.h"
#include "output/threads/output_timeline.h"
#include "output/threads/output_waits.h"

#define PAGE_OBJECTS_MAX 500    /* most objects listed; others are counted */
#define PAGE_EDGES_MAX   8      /* most waiters, and most holders, listed for an object */
#define PAGE_BLOCKED_MAX 1000   /* most blocked threads listed */
#define PAGE_HOLDS_MAX   200000 /* most holds in all; an object whose holds do not fit has none */

struct page_wait {
    uint32_t wait;   /* index in the history's waits */
    uint32_t thread; /* index in the history's threads: the first thread found with this wait */
};

/* The page's waits, in the order in which they were first used. */
struct page_wait_list { /* zeroed: empty */
    struct map number;  /* index in the history's waits -> index in `list` */
    struct page_wait *list;
    size_t count, cap;
};

void page_wait_list_deinit(struct page_wait_list *waits);

/*
 * Sets *number to the index in `list` of a wait of the history; if absent the wait is added with
 * `thread`. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status page_wait_list_find(struct page_wait_list *waits, uint32_t thread,
                                           uint32_t wait, uint32_t *number);

struct page_waits { /* all borrowed */
    const struct output *output;
    const struct page_threads *threads;
    const struct output_waits *found;
    struct page_wait_list *list;
};

/*
 * Puts the members that the top of this file lists into `head`, but hold.* into `columns`, and
 * object.holds, the number of each object's holds. If memory is short, returns NO_MEMORY, or marks
 * the head or the column as failed.
 */
MUST_CHECK enum status page_waits_write(const struct page_waits *waits, struct json_line *head,
                                        struct page_columns *columns);

/*
 * Returns the index in the page's objects of `object`, which the history's `thread` waits for;
 * PAGE_NONE: not listed.
 */
uint32_t page_waits_object(const struct page_waits *waits, uint32_t thread, uint32_t object);

/* Puts as `key` the page's number of a thread of the history; nothing if the thread has none. */
void page_waits_put_thread(const struct page_waits *waits, struct json_line *line, const char *key,
                           uint32_t thread);

/*
 * Returns the group of a wait's kind: "lock" (waiting is lost time), "threads" (waits for other
 * threads), "outside" (all else); static storage.
 */
const char *page_waits_group(enum wait_kind kind);

/* Put "objects", "deadlocks", "lock_orders" into the head. NO_MEMORY. */
void page_waits_put_objects(const struct page_waits *waits, struct json_line *head);
MUST_CHECK enum status page_waits_put_deadlocks(const struct page_waits *waits,
                                                struct json_line *head);
void page_waits_put_orders(const struct page_waits *waits, struct json_line *head);

#endif
