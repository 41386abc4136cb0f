/* SPDX-License-Identifier: MIT */
/*
 * The mappings of a process, as the backend last read them: all as ranges, to find where a stack
 * ends; the executable ones also with the identity of their file.
 *
 * Paths of executable mappings are kept only until they are written, as a board has little memory;
 * paths of files whose memory may hold locks until the next reading.
 */
#ifndef CAPTURE_TARGET_MAPS_H
#define CAPTURE_TARGET_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum map_prot { MAP_PROT_READ = 1, MAP_PROT_WRITE = 2, MAP_PROT_EXEC = 4 };

struct map_range {
    uint64_t start_addr, end_addr;
    uint8_t prot;   /* bits of enum map_prot */
    bool is_stack;  /* [stack], the stack of the first thread */
    bool is_file;   /* of a file, but for shared memory without one: reading may wait for it */
    bool is_shared; /* false: private */
    uint8_t place;  /* kind of memory in which a lock may lie: enum snap_place */
    uint32_t file;  /* if `place` is SNAP_PLACE_FILE: index in struct maps' files */
};

/* A file with a writable mapping: libraries' data, shared memory. */
struct map_file {
    uint64_t head_addr; /* where the file's offset 0 is mapped; 0: nowhere */
    uint64_t dev, inode;
    uint32_t name_off; /* offset of the file's path in struct maps' names */
};

struct exec_map {
    uint64_t start_addr, end_addr, file_off, inode;
    uint64_t dev;       /* device of the file, as stat(2) gives it */
    uint8_t prot;       /* bits of enum map_prot */
    uint64_t head_addr; /* where the same file's offset 0 is mapped; 0: nowhere */
    uint64_t path_hash; /* tells paths apart after they were freed */
    uint32_t path_off;  /* offset of the file's path in struct maps' paths */
    bool is_unanswered; /* set by modules_update: the file did not answer in time */
    uint64_t asked_ns;  /* set by modules_update: when it began to ask for the file (clock.h) */
};

/* A file that is mapped before or behind an executable mapping, which may be a copy of its text. */
struct map_beside {
    uint32_t exec;      /* index of that mapping in struct maps' execs */
    uint32_t path_off;  /* offset of the file's path in struct maps' paths */
    uint64_t head_addr; /* where the file's offset 0 is mapped, or was before it was copied */
    uint64_t dev, inode;
};

struct maps {
    struct map_range *ranges; /* owned; ascending, do not overlap */
    size_t range_len, range_cap;
    struct exec_map *execs; /* owned; ascending */
    size_t exec_len, exec_cap;
    struct map_beside *besides; /* owned; ascending by exec; kept as long as `paths` */
    size_t beside_len, beside_cap;
    char *paths; /* of `execs` and `besides`; owned; NUL-terminated, one after the other */
    size_t path_len, path_cap;
    struct map_file *files; /* owned */
    size_t file_len, file_cap;
    char *names; /* owned; the paths of `files`, kept */
    size_t name_len, name_cap;
};

void maps_deinit(struct maps *maps);

/*
 * Append mappings in ascending order, for a backend's read_maps: each as a range, an executable one
 * also by maps_add_exec, which copies `path` and sets path_hash and path_off. NO_MEMORY: nothing
 * was added.
 */
MUST_CHECK enum status maps_add_range(struct maps *maps, const struct map_range *range);
MUST_CHECK enum status maps_add_exec(struct maps *maps, const struct exec_map *map,
                                     const char *path, size_t path_size);
/*
 * Adds the file beside the mapping beside->exec, which is one of the last few; copies `path`.
 * NO_MEMORY: nothing was added.
 */
MUST_CHECK enum status maps_add_beside(struct maps *maps, const struct map_beside *beside,
                                       const char *path, size_t path_size);

/* Frees the paths of executable mappings, and the files beside them; for when these are written. */
void maps_drop_paths(struct maps *maps);

/*
 * Return the mapping, the executable mapping that contains `addr`, borrowed until `maps` changes;
 * NULL: none does.
 */
const struct map_range *maps_find(const struct maps *maps, uint64_t addr);
const struct exec_map *maps_find_exec(const struct maps *maps, uint64_t addr);
/*
 * In a path of /proc/PID/maps "\012" is a newline, and " (deleted)" at the end no part of the name,
 * unless a file is called so:
 */
enum maps_reading {
    MAPS_NEWLINES = 1,
    MAPS_DELETED = 2,
    MAPS_USUAL = MAPS_NEWLINES | MAPS_DELETED
};
/*
 * Copies a path of /proc/PID/maps to `to`, with what `reading` (enum maps_reading) names taken for
 * what it mostly is, cut to `size` bytes with its NUL. Returns what was found to take so.
 */
unsigned maps_copy_path(char *to, size_t size, const char *from, unsigned reading);
/* Whether both are the same mapping of the same file, by addresses, file and path. */
bool exec_map_same(const struct exec_map *a, const struct exec_map *b);
/* Whether `map` has, at its beginning, the same piece of the same file as `old` had there. */
bool exec_map_continues(const struct exec_map *old, const struct exec_map *map);
/* Returns the mapping [stack], the stack of the first thread, borrowed; NULL: there is none. */
const struct map_range *maps_main_stack(const struct maps *maps);
/* Most pieces of a stack below `piece`, and above it. */
#define MAPS_PIECES_MAX 1000
/*
 * A stack in pieces: mlock, madvise or mprotect of a part of it splits its mapping. Returns
 * `piece`, which is of `maps`, together with the readable memory without a file that goes on above
 * it without a gap, up to the piece that holds `top`, and below it; `piece` alone, if that does not
 * reach `top`.
 */
struct map_range maps_joined(const struct maps *maps, const struct map_range *piece, uint64_t top);

#endif
