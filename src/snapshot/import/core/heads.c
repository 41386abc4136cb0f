/* SPDX-License-Identifier: MIT */
#include "snapshot/import/core/heads.h"

#include <elf.h>

/* Computes the pages of a PT_LOAD that are mapped from the file. False: empty, or wraps around. */
static bool make_load(const struct core_image *image, const struct elf_phdr *phdr, uint64_t bias,
                      uint64_t page_size, struct core_head_load *out)
{
    const uint64_t mask = core_addr_mask(image), edge = page_size - 1;
    uint64_t start = (bias + phdr->vaddr) & mask, end;

    if (phdr->filesz == 0 || phdr->filesz > mask - edge || start > mask - edge - phdr->filesz)
        return false;
    end = (start + phdr->filesz + edge) & ~edge;
    *out = (struct core_head_load){.start_addr = start & ~edge,
                                   .end_addr = end,
                                   .file_off = phdr->off & ~edge,
                                   .is_code = phdr->flags & PF_X};
    return true;
}

/* A load without a segment may be code: gdb omits segments that it has no bytes for. */
static bool may_be_code(const struct core_image *image, const struct core_head_load *load)
{
    const struct core_segment *segment = core_image_segment(image, load->start_addr);

    return !segment || (segment->flags & PF_X);
}

static bool read_phdr(const struct core_image *image, const struct elf_head *elf, uint64_t addr,
                      unsigned index, struct elf_phdr *out)
{
    uint8_t bytes[ELF_HEAD_MAX];

    if (!core_image_read(image, addr + elf->phoff + (uint64_t)index * elf->phentsize, bytes,
                         elf_phdr_size(elf)))
        return false;
    elf_phdr_parse(bytes, elf, out);
    return true;
}

/* Computes the bias from the PT_LOAD that begins with the file. */
static bool find_bias(const struct core_image *image, const struct elf_head *elf, uint64_t addr,
                      uint64_t page_size, uint64_t *bias)
{
    struct elf_phdr phdr;

    for (unsigned i = 0; i < elf->phnum && i < BUILD_ID_PHDR_MAX; i++) {
        if (!read_phdr(image, elf, addr, i, &phdr))
            return false;
        if (phdr.type != PT_LOAD || phdr.off >= page_size)
            continue;
        *bias = (addr - (phdr.vaddr - phdr.off)) & core_addr_mask(image);
        return elf->type == ET_DYN || *bias == 0;
    }
    return false;
}

bool core_head_read(const struct core_image *image, uint64_t addr, uint64_t page_size,
                    struct core_head *out)
{
    uint8_t bytes[ELF_HEAD_MAX];
    struct elf_head elf;
    struct elf_phdr phdr;
    bool has_code = false;

    *out = (struct core_head){.addr = addr};
    if (!core_image_read(image, addr, bytes, sizeof(bytes)) ||
        elf_head_parse(bytes, sizeof(bytes), &elf) != STATUS_OK || elf.is_64 != image->is_64 ||
        elf.machine != image->arch->elf_machine || (elf.type != ET_EXEC && elf.type != ET_DYN) ||
        !find_bias(image, &elf, addr, page_size, &out->bias))
        return false;
    out->entry_addr = (out->bias + elf.entry_vaddr) & core_addr_mask(image);
    for (unsigned i = 0; i < elf.phnum && i < BUILD_ID_PHDR_MAX; i++) {
        struct core_head_load *load = &out->loads[out->load_count];

        if (!read_phdr(image, &elf, addr, i, &phdr))
            break;
        if (phdr.type == PT_DYNAMIC)
            out->dynamic_addr = (out->bias + phdr.vaddr) & core_addr_mask(image);
        if (phdr.type != PT_LOAD || out->load_count == CORE_HEAD_LOADS_MAX ||
            !make_load(image, &phdr, out->bias, page_size, load))
            continue;
        out->load_count++;
        if (!load->is_code)
            continue;
        if (!may_be_code(image, load))
            return false;
        has_code = true;
    }
    return has_code;
}
