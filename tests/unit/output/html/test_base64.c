/* SPDX-License-Identifier: MIT */
/* Bytes as text, as RFC 4648 has them. */
#include <string.h>

#include "golden_fixture.h"

#include "output/html/base64.h"

static void expect(const void *bytes, size_t size, const char *text)
{
    struct capture capture;

    base64_write(bytes, size, capture_begin(&capture));
    assert_captured(&capture, text);
}

TEST(base64_is_padded)
{
    expect("", 0, "");
    expect("f", 1, "Zg==\n");
    expect("fo", 2, "Zm8=\n");
    expect("foo", 3, "Zm9v\n");
    expect("foob", 4, "Zm9vYg==\n");
    expect("\xfb\xff\xfe\0", 4, "+//+AA==\n");
}

TEST(base64_has_lines_of_one_length)
{
    char bytes[91], text[200] = "";

    memset(bytes, 0, sizeof(bytes));
    memset(text, 'A', 120);
    strcat(text, "\n");
    expect(bytes, 90, text);
    strcat(text, "AA==\n");
    expect(bytes, 91, text);
}
