/* SPDX-License-Identifier: MIT */
/*
 * Reads what a stub says of its target (GDB manual, appendix "Target Descriptions"): the
 * architecture, and registers by name, size and number, from target.xml and the documents that it
 * includes.
 *
 * A `g` reply has the registers in the order of their numbers, one behind the other. A stub may end
 * the reply early: registers behind its end are asked for one by one.
 */
#ifndef BOARDS_GDB_FEATURES_H
#define BOARDS_GDB_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "boards/gdb/xml.h"

/* Limits: further registers and documents, deeper includes and wider registers are left out. */
#define GDB_REGISTERS_MAX     1024u
#define GDB_INCLUDES_MAX      64u
#define GDB_INCLUDE_DEPTH     4u
#define GDB_REGISTER_BITS_MAX 16384u

struct gdb_register {
    char name[24];
    uint32_t number;    /* the stub's number of the register */
    uint32_t off, size; /* place in a `g` reply, in bytes of the register (two digits each) */
};

struct gdb_features {
    char architecture[32], osabi[32]; /* the stub's names of them; "": it tells none */
    bool is_m_profile;                /* has the feature org.gnu.gdb.arm.m-profile */
    struct gdb_register *registers;   /* owned; ascending by number */
    size_t count, cap;
    bool is_cut; /* some registers are missing: beyond a limit, or in a malformed document */
};

/*
 * Reads the stub's document `annex` ("target.xml"); the caller calls gdb_xml_free. NOT_FOUND: the
 * stub has no document of this name.
 */
typedef enum status gdb_document_fn(void *context, const char *annex, struct gdb_xml_flat *out);

/*
 * Fills `out` from target.xml and the documents that it includes, which read(context, ...) gets;
 * the caller calls gdb_features_deinit. A failure leaves what came before in `out`. NOT_FOUND:
 * there is no target.xml; NO_MEMORY; or an error of `read`.
 */
MUST_CHECK enum status gdb_features_read(struct gdb_features *out, gdb_document_fn *read,
                                         void *context);
void gdb_features_deinit(struct gdb_features *features);

/* Returns the register of this name, borrowed from `features`; NULL: there is none. */
const struct gdb_register *gdb_features_find(const struct gdb_features *features, const char *name);

#endif
