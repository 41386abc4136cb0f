/* SPDX-License-Identifier: MIT */
/* Opens a module's file: asks the finders, and tells of what is not found or damaged. */
#include "symbol/finder.h"

#include <string.h>

#include "symbol/elf/elf_damage.h"
#include "symbol/module_set_private.h"

static void set_missing(struct module *module)
{
    const struct file_identity *file = &module->file;
    char hex[BUILD_ID_HEX_MAX];

    module->state = MODULE_MISSING;
    if (module->kind != MODULE_FILE) {
        diag_set(&module->problem, file->path,
                 module->kind == MODULE_VDSO ? "the snapshot does not hold its bytes"
                                             : "is no file: its code is not known");
        if (module->kind != MODULE_VDSO)
            diag_hint(&module->problem, "cgsnap --with-code captures it");
        return;
    }
    if (file->build_id_size > 0)
        diag_set(&module->problem, file->path, "not found here (build-id %.64s)",
                 build_id_hex(file->build_id, file->build_id_size, hex));
    else
        diag_set(&module->problem, file->path,
                 file->deleted ? "was deleted on the target and has no build-id"
                               : "not found here (it has no build-id)");
    diag_hint(
        &module->problem,
        "pass it with --elf, or the target's files with --sysroot; cgsnap --bundle brings them");
}

/* Have two modules, both tried, the same file, or none? */
static bool is_same_file(const struct module *a, const struct module *b)
{
    return a->kind == b->kind && !a->file.build_id_size && !b->file.build_id_size &&
           a->file.deleted == b->file.deleted && a->state == b->state &&
           a->image_place == b->image_place && strcmp(a->file.path, b->file.path) == 0 &&
           (!a->image || strcmp(elf_image_path(a->image), elf_image_path(b->image)) == 0);
}

/* Sets stand_in to a module of another process that turned out to have the same file. */
static void find_stand_in(const struct module_set *set, struct module *module)
{
    const uint64_t *head = map_get(&set->by_hash, module_set_hash(module->kind, &module->file));

    for (size_t i = head ? (size_t)*head : 0; i != 0 && module->file.process;
         i = set->entries[i - 1].next) {
        struct module *other = set->entries[i - 1].module;

        if (other != module && other->file.process && !other->stand_in &&
            is_same_file(other, module)) {
            module->stand_in = other;
            return;
        }
    }
}

enum status module_open(struct module_set *set, struct module *module)
{
    const struct file_search search = {.module = module,
                                       .options = &set->options,
                                       .given = &set->given,
                                       .memory = &set->memory};

    if (module->state != MODULE_UNTRIED)
        return module->state == MODULE_OPEN ? STATUS_OK : STATUS_NOT_FOUND;
    if (module->kind >= MODULE_KERNEL)
        return STATUS_NOT_FOUND; /* no file of the target's: module_kallsyms, jit_names name it */
    if (finders_ask(&search, module)) {
        module->state = MODULE_OPEN;
        elf_image_set_cache(module->image, set->options.cache);
        if (!module->problem.what[0])
            elf_damage_find(module->image, &module->problem);
    } else if (module->state == MODULE_UNTRIED) {
        set_missing(module);
    }
    find_stand_in(set, module);
    return module->state == MODULE_OPEN ? STATUS_OK : STATUS_NOT_FOUND;
}
