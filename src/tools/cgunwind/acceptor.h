/* SPDX-License-Identifier: MIT */
/*
 * Connections for a program that has confined itself: a helper process, begun before, has the
 * sockets that listen, accepts, and hands over what peers have connected to.
 *
 *     listening sockets ── helper ── connection ──► cgunwind, which has no socket that listens
 *
 * Who takes cgunwind over can neither accept nor make a connection: a socket that listened could
 * be made to connect.
 */
#ifndef TOOLS_CGUNWIND_ACCEPTOR_H
#define TOOLS_CGUNWIND_ACCEPTOR_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"

struct acceptor_place {
    const char *name; /* borrowed: "tcp-listen:…" */
    uint16_t port;
};

struct acceptor { /* zeroed: of no place */
    struct acceptor_place *places;
    int *fds; /* that listen, of each place; then the helper's end of a socket */
    size_t count, places_cap, fds_cap, taken;
    int fd; /* our end of it */
};

/* Listens there, from now on (tcp_listen). NO_MEMORY, or as that; with `diag`. */
MUST_CHECK enum status acceptor_add(struct acceptor *acceptor, const char *name, struct diag *diag);

/* Begins the process, where there are places. IO: errno says why not. */
MUST_CHECK enum status acceptor_begin(struct acceptor *acceptor);

/* Whose turn it is: places are taken in the order in which they were added. */
const struct acceptor_place *acceptor_next(const struct acceptor *acceptor);

/* Waits for that one's connection (tcp_accept); *fd is the caller's. */
MUST_CHECK enum status acceptor_take(struct acceptor *acceptor, int *fd, struct diag *diag);

/* Also of one that was not begun. */
void acceptor_end(struct acceptor *acceptor);

#endif
