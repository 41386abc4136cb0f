/* SPDX-License-Identifier: MIT */
#include "symbol/debug_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc32.h"
#include "base/cursor.h"
#include "fetch/fetcher.h"
#include "fetch/live.h"
#include "symbol/offers.h"
#include "symbol/target_path.h"

static bool same_build_id(const struct elf_image *image, const uint8_t *id, size_t size)
{
    size_t got_size;
    const uint8_t *got = elf_image_build_id(image, &got_size);

    return got_size == size && memcmp(got, id, size) == 0;
}

/* Opens a candidate and checks that it is of the same architecture. */
static enum status open_candidate(const char *path, const struct arch *arch, struct elf_image **out)
{
    enum status status = elf_image_open(path, out, NULL);

    if (status == STATUS_OK && elf_image_arch(*out) != arch) {
        elf_image_close(*out);
        status = STATUS_NOT_FOUND;
    }
    return status == STATUS_OK || status == STATUS_NO_MEMORY ? status : STATUS_NOT_FOUND;
}

/* A search for a module's debug file. */
struct debug_search {
    const struct module_options *options;
    const struct module *module;
    struct elf_image *image;
};

/* Opens `path` in the root of the module's live process. NOT_FOUND: there is none. */
static enum status open_live(const struct debug_search *search, const char *path,
                             const struct arch *arch, struct elf_image **out)
{
    const struct live_file file = {.pid = search->module->file.origin.pid, .path = path};
    const int fd = search->module->image_place == IMAGE_LIVE && path[0] == '/'
                       ? live_open(search->options->live, &file, LIVE_IN_ROOT)
                       : -1;

    if (fd < 0 || elf_image_open_fd(fd, path, out, NULL) != STATUS_OK)
        return STATUS_NOT_FOUND;
    if (elf_image_arch(*out) == arch)
        return STATUS_OK;
    elf_image_close(*out);
    return STATUS_NOT_FOUND;
}

static enum status open_with_build_id(const char *path, const struct arch *arch, const uint8_t *id,
                                      size_t id_size, struct elf_image **out)
{
    enum status status = path ? open_candidate(path, arch, out) : STATUS_NOT_FOUND;

    if (status == STATUS_OK && !same_build_id(*out, id, id_size)) {
        elf_image_close(*out);
        status = STATUS_NOT_FOUND;
    }
    return status;
}

/* Debug directory number `index`, as a path on this machine, malloc'ed; NULL: no more. */
static char *debug_dir(const struct module_options *options, size_t index)
{
    if (options->debug_dir_count > 0)
        return index < options->debug_dir_count ? strdup(options->debug_dirs[index]) : NULL;
    if (index > 0)
        return NULL;
    return options->sysroot ? path_joined(options->sysroot, "/usr/lib/debug", "")
                            : strdup("/usr/lib/debug");
}

static enum status open_live_with_build_id(const struct debug_search *search, const char *path,
                                           const struct arch *arch, const uint8_t *id,
                                           size_t id_size, struct elf_image **out)
{
    enum status status = path ? open_live(search, path, arch, out) : STATUS_NOT_FOUND;

    if (status == STATUS_OK && !same_build_id(*out, id, id_size)) {
        elf_image_close(*out);
        status = STATUS_NOT_FOUND;
    }
    return status;
}

/* DIR/.build-id/ab/cdef….debug */
static enum status open_by_build_id(const struct debug_search *search, const struct arch *arch,
                                    const uint8_t *id, size_t id_size, struct elf_image **out)
{
    const struct module_options *options = search->options;
    enum status status = STATUS_NOT_FOUND;
    char hex[BUILD_ID_HEX_MAX], tail[BUILD_ID_HEX_MAX + 32];
    char *dir;

    if (id_size < 2)
        return STATUS_NOT_FOUND;
    build_id_hex(id, id_size, hex);
    snprintf(tail, sizeof(tail), "/.build-id/%.2s/%s.debug", hex, hex + 2);
    for (size_t i = 0; status == STATUS_NOT_FOUND && (dir = debug_dir(options, i)) != NULL; i++) {
        char *path = path_joined(dir, tail, "");

        status = open_with_build_id(path, arch, id, id_size, out);
        if (status == STATUS_NOT_FOUND)
            status = open_live_with_build_id(search, path, arch, id, id_size, out);
        free(path);
        free(dir);
    }
    return status;
}

