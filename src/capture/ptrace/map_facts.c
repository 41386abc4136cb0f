/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/map_facts.h"

#include <string.h>

#include "capture/ptrace/build_id.h"
#include "capture/ptrace/moved_text.h"

/*
 * Reads the build-id from the target's memory, which is the mapped file, whatever has its path now;
 * if the file's beginning is unmapped or unreadable, from the file. Without build-id, pieces of the
 * file.
 */
static void find_in_file(struct files *files, pid_t tid, const struct exec_map *map,
                         const char *path, struct map_facts *facts)
{
    struct file_facts file;
    enum status status = STATUS_IO;

    if (map->head_addr)
        status = build_id_from_memory(tid, map->head_addr, &facts->id);
    if (files_ask(files, tid, map, path, status == STATUS_OK ? FILE_WANTS_PLACE : FILE_WANTS_ID,
                  &file)) {
        (void)maps_copy_path(facts->path, sizeof(facts->path), path, file.reading);
        facts->deleted = file.is_replaced;
    } else {
        facts->is_unanswered = true;
    }
    if (status != STATUS_OK && status != STATUS_NOT_FOUND)
        facts->id = file.id;
    if (facts->id.size == 0)
        facts->pieces = file.pieces;
}

void map_facts_find(struct files *files, pid_t tid, const struct maps *maps, size_t exec,
                    struct map_facts *facts)
{
    const struct exec_map *map = &maps->execs[exec];
    const char *path = maps->paths + map->path_off;
    unsigned found;

    if (moved_text_find(files, tid, maps, exec, facts))
        return;
    found = maps_copy_path(facts->path, sizeof(facts->path), path, MAPS_USUAL);
    facts->file_off = map->file_off;
    facts->dev = map->dev;
    facts->inode = map->inode;
    facts->deleted = map->inode && found & MAPS_DELETED;
    facts->id.size = 0;
    facts->pieces.count = 0;
    if (map->inode) {
        facts->kind = SNAP_MAP_FILE;
        find_in_file(files, tid, map, path, facts);
    } else if (strcmp(path, "[vdso]") == 0) {
        facts->kind = SNAP_MAP_VDSO;
        (void)!build_id_from_memory(tid, map->start_addr, &facts->id);
    } else if (path[0] == '[' && strncmp(path, "[anon", 5) != 0 && strcmp(path, "[heap]") != 0) {
        facts->kind = SNAP_MAP_SPECIAL;
    } else {
        facts->kind = SNAP_MAP_ANON;
    }
}
