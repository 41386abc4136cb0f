/* SPDX-License-Identifier: MIT */
/*
 * The client's side of a conversation with a stub: requests with their replies, in time (bound.h);
 * acknowledgements and resending while there are any; packets that come by themselves.
 *
 * Losses. With acknowledgements a packet that was not acknowledged is sent again, and a reply that
 * did not come is asked for by '-'. A reply that comes before the acknowledgement of a request
 * belongs to an earlier request that was sent twice, as the acknowledgement comes first: it is
 * dropped. Without acknowledgements only a reply with a wrong checksum is asked for again.
 *
 * A closed connection and a stub that does not answer are final: `has_failed`, with the reason in
 * `diag`, and all calls fail at once. The same if the capture's end cuts a request off: `is_cut`,
 * which is no failure of the stub's.
 */
#ifndef BOARDS_GDB_CLIENT_H
#define BOARDS_GDB_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "boards/gdb/bound.h"
#include "boards/gdb/packet.h"
#include "boards/gdb/transport.h"

/* How long one reply may take, and all replies for one thing (registers, a list). */
#define GDB_ANSWER_NS  UINT64_C(5000000000)
#define GDB_ANSWERS_NS UINT64_C(15000000000)
/* Bytes of a request, at most. */
#define GDB_REQUEST_MAX ((size_t)512)

struct gdb_client {
    struct gdb_transport io;
    struct gdb_bound *bound; /* borrowed */
    const char *name;        /* the transport's, for messages; borrowed */
    struct gdb_decoder decoder;
    char *reply; /* owned; the decoder's payload: the last packet, with a NUL behind it */
    size_t reply_len;
    uint8_t in[8192]; /* bytes read and not decoded yet */
    size_t in_len, in_pos;
    uint8_t out[GDB_FRAME_MAX(GDB_REQUEST_MAX)]; /* the last packet sent */
    size_t out_len;
    bool acks;          /* packets are acknowledged */
    size_t packet_size; /* largest packet that the stub takes and sends */
    bool is_doubtful;   /* the last request was sent twice: its answer may come again */
    bool has_failed, is_cut;
    bool has_begun; /* set by the user: samples are taken, and kept at a failure */
    struct diag diag;
    /* Running averages: time of an exchange with a short reply; time per byte of a long one. */
    uint64_t trip_ns, byte_ns;
    uint64_t requests, errors, resent; /* counts: requests, E replies, packets sent again */
};

/* Connects; `name` and `bound` are borrowed. On failure nothing is open; `diag` says why. */
MUST_CHECK enum status gdb_client_open(struct gdb_client *client, const char *name,
                                       struct gdb_bound *bound, struct diag *diag);
void gdb_client_close(struct gdb_client *client);

/*
 * Sends a request (printf-like, less than GDB_REQUEST_MAX bytes) and waits for its reply, in
 * `reply`: empty if the stub does not know the request. IO: has_failed, or there is no time to ask.
 */
MUST_CHECK enum status gdb_client_ask(struct gdb_client *client, const char *format, ...)
    PRINTF_LIKE(2, 3);
/* Sends a request whose answer is the target's next stop: returns when it is acknowledged. */
MUST_CHECK enum status gdb_client_send(struct gdb_client *client, const char *format, ...)
    PRINTF_LIKE(2, 3);

/* Asks a running target to stop. */
MUST_CHECK enum status gdb_client_interrupt(struct gdb_client *client);
/* Asks for the last packet once more, if there are acknowledgements. */
void gdb_client_ask_again(struct gdb_client *client);

/* Takes a packet that came by itself, to `reply`; does not wait. BUSY: none. IO: has_failed. */
MUST_CHECK enum status gdb_client_take(struct gdb_client *client);
/* Waits until there may be something to take, or `until_ns`. */
void gdb_client_wait(struct gdb_client *client, uint64_t until_ns);

/* Sends a last packet without waiting for an answer, also if has_failed: the stub may hear it. */
void gdb_client_send_last(struct gdb_client *client, const char *text);

/* Fails the connection for the caller's reason; `hint`: may be NULL. */
void gdb_client_fail(struct gdb_client *client, const char *what, const char *hint);

/* Is the last reply an error (E and two digits, or "E." and a text)? Counts it. */
bool gdb_client_is_error(struct gdb_client *client);
bool gdb_client_is_ok(const struct gdb_client *client);

#endif
