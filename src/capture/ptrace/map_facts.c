/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/map_facts.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/ptrace/build_id.h"

/*
 * The build-id by the file's name, if that is still the mapped file and not one that replaced it.
 */
static void id_from_path(pid_t tid, const struct exec_map *map, struct map_facts *facts)
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
static void find_build_id(pid_t tid, const struct exec_map *map, struct map_facts *facts)
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

void map_facts_find(pid_t tid, const struct exec_map *map, const char *path,
                    struct map_facts *facts)
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
