#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "snapshot/tcp.h"

static enum status fail(const char *name, int fd, struct diag *diag)
{
    diag_set(diag, name, "cannot listen: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    return STATUS_IO;
}

/* The wildcard address of IPv4, for machines without IPv6. */
static void use_v4(struct tcp_address *address, const char *name, struct diag *diag)
{
    const char *colon = strrchr(name, ':');
    char text[32] = "0.0.0.0:";

    strncat(text, colon + 1, sizeof(text) - sizeof("0.0.0.0:"));
    (void)!tcp_parse(text, true, address, diag);
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
    const char *text = name + strlen(TCP_LISTEN_PREFIX);
    const int on = 1, off = 0;
    struct tcp_address address;
    enum status status = tcp_parse(text, true, &address, diag);

    if (status != STATUS_OK)
        return status;
    *fd = socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*fd < 0 && errno == EAFNOSUPPORT && !strchr(text, ':')) {
        use_v4(&address, name, diag);
        *fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    }
    if (*fd < 0)
        return fail(name, *fd, diag);
    setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (address.storage.ss_family == AF_INET6)
        setsockopt(*fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
    if (bind(*fd, (struct sockaddr *)&address.storage, address.size) != 0 || listen(*fd, 1) != 0)
        return fail(name, *fd, diag);
    *port = bound_port(*fd);
    return STATUS_OK;
}

enum status tcp_accept(int listener, const char *name, int *fd, struct diag *diag)
{
    enum status status = STATUS_OK;

    do
        *fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    while (*fd < 0 && (errno == EINTR || errno == ECONNABORTED));
    if (*fd < 0) {
        diag_set(diag, name, "cannot accept a connection: %s", strerror(errno));
        status = STATUS_IO;
    }
    close(listener);
    return status;
}
