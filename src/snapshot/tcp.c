/* SPDX-License-Identifier: MIT */
#include "snapshot/tcp.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#ifndef __GLIBC__
#include <netdb.h>
#endif

#define HOST_MAX 256

static void add(struct tcp_addresses *out, const void *address, size_t size)
{
    struct tcp_address *item = &out->items[out->len++];

    item->size = (socklen_t)size;
    memcpy(&item->storage, address, size);
}

/* Fills in the port; false when `host` is no numeric address. */
static bool parse_numeric(const char *host, uint16_t port, struct tcp_addresses *out)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    const char *percent = strchr(host, '%');
    char plain[HOST_MAX];
    size_t len = percent ? (size_t)(percent - host) : strlen(host);

    if (inet_pton(AF_INET, host, &v4.sin_addr) == 1) {
        add(out, &v4, sizeof(v4));
        return true;
    }
    memcpy(plain, host, len);
    plain[len] = '\0';
    if (percent)
        v6.sin6_scope_id = if_nametoindex(percent + 1);
    if (inet_pton(AF_INET6, plain, &v6.sin6_addr) != 1 || (percent && !v6.sin6_scope_id))
        return false;
    add(out, &v6, sizeof(v6));
    return true;
}

#ifdef __GLIBC__
/* glibc loads libraries to look up names, which a static program may not find on its target. */
static bool look_up(const char *host, const char *port, struct tcp_addresses *out)
{
    (void)host, (void)port, (void)out;
    return false;
}
#else
static bool look_up(const char *host, const char *port, struct tcp_addresses *out)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *found = NULL;

    if (getaddrinfo(host, port, &hints, &found) != 0)
        return false;
    for (const struct addrinfo *at = found; at && out->len < TCP_ADDRESSES_MAX; at = at->ai_next)
        if (at->ai_addrlen <= sizeof(out->items[0].storage))
            add(out, at->ai_addr, at->ai_addrlen);
    freeaddrinfo(found);
    return out->len > 0;
}
#endif

static bool parse_port(const char *text, bool zero, uint16_t *out)
{
    char *end;
    unsigned long port = strtoul(text, &end, 10);

    *out = (uint16_t)port;
    return text[0] >= '0' && text[0] <= '9' && !*end && port <= UINT16_MAX && (port || zero);
}

/* Copies the part of `text` before the colon, without brackets; false: malformed. */
static bool copy_host(const char *text, const char *colon, char *host)
{
    size_t len = (size_t)(colon - text);
    bool brackets = len >= 2 && text[0] == '[' && colon[-1] == ']';

    text += brackets;
    len -= brackets ? 2 : 0;
    if (!len || len >= HOST_MAX || (!brackets && memchr(text, ':', len)))
        return false;
    memcpy(host, text, len);
    host[len] = '\0';
    return true;
}

enum status tcp_parse(const char *text, bool any, struct tcp_addresses *out, struct diag *diag)
{
    const char *colon = strrchr(text, ':');
    const char *port_text = colon ? colon + 1 : text;
    char host[HOST_MAX] = "127.0.0.1";
    uint16_t port;

    out->len = 0;
    if (!parse_port(port_text, any, &port) || (!colon && !any) ||
        (colon && !copy_host(text, colon, host))) {
        diag_set(diag, NULL, "'%s' is no %s", text, any ? "[ADDRESS:]PORT" : "HOST:PORT");
        diag_hint(diag, "an IPv6 address goes in brackets: [::1]:7007");
        return STATUS_BAD_DATA;
    }
    if (parse_numeric(strcmp(host, "localhost") == 0 ? "127.0.0.1" : host, port, out) ||
        look_up(host, port_text, out))
        return STATUS_OK;
    diag_set(diag, NULL, "cannot find host '%s'", host);
    diag_hint(diag, "give its address; getent hosts %.100s may tell it", host);
    return STATUS_NOT_FOUND;
}
