/* SPDX-License-Identifier: MIT */
/*
 * The questions of the parent to the child that reads debug information, and the answers: flat
 * bytes in this machine's order, as both are one program.
 *
 *     question   struct wire_question
 *     answer     struct wire_head, then `size` bytes
 *
 * The child is not trusted: decode.h checks what it says.
 */
#ifndef VARIABLES_DWARF_WIRE_H
#define VARIABLES_DWARF_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "variables/model/location.h"

#define WIRE_ANSWER_MAX (UINT32_C(1) << 26)
#define WIRE_TEXT_MAX   65535 /* bytes of a text; longer texts are cut */

enum wire_kind { WIRE_SCOPE, WIRE_TYPE, WIRE_CALL_SITE, WIRE_VARIABLE };

struct wire_question {
    uint32_t kind;
    uint32_t reserved;
    uint64_t ref;
    uint64_t vaddr;
};

enum wire_result {
    WIRE_FOUND,
    WIRE_NOT_FOUND,
    WIRE_DAMAGED,
    WIRE_NEEDS_FILE, /* no answer yet: the parent must send a split file (struct wire_file) */
};

struct wire_head {
    uint32_t result;
    uint32_t size;   /* bytes of the answer behind this head */
    uint32_t damage; /* number of units and DIEs that could not be read so far */
};

/*
 * The reply to WIRE_NEEDS_FILE; for each section a struct wire_section and the section's bytes
 * follow.
 */
struct wire_file {
    uint32_t sections; /* number of sections; 0: there is no such file */
    uint32_t file;     /* number of the file (debug_file.h) */
};

struct wire_section {
    uint32_t name; /* name of the section: index for debug_section_name */
    uint32_t reserved;
    uint64_t size;
};

/*
 * An answer that is being written. Without memory the child exits, so that the functions below
 * never fail.
 */
struct wire_out {
    uint8_t *bytes;
    size_t len, cap;
    bool is_over; /* it has become longer than WIRE_ANSWER_MAX, was cut, and is of no use */
};

void wire_reset(struct wire_out *out);
void wire_u8(struct wire_out *out, uint8_t value);
void wire_u16(struct wire_out *out, uint16_t value);
void wire_u32(struct wire_out *out, uint32_t value);
void wire_u64(struct wire_out *out, uint64_t value);
void wire_bytes(struct wire_out *out, const void *bytes, size_t size);
/* Appends a text, cut to WIRE_TEXT_MAX bytes; NULL is told apart from "". */
void wire_text(struct wire_out *out, const char *text);
/* Overwrites the 32 bits at offset `at`; does nothing beyond the answer's end. */
void wire_patch_u32(struct wire_out *out, size_t at, uint32_t value);

#endif
