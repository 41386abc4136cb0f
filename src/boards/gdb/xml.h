/* SPDX-License-Identifier: MIT */
/*
 * Parses a stub's documents (target descriptions, memory maps, lists of libraries) by expat. A
 * document that declares entities is refused, as these can make a small document very large.
 *
 *     text -- expat, in a process that can do nothing else --> flat events -- replay --> callbacks
 *
 * Events and elements' attributes are texts: an attacker who takes over the process with expat can
 * invent other elements, and nothing more.
 */
#ifndef BOARDS_GDB_XML_H
#define BOARDS_GDB_XML_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "boards/gdb/bound.h"

/* Most bytes of a document. */
#define GDB_XML_MAX ((size_t)512 << 10)
/* Most bytes of a document's flat events. */
#define GDB_XML_FLAT_MAX (4 * GDB_XML_MAX)

/* A document as a list of events: begin and end of elements, text. */
struct gdb_xml_flat {
    char *bytes; /* owned */
    size_t size;
};

/* Callbacks for a document's elements in their order; each may be NULL. */
struct gdb_xml {
    /* attributes: name, value, name, value ..., NULL */
    void (*start)(void *context, const char *name, const char **attributes);
    void (*end)(void *context, const char *name);
    /* an element's text may come in several calls */
    void (*text)(void *context, const char *text);
    void *context;
};

/*
 * Parses a document in this process, for tests and for gdb_xml_flatten_apart. A document that is
 * not well-formed gives the events before its fault; one larger than GDB_XML_MAX gives none. Fails
 * with NO_MEMORY only. The caller calls gdb_xml_free(out) in any case.
 */
MUST_CHECK enum status gdb_xml_flatten(const char *document, size_t size, struct gdb_xml_flat *out);
/*
 * Does the same as gdb_xml_flatten in a process of its own; OK without events if that process dies,
 * or is not ready within `bound`. NO_MEMORY; IO: there could be no process.
 */
MUST_CHECK enum status gdb_xml_flatten_apart(const char *document, size_t size,
                                             struct gdb_bound *bound, struct gdb_xml_flat *out);
void gdb_xml_free(struct gdb_xml_flat *flat);

/*
 * Calls a function of `xml` for each event of `flat`. BAD_DATA: the document was not well-formed;
 * the calls for the events before its fault were made.
 */
MUST_CHECK enum status gdb_xml_replay(const struct gdb_xml_flat *flat, const struct gdb_xml *xml);

/*
 * Returns the value of the attribute `name`, also if it has a prefix ("xi:href"); borrowed. NULL:
 * there is none.
 */
const char *gdb_xml_attribute(const char **attributes, const char *name);
/*
 * Returns the value of the attribute `name`, a number written as in C; `otherwise` if the attribute
 * is missing or no number.
 */
uint64_t gdb_xml_number(const char **attributes, const char *name, uint64_t otherwise);

#endif