struct debug_link {
    const char *name; /* without directory, in the image */
    uint32_t crc;
};

/* .gnu_debuglink: a name, padding to a multiple of four, the CRC-32 of the debug file's content. */
static bool read_debug_link(struct elf_image *image, struct debug_link *link)
{
    struct elf_section section;
    struct cursor c;

    if (elf_image_section(image, ".gnu_debuglink", &section) != STATUS_OK || !section.bytes)
        return false;
    c = cursor_init(section.bytes, (size_t)section.size);
    return cursor_string(&c, &link->name) && cursor_skip(&c, -(uint64_t)c.pos & 3) &&
           cursor_u32(&c, &link->crc) && link->name[0] != '\0' && !strchr(link->name, '/');
}

/* Compares build-ids where both files have one; else the CRC, of what may be a gigabyte. */
static bool link_matches(struct elf_image *image, struct elf_image *debug, uint32_t crc)
{
    size_t id_size, debug_id_size, size;
    const uint8_t *id = elf_image_build_id(image, &id_size), *bytes;

    elf_image_build_id(debug, &debug_id_size);
    if (id_size > 0 && debug_id_size > 0)
        return same_build_id(debug, id, id_size);
    bytes = elf_image_file_bytes(debug, &size);
    return crc32_update(0, bytes, size) == crc;
}

static enum status try_link(const struct debug_search *search, const char *path, uint32_t crc,
                            struct elf_image **out)
{
    const struct arch *arch = elf_image_arch(search->image);
    enum status status = path ? open_candidate(path, arch, out) : STATUS_NOT_FOUND;

    for (int i = 0; i < 2; i++) {
        if (status == STATUS_OK && !link_matches(search->image, *out, crc)) {
            elf_image_close(*out);
            status = STATUS_NOT_FOUND;
        }
        if (status == STATUS_NOT_FOUND && i == 0 && path)
            status = open_live(search, path, arch, out);
    }
    return status;
}

/* The directory part with its '/', malloc'ed. */
static char *directory(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("");
}

/* Beside the file, and in .debug/ there. */
static enum status link_beside(const struct debug_search *search, const struct debug_link *link,
                               struct elf_image **out)
{
    struct elf_image *image = search->image;
    static const char *const places[] = {"", ".debug/"};
    enum status status = STATUS_NOT_FOUND;
    char *dir = directory(elf_image_path(image));

    for (size_t i = 0; dir && status == STATUS_NOT_FOUND && i < 2; i++) {
        char *path = path_joined(dir, places[i], link->name);

        /* A file that names itself is not its own debug file. */
        if (path && strcmp(path, elf_image_path(image)) != 0)
            status = try_link(search, path, link->crc, out);
        free(path);
    }
    free(dir);
    return status;
}

/* DEBUG-DIR/directory-of-the-file-on-the-target/name */
static enum status link_in_debug_dirs(const struct debug_search *search,
                                      const struct debug_link *link, struct elf_image **out)
{
    enum status status = STATUS_NOT_FOUND;
    char *below = directory(search->module->file.path), *dir;

    if (!below || below[0] != '/') {
        free(below);
        return STATUS_NOT_FOUND;
    }
    for (size_t i = 0; status == STATUS_NOT_FOUND && (dir = debug_dir(search->options, i)) != NULL;
         i++) {
        char *path = NULL;

        if (asprintf(&path, "%s%s%s", dir, below, link->name) < 0)
            path = NULL;
        status = try_link(search, path, link->crc, out);
        free(path);
        free(dir);
    }
    free(below);
    return status;
}

/* Asks a debuginfod server, if there is a fetcher. */
static enum status fetch(const struct module_options *options, const struct arch *arch,
                         const uint8_t *id, size_t id_size, struct elf_image **out)
{
    char *path = options->fetcher ? fetcher_find(options->fetcher, FETCH_DEBUG, id, id_size) : NULL;
    enum status status = open_with_build_id(path, arch, id, id_size, out);

    free(path);
    return status;
}

/* Opens the debug file that the input carries, checked as any other. */
static enum status open_offered(const struct debug_search *search, struct elf_image **out)
{
    const struct offer wanted = offer_wanted(OFFER_DEBUG, &search->module->file);
    enum status status = offers_open(search->options->offers, &wanted, out, NULL);
    struct debug_link link;
    size_t id_size;
    const uint8_t *id = elf_image_build_id(search->image, &id_size);

