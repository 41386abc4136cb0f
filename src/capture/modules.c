#include "capture/modules.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/vec.h"
#include "capture/build_id.h"

#define VDSO_MAX (64u << 10)

/* A mapping's file: what is found out about it for its MAP record. */
struct file_facts {
    enum snap_map_kind kind;
    bool deleted;
    char path[PATH_MAX]; /* as the target sees it */
    struct build_id id;
};

void modules_deinit(struct modules *modules)
{
    free(modules->maps);
    *modules = (struct modules){0};
}

/*
 * The build-id by the file's name, if that is still the mapped file and not one that replaced it.
 */
static void id_from_path(pid_t tid, const struct exec_map *map, struct file_facts *facts)
{
    char path[PATH_MAX + 32];
    struct stat st;
    int fd;

    snprintf(path, sizeof(path), "/proc/%d/root%s", (int)tid, facts->path);
    /* Not blocking: the name may by now be a fifo's. */
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_ino == map->inode &&
        st.st_dev == map->dev)
        (void)!build_id_from_fd(fd, &facts->id);
    close(fd);
}

/*
 * The build-id from the target's memory: that is the mapped file, whatever has its name now. The
 * file's beginning may be unmapped or unreadable; then by the kernel's link to the mapped file
 * (which needs a capability), then by name.
 */
static void find_build_id(pid_t tid, const struct exec_map *map, struct file_facts *facts)
{
    char path[96];
    int fd;

    if (map->head_addr) {
        enum status status = build_id_from_memory(tid, map->head_addr, &facts->id);
        if (status == STATUS_OK || status == STATUS_NOT_FOUND)
            return;
    }
    snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)tid,
             map->start_addr, map->end_addr);
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        id_from_path(tid, map, facts);
        return;
    }
    (void)!build_id_from_fd(fd, &facts->id);
    close(fd);
}

static bool was_replaced(pid_t tid, const struct exec_map *map, const char *name)
{
    char path[PATH_MAX + 32];
    struct stat st;

    snprintf(path, sizeof(path), "/proc/%d/root%s", (int)tid, name);
    return stat(path, &st) != 0 || st.st_ino != map->inode;
}

static void find_facts(pid_t tid, const struct exec_map *map, const char *path,
                       struct file_facts *facts)
{
    bool deleted = maps_copy_path(facts->path, sizeof(facts->path), path);

    facts->deleted = false;
    facts->id.size = 0;
    if (map->inode) {
        facts->kind = SNAP_MAP_FILE;
        facts->deleted = deleted || (facts->path[0] == '/' && was_replaced(tid, map, facts->path));
        find_build_id(tid, map, facts);
    } else if (strcmp(path, "[vdso]") == 0) {
        facts->kind = SNAP_MAP_VDSO;
        (void)!build_id_from_memory(tid, map->start_addr, &facts->id);
    } else if (path[0] == '[' && strncmp(path, "[anon", 5) != 0 && strcmp(path, "[heap]") != 0) {
        facts->kind = SNAP_MAP_SPECIAL;
    } else {
        facts->kind = SNAP_MAP_ANON;
    }
}

static enum status write_map(pid_t pid, pid_t tid, const struct exec_map *map, const char *path,
                             struct file_facts *facts, struct snap_writer *writer)
{
    find_facts(tid, map, path, facts);
    snap_writer_begin(writer, SNAP_MAP, true);
    snap_writer_u32(writer, (uint32_t)pid);
    snap_writer_u8(writer, (uint8_t)facts->kind);
    snap_writer_u8(writer, map->prot);
    snap_writer_u8(writer, facts->deleted ? SNAP_MAP_DELETED : 0);
    snap_writer_u8(writer, facts->id.size);
    snap_writer_raw(writer, facts->id.bytes, facts->id.size);
    snap_writer_u64(writer, map->start_addr);
    snap_writer_u64(writer, map->end_addr);
    snap_writer_u64(writer, map->file_off);
    snap_writer_u64(writer, map->dev);
    snap_writer_u64(writer, map->inode);
    snap_writer_str(writer, facts->path);
    return snap_writer_end(writer);
}

static enum status write_unmap(pid_t pid, const struct exec_map *map, struct snap_writer *writer)
{
    snap_writer_begin(writer, SNAP_UNMAP, true);
    snap_writer_u32(writer, (uint32_t)pid);
    snap_writer_u64(writer, map->start_addr);
    snap_writer_u64(writer, map->end_addr);
    return snap_writer_end(writer);
}

/* The vDSO is no file: another machine has only these bytes of it. */
static enum status write_code(pid_t pid, pid_t tid, const struct exec_map *map,
                              struct snap_writer *writer)
{
    size_t size = (size_t)(map->end_addr - map->start_addr);
    struct iovec remote = {.iov_base = (void *)(uintptr_t)map->start_addr, .iov_len = size};
    enum status status = STATUS_OK;
    struct iovec local = {.iov_len = size};

    if (size > VDSO_MAX)
        return STATUS_OK;
    local.iov_base = malloc(size);
    if (!local.iov_base)
        return STATUS_NO_MEMORY;
    if (process_vm_readv(tid, &local, 1, &remote, 1, 0) == (ssize_t)size) {
        snap_writer_begin(writer, SNAP_CODE, false);
        snap_writer_u32(writer, (uint32_t)pid);
        snap_writer_u64(writer, map->start_addr);
        snap_writer_bytes(writer, local.iov_base, size);
        status = snap_writer_end(writer);
    }
    free(local.iov_base);
    return status;
}

/*
 * Is there a mapping like `map` among the ascending `maps`? *at remembers where the last search
 * ended.
 */
static bool contains(const struct exec_map *maps, size_t len, size_t *at,
                     const struct exec_map *map)
{
    while (*at < len && maps[*at].start_addr < map->start_addr)
        ++*at;
    return *at < len && exec_map_same(&maps[*at], map);
}

enum status modules_update(struct modules *modules, pid_t pid, pid_t tid, const struct maps *maps,
                           struct snap_writer *writer)
{
    enum status status = STATUS_OK;
    struct file_facts *facts = NULL;
    size_t at = 0;

    for (size_t i = 0; status == STATUS_OK && i < modules->len; i++)
        if (!contains(maps->execs, maps->exec_len, &at, &modules->maps[i]))
            status = write_unmap(pid, &modules->maps[i], writer);
    at = 0;
    for (size_t i = 0; status == STATUS_OK && i < maps->exec_len; i++) {
        const struct exec_map *map = &maps->execs[i];
        if (contains(modules->maps, modules->len, &at, map))
            continue;
        if (!facts && !(facts = malloc(sizeof(*facts))))
            return STATUS_NO_MEMORY;
        status = write_map(pid, tid, map, maps->paths + map->path_off, facts, writer);
        if (status == STATUS_OK && facts->kind == SNAP_MAP_VDSO)
            status = write_code(pid, tid, map, writer);
    }
    free(facts);
    if (status == STATUS_OK)
        status = vec_reserve(&modules->maps, &modules->cap, maps->exec_len, sizeof(*maps->execs));
    if (status != STATUS_OK)
        return status;
    if (maps->exec_len)
        memcpy(modules->maps, maps->execs, maps->exec_len * sizeof(*maps->execs));
    modules->len = maps->exec_len;
    return STATUS_OK;
}
