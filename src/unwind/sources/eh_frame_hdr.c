/* SPDX-License-Identifier: MIT */
#include "unwind/sources/eh_frame_hdr.h"

#include "base/cursor.h"
#include "base/search.h"

#define HEADER_SIZE 12
#define ENTRY_SIZE  8
/* version 1; .eh_frame's address pcrel | sdata4; count udata4; table datarel | sdata4 */
#define ENCODINGS 0x3b031b01

/* Reads a word of the table, a distance from the section's begin. */
static uint64_t address_at(const struct eh_frame_hdr *hdr, size_t index, unsigned off)
{
    const uint8_t *bytes = hdr->entries + index * ENTRY_SIZE + off;
    uint32_t word =
        bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;

    return (hdr->vaddr + (uint64_t)(int64_t)(int32_t)word) & hdr->last_vaddr;
}

void eh_frame_hdr_open(struct elf_image *image, struct eh_frame_hdr *out)
{
    struct elf_section section;
    uint32_t encodings, delta, count;
    struct cursor c;

    *out = (struct eh_frame_hdr){.count = 0};
    if (elf_image_section(image, ".eh_frame_hdr", &section) != STATUS_OK || !section.bytes)
        return;
    c = cursor_init(section.bytes, (size_t)section.size);
    if (!cursor_u32(&c, &encodings) || encodings != ENCODINGS || !cursor_u32(&c, &delta) ||
        !cursor_u32(&c, &count) || count > cursor_left(&c) / ENTRY_SIZE)
        return;
    *out = (struct eh_frame_hdr){.entries = section.bytes + HEADER_SIZE,
                                 .count = count,
                                 .vaddr = section.vaddr,
                                 .last_vaddr = elf_image_arch(image)->word_size == 4 ? UINT32_MAX
                                                                                     : UINT64_MAX};
    if (count > 0)
        out->first_vaddr = address_at(out, 0, 0);
}

bool eh_frame_hdr_find(const struct eh_frame_hdr *hdr, uint64_t vaddr,
                       struct eh_frame_hdr_entry *out)
{
    size_t at = SEARCH_FIRST(i, 0, hdr->count, address_at(hdr, i, 0) <= vaddr);

    if (at == 0)
        return false;
    *out = (struct eh_frame_hdr_entry){.start_vaddr = address_at(hdr, at - 1, 0),
                                       .fde_vaddr = address_at(hdr, at - 1, 4),
                                       .next_vaddr =
                                           at < hdr->count ? address_at(hdr, at, 0) : UINT64_MAX};
    return at == 1 || address_at(hdr, at - 2, 0) != out->start_vaddr;
}
