/* SPDX-License-Identifier: MIT */
/* Which process is at the other end of a connection. */
#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "boards/gdb/transport.h"
#include "unit_test.h"

#define DECOYS 32

static struct sockaddr_in place(unsigned host, uint16_t port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + host);
    return address;
}

/* -1: that is not possible here. */
static int bound(const struct sockaddr_in *at)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
        bind(fd, (const struct sockaddr *)at, sizeof(*at)) != 0)
        return -1;
    return fd;
}

static uint16_t port_of(int fd)
{
    struct sockaddr_in address;
    socklen_t size = sizeof(address);

    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    return ntohs(address.sin_port);
}

/* Connects from `from` to `to`; both ends are this process's. Returns the end at `from`, or -1. */
static int connected(const struct sockaddr_in *from, const struct sockaddr_in *to)
{
    const int listener = bound(to), fd = bound(from);

    if (listener < 0 || fd < 0 || listen(listener, 1) != 0 ||
        connect(fd, (const struct sockaddr *)to, sizeof(*to)) != 0 ||
        accept(listener, NULL, NULL) < 0)
        return -1;
    close(listener);
    return fd;
}

/* Holds connections between other addresses of the loopback, with these ports. */
static void hold_decoys(uint16_t from_port, uint16_t to_port, int ready)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (unsigned i = 1; i <= DECOYS; i++) {
        const struct sockaddr_in a = place(2 * i, from_port), b = place(2 * i + 1, to_port);

        if (connected(&a, &b) < 0)
            _exit(1);
    }
    (void)!write(ready, "x", 1);
    for (;;)
        pause();
}

TEST(transport_peer_has_our_peer_s_address)
{
    const struct sockaddr_in any = place(0, 0);
    const int listener = bound(&any), from = bound(&any);
    struct gdb_transport transport = {.is_tcp = true, .fd = from};
    struct sockaddr_in theirs;
    int ready[2];
    pid_t decoys;
    char byte;

    if (listener < 0 || from < 0)
        skip(); /* no loopback here */
    assert_int_equal(listen(listener, 1), 0);
    theirs = place(0, port_of(listener));
    assert_int_equal(pipe(ready), 0);
    decoys = fork();
    if (decoys == 0)
        hold_decoys(port_of(from), port_of(listener), ready[1]);
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(connect(from, (struct sockaddr *)&theirs, sizeof(theirs)), 0);
    assert_true(accept(listener, NULL, NULL) >= 0);
    assert_int_equal(gdb_transport_peer(&transport), getpid());
    kill(decoys, SIGKILL);
    waitpid(decoys, NULL, 0);
    close(ready[0]);
    close(from);
    close(listener);
}

/* A server that listens to IPv6 has IPv4's peers in another table. */
TEST(transport_peer_of_both_families_is_found)
{
    const int listener = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0), off = 0;
    struct sockaddr_in6 any = {.sin6_family = AF_INET6};
    struct gdb_transport transport = {.is_tcp = true};
    struct sockaddr_in to;
    socklen_t size = sizeof(any);

    if (listener < 0 || setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off)) != 0 ||
        bind(listener, (struct sockaddr *)&any, sizeof(any)) != 0)
        skip(); /* no IPv6 here */
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&any, &size), 0);
    to = place(0, ntohs(any.sin6_port));
    transport.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(transport.fd, (struct sockaddr *)&to, sizeof(to)), 0);
    assert_true(accept(listener, NULL, NULL) >= 0);
    assert_int_equal(gdb_transport_peer(&transport), getpid());
    close(transport.fd);
    close(listener);
}
