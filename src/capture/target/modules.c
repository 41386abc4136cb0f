/* SPDX-License-Identifier: MIT */
#include "capture/target/modules.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/vec.h"

#define WHOLE_MAX (64u << 10)

void modules_deinit(struct modules *modules)
{
    free(modules->maps);
    *modules = (struct modules){0};
}

static enum status write_map(pid_t pid, const struct exec_map *map, const struct map_facts *facts,
                             struct snap_writer *writer)
{
    snap_writer_begin(writer, SNAP_MAP, true);
    snap_writer_u32(writer, (uint32_t)pid);
    snap_writer_u8(writer, (uint8_t)facts->kind);
    snap_writer_u8(writer, map->prot);
    snap_writer_u8(writer, facts->deleted ? SNAP_MAP_DELETED : 0);
    snap_writer_u8(writer, facts->id.size);
    snap_writer_raw(writer, facts->id.bytes, facts->id.size);
    snap_writer_u64(writer, map->start_addr);
    snap_writer_u64(writer, map->end_addr);
    snap_writer_u64(writer, facts->file_off);
    snap_writer_u64(writer, facts->dev);
    snap_writer_u64(writer, facts->inode);
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

/* Writes the vDSO, or ARM's page that handlers return to: no other machine has their bytes. */
static enum status write_code(const struct target *target, pid_t pid, pid_t tid,
                              const struct exec_map *map, struct snap_writer *writer)
{
    size_t size = (size_t)(map->end_addr - map->start_addr);
    enum status status = STATUS_OK;
    uint8_t *bytes;

    if (size > WHOLE_MAX)
        return STATUS_OK;
    bytes = malloc(size);
    if (!bytes)
        return STATUS_NO_MEMORY;
    if (target_read(target, tid, map->start_addr, bytes, size) == size) {
        snap_writer_begin(writer, SNAP_CODE, false);
        snap_writer_u32(writer, (uint32_t)pid);
        snap_writer_u64(writer, map->start_addr);
        snap_writer_bytes(writer, bytes, size);
        status = snap_writer_end(writer);
    }
    free(bytes);
    return status;
}

/* Writes what tells the file from another build of it. */
static enum status write_pieces(pid_t pid, const struct exec_map *map,
                                const struct map_facts *facts, struct snap_writer *writer)
{
    const struct file_pieces *pieces = &facts->pieces;
    enum status status = STATUS_OK;

    for (unsigned i = 0; status == STATUS_OK && i < pieces->count; i++) {
        snap_writer_begin(writer, SNAP_CODE, false);
        snap_writer_u32(writer, (uint32_t)pid);
        snap_writer_u64(writer, map->start_addr + (pieces->off[i] - facts->file_off));
        snap_writer_bytes(writer, pieces->bytes[i], FILE_PIECE_SIZE);
        status = snap_writer_end(writer);
    }
    return status;
}

/* Finds the mapping like `map` among the ascending `maps`; *at is where the last search ended. */
static const struct exec_map *find(const struct exec_map *maps, size_t len, size_t *at,
                                   const struct exec_map *map)
{
    while (*at < len && maps[*at].start_addr < map->start_addr)
        ++*at;
    return *at < len && exec_map_same(&maps[*at], map) ? &maps[*at] : NULL;
}

/* Call before has_go is set for the mapping. */
static void note_go_file(struct modules *modules, const struct map_facts *facts)
{
    if (!modules->has_go) {
        modules->go_dev = facts->dev;
        modules->go_inode = facts->inode;
    }
    modules->has_gos |= facts->dev != modules->go_dev || facts->inode != modules->go_inode;
}

void modules_forget(struct modules *modules, const struct exec_map *map)
{
    for (size_t i = 0; i < modules->len; i++)
        if (exec_map_same(&modules->maps[i], map))
            modules->maps[i].path_hash = ~modules->maps[i].path_hash;
}

bool modules_forget_remapped(struct modules *modules, const struct exec_map *map, uint64_t time_ns)
{
    for (size_t i = 0; map->inode && i < modules->len; i++) {
        struct exec_map *known = &modules->maps[i];

        if (known->start_addr == map->start_addr && known->end_addr == map->end_addr &&
            known->inode == map->inode && known->asked_ns <= time_ns) {
            known->path_hash = ~known->path_hash;
            known->asked_ns = UINT64_MAX;
            return true;
        }
    }
    return false;
}

enum status modules_update(struct modules *modules, const struct target *target, pid_t pid,
                           pid_t tid, struct maps *maps, struct snap_writer *writer,
                           uint64_t *unanswered)
{
    enum status status = STATUS_OK;
    struct map_facts *facts = NULL;
    const struct exec_map *known;
    size_t at = 0;

    for (size_t i = 0; status == STATUS_OK && i < modules->len; i++)
        if (!find(maps->execs, maps->exec_len, &at, &modules->maps[i]))
            status = write_unmap(pid, &modules->maps[i], writer);
    at = 0;
    for (size_t i = 0; status == STATUS_OK && i < maps->exec_len; i++) {
        struct exec_map *map = &maps->execs[i];

        known = find(modules->maps, modules->len, &at, map);
        if (known && !known->is_unanswered) {
            map->asked_ns = known->asked_ns;
            continue;
        }
        if (!facts && !(facts = malloc(sizeof(*facts))))
            return STATUS_NO_MEMORY;
        map->asked_ns = clock_now_ns();
        target->backend->describe_map(target->state, tid, maps, i, facts);
        map->is_unanswered = facts->is_unanswered;
        if (facts->id.is_go)
            note_go_file(modules, facts);
        modules->has_go |= facts->id.is_go;
        if (known && map->is_unanswered)
            continue; /* nothing new */
        status = write_map(pid, map, facts, writer);
        if (status == STATUS_OK)
            status = write_pieces(pid, map, facts, writer);
        if (CAPTURE_BUNDLES && target->keeps_files && facts->kind == SNAP_MAP_FILE &&
            !facts->is_unanswered)
            target->backend->keep_file(target->state, tid, map, facts);
        *unanswered += (uint64_t)map->is_unanswered - (known != NULL);
        if (status == STATUS_OK &&
            (facts->kind == SNAP_MAP_VDSO || facts->kind == SNAP_MAP_SPECIAL))
            status = write_code(target, pid, tid, map, writer);
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
