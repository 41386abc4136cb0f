/* SPDX-License-Identifier: MIT */
/*
 * A connection to a stub, as bytes: a TCP port, a local socket, a serial device, or the standard
 * input and output of a command.
 *
 *     localhost:3333   192.168.1.7:2331   [::1]:1234   :1234 (this machine)   /run/stub.sock
 *     /dev/ttyACM0     made raw; its speed stays as it is set (stty -F DEVICE 115200)
 *     | openocd -c 'gdb_port pipe' -f board.cfg     run by a shell, in a process group of its own,
 *                      so that Ctrl-C does not end it before it has let the target go
 */
#ifndef BOARDS_GDB_TRANSPORT_H
#define BOARDS_GDB_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/status.h"
#include "boards/gdb/bound.h"

struct gdb_transport {
    int fd;    /* reads and writes, does not block; owned; -1: closed */
    pid_t pid; /* PID of the command that was started; 0: none was */
    bool is_local_socket, is_tcp, is_device;
};

/*
 * Connects to `name` (see above), in ten seconds at most; the caller calls gdb_transport_close. On
 * failure *out is closed, and `diag` says why.
 */
MUST_CHECK enum status gdb_transport_open(struct gdb_transport *out, const char *name,
                                          struct gdb_bound *bound, struct diag *diag);
/*
 * Closes the connection, in about a second: waits until a device has sent its output, and a command
 * has ended; what is left is dropped, or killed.
 */
void gdb_transport_close(struct gdb_transport *transport, struct gdb_bound *bound);

/*
 * Reads at most `size` bytes and does not wait; returns their number. 0: there are none now. -1:
 * the connection has ended; errno says why (0: closed by the other side).
 */
ssize_t gdb_transport_read(struct gdb_transport *transport, void *bytes, size_t size);

/*
 * Writes all `size` bytes, within five seconds. False: the connection has ended, or takes no more
 * bytes (errno: ETIMEDOUT).
 */
bool gdb_transport_write(struct gdb_transport *transport, const void *bytes, size_t size,
                         struct gdb_bound *bound);

/*
 * Returns the PID of the process at the other end, if it runs on this machine: by the socket's
 * credentials or, for a TCP port of this machine, by /proc. 0: not found.
 */
pid_t gdb_transport_peer(const struct gdb_transport *transport);

#endif
