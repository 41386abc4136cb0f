/* SPDX-License-Identifier: MIT */
#include "tools/cgunwind/perf_maps.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mapped.h"
#include "base/text.h"
#include "symbol/jit_dump.h"

#define PART_BYTES 65536u

/* 0: there is none. */
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

/* As a perf map has them: a line each. */
static enum status load_functions(struct jit_dump *dump, const char *path,
                                  struct module_set *modules, struct jit_maps *maps,
                                  struct diag *diag)
{
    struct snap_names part = {.pid = pid_in_name(path)};
    struct jit_dump_function function;
    char line[JIT_LINE_MAX];
    enum status status;
    bool changed;

    part.bytes = (const uint8_t *)line;
    while ((status = jit_dump_next(dump, path, &function, diag)) == STATUS_OK) {
        const char *end = memchr(function.name, '\n', function.name_len);
        const size_t name_len = end ? (size_t)(end - function.name) : function.name_len;
        int len;

        if (name_len > sizeof(line) - 40)
            continue;
        len = snprintf(line, sizeof(line), "%jx %jx %.*s\n", (uintmax_t)function.start_addr,
                       (uintmax_t)function.size, (int)name_len, function.name);
        part.size = (uint32_t)len;
        status = jit_maps_add(maps, modules, &part, &changed);
        if (status != STATUS_OK)
            return status;
        part.off += part.size;
    }
    return status == STATUS_END ? STATUS_OK : status;
}

static enum status load_dump(int fd, const char *path, struct module_set *modules,
                             struct jit_maps *maps, struct diag *diag)
{
    const off_t end = lseek(fd, 0, SEEK_END);
    const size_t size = end < 0 ? 0 : (uint64_t)end < PERF_MAP_MAX ? (size_t)end : PERF_MAP_MAX;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    struct jit_dump dump;
    enum status status;

    if (bytes == MAP_FAILED)
        return STATUS_IO;
    mapped_add(bytes, size, path);
    status = jit_dump_init(&dump, bytes, size, path, diag);
    if (status == STATUS_OK) {
        status = load_functions(&dump, path, modules, maps, diag);
        jit_dump_deinit(&dump);
    }
    mapped_remove(bytes);
    munmap(bytes, size);
    return status;
}

static enum status load_map(int fd, const char *path, struct module_set *modules,
                            struct jit_maps *maps)
{
    struct snap_names part = {.pid = pid_in_name(path)};
    uint8_t bytes[PART_BYTES];
    enum status status = STATUS_OK;
    bool changed;

    part.bytes = bytes;
    while (part.off < PERF_MAP_MAX && status == STATUS_OK) {
        const ssize_t n = read(fd, bytes, sizeof(bytes));

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return STATUS_IO;
        if (n == 0)
            break;
        part.size = (uint32_t)n;
        status = jit_maps_add(maps, modules, &part, &changed);
        part.off += (uint64_t)n;
    }
    return status;
}

enum status perf_map_load(const char *path, struct module_set *modules, struct jit_maps *maps,
                          struct diag *diag)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    enum status status = STATUS_IO;
    uint8_t magic[4];

    if (fd >= 0 && pread(fd, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
        jit_dump_is(magic, sizeof(magic)))
        status = load_dump(fd, path, modules, maps, diag);
    else if (fd >= 0)
        status = load_map(fd, path, modules, maps);
    if (status != STATUS_OK && status != STATUS_BAD_DATA)
        diag_set(diag, path, "%s", status == STATUS_IO ? strerror(errno) : status_name(status));
    if (fd >= 0)
        close(fd);
    return status;
}
