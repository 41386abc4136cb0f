/* SPDX-License-Identifier: MIT */
/*
 * The chains of a page: those of a view's profile that are shown, as the view shows them. A frame
 * of them is a function at a line with a trust. Frames that differ only in their address are one,
 * and so are the chains that are equal then.
 */
#ifndef OUTPUT_HTML_PAGE_CHAINS_H
#define OUTPUT_HTML_PAGE_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "base/map.h"
#include "base/status.h"
#include "graph/trie.h"
#include "graph/view.h"

#define PAGE_NONE UINT32_MAX

#define PAGE_FRAME_INLINED 1 /* into the frame outside of it */
#define PAGE_FRAME_CALLS   2 /* the line is that of a call, not of the sample's PC */

struct page_frame {
    uint32_t function; /* in functions */
    uint32_t file;     /* 1 + its place in files; 0: not known */
    uint32_t line;     /* 0: not known */
    uint8_t trust, flags;
};

struct page_chain {
    uint32_t node; /* of the trie */
    enum stop_reason stop;
    uint64_t entries; /* entries with it: counted by page_entries_place */
};

struct page_chains {
    const struct view *view; /* borrowed */
    struct page_frame *frames;
    size_t frame_count, frame_cap;
    struct trie trie;   /* keys are frames */
    uint32_t *preorder; /* by node of the trie: its number depth first; 0: the root */
    struct page_chain *list;
    size_t count, cap;
    uint32_t *of_chain;   /* by the profile's chain: place in list; PAGE_NONE: not shown */
    uint32_t *functions;  /* nodes of the view */
    const char **modules; /* paths; the view's, as are files */
    const char **files;
    size_t function_count, module_count, file_count;
    /* Private: */
    size_t function_cap, module_cap, file_cap;
    uint32_t *function_of;           /* by the view's node; PAGE_NONE */
    uint32_t *frame_of;              /* by the view's step; PAGE_NONE */
    struct map module_of, file_of;   /* by the text's address */
    struct index frame_index, index; /* of frames, of list */
};

/*
 * Makes the chains of a zeroed struct. `is_used`: by chain of the profile, those that are shown.
 * Borrows the view. Call page_chains_deinit whatever the status, which is NO_MEMORY if it fails.
 */
MUST_CHECK enum status page_chains_init(struct page_chains *chains, const struct view *view,
                                        const bool *is_used);
void page_chains_deinit(struct page_chains *chains);

/* Returns the place in modules of a path, by the view's pointer to it; PAGE_NONE: not there. */
uint32_t page_chains_module(const struct page_chains *chains, const char *path);

#endif
