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

/* Where a file's names go. */
struct perf_map_target {
    struct module_set *modules;
    struct jit_maps *maps;
    struct snap_names part; /* off: behind what another file has told of the process */
};

static enum status put(struct perf_map_target *to, const void *bytes, size_t size)
{
    enum status status;
    bool changed = false;

    to->part.bytes = bytes;
    to->part.size = (uint32_t)size;
    status = jit_maps_add(to->maps, to->modules, &to->part, &changed);
    to->part.off += size;
    return status;
}

/* As a perf map has it: a line. */
static enum status put_function(struct perf_map_target *to,
                                const struct jit_dump_function *function)
{
    const char *end = memchr(function->name, '\n', function->name_len);
    const size_t name_len = end ? (size_t)(end - function->name) : function->name_len;
    char line[JIT_DUMP_NAME_MAX + 64];
    const int len = snprintf(line, sizeof(line), "%jx %jx %.*s\n", (uintmax_t)function->start_addr,
                             (uintmax_t)function->size, name_len ? (int)name_len : 1,
                             name_len ? function->name : "?");

    return put(to, line, (size_t)len);
}

static enum status put_functions(struct perf_map_target *to, struct jit_dump *dump,
                                 const char *path, struct diag *diag)
{
    struct jit_dump_function function;
    enum status status;

    while ((status = jit_dump_next(dump, path, &function, diag)) == STATUS_OK) {
        status = put_function(to, &function);
        if (status != STATUS_OK)
            return status;
    }
    return status == STATUS_END ? STATUS_OK : status;
}

static enum status load_dump(struct perf_map_target *to, int fd, const char *path,
                             struct diag *diag)
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
        status = put_functions(to, &dump, path, diag);
        jit_dump_deinit(&dump);
    }
    mapped_remove(bytes);
    munmap(bytes, size);
    return status;
}

static enum status load_map(struct perf_map_target *to, int fd, const char *path, struct diag *diag)
{
    uint8_t bytes[PART_BYTES];
    enum status status = STATUS_OK;
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
        status = put(to, bytes, (size_t)n);
        size += (uint64_t)n;
    }
    return status;
}

/* A process's second file goes on where the first one ended, on a line of its own. */
static enum status begin(struct perf_map_target *to)
{
    const struct jit_map *map = jit_maps_of(to->maps, to->part.pid);

    to->part.off = map ? jit_map_size(map) : 0;
    return to->part.off ? put(to, "\n", 1) : STATUS_OK;
}

enum status perf_map_load(const char *path, struct module_set *modules, struct jit_maps *maps,
                          struct diag *diag)
{
    struct perf_map_target to = {.modules = modules, .maps = maps, .part.pid = pid_in_name(path)};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    enum status status = fd < 0 ? STATUS_IO : begin(&to);
    uint8_t magic[4];

    if (status == STATUS_OK && pread(fd, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
        jit_dump_is(magic, sizeof(magic)))
        status = load_dump(&to, fd, path, diag);
    else if (status == STATUS_OK)
        status = load_map(&to, fd, path, diag);
    if (status != STATUS_OK && status != STATUS_BAD_DATA)
        diag_set(diag, path, "%s", status == STATUS_IO ? strerror(errno) : status_name(status));
    if (fd >= 0)
        close(fd);
    return status;
}
