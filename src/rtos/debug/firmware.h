/* SPDX-License-Identifier: MIT */
/*
 * A firmware's ELF file: its sections, its symbols, and which of it is code (gABI, chapter 4). Of
 * 32 and 64 bits, little-endian. All of it is untrusted. Private to rtos/debug/.
 */
#ifndef RTOS_DEBUG_FIRMWARE_H
#define RTOS_DEBUG_FIRMWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/cursor.h"
#include "base/diag.h"
#include "base/status.h"

#define FIRMWARE_SIZE_MAX    ((uint64_t)512 << 20) /* bytes of a file that is looked at */
#define FIRMWARE_SYMBOLS_MAX ((size_t)1 << 20)     /* of its symbol table, the first */
#define FIRMWARE_NAME_MAX    256u                  /* bytes of a symbol's name, with the NUL */

struct firmware {
    uint8_t *bytes; /* owned: the whole file */
    size_t size;
    const struct arch *arch;
    bool is_64;
    uint64_t sections_off; /* of their headers */
    unsigned section_size, section_count, names_index;
    struct cursor symbols, symbol_names; /* looked for once: a section's name is among them all */
    bool is_compressed;                  /* a section that was asked for is, and so is none */
};

struct firmware_symbol {
    const char *name;
    uint64_t vaddr, size;
    bool is_data; /* a variable, or of no type */
};

/* Its bytes, and nothing else. IO, BAD_DATA, with `diag`; NO_MEMORY. */
MUST_CHECK enum status firmware_read(const char *path, struct firmware *out, struct diag *diag);
/* All else, of its bytes. UNSUPPORTED, BAD_DATA, with `diag`, of which `path` is a part. */
MUST_CHECK enum status firmware_parse(struct firmware *firmware, const char *path,
                                      struct diag *diag);
void firmware_close(struct firmware *firmware); /* also of none */

/* By name; empty where there is none. */
struct cursor firmware_section(struct firmware *firmware, const char *name);

/* Of the symbol table, from *at on, which begins with 0; too long a name is "". False: no more. */
bool firmware_symbol(const struct firmware *firmware, size_t *at, struct firmware_symbol *out);

/* The same of sections that are code. */
bool firmware_code(const struct firmware *firmware, unsigned *at, uint64_t *start_vaddr,
                   uint64_t *end_vaddr);

#endif
