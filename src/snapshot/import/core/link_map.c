/* SPDX-License-Identifier: MIT */
#include "snapshot/import/core/link_map.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define SCAN_BYTES    65536u /* bytes read at once */
#define TEXT_BYTES    256u
#define VERSION_MAX   2 /* r_version; 2 since glibc 2.35 */
#define LINK_WORDS    5 /* of struct link_map that are public */
#define ENTRY_WORDS   2 /* tag and value */
#define WORDS_AT_ONCE 5 /* the larger of the two */

/* Reads `count` words at `addr`; false: not all are in the core. */
static bool read_words(const struct core_image *image, uint64_t addr, uint64_t *out, unsigned count)
{
    const unsigned word = image->arch->word_size;
    uint8_t bytes[WORDS_AT_ONCE * 8];

    if (!core_image_read(image, addr, bytes, (size_t)count * word))
        return false;
    for (unsigned i = 0; i < count; i++) {
        out[i] = 0;
        memcpy(&out[i], bytes + (size_t)i * word, word);
    }
    return true;
}

enum status core_text_read(const struct core_image *image, uint64_t addr, struct arena *arena,
                           const char **out)
{
    char text[CORE_LINK_NAME_MAX];
    size_t len = 0;

    *out = "";
    while (addr && len < sizeof(text)) {
        const struct core_segment *segment = core_image_segment(image, addr + len);
        uint64_t end = segment ? core_segment_captured(image, segment) : 0;
        size_t part = TEXT_BYTES;
        const char *nul;

        if (addr + len >= end)
            return STATUS_OK;
        if (part > end - (addr + len))
            part = (size_t)(end - (addr + len));
        if (part > sizeof(text) - len)
            part = sizeof(text) - len;
        if (!core_image_read(image, addr + len, text + len, part))
            return STATUS_OK;
        nul = memchr(text + len, 0, part);
        if (nul) {
            *out = arena_join(arena, text, (size_t)(nul - text), "");
            return *out ? STATUS_OK : STATUS_NO_MEMORY;
        }
        len += part;
    }
    return STATUS_OK;
}

/*
 * Returns whether `debug_addr` is an r_debug whose first entry's dynamic section is in [first_addr,
 * last_addr].
 */
static bool leads_to_dynamic(const struct core_image *image, uint64_t debug_addr,
                             uint64_t first_addr, uint64_t last_addr)
{
    uint64_t debug[2], link[LINK_WORDS];

    /* r_version is an int, padded to a word */
    return read_words(image, debug_addr, debug, 2) && (uint32_t)debug[0] >= 1 &&
           (uint32_t)debug[0] <= VERSION_MAX && read_words(image, debug[1], link, LINK_WORDS) &&
           link[4] == 0 && link[2] >= first_addr && link[2] <= last_addr;
}

/* The first entry of a tag counts. */
static void take_entry(struct core_dynamic *dynamic, const uint64_t entry[ENTRY_WORDS])
{
    uint64_t *value = entry[0] == DT_STRTAB   ? &dynamic->names_addr
                      : entry[0] == DT_SONAME ? &dynamic->soname_off
                      : entry[0] == DT_DEBUG  ? &dynamic->debug_addr
                                              : NULL;

    if (value && !*value)
        *value = entry[1];
}

struct core_dynamic core_dynamic_read(const struct core_image *image, uint64_t dynamic_addr)
{
    const unsigned word = image->arch->word_size;
    const struct core_segment *segment = core_image_segment(image, dynamic_addr);
    uint64_t end = segment ? core_segment_captured(image, segment) : 0;
    struct core_dynamic dynamic = {0};
    uint8_t bytes[CORE_DYNAMIC_MAX * ENTRY_WORDS * 8];
    size_t size = (size_t)CORE_DYNAMIC_MAX * ENTRY_WORDS * word;

    if (!dynamic_addr || dynamic_addr >= end)
        return dynamic;
    if (size > end - dynamic_addr)
        size = (size_t)(end - dynamic_addr);
    if (!core_image_read(image, dynamic_addr, bytes, size))
        return dynamic;
    for (size_t at = 0; size - at >= (size_t)ENTRY_WORDS * word; at += (size_t)ENTRY_WORDS * word) {
        uint64_t entry[ENTRY_WORDS] = {0};

        memcpy(&entry[0], bytes + at, word);
        memcpy(&entry[1], bytes + at + word, word);
        if (entry[0] == DT_NULL)
            break;
        take_entry(&dynamic, entry);
    }
    return dynamic;
}

