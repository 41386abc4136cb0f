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

/*
 * HOST:PORT, without prefix. HOST: a numeric address, an IPv6 one in brackets, or "localhost";
 * names where the C library can look them up in a static program (glibc cannot). `any`: HOST: may
 * be missing, which means every address of this machine, and PORT may be 0.
 */
MUST_CHECK enum status tcp_parse(const char *text, bool any, struct tcp_address *out,
                                 struct diag *diag);

/*
 * Connects to `name`, "tcp:HOST:PORT"; *fd is not blocking. Once the peer has not read or
 * acknowledged anything for two minutes the connection counts as broken.
 */
MUST_CHECK enum status tcp_connect(const char *name, int *fd, struct diag *diag);

/* Listens at `name`, "tcp-listen:[ADDRESS:]PORT". *port is the one that was given or chosen. */
MUST_CHECK enum status tcp_listen(const char *name, int *fd, uint16_t *port, struct diag *diag);

/* Waits for a peer, and closes `listener`. */
MUST_CHECK enum status tcp_accept(int listener, const char *name, int *fd, struct diag *diag);

#endif
