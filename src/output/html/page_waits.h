/* SPDX-License-Identifier: MIT */
/*
 * Who waits for whom, for a page: what -f waits tells, with numbers of the page's threads.
 *
 *     waits        what pieces of the timeline and blocked threads wait for
 *     objects      what was waited for, by the time that was lost, with who waited and who held it
 *     blocked      who is blocked at the end
 *     hold.…       who held an object when, while others waited for it
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

#define PAGE_OBJECTS_MAX 500 /* what is left out is counted */
#define PAGE_EDGES_MAX   8   /* that are told of who waited for an object, or held it */
#define PAGE_BLOCKED_MAX 1000
#define PAGE_HOLDS_MAX   200000 /* of the objects that cost most */

struct page_wait {
    uint32_t wait;   /* of the history */
    uint32_t thread; /* of the history: one that waits so */
};

/* What waits, in the order in which they are named. */
struct page_wait_list { /* zeroed: none */
    struct map number;  /* wait -> its place in list */
    struct page_wait *list;
    size_t count, cap;
};

void page_wait_list_deinit(struct page_wait_list *waits);

/* The place of a wait in the list, to which it is added when it is new. Only NO_MEMORY fails. */
MUST_CHECK enum status page_wait_list_find(struct page_wait_list *waits, uint32_t thread,
                                           uint32_t wait, uint32_t *number);

struct page_waits { /* all borrowed */
    const struct output *output;
    const struct page_threads *threads;
    const struct output_waits *found;
    struct page_wait_list *list;
};

/* To the head, and to columns who held what when. What fails is noted there, or is a lack of
 * memory. */
MUST_CHECK enum status page_waits_write(const struct page_waits *waits, struct json_line *head,
                                        struct page_columns *columns);

/* page_objects.c: the place in the page's objects of one that a thread of the history waits for; */
/* PAGE_NONE: it is not there. */
uint32_t page_waits_object(const struct page_waits *waits, uint32_t thread, uint32_t object);

/* Puts the page's number of a thread of the history, where it has one. */
void page_waits_put_thread(const struct page_waits *waits, struct json_line *line, const char *key,
                           uint32_t thread);

/* page_objects.c: "lock" (to wait for it is lost time), "threads", "outside"; static storage. */
const char *page_waits_group(enum wait_kind kind);

/* page_objects.c, page_deadlocks.c: parts of it. */
void page_waits_put_objects(const struct page_waits *waits, struct json_line *head);
MUST_CHECK enum status page_waits_put_deadlocks(const struct page_waits *waits,
                                                struct json_line *head);
void page_waits_put_orders(const struct page_waits *waits, struct json_line *head);

#endif
