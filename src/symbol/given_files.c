/* SPDX-License-Identifier: MIT */
#include "symbol/given_files.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "symbol/agreement.h"
#include "symbol/debug_files.h"
#include "symbol/elf/dynamic.h"

static void open_file(struct given_file *file, const char *path, const struct arch *arch)
{
    file->path = path;
    if (elf_image_open(path, &file->image, &file->problem) != STATUS_OK) {
        file->image = NULL;
        return;
    }
    if (arch && elf_image_arch(file->image) != arch) {
        diag_set(&file->problem, path, "is for %s, the snapshot is from %s",
                 elf_image_arch(file->image)->name, arch->name);
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

bool module_has_build_id(const struct module *module, const struct elf_image *image)
{
    size_t size;
    const uint8_t *id = elf_image_build_id(image, &size);

    return size > 0 && size == module->build_id_size && memcmp(id, module->build_id, size) == 0;
}

void module_refuse(struct module *module, const struct diag *why)
{
    if (module->state == MODULE_REFUSED)
        return;
    module->state = MODULE_REFUSED;
    module->problem = *why;
}

/* Accepts a file; keeps a doubt about it as a note. */
static void module_accept(struct module *module, const struct diag *why)
{
    if (!module->problem.what[0])
        module->problem = *why;
}

void module_refuse_build_id(struct module *module, const struct elf_image *image)
{
    char own[BUILD_ID_HEX_MAX], wanted[BUILD_ID_HEX_MAX];
    struct diag why;
    size_t size;
    const uint8_t *id = elf_image_build_id(image, &size);

    build_id_hex(module->build_id, module->build_id_size, wanted);
    if (size > 0)
        diag_set(&why, elf_image_path(image), "build-id %.40s differs from the snapshot's %.40s",
                 build_id_hex(id, size, own), wanted);
    else
        diag_set(&why, elf_image_path(image), "has no build-id, the snapshot's file has %.40s",
                 wanted);
    diag_hint(&why, "pass the right file with --elf");
    module_refuse(module, &why);
}

bool module_agrees(const struct process_memory *memory, struct module *module,
                   struct elf_image *image)
{
    struct diag why;

    switch (agreement_find(memory, module, image, &why)) {
    case AGREEMENT_BROKEN:
        module_refuse(module, &why);
        return false;
    case AGREEMENT_CHANGED:
        module_accept(module, &why);
        return true;
    case AGREEMENT_UNKNOWN:
    case AGREEMENT_PLACE:
    case AGREEMENT_FULL:
        return true;
    }
    return false;
}

/* Is the file's name, or the DT_SONAME in it, the module's? */
static bool is_named(const struct given_file *file, const struct module *module)
{
    const char *name = text_basename(module->path), *soname;

    if (strcmp(text_basename(file->path), name) == 0)
        return true;
    soname = file->image ? dynamic_soname(file->image) : NULL;
    return soname && strcmp(soname, name) == 0;
}

static bool lacks_build_id(const struct given_file *file, const struct module *module)
{
    size_t size;

    elf_image_build_id(file->image, &size);
    return size == 0 || module->build_id_size == 0;
}

/* Is a file of the module's name the right one? Refuses it if not. */
static bool is_right(struct given_file *file, const struct process_memory *memory,
                     struct module *module)
{
    if (!file->image) {
        module_refuse(module, &file->problem);
        return false;
    }
    if (!lacks_build_id(file, module)) {
        module_refuse_build_id(module, file->image);
        return false;
    }
    return module_agrees(memory, module, file->image);
}

/* Finds a file by name; refuses one with another build-id or other contents. */
static const char *find_named(struct given_files *files, const struct process_memory *memory,
                              struct module *module)
{
    for (size_t i = 0; i < files->count; i++) {
        struct given_file *file = &files->list[i];

        if (file->matched_id || !is_named(file, module))
            continue;
        file->used = true;
        if (is_right(file, memory, module))
            return file->path;
    }
    return NULL;
}

/* Is it a program? Libraries may have an entry point, but they have a DT_SONAME. */
static bool is_program(const struct given_file *file)
{
    return file->image && !file->matched_id && !elf_image_is_debug_only(file->image) &&
           (elf_image_type(file->image) == ET_EXEC ||
            (elf_image_entry_vaddr(file->image) && !dynamic_soname(file->image)));
}

struct given_file *given_files_program(const struct given_files *files, size_t index)
{
    for (size_t i = 0; i < files->count; i++)
        if (is_program(&files->list[i]) && index-- == 0)
            return &files->list[i];
    return NULL;
}

static struct given_file *only_program(struct given_files *files)
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
static const char *find_program(struct given_files *files, const struct process_memory *memory,
                                struct module *module)
{
    struct given_file *file = only_program(files);
    enum agreement agreement;
    struct diag why;

    if (!file || is_named(file, module) || !lacks_build_id(file, module))
        return NULL;
    agreement = agreement_find(memory, module, file->image, &why);
    file->used |= agreement != AGREEMENT_UNKNOWN;
    if (agreement == AGREEMENT_BROKEN)
        module_refuse(module, &why);
    if (agreement == AGREEMENT_PLACE || agreement == AGREEMENT_CHANGED)
        module_accept(module, &why);
    return agreement == AGREEMENT_UNKNOWN || agreement == AGREEMENT_BROKEN ? NULL : file->path;
}

/* Finds a file for a module that the core has no name of. */
static const char *find_nameless(struct given_files *files, const struct process_memory *memory,
                                 struct module *module)
{
    struct diag why;

    for (size_t i = 0; i < files->count; i++) {
        struct given_file *file = &files->list[i];

        if (!file->image || file->matched_id || is_program(file) || !lacks_build_id(file, module) ||
            agreement_find(memory, module, file->image, &why) != AGREEMENT_FULL)
            continue;
        file->used = true;
        return file->path;
    }
    return NULL;
}

const char *given_files_find(struct given_files *files, const struct process_memory *memory,
                             struct module *module)
{
    const char *path;

    for (size_t i = 0; i < files->count; i++) {
        struct given_file *file = &files->list[i];

        if (file->image && module_has_build_id(module, file->image)) {
            file->used = file->matched_id = true;
            if (!elf_image_is_debug_only(file->image))
                return file->path;
        }
    }
    path = find_named(files, memory, module);
    if (!path && module->is_executable)
        path = find_program(files, memory, module);
    if (!path && module->path[0] == '[')
        path = find_nameless(files, memory, module);
    return path;
}
