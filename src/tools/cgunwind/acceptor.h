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
    const char *name; /* the input's name, "tcp-listen:..."; borrowed */
    uint16_t port;
};

struct acceptor { /* listens for connections at places; all members zero: at none */
    struct acceptor_place *places;
    int *fds; /* listening sockets of the `count` places; NULL once the helper has them */
    size_t count, places_cap, fds_cap, taken;
    int fd; /* this process's end of the socket pair */
};

/*
 * Adds a place and begins to listen there (tcp_listen). `name` is borrowed. Fails with NO_MEMORY,
 * or as tcp_listen; `diag` says why.
 */
MUST_CHECK enum status acceptor_add(struct acceptor *acceptor, const char *name, struct diag *diag);

/*
 * Starts the helper, if there are places, and closes the listening sockets in this process. Fails
 * with IO only; errno says why.
 */
MUST_CHECK enum status acceptor_begin(struct acceptor *acceptor);

/*
 * Returns the place whose connection the next acceptor_take waits for; places follow in the order
 * in which they were added. There must be a next one. Owned by the acceptor.
 */
const struct acceptor_place *acceptor_next(const struct acceptor *acceptor);

/*
 * Waits for a connection at the place of acceptor_next, and goes on to the next place; the caller
 * closes *fd. Fails with IO only; `diag` says why.
 */
MUST_CHECK enum status acceptor_take(struct acceptor *acceptor, int *fd, struct diag *diag);

/* Closes this process's sockets and frees the memory; works also without acceptor_begin. */
void acceptor_end(struct acceptor *acceptor);

#endif
