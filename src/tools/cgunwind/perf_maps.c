/* SPDX-License-Identifier: MIT */
#include "tools/cgunwind/perf_maps.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "runtime/jit/load/jit_dump_load.h"
#include "runtime/jit/jit_dump.h"

#define PART_BYTES 65536u

/* Returns the PID in a file's name; 0: there is none. */
static uint32_t pid_in_name(const char *path)
{
    const char *name = text_basename(path);
    unsigned pid;
    int end = 0;

    return (sscanf(name, "perf-%9u.map%n", &pid, &end) == 1 ||
            sscanf(name, "jit-%9u.dump%n", &pid, &end) == 1) &&
                   end > 0
               ? pid
               : 0;
}

static enum status load_map(struct jit_map *map, int fd, const char *path, struct diag *diag)
{
    uint8_t bytes[PART_BYTES];
    enum status status = STATUS_OK;
    bool changed = false;
    uint64_t size = 0;

    while (size < PERF_MAP_MAX && status == STATUS_OK) {
        const ssize_t n = read(fd, bytes, sizeof(bytes));

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return STATUS_IO;
        if (n == 0)
            break;
        if (size == 0 && jit_dump_is(bytes, (size_t)n)) {
            diag_set(diag, path, "a jitdump has to be a regular file");
            return STATUS_BAD_DATA;
        }
        status = jit_map_add(map, jit_map_size(map), bytes, (size_t)n, &changed);
        size += (uint64_t)n;
    }
    return status;
}

/* Finds the process's map. A second file of the process is appended, on a new line. */
static enum status begin(const char *path, struct module_set *modules, struct jit_maps *maps,
                         struct jit_map **out)
{
    enum status status = jit_maps_get(maps, modules, pid_in_name(path), JIT_NAMES, out);
    bool changed = false;

    return status == STATUS_OK && jit_map_size(*out) > 0
               ? jit_map_add(*out, jit_map_size(*out), (const uint8_t *)"\n", 1, &changed)
               : status;
}

enum status perf_map_load(const char *path, struct module_set *modules, struct jit_maps *maps,
                          struct diag *diag)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct jit_map *map = NULL;
    enum status status = fd < 0 ? STATUS_IO : begin(path, modules, maps, &map);

    if (status == STATUS_OK)
        status = jit_dump_is_file(fd) ? jit_dump_load(fd, path, NULL, map, diag)
                                      : load_map(map, fd, path, diag);
    if (status != STATUS_OK && status != STATUS_BAD_DATA)
        diag_set(diag, path, "%s", status == STATUS_IO ? strerror(errno) : status_name(status));
    if (fd >= 0)
        close(fd);
    return status;
}
