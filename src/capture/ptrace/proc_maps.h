/* SPDX-License-Identifier: MIT */
/* Reads the mappings of a Linux process from the text of /proc/PID/maps (proc(5)). */
#ifndef CAPTURE_PTRACE_PROC_MAPS_H
#define CAPTURE_PTRACE_PROC_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "capture/target/maps.h"

/* Further mappings are ignored. */
#define MAPS_MAX 1000000u
/* Bytes of files' names; further files have no name. */
#define MAPS_NAMES_MAX (256u << 10)

/* One line of /proc/PID/maps, without its newline. `path` points into the line. */
struct map_line {
    uint64_t start_addr, end_addr, file_off, dev, inode;
    uint8_t prot;
    bool is_shared;
    const char *path;
    size_t path_size;
};
MUST_CHECK bool map_line_parse(const char *line, size_t size, struct map_line *out);

/*
 * Replaces `maps` with what `fd`, an open /proc/PID/maps at its beginning, holds. IO: the process
 * is gone; NO_MEMORY; then `maps` is empty.
 */
MUST_CHECK enum status maps_read(struct maps *maps, int fd);

#endif
