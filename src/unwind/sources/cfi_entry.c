/* SPDX-License-Identifier: MIT */
#include "unwind/sources/cfi_entry.h"

#include "base/bits.h"

#include <dwarf.h>

#define AUGMENTATION_MAX 16 /* letters, with the NUL */

enum status cfi_entry_at(const struct cfi_section *section, uint64_t off, struct cfi_entry *out)
{
    struct cursor c = cursor_init(section->bytes, (size_t)section->size);
    uint64_t length, id, id_off;
    uint32_t length32;
    unsigned id_size = 4;

    if (!cursor_skip(&c, off))
        return STATUS_BAD_DATA;
    if (cursor_left(&c) == 0)
        return STATUS_END;
    if (!cursor_u32(&c, &length32))
        return STATUS_BAD_DATA;
    length = length32;
    if (length32 == UINT32_MAX) {
        if (!cursor_u64(&c, &length))
            return STATUS_BAD_DATA;
        /* .eh_frame keeps the id at four bytes even then (LSB 10.6.1.1). */
        id_size = section->eh_frame ? 4 : 8;
    }
    if (length > cursor_left(&c))
        return STATUS_BAD_DATA;
    id_off = c.pos;
    c.size = c.pos + (size_t)length;
    *out = (struct cfi_entry){.off = off, .next_off = c.size, .body_off = c.size};
    if (!cursor_uint(&c, id_size, &id)) {
        out->cie_off = CFI_NO_CIE;
        return STATUS_OK;
    }
    out->body_off = c.pos;
    if (section->eh_frame) {
        out->is_cie = id == 0;
        out->cie_off = id_off - id; /* distance back from the id field */
    } else {
        out->is_cie = id == (id_size == 8 ? UINT64_MAX : UINT32_MAX);
        out->cie_off = id;
    }
    return STATUS_OK;
}

bool cfi_address_read(const struct cfi_section *section, struct cursor *c, uint8_t encoding,
                      uint8_t address_size, uint64_t *out)
{
    uint64_t at = section->vaddr + c->pos;
    uint64_t value = 0;
    int64_t sleb;
    unsigned size = 0;
    bool is_signed = encoding & 0x08;

    if ((encoding & 0x70) == DW_EH_PE_aligned) {
        uint64_t mask = address_size - 1u;

        if (!cursor_skip(c, (0 - at) & mask))
            return false;
        return cursor_uint(c, address_size, out);
    }
    switch (encoding & 0x07) {
    case DW_EH_PE_absptr:
        size = address_size;
        break;
    case DW_EH_PE_udata2:
        size = 2;
        break;
    case DW_EH_PE_udata4:
        size = 4;
        break;
    case DW_EH_PE_udata8:
        size = 8;
        break;
    case DW_EH_PE_uleb128:
        if (is_signed && cursor_sleb(c, &sleb))
            value = (uint64_t)sleb;
        else if (is_signed || !cursor_uleb(c, &value))
            return false;
        break;
    default:
        return false;
    }
    if (size && !cursor_uint(c, size, &value))
        return false;
    if (size && is_signed)
        value = (uint64_t)bits_signed(value, 8 * size);
    switch (encoding & 0x70) {
    case DW_EH_PE_absptr:
        break;
    case DW_EH_PE_pcrel:
        value += at;
        break;
    case DW_EH_PE_textrel:
        value += section->text_vaddr;
        break;
    case DW_EH_PE_datarel:
        value += section->data_vaddr;
        break;
    default: /* DW_EH_PE_funcrel has no meaning in CFI */
        return false;
    }
    *out = address_size == 4 ? (uint32_t)value : value;
    return true;
}

bool cfi_pointer_read(const struct cfi_section *section, struct cursor *c, uint8_t encoding,
                      uint8_t address_size, uint64_t *out)
{
    struct cursor plain = *c;
    uint64_t vaddr;

    if (!cfi_address_read(section, &plain, encoding & 0x0f, address_size, &vaddr))
        return false;
    if (vaddr != 0)
        return cfi_address_read(section, c, encoding, address_size, out);
    *c = plain;
    *out = 0;
    return true;
}

/* Reads the augmentation's letters behind 'z' and their data (LSB 10.6.1.1.1). */
static enum status read_augmentation(const struct cfi_section *section, struct cursor *c,
                                     const char *letters, struct cfi_cie *cie)
{
    uint64_t length, ignored;
    uint8_t encoding;
    struct cursor data;

    if (!cursor_uleb(c, &length) || length > cursor_left(c))
        return STATUS_BAD_DATA;
    data = *c;
    data.size = data.pos + (size_t)length;
    for (; *letters; letters++) {
        switch (*letters) {
        case 'R':
            if (!cursor_u8(&data, &cie->fde_encoding))
                return STATUS_BAD_DATA;
            break;
        case 'L':
            if (!cursor_u8(&data, &cie->lsda_encoding))
                return STATUS_BAD_DATA;
            break;
        case 'P':
            if (!cursor_u8(&data, &encoding) ||
                (encoding != DW_EH_PE_omit &&
                 !cfi_address_read(section, &data, encoding, cie->address_size, &ignored)))
                return STATUS_BAD_DATA;
            break;
        case 'S':
            cie->signal_frame = true;
            break;
        case 'B': /* AArch64: return addresses are signed with the B key */
        case 'G': /* AArch64: memory tagging */
            break;
        default: /* the size of its data is not known, but 'z' has that of all */
            return cursor_skip(c, length) ? STATUS_OK : STATUS_BAD_DATA;
        }
    }
    return cursor_skip(c, length) ? STATUS_OK : STATUS_BAD_DATA;
}

