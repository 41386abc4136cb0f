/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/kept_files.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>

#include "base/crc32.h"
#include "base/read_all.h"
#include "base/root_file.h"
#include "base/vec.h"
#include "capture/ptrace/build_id.h"
#include "capture/ptrace/elf_links.h"

#define DEBUG_DIR "/usr/lib/debug"
#define LEVEL     3 /* zstd's own default */
#define SECOND_NS UINT64_C(1000000000)

/* Bytes of one file; of all; a file above HOLLOW_SIZE that is nearly all hole is left out. */
#define SIZE_MAX_ONE (UINT64_C(8) << 30)
#define SIZE_MAX_ALL (UINT64_C(64) << 30)
#define HOLLOW_SIZE  (UINT64_C(64) << 20)
#define HOLLOW_RATIO 16u

struct kept_entry {
    enum snap_file_kind kind;
    int fd;              /* owned; -1: it could not be opened */
    int root;            /* the target's; borrowed; AT_FDCWD: ours */
    uint64_t dev, inode; /* as of the mapping */
    struct build_id id;
    char *path, *place; /* owned */
};

/* A target's root, kept open: files below it are looked for when it may have ended. */
struct kept_root {
    uint64_t dev, inode;
    int fd; /* owned */
};

struct kept_files {
    struct kept_entry *entries; /* owned */
    size_t count, cap;
    struct kept_root *roots; /* owned */
    size_t root_count, root_cap;
    struct kept_count sums; /* `files` and `bytes`: handed over so far */
    kept_send_fn *send;
    void *context;
    ZSTD_CCtx *zstd; /* owned */
    struct kept packet;
    uint8_t plain[KEPT_BYTES_MAX];
};

/* Raises the limit of open files: each file stays open. */
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

