/* SPDX-License-Identifier: MIT */
/* Reads the mappings of a Linux process from the text of /proc/PID/maps (proc(5)). */
#ifndef CAPTURE_PTRACE_PROC_MAPS_H
#define CAPTURE_PTRACE_PROC_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "capture/target/maps.h"

/* Most mappings of a process; further ones are ignored. */
#define MAPS_MAX 1000000u
/* Most bytes of all files' names; further files have no name. */
#define MAPS_NAMES_MAX (256u << 10)

/* One line of /proc/PID/maps, parsed. */
struct map_line {
    uint64_t start_addr, end_addr, file_off, dev, inode;
    uint8_t prot;     /* MAP_PROT_... */
    bool is_shared;   /* false: private */
    const char *path; /* points into the line; path_size bytes, no NUL */
    size_t path_size;
};
/* Parses the `size` bytes of a line, without newline. False: it is no line of /proc/PID/maps. */
MUST_CHECK bool map_line_parse(const char *line, size_t size, struct map_line *out);

/*
 * Replaces the contents of `maps` with the mappings in `fd`, an open /proc/PID/maps at its
 * beginning. IO: the process is gone; NO_MEMORY. After a failure `maps` is empty.
 */
MUST_CHECK enum status maps_read(struct maps *maps, int fd);

#endif
