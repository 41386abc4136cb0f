/* SPDX-License-Identifier: MIT */
/*
 * Reads the values of a DIE's attributes; `at` is a DW_AT_…. All functions return false, NULL or 0
 * if the DIE has no such attribute, or one of another class.
 */
#ifndef VARIABLES_DWARF_READER_ATTRIBUTES_H
#define VARIABLES_DWARF_READER_ATTRIBUTES_H

#include "variables/dwarf/reader/reader.h"

/*
 * attr_open: opens an attribute, which the caller closes by attr_close. attr_form: returns the
 * DW_FORM_… of an open attribute.
 */
bool attr_open(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
               Dwarf_Attribute *out);
void attr_close(struct debug_reader *reader, Dwarf_Attribute attr);
uint16_t attr_form(struct debug_reader *reader, const struct debug_die *die, Dwarf_Attribute attr);

bool attr_has(struct debug_reader *reader, const struct debug_die *die, uint16_t at);
bool attr_flag(struct debug_reader *reader, const struct debug_die *die, uint16_t at);

/* The value of an attribute of class constant, sign-extended if it is signed. */
struct attr_constant {
    uint64_t value;
    bool is_signed;
    uint8_t size; /* bytes that its form has; 0: any number (LEB128) */
};
bool attr_constant(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                   struct attr_constant *out);
bool attr_unsigned(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                   uint64_t *out);
bool attr_address(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                  uint64_t *out);
/* The offset in another section (class lineptr, rnglist), or a list's index (DW_FORM_rnglistx). */
bool attr_section_off(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                      uint64_t *out);
/* Returns the text of an attribute; valid as long as the file. */
const char *attr_text(struct debug_reader *reader, const struct debug_die *die, uint16_t at);
/* Sets *bytes and *size to the bytes of a block or an expression, in the section. */
bool attr_block(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                const uint8_t **bytes, uint64_t *size);
bool attr_data16(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                 uint8_t bytes[16]);
die_ref attr_ref(struct debug_reader *reader, const struct debug_die *die, uint16_t at);

/* Opens the DIE that the attribute refers to; the caller calls die_close. */
bool attr_follow(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                 struct debug_die *out);

/*
 * A DIE, then the DIE that it is an instance or the definition of (DW_AT_abstract_origin,
 * DW_AT_specification), and so on: if a DIE lacks an attribute, the next may have it.
 */
#define DIE_CHAIN_MAX 8
struct die_chain {
    struct debug_die list[DIE_CHAIN_MAX];
    size_t count;
};

/*
 * Opens the chain that begins with the DIE `ref`; the caller closes it by chain_close. False: there
 * is no such DIE.
 */
bool chain_open(struct debug_reader *reader, die_ref ref, struct die_chain *out);
void chain_close(struct debug_reader *reader, struct die_chain *chain);
/*
 * Returns the chain's first DIE that has the attribute; NULL: none. The functions below read the
 * attribute of that DIE.
 */
const struct debug_die *chain_find(struct debug_reader *reader, const struct die_chain *chain,
                                   uint16_t at);
const char *chain_text(struct debug_reader *reader, const struct die_chain *chain, uint16_t at);
die_ref chain_ref(struct debug_reader *reader, const struct die_chain *chain, uint16_t at);
bool chain_flag(struct debug_reader *reader, const struct die_chain *chain, uint16_t at);
bool chain_unsigned(struct debug_reader *reader, const struct die_chain *chain, uint16_t at,
                    uint64_t *out);

#endif
