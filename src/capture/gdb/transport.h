/* SPDX-License-Identifier: MIT */
/*
 * A connection to a stub, as bytes: a TCP port, a socket of this machine, a serial device, or the
 * standard input and output of a command.
 *
 *     localhost:3333   192.168.1.7:2331   [::1]:1234   :1234 (this machine)   /run/stub.sock
 *     /dev/ttyACM0     made raw; its speed stays as it is set (stty -F DEVICE 115200)
 *     | openocd -c 'gdb_port pipe' -f board.cfg     by a shell, in a process group of its own, so
 *                      that Ctrl-C is for us, and we can still let the target go
 */
#ifndef CAPTURE_GDB_TRANSPORT_H
#define CAPTURE_GDB_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/status.h"
#include "capture/gdb/bound.h"

struct gdb_transport {
    int fd;    /* both ways, not blocking; -1: it is closed */
    pid_t pid; /* of the command; 0: there is none */
    bool is_local_socket, is_tcp, is_device;
};

/* Ten seconds at most. `diag` says why not; *out is closed then. */
MUST_CHECK enum status gdb_transport_open(struct gdb_transport *out, const char *name,
                                          struct gdb_bound *bound, struct diag *diag);
/* What a device has not sent yet it may send, and a command end by itself, for half a second. */
void gdb_transport_close(struct gdb_transport *transport, struct gdb_bound *bound);

/*
 * What there is, 1 to `size` bytes. 0: nothing now; -1: it has ended, errno says why (0: the other
 * side has closed it).
 */
ssize_t gdb_transport_read(struct gdb_transport *transport, void *bytes, size_t size);

/* All of it, within five seconds; false: it has ended, or takes nothing any more (ETIMEDOUT). */
bool gdb_transport_write(struct gdb_transport *transport, const void *bytes, size_t size,
                         struct gdb_bound *bound);

/*
 * The process at the other end, if it runs on this machine and is to be found; 0: it is not. By the
 * socket's credentials or, of a TCP port of this machine, by /proc.
 */
pid_t gdb_transport_peer(const struct gdb_transport *transport);

#endif
