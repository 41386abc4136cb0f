#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "snapshot/tcp.h"

#define CONNECT_MS      10000
#define USER_TIMEOUT_MS 120000u

/* Waits for a connection under way: 0, or an errno. */
static int wait_connected(int fd)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLOUT};
    int error = 0, n;
    socklen_t size = sizeof(error);

    do
        n = poll(&poll_fd, 1, CONNECT_MS);
    while (n < 0 && errno == EINTR);
    if (n == 0)
        return ETIMEDOUT;
    if (n < 0 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
        return errno;
    return error;
}

enum status tcp_connect(const char *name, int *fd, struct diag *diag)
{
    const unsigned timeout = USER_TIMEOUT_MS;
    const int on = 1;
    struct tcp_address address;
    enum status status = tcp_parse(name + strlen(TCP_PREFIX), false, &address, diag);
    int error = 0;

    if (status != STATUS_OK)
        return status;
    *fd = socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd < 0 || connect(*fd, (struct sockaddr *)&address.storage, address.size) != 0)
        error = errno;
    if (*fd >= 0 && error == EINPROGRESS)
        error = wait_connected(*fd);
    if (error) {
        diag_set(diag, name, "cannot connect: %s", strerror(error));
        diag_hint(diag, "start the reader first: cgunwind " TCP_LISTEN_PREFIX "PORT");
        if (*fd >= 0)
            close(*fd);
        return STATUS_IO;
    }
    /* Best effort: without, a peer that vanished is noticed later. */
    (void)!setsockopt(*fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
    (void)!setsockopt(*fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof(timeout));
    return STATUS_OK;
}
