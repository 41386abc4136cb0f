/* SPDX-License-Identifier: MIT */
/*
 * Servers that say nothing: they are asked some times, and then no more. A process that was taken
 * over, and writes to the helper what fetcher_find() never would: the helper ends.
 */
#include "cache_fixture.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fetch/fetcher.h"

enum { ASKED = 6, FAILURES = 3 };

static int listen_silently(char url[64])
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof(address);
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(listen(fd, 2 * ASKED), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    snprintf(url, 64, "http://127.0.0.1:%u", ntohs(address.sin_port));
    return fd;
}

TEST_WITH(servers_that_do_not_answer_are_given_up, cache_root_make, cache_root_remove)
{
    uint8_t build_id[20] = {0xca, 0x5e};
    struct fetcher *fetcher;
    unsigned connections = 0;
    struct diag why;
    char url[64];
    const int fd = listen_silently(url);

    setenv("DEBUGINFOD_CACHE_PATH", cache_root, 1);
    setenv("DEBUGINFOD_TIMEOUT", "1", 1);
    setenv("DEBUGINFOD_RETRY_LIMIT", "0", 1);
    assert_int_equal(fetcher_begin(url, NULL, &fetcher, &why), STATUS_OK);
    assert_string_equal(fetcher_directory(fetcher), cache_root);
    for (uint8_t i = 0; i < ASKED; i++) {
        build_id[19] = i;
        assert_null(fetcher_find(fetcher, FETCH_DEBUG, build_id, sizeof(build_id)));
    }
    fetcher_end(fetcher);
    for (int accepted; (accepted = accept(fd, NULL, NULL)) >= 0; connections++)
        close(accepted);
    assert_int_equal(connections, FAILURES);
    close(fd);
}

/* The fetcher's end of the socket: the only one of packets. */
static int find_socket(void)
{
    for (int fd = 3; fd < 1024; fd++) {
        int type = 0;
        socklen_t size = sizeof(type);

        if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET)
            return fd;
    }
    return -1;
}

/* enum fetch_kind, the size of an identifier, and its bytes. */
struct packet {
    uint8_t kind, size;
    char id[FETCHER_ID_MAX];
};

/* libdebuginfod takes an identifier of size 0 for a text, and makes paths of it. */
TEST_WITH(what_is_no_question_ends_the_helper, cache_root_make, cache_root_remove)
{
    static const struct {
        struct packet packet;
        size_t size;
    } wrong[] = {
        {{FETCH_DEBUG, 0, "../../escaped"}, sizeof(struct packet)},
        {{FETCH_DEBUG, FETCHER_ID_MAX + 1, "escaped"}, sizeof(struct packet)},
        {{FETCH_EXECUTABLE + 1, 20, "escaped"}, sizeof(struct packet)},
        {{FETCH_DEBUG, 20, "escaped"}, sizeof(struct packet) - 1},
    };
    struct fetcher *fetcher;
    struct diag why;
    char url[64], answer[64];
    const int fd = listen_silently(url);

    setenv("DEBUGINFOD_CACHE_PATH", cache_root, 1);
    setenv("DEBUGINFOD_TIMEOUT", "1", 1);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        int helper;

        assert_int_equal(fetcher_begin(url, NULL, &fetcher, &why), STATUS_OK);
        helper = find_socket();
        assert_int_equal(send(helper, &wrong[i].packet, wrong[i].size, 0), wrong[i].size);
        assert_int_equal(recv(helper, answer, sizeof(answer), 0), 0);
        fetcher_end(fetcher);
    }
    assert_int_equal(accept(fd, NULL, NULL), -1);
    close(fd);
}

TEST(without_servers_there_is_nothing_to_ask)
{
    struct fetcher *fetcher;
    struct diag why;

    unsetenv("DEBUGINFOD_URLS");
    assert_int_equal(fetcher_begin(NULL, NULL, &fetcher, &why), STATUS_NOT_FOUND);
    setenv("DEBUGINFOD_URLS", "http://127.0.0.1:1", 1);
    assert_int_equal(fetcher_begin("", NULL, &fetcher, &why), STATUS_NOT_FOUND);
    assert_int_equal(fetcher_begin("  ", NULL, &fetcher, &why), STATUS_NOT_FOUND);
}
