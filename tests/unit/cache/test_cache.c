/* SPDX-License-Identifier: MIT */
/* The cache between runs: what it gives back, what it refuses, and where it is. */
#include "cache_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache/cache.h"

enum { WRITERS = 6, ROUNDS = 20, BODY = 300000 };

static int make_root(void **state)
{
    if (cache_root_make(state) != 0)
        return 1;
    unsetenv("CGUNWIND_CACHE");
    return setenv("XDG_CACHE_HOME", cache_root, 1);
}

static struct cache *open_cache(void)
{
    struct cache *cache;
    struct diag why = {.has_off = false};

    if (cache_open(&cache, &why) != STATUS_OK)
        fail_msg("%s: %s", why.file, why.what);
    return cache;
}

static struct cache_key key_of(const struct cache *cache, const char *what)
{
    return cache_key(cache, "test", what, strlen(what));
}

static void store(struct cache *cache, const char *what, const void *bytes, size_t size)
{
    const struct cache_key key = key_of(cache, what);

    cache_store(cache, &key, bytes, size);
}

/* Is there nothing at the key, or `size` bytes that are `bytes`? */
static bool has(struct cache *cache, const char *what, const void *bytes, size_t size)
{
    const struct cache_key key = key_of(cache, what);
    struct cache_view found;

    if (cache_load(cache, &key, &found) != STATUS_OK)
        return false;
    assert_int_equal(found.size, size);
    assert_memory_equal(found.bytes, bytes, size);
    cache_view_end(&found);
    return true;
}

