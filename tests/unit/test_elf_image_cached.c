/* SPDX-License-Identifier: MIT */
/* Sections that were inflated in an earlier run, by an image with a cache. */
#include "elf_fixture.h"

#include <limits.h>
#include <stdlib.h>

#include <zlib.h>

#include "cache/cache.h"

enum { PLAIN = 200000 };

static char where[PATH_MAX];
static uint8_t plain[PLAIN];

static int make_root(void **state)
{
    uint32_t dice = 20261127;

    (void)state;
    for (size_t i = 0; i < PLAIN; i++) {
        dice = dice * 1664525 + 1013904223;
        plain[i] = (uint8_t)(dice >> 24);
    }
    snprintf(where, sizeof(where), "%s", "/tmp/test_inflated-XXXXXX");
    return mkdtemp(where) ? setenv("CGUNWIND_CACHE", where, 1) : 1;
}

static int remove_root(void **state)
{
    char command[PATH_MAX + 16];

    (void)state;
    snprintf(command, sizeof(command), "rm -rf '%s'", where);
    return system(command);
}

struct changes {
    bool no_build_id;
    uint8_t build_id;
    bool other_section, damage; /* of the compressed bytes */
};

/* Is .debug_info what it should be, by an image with a cache? */
static bool is_right(const struct changes *changes)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    uLongf size = compressBound(PLAIN);
    uint8_t *packed = malloc(sizeof(Elf64_Chdr) + size);
    Elf64_Chdr header = {.ch_type = ELFCOMPRESS_ZLIB, .ch_size = PLAIN, .ch_addralign = 1};
    struct elf_section section;
    struct elf_image *image;
    struct cache *cache;
    struct diag why;
    bool right;

    memcpy(packed, &header, sizeof(header));
    assert_int_equal(compress(packed + sizeof(header), &size, plain, PLAIN), Z_OK);
    if (changes->damage)
        packed[PLAIN / 2] ^= 1;
    fixture_text(elf, 16);
    if (!changes->no_build_id)
        fixture_build_id(elf, changes->build_id);
    if (changes->other_section)
        fixture_section(elf, ".other", SHT_PROGBITS, 0, "x", 1);
    fixture_section(elf, ".debug_info", SHT_PROGBITS, SHF_COMPRESSED, packed,
                    sizeof(header) + size);
    fixture_finish(elf);
    free(packed);
    image = fixture_open(elf);
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

/* That a file's damage is not noticed shows where the section comes from. */
static void a_section_is_inflated_once_in_all_runs(void **state)
{
    const struct changes none = {.build_id = 7}, damage = {.build_id = 7, .damage = true};

    (void)state;
    assert_false(is_right(&damage)); /* nothing is kept of it */
    assert_true(is_right(&none));
    assert_true(is_right(&none));
    assert_true(is_right(&damage));
}

static void a_section_of_another_file_is_another_one(void **state)
{
    const struct changes none = {.build_id = 7};
    const struct changes others[] = {
        {.build_id = 8, .damage = true},
        {.build_id = 7, .other_section = true, .damage = true},
        {.no_build_id = true, .damage = true},
    };

    (void)state;
    assert_true(is_right(&none));
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        assert_false(is_right(&others[i]));
}

int main(void)
{
#define IN_ROOT(test) cmocka_unit_test_setup_teardown(test, make_root, remove_root)
    const struct CMUnitTest tests[] = {
        IN_ROOT(a_section_is_inflated_once_in_all_runs),
        IN_ROOT(a_section_of_another_file_is_another_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