enum status core_soname_read(const struct core_image *image, const struct core_head *head,
                             const struct core_dynamic *dynamic, struct arena *arena,
                             const char **out)
{
    uint64_t names = dynamic->names_addr;

    *out = "";
    if (!names || !dynamic->soname_off)
        return STATUS_OK;
    /* glibc replaces the vaddr by the address. */
    if (names < head->addr)
        names += head->bias;
    return core_text_read(image, (names + dynamic->soname_off) & core_addr_mask(image), arena, out);
}

uint64_t core_debug_of(const struct core_image *image, uint64_t dynamic_addr,
                       const struct core_dynamic *dynamic)
{
    return dynamic->debug_addr &&
                   leads_to_dynamic(image, dynamic->debug_addr, dynamic_addr, dynamic_addr)
               ? dynamic->debug_addr
               : 0;
}

/*
 * Searches [addr, addr + size) for a DT_DEBUG that points to an r_debug whose first entry has a
 * dynamic section around it. Returns the r_debug's address; 0: none.
 */
static uint64_t scan_bytes(const struct core_image *image, uint64_t addr, const uint8_t *bytes,
                           size_t size, unsigned *tries)
{
    const unsigned word = image->arch->word_size;

    for (size_t at = 0; at + (size_t)2 * word <= size; at += word) {
        const uint64_t before = (uint64_t)CORE_DYNAMIC_MAX * ENTRY_WORDS * word;
        uint64_t tag = 0, value = 0, here = addr + at;

        memcpy(&tag, bytes + at, word);
        memcpy(&value, bytes + at + word, word);
        if (tag != DT_DEBUG || !value)
            continue;
        if ((*tries)++ == CORE_DEBUG_TRIES_MAX)
            break;
        if (leads_to_dynamic(image, value, here > before ? here - before : 0, here))
            return value;
    }
    return 0;
}

uint64_t core_debug_scan(const struct core_image *image)
{
    const unsigned word = image->arch->word_size;
    uint64_t left = CORE_DEBUG_SCAN_MAX, found = 0;
    uint8_t *bytes = malloc(SCAN_BYTES);
    unsigned tries = 0;

    for (size_t i = 0; bytes && i < image->count && left && !found && tries <= CORE_DEBUG_TRIES_MAX;
         i++) {
        const struct core_segment *segment = &image->segments[i];
        uint64_t addr = segment->start_addr, end = core_segment_captured(image, segment);

        if (segment->flags & PF_X)
            continue;
        if (end - addr > CORE_DEBUG_SCAN_PART)
            end = addr + CORE_DEBUG_SCAN_PART;
        while (addr < end && left && !found) {
            size_t size = end - addr < SCAN_BYTES ? (size_t)(end - addr) : SCAN_BYTES;

            if (!core_image_read(image, addr, bytes, size))
                break;
            found = scan_bytes(image, addr, bytes, size, &tries);
            left -= left < size ? left : size;
            /* An entry may cross the border of two reads. */
            addr += size > word && addr + size < end ? size - word : size;
        }
    }
    free(bytes);
    return found;
}

enum status core_links_read(const struct core_image *image, uint64_t debug_addr,
                            struct arena *arena, struct core_links *out)
{
    uint64_t debug[2], link[LINK_WORDS], addr, before = 0;
    enum status status = STATUS_OK;

    *out = (struct core_links){0};
    if (!debug_addr || !read_words(image, debug_addr, debug, 2))
        return STATUS_OK;
    for (addr = debug[1]; addr && status == STATUS_OK; addr = link[3]) {
        struct core_link *entry;

        if (out->count == CORE_LINKS_MAX || !read_words(image, addr, link, LINK_WORDS) ||
            link[4] != before) {
            out->is_damaged = true;
            out->damaged_addr = addr;
            return STATUS_OK;
        }
        if (vec_reserve(&out->list, &out->cap, out->count + 1, sizeof(*out->list)) != STATUS_OK)
            return STATUS_NO_MEMORY;
        entry = &out->list[out->count++];
        *entry = (struct core_link){.bias = link[0], .dynamic_addr = link[2]};
        status = core_text_read(image, link[1], arena, &entry->name);
        before = addr;
    }
    return status;
}

void core_links_free(struct core_links *links)
{
    free(links->list);
    *links = (struct core_links){0};
}
