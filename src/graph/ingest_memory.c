/* SPDX-License-Identifier: MIT */
#include "graph/ingest_memory.h"

#include "boards/firmware/firmware.h"
#include "boards/firmware/firmware_match.h"
#include "graph/place.h"
#include "symbol/module_set.h"

static struct address_space *space_of(const struct ingest *in, uint32_t pid)
{
    struct ingest_process *process = ingest_process_of(&in->processes, pid);

    return process ? &process->space : NULL;
}

static enum status put_kernel(const struct ingest *in, struct module *module,
                              const struct snap_kernel *kernel)
{
    unwinder_set_kernel(in->unwinder, module);
    return kernel ? module_set_kernel(module, kernel->symbol, kernel->symbol_addr, kernel->is_this)
                  : STATUS_OK;
}

enum status ingest_memory_map(struct ingest *in, const struct snap_source *source,
                              const struct snap_map *map)
{
    struct address_space *space = space_of(in, map->pid);
    const bool is_kernel = map->kind == SNAP_MAP_KERNEL;
    struct mapping mapping;
    enum status status;

    if (!space && !is_kernel)
        return STATUS_OK;
    if (space && space->count >= INGEST_MAPPINGS_MAX) {
        in->mappings_left_out++;
        return STATUS_OK;
    }
    status = place_map(in->modules, source, map, &mapping);
    if (status == STATUS_OK && is_kernel)
        return put_kernel(in, mapping.module, map->kernel);
    if (status == STATUS_OK)
        status = address_space_put(space, &mapping);
    return status == STATUS_OK ? jit_dumps_map(&in->jit.dumps, map->pid, mapping.module, map->inode)
                               : status;
}

enum status ingest_memory_unmap(struct ingest *in, const struct snap_range *range)
{
    struct address_space *space = space_of(in, range->pid);
    enum status status = STATUS_OK;

    if (space && range->start_addr < range->end_addr)
        status = address_space_remove(space, range->start_addr, range->end_addr);
    /* An ended process keeps no memory, nor room for its maps. */
    if (status == STATUS_OK && space && space->count == 0)
        address_space_release(space);
    return status;
}

enum status ingest_memory_board(struct ingest *in, const struct snap_board *board)
{
    struct address_space *space = space_of(in, board->pid);

    if (!space)
        return STATUS_OK;
    if (title_board(ingest_title(in), board->pid, board->machine ? board->machine : "") !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    space->board = board_space_of(board);
    space->has_firmware = false;
    space->stamp = 0;
    return STATUS_OK;
}

/* Compares code of a board with the file at hand. */
static enum status check_code(const struct ingest *in, const struct snap_source *source,
                              struct address_space *space, const struct snap_range *code)
{
    struct mapping *mapping;
    enum status status;

    if (!space->board.is_board || source->kind != SOURCE_SNAPSHOT)
        return STATUS_OK;
    status = firmware_place(in->modules, source, space, code->start_addr);
    mapping = status == STATUS_OK ? address_space_find(space, code->start_addr) : NULL;
    if (mapping)
        firmware_compare(in->modules, mapping, code, !in->has_unwound);
    return status;
}

/* Does the record tell the module's file from other builds, instead of code to be unwound by? */
static bool is_piece(const struct snap_source *source, const struct module *module,
                     const struct snap_range *code)
{
    return source->kind == SOURCE_SNAPSHOT && module->kind == MODULE_FILE &&
           !module->file.build_id_size && code->end_addr - code->start_addr == FILE_PIECE_SIZE;
}

enum status ingest_memory_code(struct ingest *in, const struct snap_source *source,
                               const struct snap_range *code)
{
    struct address_space *space = space_of(in, code->pid);
    const enum status status = space ? check_code(in, source, space, code) : STATUS_OK;
    struct mapping *mapping = space ? address_space_find(space, code->start_addr) : NULL;
    uint64_t end_addr = code->end_addr;

    if (status != STATUS_OK || !mapping)
        return status;
    if (!space->board.is_board && is_piece(source, mapping->module, code)) {
        space->stamp = 0; /* the mapping may get another module */
        return module_set_add_piece(in->modules, mapping, code->start_addr, code->bytes,
                                    FILE_PIECE_SIZE);
    }
    mapping->module->code_given = true;
    if (mapping->module->kind != MODULE_VDSO) {
        if (end_addr > mapping->end_addr)
            end_addr = mapping->end_addr;
        return unwinder_code(in->unwinder, mapping, code->start_addr, code->bytes,
                             end_addr - code->start_addr);
    }
    /* Only the whole image of the vDSO is an ELF file of its own. */
    if (mapping->start_addr != code->start_addr)
        return STATUS_OK;
    return module_set_code(mapping->module, code->bytes, (size_t)(end_addr - code->start_addr));
}
