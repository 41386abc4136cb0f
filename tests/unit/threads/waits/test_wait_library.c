/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "unit_test.h"
#include "threads/waits/wait_library.h"

static unsigned version_in(const char *text)
{
    return glibc_version_in((const uint8_t *)text, strlen(text));
}

TEST(version_is_read_from_what_glibc_says_of_itself)
{
    assert_int_equal(version_in("GNU C Library (Debian GLIBC 2.36-9+deb12u14) stable release "
                                "version 2.36.\nCopyright"),
                     36);
    assert_int_equal(version_in("GNU C Library (Debian GLIBC 2.24-11+deb9u4) stable release version"
                                " 2.24, by Roland McGrath et al.\n"),
                     24);
    assert_int_equal(version_in(
                         "GNU C Library (GNU libc) development release version 2.41.9000.\n"),
                     41);
    assert_int_equal(version_in("GNU C Library (crosstool-NG) stable release version 2.9, by"), 9);
}

TEST(version_is_looked_for_behind_what_only_begins_like_it)
{
    assert_int_equal(version_in("GNU C Library (see there) and a GNU C Library (x) stable release "
                                "version 2.31."),
                     31);
}

TEST(version_of_nothing_or_of_half_a_line_is_not_known)
{
    static const char whole[] = "GNU C Library (x) stable release version 2.36.";
    char far[600] = "GNU C Library (";

    assert_int_equal(version_in(""), 0);
    assert_int_equal(version_in("GNU C Library"), 0);
    assert_int_equal(version_in("stable release version 2.36."), 0);
    assert_int_equal(version_in("GNU C Library (x) stable release version 3.1."), 0);
    for (size_t len = 0; len < sizeof(whole) - 4; len++)
        assert_int_equal(glibc_version_in((const uint8_t *)whole, len), 0);
    memset(far + 15, ' ', sizeof(far) - 15);
    memcpy(far + 500, "release version 2.36.", 22);
    assert_int_equal(version_in(far), 0);
}
