/* SPDX-License-Identifier: MIT */
#include "threads/waits/wait_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "symbol/data_symbols.h"
#include "symbol/symbolize.h"

/* Returns the captured memory in whose mapping the address is; NULL: none. */
static const struct snap_wait *find_piece(const struct snap_sample *sample, uint64_t addr)
{
    for (uint32_t i = 0; i < sample->wait_count; i++) {
        const struct snap_wait *wait = &sample->waits[i];

        if (wait->kind == SNAP_WAIT_MEMORY && addr >= wait->map_start_addr &&
            addr < wait->map_end_addr)
            return wait;
    }
    return NULL;
}

static enum status clean(char **name)
{
    char *text = text_clean(*name, TEXT_REPLACE_CONTROLS);

    free(*name);
    *name = text;
    return text ? STATUS_OK : STATUS_NO_MEMORY;
}

static enum status with_offset(const char *what, uint64_t off, char **out)
{
    int len = off ? asprintf(out, "%s+0x%" PRIx64, what, off) : asprintf(out, "%s", what);

    if (len < 0) {
        *out = NULL;
        return STATUS_NO_MEMORY;
    }
    return clean(out);
}

static bool holds(const struct elf_image *image, uint64_t vaddr)
{
    size_t count;
    const struct elf_segment *segments = elf_image_segments(image, &count);

    for (size_t i = 0; i < count; i++)
        if (vaddr >= segments[i].vaddr && vaddr - segments[i].vaddr < segments[i].mem_size)
            return true;
    return false;
}

/* The kernel also calls a program's .bss "heap" if the heap begins right behind it. */
static bool may_be_data(const struct snap_wait *piece)
{
    return !piece || piece->place == SNAP_PLACE_FILE || piece->place == SNAP_PLACE_HEAP;
}

/* Whether the piece is of another file than the module. */
static bool is_elsewhere(const struct snap_wait *piece, const struct module *module)
{
    return piece && piece->place == SNAP_PLACE_FILE && strcmp(piece->path, module->file.path) != 0;
}

/*
 * Finds the module whose data has the address. Only executable mappings are known: with the file's
 * segments they tell where its data is. Among several the nearest mapping below counts.
 */
static struct module *find_module(const struct wait_place *place, const struct snap_wait *piece,
                                  uint64_t *vaddr)
{
    struct address_space *space = place->space;
    struct module *found = NULL;
    uint64_t nearest = 0;

    for (size_t i = 0; i < space->count; i++) {
        struct mapping *mapping = &space->mappings[i];
        uint64_t at;

        if (mapping->module->kind != MODULE_FILE || mapping->start_addr > place->addr ||
            is_elsewhere(piece, mapping->module) ||
            !mapping_vaddr(place->modules, mapping, place->addr, &at) ||
            !holds(mapping->module->image, at) || (found && mapping->start_addr < nearest))
            continue;
        found = mapping->module;
        nearest = mapping->start_addr;
        *vaddr = at;
    }
    return found;
}

static enum status name_in_module(const struct wait_place *place, struct module *module,
                                  uint64_t vaddr, struct wait_place_name *out)
{
    const struct data_symbols *symbols = module_data_symbols(place->modules, module);
    struct data_symbol symbol;
    enum status status;
    char *readable;

    if (!symbols || !data_symbols_find(symbols, vaddr, &symbol))
        return with_offset(text_basename(module->file.path), vaddr, &out->text);
    readable = demangle(symbol.name);
    out->is_variable = vaddr == symbol.start_vaddr;
    status = with_offset(readable ? readable : symbol.name, vaddr - symbol.start_vaddr, &out->text);
    free(readable);
    return status;
}

static enum status name_on_stack(const struct wait_thread *thread, const struct snap_wait *piece,
                                 uint64_t addr, char **out)
{
    uint64_t start = piece ? piece->map_start_addr : thread->stack_map_addr;
    char *what;
    enum status status;

    if (asprintf(&what, "stack of %s (%" PRIu32 ")", thread->name, thread->tid) < 0)
        return STATUS_NO_MEMORY;
    status = with_offset(what, addr - start, out);
    free(what);
    return status;
}

enum status wait_place_name(const struct wait_place *place, struct wait_place_name *out)
{
    const struct snap_wait *piece = find_piece(place->sample, place->addr);
    const struct wait_thread *thread =
        wait_threads_stack(place->threads, place->sample->pid, place->addr);
    struct module *module;
    uint64_t vaddr;

    *out = (struct wait_place_name){.is_known = true, .stack_tid = thread ? thread->tid : 0};
    if (thread)
        return name_on_stack(thread, piece, place->addr, &out->text);
    module = may_be_data(piece) ? find_module(place, piece, &vaddr) : NULL;
    if (module)
        return name_in_module(place, module, vaddr, out);
    if (piece && piece->place == SNAP_PLACE_FILE)
        return with_offset(text_basename(piece->path),
                           place->addr -
                               (piece->file_addr ? piece->file_addr : piece->map_start_addr),
                           &out->text);
    if (piece && piece->place == SNAP_PLACE_HEAP)
        return with_offset("heap", place->addr - piece->map_start_addr, &out->text);
    if (piece && piece->place == SNAP_PLACE_STACK)
        return with_offset("[stack]", place->addr - piece->map_start_addr, &out->text);
    out->is_known = false;
    return with_offset("[anon]", place->addr, &out->text);
}
