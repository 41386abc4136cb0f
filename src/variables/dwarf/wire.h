/* SPDX-License-Identifier: MIT */
/*
 * What the parent asks of the child that reads debug information, and how that answers: flat bytes
 * of this machine's order, as both are one program.
 *
 *     question   struct wire_question
 *     answer     struct wire_head, then `size` bytes
 *
 * The child is not trusted: what it says is decoded by decode.h, which checks it.
 */
#ifndef VARIABLES_DWARF_WIRE_H
#define VARIABLES_DWARF_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "variables/model/location.h"

#define WIRE_ANSWER_MAX (UINT32_C(1) << 26)
#define WIRE_TEXT_MAX   65535 /* bytes of a name; the rest is cut */

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
    WIRE_NEEDS_FILE, /* not an answer yet: a split file is to be sent (struct wire_file) */
};

struct wire_head {
    uint32_t result;
    uint32_t size;   /* of what follows */
    uint32_t damage; /* units, and DIEs in them, that could not be read so far */
};

/* The answer to WIRE_NEEDS_FILE; then, for each section, struct wire_section and its bytes. */
struct wire_file {
    uint32_t sections; /* 0: there is none */
    uint32_t file;     /* its number */
};

struct wire_section {
    uint32_t name; /* debug_section_name */
    uint32_t reserved;
    uint64_t size;
};

/* Answers as they are made. Memory that is not there ends the child. */
struct wire_out {
    uint8_t *bytes;
    size_t len, cap;
    bool is_over; /* more than WIRE_ANSWER_MAX: cut, and of no use */
};

void wire_reset(struct wire_out *out);
void wire_u8(struct wire_out *out, uint8_t value);
void wire_u16(struct wire_out *out, uint16_t value);
void wire_u32(struct wire_out *out, uint32_t value);
void wire_u64(struct wire_out *out, uint64_t value);
void wire_bytes(struct wire_out *out, const void *bytes, size_t size);
/* NULL is kept apart from "". */
void wire_text(struct wire_out *out, const char *text);
/* At a place that was written before. */
void wire_patch_u32(struct wire_out *out, size_t at, uint32_t value);

#endif
