/* SPDX-License-Identifier: MIT */
/*
 * Reads what a stub says of its target (GDB manual, appendix "Target Descriptions"): the
 * architecture, and registers by name, size and number, from target.xml and the documents that it
 * includes.
 *
 * A `g` reply has the registers in the order of their numbers, one behind the other. A stub may end
 * it early: registers behind its end are asked for one by one.
 */
#ifndef BOARDS_GDB_FEATURES_H
#define BOARDS_GDB_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "boards/gdb/xml.h"

/* Further registers, documents and deeper includes are left out. */
#define GDB_REGISTERS_MAX     1024u
#define GDB_INCLUDES_MAX      64u
#define GDB_INCLUDE_DEPTH     4u
#define GDB_REGISTER_BITS_MAX 16384u

struct gdb_register {
    char name[24];
    uint32_t number;
    uint32_t off, size; /* in bytes, in a `g` reply */
};

struct gdb_features {
    char architecture[32], osabi[32]; /* "": not told */
    bool is_m_profile;                /* ARM: org.gnu.gdb.arm.m-profile */
    struct gdb_register *registers;   /* owned; ascending by number */
    size_t count, cap;
    bool is_cut; /* something was left out, or not well-formed */
};

/* Reads a document; the caller frees it. NOT_FOUND: the stub has none of this name. */
typedef enum status gdb_document_fn(void *context, const char *annex, struct gdb_xml_flat *out);

/* Fills `out`, also before it fails. NOT_FOUND: no target.xml; NO_MEMORY; or as `read`. */
MUST_CHECK enum status gdb_features_read(struct gdb_features *out, gdb_document_fn *read,
                                         void *context);
void gdb_features_deinit(struct gdb_features *features);

/* The register of this name; NULL: none. */
const struct gdb_register *gdb_features_find(const struct gdb_features *features, const char *name);

#endif
