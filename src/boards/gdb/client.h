/* SPDX-License-Identifier: MIT */
/*
 * The client's side of a conversation with a stub: requests with their replies, in time (bound.h);
 * acknowledgements and resending while there are any; packets that come by themselves.
 *
 * Losses. With acknowledgements a packet that was not acknowledged is sent again, and a reply that
 * did not come is asked for by '-'. A reply that comes before the acknowledgement of a request
 * belongs to an earlier request that was sent twice, as the acknowledgement comes first: the reply
 * is dropped. Without acknowledgements only a reply with a wrong checksum is asked for again.
 *
 * A closed connection and a stub that does not answer are final: has_failed is set, `diag` has the
 * reason, and all calls fail at once. The same happens if the capture's end cuts a request off:
 * then is_cut is set as well, as this is no failure of the stub's.
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

/*
 * Most time for one reply, and for all replies to the requests for one thing (registers, a list).
 */
#define GDB_ANSWER_NS  UINT64_C(5000000000)
#define GDB_ANSWERS_NS UINT64_C(15000000000)
/* Most bytes of a request's contents, with the NUL of its text. */
#define GDB_REQUEST_MAX ((size_t)512)

struct gdb_client {
    struct gdb_transport io;
    struct gdb_bound *bound; /* borrowed */
    const char *name;        /* name of the connection, for messages; borrowed */
    struct gdb_decoder decoder;
    char *reply; /* owned; contents of the last packet received, with a NUL behind them */
    size_t reply_len;
    uint8_t in[8192]; /* bytes read; not decoded yet: in[in_pos] to in[in_len - 1] */
    size_t in_len, in_pos;
    uint8_t out[GDB_FRAME_MAX(GDB_REQUEST_MAX)]; /* the last packet sent, encoded */
    size_t out_len;
    bool acks;               /* packets are acknowledged, by both sides */
    size_t packet_size;      /* most bytes of a packet that the stub takes and sends */
    bool is_doubtful;        /* the last request was sent twice: a second reply may come */
    bool has_failed, is_cut; /* the connection failed; because the capture's end came */
    bool has_begun;          /* set by the caller: samples exist, which a failure does not lose */
    struct diag diag;        /* reason of has_failed */
    /* Running averages: time of an exchange with a short reply; time per byte of a long reply. */
    uint64_t trip_ns, byte_ns;
    uint64_t requests, errors, resent; /* numbers of requests, E replies, packets sent again */
};

/*
 * Connects to the stub `name` (transport.h); `name` and `bound` are borrowed; the caller calls
 * gdb_client_close. On failure nothing is open; `diag` says why.
 */
MUST_CHECK enum status gdb_client_open(struct gdb_client *client, const char *name,
                                       struct gdb_bound *bound, struct diag *diag);
void gdb_client_close(struct gdb_client *client);

/*
 * Sends a request (printf-like, less than GDB_REQUEST_MAX bytes) and waits for its reply, which is
 * then in client->reply, empty if the stub does not know the request. IO: the connection has failed
 * (has_failed), or the capture's end leaves no time to ask.
 */
MUST_CHECK enum status gdb_client_ask(struct gdb_client *client, const char *format, ...)
    PRINTF_LIKE(2, 3);
/*
 * Sends a request whose answer is the target's next stop: returns when the request is sent and, if
 * there are acknowledgements, acknowledged. IO: the connection has failed.
 */
MUST_CHECK enum status gdb_client_send(struct gdb_client *client, const char *format, ...)
    PRINTF_LIKE(2, 3);

/* Asks a running target to stop, by the byte 3; does not wait. IO: the connection has failed. */
MUST_CHECK enum status gdb_client_interrupt(struct gdb_client *client);
/* Asks the stub to send its last packet once more ('-'); only if there are acknowledgements. */
void gdb_client_ask_again(struct gdb_client *client);

/*
 * Puts a packet that came without a request (a stop) into client->reply; does not wait. BUSY: none
 * has come. IO: the connection has failed.
 */
MUST_CHECK enum status gdb_client_take(struct gdb_client *client);
/* Waits until gdb_client_take may have a packet, until_ns (CLOCK_MONOTONIC), or the bound's end. */
void gdb_client_wait(struct gdb_client *client, uint64_t until_ns);

/* Sends a packet without waiting for an answer, also after a failure, as the stub may hear it. */
void gdb_client_send_last(struct gdb_client *client, const char *text);

/* Sets has_failed for the caller's reason: `what`, and `hint` (NULL: none), go to client->diag. */
void gdb_client_fail(struct gdb_client *client, const char *what, const char *hint);

/* Whether the last reply is an error (E and two digits, or "E." and a text); if so, counts it. */
bool gdb_client_is_error(struct gdb_client *client);
bool gdb_client_is_ok(const struct gdb_client *client);

#endif