    if (status != STATUS_OK)
        return status == STATUS_NO_MEMORY ? status : STATUS_NOT_FOUND;
    if (elf_image_arch(*out) == elf_image_arch(search->image) &&
        ((id_size && same_build_id(*out, id, id_size)) ||
         (read_debug_link(search->image, &link) && link_matches(search->image, *out, link.crc))))
        return STATUS_OK;
    elf_image_close(*out);
    return STATUS_NOT_FOUND;
}

static enum status open_offered_shared(const struct module_options *options,
                                       const struct arch *arch, const uint8_t *id, size_t id_size,
                                       struct elf_image **out)
{
    const struct offer wanted = {.kind = OFFER_SHARED,
                                 .build_id = id,
                                 .build_id_size = id_size,
                                 .path = ""};
    enum status status = offers_open(options->offers, &wanted, out, NULL);

    if (status != STATUS_OK)
        return status == STATUS_NO_MEMORY ? status : STATUS_NOT_FOUND;
    if (elf_image_arch(*out) == arch && same_build_id(*out, id, id_size))
        return STATUS_OK;
    elf_image_close(*out);
    return STATUS_NOT_FOUND;
}

enum status debug_file_open(const struct module_options *options, const struct module *module,
                            struct elf_image *image, struct elf_image **out)
{
    const struct debug_search search = {.options = options, .module = module, .image = image};
    struct debug_link link;
    size_t id_size;
    const uint8_t *id = elf_image_build_id(image, &id_size);
    enum status status = open_offered(&search, out);

    if (status == STATUS_NOT_FOUND)
        status = open_by_build_id(&search, elf_image_arch(image), id, id_size, out);
    if (status == STATUS_NOT_FOUND && read_debug_link(image, &link)) {
        status = link_beside(&search, &link, out);
        if (status == STATUS_NOT_FOUND)
            status = link_in_debug_dirs(&search, &link, out);
    }
    return status == STATUS_NOT_FOUND ? fetch(options, elf_image_arch(image), id, id_size, out)
                                      : status;
}

/* Path of the shared file on the target, malloc'ed; a relative one starts at the debug file. */
static char *shared_path(const struct elf_image *debug, const char *name)
{
    char *dir, *path;

    if (name[0] == '/')
        return strdup(name);
    dir = directory(elf_image_path(debug));
    path = dir ? path_joined(dir, name, "") : NULL;
    free(dir);
    return path;
}

/* .gnu_debugaltlink: a path, then the build-id of the file. */
enum status debug_file_open_shared(const struct module_options *options,
                                   const struct module *module, struct elf_image *debug,
                                   struct elf_image **out)
{
    const struct debug_search search = {.options = options, .module = module, .image = debug};
    const struct arch *arch = elf_image_arch(debug);
    struct elf_section section;
    const uint8_t *id;
    enum status status;
    struct cursor c;
    const char *name;
    char *path, *here;
    size_t id_size;

    if (elf_image_section(debug, ".gnu_debugaltlink", &section) != STATUS_OK || !section.bytes)
        return STATUS_NOT_FOUND;
    c = cursor_init(section.bytes, (size_t)section.size);
    if (!cursor_string(&c, &name) || cursor_left(&c) == 0 || cursor_left(&c) > 64)
        return STATUS_NOT_FOUND;
    id = c.data + c.pos;
    id_size = cursor_left(&c);
    status = open_offered_shared(options, arch, id, id_size, out);
    if (status != STATUS_NOT_FOUND)
        return status;
    path = shared_path(debug, name);
    here = path && name[0] == '/' ? target_path(options->sysroot, path) : NULL;
    status = open_with_build_id(name[0] == '/' ? here : path, arch, id, id_size, out);
    if (status == STATUS_NOT_FOUND)
        status = open_live_with_build_id(&search, path, arch, id, id_size, out);
    free(here);
    free(path);
    if (status == STATUS_NOT_FOUND)
        status = open_by_build_id(&search, arch, id, id_size, out);
    return status == STATUS_NOT_FOUND ? fetch(options, arch, id, id_size, out) : status;
}
