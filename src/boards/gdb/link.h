/* SPDX-License-Identifier: MIT */
/*
 * Asks a stub what it offers (GDB manual, "General Query Packets", qSupported), for objects that it
 * hands out in parts (qXfer), and for its threads.
 */
#ifndef BOARDS_GDB_LINK_H
#define BOARDS_GDB_LINK_H

#include "base/diag.h"
#include "base/status.h"
#include "boards/gdb/client.h"
#include "boards/gdb/state.h"
#include "boards/gdb/stop_reply.h"
#include "boards/gdb/xml.h"

/* Parses the reply to qSupported into *out; *packet_size stays if the reply does not tell it. */
void gdb_link_parse_offers(const char *text, struct gdb_offers *out, size_t *packet_size);

/*
 * Asks what the stub offers, and ends acknowledgements if the connection loses no bytes and the
 * stub agrees. Fails with IO only.
 */
MUST_CHECK enum status gdb_link_begin(struct gdb_client *client, struct gdb_offers *out);

/*
 * Reads the object `object` with this annex (qXfer:OBJECT:read:ANNEX): *text gets its *size bytes
 * and a NUL behind them, for the caller to free. NOT_FOUND: the stub has no such object; BAD_DATA:
 * it is larger than GDB_XML_MAX, or without end. NO_MEMORY, IO.
 */
MUST_CHECK enum status gdb_link_read(struct gdb_client *client, const char *object,
                                     const char *annex, char **text, size_t *size);

/*
 * Reads an object that is an XML document, parsed by gdb_xml_flatten_apart; the caller calls
 * gdb_xml_free. Errors: those of gdb_link_read and of gdb_xml_flatten_apart.
 */
MUST_CHECK enum status gdb_link_read_xml(struct gdb_client *client, const char *object,
                                         const char *annex, struct gdb_xml_flat *out);

/*
 * Lists at most `max` of the stub's threads, each once; returns their number. 0: failed, or none.
 */
size_t gdb_link_threads(struct gdb_client *client, struct gdb_thread_id *out, size_t max);

/* Whether the stub knows vCont;c and vCont;C. False also if it does not answer. */
bool gdb_link_has_vcont(struct gdb_client *client);

#endif
