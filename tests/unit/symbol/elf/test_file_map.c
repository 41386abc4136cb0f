/* SPDX-License-Identifier: MIT */
#include "elf_fixture.h"

#include <unistd.h>

#include "symbol/elf/file_map.h"

static void write_file(char *path, size_t size)
{
    int fd = mkstemp(path);
    uint8_t *bytes = malloc(size);

    assert_true(fd >= 0 && bytes);
    memset(bytes, 'x', size);
    assert_int_equal(write(fd, bytes, size), size);
    free(bytes);
    close(fd);
}

TEST(file_map_is_followed_by_zeroes)
{
    static const size_t sizes[] = {1, 4095, 4096, 4097, 8192};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        char path[] = "/tmp/file_map_XXXXXX";
        struct file_map map;
        struct diag diag;

        write_file(path, sizes[i]);
        assert_int_equal(file_map_open(path, &map, &diag), STATUS_OK);
        assert_int_equal(map.size, sizes[i]);
        assert_int_equal(map.bytes[map.size - 1], 'x');
        for (size_t k = 0; k < 64; k++)
            assert_int_equal(map.bytes[map.size + k], 0);
        file_map_close(&map);
        assert_null(map.bytes);
        unlink(path);
    }
}

TEST(file_map_copy_is_followed_by_zeroes)
{
    struct file_map map;

    assert_int_equal(file_map_copy("abc", 3, &map), STATUS_OK);
    assert_memory_equal(map.bytes, "abc\0\0\0", 6);
    file_map_close(&map);
    assert_int_equal(file_map_copy(NULL, 0, &map), STATUS_OK);
    assert_int_equal(map.size, 0);
    file_map_close(&map);
}

TEST(file_map_of_an_empty_or_absent_file_is_refused)
{
    char path[] = "/tmp/file_map_XXXXXX";
    struct file_map map;
    struct diag diag;

    close(mkstemp(path));
    assert_int_equal(file_map_open(path, &map, &diag), STATUS_BAD_DATA);
    assert_string_equal(diag.what, "not an ELF file");
    unlink(path);
    assert_int_equal(file_map_open(path, &map, &diag), STATUS_IO);
    assert_string_equal(diag.what, "cannot be opened: No such file or directory");
}
