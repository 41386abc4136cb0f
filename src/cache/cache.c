/* SPDX-License-Identifier: MIT */
#include "cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mapped.h"
#include "cache/keeper.h"
#include "cache/program_id.h"

#define MAGIC "CGCACHE1"

struct cache {
    char path[PATH_MAX];
    int directory;
    struct keeper keeper;
    uint64_t program;
};

/* Precedes the bytes in each file. */
struct cache_head {
    char magic[8];
    struct cache_key key;
    uint64_t size, checksum;
};

uint64_t cache_hash(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    uint64_t word;

    hash ^= size;
    for (; size >= sizeof(word); size -= sizeof(word), at += sizeof(word)) {
        memcpy(&word, at, sizeof(word));
        hash = ((hash << 29 | hash >> 35) ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    }
    word = 0;
    memcpy(&word, at, size);
    return hash_words(hash, word);
}

struct cache_key cache_key(const struct cache *cache, const char *kind, const void *what,
                           size_t size)
{
    const uint64_t first = hash_words(cache->program, hash_text(kind));
    const uint64_t hash = cache_hash(first, what, size);

    return (struct cache_key){{hash, cache_hash(hash_mix(first + 1), what, size)}};
}

static void file_name(const struct cache_key *key, char name[KEEPER_NAME_SIZE + 1])
{
    snprintf(name, KEEPER_NAME_SIZE + 1, "%016" PRIx64 "%016" PRIx64, key->words[0], key->words[1]);
}

enum { MAKE = 1, PRIVATE = 2 };

/*
 * Opens a directory of this user. MAKE: makes it if need be. PRIVATE: refuses one where others may
 * write. -1: `why` is set.
 */
static int open_own(int at, const char *name, unsigned how, struct diag *why)
{
    struct stat st;
    int fd;

    if (how & MAKE && mkdirat(at, name, 0700) != 0 && errno != EEXIST) {
        diag_set(why, name, "cannot be made: %s", strerror(errno));
        return -1;
    }
    fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (how & PRIVATE ? O_NOFOLLOW : 0));
    if (fd < 0) {
        diag_set(why, name, "cannot be opened: %s", strerror(errno));
        return -1;
    }
    if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && !(how & PRIVATE && st.st_mode & 022))
        return fd;
    diag_set(why, name, "is another user's, or others may write there");
    close(fd);
    return -1;
}

/*
 * Opens $XDG_CACHE_HOME, which must be absolute (XDG Base Directory Specification), or ~/.cache.
 * Refuses those of another user: root may have a user's HOME, and its files would be in that user's
 * way.
 */
static int open_parent(char *path, struct diag *why)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int home_fd, fd;

    if (base && base[0] == '/') {
        snprintf(path, PATH_MAX, "%s", base);
        return open_own(AT_FDCWD, base, MAKE, why);
    }
    if (!home || home[0] != '/') {
        diag_set(why, NULL, "there is no cache: neither XDG_CACHE_HOME nor HOME is a whole path");
        return -1;
    }
    snprintf(path, PATH_MAX, "%s/.cache", home);
    home_fd = open_own(AT_FDCWD, home, 0, why);
    fd = home_fd >= 0 ? open_own(home_fd, ".cache", MAKE, why) : -1;
    if (home_fd >= 0)
        close(home_fd);
    return fd;
}

/* Opens the cache's directory and fills `path`; -1: `why` is set. */
static int open_directory(char *path, struct diag *why)
{
    const char *given = getenv("CGUNWIND_CACHE");
    int parent, fd;

    if (given && given[0] != '/') {
        diag_set(why, NULL, "there is no cache: CGUNWIND_CACHE is %s",
                 given[0] ? "no whole path" : "empty");
        return -1;
    }
    if (given) {
        snprintf(path, PATH_MAX, "%s", given);
        return open_own(AT_FDCWD, given, MAKE | PRIVATE, why);
    }
    parent = open_parent(path, why);
    if (parent < 0)
        return -1;
    fd = open_own(parent, "cgunwind", MAKE | PRIVATE, why);
    close(parent);
    if (strlen(path) + sizeof("/cgunwind") <= PATH_MAX) {
        strcat(path, "/cgunwind");
        return fd;
    }
    diag_set(why, path, "%s", strerror(ENAMETOOLONG));
    if (fd >= 0)
        close(fd);
    return -1;
}

