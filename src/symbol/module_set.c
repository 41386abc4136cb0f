/* SPDX-License-Identifier: MIT */
#include "symbol/module_set_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/in_file.h"
#include "base/vec.h"
#include "symbol/target_path.h"

/* Files without build-id, one after the other at one place, that are told apart. */
#define BUILDS_MAX 32

enum status module_set_create(const struct module_options *options, struct module_set **out)
{
    struct module_set *set = calloc(1, sizeof(*set));

    if (!set)
        return STATUS_NO_MEMORY;
    set->options = *options;
    if (given_files_open(&set->given, options->elf_files, options->elf_file_count, options->arch) !=
        STATUS_OK) {
        free(set);
        return STATUS_NO_MEMORY;
    }
    *out = set;
    return STATUS_OK;
}

void module_set_destroy(struct module_set *set)
{
    if (!set)
        return;
    for (size_t i = 0; i < set->count; i++)
        module_destroy(set->entries[i].module);
    given_files_close(&set->given);
    free(set->entries);
    map_deinit(&set->by_hash);
    free(set);
}

static enum status add_module(struct module_set *set, struct module *module, uint64_t *head)
{
    if (vec_reserve(&set->entries, &set->cap, set->count + 1, sizeof(*set->entries)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    set->entries[set->count] = (struct module_entry){.module = module, .next = (size_t)*head};
    *head = ++set->count;
    return STATUS_OK;
}

static enum status get(struct module_set *set, enum module_kind kind,
                       const struct file_identity *file, struct module **out)
{
    uint64_t *head = map_put(&set->by_hash, module_set_hash(kind, file), 0);
    struct module *module;

    if (!head)
        return STATUS_NO_MEMORY;
    for (size_t i = (size_t)*head; i != 0; i = set->entries[i - 1].next) {
        module = set->entries[i - 1].module;
        if (module->kind == kind && file_identity_equals(&module->file, file)) {
            *out = module;
            return STATUS_OK;
        }
    }
    module = module_create(kind, file);
    if (!module)
        return STATUS_NO_MEMORY;
    module->id = (uint32_t)set->count;
    if (add_module(set, module, head) != STATUS_OK) {
        module_destroy(module);
        return STATUS_NO_MEMORY;
    }
    *out = module;
    return STATUS_OK;
}

static size_t id_size(size_t size)
{
    return size <= BUILD_ID_MAX ? size : BUILD_ID_MAX;
}

enum status module_set_get(struct module_set *set, enum module_kind kind, const char *path,
                           const uint8_t *build_id, size_t build_id_size, bool deleted,
                           struct module **out)
{
    const struct file_identity file = {.path = path,
                                       .build_id = build_id,
                                       .build_id_size = id_size(build_id_size),
                                       .deleted = deleted};

    return get(set, kind, &file, out);
}

enum status module_set_get_mapped(struct module_set *set, enum module_kind kind,
                                  const struct file_identity *file, struct module **out)
{
    const bool has_memory = set->memory.read != NULL;
    struct file_identity wanted = *file;
    enum status status;

    wanted.build_id_size = id_size(file->build_id_size);
    wanted.is_exact = (file->is_exact || has_memory) && kind == MODULE_FILE && !file->build_id_size;
    wanted.process = wanted.is_exact && has_memory ? set->processes : 0;
    status = get(set, kind, &wanted, out);
    if (status == STATUS_OK)
        (*out)->file.origin = file->origin;
    return status;
}

/* Returns the module's piece at this offset of its file; NULL: it has none. */
static const uint8_t *find_piece(const struct module *module, uint64_t off)
{
    for (unsigned i = 0; module->pieces && i < module->pieces->count; i++)
        if (module->pieces->off[i] == off)
            return module->pieces->bytes[i];
    return NULL;
}

/*
 * Has `module` this piece, and no other bytes than `known` before it, from `first_off` on? A module
 * without pieces there has those of the file's other mappings.
 */
static bool has_pieces(const struct module *module, const struct module *known, uint64_t first_off,
                       uint64_t off, const uint8_t *bytes)
{
    const struct file_pieces *pieces = module->pieces;
    bool is_new = true;

    for (unsigned i = 0; pieces && i < pieces->count; i++) {
        const uint8_t *other = pieces->off[i] == off ? bytes : find_piece(known, pieces->off[i]);

        if (pieces->off[i] < first_off)
            continue;
        is_new = false;
        if (pieces->off[i] <= off && other && memcmp(pieces->bytes[i], other, FILE_PIECE_SIZE) != 0)
            return false;
    }
    return is_new || find_piece(module, off);
}

/* Gives a new module the pieces of `known` from `first_off` on, before `off`. */
static enum status copy_pieces(struct module *module, const struct module *known,
                               uint64_t first_off, uint64_t off)
{
    struct file_pieces *to = module->pieces = calloc(1, sizeof(*to));

    for (unsigned i = 0; to && i < known->pieces->count; i++)
        if (known->pieces->off[i] >= first_off && known->pieces->off[i] < off) {
            to->off[to->count] = known->pieces->off[i];
            memcpy(to->bytes[to->count++], known->pieces->bytes[i], FILE_PIECE_SIZE);
        }
    return to ? STATUS_OK : STATUS_NO_MEMORY;
}

/* Finds, or makes, the module of the file that has replaced that of the mapping's. */
static enum status find_build(struct module_set *set, struct mapping *mapping, uint64_t off,
                              const uint8_t *bytes)
{
    struct module *known = mapping->module, *module = known;
    struct file_identity file = known->file;
    enum status status;

    for (file.build = 0; file.build < BUILDS_MAX; file.build++) {
        const size_t count = set->count;

        status = get(set, known->kind, &file, &module);
        if (status == STATUS_OK && set->count > count)
            status = copy_pieces(module, known, mapping->file_off, off);
        if (status != STATUS_OK)
            return status;
        if (set->count > count || has_pieces(module, known, mapping->file_off, off, bytes))
            break;
    }
    if (file.build == BUILDS_MAX) {
        /* It has both bytes at `off`, so that no file is it. */
        status = get(set, known->kind, &file, &module);
        if (status == STATUS_OK && !module->pieces)
            status = copy_pieces(module, known, mapping->file_off, off + 1);
    }
    if (status == STATUS_OK)
        mapping->module = module;
    return status;
}

enum status module_set_add_piece(struct module_set *set, struct mapping *mapping, uint64_t addr,
                                 const uint8_t *bytes, size_t size)
{
    const uint64_t off = mapping->file_off + (addr - mapping->start_addr);
    const uint8_t *known = find_piece(mapping->module, off);
    enum status status = STATUS_OK;

    if (size != FILE_PIECE_SIZE || !mapping->module->file.is_exact)
        return module_add_piece(mapping, addr, bytes, size);
    if (known && memcmp(known, bytes, size) != 0)
        status = find_build(set, mapping, off, bytes);
    known = find_piece(mapping->module, off);
    if (status != STATUS_OK || (known && memcmp(known, bytes, size) == 0))
        return status;
    return module_add_piece(mapping, addr, bytes, size);
}

enum status module_set_jit(struct module_set *set, struct module **out)
{
    return module_set_get(set, MODULE_JIT, "[jit]", NULL, 0, false, out);
}

void module_set_memory(struct module_set *set, const struct process_memory *memory)
{
    set->memory = *memory;
    set->processes += memory->read != NULL;
    for (size_t i = 0; i < set->count; i++)
        set->entries[i].module->place = (struct module_place){.is_executable = false};
}

void module_set_place(struct module_set *set, const struct mapping *mapping, bool is_executable)
{
    struct module_place *place = &mapping->module->place;
    const uint64_t entry_addr = set->memory.entry_addr;
    const bool has_entry = entry_addr
                               ? entry_addr >= mapping->start_addr && entry_addr < mapping->end_addr
                               : is_executable;

    if (place->where.end_addr == 0 || (has_entry && !place->is_executable))
        place->where = *mapping;
    place->is_executable |= has_entry;
}

uint64_t module_set_stamp(struct module_set *set)
{
    return ++set->last_stamp;
}

size_t module_set_count(const struct module_set *set)
{
    return set->count;
}

struct module *module_set_at(const struct module_set *set, size_t index)
{
    return set->entries[index].module;
}

const char *module_set_unused_elf(const struct module_set *set, size_t index, struct diag *why)
{
    for (size_t i = 0; i < set->given.count; i++) {
        if (set->given.list[i].used || index-- > 0)
            continue;
        if (why)
            *why = set->given.list[i].problem;
        return set->given.list[i].path;
    }
    return NULL;
}

struct elf_image *module_set_program(const struct module_set *set, size_t index)
{
    const struct given_file *file = given_files_program(&set->given, index);

    return file ? file->image : NULL;
}

void module_set_use_program(struct module_set *set, size_t index)
{
    given_files_program(&set->given, index)->used = true;
}

void module_set_choose(struct module_set *set, struct module *module, size_t index)
{
    struct given_file *file = given_files_program(&set->given, index);

    file->used = true;
    module->choice.path = file->path;
}

int module_set_open_file(const struct module_set *set, const char *path)
{
    char *found = path[0] == '/' ? target_path(set->options.sysroot, path) : NULL;
    const int fd = found ? in_file_open(found) : -1;

    free(found);
    return fd;
}

bool module_set_has_sysroot(const struct module_set *set)
{
    return set->options.sysroot != NULL;
}
