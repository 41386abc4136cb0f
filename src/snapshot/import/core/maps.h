/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: yields the executable mappings of the process, and the code in them
 * that the core has.
 *
 * NT_FILE has the addresses of mapped files, segments have the flag for executable; gdb omits
 * segments that it has no bytes for. A walk along both yields pieces, each in one segment, one
 * file, or both. The core's copy of a file's first page gives the build-id, and shows which parts
 * are code where there is no segment. Without NT_FILE modules.h makes a list from memory.
 *
 *     segments  | r-x  |            | r-x |   | rw- |  | r-x |
 *     NT_FILE   | a.out| a.out | libc     |
 *     MAPs      |      | ?     | ?  |     |            | anonymous, vDSO
 */
#ifndef SNAPSHOT_IMPORT_CORE_MAPS_H
#define SNAPSHOT_IMPORT_CORE_MAPS_H

#include "snapshot/import/core/heads.h"
#include "snapshot/import/core/notes.h"

#define CORE_VDSO_MAX   (64u << 10) /* most bytes of a vDSO */
#define CORE_CODE_PIECE (1u << 20)  /* most bytes of one CODE event */
/* Most bytes of all CODE events: of files, which mostly exist elsewhere; of code without a file. */
#define CORE_FILE_CODE_MAX (UINT64_C(64) << 20)
#define CORE_ANON_CODE_MAX (UINT64_C(192) << 20)
#define CORE_MODULES_MAX   65536 /* modules whose first page is read */
#define CORE_CODE_RANGES   8     /* most executable parts kept for a file */
#define CORE_GO_MODULES    16    /* files with Go's code; with more the version is not known */
#define CORE_GO_LOOKS      64    /* mappings that are searched for Go's version */

struct core_module {
    const char *path;
    bool deleted, is_executable; /* as of struct core_mapped_file */
    bool has_head;               /* the first page was read: id and code are set */
    uint64_t head_addr;          /* where it is, if has_head is set */
    struct build_id id;
    struct core_range code[CORE_CODE_RANGES]; /* executable parts, by file offset */
    size_t code_count;
};

struct core_go_module {
    const char *path;
    struct build_id id;
    unsigned version; /* minor version of Go, the 22 of Go 1.22.5; 0: not known */
};

struct core_go { /* files with Go's code, each once */
    struct core_go_module list[CORE_GO_MODULES];
    unsigned count; /* number of the files; `list` has the first CORE_GO_MODULES */
    unsigned looks; /* mappings searched for a version so far */
};

/* Returns the minor version of Go that all files in `go` have; 0: not known, or not the same. */
unsigned core_go_version(const struct core_go *go);

struct core_maps {
    size_t segment, file;       /* indexes in segments and files that the walk has reached */
    uint64_t addr;              /* address that the walk has reached */
    uint64_t vdso_addr;         /* 0: none */
    struct core_module module;  /* the file that the walk is in, */
    struct core_module last;    /* and the last file with a first page, */
    struct core_head last_head; /* which is this, if its address is last.head_addr */
    size_t modules;             /* modules whose first page was read */
    struct core_go go;
    /* Code of the last MAP for which CODE events are still to come. */
    uint64_t code_addr, code_end;
    bool code_of_file;             /* the code from code_addr on is a file's */
    uint64_t file_code, anon_code; /* bytes in CODE events so far */
    bool left_out;                 /* code was left out because of the limits */
    uint8_t *bytes;
    size_t cap;
};

void core_maps_free(struct core_maps *maps);

/*
 * Sets *event to the next MAP or CODE of process `pid`, valid until the next call; *maps is zeroed
 * before the first one. END: there are no more; NO_MEMORY.
 */
MUST_CHECK enum status core_maps_next(struct core_maps *maps, const struct core_image *image,
                                      const struct core_notes *notes, uint32_t pid,
                                      struct snap_event *event);

#endif
