/* SPDX-License-Identifier: MIT */
/*
 * The documents of a stub (target descriptions, memory maps, lists of libraries), by expat. They
 * declare no entities: one that does is refused, so that none can be made to grow.
 *
 *     text ── expat, in a process that can do nothing else ──► events, flat ── replay ──► callbacks
 *
 * Events are a text each, and so are what elements have of attributes: whoever takes the process
 * over can tell us of other elements, and nothing more.
 */
#ifndef CAPTURE_GDB_XML_H
#define CAPTURE_GDB_XML_H

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

/* What is called with the elements as they come; those that are NULL are not. */
struct gdb_xml {
    void (*start)(void *context, const char *name, const char **attributes);
    void (*end)(void *context, const char *name);
    void (*text)(void *context, const char *text); /* in parts */
    void *context;
};

/* Here, for tests. Of what is not well-formed the events before. NO_MEMORY. To be freed anyhow. */
MUST_CHECK enum status gdb_xml_flatten(const char *document, size_t size, struct gdb_xml_flat *out);
/* The same in a process of its own; of one that it dies of there are no events. Also IO. */
MUST_CHECK enum status gdb_xml_flatten_apart(const char *document, size_t size,
                                             struct gdb_xml_flat *out);
void gdb_xml_free(struct gdb_xml_flat *flat);

/* BAD_DATA: it was no well-formed document; what came before was handed over. */
MUST_CHECK enum status gdb_xml_replay(const struct gdb_xml_flat *flat, const struct gdb_xml *xml);

/* The attribute's value, or NULL; of a name with a prefix the part behind it counts. */
const char *gdb_xml_attribute(const char **attributes, const char *name);
/* As C has numbers; `otherwise` where it is missing, or none. */
uint64_t gdb_xml_number(const char **attributes, const char *name, uint64_t otherwise);

#endif
