/* SPDX-License-Identifier: MIT */
#include "threads/waits/wait_library.h"

#include <string.h>

#include "threads/waits/wait_glibc.h"
#include "threads/waits/wait_private.h"

/* Bytes of a file's constants and code to search: glibc has 2 MiB of both. */
#define SEARCH_MAX (UINT64_C(64) << 20)
#define LINE_MAX   256 /* bytes of the banner, which begins with the builder's name */

static unsigned version_in_line(const char *line, size_t size)
{
    static const char before[] = "release version 2.";
    const char *at = memmem(line, size, before, sizeof(before) - 1);
    unsigned version = 0;

    for (at = at ? at + sizeof(before) - 1 : line + size;
         at < line + size && *at >= '0' && *at <= '9' && version < 100; at++)
        version = 10 * version + (unsigned)(*at - '0');
    return version;
}

unsigned glibc_version_in(const uint8_t *bytes, uint64_t size)
{
    static const char begin[] = "GNU C Library (";
    const char *at = (const char *)bytes, *end = at + size;
    unsigned version = 0;

    while (!version && (at = memmem(at, (size_t)(end - at), begin, sizeof(begin) - 1))) {
        version = version_in_line(at, end - at < LINE_MAX ? (size_t)(end - at) : LINE_MAX);
        at++;
    }
    return version;
}

static unsigned version_of_image(const struct elf_image *image)
{
    uint64_t left = SEARCH_MAX;
    size_t count;
    const struct elf_segment *segments = elf_image_segments(image, &count);
    unsigned version = 0;

    for (size_t i = 0; i < count && !version; i++) {
        uint64_t size;
        const uint8_t *bytes = elf_image_bytes_at(image, segments[i].vaddr, &size);

        if (!bytes || (segments[i].prot & 2))
            continue;
        if (size > left)
            size = left;
        left -= size;
        version = glibc_version_in(bytes, size);
    }
    return version;
}

static enum status version_of_module(struct waits *waits, struct module *module, unsigned *out)
{
    struct waits_private *p = waits->private;
    uint64_t *known = map_put(&p->versions, module->id, UINT64_MAX);

    if (!known)
        return STATUS_NO_MEMORY;
    if (*known == UINT64_MAX)
        *known = module_open(p->modules, module) == STATUS_OK ? version_of_image(module->image) : 0;
    *out = (unsigned)*known;
    if (!glibc_is_known(*out) && !p->strange) {
        p->strange = module;
        p->strange_version = *out;
    }
    return STATUS_OK;
}

enum status wait_glibc_version(struct finding *finding, unsigned *out)
{
    const struct address_space *space = finding->given->space;
    enum status status = STATUS_OK;

    *out = 0;
    for (size_t i = 0; i < space->count && !*out && status == STATUS_OK; i++)
        if (wait_functions_library(space->mappings[i].module) == LIBRARY_GLIBC)
            status = version_of_module(finding->waits, space->mappings[i].module, out);
    return status;
}

bool waits_strange_library(const struct waits *waits, struct diag *why)
{
    const struct waits_private *p = waits->private;

    if (!p->strange)
        return false;
    diag_set(why, p->strange->file.path,
             "is glibc 2.%u, whose locks are not known: 2.%u to 2.%u are", p->strange_version,
             GLIBC_OLDEST, GLIBC_NEWEST);
    diag_hint(why, "of its locks only what their memory makes sure is told");
    return true;
}