static bool same_id(const struct build_id *a, const struct build_id *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static bool is_same(const struct kept_entry *a, const struct kept_entry *b)
{
    if (a->kind != b->kind || !same_id(&a->id, &b->id))
        return false;
    return a->id.size ||
           (a->dev == b->dev && a->inode == b->inode && strcmp(a->path, b->path) == 0);
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

/* Adds an entry: takes over its descriptor, copies its paths. NULL: it counts as missing. */
static struct kept_entry *add(struct kept_files *files, const struct kept_entry *entry)
{
    struct kept_entry kept = *entry;

    kept.path = strdup(entry->path);
    kept.place = strdup(entry->place);
    if (kept.path && kept.place && files->count < KEPT_FILES_MAX &&
        vec_reserve(&files->entries, &files->cap, files->count + 1, sizeof(kept)) == STATUS_OK) {
        files->entries[files->count] = kept;
        return &files->entries[files->count++];
    }
    free(kept.path);
    free(kept.place);
    if (entry->fd >= 0)
        close(entry->fd);
    files->sums.missing++;
    return NULL;
}

/* Returns the target's root directory; AT_FDCWD: it is ours, or not accessible. */
static int find_root(struct kept_files *files, pid_t tid)
{
    const int fd = root_open(tid);
    struct stat st, own;

    if (fd < 0 || fstat(fd, &st) != 0 || stat("/", &own) != 0 ||
        (st.st_dev == own.st_dev && st.st_ino == own.st_ino)) {
        if (fd >= 0)
            close(fd);
        return AT_FDCWD;
    }
    for (size_t i = 0; i < files->root_count; i++)
        if (files->roots[i].dev == st.st_dev && files->roots[i].inode == st.st_ino) {
            close(fd);
            return files->roots[i].fd;
        }
    if (vec_reserve(&files->roots, &files->root_cap, files->root_count + 1,
                    sizeof(*files->roots)) != STATUS_OK) {
        close(fd);
        return AT_FDCWD;
    }
    files->roots[files->root_count++] =
        (struct kept_root){.dev = st.st_dev, .inode = st.st_ino, .fd = fd};
    return fd;
}

/*
 * Is this open file the one that was mapped when the mapping was described? Another may be mapped
 * now, at the same addresses. By path, an inode may be of another file system; some file systems
 * show another device in maps than in stat (btrfs, overlays): their files are recognized by the
 * mapping's link only.
 */
static bool is_mapped_one(int fd, const struct kept_mapping *mapping, bool by_link)
{
    struct build_id id = {.size = 0};
    struct stat st;

    if (mapping->id.size)
        return build_id_from_fd(fd, &id) == STATUS_OK && same_id(&id, &mapping->id);
    return fstat(fd, &st) == 0 && st.st_ino == mapping->inode &&
           (by_link || st.st_dev == mapping->dev);
}

/*
 * Opens the mapped file: by the kernel's link (needs a capability); by its path in the target's
 * root; by its path in ours, which the kernel tells for a target in a chroot.
 */
static int open_mapped(const struct kept_mapping *mapping, const char *path, int root)
{
    for (unsigned i = 0; i < 3; i++) {
        char link[96];
        int fd;

        snprintf(link, sizeof(link), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)mapping->tid,
                 mapping->start_addr, mapping->end_addr);
        fd = i == 0 ? root_link_open(link) : root_file_open(i == 1 ? root : AT_FDCWD, path);
        if (fd >= 0 && is_mapped_one(fd, mapping, i == 0))
            return fd;
        if (fd >= 0)
            close(fd);
    }
    return -1;
}

void kept_files_add(struct kept_files *files, const struct kept_mapping *mapping, const char *path)
{
    struct kept_entry entry = {.kind = SNAP_FILE_MAPPED,
                               .dev = mapping->dev,
                               .inode = mapping->inode,
                               .id = mapping->id,
                               .path = (char *)path,
                               .place = (char *)path};

    if (is_known(files, &entry))
        return;
    entry.root = find_root(files, mapping->tid);
    entry.fd = open_mapped(mapping, path, entry.root);
    /* files that are no ELF may be mapped as code: jitdumps */
    if (entry.fd >= 0 && !is_elf(entry.fd)) {
        close(entry.fd);
        return;
    }
    (void)!add(files, &entry);
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

static bool send_parts(struct kept_files *files, int fd, uint64_t size)
{
    struct kept *packet = &files->packet;
    uint64_t off = 0;

    while (off < size) {
        const size_t n = read_all(fd, off, files->plain, KEPT_BYTES_MAX);

        if (!n)
            break;
        packet->kind = KEPT_PART;
        packet->part.off = off;
        packet->part.size = n < size - off ? (uint32_t)n : (uint32_t)(size - off);
        code_part(files, &packet->part);
        off += packet->part.size;
        if (!files->send(files->context, packet))
            return false;
    }
    files->sums.missing += off < size;
    return true;
}

static void describe(const struct kept_entry *entry, const struct stat *st, struct kept *packet)
{
    packet->kind = KEPT_FILE;
    packet->file = (struct bundled_file){.kind = entry->kind,
                                         .id = entry->id,
                                         .size = (uint64_t)st->st_size,
                                         .written_ns = (uint64_t)st->st_mtim.tv_sec * SECOND_NS +
                                                       (uint64_t)st->st_mtim.tv_nsec,
                                         .dev = entry->dev,
                                         .inode = entry->inode};
    snprintf(packet->file.path, sizeof(packet->file.path), "%s", entry->path);
    snprintf(packet->file.place, sizeof(packet->file.place), "%s", entry->place);
}

static bool is_too_large(const struct kept_files *files, const struct stat *st)
{
    const uint64_t size = (uint64_t)st->st_size, there = (uint64_t)st->st_blocks * 512;

    return size > SIZE_MAX_ONE || size > SIZE_MAX_ALL - files->sums.bytes ||
           (there && size > HOLLOW_SIZE && size / HOLLOW_RATIO > there);
}

/* Hands over a file and its parts. False: `send` ended it. */
static bool send_file(struct kept_files *files, const struct kept_entry *entry)
{
    struct stat st;

    if (entry->fd < 0 || fstat(entry->fd, &st) != 0 || st.st_size <= 0 ||
        is_too_large(files, &st)) {
        files->sums.missing++;
        return true;
    }
    describe(entry, &st, &files->packet);
    files->sums.files++;
    files->sums.bytes += (uint64_t)st.st_size;
    return files->send(files->context, &files->packet) &&
           send_parts(files, entry->fd, (uint64_t)st.st_size);
}

static bool has_crc(struct kept_files *files, int fd, uint32_t wanted)
{
    uint32_t crc = 0;
    uint64_t off = 0;
    size_t n;

    while ((n = read_all(fd, off, files->plain, KEPT_BYTES_MAX)) > 0 && off < SIZE_MAX_ONE) {
        crc = crc32_update(crc, files->plain, n);
        off += n;
    }
    return crc == wanted;
}

/* A debug file that is looked for. */
struct debug_wanted {
    enum snap_file_kind kind;
    int root;
    const struct kept_entry *of; /* the mapped file */
    const struct build_id *id;   /* the build-id that it must have; size 0: */
    uint32_t crc;                /* the checksum that it must have */
};

static bool is_wanted(struct kept_files *files, const struct debug_wanted *search, int fd)
{
    struct elf_links links;

    if (!is_elf(fd))
        return false;
    if (!search->id->size)
        return has_crc(files, fd, search->crc);
    elf_links_read(fd, &links);
    return same_id(&links.id, search->id);
}

/*
 * Looks for the file at a path in the target's root, then in ours, and hands it over. In ours, if
 * another, only below the debug directory: other files at a path that the target names are not its
 * business. False: not found.
 */
static bool send_at(struct kept_files *files, const struct debug_wanted *search, const char *place,
                    bool *alive)
{
    const int roots[] = {search->root, AT_FDCWD};

    for (unsigned i = 0; i < (search->root == AT_FDCWD ? 1u : 2u); i++) {
        struct kept_entry entry = {.kind = search->kind,
                                   .id = *search->id,
                                   .dev = search->of->dev,
                                   .inode = search->of->inode,
                                   .path = search->of->path,
                                   .place = (char *)place};
        const struct kept_entry *added;

        if (i && (strncmp(place, DEBUG_DIR "/", sizeof(DEBUG_DIR)) != 0 || strstr(place, "/../")))
            continue;
        entry.fd = root_file_open(roots[i], place);
        if (entry.fd < 0)
            continue;
        if (!is_wanted(files, search, entry.fd)) {
            close(entry.fd);
            continue;
        }
        if (search->kind == SNAP_FILE_SHARED) {
            entry.dev = entry.inode = 0;
            entry.path = (char *)"";
        }
        added = add(files, &entry);
        *alive = !added || send_file(files, added);
        return true;
    }
    return false;
}

static bool send_by_id(struct kept_files *files, const struct debug_wanted *search, bool *alive)
{
    char place[2 * SNAP_BUILD_ID_MAX + 64];
    int len = snprintf(place, sizeof(place), DEBUG_DIR "/.build-id/");

    if (search->id->size < 2)
        return false;
    for (unsigned i = 0; i < search->id->size; i++)
        len += snprintf(place + len, sizeof(place) - (size_t)len, i ? "%02x" : "%02x/",
                        search->id->bytes[i]);
    strcpy(place + len, ".debug");
    return send_at(files, search, place, alive);
}

static int directory_len(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (int)(slash - path) + 1 : 0;
}

/* .gnu_debuglink: beside the file, in .debug there, and below the debug directory. */
static bool send_linked(struct kept_files *files, const struct debug_wanted *search,
                        const char *name, bool *alive)
{
    static const char *const places[][2] = {{"", ""}, {"", ".debug/"}, {DEBUG_DIR, ""}};
    const char *path = search->of->path;
    char place[KEPT_PATH_MAX];

    for (unsigned i = 0; name[0] && i < sizeof(places) / sizeof(places[0]); i++)
        if (snprintf(place, sizeof(place), "%s%.*s%s%s", places[i][0], directory_len(path), path,
                     places[i][1], name) < (int)sizeof(place) &&
            send_at(files, search, place, alive))
            return true;
    return false;
}

/* .gnu_debugaltlink of the file at `from`. False: `send` ended it. */
static bool send_shared(struct kept_files *files, const struct kept_entry *of, const char *from,
                        const struct elf_links *links)
{
    const struct debug_wanted search = {.kind = SNAP_FILE_SHARED,
                                        .root = of->root,
                                        .of = of,
                                        .id = &links->shared_id};
    const struct kept_entry known = {.kind = SNAP_FILE_SHARED, .id = links->shared_id};
    char place[KEPT_PATH_MAX];
    bool alive = true;

    if (!links->shared[0] || !links->shared_id.size || is_known(files, &known))
        return true;
    if (snprintf(place, sizeof(place), "%.*s%s", links->shared[0] == '/' ? 0 : directory_len(from),
                 from, links->shared) >= (int)sizeof(place) ||
        !send_at(files, &search, place, &alive))
        (void)!send_by_id(files, &search, &alive);
    return alive;
}

/* Hands over the debug files of the i-th mapped file. False: `send` ended it. */
static bool send_debug(struct kept_files *files, size_t i)
{
    const struct kept_entry of = files->entries[i];
    const struct debug_wanted search = {.kind = SNAP_FILE_DEBUG,
                                        .root = of.root,
                                        .of = &of,
                                        .id = &of.id};
    struct debug_wanted linked = search;
    struct elf_links links;
    bool alive = true;

    if (of.fd < 0)
        return true;
    elf_links_read(of.fd, &links);
    linked.crc = links.debug_crc;
    if (!send_shared(files, &of, of.place, &links))
        return false;
    if (!send_by_id(files, &search, &alive) && !send_linked(files, &linked, links.debug, &alive))
        return true;
    if (!alive || files->entries[files->count - 1].kind != SNAP_FILE_DEBUG)
        return alive;
    elf_links_read(files->entries[files->count - 1].fd, &links);
    return send_shared(files, &of, files->entries[files->count - 1].place, &links);
}

void kept_files_send(struct kept_files *files, kept_send_fn *send, void *context)
{
    const size_t mapped = files->count;
    struct kept *packet = &files->packet;

    files->send = send;
    files->context = context;
    for (size_t i = 0; i < mapped; i++)
        if (!send_file(files, &files->entries[i]))
            return;
    for (size_t i = 0; i < mapped; i++)
        if (!send_debug(files, i))
            return;
    *packet = (struct kept){.kind = KEPT_END};
    packet->count = files->sums;
    (void)!send(context, packet);
}
