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

#define CORE_LINKS_MAX       16384 /* most entries; others are left out */
#define CORE_LINK_NAME_MAX   4096  /* bytes, NUL included; a longer name counts as none */
#define CORE_DYNAMIC_MAX     512   /* entries of a dynamic section that are read */
#define CORE_DEBUG_SCAN_MAX  (UINT64_C(64) << 20) /* bytes searched for DT_DEBUG in all */
#define CORE_DEBUG_SCAN_PART (UINT64_C(4) << 20)  /* bytes searched for DT_DEBUG in a segment */
#define CORE_DEBUG_TRIES_MAX 16384                /* candidates for DT_DEBUG that are checked */

struct core_link {
    uint64_t bias, dynamic_addr; /* load bias (l_addr); address of the dynamic section (l_ld) */
    const char *name; /* l_name, owned by the arena; "": the executable's, or cannot be read */
};

struct core_links { /* in the list's order: the executable first */
    struct core_link *list;
    size_t count, cap;
    bool is_damaged; /* the list in memory is broken at damaged_addr; `list` has what is before */
    uint64_t damaged_addr;
};

/*
 * Sets *out to a copy, in the arena, of the NUL-terminated text at `addr`; "" if the text is not
 * all in the core, or longer than CORE_LINK_NAME_MAX. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status core_text_read(const struct core_image *image, uint64_t addr,
                                      struct arena *arena, const char **out);

/* Values of the first DT_STRTAB, DT_SONAME and DT_DEBUG; 0: no such entry, or not in the core. */
struct core_dynamic {
    uint64_t names_addr, soname_off, debug_addr;
};

/* Reads the dynamic section at `dynamic_addr`, as far as the core has it. */
struct core_dynamic core_dynamic_read(const struct core_image *image, uint64_t dynamic_addr);

/*
 * Sets *out to a copy, in the arena, of the DT_SONAME of the file with this header; "" if parts
 * that lead to the name are not in the core. `dynamic`: from core_dynamic_read. Fails only with
 * NO_MEMORY.
 */
MUST_CHECK enum status core_soname_read(const struct core_image *image,
                                        const struct core_head *head,
                                        const struct core_dynamic *dynamic, struct arena *arena,
                                        const char **out);

/*
 * Returns the address of r_debug in `dynamic`, which was read at `dynamic_addr`; 0: there is none,
 * or r_debug's list does not begin with a file that has this dynamic section.
 */
uint64_t core_debug_of(const struct core_image *image, uint64_t dynamic_addr,
                       const struct core_dynamic *dynamic);

/*
 * For cores without a known dynamic section: searches segments that are not executable for a
 * DT_DEBUG entry, and returns the address of r_debug in it; 0: not found.
 */
uint64_t core_debug_scan(const struct core_image *image);

/*
 * Sets *out to the list of r_debug at `debug_addr`; to an empty list if that is 0. A list that goes
 * in a circle is damaged: each entry must name the one before. Names are in the arena. Fails only
 * with NO_MEMORY; core_links_free is to be called then, too.
 */
MUST_CHECK enum status core_links_read(const struct core_image *image, uint64_t debug_addr,
                                       struct arena *arena, struct core_links *out);
void core_links_free(struct core_links *links);

#endif
