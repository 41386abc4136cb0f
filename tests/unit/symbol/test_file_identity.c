/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "unit_test.h"
#include "symbol/file_identity.h"

static const uint8_t ids[2][4] = {{1, 2, 3, 4}, {1, 2, 3, 5}};

static bool are_equal(struct file_identity a, struct file_identity b)
{
    const bool equal = file_identity_equals(&a, &b);

    assert_int_equal(equal, file_identity_equals(&b, &a));
    if (equal)
        assert_int_equal(file_identity_hash(&a, 1), file_identity_hash(&b, 1));
    return equal;
}

TEST(file_identity_with_build_id_is_path_and_build_id)
{
    const struct file_identity a = {.path = "/a", .build_id = ids[0], .build_id_size = 4};
    struct file_identity b = a;

    b.deleted = true;
    b.origin.inode = 7;
    assert_true(are_equal(a, b));
    b.build_id = ids[1];
    assert_false(are_equal(a, b));
    b.build_id_size = 3;
    assert_false(are_equal(a, b));
    b = a;
    b.path = "/b";
    assert_false(are_equal(a, b));
}

TEST(file_identity_without_build_id_tells_a_deleted_file_apart)
{
    const struct file_identity a = {.path = "/a"};
    struct file_identity b = {.path = "/a", .origin.inode = 7, .process = 1};

    assert_true(are_equal(a, b));
    b.deleted = true;
    assert_false(are_equal(a, b));
}

TEST(file_identity_that_is_exact_is_of_one_file_and_process)
{
    const struct file_identity a = {.path = "/a",
                                    .is_exact = true,
                                    .process = 1,
                                    .origin = {.dev = 5, .inode = 6}};
    struct file_identity b = a;

    b.origin.start_addr = 4096;
    assert_true(are_equal(a, b));
    b.process = 2;
    assert_false(are_equal(a, b));
    b = a;
    b.origin.inode = 7;
    assert_false(are_equal(a, b));
    b = a;
    b.is_exact = false;
    assert_false(are_equal(a, b));
}

TEST(file_identity_copy_owns_path_and_build_id)
{
    char path[] = "/a";
    uint8_t id[4] = {1, 2, 3, 4};
    const struct file_identity from = {.path = path, .build_id = id, .build_id_size = 4};
    struct file_identity copy;

    assert_int_equal(file_identity_copy(&from, &copy), STATUS_OK);
    path[1] = 'b';
    id[3] = 5;
    assert_string_equal(copy.path, "/a");
    assert_memory_equal(copy.build_id, ids[0], 4);
    file_identity_deinit(&copy);
}

TEST(build_id_hex_is_cut_at_its_most_bytes)
{
    static const uint8_t long_id[BUILD_ID_MAX + 1] = {0xab};
    char hex[BUILD_ID_HEX_MAX];

    assert_string_equal(build_id_hex(ids[0], 4, hex), "01020304");
    assert_string_equal(build_id_hex(NULL, 0, hex), "");
    assert_int_equal(strlen(build_id_hex(long_id, sizeof(long_id), hex)), 2 * BUILD_ID_MAX);
}