/* Its only file; false: there is none. */
static bool only_file(char path[PATH_MAX])
{
    char directory[PATH_MAX];
    struct dirent *entry;
    unsigned files = 0;
    DIR *dir;

    snprintf(directory, sizeof(directory), "%.4000s/cgunwind", cache_root);
    dir = opendir(directory);
    assert_non_null(dir);
    while ((entry = readdir(dir)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            snprintf(path, PATH_MAX, "%.3800s/%s", directory, entry->d_name);
            files++;
        }
    closedir(dir);
    assert_true(files <= 1);
    return files == 1;
}

TEST_WITH(what_was_stored_is_there_in_the_next_run, make_root, cache_root_remove)
{
    struct cache *cache = open_cache();

    assert_false(has(cache, "a", "one", 3));
    store(cache, "a", "one", 3);
    store(cache, "b", "", 0);
    cache_close(cache);
    cache = open_cache();
    assert_true(has(cache, "a", "one", 3));
    assert_true(has(cache, "b", "", 0));
    assert_false(has(cache, "c", "", 0));
    store(cache, "a", "other", 5);
    cache_close(cache);
    cache = open_cache();
    assert_true(has(cache, "a", "other", 5));
    cache_close(cache);
}

/* Each byte of the file in turn is another one, or the last ones are not there. */
TEST_WITH(a_file_that_is_not_as_it_was_written_is_not_used, make_root, cache_root_remove)
{
    struct cache *cache = open_cache();
    char path[PATH_MAX];
    struct stat st;
    uint8_t byte;
    int fd;

    store(cache, "a", "twelve bytes", 12);
    cache_close(cache);
    cache = open_cache();
    assert_true(only_file(path));
    fd = open(path, O_RDWR);
    assert_true(fd >= 0);
    assert_int_equal(fstat(fd, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    for (off_t off = 0; off < st.st_size; off++) {
        assert_int_equal(pread(fd, &byte, 1, off), 1);
        byte ^= 0x10;
        assert_int_equal(pwrite(fd, &byte, 1, off), 1);
        assert_false(has(cache, "a", "twelve bytes", 12));
        byte ^= 0x10;
        assert_int_equal(pwrite(fd, &byte, 1, off), 1);
    }
    assert_true(has(cache, "a", "twelve bytes", 12));
    for (off_t size = st.st_size - 1; size >= 0; size--) {
        assert_int_equal(ftruncate(fd, size), 0);
        assert_false(has(cache, "a", "twelve bytes", 12));
    }
    close(fd);
    cache_close(cache);
}

TEST_WITH(a_file_that_others_may_write_is_not_used, make_root, cache_root_remove)
{
    struct cache *cache = open_cache();
    char path[PATH_MAX], other[PATH_MAX + 8];

    store(cache, "a", "one", 3);
    cache_close(cache);
    cache = open_cache();
    assert_true(only_file(path));
    assert_int_equal(chmod(path, 0620), 0);
    assert_false(has(cache, "a", "one", 3));
    assert_int_equal(chmod(path, 0600), 0);
    assert_true(has(cache, "a", "one", 3));
    /* ... nor one that a link leads to */
    snprintf(other, sizeof(other), "%s.moved", path);
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(symlink(other, path), 0);
    assert_false(has(cache, "a", "one", 3));
    cache_close(cache);
}

static void assert_no_cache(void)
{
    struct cache *cache;
    struct diag why = {.has_off = false};

    assert_int_equal(cache_open(&cache, &why), STATUS_NOT_FOUND);
    assert_true(why.what[0] != 0);
}

TEST_WITH(a_directory_that_is_not_ours_alone_is_not_used, make_root, cache_root_remove)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%.4000s/cgunwind", cache_root);
    assert_int_equal(mkdir(path, 0700), 0);
    cache_close(open_cache());
    assert_int_equal(chmod(path, 0770), 0);
    assert_no_cache();
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(symlink("/tmp", path), 0);
    assert_no_cache();
    assert_int_equal(unlink(path), 0);
    close(open(path, O_CREAT | O_WRONLY, 0600));
    assert_no_cache();
    assert_int_equal(unlink(path), 0);
    if (geteuid() != 0)
        return;
    /* A user's directory, which root finds. */
    assert_int_equal(chown(cache_root, 65534, (gid_t)-1), 0);
    assert_no_cache();
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(chown(cache_root, 0, (gid_t)-1), 0);
}

TEST_WITH(it_is_where_the_environment_says, make_root, cache_root_remove)
{
    char path[PATH_MAX];
    struct cache *cache;

    snprintf(path, sizeof(path), "%.4000s/given", cache_root);
    setenv("CGUNWIND_CACHE", path, 1);
    cache = open_cache();
    assert_string_equal(cache_directory(cache), path);
    cache_close(cache);
    assert_int_equal(access(path, F_OK), 0);
    setenv("CGUNWIND_CACHE", "", 1);
    assert_no_cache();
    setenv("CGUNWIND_CACHE", "given", 1);
    assert_no_cache();
    unsetenv("CGUNWIND_CACHE");
    setenv("XDG_CACHE_HOME", "not/absolute", 1);
    setenv("HOME", cache_root, 1);
    cache = open_cache();
    snprintf(path, sizeof(path), "%.4000s/.cache/cgunwind", cache_root);
    assert_string_equal(cache_directory(cache), path);
    cache_close(cache);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    assert_no_cache();
}

static void fill(uint8_t *body, unsigned writer)
{
    memset(body, (int)writer + 1, BODY);
}

/* Writers that store at one key at the same time, some of which are killed: one is whole. */
TEST_WITH(runs_at_the_same_time_do_not_harm_each_other, make_root, cache_root_remove)
{
    uint8_t *body = malloc(BODY);
    struct cache_key key;
    struct cache_view found;
    struct cache *cache;
    pid_t pids[WRITERS];

    for (unsigned i = 0; i < WRITERS; i++) {
        pids[i] = fork();
        if (pids[i])
            continue;
        fill(body, i);
        for (unsigned round = 0; round < ROUNDS; round++) {
            cache = open_cache();
            store(cache, "a", body, BODY);
            if (i % 2 && round == ROUNDS / 2)
                _exit(0); /* its helper goes on, or has what is not whole */
            cache_close(cache);
        }
        _exit(0);
    }
    for (unsigned i = 0; i < WRITERS; i++)
        waitpid(pids[i], NULL, 0);
    cache = open_cache();
    key = key_of(cache, "a");
    assert_int_equal(cache_load(cache, &key, &found), STATUS_OK);
    assert_int_equal(found.size, BODY);
    assert_in_range(found.bytes[0], 1, WRITERS);
    fill(body, found.bytes[0] - 1u);
    assert_memory_equal(found.bytes, body, BODY);
    cache_view_end(&found);
    cache_close(cache);
    free(body);
}

/* Whether it is there, of the file that `number` names. */
static bool is_there(unsigned number, uint64_t make_size, time_t used)
{
    char path[PATH_MAX];
    const struct timespec times[2] = {{.tv_sec = used}, {.tv_sec = used}};
    int fd;

    snprintf(path, sizeof(path), "%.4000s/cgunwind/%032x", cache_root, number);
    if (!make_size)
        return access(path, F_OK) == 0;
    fd = open(path, O_CREAT | O_WRONLY | O_EXCL, 0600);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)make_size), 0);
    assert_int_equal(futimens(fd, times), 0);
    close(fd);
    return true;
}

