/* SPDX-License-Identifier: MIT */
#include "symbol/given_files.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "symbol/agreement.h"
#include "symbol/elf/dynamic.h"
#include "symbol/elf/entry_point.h"
#include "symbol/finder.h"

static void open_file(struct given_file *file, const char *path, const struct arch *arch)
{
    file->path = path;
    if (elf_image_open(path, &file->image, &file->problem) != STATUS_OK) {
        file->image = NULL;
        return;
    }
    if (!finder_is_for(file->image, arch, &file->problem)) {
        elf_image_close(file->image);
        file->image = NULL;
    }
}

enum status given_files_open(struct given_files *files, const char *const *paths, size_t count,
                             const struct arch *arch)
{
    if (count == 0)
        return STATUS_OK;
    files->list = calloc(count, sizeof(*files->list));
    if (!files->list)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        open_file(&files->list[files->count++], paths[i], arch);
    return STATUS_OK;
}

void given_files_close(struct given_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        elf_image_close(files->list[i].image);
    free(files->list);
}

/* Is the file's name, or the DT_SONAME in it, the module's? */
static bool is_named(const struct given_file *file, const struct module *module)
{
    const char *name = text_basename(module->file.path), *soname;

    if (strcmp(text_basename(file->path), name) == 0)
        return true;
    soname = file->image ? dynamic_soname(file->image) : NULL;
    return soname && strcmp(soname, name) == 0;
}

static bool lacks_build_id(const struct given_file *file, const struct module *module)
{
    size_t size;

    elf_image_build_id(file->image, &size);
    return size == 0 || module->file.build_id_size == 0;
}

/* Is a file of the module's name the right one? Tells why not. */
static bool is_right(const struct given_file *file, const struct file_search *search,
                     struct file_found *found)
{
    if (!file->image) {
        finder_tell(found, &file->problem);
        return false;
    }
    if (!lacks_build_id(file, search->module)) {
        finder_tell_build_id(search, file->image, found);
        return false;
    }
    return finder_agrees(search, file->image, found);
}

/* Finds a file by name; refuses one with another build-id or other contents. */
static const char *find_named(const struct file_search *search, struct file_found *found)
{
    const struct given_files *files = search->given;

    for (size_t i = 0; i < files->count; i++) {
        struct given_file *file = &files->list[i];

        if (file->matched_id || !is_named(file, search->module))
            continue;
        file->used = true;
        if (is_right(file, search, found))
            return file->path;
    }
    return NULL;
}

/* Is it a program? Libraries may have an entry point, but they have a DT_SONAME. */
static bool is_program(const struct given_file *file)
{
    uint64_t entry_vaddr;

    return file->image && !file->matched_id && !elf_image_is_debug_only(file->image) &&
           (elf_image_type(file->image) == ET_EXEC ||
            (entry_point_find(file->image, &entry_vaddr) && entry_vaddr &&
             !dynamic_soname(file->image)));
}

struct given_file *given_files_program(const struct given_files *files, size_t index)
{
    for (size_t i = 0; i < files->count; i++)
        if (is_program(&files->list[i]) && index-- == 0)
            return &files->list[i];
    return NULL;
}

static struct given_file *only_program(const struct given_files *files)
{
    struct given_file *found = NULL;

    for (size_t i = 0; i < files->count; i++) {
        if (!is_program(&files->list[i]))
            continue;
        if (found)
            return NULL;
        found = &files->list[i];
    }
    return found;
}

/* Finds the executable under another name. */
static const char *find_program(const struct file_search *search, struct file_found *found)
{
    struct given_file *file = only_program(search->given);
    enum agreement agreement;
    struct diag why;

    if (!file || is_named(file, search->module) || !lacks_build_id(file, search->module))
        return NULL;
    agreement = agreement_find(search->memory, search->module, file->image, &why);
    file->used |= agreement != AGREEMENT_UNKNOWN;
    if (agreement != AGREEMENT_UNKNOWN && agreement != AGREEMENT_FULL)
        finder_tell(found, &why);
    return agreement == AGREEMENT_UNKNOWN || agreement == AGREEMENT_BROKEN ? NULL : file->path;
}

/* Finds a file for a module that the core has no name of. */
static const char *find_nameless(const struct file_search *search)
{
    const struct given_files *files = search->given;
    struct diag why;

    for (size_t i = 0; i < files->count; i++) {
        struct given_file *file = &files->list[i];

        if (!file->image || file->matched_id || is_program(file) ||
            !lacks_build_id(file, search->module) ||
            agreement_find(search->memory, search->module, file->image, &why) != AGREEMENT_FULL)
            continue;
        file->used = true;
        return file->path;
    }
    return NULL;
}

/* Finds the path of the file for the module; NULL: there is none. */
static const char *choose(const struct file_search *search, struct file_found *found)
{
    const struct module *module = search->module;
    const char *path = module->choice.path;

    for (size_t i = 0; !path && i < search->given->count; i++) {
        struct given_file *file = &search->given->list[i];

        if (file->image && module_has_build_id(module, file->image)) {
            file->used = file->matched_id = true;
            if (!elf_image_is_debug_only(file->image))
                path = file->path;
        }
    }
    if (!path)
        path = find_named(search, found);
    if (!path && module->place.is_executable)
        path = find_program(search, found);
    if (!path && module->file.path[0] == '[')
        path = find_nameless(search);
    return path;
}

static void find_given(const struct file_search *search, struct file_found *found)
{
    const char *path = choose(search, found);
    struct diag why;

    if (path && elf_image_open(path, &found->image, &why) != STATUS_OK) {
        found->image = NULL;
        found->problem = why;
    }
}

const struct file_finder finder_given = {.kinds = FINDS(MODULE_FILE), .find = find_given};
