/* SPDX-License-Identifier: MIT */
/* This program's own constants, some words of which are addresses. */
#include "symbol/elf/settled_data.h"

#include <link.h>
#include <string.h>

#include "unit_test.h"

struct entry {
    const char *name;
    long number, other;
};

static const struct entry entries[] = {{"first", 7, 8}, {"second", -3, 4}};
static long may_change = 5;

static int own_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
    (void)size;
    *(uint64_t *)bias = info->dlpi_addr;
    return 1; /* the first is the program */
}

static uint64_t vaddr_of(const void *object)
{
    uint64_t bias = 0;

    dl_iterate_phdr(own_bias, &bias);
    return (uintptr_t)object - bias;
}

TEST(words_are_sure_but_for_addresses)
{
    struct elf_image *image;
    struct settled_data *settled;
    const uint64_t first = vaddr_of(&entries[0]), second = vaddr_of(&entries[1]);
    const uint64_t word = sizeof(long), end = second + sizeof(entries[1]);

    assert_int_equal(elf_image_open("/proc/self/exe", &image, NULL), STATUS_OK);
    if (elf_image_type(image) != ET_DYN) { /* then no word is relocated */
        elf_image_close(image);
        skip();
    }
    assert_int_equal(settled_data_create(image, &settled), STATUS_OK);
    elf_image_close(image);
    assert_int_equal(settled_data_count(settled, first, word), 0);
    assert_int_equal(settled_data_count(settled, first + word, word), word);
    assert_int_equal(settled_data_count(settled, first + word, 2 * word), 2 * word);
    /* Up to the next name; and from within a word. */
    assert_int_equal(settled_data_count(settled, first + word, 100 * word), 2 * word);
    assert_int_equal(settled_data_count(settled, first + word + 1, 100 * word), 2 * word - 1);
    assert_int_equal(settled_data_count(settled, first + word - 1, word), 0);
    assert_int_equal(settled_data_count(settled, second, word), 0);
    assert_int_equal(settled_data_count(settled, end - word, word), word);
    assert_int_equal(settled_data_count(settled, vaddr_of(&may_change), word), 0);
    assert_int_equal(settled_data_count(settled, vaddr_of(entries[0].name), 1), 0);
    assert_int_equal(settled_data_count(settled, 0, UINT64_MAX), 0);
    assert_int_equal(settled_data_count(settled, UINT64_MAX, UINT64_MAX), 0);
    settled_data_destroy(settled);
}

static int find_linker(struct dl_phdr_info *info, size_t size, void *path)
{
    (void)size;
    if (strstr(info->dlpi_name, "/ld-"))
        *(const char **)path = info->dlpi_name;
    return 0;
}

TEST(variables_of_the_dynamic_linker_are_not_sure)
{
    struct elf_image *image;
    struct settled_data *settled;
    const char *path = NULL;

    dl_iterate_phdr(find_linker, &path);
    if (!path)
        skip();
    assert_int_equal(elf_image_open(path, &image, NULL), STATUS_OK);
    assert_int_equal(settled_data_create(image, &settled), STATUS_NOT_FOUND);
    elf_image_close(image);
}
