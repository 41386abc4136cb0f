/* SPDX-License-Identifier: MIT */
/*
 * The tables of a pprof profile as they are in the file, each entry checked by itself. References
 * between entries are looked up by load.h, as a profile may have entries in any order.
 *
 * The file is untrusted. Memory is bounded by the size of the decompressed message, which stays in
 * memory, and by the limits below.
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
#define PPROF_ENTRIES_MAX     (1U << 21)          /* entries of each table but texts and samples */
#define PPROF_TEXTS_MAX       (1U << 23)
#define PPROF_SAMPLES_MAX     (1U << 24)
#define PPROF_FRAMES_MAX      (1U << 26) /* frames of all samples' chains together */
#define PPROF_THREADS_MAX     (1U << 20)
#define PPROF_THREAD_NAME_MAX 255 /* bytes of a thread's name (Linux has 15); the rest is cut */
#define PPROF_PATH_MAX        4096
#define PPROF_FILE_NAME_MAX   255 /* bytes behind a path's last '/' */

struct pprof_value_type {
    uint64_t type, unit; /* indexes of texts: "cpu", "nanoseconds" */
};

struct pprof_mapping {
    uint64_t id, start, limit, file_off;
    uint64_t file, build_id;   /* indexes of texts */
    uint64_t kind;             /* MAPPING_KIND: enum module_kind; 0: not known */
    bool of_segments, deleted; /* MAPPING_OF_SEGMENTS, MAPPING_DELETED (fields.h) */
    size_t off;                /* of the entry in the message, for error messages */
};

struct pprof_function {
    uint64_t id;
    uint64_t name, system_name, file, entry_file, label; /* indexes of texts */
    uint64_t start_line, entry_line;
    uint64_t start; /* the function's first vaddr + 1; 0: not known */
    bool made_up;   /* FUNCTION_MADE_UP: the name is not from the file */
    size_t off;     /* of the entry in the message, for error messages */
};

struct pprof_line {
    uint64_t function, line; /* id of the function; line of the source */
    uint64_t system_name;    /* index of a text; LINE_SYSTEM_NAME */
    uint64_t by_name;        /* LINE_BY_NAME */
};

struct pprof_location {
    uint64_t id, mapping, addr;    /* mapping: its id */
    size_t first_line, line_count; /* range in pprof_tables.lines, the innermost first */
    bool in_file;                  /* LOCATION_IN_FILE: addr is a vaddr of the ELF file */
    size_t off;                    /* of the entry in the message, for error messages */
};

/* The ids of a table, sorted, so that a file cannot make look-ups slow by its choice of ids. */
struct pprof_ids {
    struct sort_item *items; /* owned; key: the id; id: the entry's index in its table */
    size_t count, cap;
};

struct pprof_tables {
    const char *name;     /* file name for messages; borrowed */
    struct cursor all;    /* the decompressed message, borrowed */
    struct cursor *texts; /* owned; each a part of `all` */
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
    struct wire_numbers comments; /* indexes of texts */
    struct wire_numbers account;  /* PROFILE_ACCOUNT, by enum account_number; may be shorter */
    struct wire_numbers rate;     /* PROFILE_RATE, by enum rate_number; may be shorter */
    struct pprof_value_type period_type;
    /* start_ns: since the epoch; period: in the unit of period_type; arch: index of a text */
    uint64_t start_ns, duration_ns, period, arch;
    size_t sample_count; /* number of samples in the message, which are not in a table */
};

/* Whether a file that begins with `head`, decompressed, may be a profile. */
bool pprof_begins(const uint8_t *head, size_t size);

/*
 * Reads all tables, and counts the samples, from the decompressed message `bytes`, which is
 * borrowed, as is `name`. BAD_DATA with `diag` filled: it is malformed; NO_MEMORY. The caller calls
 * pprof_tables_deinit in any case.
 */
MUST_CHECK enum status pprof_tables_read(struct pprof_tables *tables, const char *name,
                                         const uint8_t *bytes, size_t size, struct diag *diag);
void pprof_tables_deinit(struct pprof_tables *tables);

/* Returns the byte offset in the message of `part`, a cursor over a part of the message. */
size_t pprof_offset(const struct pprof_tables *tables, const struct cursor *part);

/* Fills `diag`, "at offset OFF: of the decompressed profile: WHAT", and returns BAD_DATA. */
MUST_CHECK enum status pprof_bad(const struct pprof_tables *tables, size_t off, const char *what,
                                 struct diag *diag);

/*
 * Sets *text to the text with index `id`, to which an entry at offset `off` refers; 0: "". BAD_DATA
 * with `diag` filled: there is no such text.
 */
MUST_CHECK enum status pprof_text(const struct pprof_tables *tables, uint64_t id, size_t off,
                                  struct cursor *text, struct diag *diag);

/* Sets *index to the index of the entry with this id. False: there is none. */
bool pprof_find(const struct pprof_ids *ids, uint64_t id, size_t *index);

/* Whether the text with index `id` equals `text`. False also if there is no such text. */
bool pprof_text_is(const struct pprof_tables *tables, uint64_t id, const char *text);

#endif
