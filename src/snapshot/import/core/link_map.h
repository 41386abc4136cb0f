/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: the dynamic linker's own list of what it has loaded, which is made
 * for debuggers (link.h; glibc, musl, uClibc and bionic have the same). It is in writable memory,
 * so that a core has it where it has no file's first page.
 *
 *     DT_DEBUG of the executable → struct r_debug: version, r_map
 *     r_map → struct link_map: l_addr (bias), l_name, l_ld (dynamic section), l_next, l_prev
 */
#ifndef SNAPSHOT_IMPORT_CORE_LINK_MAP_H
#define SNAPSHOT_IMPORT_CORE_LINK_MAP_H

#include "base/arena.h"
#include "snapshot/import/core/heads.h"

#define CORE_LINKS_MAX       16384 /* what is beyond is left out */
#define CORE_LINK_NAME_MAX   4096  /* bytes, with the NUL; a longer name counts as none */
#define CORE_DYNAMIC_MAX     512   /* entries of a dynamic section that are looked at */
#define CORE_DEBUG_SCAN_MAX  (UINT64_C(64) << 20) /* bytes that DT_DEBUG is looked for in … */
#define CORE_DEBUG_SCAN_PART (UINT64_C(4) << 20)  /* … and of one segment */
#define CORE_DEBUG_TRIES_MAX 16384                /* words that may be DT_DEBUG */

struct core_link {
    uint64_t bias, dynamic_addr;
    const char *name; /* in the arena; "" where it cannot be read, as of the executable */
};

struct core_links { /* in the list's order: the executable first */
    struct core_link *list;
    size_t count, cap;
    bool is_damaged; /* it does not end as lists do: what came before is there */
    uint64_t damaged_addr;
};

/*
 * The NUL-terminated text at `addr`, copied. *out "" when it is not all there or too long. Only
 * NO_MEMORY fails.
 */
MUST_CHECK enum status core_text_read(const struct core_image *image, uint64_t addr,
                                      struct arena *arena, const char **out);

struct core_dynamic { /* the first entries of these tags; 0: there is none, or not in the core */
    uint64_t names_addr, soname_off, debug_addr;
};

/* What is in the core of the dynamic section at `dynamic_addr`, in one read; all 0: nothing. */
struct core_dynamic core_dynamic_read(const struct core_image *image, uint64_t dynamic_addr);

/*
 * The name that the file at `head` has of itself (DT_SONAME), where all that leads to it is in the
 * core, as of the vDSO; else "". Only NO_MEMORY fails.
 */
MUST_CHECK enum status core_soname_read(const struct core_image *image,
                                        const struct core_head *head,
                                        const struct core_dynamic *dynamic, struct arena *arena,
                                        const char **out);

/* r_debug, where that dynamic section, which is at `dynamic_addr`, leads to it; 0: it does not. */
uint64_t core_debug_of(const struct core_image *image, uint64_t dynamic_addr,
                       const struct core_dynamic *dynamic);

/* The same where no dynamic section is known: it is looked for in what is no code. */
uint64_t core_debug_scan(const struct core_image *image);

/*
 * Walks the list of r_debug. It has an end: each entry has to say which one comes before it, which
 * no circle does. Only NO_MEMORY fails; `out` is to be freed in any case.
 */
MUST_CHECK enum status core_links_read(const struct core_image *image, uint64_t debug_addr,
                                       struct arena *arena, struct core_links *out);
void core_links_free(struct core_links *links);

#endif
