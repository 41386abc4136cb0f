/* SPDX-License-Identifier: MIT */
/* Takes in records that are no samples: mappings, forks, names, exits, losses. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cursor.h"
#include "snapshot/import/perf/source.h"

#define DELETED_SUFFIX " (deleted)"

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* A string that ends with a NUL or with the payload. */
static void copy_text(const struct cursor *c, char *out, size_t size)
{
    size_t len = strnlen((const char *)c->data + c->pos, cursor_left(c));

    len = len < size - 1 ? len : size - 1;
    memcpy(out, c->data + c->pos, len);
    out[len] = '\0';
}

static uint8_t map_kind(const char *path)
{
    if (strcmp(path, "[vdso]") == 0)
        return SNAP_MAP_VDSO;
    if (path[0] == '/' && path[1] != '/' && !begins(path, "/dev/zero"))
        return SNAP_MAP_FILE;
    return path[0] == '[' && !begins(path, "[anon") && !begins(path, "[heap]") &&
                   !begins(path, "[stack")
               ? SNAP_MAP_SPECIAL
               : SNAP_MAP_ANON;
}

static void strip_deleted(char *path, uint8_t *flags)
{
    size_t len = strlen(path), suffix = strlen(DELETED_SUFFIX);

    if (len <= suffix || strcmp(path + len - suffix, DELETED_SUFFIX) != 0)
        return;
    path[len - suffix] = '\0';
    *flags |= SNAP_MAP_DELETED;
}

/* Keeps a build-id from the record; else takes the header's for the path. */
static void set_build_id(const struct perf_source *s, struct perf_module *module)
{
    const struct perf_build_id *known;

    if (module->build_id_size > 0)
        return;
    known = perf_header_build_id(&s->header, module->path);
    if (!known)
        return;
    module->build_id_size = known->size;
    memcpy(module->build_id, known->id, known->size);
}

/*
 * Takes the kernel's mapping. perf gives a symbol, and its address in place of a file offset, so
 * that a relocated kernel is recognized.
 */
static void use_kernel(struct perf_source *s, const struct perf_map *map,
                       struct perf_module *module)
{
    struct perf_kernel *kernel = &s->kernel;

    if (!begins(module->path, PERF_KERNEL) || kernel->is_known)
        return;
    snprintf(kernel->symbol, sizeof(kernel->symbol), "%.31s", module->path + strlen(PERF_KERNEL));
    kernel->facts.symbol = kernel->symbol;
    kernel->facts.symbol_addr = map->file_off;
    kernel->start_addr = map->start_addr;
    kernel->end_addr = map->end_addr;
    module->path[strlen(PERF_KERNEL)] = '\0';
    set_build_id(s, module);
    memcpy(kernel->build_id, module->build_id, module->build_id_size);
    kernel->build_id_size = module->build_id_size;
    kernel->is_known = true;
}

/* Reads the part that only MMAP2 has: the file's identity or build-id, and protection. */
static bool read_identity(struct cursor *c, uint16_t misc, struct perf_module *module,
                          struct perf_map *map)
{
    uint32_t major, minor, prot, flags;
    uint64_t generation;
    uint8_t size;

    if (misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
        const uint8_t *id;

        if (!cursor_u8(c, &size) || !cursor_skip(c, 3) || !cursor_bytes(c, PERF_BUILD_ID_MAX, &id))
            return false;
        module->build_id_size = size <= PERF_BUILD_ID_MAX ? size : 0;
        memcpy(module->build_id, id, module->build_id_size);
    } else {
        if (!cursor_u32(c, &major) || !cursor_u32(c, &minor) || !cursor_u64(c, &module->inode) ||
            !cursor_u64(c, &generation))
            return false;
        module->dev = (uint64_t)major << 20 | minor;
    }
    if (!cursor_u32(c, &prot) || !cursor_u32(c, &flags))
        return false;
    map->prot = (uint8_t)(prot & 7);
    return true;
}

