/* SPDX-License-Identifier: MIT */
/*
 * The beginning of a conversation: what the stub offers (GDB manual, "General Query Packets",
 * qSupported), and the objects that it hands out in parts (qXfer). Its threads.
 */
#ifndef CAPTURE_GDB_LINK_H
#define CAPTURE_GDB_LINK_H

#include "base/diag.h"
#include "base/status.h"
#include "capture/gdb/client.h"
#include "capture/gdb/state.h"
#include "capture/gdb/stop_reply.h"
#include "capture/gdb/xml.h"

/* Of the text that answers qSupported. */
void gdb_link_parse_offers(const char *text, struct gdb_offers *out, size_t *packet_size);

/* Asks what the stub offers; acknowledgements end where they are not needed. IO. */
MUST_CHECK enum status gdb_link_begin(struct gdb_client *client, struct gdb_offers *out);

/*
 * An object, malloc'ed, with a NUL behind it. NOT_FOUND: the stub has none; BAD_DATA: it is larger
 * than GDB_XML_MAX, or has no end. NO_MEMORY, IO.
 */
MUST_CHECK enum status gdb_link_read(struct gdb_client *client, const char *object,
                                     const char *annex, char **text, size_t *size);

/* One that is a document (gdb_xml_flatten_apart). The same. */
MUST_CHECK enum status gdb_link_read_xml(struct gdb_client *client, const char *object,
                                         const char *annex, struct gdb_xml_flat *out);

/* The stub's threads, each once, `max` at most; how many. 0: it has not told all, or none. */
size_t gdb_link_threads(struct gdb_client *client, struct gdb_thread_id *out, size_t max);

/* Does it know vCont;c? */
bool gdb_link_has_vcont(struct gdb_client *client);

#endif
