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
#define FIRMWARE_SYMBOLS_MAX ((size_t)1 << 20)     /* symbols that are read, from the first on */
#define FIRMWARE_NAME_MAX    256u                  /* bytes of a symbol's name, with the NUL */

struct firmware {
    uint8_t *bytes; /* owned: the whole file */
    size_t size;
    const struct arch *arch;
    bool is_64;
    uint64_t sections_off; /* of the section headers */
    unsigned section_size, section_count, names_index;
    struct cursor symbols, symbol_names; /* found once, as finding a section is slow */
    bool is_compressed; /* a section that was asked for is compressed, and so not found */
};

struct firmware_symbol {
    const char *name;
    uint64_t vaddr, size;
    bool is_data; /* a variable, or without type */
};

/* Reads the file's bytes only. IO, BAD_DATA (not regular, too large), with `diag`; NO_MEMORY. */
MUST_CHECK enum status firmware_read(const char *path, struct firmware *out, struct diag *diag);
/* Parses the bytes. UNSUPPORTED, BAD_DATA: `diag` says why, with `path`. */
MUST_CHECK enum status firmware_parse(struct firmware *firmware, const char *path,
                                      struct diag *diag);
void firmware_close(struct firmware *firmware); /* also of none */

/* Returns the contents of the section with this name; empty: none, or compressed. */
struct cursor firmware_section(struct firmware *firmware, const char *name);

/* Reads the next symbol; *at begins with 0. A name that is too long is "". False: no more. */
bool firmware_symbol(const struct firmware *firmware, size_t *at, struct firmware_symbol *out);

/* Reads the next section that is code; *at begins with 0. False: no more. */
bool firmware_code(const struct firmware *firmware, unsigned *at, uint64_t *start_vaddr,
                   uint64_t *end_vaddr);

#endif
