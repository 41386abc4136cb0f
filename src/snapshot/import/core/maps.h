/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: the executable mappings of the process, and the code in them that
 * the core has.
 *
 * Where files are mapped is in NT_FILE, what may be executed in the segments; gdb leaves segments
 * out that it has no bytes for. Walking along both gives pieces, each of one segment, one file, or
 * of both; what the core holds of a file's first page tells its build-id, and what is code of it
 * where there is no segment.
 *
 * Where there is no NT_FILE, modules.h makes one of what the memory tells.
 *
 *     segments  | r-x  |            | r-x |   | rw- |  | r-x |
 *     NT_FILE   | a.out| a.out | libc     |            
 *     MAPs      |      | ?     | ?  |     |            | anonymous, vDSO
 */
#ifndef SNAPSHOT_IMPORT_CORE_MAPS_H
#define SNAPSHOT_IMPORT_CORE_MAPS_H

#include "snapshot/import/core/notes.h"

#define CORE_VDSO_MAX   (64u << 10)
#define CORE_CODE_PIECE (1u << 20) /* bytes of one CODE event, at most */
/* Code of files is most often to be found in them; that of none is a JIT's. */
#define CORE_FILE_CODE_MAX (UINT64_C(64) << 20)
#define CORE_ANON_CODE_MAX (UINT64_C(192) << 20)
#define CORE_MODULES_MAX   65536 /* whose first page is looked at */
#define CORE_CODE_RANGES   8     /* executable parts of a file that are kept */
#define CORE_GO_MODULES    16    /* with more the version is not known */
#define CORE_GO_LOOKS      64    /* places whose version is looked at */

struct core_module { /* the file that the walk is in */
    const char *path;
    bool has_head;
    struct build_id id;
    struct core_range code[CORE_CODE_RANGES]; /* in the file */
    size_t code_count;
};

struct core_go_module {
    const char *path;
    struct build_id id;
    unsigned version; /* the 22 of Go 1.22.5; 0: it is not known */
};

struct core_go { /* files that are Go programs, or have Go's code; each once */
    struct core_go_module list[CORE_GO_MODULES];
    unsigned count; /* may be more than that: the first are in the list */
    unsigned looks;
};

/* The version of all of them; 0: it is not known, or there are several. */
unsigned core_go_version(const struct core_go *go);

struct core_maps {
    size_t segment, file; /* indexes of the walk */
    uint64_t addr;        /* where it is */
    uint64_t vdso_addr;
    struct core_module module;
    size_t modules; /* that were looked at */
    struct core_go go;
    /* of the last MAP, what of its code is still to come */
    uint64_t code_addr, code_end;
    bool code_of_file;
    uint64_t file_code, anon_code; /* bytes that were given */
    bool left_out;
    uint8_t *bytes;
    size_t cap;
};

void core_maps_free(struct core_maps *maps);

/* The next MAP or CODE, valid until the next call. END after the last; NO_MEMORY. */
MUST_CHECK enum status core_maps_next(struct core_maps *maps, const struct core_image *image,
                                      const struct core_notes *notes, uint32_t pid,
                                      struct snap_event *event);

#endif
