/* SPDX-License-Identifier: MIT */
/*
 * The mappings of a process, as the backend last read them: all as ranges, to find where a stack
 * ends; the executable ones with what identifies their file.
 *
 * Paths are kept only until they are written, as a board has little memory; paths of files whose
 * memory may hold locks until the next reading.
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
    uint8_t prot;  /* enum map_prot */
    bool is_stack; /* [stack]: the first thread's */
    bool is_file;  /* backed by a file: reading it may wait */
    bool is_shared;
    uint8_t place; /* enum snap_place */
    uint32_t file; /* SNAP_PLACE_FILE: index of struct maps' files */
};

/* A file with a writable mapping: libraries' data, shared memory. */
struct map_file {
    uint64_t head_addr; /* where its offset 0 is mapped; 0: nowhere */
    uint64_t dev, inode;
    uint32_t name_off; /* in struct maps' names */
};

struct exec_map {
    uint64_t start_addr, end_addr, file_off, inode;
    uint64_t dev; /* as stat(2) gives it */
    uint8_t prot;
    uint64_t head_addr; /* where the same file's offset 0 is mapped; 0: nowhere */
    uint64_t path_hash; /* tells paths apart when they are dropped */
    uint32_t path_off;  /* in struct maps' paths */
    bool is_unanswered; /* set by modules_update: its file did not answer */
};

struct maps {
    struct map_range *ranges; /* owned; ascending, do not overlap */
    size_t range_len, range_cap;
    struct exec_map *execs; /* owned; ascending */
    size_t exec_len, exec_cap;
    char *paths; /* owned; NUL-terminated, one after the other */
    size_t path_len, path_cap;
    struct map_file *files; /* owned */
    size_t file_len, file_cap;
    char *names; /* owned; the paths of `files`, kept */
    size_t name_len, name_cap;
};

void maps_deinit(struct maps *maps);

/*
 * For a backend's read_maps, in ascending order: add a range, and for an executable one its file,
 * too; maps_add_exec sets path_hash and path_off. NO_MEMORY: nothing was added.
 */
MUST_CHECK enum status maps_add_range(struct maps *maps, const struct map_range *range);
MUST_CHECK enum status maps_add_exec(struct maps *maps, const struct exec_map *map,
                                     const char *path, size_t path_size);

/* Frees the paths of executable mappings, when they are written. */
void maps_drop_paths(struct maps *maps);

/* The mapping that holds the address, borrowed until mappings change; NULL: none. */
const struct map_range *maps_find(const struct maps *maps, uint64_t addr);
const struct exec_map *maps_find_exec(const struct maps *maps, uint64_t addr);
/*
 * Copies a path of /proc/PID/maps, with \012 as newline and without " (deleted)", cut to `size`
 * with its NUL. True: it had " (deleted)".
 */
bool maps_copy_path(char *to, size_t size, const char *from);
bool exec_map_same(const struct exec_map *a, const struct exec_map *b);
/* The mapping [stack], the first thread's; NULL: none. */
const struct map_range *maps_main_stack(const struct maps *maps);

#endif
