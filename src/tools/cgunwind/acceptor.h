/* SPDX-License-Identifier: MIT */
/*
 * Accepts connections for a program that has confined itself. A helper process, started before, has
 * the listening sockets, accepts, and hands over the connections:
 *
 *     listening sockets -- helper -- connection --> cgunwind, which has no listening socket
 *
 * So an input that takes cgunwind over can neither accept nor make connections: a listening socket
 * could be made to connect.
 */
#ifndef TOOLS_CGUNWIND_ACCEPTOR_H
#define TOOLS_CGUNWIND_ACCEPTOR_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"

struct acceptor_place {
    const char *name; /* borrowed: "tcp-listen:..." */
    uint16_t port;
};

struct acceptor { /* all zero: no places */
    struct acceptor_place *places;
    int *fds; /* listening sockets of the places; then the helper's end of a socket pair */
    size_t count, places_cap, fds_cap, taken;
    int fd; /* our end of the pair */
};

/*
 * Adds a place and begins to listen there (tcp_listen). `name` is borrowed. Fails with NO_MEMORY,
 * or as tcp_listen; `diag` says why.
 */
MUST_CHECK enum status acceptor_add(struct acceptor *acceptor, const char *name, struct diag *diag);

/* Starts the helper, if there are places, and closes the listening sockets here. IO: errno. */
MUST_CHECK enum status acceptor_begin(struct acceptor *acceptor);

/* Returns the place that acceptor_take is about to wait for, in the order of addition. */
const struct acceptor_place *acceptor_next(const struct acceptor *acceptor);

/* Waits for a connection at that place (tcp_accept); the caller closes *fd. IO: `diag` says why. */
MUST_CHECK enum status acceptor_take(struct acceptor *acceptor, int *fd, struct diag *diag);

/* Closes our sockets; also without acceptor_begin. */
void acceptor_end(struct acceptor *acceptor);

#endif
