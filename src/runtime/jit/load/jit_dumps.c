/* SPDX-License-Identifier: MIT */
#include "runtime/jit/load/jit_dumps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/vec.h"
#include "symbol/module_set.h"

void jit_dumps_clear(struct jit_dumps *dumps)
{
    dumps->count = dumps->unread = 0;
    dumps->bytes_read = 0;
    map_clear(&dumps->starts);
}

void jit_dumps_deinit(struct jit_dumps *dumps)
{
    free(dumps->found);
    map_deinit(&dumps->starts);
    *dumps = (struct jit_dumps){.count = 0};
}

/* Returns the pid in a jitdump's name; 0: no such name. */
static uint32_t pid_in_name(const char *path)
{
    const char *name = text_basename(path);
    unsigned pid;
    int end = 0;

    return sscanf(name, "jit-%9u.dump%n", &pid, &end) == 1 && end > 0 && !name[end] ? pid : 0;
}

enum status jit_dumps_map(struct jit_dumps *dumps, uint32_t pid, struct module *module,
                          uint64_t inode)
{
    enum status status;

    if (module->kind != MODULE_FILE || module->file.deleted || !pid_in_name(module->file.path) ||
        dumps->count >= JIT_DUMPS_MAX)
        return STATUS_OK;
    for (size_t i = 0; i < dumps->count; i++)
        if (dumps->found[i].pid == pid && dumps->found[i].module == module)
            return STATUS_OK;
    status = vec_reserve(&dumps->found, &dumps->cap, dumps->count + 1, sizeof(*dumps->found));
    if (status == STATUS_OK) {
        dumps->found[dumps->count++] =
            (struct jit_dump_found){.pid = pid, .module = module, .inode = inode};
        dumps->unread++;
    }
    return status;
}

enum status jit_dumps_exec(struct jit_dumps *dumps, uint32_t pid, uint64_t time_ns)
{
    uint64_t *start_ns = map_put(&dumps->starts, pid, 0);

    if (!start_ns)
        return STATUS_NO_MEMORY;
    *start_ns = time_ns;
    for (size_t i = dumps->count; i-- > 0;)
        if (dumps->found[i].pid == pid) {
            dumps->unread -= !dumps->found[i].is_read;
            dumps->found[i] = dumps->found[--dumps->count];
        }
    return STATUS_OK;
}

/* Counts the file's bytes; false: too many. */
static bool is_affordable(struct jit_dumps *dumps, int fd)
{
    struct stat st;

    if (fstat(fd, &st) != 0 || (uint64_t)st.st_size > JIT_DUMPS_BYTES_MAX - dumps->bytes_read)
        return false;
    dumps->bytes_read += (uint64_t)st.st_size;
    return true;
}

/*
 * Returns whether it is the file that the process has mapped: another mount namespace may have
 * another of the name. The device does not help: with btrfs and overlayfs the mapping's differs
 * from the file's.
 */
static bool is_mapped_one(const struct module_set *modules, const struct jit_dump_found *found,
                          int fd)
{
    struct stat st;

    return module_set_has_sysroot(modules) || !found->inode ||
           (fstat(fd, &st) == 0 && (uint64_t)st.st_ino == found->inode);
}

static enum status read_one(struct jit_dumps *dumps, struct jit_maps *maps,
                            struct module_set *modules, const struct jit_dump_owner *owner,
                            const struct jit_dump_found *found)
{
    struct module *module = found->module;
    const int fd = module_set_open_file(modules, module->file.path);
    struct jit_map *map;
    struct diag diag;
    enum status status = STATUS_NOT_FOUND;

    if (fd >= 0 && jit_dump_is_file(fd) && !is_mapped_one(modules, found, fd)) {
        diag_set(&module->problem, module->file.path,
                 "is not the jitdump that the process has mapped, not used");
        diag_hint(&module->problem, "give that one with --perf-map");
    } else if (fd >= 0 && jit_dump_is_file(fd) && is_affordable(dumps, fd)) {
        status = jit_maps_get(maps, modules, owner->pid, JIT_DUMP, &map);
        if (status == STATUS_OK)
            status = jit_dump_load(fd, module->file.path, owner, map, &diag);
        if (status == STATUS_BAD_DATA)
            module->problem = diag;
    }
    if (fd >= 0)
        close(fd);
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

enum status jit_dumps_read(struct jit_dumps *dumps, struct jit_maps *maps,
                           struct module_set *modules, struct jit_dump_owner owner, bool *changed)
{
    const uint64_t *start_ns = map_get(&dumps->starts, owner.pid);
    enum status status = STATUS_OK;

    owner.start_ns = start_ns ? *start_ns : 0;
    for (size_t i = 0; i < dumps->count && status == STATUS_OK; i++) {
        struct jit_dump_found *found = &dumps->found[i];

        if (found->pid != owner.pid || found->is_read)
            continue;
        found->is_read = *changed = true;
        dumps->unread--;
        status = read_one(dumps, maps, modules, &owner, found);
    }
    return status;
}
