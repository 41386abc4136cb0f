/* SPDX-License-Identifier: MIT */
/*
 * Reads a firmware's ELF file: sections, symbols, and which parts are code (gABI, chapter 4); 32
 * and 64 bits, little-endian. All of it is untrusted. Private to boards/rtos/debug/.
 */
#ifndef BOARDS_RTOS_DEBUG_FIRMWARE_H
#define BOARDS_RTOS_DEBUG_FIRMWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/cursor.h"
#include "base/diag.h"
#include "base/status.h"

#define FIRMWARE_SIZE_MAX    ((uint64_t)512 << 20) /* bytes of a file; larger ones are refused */
#define FIRMWARE_SYMBOLS_MAX ((size_t)1 << 20)     /* symbols; only the first so many are read */
#define FIRMWARE_NAME_MAX    256u                  /* bytes of a symbol's name, with the NUL */

struct firmware {
    uint8_t *bytes; /* owned: the whole file */
    size_t size;
    const struct arch *arch;
    bool is_64;
    uint64_t sections_off;                             /* file offset of the section headers */
    unsigned section_size, section_count, names_index; /* e_shentsize, e_shnum, e_shstrndx */
    struct cursor symbols, symbol_names;               /* the sections' contents; empty: none */
    bool is_compressed; /* firmware_section met a compressed section */
};

struct firmware_symbol {
    const char *name; /* owned by the firmware */
    uint64_t vaddr, size;
    bool is_data; /* the symbol's type is OBJECT (a variable) or NOTYPE */
};

/*
 * Sets *out to the file's bytes, not parsed. IO, BAD_DATA (not a regular file, too large): `diag`
 * says why; NO_MEMORY.
 */
MUST_CHECK enum status firmware_read(const char *path, struct firmware *out, struct diag *diag);
/* Sets all members but the bytes from them. UNSUPPORTED, BAD_DATA: `diag` says why, with `path`. */
MUST_CHECK enum status firmware_parse(struct firmware *firmware, const char *path,
                                      struct diag *diag);
/* Frees the bytes; a zeroed firmware is allowed. */
void firmware_close(struct firmware *firmware);

/*
 * Returns the contents of the section with this name, owned by the firmware; empty: there is none,
 * or it is compressed (is_compressed is set).
 */
struct cursor firmware_section(struct firmware *firmware, const char *name);

/*
 * Sets *out to the symbol with index *at, which begins with 0, and increments *at. A name longer
 * than FIRMWARE_NAME_MAX is "". False: there are no more.
 */
bool firmware_symbol(const struct firmware *firmware, size_t *at, struct firmware_symbol *out);

/*
 * Sets *start_vaddr and *end_vaddr to the next section of code, from section *at on, which begins
 * with 0, and moves *at behind it. False: there are no more.
 */
bool firmware_code(const struct firmware *firmware, unsigned *at, uint64_t *start_vaddr,
                   uint64_t *end_vaddr);

#endif
