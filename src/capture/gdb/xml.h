/* SPDX-License-Identifier: MIT */
/*
 * The documents of a stub (target descriptions, memory maps, lists of libraries), by expat. They
 * declare no entities: one that does is refused, so that none can be made to grow.
 */
#ifndef CAPTURE_GDB_XML_H
#define CAPTURE_GDB_XML_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A document is not larger than this. */
#define GDB_XML_MAX ((size_t)512 << 10)

/* What is called with the elements as they come; those that are NULL are not. */
struct gdb_xml {
    void (*start)(void *context, const char *name, const char **attributes);
    void (*end)(void *context, const char *name);
    void (*text)(void *context, const char *text, size_t len); /* in parts */
    void *context;
};

/* BAD_DATA: it is no well-formed document; what came before was handed over. NO_MEMORY. */
MUST_CHECK enum status gdb_xml_parse(const char *document, size_t size, const struct gdb_xml *xml);

/* The attribute's value, or NULL; of a name with a prefix the part behind it counts. */
const char *gdb_xml_attribute(const char **attributes, const char *name);
/* As C has numbers; `otherwise` where it is missing, or none. */
uint64_t gdb_xml_number(const char **attributes, const char *name, uint64_t otherwise);

#endif
