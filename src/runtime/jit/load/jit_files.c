/* SPDX-License-Identifier: MIT */
#include "runtime/jit/load/jit_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "symbol/symbol_file.h"
#include "runtime/jit/rows/made_rows.h"

static void parts_deinit(struct jit_file_parts *parts)
{
    free(parts->bytes);
    *parts = (struct jit_file_parts){.pid = 0};
}

void jit_files_clear(struct jit_files *files)
{
    parts_deinit(&files->told);
    parts_deinit(&files->later);
}

void jit_files_deinit(struct jit_files *files)
{
    jit_files_clear(files);
    files->problem = (struct diag){.has_off = false};
}

void jit_files_forget(struct jit_files *files, uint32_t pid)
{
    if (files->told.pid == pid)
        parts_deinit(&files->told);
    if (files->later.pid == pid)
        parts_deinit(&files->later);
}

static enum status take_function(void *map, const struct symbol_file_function *function)
{
    return jit_map_add_function(map, function->start_addr, function->size, function->name,
                                strlen(function->name));
}

/* Adds the functions and rows of a whole file. */
static enum status add_file(struct jit_files *files, const struct jit_file_parts *parts,
                            struct jit_map *map, struct made_rows *rows, bool *changed)
{
    struct elf_image *image;
    struct diag problem;
    char name[64];
    enum status status;

    snprintf(name, sizeof(name), "symbol file of process %" PRIu32 " at 0x%" PRIx64, parts->pid,
             parts->addr);
    status = elf_image_open_bytes(parts->bytes, parts->done, name, &image, &problem);
    if (status == STATUS_OK) {
        status = symbol_file_each(image, take_function, map);
        if (status == STATUS_BAD_DATA)
            diag_set(&problem, name, "its symbol table is not all there");
        if (status != STATUS_NO_MEMORY && made_rows_add(rows, image, changed) == STATUS_NO_MEMORY)
            status = STATUS_NO_MEMORY;
        elf_image_close(image);
    }
    if (status == STATUS_NO_MEMORY)
        return status;
    if (status != STATUS_OK && status != STATUS_NOT_FOUND && !files->problem.what[0]) {
        files->problem = problem;
        diag_hint(&files->problem, "code that it tells of may have no names");
    }
    return STATUS_OK;
}

/* Returns whether the part begins a file, or continues the current one. */
static bool fits(struct jit_file_parts *parts, const struct snap_symbol_file *part)
{
    if (part->file_size > JIT_FILE_BYTES_MAX || part->size > part->file_size ||
        part->off > part->file_size - part->size)
        return false;
    if (part->off == 0) {
        parts->pid = part->pid;
        parts->addr = part->addr;
        parts->size = part->file_size;
        parts->done = 0;
    }
    return parts->pid == part->pid && parts->addr == part->addr && parts->size == part->file_size &&
           parts->done == part->off;
}

enum status jit_files_add(struct jit_files *files, struct jit_maps *maps,
                          struct module_set *modules, const struct snap_symbol_file *part,
                          bool *changed)
{
    struct jit_file_parts *parts = part->is_ahead ? &files->later : &files->told;
    struct made_rows *rows;
    struct jit_map *map;
    enum status status;

    if (!part->size || !fits(parts, part))
        return STATUS_OK;
    status = vec_reserve(&parts->bytes, &parts->cap, parts->done + part->size, 1);
    if (status != STATUS_OK)
        return status;
    memcpy(parts->bytes + parts->done, part->bytes, part->size);
    parts->done += part->size;
    if (parts->done < parts->size)
        return STATUS_OK;
    status = jit_maps_get(maps, modules, parts->pid,
                          part->is_ahead ? JIT_SYMBOL_FILES_LATER : JIT_SYMBOL_FILES, &map);
    if (status == STATUS_OK)
        status = jit_maps_get_rows(maps, parts->pid, part->is_ahead, &rows);
    if (status == STATUS_OK) {
        const uint64_t before = jit_map_size(map);

        status = add_file(files, parts, map, rows, changed);
        *changed |= jit_map_size(map) > before;
    }
    parts_deinit(parts);
    return status == STATUS_NOT_FOUND ? STATUS_OK : status;
}
