/* SPDX-License-Identifier: MIT */
/*
 *     'A'
 *     length, vendor NUL          of each vendor; the length counts from itself on
 *         tag, size               1: of the file; the size counts from the tag on
 *             tag, value …        a text where the tag is odd, else a number
 */
#include "symbol/elf/attributes.h"

#include <string.h>

#include "base/cursor.h"

#define FORMAT_VERSION 'A'
#define TAG_FILE       1

/* Sets *out to the rest of a part of `size` bytes from `start` on; moves the cursor behind it. */
static bool take(struct cursor *c, size_t start, uint32_t size, struct cursor *out)
{
    const size_t read = c->pos - start;
    const uint8_t *bytes;

    if (size < read || !cursor_bytes(c, size - read, &bytes))
        return false;
    *out = cursor_init(bytes, size - read);
    return true;
}

static const char *find_tag(struct cursor *c, uint64_t wanted)
{
    uint64_t tag, number;
    const char *text;

    while (cursor_uleb(c, &tag)) {
        if (tag % 2 == 0) {
            if (!cursor_uleb(c, &number))
                return NULL;
            continue;
        }
        if (!cursor_string(c, &text))
            return NULL;
        if (tag == wanted)
            return text;
    }
    return NULL;
}

static const char *find_of_file(struct cursor *c, uint64_t wanted)
{
    for (;;) {
        const size_t start = c->pos;
        struct cursor attributes;
        const char *text = NULL;
        uint64_t tag;
        uint32_t size;

        if (!cursor_uleb(c, &tag) || !cursor_u32(c, &size) || !take(c, start, size, &attributes))
            return NULL;
        if (tag == TAG_FILE)
            text = find_tag(&attributes, wanted);
        if (text)
            return text;
    }
}

const char *elf_attribute_text(struct elf_image *image, const char *section, const char *vendor,
                               uint64_t tag)
{
    struct elf_section found;
    struct cursor c, of_vendor;
    uint8_t version;

    if (elf_image_section(image, section, &found) != STATUS_OK || !found.bytes)
        return NULL;
    c = cursor_init(found.bytes, (size_t)found.size);
    if (!cursor_u8(&c, &version) || version != FORMAT_VERSION)
        return NULL;
    for (;;) {
        const size_t start = c.pos;
        const char *name, *text = NULL;
        uint32_t size;

        if (!cursor_u32(&c, &size) || !take(&c, start, size, &of_vendor))
            return NULL;
        if (cursor_string(&of_vendor, &name) && strcmp(name, vendor) == 0)
            text = find_of_file(&of_vendor, tag);
        if (text)
            return text;
    }
}