/* Real augmentations have a handful of letters. The cap keeps the work for a hostile CIE small. */
static bool read_letters(struct cursor *c, const char **out)
{
    struct cursor limited = *c;

    if (cursor_left(c) > AUGMENTATION_MAX)
        limited.size = c->pos + AUGMENTATION_MAX;
    if (!cursor_string(&limited, out))
        return false;
    c->pos = limited.pos;
    return true;
}

enum status cfi_cie_read(const struct cfi_section *section, const struct cfi_entry *entry,
                         struct cfi_cie *out)
{
    struct cursor c = cursor_init(section->bytes, (size_t)entry->next_off);
    const char *augmentation;
    uint8_t version, address_size = section->arch->word_size, segment_size = 0, ra8;

    *out = (struct cfi_cie){.fde_encoding = DW_EH_PE_absptr, .lsda_encoding = DW_EH_PE_omit};
    if (!entry->is_cie || !cursor_skip(&c, entry->body_off) || !cursor_u8(&c, &version) ||
        !read_letters(&c, &augmentation))
        return STATUS_BAD_DATA;
    if (version != 1 && version != 3 && version != 4)
        return STATUS_UNSUPPORTED;
    if (augmentation[0] == 'e' && augmentation[1] == 'h') { /* gcc 2's: a pointer follows */
        if (!cursor_skip(&c, section->arch->word_size))
            return STATUS_BAD_DATA;
        augmentation += 2;
    }
    if (version == 4 && (!cursor_u8(&c, &address_size) || !cursor_u8(&c, &segment_size)))
        return STATUS_BAD_DATA;
    if (segment_size != 0 || address_size != section->arch->word_size)
        return STATUS_UNSUPPORTED;
    out->address_size = address_size;
    if (!cursor_uleb(&c, &out->code_align) || !cursor_sleb(&c, &out->data_align))
        return STATUS_BAD_DATA;
    if (version == 1) {
        if (!cursor_u8(&c, &ra8))
            return STATUS_BAD_DATA;
        out->ra_reg = ra8;
    } else if (!cursor_uleb(&c, &out->ra_reg)) {
        return STATUS_BAD_DATA;
    }
    if (augmentation[0] == 'z') {
        enum status status = read_augmentation(section, &c, augmentation + 1, out);

        if (status != STATUS_OK)
            return status;
        out->has_augmentation_data = true;
    } else if (augmentation[0]) {
        return STATUS_UNSUPPORTED;
    }
    out->program_off = c.pos;
    out->program_size = entry->next_off - c.pos;
    return STATUS_OK;
}

/* Reads the pointer to the LSDA from the augmentation data, over which `c` is. */
static uint64_t read_lsda(const struct cfi_section *section, const struct cfi_cie *cie,
                          struct cursor c)
{
    uint64_t vaddr;

    if (cie->lsda_encoding == DW_EH_PE_omit)
        return 0;
    if ((cie->lsda_encoding & CFI_PE_INDIRECT) ||
        !cfi_pointer_read(section, &c, cie->lsda_encoding, cie->address_size, &vaddr))
        return CFI_LSDA_UNKNOWN;
    return vaddr;
}

enum status cfi_fde_read(const struct cfi_section *section, const struct cfi_entry *entry,
                         const struct cfi_cie *cie, struct cfi_fde *out)
{
    struct cursor c = cursor_init(section->bytes, (size_t)entry->next_off), augmentation;
    uint64_t range, augmentation_size;

    if (cie->fde_encoding & CFI_PE_INDIRECT)
        return STATUS_UNSUPPORTED;
    if (!cursor_skip(&c, entry->body_off) ||
        !cfi_address_read(section, &c, cie->fde_encoding, cie->address_size, &out->start_vaddr) ||
        !cfi_address_read(section, &c, cie->fde_encoding & 0x0f, cie->address_size, &range))
        return STATUS_BAD_DATA;
    out->start_vaddr &= ~(uint64_t)section->arch->isa_bit; /* set in libgcc's for ARMv6-M */
    out->lsda_vaddr = section->eh_frame ? 0 : CFI_LSDA_UNKNOWN;
    if (cie->has_augmentation_data) {
        if (!cursor_uleb(&c, &augmentation_size))
            return STATUS_BAD_DATA;
        augmentation = c;
        if (!cursor_skip(&c, augmentation_size))
            return STATUS_BAD_DATA;
        augmentation.size = c.pos;
        if (section->eh_frame)
            out->lsda_vaddr = read_lsda(section, cie, augmentation);
    }
    if (out->start_vaddr == 0 || range == 0)
        return STATUS_NOT_FOUND;
    if (__builtin_add_overflow(out->start_vaddr, range, &out->end_vaddr))
        return STATUS_BAD_DATA;
    out->program_off = c.pos;
    out->program_size = entry->next_off - c.pos;
    return STATUS_OK;
}
