/* SPDX-License-Identifier: MIT */
#include "unwind/sources/lsda.h"

#include <stdlib.h>

#include <dwarf.h>

#include "base/vec.h"
#include "unwind/sources/cfi_entry.h"

struct reader {
    /* the LSDA up to the end of the file, for encoded addresses */
    struct cfi_section section;
    struct cursor c;
    uint64_t start_vaddr, lpstart_vaddr;
    uint8_t encoding; /* of the call sites */
};

void landing_pads_deinit(struct landing_pads *landing_pads)
{
    free(landing_pads->items);
    *landing_pads = (struct landing_pads){0};
}

enum status landing_pads_add(struct landing_pads *landing_pads,
                             const struct landing_pad *landing_pad)
{
    struct landing_pad *last =
        landing_pads->count ? &landing_pads->items[landing_pads->count - 1] : NULL;

    if (last && last->end_vaddr == landing_pad->start_vaddr &&
        last->landing_pad_vaddr == landing_pad->landing_pad_vaddr &&
        last->popped == landing_pad->popped) {
        last->end_vaddr = landing_pad->end_vaddr;
        return STATUS_OK;
    }
    if (vec_reserve(&landing_pads->items, &landing_pads->cap, landing_pads->count + 1,
                    sizeof(*landing_pads->items)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    landing_pads->items[landing_pads->count++] = *landing_pad;
    return STATUS_OK;
}

/* Reads up to the call-site table, to which it cuts the cursor. */
static enum status read_header(struct reader *r)
{
    uint8_t encoding;
    uint64_t ignored, size;

    if (!cursor_u8(&r->c, &encoding))
        return STATUS_BAD_DATA;
    r->lpstart_vaddr = r->start_vaddr;
    if (encoding != DW_EH_PE_omit) {
        if ((encoding & 0xf0) != DW_EH_PE_absptr && (encoding & 0xf0) != DW_EH_PE_pcrel)
            return STATUS_UNSUPPORTED;
        if (!cfi_pointer_read(&r->section, &r->c, encoding, r->section.arch->word_size,
                              &r->lpstart_vaddr))
            return STATUS_BAD_DATA;
    }
    if (!cursor_u8(&r->c, &encoding) ||
        (encoding != DW_EH_PE_omit && !cursor_uleb(&r->c, &ignored)) ||
        !cursor_u8(&r->c, &r->encoding) || !cursor_uleb(&r->c, &size) || size > cursor_left(&r->c))
        return STATUS_BAD_DATA;
    if (r->encoding & ~0x0f) /* these are distances */
        return STATUS_UNSUPPORTED;
    r->c.size = r->c.pos + (size_t)size;
    return STATUS_OK;
}

static bool read_distance(struct reader *r, uint64_t *out)
{
    return cfi_address_read(&r->section, &r->c, r->encoding, r->section.arch->word_size, out);
}

static enum status read_site(struct reader *r, uint64_t *last_end_vaddr, struct landing_pad *out,
                             bool *has_landing_pad)
{
    uint64_t start, size, landing_pad, action;

    if (!read_distance(r, &start) || !read_distance(r, &size) || !read_distance(r, &landing_pad) ||
        !cursor_uleb(&r->c, &action))
        return STATUS_BAD_DATA;
    *out = (struct landing_pad){.start_vaddr = r->start_vaddr + start,
                                .landing_pad_vaddr = r->lpstart_vaddr + landing_pad};
    if (r->section.arch->word_size == 4)
        out->landing_pad_vaddr = (uint32_t)out->landing_pad_vaddr;
    *has_landing_pad = landing_pad != 0 && size != 0;
    if (out->start_vaddr < *last_end_vaddr ||
        __builtin_add_overflow(out->start_vaddr, size, &out->end_vaddr))
        return STATUS_BAD_DATA;
    *last_end_vaddr = out->end_vaddr;
    return STATUS_OK;
}

enum status lsda_read(const struct lsda_place *place, const struct arch *arch, const uint8_t *bytes,
                      uint64_t size, struct landing_pads *out)
{
    struct reader r = {
        .section = {.arch = arch, .bytes = bytes, .size = size, .vaddr = place->lsda_vaddr},
        .c = cursor_init(bytes, (size_t)size),
        .start_vaddr = place->start_vaddr};
    uint64_t last_end_vaddr = place->start_vaddr;
    enum status status = read_header(&r);

    out->count = 0;
    for (unsigned i = 0; status == STATUS_OK && cursor_left(&r.c) > 0; i++) {
        struct landing_pad landing_pad;
        bool has_landing_pad;

        status = i < LSDA_SITES_MAX ? read_site(&r, &last_end_vaddr, &landing_pad, &has_landing_pad)
                                    : STATUS_BAD_DATA;
        if (status == STATUS_OK && has_landing_pad)
            status = landing_pads_add(out, &landing_pad);
    }
    if (status != STATUS_OK)
        out->count = 0;
    return status;
}
