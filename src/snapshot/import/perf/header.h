/* SPDX-License-Identifier: MIT */
/*
 * The header data of a perf.data besides its events: machine, kernel, build-ids of files. A file
 * has them in sections, a stream in records.
 */
#ifndef SNAPSHOT_IMPORT_PERF_HEADER_H
#define SNAPSHOT_IMPORT_PERF_HEADER_H

#include "base/map.h"
#include "snapshot/import/perf/attr.h"
#include "snapshot/import/perf/reader.h"

struct perf_build_id {
    char *path; /* owned */
    uint8_t id[PERF_BUILD_ID_MAX];
    uint8_t size; /* number of bytes in `id` */
    size_t next;  /* index + 1 of the next entry whose path has the same hash; 0: none */
};

struct perf_header {         /* zero it */
    char *host, *release;    /* owned; name of the machine, its kernel's version; NULL: not known */
    const struct arch *arch; /* NULL: not known */
    uint64_t clock_offset;   /* clock_offset of struct snap_source */
    struct perf_build_id *build_ids; /* owned */
    size_t build_id_count, build_id_cap;
    struct map by_path; /* hash of the path -> index in build_ids + 1 */
};

void perf_header_deinit(struct perf_header *header);

/*
 * Reads a file's header, events (to `attrs`) and features, and leaves the reader at the first
 * record. Of what `perf record -o -` wrote, which has events and features in records, reads the
 * header of 16 bytes. Copies a file that comes through a pipe to a file first. Features missing in
 * a cut file stay unknown; events must be there. BAD_DATA (damaged, or shorter than its header),
 * UNSUPPORTED (byte order, architecture), IO with `diag` filled; END; NO_MEMORY.
 */
MUST_CHECK enum status perf_header_read(struct perf_header *header, struct perf_attrs *attrs,
                                        struct perf_reader *reader, struct diag *diag);

/*
 * Takes the events and features from a stream's record; ignores records of other types. BAD_DATA:
 * the record is malformed; UNSUPPORTED: unknown architecture; NO_MEMORY.
 */
MUST_CHECK enum status perf_header_record(struct perf_header *header, struct perf_attrs *attrs,
                                          const struct perf_record *record);

/* Returns the build-id of the file at `path`; NULL: none. */
const struct perf_build_id *perf_header_build_id(const struct perf_header *header,
                                                 const char *path);

#endif
