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
#include "symbol/piece_match.h"

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

/* A tool may have dropped it from the right file. */
static void tell_unproved(const struct given_file *file, struct file_found *found)
{
    struct diag why = {.what = ""};

    diag_set(&why, file->path,
             "has no build-id, and the file that the process ran has: used for its name alone");
    finder_tell(found, &why);
}

/* Is a file of the module's name the right one? Tells why not, or that it is not proved. */
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
    if (!finder_agrees(search, file->image, found))
        return false;
    if (search->module->file.build_id_size)
        tell_unproved(file, found);
    return true;
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

static bool is_kernel(const struct given_file *file)
{
    const unsigned top_bit = elf_image_arch(file->image)->word_size * 8U - 1;
    size_t count;
    const struct elf_segment *segments = elf_image_segments(file->image, &count);

    for (size_t i = 0; i < count; i++)
        if (segments[i].prot & 4)
            return segments[i].vaddr >> top_bit & 1;
    return false;
}

struct given_file *given_files_kernel(const struct given_files *files, const struct module *module)
{
    struct given_file *kernel = NULL;

    for (size_t i = 0; i < files->count; i++) {
        struct given_file *file = &files->list[i];

        if (file->image && module_has_build_id(module, file->image))
            return file;
        if (!kernel && file->image && is_kernel(file))
            kernel = file;
    }
    return kernel;
}

/*
 * Finds the executable under another name: of the programs that agree with the process's memory the
 * only one. A library without DT_SONAME may look like a program, but does not agree.
 */
static const char *find_program(const struct file_search *search, struct file_found *found)
{
    struct given_file *file, *fit = NULL, *unfit = NULL;
    unsigned fits = 0, unfits = 0;
    struct diag why = {.what = ""}, fit_why, unfit_why;

    for (size_t i = 0; (file = given_files_program(search->given, i)); i++) {
        if (is_named(file, search->module) || !lacks_build_id(file, search->module))
            continue;
        switch (agreement_find(search->memory, search->module, file->image, &why)) {
        case AGREEMENT_UNKNOWN:
            break;
        case AGREEMENT_BROKEN:
            unfit = file;
            unfit_why = why;
            unfits++;
            break;
        case AGREEMENT_FULL:
            why.what[0] = '\0';
            __attribute__((fallthrough));
        case AGREEMENT_PLACE:
        case AGREEMENT_CHANGED:
            fit_why = why;
            fit = file;
            fits++;
            break;
        case AGREEMENT_CODE:
            file->used = true;
            return file->path;
        }
    }
    if (fits == 1) {
        fit->used = true;
        finder_tell(found, &fit_why);
        return fit->path;
    }
    if (fits == 0 && unfits == 1) {
        unfit->used = true;
        finder_tell(found, &unfit_why);
    }
    return NULL;
}

/* Is the file the module's by its contents, whatever its name? */
static bool has_contents(const struct file_search *search, const struct given_file *file)
{
    const struct module *module = search->module;
    const bool is_nameless = module->file.path[0] == '[';
    struct diag why;

    if (module->pieces)
        return piece_match_proves(module->pieces, file->image);
    switch (agreement_find(search->memory, module, file->image, &why)) {
    case AGREEMENT_UNKNOWN:
    case AGREEMENT_PLACE:
    case AGREEMENT_CHANGED:
    case AGREEMENT_BROKEN:
        return false;
    case AGREEMENT_FULL:
        return is_nameless && !is_program(file);
    case AGREEMENT_CODE:
        return true;
    }
    return false;
}

/*
 * Finds the only file with the module's contents, for a module without name, or whose file has
 * another name here.
 */
static const char *find_contents(const struct file_search *search)
{
    const struct given_files *files = search->given;
    struct given_file *fit = NULL;

    for (size_t i = 0; i < files->count; i++) {
        struct given_file *file = &files->list[i];

        if (!file->image || file->matched_id || elf_image_is_debug_only(file->image) ||
            !lacks_build_id(file, search->module) || !has_contents(search, file))
            continue;
        if (fit)
            return NULL;
        fit = file;
    }
    if (!fit)
        return NULL;
    fit->used = true;
    return fit->path;
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
    if (!path && (path = find_contents(search)))
        found->problem.what[0] = '\0'; /* of a file that has the name */
    if (!path && module->place.is_executable)
        path = find_program(search, found);
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
