/* SPDX-License-Identifier: MIT */
#include "tools/cgunwind/perf_maps.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

#define PART_BYTES 65536u

/* 0: there is none. */
static uint32_t pid_in_name(const char *path)
{
    unsigned pid;
    int end = 0;

    return sscanf(text_basename(path), "perf-%9u.map%n", &pid, &end) == 1 && end > 0 ? pid : 0;
}

enum status perf_map_load(const char *path, struct module_set *modules, struct jit_maps *maps,
                          struct diag *diag)
{
    struct snap_names part = {.pid = pid_in_name(path)};
    uint8_t bytes[PART_BYTES];
    enum status status = STATUS_OK;
    bool changed;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : 1;

    part.bytes = bytes;
    while (n > 0 && part.off < PERF_MAP_MAX && status == STATUS_OK) {
        n = read(fd, bytes, sizeof(bytes));
        if (n < 0 && errno == EINTR) {
            n = 1;
            continue;
        }
        if (n <= 0)
            break;
        part.size = (uint32_t)n;
        status = jit_maps_add(maps, modules, &part, &changed);
        part.off += (uint64_t)n;
    }
    if (n < 0)
        status = STATUS_IO;
    if (status != STATUS_OK)
        diag_set(diag, path, "%s", status == STATUS_IO ? strerror(errno) : status_name(status));
    if (fd >= 0)
        close(fd);
    return status;
}
