/*
 * The mappings of a process, as last read from /proc/PID/maps: all of them as ranges, to find where
 * a stack ends; the executable ones with what identifies their file.
 *
 * Paths are kept only until the next read, as the memory of a small agent is dear.
 */
#ifndef CAPTURE_MAPS_H
#define CAPTURE_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Further mappings are ignored. */
#define MAPS_MAX 1000000u

enum map_prot { MAP_PROT_READ = 1, MAP_PROT_WRITE = 2, MAP_PROT_EXEC = 4 };

struct map_range {
    uint64_t start_addr, end_addr;
    uint8_t prot;  /* enum map_prot */
    bool is_stack; /* [stack]: the first thread's */
};

struct exec_map {
    uint64_t start_addr, end_addr, file_off, inode;
    uint64_t dev; /* as stat(2) gives it */
    uint8_t prot;
    uint64_t head_addr; /* where the same file's offset 0 is mapped; 0: nowhere */
    uint64_t path_hash; /* to tell mappings of different paths apart without keeping the paths */
    uint32_t path_off;  /* in struct maps' paths */
};

struct maps {
    struct map_range *ranges; /* owned; ascending, do not overlap */
    size_t range_len, range_cap;
    struct exec_map *execs; /* owned; ascending */
    size_t exec_len, exec_cap;
    char *paths; /* owned; NUL-terminated, one after the other */
    size_t path_len, path_cap;
};

/* One line of /proc/PID/maps, without its newline. `path` points into the line. */
struct map_line {
    uint64_t start_addr, end_addr, file_off, dev, inode;
    uint8_t prot;
    const char *path;
    size_t path_size;
};
MUST_CHECK bool map_line_parse(const char *line, size_t size, struct map_line *out);

void maps_deinit(struct maps *maps);

/*
 * Reads what `fd`, an open /proc/PID/maps at its beginning, holds, in place of what was there. IO
 * when the process is gone, NO_MEMORY; then `maps` is empty.
 */
MUST_CHECK enum status maps_read(struct maps *maps, int fd);

/* Frees the paths: the caller has written them down. */
void maps_drop_paths(struct maps *maps);

/* NULL when no mapping holds the address. Valid until the next maps_read. */
const struct map_range *maps_find(const struct maps *maps, uint64_t addr);
const struct exec_map *maps_find_exec(const struct maps *maps, uint64_t addr);
/* Are they the same mapping of the same file? */
bool exec_map_same(const struct exec_map *a, const struct exec_map *b);
/* The first thread's stack; NULL when there is none. */
const struct map_range *maps_main_stack(const struct maps *maps);

#endif
