/* SPDX-License-Identifier: MIT */
/* Sections that were inflated in an earlier run, by an image with a cache. */
#include "cache_fixture.h"
#include "elf_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "cache/cache.h"

enum { PLAIN = 200000 };

static char path[PATH_MAX];
static uint8_t plain[PLAIN];

/* What cannot be compressed. */
static void fill_plain(void)
{
    uint32_t dice = 20261127;

    for (size_t i = 0; i < PLAIN; i++) {
        dice = dice * 1664525 + 1013904223;
        plain[i] = (uint8_t)(dice >> 24);
    }
}

enum build { WITH_ID, WITHOUT_ID };

static void make_file(enum build build)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    uLongf size = compressBound(PLAIN);
    uint8_t *packed = malloc(sizeof(Elf64_Chdr) + size);
    Elf64_Chdr header = {.ch_type = ELFCOMPRESS_ZLIB, .ch_size = PLAIN, .ch_addralign = 1};

    fill_plain();
    memcpy(packed, &header, sizeof(header));
    assert_int_equal(compress(packed + sizeof(header), &size, plain, PLAIN), Z_OK);
    fixture_text(elf, 16);
    if (build == WITH_ID)
        fixture_build_id(elf, 7);
    fixture_section(elf, ".debug_info", SHT_PROGBITS, SHF_COMPRESSED, packed,
                    sizeof(header) + size);
    fixture_finish(elf);
    free(packed);
    snprintf(path, sizeof(path), "%.4000s/file", cache_root);
    fixture_write(elf, path);
    free(elf);
}

/* Is .debug_info what it should be, by an image with a cache? */
static bool is_right(void)
{
    struct elf_section section;
    struct elf_image *image;
    struct cache *cache;
    struct diag why;
    bool right;

    assert_int_equal(elf_image_open(path, &image, &why), STATUS_OK);
    assert_int_equal(cache_open(&cache, &why), STATUS_OK);
    elf_image_set_cache(image, cache);
    right = elf_image_section(image, ".debug_info", &section) == STATUS_OK &&
            section.size == PLAIN && memcmp(section.bytes, plain, PLAIN) == 0;
    for (size_t i = 0; right && i < 8; i++) /* what parsers may read beyond the end */
        assert_int_equal(section.bytes[PLAIN + i], 0);
    elf_image_close(image);
    cache_close(cache);
    return right;
}

/* How many files the cache has, and the name of the last. */
static unsigned entries(char last[PATH_MAX])
{
    struct dirent *entry;
    unsigned count = 0;
    DIR *dir = opendir(cache_root);

    assert_non_null(dir);
    while ((entry = readdir(dir)))
        if (strlen(entry->d_name) == 32) {
            snprintf(last, PATH_MAX, "%.3800s/%s", cache_root, entry->d_name);
            count++;
        }
    closedir(dir);
    return count;
}

TEST_WITH(a_section_is_the_same_in_the_next_run, cache_root_make, cache_root_remove)
{
    char last[PATH_MAX];
    struct stat before, after;

    make_file(WITH_ID);
    assert_true(is_right());
    assert_int_equal(entries(last), 1);
    assert_int_equal(stat(last, &before), 0);
    assert_true(before.st_size > PLAIN);
    assert_true(is_right());
    assert_int_equal(entries(last), 1);
    assert_int_equal(stat(last, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino); /* it was not written again */
}

TEST_WITH(a_section_of_a_file_that_was_written_again_is_another_one, cache_root_make,
          cache_root_remove)
{
    char last[PATH_MAX];
    uint8_t byte;
    int fd;

    make_file(WITH_ID);
    assert_true(is_right());
    fd = open(path, O_RDWR);
    assert_int_equal(pread(fd, &byte, 1, PLAIN / 2), 1);
    byte ^= 1;
    assert_int_equal(pwrite(fd, &byte, 1, PLAIN / 2), 1);
    close(fd);
    assert_false(is_right());
    assert_int_equal(entries(last), 1);
}

TEST_WITH(a_section_of_a_file_without_build_id_is_not_kept, cache_root_make, cache_root_remove)
{
    char last[PATH_MAX];

    make_file(WITHOUT_ID);
    assert_true(is_right());
    assert_int_equal(entries(last), 0);
}
