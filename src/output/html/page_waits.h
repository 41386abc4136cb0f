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

#define PAGE_OBJECTS_MAX 500 /* others are counted */
#define PAGE_EDGES_MAX   8   /* waiters, and holders, of an object */
#define PAGE_BLOCKED_MAX 1000
#define PAGE_HOLDS_MAX   200000 /* in all; an object whose times do not fit has none */

struct page_wait {
    uint32_t wait;   /* of the history */
    uint32_t thread; /* of the history: the first one with this wait */
};

/* The page's waits, in the order in which they were first used. */
struct page_wait_list { /* zeroed: empty */
    struct map number;  /* wait -> place in list */
    struct page_wait *list;
    size_t count, cap;
};

void page_wait_list_deinit(struct page_wait_list *waits);

/* Sets *number to the place of a wait in the list, adding a new one. Fails only with NO_MEMORY. */
MUST_CHECK enum status page_wait_list_find(struct page_wait_list *waits, uint32_t thread,
                                           uint32_t wait, uint32_t *number);

struct page_waits { /* all borrowed */
    const struct output *output;
    const struct page_threads *threads;
    const struct output_waits *found;
    struct page_wait_list *list;
};

/*
 * Puts everything into the head, and who held an object when into columns. Failures are noted
 * there, or are NO_MEMORY.
 */
MUST_CHECK enum status page_waits_write(const struct page_waits *waits, struct json_line *head,
                                        struct page_columns *columns);

/*
 * page_objects.c: returns the place in the page's objects of an object that a thread of the history
 * waits for; PAGE_NONE: not there.
 */
uint32_t page_waits_object(const struct page_waits *waits, uint32_t thread, uint32_t object);

/* Puts the page's number of a thread of the history, if it has one. */
void page_waits_put_thread(const struct page_waits *waits, struct json_line *line, const char *key,
                           uint32_t thread);

/* page_objects.c: returns "lock" (waiting is lost time), "threads", "outside"; static storage. */
const char *page_waits_group(enum wait_kind kind);

/* page_objects.c, page_deadlocks.c: put parts into the head. */
void page_waits_put_objects(const struct page_waits *waits, struct json_line *head);
MUST_CHECK enum status page_waits_put_deadlocks(const struct page_waits *waits,
                                                struct json_line *head);
void page_waits_put_orders(const struct page_waits *waits, struct json_line *head);

#endif
