/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: the dynamic linker's list of loaded files, made for debuggers
 * (link.h; the same in glibc, musl, uClibc and bionic). It is in writable memory, so a core has it
 * even without files' first pages.
 *
 *     DT_DEBUG of the executable -> struct r_debug: version, r_map
 *     r_map -> struct link_map: l_addr (bias), l_name, l_ld (dynamic section), l_next, l_prev
 */
#ifndef SNAPSHOT_IMPORT_CORE_LINK_MAP_H
#define SNAPSHOT_IMPORT_CORE_LINK_MAP_H

#include "base/arena.h"
#include "snapshot/import/core/heads.h"

#define CORE_LINKS_MAX       16384 /* entries beyond are left out */
#define CORE_LINK_NAME_MAX   4096  /* bytes, NUL included; a longer name counts as none */
#define CORE_DYNAMIC_MAX     512   /* entries of a dynamic section that are read */
#define CORE_DEBUG_SCAN_MAX  (UINT64_C(64) << 20) /* bytes searched for DT_DEBUG in all, ... */
#define CORE_DEBUG_SCAN_PART (UINT64_C(4) << 20)  /* ... and in one segment */
#define CORE_DEBUG_TRIES_MAX 16384                /* candidates for DT_DEBUG that are checked */

struct core_link {
    uint64_t bias, dynamic_addr;
    const char *name; /* in the arena; "" if it cannot be read, or is empty, as the executable's */
};

struct core_links { /* in the list's order: the executable first */
    struct core_link *list;
    size_t count, cap;
    bool is_damaged; /* the list is broken at damaged_addr; `list` has the entries before */
    uint64_t damaged_addr;
};

/*
 * Copies the NUL-terminated text at `addr` to the arena; *out is "" if it is not all in the core,
 * or too long. Only NO_MEMORY fails.
 */
MUST_CHECK enum status core_text_read(const struct core_image *image, uint64_t addr,
                                      struct arena *arena, const char **out);

struct core_dynamic { /* values of the first entries with these tags; 0: none, or not in the core */
    uint64_t names_addr, soname_off, debug_addr;
};

/* Reads the dynamic section at `dynamic_addr`, as far as it is in the core; all 0: none of it. */
struct core_dynamic core_dynamic_read(const struct core_image *image, uint64_t dynamic_addr);

/*
 * Copies the DT_SONAME of the file at `head`, if all that leads to it is in the core, as for the
 * vDSO; else *out is "". Only NO_MEMORY fails.
 */
MUST_CHECK enum status core_soname_read(const struct core_image *image,
                                        const struct core_head *head,
                                        const struct core_dynamic *dynamic, struct arena *arena,
                                        const char **out);

/*
 * Returns the address of r_debug that `dynamic`, read at `dynamic_addr`, points to; 0: none, or its
 * list does not begin with this dynamic section.
 */
uint64_t core_debug_of(const struct core_image *image, uint64_t dynamic_addr,
                       const struct core_dynamic *dynamic);

/*
 * Searches segments that are not executable for DT_DEBUG, for cores without a known dynamic
 * section, and returns the address of r_debug; 0: not found.
 */
uint64_t core_debug_scan(const struct core_image *image);

/*
 * Reads the list of r_debug at `debug_addr`; 0: an empty list. Ends on circles, as each entry must
 * name the one before it. Only NO_MEMORY fails; `out` is to be freed in any case.
 */
MUST_CHECK enum status core_links_read(const struct core_image *image, uint64_t debug_addr,
                                       struct arena *arena, struct core_links *out);
void core_links_free(struct core_links *links);

#endif
