/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/kept_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>

#include "base/in_file.h"
#include "base/vec.h"
#include "capture/ptrace/elf_links.h"
#include "base/root_file.h"

#define LEVEL     3 /* zstd's own default */
#define SECOND_NS UINT64_C(1000000000)

struct kept_entry {
    enum snap_file_kind kind;
    int fd; /* owned */
    uint64_t dev, inode;
    struct build_id id;
    char *path, *place; /* owned */
};

struct kept_files {
    struct kept_entry *entries; /* owned */
    size_t count, cap;
    uint32_t missing;
    ZSTD_CCtx *zstd; /* owned */
    struct kept packet;
    uint8_t plain[KEPT_BYTES_MAX];
};

/* Each file stays open: as many as may be. */
static void raise_file_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)!setrlimit(RLIMIT_NOFILE, &limit);
    }
}

struct kept_files *kept_files_create(void)
{
    struct kept_files *files = calloc(1, sizeof(*files));

    raise_file_limit();
    if (!files)
        return NULL;
    files->zstd = ZSTD_createCCtx();
    if (files->zstd)
        return files;
    free(files);
    return NULL;
}

static bool is_same(const struct kept_entry *a, const struct kept_entry *b)
{
    if (a->kind != b->kind || a->id.size != b->id.size)
        return false;
    return a->id.size ? memcmp(a->id.bytes, b->id.bytes, a->id.size) == 0
                      : a->dev == b->dev && a->inode == b->inode && strcmp(a->path, b->path) == 0;
}

static bool is_known(const struct kept_files *files, const struct kept_entry *entry)
{
    for (size_t i = 0; i < files->count; i++)
        if (is_same(&files->entries[i], entry))
            return true;
    return false;
}

static bool is_elf(int fd)
{
    char magic[4];

    return pread(fd, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
           memcmp(magic, "\177ELF", sizeof(magic)) == 0;
}

/* Takes over `entry`'s descriptor, and copies its paths. */
static void add(struct kept_files *files, const struct kept_entry *entry)
{
    struct kept_entry kept = *entry;

    if (files->count == KEPT_FILES_MAX ||
        vec_reserve(&files->entries, &files->cap, files->count + 1, sizeof(kept)) != STATUS_OK) {
        files->missing++;
        close(entry->fd);
        return;
    }
    kept.path = strdup(entry->path);
    kept.place = strdup(entry->place);
    if (kept.path && kept.place) {
        files->entries[files->count++] = kept;
        return;
    }
    free(kept.path);
    free(kept.place);
    close(entry->fd);
    files->missing++;
}

/* By the kernel's link, which needs a capability, or by its path if that is the same file still. */
static int open_mapped(const struct kept_mapping *mapping, const char *path)
{
    char link[96];
    struct stat st;
    int fd;

    snprintf(link, sizeof(link), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)mapping->tid,
             mapping->start_addr, mapping->end_addr);
    fd = in_file_open(link);
    if (fd >= 0)
        return fd;
    for (unsigned i = 0; i < 2; i++) { /* files.c says why in both */
        fd = root_file_open(i ? 0 : mapping->tid, path);
        if (fd >= 0 && fstat(fd, &st) == 0 && st.st_ino == mapping->inode &&
            st.st_dev == mapping->dev)
            return fd;
        if (fd >= 0)
            close(fd);
    }
    return -1;
}

/* Of `of`, at this place of the target's root or else of ours. False: it is not there. */
static bool add_at(struct kept_files *files, pid_t tid, const struct kept_entry *of,
                   enum snap_file_kind kind, const char *place)
{
    const pid_t roots[] = {tid, 0};
    struct stat st;

    for (unsigned i = 0; i < 2; i++) {
        const int fd = root_file_open(roots[i], place);
        const bool fits = fd >= 0 && fstat(fd, &st) == 0 && is_elf(fd) &&
                          (st.st_ino != of->inode || st.st_dev != of->dev);

        if (fits) {
            struct kept_entry entry = *of;

            entry.kind = kind;
            entry.fd = fd;
            entry.place = (char *)place;
            add(files, &entry);
            return true;
        }
        if (fd >= 0)
            close(fd);
    }
    return false;
}

static bool add_by_id(struct kept_files *files, pid_t tid, const struct kept_entry *of,
                      enum snap_file_kind kind)
{
    char place[2 * SNAP_BUILD_ID_MAX + 64];
    int len = snprintf(place, sizeof(place), "/usr/lib/debug/.build-id/");

    if (of->id.size < 2)
        return false;
    for (unsigned i = 0; i < of->id.size; i++)
        len += snprintf(place + len, sizeof(place) - (size_t)len, i ? "%02x" : "%02x/",
                        of->id.bytes[i]);
    strcpy(place + len, ".debug");
    return add_at(files, tid, of, kind, place);
}

static int directory_len(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (int)(slash - path) + 1 : 0;
}

/* .gnu_debuglink: beside the file, in .debug there, and below the debug directory. */
static void add_linked(struct kept_files *files, pid_t tid, const struct kept_entry *of,
                       const char *name)
{
    static const char *const places[][2] = {{"", ""}, {"", ".debug/"}, {"/usr/lib/debug", ""}};
    char place[KEPT_PATH_MAX];

    for (unsigned i = 0; name[0] && i < sizeof(places) / sizeof(places[0]); i++) {
        const int len = snprintf(place, sizeof(place), "%s%.*s%s%s", places[i][0],
                                 directory_len(of->path), of->path, places[i][1], name);

        if (len < (int)sizeof(place) && add_at(files, tid, of, SNAP_FILE_DEBUG, place))
            return;
    }
}

