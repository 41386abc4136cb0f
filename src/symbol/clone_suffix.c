/* SPDX-License-Identifier: MIT */
#include "symbol/clone_suffix.h"

#include <stdbool.h>
#include <string.h>

struct clone_suffix {
    const char *text;
    bool renames;  /* the function itself, under another name */
    bool numbered; /* counts only with a number behind it */
};

static const struct clone_suffix suffixes[] = {
    {".constprop", false, true}, {".part", false, true},    {".isra", false, true},
    {".cold", false, false},     {".lto_priv", true, true}, {".llvm", true, true},
};

/* Where ".NUMBER" at the end begins; `len`: there is none. */
static size_t before_number(const char *name, size_t len)
{
    size_t at = len;

    while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9')
        at--;
    return at > 0 && at < len && name[at - 1] == '.' ? at - 1 : len;
}

/* The length without the last suffix; `len`: there is none. */
static size_t strip_one(const char *name, size_t len, bool renames)
{
    const size_t end = before_number(name, len);

    for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
        const struct clone_suffix *suffix = &suffixes[i];
        const size_t size = strlen(suffix->text);

        if ((!suffix->renames || renames) && (!suffix->numbered || end < len) && size < end &&
            memcmp(name + end - size, suffix->text, size) == 0)
            return end - size;
    }
    return len;
}

static size_t strip(const char *name, bool renames)
{
    size_t len = strlen(name), shorter = len;

    do {
        len = shorter;
        shorter = strip_one(name, len, renames);
    } while (shorter < len);
    return len;
}

size_t clone_suffix_strip(const char *name)
{
    return strip(name, true);
}

size_t clone_suffix_strip_parts(const char *name)
{
    return strip(name, false);
}
