/* SPDX-License-Identifier: MIT */
/* The values of a DIE's attributes. False, NULL or 0: the DIE has none, or one of another class. */
#ifndef VARIABLES_DWARF_READER_ATTRIBUTES_H
#define VARIABLES_DWARF_READER_ATTRIBUTES_H

#include "variables/dwarf/reader/reader.h"

/* Opens an attribute; the caller closes it. */
bool attr_open(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
               Dwarf_Attribute *out);
void attr_close(struct debug_reader *reader, Dwarf_Attribute attr);
uint16_t attr_form(struct debug_reader *reader, const struct debug_die *die, Dwarf_Attribute attr);

bool attr_has(struct debug_reader *reader, const struct debug_die *die, uint16_t at);
bool attr_flag(struct debug_reader *reader, const struct debug_die *die, uint16_t at);

/* A constant; a signed one sign-extended. */
struct attr_constant {
    uint64_t value;
    bool is_signed;
    uint8_t size; /* bytes of its form; 0: variable */
};
bool attr_constant(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                   struct attr_constant *out);
bool attr_unsigned(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                   uint64_t *out);
bool attr_address(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                  uint64_t *out);
/* Valid as long as the file. */
const char *attr_text(struct debug_reader *reader, const struct debug_die *die, uint16_t at);
/* The bytes of a block or an expression, in the section. */
bool attr_block(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                const uint8_t **bytes, uint64_t *size);
bool attr_data16(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                 uint8_t bytes[16]);
die_ref attr_ref(struct debug_reader *reader, const struct debug_die *die, uint16_t at);

/* Opens the DIE that the attribute refers to. */
bool attr_follow(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                 struct debug_die *out);

/*
 * A DIE, the DIE that it is an instance or the definition of (DW_AT_abstract_origin,
 * DW_AT_specification), and so on: an attribute that one lacks may be in the next.
 */
#define DIE_CHAIN_MAX 8
struct die_chain {
    struct debug_die list[DIE_CHAIN_MAX];
    size_t count;
};

/* Opens the chain, which the caller closes. False: no such DIE. */
bool chain_open(struct debug_reader *reader, die_ref ref, struct die_chain *out);
void chain_close(struct debug_reader *reader, struct die_chain *chain);
/* Returns the first DIE that has the attribute; NULL: none. */
const struct debug_die *chain_find(struct debug_reader *reader, const struct die_chain *chain,
                                   uint16_t at);
const char *chain_text(struct debug_reader *reader, const struct die_chain *chain, uint16_t at);
die_ref chain_ref(struct debug_reader *reader, const struct die_chain *chain, uint16_t at);
bool chain_flag(struct debug_reader *reader, const struct die_chain *chain, uint16_t at);
bool chain_unsigned(struct debug_reader *reader, const struct die_chain *chain, uint16_t at,
                    uint64_t *out);

#endif
