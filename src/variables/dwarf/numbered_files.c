/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/numbered_files.h"

#include <stdlib.h>

#include "base/vec.h"

/* Adds a file; NULL: there is none with the next number. */
static enum status add(struct numbered_files *files, struct elf_image *image)
{
    struct debug_file *file;

    if (files->count == DEBUG_FILES_MAX)
        return STATUS_NOT_FOUND;
    if (vec_reserve(&files->list, &files->cap, files->count + 1, sizeof(*files->list)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    file = &files->list[files->count++];
    *file = (struct debug_file){0};
    return image ? debug_file_of(image, file) : STATUS_OK;
}

enum status numbered_files_begin(struct numbered_files *files, struct module_set *set,
                                 struct module *module)
{
    struct elf_image *shared = NULL, *package;
    enum status status;

    *files = (struct numbered_files){.main = module_dwarf_image(set, module, &shared)};
    if (!files->main)
        return STATUS_NOT_FOUND;
    status = split_files_create(set, module, files->main, &files->splits);
    if (status == STATUS_OK)
        status = add(files, files->main);
    if (status == STATUS_OK)
        status = add(files, shared);
    if (status == STATUS_OK && (package = split_files_package(files->splits)))
        status = add(files, package);
    return status;
}

void numbered_files_end(struct numbered_files *files)
{
    split_files_destroy(files->splits);
    free(files->list);
}

enum status numbered_files_find(struct numbered_files *files, const struct split_wanted *wanted,
                                uint32_t *number)
{
    struct split_found found;
    enum status status = split_files_find(files->splits, wanted, &found);

    if (status == STATUS_OK)
        status = add(files, found.file->image);
    if (status == STATUS_OK)
        *number = (uint32_t)files->count - 1;
    return status;
}