enum status cache_open(struct cache **out, struct diag *why)
{
    struct cache *cache = calloc(1, sizeof(*cache));
    size_t size;
    const uint8_t *id = program_id(&size);

    if (!cache)
        return STATUS_NO_MEMORY;
    if (!id) {
        diag_set(why, NULL, "this program was linked without a build-id");
        free(cache);
        return STATUS_NOT_FOUND;
    }
    cache->program = cache_hash(0, id, size);
    cache->directory = open_directory(cache->path, why);
    if (cache->directory < 0) {
        free(cache);
        return STATUS_NOT_FOUND;
    }
    if (keeper_begin(&cache->keeper, cache->directory) != STATUS_OK) {
        diag_set(why, cache->path, "cannot start a process to write there: %s", strerror(errno));
        close(cache->directory);
        free(cache);
        return STATUS_NOT_FOUND;
    }
    *out = cache;
    return STATUS_OK;
}

void cache_close(struct cache *cache)
{
    if (!cache)
        return;
    keeper_end(&cache->keeper);
    close(cache->directory);
    free(cache);
}

const char *cache_directory(const struct cache *cache)
{
    return cache->path;
}

/* Opens an entry that only this user can have written; -1: none. */
static int open_entry(const struct cache *cache, const struct cache_key *key, size_t *size)
{
    char name[KEEPER_NAME_SIZE + 1];
    struct stat st;
    int fd;

    file_name(key, name);
    fd = openat(cache->directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
        !(st.st_mode & 022) && (uint64_t)st.st_size >= sizeof(struct cache_head) &&
        (uint64_t)st.st_size <= sizeof(struct cache_head) + CACHE_ENTRY_MAX) {
        *size = (size_t)st.st_size;
        return fd;
    }
    close(fd);
    return -1;
}

static bool is_whole(const struct cache_key *key, const struct cache_view *view)
{
    struct cache_head head;

    memcpy(&head, view->map, sizeof(head));
    return memcmp(head.magic, MAGIC, sizeof(head.magic)) == 0 &&
           memcmp(&head.key, key, sizeof(*key)) == 0 && head.size == view->size &&
           head.checksum == cache_hash(0, view->bytes, view->size);
}

enum status cache_load(const struct cache *cache, const struct cache_key *key,
                       struct cache_view *out)
{
    size_t size;
    const int fd = open_entry(cache, key, &size);
    void *map =
        fd < 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);

    if (fd >= 0)
        close(fd);
    if (map == MAP_FAILED)
        return STATUS_NOT_FOUND;
    mapped_add(map, size, cache->path);
    *out = (struct cache_view){.bytes = (const uint8_t *)map + sizeof(struct cache_head),
                               .size = size - sizeof(struct cache_head),
                               .map = map,
                               .map_size = size};
    if (is_whole(key, out))
        return STATUS_OK;
    cache_view_end(out);
    return STATUS_NOT_FOUND;
}

void cache_view_end(struct cache_view *view)
{
    if (!view->map)
        return;
    mapped_remove(view->map);
    munmap(view->map, view->map_size);
    *view = (struct cache_view){.map = NULL};
}

void cache_store(struct cache *cache, const struct cache_key *key, const uint8_t *bytes,
                 size_t size)
{
    struct cache_head head = {.key = *key, .size = size};
    char name[KEEPER_NAME_SIZE + 1];

    if (size > CACHE_ENTRY_MAX)
        return;
    head.checksum = cache_hash(0, bytes, size);
    memcpy(head.magic, MAGIC, sizeof(head.magic));
    file_name(key, name);
    keeper_write(&cache->keeper, name, &head, sizeof(head), bytes, size);
}
