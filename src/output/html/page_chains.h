/* SPDX-License-Identifier: MIT */
/*
 * The chains of a page: the shown chains of a view's profile. A page's frame is a function at a
 * line with a trust, without an address: frames of the profile that differ only in their address
 * are one frame, and chains that become equal by that are one chain.
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

/* Bits of page_frame.flags. */
#define PAGE_FRAME_INLINED 1 /* the function is inlined into the next outer frame */
#define PAGE_FRAME_CALLS   2 /* the line is that of a call, not of the sample's PC */

struct page_frame {
    uint32_t function;    /* index in page_chains.functions */
    uint32_t file;        /* 1 + index in page_chains.files; 0: not known */
    uint32_t line;        /* 0: not known */
    uint8_t trust, flags; /* enum trust; PAGE_FRAME_* */
};
struct page_chain {
    uint32_t node; /* node of page_chains.trie: the innermost frame's */
    enum stop_reason stop;
    uint64_t entries; /* the page's entries with this chain; counted by page_entries_place */
};

struct page_chains {
    const struct view *view; /* borrowed */
    struct page_frame *frames;
    size_t frame_count, frame_cap;
    struct trie trie;   /* keys are indexes in `frames`, the outermost first */
    uint32_t *preorder; /* by node of the trie: its number in depth-first order; 0: the root */
    struct page_chain *list;
    size_t count, cap;
    uint32_t *of_chain;   /* by the profile's chain: index in `list`; PAGE_NONE: not shown */
    uint32_t *functions;  /* nodes of the view that have frames */
    const char **modules; /* paths of modules, the texts borrowed from the view */
    const char **files;   /* source files, the texts borrowed from the view */
    size_t function_count, module_count, file_count;
    /* Private: */
    size_t function_cap, module_cap, file_cap;
    uint32_t *function_of;           /* by the view's node: index in functions; PAGE_NONE: none */
    uint32_t *frame_of;              /* by the view's step: index in frames; PAGE_NONE: none */
    struct map module_of, file_of;   /* by the text's address: index in modules, in files */
    struct index frame_index, index; /* for finding equal elements of `frames`, of `list` */
};

/*
 * Fills a zeroed struct. is_used[i]: chain i of the profile is shown. Borrows `view`. Fails only
 * with NO_MEMORY; page_chains_deinit is to be called then, too.
 */
MUST_CHECK enum status page_chains_init(struct page_chains *chains, const struct view *view,
                                        const bool *is_used);
void page_chains_deinit(struct page_chains *chains);

/* Returns the index in `modules` of a path, by the pointer that the view has; PAGE_NONE: none. */
uint32_t page_chains_module(const struct page_chains *chains, const char *path);

#endif
