/* SPDX-License-Identifier: MIT */
/*
 * Parses a stub's documents (target descriptions, memory maps, lists of libraries) by expat. A
 * document that declares entities is refused, so that none can be made to grow.
 *
 *     text -- expat, in a process that can do nothing else --> flat events -- replay --> callbacks
 *
 * Each event is a text, as are elements' attributes: whoever takes the process over can invent
 * other elements, and nothing more.
 */
#ifndef BOARDS_GDB_XML_H
#define BOARDS_GDB_XML_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A document is not larger than this, */
#define GDB_XML_MAX ((size_t)512 << 10)
/* and its events than this. */
#define GDB_XML_FLAT_MAX (4 * GDB_XML_MAX)

struct gdb_xml_flat {
    char *bytes; /* owned */
    size_t size;
};

/* Callbacks for the elements in their order; may be NULL. */
struct gdb_xml {
    void (*start)(void *context, const char *name, const char **attributes);
    void (*end)(void *context, const char *name);
    void (*text)(void *context, const char *text); /* in parts */
    void *context;
};

/*
 * Parses a document in this process, for tests. A document that is not well-formed gives the events
 * before its fault. NO_MEMORY. Free `out` in any case.
 */
MUST_CHECK enum status gdb_xml_flatten(const char *document, size_t size, struct gdb_xml_flat *out);
/* Parses it in a process of its own; OK without events if that dies. NO_MEMORY; IO. */
MUST_CHECK enum status gdb_xml_flatten_apart(const char *document, size_t size,
                                             struct gdb_xml_flat *out);
void gdb_xml_free(struct gdb_xml_flat *flat);

/* Calls back for each event. BAD_DATA: the document was not well-formed; the events before came. */
MUST_CHECK enum status gdb_xml_replay(const struct gdb_xml_flat *flat, const struct gdb_xml *xml);

/* Returns the value of the attribute, whose name may have a prefix; NULL: none. */
const char *gdb_xml_attribute(const char **attributes, const char *name);
/* Returns the attribute's value, a number as in C; `otherwise`: it is missing, or no number. */
uint64_t gdb_xml_number(const char **attributes, const char *name, uint64_t otherwise);

#endif
