/* SPDX-License-Identifier: MIT */
#include "variables/memory.h"

#include <string.h>

#include "base/search.h"
#include "snapshot/sample_memory.h"
#include "symbol/data_symbols.h"
#include "symbol/elf/elf_image.h"
#include "symbol/elf/settled_data.h"
#include "unwind/row/memory.h"

/* Reads captured bytes from `addr` on, as many as one piece has; returns how many. */
static size_t read_captured(const struct snap_sample *sample, uint64_t addr, uint8_t *buffer,
                            size_t size)
{
    const struct memory memory = memory_of(sample);
    const struct snap_region *region;
    struct snap_sample still;

    /* In a repeat the stack is as before, but others may have changed what it points to. */
    if (sample->repeat && sample->pointee_count) {
        still = *sample;
        still.pointee_count = 0;
        sample = &still;
    }
    if (sample_read(sample, addr, buffer, size))
        return size;
    region = sample->region_count ? memory_region(&memory, addr) : NULL;
    if (!region)
        return sample_read(sample, addr, buffer, 1);
    if (size > region->end_addr - addr)
        size = (size_t)(region->end_addr - addr);
    return snap_region_read(region, sample->memory, addr, buffer, size) ? size : 0;
}

static const struct elf_segment *find_segment(const struct elf_image *image, uint64_t vaddr)
{
    size_t count;
    const struct elf_segment *segments = elf_image_segments(image, &count);

    for (size_t i = 0; i < count; i++)
        if (vaddr >= segments[i].vaddr && vaddr - segments[i].vaddr < segments[i].mem_size)
            return &segments[i];
    return NULL;
}

/* Is `addr` in a segment of the mapping's file, by the load bias of that mapping? */
static bool is_loaded(struct module_set *set, struct mapping *mapping, uint64_t addr,
                      uint64_t *vaddr)
{
    if (!mapping->module || !mapping_vaddr(set, mapping, mapping->start_addr, vaddr) ||
        !mapping->module->image)
        return false;
    *vaddr += addr - mapping->start_addr;
    return find_segment(mapping->module->image, *vaddr);
}

struct module *captured_module(struct module_set *set, const struct address_space *space,
                               uint64_t addr, uint64_t *vaddr)
{
    size_t after;

    if (!space)
        return NULL;
    after = SEARCH_FIRST(i, 0, space->count, space->mappings[i].end_addr <= addr);
    if (after < space->count && is_loaded(set, &space->mappings[after], addr, vaddr))
        return space->mappings[after].module;
    if (after < space->count && space->mappings[after].start_addr <= addr)
        return NULL; /* another mapping is there */
    if (after > 0 && is_loaded(set, &space->mappings[after - 1], addr, vaddr))
        return space->mappings[after - 1].module;
    return NULL;
}

/*
 * Is `addr` in a variable of a module's symbols that `sp` is not in? Such a variable is no part of
 * the stack, though it is below `sp` in the same memory. `sp` at its end is that of an empty stack:
 *
 *     board's RAM     [ counter | a task's stack … sp … | main's stack … ]
 */
static bool is_variable(struct module_set *set, const struct address_space *space, uint64_t sp,
                        uint64_t addr)
{
    const struct data_symbols *symbols;
    struct data_symbol symbol;
    uint64_t vaddr;
    struct module *module = captured_module(set, space, addr, &vaddr);

    symbols = module ? module_data_symbols(set, module) : NULL;
    return symbols && data_symbols_find(symbols, vaddr, &symbol) && symbol.size > 0 &&
           sp - (addr - (vaddr - symbol.start_vaddr)) > symbol.size;
}

/* Below SP and the red zone a signal's handler may have written since. */
static bool is_below_stack(struct module_set *set, const struct address_space *space,
                           const struct snap_sample *sample, const struct arch *arch, uint64_t addr)
{
    const struct snap_region *stack = sample->region_count ? &sample->regions[0] : NULL;
    const uint64_t sp = sample->regs.value[arch->sp];

    return stack && regs_has(&sample->regs, arch->sp) && sp >= arch->red_zone &&
           addr >= stack->start_addr && addr < stack->end_addr && addr < sp - arch->red_zone &&
           !is_variable(set, space, sp, addr);
}

/* How many bytes cannot have changed since the file was loaded. */
static size_t count_constant(struct module_set *set, struct module *module, uint64_t vaddr,
                             size_t size)
{
    const struct settled_data *settled;

    if (!(find_segment(module->image, vaddr)->prot & 2))
        return (size_t)elf_image_count_unwritten(module->image, vaddr, size);
    settled = module_settled_data(set, module);
    return settled ? (size_t)settled_data_count(settled, vaddr, size) : 0;
}

/* Reads bytes of the file loaded there that cannot have changed; returns how many. */
static size_t read_file(struct module_set *set, struct address_space *space, uint64_t addr,
                        uint8_t *buffer, size_t size)
{
    const uint8_t *bytes;
    uint64_t vaddr, avail;
    struct module *module = captured_module(set, space, addr, &vaddr);

    if (!module || module_changes_text(module))
        return 0;
    size = count_constant(set, module, vaddr, size);
    bytes = size ? elf_image_bytes_at(module->image, vaddr, &avail) : NULL;
    if (!bytes)
        return 0;
    if (size > avail)
        size = (size_t)avail;
    memcpy(buffer, bytes, size);
    return size;
}

struct known_how captured_read(struct module_set *set, struct address_space *space,
                               const struct snap_sample *sample, const struct arch *arch,
                               uint64_t addr, void *buffer, size_t size)
{
    uint8_t *to = buffer;

    if (size > UINT64_MAX - addr)
        return unavailable("beyond the address space");
    if (is_below_stack(set, space, sample, arch, addr))
        return unavailable("below the stack pointer");
    while (size > 0) {
        size_t got = read_captured(sample, addr, to, size);

        if (!got)
            got = read_file(set, space, addr, to, size);
        if (!got)
            return known_not(NOT_CAPTURED);
        addr += got;
        to += got;
        size -= got;
    }
    return known_yes();
}
