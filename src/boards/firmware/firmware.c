/* SPDX-License-Identifier: MIT */
#include "boards/firmware/firmware.h"

#include <elf.h>
#include <string.h>

#include "boards/firmware/firmware_match.h"
#include "snapshot/import/vectors.h"
#include "symbol/address_space.h"
#include "symbol/elf/elf_image.h"
#include "symbol/module_set.h"

#define PROT_EXECUTE 4

static bool has_file(const struct address_space *space)
{
    for (size_t i = 0; i < space->count; i++)
        if (space->mappings[i].module->kind == MODULE_FILE)
            return true;
    return false;
}

/* Returns whether the program has code at `addr`. */
static bool has_code_at(const struct elf_image *image, uint64_t addr)
{
    const struct elf_segment *segments;
    size_t count;

    segments = elf_image_segments(image, &count);
    for (size_t i = 0; i < count; i++)
        if (segments[i].prot & PROT_EXECUTE && addr >= segments[i].vaddr &&
            addr - segments[i].vaddr < segments[i].mem_size)
            return true;
    return false;
}

static bool read_file(const void *image, uint64_t addr, void *buffer, size_t size)
{
    uint64_t avail = 0;
    const uint8_t *bytes = elf_image_bytes_at(image, addr, &avail);

    if (!bytes || avail < size)
        return false;
    memcpy(buffer, bytes, size);
    return true;
}

/* Takes the vector table from the program if the board's is not known. */
static void find_vectors(const struct elf_image *image, struct board_space *board)
{
    const struct vector_memory memory = {.read = read_file, .context = image};
    struct snap_board found = {.profile = board->profile, .initial_sp = board->initial_sp};
    const struct elf_segment *segments;
    size_t count;

    segments = elf_image_segments(image, &count);
    for (size_t i = 0; i < count && !board->initial_sp && !found.initial_sp; i++)
        vectors_try(&memory, segments[i].vaddr, &found);
    if (board->initial_sp || !found.initial_sp)
        return;
    board->vectors_addr = found.vectors_addr;
    board->initial_sp = found.initial_sp;
    board->reset_addr = found.reset_addr;
}

/* Returns the first mapping of a file within [addr, end_addr); NULL: none. */
static const struct mapping *next_file(const struct address_space *space, uint64_t addr,
                                       uint64_t end_addr)
{
    for (size_t i = 0; i < space->count; i++) {
        const struct mapping *there = &space->mappings[i];

        if (there->module->kind == MODULE_FILE && there->end_addr > addr &&
            there->start_addr < end_addr)
            return there;
    }
    return NULL;
}

/* Maps the parts of `wanted` where no file is mapped yet. */
static enum status put_free(struct address_space *space, const struct mapping *wanted)
{
    uint64_t addr = wanted->start_addr;
    enum status status = STATUS_OK;

    while (addr < wanted->end_addr && status == STATUS_OK) {
        const struct mapping *there = next_file(space, addr, wanted->end_addr);
        struct mapping piece = *wanted;
        const uint64_t next_addr = there ? there->end_addr : wanted->end_addr;

        piece.start_addr = addr;
        piece.end_addr = there ? there->start_addr : wanted->end_addr;
        piece.file_off += addr - wanted->start_addr;
        if (piece.start_addr < piece.end_addr)
            status = address_space_put(space, &piece);
        addr = next_addr;
    }
    return status;
}

/* Sets the mapping's range to the segment's code; false: it has none. */
static bool map_code(const struct elf_segment *segment, struct mapping *mapping)
{
    mapping->start_addr = segment->vaddr;
    mapping->end_addr = segment->vaddr + segment->mem_size;
    mapping->file_off = segment->file_off;
    return segment->prot & PROT_EXECUTE && mapping->start_addr < mapping->end_addr;
}

/* Opens the module at its fixed address. NOT_FOUND: not what ran there, as its `problem` says. */
static enum status open_placed(struct module_set *modules, struct elf_image *image,
                               const struct address_space *space, struct mapping *mapping)
{
    const struct elf_segment *segments;
    struct diag why;
    size_t count, i = 0;

    segments = elf_image_segments(image, &count);
    while (i < count && !map_code(&segments[i], mapping))
        i++;
    if (i == count)
        return STATUS_NOT_FOUND;
    module_set_place(modules, mapping, true);
    if (space->board.is_board && firmware_contradicts(image, &space->board, &why)) {
        module_refuse(mapping->module, &why);
        return STATUS_NOT_FOUND;
    }
    return module_open(modules, mapping->module);
}

static enum status place(struct module_set *modules, struct elf_image *image,
                         struct address_space *space)
{
    const struct file_identity file = {.path = elf_image_path(image)};
    struct mapping mapping = {.anchor = MAPPING_BIAS};
    const struct elf_segment *segments;
    enum status status = module_set_get_mapped(modules, MODULE_FILE, &file, &mapping.module);
    size_t count;

    if (status != STATUS_OK)
        return status;
    status = open_placed(modules, image, space, &mapping);
    if (status != STATUS_OK)
        return status == STATUS_NOT_FOUND ? STATUS_OK : status;
    segments = elf_image_segments(image, &count);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        if (map_code(&segments[i], &mapping))
            status = put_free(space, &mapping);
    find_vectors(image, &space->board);
    return status;
}

/* Returns whether it has code where no file is mapped yet. */
static bool has_room(const struct address_space *space, const struct elf_image *image)
{
    const struct elf_segment *segments;
    struct mapping mapping;
    size_t count;

    segments = elf_image_segments(image, &count);
    for (size_t i = 0; i < count; i++) {
        uint64_t addr = segments[i].vaddr;
        const struct mapping *there;

        if (!map_code(&segments[i], &mapping))
            continue;
        while ((there = next_file(space, addr, mapping.end_addr)) && there->start_addr <= addr)
            addr = there->end_addr;
        if (addr < mapping.end_addr)
            return true;
    }
    return false;
}

/* Returns whether programs lie where they were linked for: boards, and cores that name no file. */
static bool is_fixed(const struct snap_source *source, const struct address_space *space)
{
    return space->board.is_board || (source->kind == SOURCE_CORE && !has_file(space));
}

enum status firmware_place(struct module_set *modules, const struct snap_source *source,
                           struct address_space *space, uint64_t pc)
{
    const bool is_wanted = !space->has_firmware && is_fixed(source, space);
    struct elf_image *image;
    enum status status = STATUS_OK;

    if (is_wanted && source->kind == SOURCE_SNAPSHOT)
        firmware_match(modules, space);
    for (size_t i = 0; is_wanted && (image = module_set_program(modules, i)); i++) {
        if (!space->board.is_board && (elf_image_type(image) != ET_EXEC || !has_code_at(image, pc)))
            continue;
        if (!has_room(space, image))
            continue;
        module_set_use_program(modules, i);
        status = place(modules, image, space);
        if (status != STATUS_OK)
            return status;
    }
    space->has_firmware = true;
    return status;
}
