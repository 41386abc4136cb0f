/* SPDX-License-Identifier: MIT */
/* Servers that say nothing: they are asked some times, and then no more. */
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

static void servers_that_do_not_answer_are_given_up(void **state)
{
    uint8_t build_id[20] = {0xca, 0x5e};
    struct fetcher *fetcher;
    unsigned connections = 0;
    struct diag why;
    char url[64];
    const int fd = listen_silently(url);

    (void)state;
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

static void without_servers_there_is_nothing_to_ask(void **state)
{
    struct fetcher *fetcher;
    struct diag why;

    (void)state;
    unsetenv("DEBUGINFOD_URLS");
    assert_int_equal(fetcher_begin(NULL, NULL, &fetcher, &why), STATUS_NOT_FOUND);
    setenv("DEBUGINFOD_URLS", "http://127.0.0.1:1", 1);
    assert_int_equal(fetcher_begin("", NULL, &fetcher, &why), STATUS_NOT_FOUND);
    assert_int_equal(fetcher_begin("  ", NULL, &fetcher, &why), STATUS_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(servers_that_do_not_answer_are_given_up, cache_root_make,
                                        cache_root_remove),
        cmocka_unit_test(without_servers_there_is_nothing_to_ask),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
