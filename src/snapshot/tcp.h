/* SPDX-License-Identifier: MIT */
/*
 * A snapshot over a TCP connection, neither encrypted nor authenticated: for trusted networks only
 * (use ssh elsewhere). cgsnap connects, cgunwind listens. Both get a file descriptor, to write to
 * or read from like that of a file.
 */
#ifndef SNAPSHOT_TCP_H
#define SNAPSHOT_TCP_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/diag.h"
#include "base/status.h"

#define TCP_PREFIX        "tcp:"
#define TCP_LISTEN_PREFIX "tcp-listen:"

/* An address and a port, IPv4 or IPv6. */
struct tcp_address {
    struct sockaddr_storage storage;
    socklen_t size;
};

/* Addresses of one host, in the order to try them, at most TCP_ADDRESSES_MAX. */
#define TCP_ADDRESSES_MAX 8u
struct tcp_addresses {
    struct tcp_address items[TCP_ADDRESSES_MAX];
    size_t len; /* number of addresses, at least 1 */
};

/*
 * Parses HOST:PORT, without prefix. HOST is a numeric address (IPv6 in brackets, with %INTERFACE if
 * link-local), "localhost", or a name if the C library can look names up in a static program (glibc
 * cannot). With `any`, "HOST:" may be missing, which means 127.0.0.1, and PORT may be 0. BAD_DATA:
 * `text` is malformed; NOT_FOUND: no such host; both with `diag` filled.
 */
MUST_CHECK enum status tcp_parse(const char *text, bool any, struct tcp_addresses *out,
                                 struct diag *diag);

/*
 * Connects to `name`, "tcp:HOST:PORT", within 10 seconds, and sets *fd, non-blocking, for the
 * caller to close. The connection breaks when the peer has not acknowledged anything for two
 * minutes. IO, or an error of tcp_parse, with `diag` filled.
 */
MUST_CHECK enum status tcp_connect(const char *name, int *fd, struct diag *diag);

/*
 * Sets *bytes to the number of bytes written to `fd` and not yet acknowledged by the peer; 0 if
 * `fd` is no TCP connection. Returns 0, or an errno if the connection is broken.
 */
int tcp_pending(int fd, uint64_t *bytes);

/*
 * Listens at `name`, "tcp-listen:[ADDRESS:]PORT"; ADDRESS 0.0.0.0 or [::] means all addresses of
 * this machine, no ADDRESS 127.0.0.1. Sets *port to PORT or, if that is 0, to a free port, and *fd
 * to the listener, which the caller owns until tcp_accept. IO, or an error of tcp_parse, with
 * `diag` filled.
 */
MUST_CHECK enum status tcp_listen(const char *name, int *fd, uint16_t *port, struct diag *diag);

/*
 * Waits for a peer, without a time limit, sets *fd to its connection, for the caller to close, and
 * closes `listener`. A peer that has not sent the first bytes of a snapshot after `wait_ms` is no
 * cgsnap: its connection is closed, and the next is awaited. Reading *fd ends two minutes after the
 * peer lost power or network, but not if the peer is only silent, as a suspended cgsnap. `name` is
 * for messages. IO with `diag` filled.
 */
#define TCP_WAIT_MS 60000 /* the usual wait_ms */
MUST_CHECK enum status tcp_accept(int listener, const char *name, int wait_ms, int *fd,
                                  struct diag *diag);

#endif