static enum status use_map(struct perf_source *s, const struct perf_record *record,
                           struct cursor *c)
{
    unsigned mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
    struct perf_map map = {.prot = PROT_EXEC};
    char path[4096 + sizeof(DELETED_SUFFIX)];
    struct perf_module module = {.path = path};
    enum status status;
    uint64_t len;
    uint32_t pid, tid;

    if (!cursor_u32(c, &pid) || !cursor_u32(c, &tid) || !cursor_u64(c, &map.start_addr) ||
        !cursor_u64(c, &len) || !cursor_u64(c, &map.file_off) ||
        (record->type == PERF_RECORD_MMAP2 && !read_identity(c, record->misc, &module, &map)))
        return STATUS_BAD_DATA;
    if (mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER)
        return STATUS_OK;
    map.end_addr = len <= UINT64_MAX - map.start_addr ? map.start_addr + len : UINT64_MAX;
    copy_text(c, path, sizeof(path));
    if (mode == PERF_RECORD_MISC_KERNEL) {
        use_kernel(s, &map, &module);
        return STATUS_OK;
    }
    if (map.start_addr >= map.end_addr || !(map.prot & PROT_EXEC) ||
        (record->type == PERF_RECORD_MMAP && record->misc & PERF_RECORD_MISC_MMAP_DATA))
        return STATUS_OK;
    module.kind = map_kind(path);
    strip_deleted(path, &module.flags);
    set_build_id(s, &module);
    status = perf_tasks_module(&s->tasks, &module, &map.module);
    return status == STATUS_OK ? perf_tasks_map(&s->tasks, pid, tid, &map) : status;
}

static enum status use_comm(struct perf_source *s, const struct perf_record *record,
                            struct cursor *c)
{
    char name[PERF_NAME_MAX];
    uint32_t pid, tid;

    if (!cursor_u32(c, &pid) || !cursor_u32(c, &tid))
        return STATUS_BAD_DATA;
    copy_text(c, name, sizeof(name));
    return perf_tasks_comm(&s->tasks, pid, tid, name, sizeof(name),
                           record->misc & PERF_RECORD_MISC_COMM_EXEC);
}

static enum status use_fork(struct perf_source *s, const struct perf_record *record,
                            struct cursor *c)
{
    uint32_t pid, ppid, tid, ptid;

    if (!cursor_u32(c, &pid) || !cursor_u32(c, &ppid) || !cursor_u32(c, &tid) ||
        !cursor_u32(c, &ptid))
        return STATUS_BAD_DATA;
    if (record->type == PERF_RECORD_EXIT)
        return perf_tasks_exit(&s->tasks, pid, tid);
    return perf_tasks_fork(&s->tasks, pid, tid, ppid, ptid, !(record->misc & PERF_MISC_FORK_EXEC));
}

enum status perf_record_use(struct perf_source *s, const struct perf_record *record)
{
    struct cursor c = cursor_init(record->bytes, perf_attrs_payload_end(&s->attrs, record));
    uint64_t lost;

    if (!cursor_skip(&c, PERF_RECORD_HEAD))
        return STATUS_BAD_DATA;
    switch (record->type) {
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2:
        return use_map(s, record, &c);
    case PERF_RECORD_COMM:
        return use_comm(s, record, &c);
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT:
        return use_fork(s, record, &c);
    case PERF_RECORD_LOST:
        if (!cursor_skip(&c, 8) || !cursor_u64(&c, &lost))
            return STATUS_BAD_DATA;
        s->counts.lost_records += lost;
        return STATUS_OK;
    case PERF_RECORD_LOST_SAMPLES:
        if (!cursor_u64(&c, &lost))
            return STATUS_BAD_DATA;
        s->counts.lost_samples += lost;
        return STATUS_OK;
    default:
        return STATUS_OK; /* unknown, or of no use here */
    }
}
