/* SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <unistd.h>

#include "base/await.h"
#include "snapshot/tcp.h"

/* A peer that is silent for IDLE is probed COUNT times, at INTERVAL, before it counts as gone. */
#define KEEP_IDLE_S     60
#define KEEP_INTERVAL_S 10
#define KEEP_COUNT      6
/* Bytes that each kind of input has at least. */
#define FIRST_BYTES 8

static enum status fail(const char *name, int fd, struct diag *diag)
{
    diag_set(diag, name, "cannot listen: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    return STATUS_IO;
}

static uint16_t bound_port(int fd)
{
    struct tcp_address address = {.size = sizeof(address.storage)};
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;

    if (getsockname(fd, (struct sockaddr *)&address.storage, &address.size) != 0)
        return 0;
    memcpy(&v4, &address.storage, sizeof(v4));
    memcpy(&v6, &address.storage, sizeof(v6));
    return ntohs(address.storage.ss_family == AF_INET6 ? v6.sin6_port : v4.sin_port);
}

enum status tcp_listen(const char *name, int *fd, uint16_t *port, struct diag *diag)
{
    const int on = 1, off = 0;
    struct tcp_addresses addresses;
    const struct tcp_address *address = &addresses.items[0];
    enum status status = tcp_parse(name + strlen(TCP_LISTEN_PREFIX), true, &addresses, diag);

    if (status != STATUS_OK)
        return status;
    *fd = socket(address->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*fd < 0)
        return fail(name, *fd, diag);
    setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (address->storage.ss_family == AF_INET6)
        setsockopt(*fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
    if (bind(*fd, (const struct sockaddr *)&address->storage, address->size) != 0 ||
        listen(*fd, 1) != 0)
        return fail(name, *fd, diag);
    *port = bound_port(*fd);
    return STATUS_OK;
}

/* Best effort: without, a peer that vanished is waited for without end. */
static void keep_alive(int fd)
{
    const int on = 1, idle = KEEP_IDLE_S, interval = KEEP_INTERVAL_S, count = KEEP_COUNT;

    (void)!setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
    (void)!setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
    (void)!setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof(interval));
    (void)!setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof(count));
}

/*
 * Waits for a snapshot's head, which comes at once. True also for a peer that closed without it,
 * which reading finds.
 */
static bool sends_something(int fd, int wait_ms)
{
    const int all = FIRST_BYTES, any = 1;
    bool ready;

    (void)!setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &all, sizeof(all));
    ready = await_input(fd, wait_ms);
    (void)!setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &any, sizeof(any));
    return ready;
}

enum status tcp_accept(int listener, const char *name, int wait_ms, int *fd, struct diag *diag)
{
    enum status status = STATUS_OK;

    for (;;) {
        *fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (*fd < 0 && errno != EINTR && errno != ECONNABORTED)
            break;
        if (*fd >= 0 && sends_something(*fd, wait_ms))
            break;
        if (*fd >= 0)
            close(*fd);
    }
    if (*fd < 0) {
        diag_set(diag, name, "cannot accept a connection: %s", strerror(errno));
        status = STATUS_IO;
    } else {
        keep_alive(*fd);
    }
    close(listener);
    return status;
}
