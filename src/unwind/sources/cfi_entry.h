/* SPDX-License-Identifier: MIT */
/*
 * The entries of .debug_frame and .eh_frame: CIEs and FDEs (DWARF 5 section 6.4.1; for .eh_frame
 * the Linux Standard Base, Core, section 10.6). One entry at a time, nothing is kept; damage ends
 * one entry, not the section.
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
    bool eh_frame;       /* .eh_frame's variant of the format */
    uint64_t data_vaddr; /* base of DW_EH_PE_datarel */
    uint64_t text_vaddr; /* base of DW_EH_PE_textrel */
};

struct cfi_cie {
    uint64_t code_align;
    int64_t data_align;
    uint64_t ra_reg;
    uint64_t program_off, program_size; /* initial instructions, in the section */
    uint8_t fde_encoding;               /* DW_EH_PE_… of the addresses in FDEs */
    uint8_t lsda_encoding;              /* 'L': of their pointers to an LSDA; DW_EH_PE_omit */
    uint8_t address_size;
    bool has_augmentation_data; /* 'z' */
    bool signal_frame;          /* 'S' */
};

struct cfi_fde {
    uint64_t start_vaddr, end_vaddr;
    uint64_t lsda_vaddr; /* 0: none; CFI_LSDA_UNKNOWN: it cannot be read */
    uint64_t program_off, program_size;
};

struct cfi_entry {
    bool is_cie;
    uint64_t off;      /* where its length field is */
    uint64_t next_off; /* of the entry that follows */
    uint64_t cie_off;  /* FDE: its CIE's */
    uint64_t body_off; /* behind the id field */
};

#define CFI_NO_CIE       UINT64_MAX
#define CFI_LSDA_UNKNOWN UINT64_MAX

/*
 * The entry's frame. END at the section's end; BAD_DATA: the length leads out of the section, there
 * is no next entry. One too short to have an id belongs to CFI_NO_CIE: a terminator (length 0; more
 * may follow where sections were concatenated), or damage.
 */
MUST_CHECK enum status cfi_entry_at(const struct cfi_section *section, uint64_t off,
                                    struct cfi_entry *out);

/* BAD_DATA, or UNSUPPORTED for a version or augmentation that cannot be skipped. */
MUST_CHECK enum status cfi_cie_read(const struct cfi_section *section,
                                    const struct cfi_entry *entry, struct cfi_cie *out);

/*
 * NOT_FOUND: the linker discarded its function; UNSUPPORTED: its address is kept elsewhere
 * (DW_EH_PE_indirect).
 */
MUST_CHECK enum status cfi_fde_read(const struct cfi_section *section,
                                    const struct cfi_entry *entry, const struct cfi_cie *cie,
                                    struct cfi_fde *out);

/* As below, of a pointer that may be null, which is written without the encoding's base. */
MUST_CHECK bool cfi_pointer_read(const struct cfi_section *section, struct cursor *c,
                                 uint8_t encoding, uint8_t address_size, uint64_t *out);

/*
 * A DW_EH_PE encoded address (LSB 10.5), `c` being over the whole section. An indirect one is not
 * followed.
 */
MUST_CHECK bool cfi_address_read(const struct cfi_section *section, struct cursor *c,
                                 uint8_t encoding, uint8_t address_size, uint64_t *out);

#endif
