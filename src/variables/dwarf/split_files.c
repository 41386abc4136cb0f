/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/split_files.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cursor.h"
#include "base/in_file.h"
#include "base/vec.h"
#include "symbol/module_set.h"

static enum status add(struct split_files *files, struct elf_image *image)
{
    struct debug_file *file;

    if (files->count == DEBUG_FILES_MAX)
        return STATUS_NOT_FOUND;
    if (vec_reserve(&files->list, &files->cap, files->count + 1, sizeof(*files->list)) !=
            STATUS_OK ||
        vec_reserve(&files->images, &files->image_cap, files->count + 1,
                    sizeof(struct elf_image *)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    file = &files->list[files->count];
    *file = (struct debug_file){0};
    if (image && debug_file_of(image, file) != STATUS_OK)
        return STATUS_NO_MEMORY;
    files->images[files->count++] = image;
    return STATUS_OK;
}

static struct elf_image *open_image(const struct split_files *files, int fd, const char *path)
{
    struct elf_image *image;

    if (fd < 0 || elf_image_open_fd(fd, path, &image, NULL) != STATUS_OK)
        return NULL;
    if (elf_image_arch(image) == elf_image_arch(files->main))
        return image;
    elf_image_close(image);
    return NULL;
}

/* Opens a file beside one of ours, by a path on this machine. */
static struct elf_image *open_beside(const struct split_files *files, const char *path)
{
    return open_image(files, in_file_open(path), path);
}

static enum status add_package(struct split_files *files, const char *path)
{
    struct elf_image *image;
    enum status status;
    char *package;

    if (asprintf(&package, "%s.dwp", path) < 0)
        return STATUS_NO_MEMORY;
    image = open_beside(files, package);
    free(package);
    if (!image)
        return STATUS_NOT_FOUND;
    status = add(files, image);
    if (status != STATUS_OK)
        elf_image_close(image);
    return status;
}

enum status split_files_begin(struct split_files *files, struct module_set *set,
                              struct module *module)
{
    struct elf_image *shared = NULL;
    enum status status;

    *files = (struct split_files){.set = set};
    files->main = module_dwarf_image(set, module, &shared);
    if (!files->main)
        return STATUS_NOT_FOUND;
    status = add(files, files->main);
    if (status == STATUS_OK)
        status = add(files, shared);
    if (status == STATUS_OK)
        status = add_package(files, elf_image_path(files->main));
    if (status == STATUS_NOT_FOUND)
        status = add_package(files, elf_image_path(module->image));
    return status == STATUS_NOT_FOUND ? STATUS_OK : status;
}

void split_files_end(struct split_files *files)
{
    for (size_t i = DEBUG_FILE_SPLIT; i < files->count; i++)
        elf_image_close(files->images[i]);
    free(files->list);
    free(files->images);
    map_deinit(&files->tried);
}

/*
 * May the file have the split unit with that id? Looks at the headers of DWARF 5. Before, an
 * attribute has the id, which only libdwarf reads and compares: true.
 */
static bool may_have(const struct debug_file *file, uint64_t id)
{
    const struct debug_file_section *info = debug_file_section(file, ".debug_info.dwo");
    struct cursor c = info ? cursor_init(info->bytes, (size_t)info->size) : cursor_init(NULL, 0);

    while (cursor_left(&c) > 0) {
        uint64_t length, unit_id, abbrev_off;
        uint32_t word;
        uint16_t version;
        uint8_t kind, address_size;
        unsigned offset_size = 4;
        size_t start;

        if (!cursor_u32(&c, &word))
            return false;
        length = word;
        if (word == UINT32_MAX) {
            offset_size = 8;
            if (!cursor_u64(&c, &length))
                return false;
        }
        start = c.pos;
        if (!cursor_u16(&c, &version) || length > c.size - start)
            return false;
        if (version < 5)
            return true;
        if (cursor_u8(&c, &kind) && kind == DW_UT_split_compile && cursor_u8(&c, &address_size) &&
            cursor_uint(&c, offset_size, &abbrev_off) && cursor_u64(&c, &unit_id) && unit_id == id)
            return true;
        c.pos = start;
        if (!cursor_skip(&c, length))
            return false;
    }
    return false;
}

/* Tries a candidate; keeps it when it may have the unit. */
static enum status try_image(struct split_files *files, struct elf_image *image, uint64_t id,
                             uint32_t *number)
{
    enum status status;

    if (!image)
        return STATUS_NOT_FOUND;
    status = add(files, image);
    if (status == STATUS_OK && may_have(&files->list[files->count - 1], id)) {
        *number = (uint32_t)files->count - 1;
        return STATUS_OK;
    }
    if (status == STATUS_OK)
        files->count--;
    elf_image_close(image);
    return status == STATUS_NO_MEMORY ? status : STATUS_NOT_FOUND;
}

static char *joined(const char *directory, const char *name)
{
    char *path;

    return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

/* Tries where the compiler wrote it, on the target. */
static enum status try_on_target(struct split_files *files, uint64_t id, const char *name,
                                 const char *directory, uint32_t *number)
{
    char *path = name[0] == '/' ? strdup(name) : directory ? joined(directory, name) : NULL;
    enum status status = STATUS_NOT_FOUND;

    if (path)
        status = try_image(files, open_image(files, module_set_open_file(files->set, path), path),
                           id, number);
    free(path);
    return status;
}

/* Tries below the main file's directory: the name as given, then its last part. */
static enum status try_beside(struct split_files *files, uint64_t id, const char *name,
                              uint32_t *number)
{
    const char *main_path = elf_image_path(files->main);
    const char *slash = strrchr(main_path, '/'), *last = strrchr(name, '/');
    char *directory = slash ? strndup(main_path, (size_t)(slash - main_path) + 1) : strdup(".");
    enum status status = STATUS_NOT_FOUND;

    if (directory && name[0] != '/' && !strstr(name, "..")) {
        char *path = joined(directory, name);

        if (path)
            status = try_image(files, open_beside(files, path), id, number);
        free(path);
    }
    if (directory && status == STATUS_NOT_FOUND && last) {
        char *path = joined(directory, last + 1);

        if (path)
            status = try_image(files, open_beside(files, path), id, number);
        free(path);
    }
    free(directory);
    return status;
}

enum status split_files_find(struct split_files *files, uint64_t id, const char *name,
                             const char *directory, uint32_t *number)
{
    enum status status;

    if (!name || !name[0] || map_get(&files->tried, id))
        return STATUS_NOT_FOUND;
    if (!map_put(&files->tried, id, 1))
        return STATUS_NO_MEMORY;
    status = try_on_target(files, id, name, directory, number);
    if (status == STATUS_NOT_FOUND)
        status = try_beside(files, id, name, number);
    if (status == STATUS_NOT_FOUND && files->missing++ == 0)
        snprintf(files->missing_name, sizeof(files->missing_name), "%s", name);
    return status;
}
