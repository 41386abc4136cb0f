/* SPDX-License-Identifier: MIT */
/*
 * One side of a conversation with a stub: requests that are answered, or not, in time (bound.h);
 * acknowledgements and what is sent again while there are any; what comes by itself.
 *
 * What is lost. With acknowledgements a packet that was not acknowledged is sent again, and a reply
 * that did not come is asked for by '-'. A reply that comes before the acknowledgement of a request
 * is one of an earlier request that was sent twice, as the acknowledgement comes first: it is
 * dropped. Without acknowledgements only a reply with a wrong checksum is asked for again.
 *
 * A connection that has ended, and a stub that does not answer, are final: `has_failed`, with the
 * reason in `diag`. Then all calls fail at once. So it is where the capture's end cuts a request
 * off: `is_cut`, which is no failure of the stub's.
 */
#ifndef CAPTURE_GDB_CLIENT_H
#define CAPTURE_GDB_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "capture/gdb/bound.h"
#include "capture/gdb/packet.h"
#include "capture/gdb/transport.h"

/* How long a stub may take to answer a request, and several for one thing (registers, a list). */
#define GDB_ANSWER_NS  UINT64_C(5000000000)
#define GDB_ANSWERS_NS UINT64_C(15000000000)
/* What a request has at most. */
#define GDB_REQUEST_MAX ((size_t)512)

struct gdb_client {
    struct gdb_transport io;
    struct gdb_bound *bound; /* borrowed */
    const char *name;        /* of the transport, for messages; borrowed */
    struct gdb_decoder decoder;
    char *reply; /* owned; the decoder's payload: the last packet, with a NUL behind it */
    size_t reply_len;
    uint8_t in[8192]; /* bytes that were read, and not decoded */
    size_t in_len, in_pos;
    uint8_t out[GDB_FRAME_MAX(GDB_REQUEST_MAX)]; /* the last packet that was sent */
    size_t out_len;
    bool acks;          /* packets are acknowledged, still */
    size_t packet_size; /* what the stub takes, and sends, at most */
    bool is_doubtful;   /* what was sent last was asked for twice, and may be answered again */
    bool has_failed, is_cut;
    bool has_begun; /* to be set: samples are taken, and kept when it fails */
    struct diag diag;
    /* How long an exchange takes: with a short reply; and for each byte of a long one, besides. */
    uint64_t trip_ns, byte_ns;
    uint64_t requests, errors, resent; /* counted: requests, E replies, packets sent again */
};

/* `name` and `bound` are borrowed until it is closed. On failure nothing is open. */
MUST_CHECK enum status gdb_client_open(struct gdb_client *client, const char *name,
                                       struct gdb_bound *bound, struct diag *diag);
void gdb_client_close(struct gdb_client *client);

/*
 * Sends a request and waits for its reply, which is not empty unless the stub does not know the
 * request. printf-like, GDB_REQUEST_MAX at most. IO: has_failed, or there is no time to ask.
 */
MUST_CHECK enum status gdb_client_ask(struct gdb_client *client, const char *format, ...)
    PRINTF_LIKE(2, 3);
/* The same for a request that is answered by what stops the target next: returns at once. */
MUST_CHECK enum status gdb_client_send(struct gdb_client *client, const char *format, ...)
    PRINTF_LIKE(2, 3);

/* Asks a running target to stop. */
MUST_CHECK enum status gdb_client_interrupt(struct gdb_client *client);
/* Asks for what was sent last once more, if there are acknowledgements. */
void gdb_client_ask_again(struct gdb_client *client);

/* A packet that came by itself: OK. BUSY: there is none now. IO: has_failed. Does not wait. */
MUST_CHECK enum status gdb_client_take(struct gdb_client *client);
/* Waits until there may be something to take, or the time has come. */
void gdb_client_wait(struct gdb_client *client, uint64_t until_ns);

/* Sends a last packet, whatever has happened: who does not answer may hear. */
void gdb_client_send_last(struct gdb_client *client, const char *text);

/* Ends it, for a reason that is the caller's. */
void gdb_client_fail(struct gdb_client *client, const char *what, const char *hint);

/* Is the last reply E and a number, or E and a text? Counts it. */
bool gdb_client_is_error(struct gdb_client *client);
bool gdb_client_is_ok(const struct gdb_client *client);

#endif
