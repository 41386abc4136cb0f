/* SPDX-License-Identifier: MIT */
/*
 * Reads the entries of .debug_frame and .eh_frame: CIEs and FDEs (DWARF 5 section 6.4.1; for
 * .eh_frame the Linux Standard Base, Core, section 10.6). Each call reads one entry and keeps
 * nothing, so that damage in one entry does not affect others.
 *
 * Why this is not libdwarf: docs/decisions/0003-cfi-entries.md.
 */
#ifndef UNWIND_SOURCES_CFI_ENTRY_H
#define UNWIND_SOURCES_CFI_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/cursor.h"
#include "base/status.h"

#define CFI_PE_INDIRECT 0x80 /* DW_EH_PE_indirect, which dwarf.h lacks */

struct cfi_section {
    const struct arch *arch;
    const uint8_t *bytes; /* borrowed */
    uint64_t size, vaddr;
    bool eh_frame;       /* the format is .eh_frame's variant */
    uint64_t data_vaddr; /* base of DW_EH_PE_datarel */
    uint64_t text_vaddr; /* base of DW_EH_PE_textrel */
};

struct cfi_cie {
    uint64_t code_align;
    int64_t data_align;
    uint64_t ra_reg;
    /* initial instructions: offset in the section, size in bytes */
    uint64_t program_off, program_size;
    uint8_t fde_encoding; /* DW_EH_PE_… encoding of the addresses in FDEs */
    /* 'L': encoding of the pointers to LSDAs in FDEs; DW_EH_PE_omit: there are none */
    uint8_t lsda_encoding;
    uint8_t address_size;
    bool has_augmentation_data; /* 'z': each FDE has augmentation data with their size */
    bool signal_frame;          /* 'S': the FDEs are signal trampolines' */
};

struct cfi_fde {
    uint64_t start_vaddr, end_vaddr;
    /* address of the function's LSDA; 0: none; CFI_LSDA_UNKNOWN: cannot be read */
    uint64_t lsda_vaddr;
    uint64_t program_off, program_size; /* instructions: offset in the section, size in bytes */
};

struct cfi_entry { /* a CIE or FDE; its members are offsets in the section */
    bool is_cie;
    uint64_t off;      /* offset of the entry's length field */
    uint64_t next_off; /* offset of the next entry */
    uint64_t cie_off; /* where the FDE's CIE begins; CFI_NO_CIE: the entry is too short for an id */
    uint64_t body_off; /* offset of the part after the id field */
};

#define CFI_NO_CIE       UINT64_MAX
#define CFI_LSDA_UNKNOWN UINT64_MAX

/*
 * Fills *out from length and id of the entry at offset `off` of the section. END: `off` is the
 * section's end. BAD_DATA: the length leads out of the section, so that no further entry can be
 * found. An entry with CFI_NO_CIE is a terminator (length 0; more entries may follow where sections
 * were concatenated), or damaged.
 */
MUST_CHECK enum status cfi_entry_at(const struct cfi_section *section, uint64_t off,
                                    struct cfi_entry *out);

/*
 * Fills *out from the CIE `entry`. BAD_DATA: the entry is malformed, or no CIE. UNSUPPORTED: it has
 * a version other than 1, 3 and 4, another address size than the architecture's, or an augmentation
 * that cannot be skipped.
 */
MUST_CHECK enum status cfi_cie_read(const struct cfi_section *section,
                                    const struct cfi_entry *entry, struct cfi_cie *out);

/*
 * Fills *out from the FDE `entry`, whose CIE is `cie`. NOT_FOUND: the linker discarded the function
 * (start or size is 0). UNSUPPORTED: instead of the function's address the entry has a pointer to
 * it (DW_EH_PE_indirect). BAD_DATA: the entry is malformed; out->start_vaddr is set if it could be
 * read.
 */
MUST_CHECK enum status cfi_fde_read(const struct cfi_section *section,
                                    const struct cfi_entry *entry, const struct cfi_cie *cie,
                                    struct cfi_fde *out);

/*
 * As cfi_address_read, for a pointer that may be null: if the encoded value is 0, *out is 0, and no
 * base is added.
 */
MUST_CHECK bool cfi_pointer_read(const struct cfi_section *section, struct cursor *c,
                                 uint8_t encoding, uint8_t address_size, uint64_t *out);

/*
 * Reads the address at `c`, a cursor over the whole section, in a DW_EH_PE encoding (LSB 10.5), and
 * moves `c` past it. With DW_EH_PE_indirect *out is the address of the pointer, which is not
 * followed. False: the section ends before, or the encoding has no meaning in CFI.
 */
MUST_CHECK bool cfi_address_read(const struct cfi_section *section, struct cursor *c,
                                 uint8_t encoding, uint8_t address_size, uint64_t *out);

#endif
