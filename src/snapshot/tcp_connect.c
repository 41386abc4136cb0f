/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "snapshot/tcp.h"

#define CONNECT_MS      10000 /* of all of a host's addresses together */
#define USER_TIMEOUT_MS 120000u

/* Returns 0, or the errno that broke the connection or kept it from being made. */
static int socket_error(int fd)
{
    int error = 0;
    socklen_t size = sizeof(error);

    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

/* Waits for a connection under way: 0, or an errno. */
static int wait_connected(int fd, int wait_ms)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLOUT};
    int n;

    do
        n = poll(&poll_fd, 1, wait_ms);
    while (n < 0 && errno == EINTR);
    if (n == 0)
        return ETIMEDOUT;
    return n < 0 ? errno : socket_error(fd);
}

/* Returns 0, or an errno; then *fd is closed. */
static int connect_to(const struct tcp_address *address, int wait_ms, int *fd)
{
    int error = 0;

    *fd = socket(address->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd < 0)
        return errno;
    if (connect(*fd, (const struct sockaddr *)&address->storage, address->size) != 0)
        error = errno;
    if (error == EINPROGRESS)
        error = wait_connected(*fd, wait_ms);
    if (error)
        close(*fd);
    return error;
}

enum status tcp_connect(const char *name, int *fd, struct diag *diag)
{
    const unsigned timeout = USER_TIMEOUT_MS;
    const int on = 1;
    struct tcp_addresses addresses;
    enum status status = tcp_parse(name + strlen(TCP_PREFIX), false, &addresses, diag);
    int error = EHOSTUNREACH;

    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; error && i < addresses.len; i++)
        error = connect_to(&addresses.items[i], CONNECT_MS / (int)addresses.len, fd);
    if (error) {
        diag_set(diag, name, "cannot connect: %s", strerror(error));
        diag_hint(diag, "start the reader first: cgunwind " TCP_LISTEN_PREFIX "PORT");
        return STATUS_IO;
    }
    /* Best effort: without, a peer that vanished is noticed later. */
    (void)!setsockopt(*fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
    (void)!setsockopt(*fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof(timeout));
    return STATUS_OK;
}

/* TIOCOUTQ is SIOCOUTQ, tcp(7), whose header musl lacks. */
int tcp_pending(int fd, uint64_t *bytes)
{
    int protocol = 0, pending = 0, error;
    socklen_t size = sizeof(protocol);

    *bytes = 0;
    if (getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) != 0 || protocol != IPPROTO_TCP)
        return 0;
    error = socket_error(fd);
    if (!error && ioctl(fd, TIOCOUTQ, &pending) == 0 && pending > 0)
        *bytes = (uint64_t)pending;
    return error;
}
