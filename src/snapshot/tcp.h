/* SPDX-License-Identifier: MIT */
/*
 * A snapshot over a TCP connection: as it is, neither encrypted nor authenticated, so for networks
 * that are trusted; through others it goes by ssh. cgsnap connects, cgunwind listens. What either
 * gets is a file descriptor, to write and read like any other.
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

/* Those of one host, in the order in which they are to be tried; further ones are left out. */
#define TCP_ADDRESSES_MAX 8u
struct tcp_addresses {
    struct tcp_address items[TCP_ADDRESSES_MAX];
    size_t len; /* at least 1 */
};

/*
 * HOST:PORT, without prefix. HOST: a numeric address, an IPv6 one in brackets, with %INTERFACE if
 * it is a link's, or "localhost"; names where the C library can look them up in a static program
 * (glibc cannot). `any`: HOST: may be missing, which means this machine alone, and PORT may be 0.
 */
MUST_CHECK enum status tcp_parse(const char *text, bool any, struct tcp_addresses *out,
                                 struct diag *diag);

/*
 * Connects to `name`, "tcp:HOST:PORT", in 10 seconds at most; *fd is not blocking. Once the peer
 * has not read or acknowledged anything for two minutes the connection counts as broken.
 */
MUST_CHECK enum status tcp_connect(const char *name, int *fd, struct diag *diag);

/*
 * What was written to `fd` and the peer has not acknowledged yet; none where it is no TCP
 * connection. An errno when the connection is broken, else 0.
 */
int tcp_pending(int fd, uint64_t *bytes);

/*
 * Listens at `name`, "tcp-listen:[ADDRESS:]PORT", of which 0.0.0.0 and [::] mean all of this
 * machine's addresses. *port is the one that was given or chosen.
 */
MUST_CHECK enum status tcp_listen(const char *name, int *fd, uint16_t *port, struct diag *diag);

/*
 * Waits for a peer that sends something, and closes `listener`. One that has not sent the first
 * bytes of a snapshot after `wait_ms` is no cgsnap, and sent away. A peer that has lost its power,
 * or its network, ends the reading after two minutes; one that is silent, as a cgsnap that was
 * suspended, does not.
 */
#define TCP_WAIT_MS 60000
MUST_CHECK enum status tcp_accept(int listener, const char *name, int wait_ms, int *fd,
                                  struct diag *diag);

#endif