/* .gnu_debugaltlink of what is at `from`. */
static void add_shared(struct kept_files *files, pid_t tid, const char *from,
                       const struct elf_links *links)
{
    const struct kept_entry shared = {.kind = SNAP_FILE_SHARED,
                                      .id = links->shared_id,
                                      .path = (char *)""};
    char place[KEPT_PATH_MAX];

    if (!links->shared[0] || is_known(files, &shared))
        return;
    if (snprintf(place, sizeof(place), "%.*s%s", links->shared[0] == '/' ? 0 : directory_len(from),
                 from, links->shared) < (int)sizeof(place) &&
        add_at(files, tid, &shared, SNAP_FILE_SHARED, place))
        return;
    (void)!add_by_id(files, tid, &shared, SNAP_FILE_SHARED);
}

static void add_debug(struct kept_files *files, pid_t tid, const struct kept_entry *of)
{
    const size_t before = files->count;
    struct elf_links links;

    elf_links_read(of->fd, &links);
    add_shared(files, tid, of->place, &links);
    if (!add_by_id(files, tid, of, SNAP_FILE_DEBUG))
        add_linked(files, tid, of, links.debug);
    if (files->count == before || files->entries[files->count - 1].kind != SNAP_FILE_DEBUG)
        return;
    elf_links_read(files->entries[files->count - 1].fd, &links);
    add_shared(files, tid, files->entries[files->count - 1].place, &links);
}

void kept_files_add(struct kept_files *files, const struct kept_mapping *mapping, const char *path)
{
    struct kept_entry entry = {.kind = SNAP_FILE_MAPPED,
                               .dev = mapping->dev,
                               .inode = mapping->inode,
                               .id = mapping->id,
                               .path = (char *)path,
                               .place = (char *)path};
    struct stat st;

    if (is_known(files, &entry))
        return;
    entry.fd = open_mapped(mapping, path);
    if (entry.fd < 0 || fstat(entry.fd, &st) != 0) {
        files->missing++;
        return;
    }
    if (!is_elf(entry.fd)) { /* what maps code to be executed need not be one: a jitdump */
        close(entry.fd);
        return;
    }
    add(files, &entry);
    /* A debug file that is the file itself is none: told by what a file system says of it. */
    entry.dev = st.st_dev;
    entry.inode = st.st_ino;
    add_debug(files, mapping->tid, &entry);
}

/* How many bytes from `off` on; fewer than a part has at the end, or where reading fails. */
static size_t read_part(int fd, uint64_t off, uint8_t *bytes)
{
    size_t done = 0;

    while (done < KEPT_BYTES_MAX) {
        const ssize_t n = pread(fd, bytes + done, KEPT_BYTES_MAX - done, (off_t)(off + done));

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    return done;
}

static void code_part(struct kept_files *files, struct bundled_part *part)
{
    const size_t size = ZSTD_compressCCtx(files->zstd, part->bytes, sizeof(part->bytes),
                                          files->plain, part->size, LEVEL);

    part->coding = ZSTD_isError(size) || size >= part->size ? SNAP_CODING_PLAIN : SNAP_CODING_ZSTD;
    part->coded_size = part->coding == SNAP_CODING_ZSTD ? (uint32_t)size : part->size;
    if (part->coding == SNAP_CODING_PLAIN)
        memcpy(part->bytes, files->plain, part->size);
}

static bool send_parts(struct kept_files *files, const struct kept_entry *entry, uint64_t size,
                       kept_send_fn *send, void *context)
{
    struct kept *packet = &files->packet;
    uint64_t off = 0;

    while (off < size) {
        const size_t n = read_part(entry->fd, off, files->plain);

        if (!n)
            break;
        packet->kind = KEPT_PART;
        packet->part.off = off;
        packet->part.size = n < size - off ? (uint32_t)n : (uint32_t)(size - off);
        code_part(files, &packet->part);
        off += packet->part.size;
        if (!send(context, packet))
            return false;
    }
    files->missing += off < size;
    return true;
}

/* A build-id as it is in the snapshot, and a path as long as it may be. */
static void describe(const struct kept_entry *entry, const struct stat *st, struct kept *packet)
{
    packet->kind = KEPT_FILE;
    packet->file = (struct bundled_file){.kind = entry->kind,
                                         .id = entry->id,
                                         .size = (uint64_t)st->st_size,
                                         .written_ns = (uint64_t)st->st_mtim.tv_sec * SECOND_NS +
                                                       (uint64_t)st->st_mtim.tv_nsec};
    snprintf(packet->file.path, sizeof(packet->file.path), "%s", entry->path);
    snprintf(packet->file.place, sizeof(packet->file.place), "%s", entry->place);
}

void kept_files_send(struct kept_files *files, kept_send_fn *send, void *context)
{
    struct kept *packet = &files->packet;
    struct kept_count count = {.files = 0};
    struct stat st;

    for (size_t i = 0; i < files->count; i++) {
        const struct kept_entry *entry = &files->entries[i];

        if (fstat(entry->fd, &st) != 0 || st.st_size <= 0) {
            files->missing++;
            continue;
        }
        describe(entry, &st, packet);
        count.files++;
        count.bytes += packet->file.size;
        if (!send(context, packet) ||
            !send_parts(files, entry, (uint64_t)st.st_size, send, context))
            return;
    }
    count.missing = files->missing;
    *packet = (struct kept){.kind = KEPT_END};
    packet->count = count;
    (void)!send(context, packet);
}
