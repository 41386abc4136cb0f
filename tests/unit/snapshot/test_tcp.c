/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <net/if.h>

#include "unit_test.h"
#include "snapshot/tcp.h"

#define WAIT_MS 20000

static uint16_t port_of(const struct tcp_address *address)
{
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;

    memcpy(&v4, &address->storage, sizeof(v4));
    memcpy(&v6, &address->storage, sizeof(v6));
    return ntohs(address->storage.ss_family == AF_INET ? v4.sin_port : v6.sin6_port);
}

static void expect(const char *text, bool any, int family, uint16_t port)
{
    struct tcp_addresses addresses;
    struct diag diag = {0};

    assert_int_equal(tcp_parse(text, any, &addresses, &diag), STATUS_OK);
    assert_int_equal(addresses.len, 1);
    assert_int_equal(addresses.items[0].storage.ss_family, family);
    assert_int_equal(port_of(&addresses.items[0]), port);
}

static void refuse(const char *text, bool any, const char *what)
{
    struct tcp_addresses addresses;
    struct diag diag = {0};

    assert_int_not_equal(tcp_parse(text, any, &addresses, &diag), STATUS_OK);
    assert_non_null(strstr(diag.what, what));
}

TEST(tcp_address_and_port_are_taken_apart)
{
    expect("192.0.2.7:7007", false, AF_INET, 7007);
    expect("localhost:1", false, AF_INET, 1);
    expect("[2001:db8::1]:65535", false, AF_INET6, 65535);
    expect("7007", true, AF_INET, 7007);
    expect("[::]:7007", true, AF_INET6, 7007);
    expect("127.0.0.1:0", true, AF_INET, 0);
}

TEST(tcp_address_of_a_link_names_its_interface)
{
    struct tcp_addresses addresses;
    struct diag diag = {0};
    struct sockaddr_in6 v6;

    assert_int_equal(tcp_parse("[fe80::1%lo]:7007", false, &addresses, &diag), STATUS_OK);
    memcpy(&v6, &addresses.items[0].storage, sizeof(v6));
    assert_int_equal(v6.sin6_scope_id, if_nametoindex("lo"));
    assert_int_equal(ntohs(v6.sin6_port), 7007);
    refuse("[fe80::1%nowhere]:7", false, "cannot find host 'fe80::1%nowhere'");
}

TEST(tcp_text_that_is_no_address_is_refused)
{
    static const char *const bad[] = {"",         ":",          "7007",    "host:",
                                      "host:0",   "host:65536", "host:7x", ":7007",
                                      "::1:7007", "[]:7007",    "host:-1"};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        refuse(bad[i], false, "is no HOST:PORT");
    refuse("", true, "is no [ADDRESS:]PORT");
    refuse("nowhere.invalid:7", false, "cannot find host 'nowhere.invalid'");
}

TEST(tcp_peers_that_meet_exchange_bytes)
{
    char name[64], text[16] = "";
    struct diag diag = {0};
    int listener, reader, writer;
    uint16_t port = 0;

    assert_int_equal(tcp_listen("tcp-listen:127.0.0.1:0", &listener, &port, &diag), STATUS_OK);
    assert_int_not_equal(port, 0);
    snprintf(name, sizeof(name), "tcp:localhost:%u", port);
    assert_int_equal(tcp_connect(name, &writer, &diag), STATUS_OK);
    assert_int_equal(write(writer, "a snapshot", 10), 10);
    assert_int_equal(tcp_accept(listener, "tcp-listen", WAIT_MS, &reader, &diag), STATUS_OK);
    close(writer);
    assert_int_equal(read(reader, text, sizeof(text)), 10);
    assert_string_equal(text, "a snapshot");
    assert_int_equal(read(reader, text, sizeof(text)), 0);
    close(reader);
    /* Nobody listens there any more. */
    assert_int_equal(tcp_connect(name, &writer, &diag), STATUS_IO);
    assert_non_null(strstr(diag.what, "cannot connect"));
}

/* Ones that say nothing, or do not get beyond a byte: the third is heard. */
TEST(tcp_peer_that_does_not_begin_is_sent_away)
{
    int listener, reader, writers[3];
    char name[64], text[16] = "";
    struct diag diag = {0};
    uint16_t port = 0;

    assert_int_equal(tcp_listen("tcp-listen:127.0.0.1:0", &listener, &port, &diag), STATUS_OK);
    assert_int_equal(listen(listener, 3), 0);
    snprintf(name, sizeof(name), "tcp:localhost:%u", port);
    for (int i = 0; i < 3; i++)
        assert_int_equal(tcp_connect(name, &writers[i], &diag), STATUS_OK);
    assert_int_equal(write(writers[0], "x", 1), 1);
    assert_int_equal(write(writers[2], "a snapshot", 10), 10);
    assert_int_equal(tcp_accept(listener, "tcp-listen", 200, &reader, &diag), STATUS_OK);
    assert_int_equal(read(reader, text, sizeof(text)), 10);
    assert_string_equal(text, "a snapshot");
    assert_true(read(writers[0], text, sizeof(text)) <= 0);
    close(reader);
    for (int i = 0; i < 3; i++)
        close(writers[i]);
}

/* Without an address nobody hears from other machines. */
TEST(tcp_listens_on_loopback_unless_told)
{
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof(address);
    struct diag diag = {0};
    uint16_t port = 0;
    int listener;

    assert_int_equal(tcp_listen("tcp-listen:0", &listener, &port, &diag), STATUS_OK);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    if (address.ss_family == AF_INET)
        assert_int_equal(((struct sockaddr_in *)&address)->sin_addr.s_addr, htonl(INADDR_LOOPBACK));
    else
        assert_true(IN6_IS_ADDR_LOOPBACK(&((struct sockaddr_in6 *)&address)->sin6_addr));
    close(listener);
}