TEST_WITH(what_was_not_used_for_longest_goes_first, make_root, cache_root_remove)
{
    const uint64_t third = CACHE_SIZE_MAX / 3;
    struct cache *cache = open_cache();
    char leftover[PATH_MAX];

    for (unsigned i = 0; i < 5; i++)
        assert_true(is_there(i, third, 1000000 + (time_t)(i * 7 % 5)));
    snprintf(leftover, sizeof(leftover), "%.4000s/cgunwind/.new-1", cache_root);
    close(open(leftover, O_CREAT | O_WRONLY, 0600));
    assert_int_equal(utimensat(AT_FDCWD, leftover,
                               (const struct timespec[2]){{.tv_sec = 1000}, {.tv_sec = 1000}}, 0),
                     0);
    store(cache, "a", "one", 3);
    cache_close(cache);
    /* Used at 0, 2, 4, 1, 3: two thirds and what is new may stay. */
    assert_false(is_there(0, 0, 0) || is_there(3, 0, 0) || is_there(1, 0, 0));
    assert_true(is_there(4, 0, 0) && is_there(2, 0, 0));
    assert_int_equal(access(leftover, F_OK), -1);
    cache = open_cache();
    assert_true(has(cache, "a", "one", 3));
    cache_close(cache);
}

static uint64_t size_of_all(void)
{
    char path[PATH_MAX];
    struct dirent *entry;
    uint64_t size = 0;
    struct stat st;
    DIR *dir;

    snprintf(path, sizeof(path), "%.4000s/cgunwind", cache_root);
    dir = opendir(path);
    assert_non_null(dir);
    while ((entry = readdir(dir)))
        if (fstatat(dirfd(dir), entry->d_name, &st, 0) == 0 && S_ISREG(st.st_mode))
            size += (uint64_t)st.st_size;
    closedir(dir);
    return size;
}

TEST_WITH(one_run_never_has_more_than_there_may_be, make_root, cache_root_remove)
{
    const size_t size = CACHE_ENTRY_MAX - 4096;
    struct cache *cache = open_cache();
    uint8_t *bytes = calloc(1, size);

    for (unsigned i = 0; i < CACHE_SIZE_MAX / CACHE_ENTRY_MAX; i++)
        assert_true(is_there(i, CACHE_ENTRY_MAX, 1000000 + (time_t)i));
    store(cache, "a", bytes, size);
    store(cache, "b", bytes, size);
    store(cache, "c", bytes, size);
    cache_close(cache);
    assert_in_range(size_of_all(), 3 * size, CACHE_SIZE_MAX);
    cache = open_cache();
    assert_true(has(cache, "a", bytes, size) && has(cache, "c", bytes, size));
    cache_close(cache);
    free(bytes);
}

TEST_WITH(small_files_take_a_block_each, make_root, cache_root_remove)
{
    struct cache *cache = open_cache();
    unsigned there = 0;

    assert_true(is_there(0, CACHE_SIZE_MAX - CACHE_ENTRY_MAX - 64 * 1024, 2000000));
    for (unsigned i = 1; i <= 100; i++)
        assert_true(is_there(i, 1, 1000000 + (time_t)i));
    store(cache, "a", "one", 3);
    cache_close(cache);
    for (unsigned i = 1; i <= 100; i++)
        there += is_there(i, 0, 0);
    assert_in_range(there, 1, 16);
    assert_true(is_there(0, 0, 0) && is_there(100, 0, 0));
}

TEST_WITH(what_is_too_much_is_not_stored, make_root, cache_root_remove)
{
    struct cache *cache = open_cache();
    uint8_t *bytes = calloc(1, CACHE_ENTRY_MAX + 1);
    char path[PATH_MAX];

    store(cache, "a", bytes, CACHE_ENTRY_MAX + 1);
    cache_close(cache);
    assert_false(only_file(path));
    free(bytes);
}
