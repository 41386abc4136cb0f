/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/map_facts.h"

#include <string.h>

#include "capture/ptrace/build_id.h"

/*
 * Reads the build-id from the target's memory, which is the mapped file, whatever has its path now;
 * if the file's beginning is unmapped or unreadable, from the file. Without build-id, pieces of the
 * file.
 */
static void find_in_file(struct files *files, pid_t tid, const struct exec_map *map, bool deleted,
                         struct map_facts *facts)
{
    struct file_facts file;
    enum status status = STATUS_IO;

    if (map->head_addr)
        status = build_id_from_memory(tid, map->head_addr, &facts->id);
    facts->is_unanswered = !files_ask(files, tid, map, facts->path, status != STATUS_OK, &file);
    if (status != STATUS_OK && status != STATUS_NOT_FOUND)
        facts->id = file.id;
    if (facts->id.size == 0)
        facts->pieces = file.pieces;
    facts->deleted = deleted || file.is_replaced;
}

void map_facts_find(struct files *files, pid_t tid, const struct exec_map *map, const char *path,
                    struct map_facts *facts)
{
    bool deleted = maps_copy_path(facts->path, sizeof(facts->path), path);

    facts->deleted = false;
    facts->is_unanswered = false;
    facts->id.size = 0;
    facts->pieces.count = 0;
    if (map->inode) {
        facts->kind = SNAP_MAP_FILE;
        find_in_file(files, tid, map, deleted, facts);
    } else if (strcmp(path, "[vdso]") == 0) {
        facts->kind = SNAP_MAP_VDSO;
        (void)!build_id_from_memory(tid, map->start_addr, &facts->id);
    } else if (path[0] == '[' && strncmp(path, "[anon", 5) != 0 && strcmp(path, "[heap]") != 0) {
        facts->kind = SNAP_MAP_SPECIAL;
    } else {
        facts->kind = SNAP_MAP_ANON;
    }
}
