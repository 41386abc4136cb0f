/* SPDX-License-Identifier: MIT */
/*
 * The tables of a pprof profile as they are in the file, each entry checked by itself. References
 * are looked up by the user of the tables (load.h), as a profile may have entries in any order.
 *
 * Everything is untrusted. Memory is bounded by the size of the message, which is held, and by the
 * number of entries that a profile may have.
 */
#ifndef GRAPH_PPROF_TABLES_H
#define GRAPH_PPROF_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/sort.h"
#include "base/status.h"
#include "graph/pprof/wire.h"

#define PPROF_SIZE_MAX        (UINT32_C(1) << 29) /* bytes of the message, decompressed */
#define PPROF_ENTRIES_MAX     (1U << 21)          /* of each table except texts and samples */
#define PPROF_TEXTS_MAX       (1U << 23)
#define PPROF_SAMPLES_MAX     (1U << 24)
#define PPROF_FRAMES_MAX      (1U << 26) /* frames of all samples' chains together */
#define PPROF_THREADS_MAX     (1U << 20)
#define PPROF_THREAD_NAME_MAX 255 /* bytes; the rest is cut (Linux has 15) */
#define PPROF_PATH_MAX        4096
#define PPROF_FILE_NAME_MAX   255 /* bytes behind a path's last '/' */

struct pprof_value_type {
    uint64_t type, unit; /* texts */
};

struct pprof_mapping {
    uint64_t id, start, limit, file_off;
    uint64_t file, build_id; /* texts */
    uint64_t kind;           /* 0: not known */
    bool of_segments, deleted;
    size_t off; /* offset of the entry, for messages; below, too */
};

struct pprof_function {
    uint64_t id;
    uint64_t name, system_name, file, entry_file, label; /* texts */
    uint64_t start_line, entry_line;
    uint64_t start; /* vaddr + 1; 0: not known */
    bool made_up;
    size_t off;
};

struct pprof_line {
    uint64_t function, line;
    uint64_t system_name; /* index of a text */
    uint64_t by_name;
};

struct pprof_location {
    uint64_t id, mapping, addr;
    size_t first_line, line_count; /* range in lines, the innermost first */
    bool in_file;
    size_t off;
};

/* The ids of a table, sorted: a file cannot make look-ups slow by its choice of ids. */
struct pprof_ids {
    struct sort_item *items; /* key: an id; id: the entry's index */
    size_t count, cap;
};

struct pprof_tables {
    const char *name;  /* file name for messages; borrowed */
    struct cursor all; /* the message, borrowed; holds texts and samples */
    struct cursor *texts;
    size_t text_count, text_cap;
    struct pprof_value_type *types;
    size_t type_count, type_cap;
    struct pprof_mapping *mappings;
    size_t mapping_count, mapping_cap;
    struct pprof_function *functions;
    size_t function_count, function_cap;
    struct pprof_line *lines;
    size_t line_count, line_cap;
    struct pprof_location *locations;
    size_t location_count, location_cap;
    struct pprof_ids mapping_ids, function_ids, location_ids;
    struct wire_numbers comments; /* texts */
    struct wire_numbers account;  /* enum account_number; may be short */
    struct wire_numbers rate;     /* enum rate_number; may be short */
    struct pprof_value_type period_type;
    uint64_t start_ns, duration_ns, period, arch; /* arch: a text */
    size_t sample_count;
};

/* Returns whether a file that begins with `head` may be a profile: gzip, or the message itself. */
bool pprof_begins(const uint8_t *head, size_t size);

/*
 * Reads all but the samples from `bytes`, which is borrowed. BAD_DATA with `diag` filled;
 * NO_MEMORY. `tables` is to be deinitialized in any case.
 */
MUST_CHECK enum status pprof_tables_read(struct pprof_tables *tables, const char *name,
                                         const uint8_t *bytes, size_t size, struct diag *diag);
void pprof_tables_deinit(struct pprof_tables *tables);

/* Returns the offset of `part` in the message. */
size_t pprof_offset(const struct pprof_tables *tables, const struct cursor *part);

/* Returns BAD_DATA, with `diag` filled: "at offset N: of the decompressed profile: WHAT". */
MUST_CHECK enum status pprof_bad(const struct pprof_tables *tables, size_t off, const char *what,
                                 struct diag *diag);

/* Sets *text to text `id`, named by an entry at `off`; 0: "". BAD_DATA with `diag` filled: none. */
MUST_CHECK enum status pprof_text(const struct pprof_tables *tables, uint64_t id, size_t off,
                                  struct cursor *text, struct diag *diag);

/* Sets *index to that of the entry with this id; false: none. */
bool pprof_find(const struct pprof_ids *ids, uint64_t id, size_t *index);

/* Returns whether text `id` equals `text`; false if there is no such id. */
bool pprof_text_is(const struct pprof_tables *tables, uint64_t id, const char *text);

#endif
