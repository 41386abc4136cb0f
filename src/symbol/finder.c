/* SPDX-License-Identifier: MIT */
#include "symbol/finder.h"

#include <stddef.h>

#include "symbol/agreement.h"
#include "symbol/finder_list.h"
#include "symbol/piece_match.h"

#define FINDER_DECLARE(id) extern const struct file_finder finder_##id;
#define FINDER_ADDRESS(id) &finder_##id,

FILE_FINDERS(FINDER_DECLARE)

bool finders_ask(const struct file_search *search, struct module *module)
{
    static const struct file_finder *const finders[] = {FILE_FINDERS(FINDER_ADDRESS)};

    for (size_t i = 0; i < sizeof(finders) / sizeof(finders[0]); i++) {
        struct file_found found = {0};

        if (!(finders[i]->kinds & FINDS(module->kind)))
            continue;
        finders[i]->find(search, &found);
        if (found.image) {
            module->image = found.image;
            module->image_place = found.place;
            module_note(module, &found.problem);
            return true;
        }
        if (found.problem.what[0])
            module_refuse(module, &found.problem);
    }
    return false;
}

void finder_tell(struct file_found *found, const struct diag *why)
{
    if (!found->problem.what[0])
        found->problem = *why;
}

void finder_tell_build_id(const struct file_search *search, const struct elf_image *image,
                          struct file_found *found)
{
    const struct file_identity *file = &search->module->file;
    char own[BUILD_ID_HEX_MAX], wanted[BUILD_ID_HEX_MAX];
    struct diag why;
    size_t size;
    const uint8_t *id = elf_image_build_id(image, &size);

    build_id_hex(file->build_id, file->build_id_size, wanted);
    if (size > 0)
        diag_set(&why, elf_image_path(image), "build-id %.40s differs from the snapshot's %.40s",
                 build_id_hex(id, size, own), wanted);
    else
        diag_set(&why, elf_image_path(image), "has no build-id, the snapshot's file has %.40s",
                 wanted);
    diag_hint(&why, "pass the right file with --elf");
    finder_tell(found, &why);
}

bool finder_is_for(const struct elf_image *image, const struct arch *arch, struct diag *why)
{
    if (!arch || elf_image_arch(image) == arch)
        return true;
    diag_set(why, elf_image_path(image), "is for %s, the snapshot is from %s",
             elf_image_arch(image)->name, arch->name);
    return false;
}

void finder_take(const struct file_search *search, struct elf_image *image,
                 struct file_found *found)
{
    struct diag why;

    if (search->module->file.build_id_size > 0 && !module_has_build_id(search->module, image)) {
        finder_tell_build_id(search, image, found);
    } else if (!finder_is_for(image, search->options->arch, &why)) {
        finder_tell(found, &why);
    } else {
        found->image = image;
        return;
    }
    elf_image_close(image);
}

void finder_take_quietly(const struct file_search *search, const char *path,
                         struct file_found *found)
{
    struct elf_image *image;

    if (elf_image_open(path, &image, NULL) != STATUS_OK)
        return;
    finder_take(search, image, found);
    found->problem.what[0] = '\0';
}

bool finder_agrees(const struct file_search *search, struct elf_image *image,
                   struct file_found *found)
{
    const struct file_pieces *pieces = search->module->pieces;
    struct diag why;

    if (pieces && !elf_image_is_debug_only(image) && !piece_match(pieces, image, &why)) {
        finder_tell(found, &why);
        return false;
    }
    switch (agreement_find(search->memory, search->module, image, &why)) {
    case AGREEMENT_BROKEN:
        finder_tell(found, &why);
        return false;
    case AGREEMENT_CHANGED:
        finder_tell(found, &why);
        return true;
    case AGREEMENT_UNKNOWN:
    case AGREEMENT_PLACE:
    case AGREEMENT_FULL:
    case AGREEMENT_CODE:
        return true;
    }
    return false;
}
