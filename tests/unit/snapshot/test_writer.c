/* SPDX-License-Identifier: MIT */
#include "snapshot/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit_test.h"
#include "base/crc32.h"
#include "snapshot/pump.h"
#include "snapshot/tcp.h"

#define OFFSET UINT64_C(0x1122334455667788)

static struct snap_writer *create(int fd)
{
    struct snap_writer *writer = NULL;
    struct diag diag;

    assert_int_equal(snap_writer_create(fd, "test", arch_get(ARCH_X86_64), OFFSET, &writer, &diag),
                     STATUS_OK);
    return writer;
}

static int memory_file(void)
{
    int fd = memfd_create("snapshot", 0);

    assert_true(fd >= 0);
    return fd;
}

static size_t content(int fd, uint8_t *buffer, size_t size)
{
    ssize_t n = pread(fd, buffer, size, 0);

    assert_true(n >= 0);
    return (size_t)n;
}

static uint32_t get_u32(const uint8_t *at)
{
    return (uint32_t)(at[0] | at[1] << 8 | at[2] << 16) | (uint32_t)at[3] << 24;
}

TEST(writer_flush_writes_the_file_header)
{
    static const uint8_t expected[28] = {0x89, 'C',  'G',  'S',  'N', 'A', 'P',  '\n', 1,    0,
                                         9,    0,    1,    8,    62,  0,   0x88, 0x77, 0x66, 0x55,
                                         0x44, 0x33, 0x22, 0x11, 0,   0,   0,    0};
    int fd = memory_file();
    struct snap_writer *writer = create(fd);
    uint8_t bytes[64];

    assert_int_equal(content(fd, bytes, sizeof(bytes)), 0);
    assert_int_equal(snap_writer_flush(writer), STATUS_OK);
    assert_int_equal(content(fd, bytes, sizeof(bytes)), 32);
    assert_memory_equal(bytes, expected, sizeof(expected));
    assert_int_equal(get_u32(bytes + 28), crc32_update(0, bytes, 28));
    snap_writer_destroy(writer);
    close(fd);
}

TEST(writer_record_has_head_payload_and_crc)
{
    static const uint8_t payload[] = {0x11, 0x22, 0x11, 0x44, 0x33, 0x22, 0x11, 8,   7,
                                      6,    5,    4,    3,    2,    1,    2,    0,   'h',
                                      'i',  3,    0,    0,    0,    'a',  'b',  'c', 'x'};
    int fd = memory_file();
    struct snap_writer *writer = create(fd);
    uint8_t bytes[128];
    uint32_t crc;

    snap_writer_begin(writer, SNAP_THREAD, true);
    snap_writer_u8(writer, 0x11);
    snap_writer_u16(writer, 0x1122);
    snap_writer_u32(writer, 0x11223344);
    snap_writer_u64(writer, UINT64_C(0x0102030405060708));
    snap_writer_str(writer, "hi");
    snap_writer_bytes(writer, "abc", 3);
    snap_writer_raw(writer, "x", 1);
    assert_int_equal(snap_writer_end(writer), STATUS_OK);
    assert_int_equal(snap_writer_flush(writer), STATUS_OK);
    assert_int_equal(content(fd, bytes, sizeof(bytes)), 32 + 12 + sizeof(payload));
    assert_int_equal(bytes[32], SNAP_THREAD);
    assert_int_equal(bytes[33], 0);
    assert_int_equal(bytes[34], SNAP_REQUIRED);
    assert_int_equal(get_u32(bytes + 36), sizeof(payload));
    assert_memory_equal(bytes + 44, payload, sizeof(payload));
    crc = crc32_update(crc32_update(0, bytes + 32, 8), payload, sizeof(payload));
    assert_int_equal(get_u32(bytes + 40), crc);
    assert_int_equal(snap_writer_size(writer), 32 + 12 + sizeof(payload));
    snap_writer_destroy(writer);
    close(fd);
}

TEST(writer_begun_record_is_not_flushed)
{
    int fd = memory_file();
    struct snap_writer *writer = create(fd);
    uint8_t bytes[128];

    snap_writer_begin(writer, SNAP_IDLE, true);
    snap_writer_u32(writer, 1);
    assert_int_equal(snap_writer_flush(writer), STATUS_OK);
    assert_int_equal(content(fd, bytes, sizeof(bytes)), 32);
    snap_writer_destroy(writer);
    close(fd);
}

TEST(writer_relieve_hands_over_a_full_buffer)
{
    int fd = memory_file();
    struct snap_writer *writer = create(fd);
    static uint8_t bytes[1 << 20], data[1000];

    for (int i = 0; i < 80; i++) {
        snap_writer_begin(writer, SNAP_CODE, false);
        snap_writer_raw(writer, data, sizeof(data));
        assert_int_equal(snap_writer_end(writer), STATUS_OK);
    }
    assert_int_equal(content(fd, bytes, sizeof(bytes)), 0);
    assert_int_equal(snap_writer_relieve(writer), STATUS_OK);
    assert_int_equal(content(fd, bytes, sizeof(bytes)), 32 + 80 * 1012);
    /* What is left is little. */
    snap_writer_begin(writer, SNAP_CODE, false);
    assert_int_equal(snap_writer_end(writer), STATUS_OK);
    assert_int_equal(snap_writer_relieve(writer), STATUS_OK);
    assert_int_equal(content(fd, bytes, sizeof(bytes)), 32 + 80 * 1012);
    assert_int_equal(snap_writer_size(writer), 32 + 80 * 1012 + 12);
    snap_writer_destroy(writer);
    close(fd);
}

TEST(writer_largest_record_fits_and_larger_is_dropped)
{
    int fd = open("/dev/null", O_WRONLY);
    struct snap_writer *writer = create(fd);
    uint8_t *data = calloc(1, SNAP_PAYLOAD_MAX + 1);

    assert_non_null(data);
    snap_writer_begin(writer, SNAP_CODE, false);
    snap_writer_raw(writer, data, SNAP_PAYLOAD_MAX);
    assert_int_equal(snap_writer_end(writer), STATUS_OK);
    assert_int_equal(snap_writer_size(writer), 32 + 12 + UINT64_C(1) * SNAP_PAYLOAD_MAX);
    snap_writer_begin(writer, SNAP_CODE, false);
    snap_writer_raw(writer, data, SNAP_PAYLOAD_MAX + 1);
    assert_int_equal(snap_writer_end(writer), STATUS_NO_MEMORY);
    snap_writer_begin(writer, SNAP_CODE, false);
    for (int i = 0; i < 3; i++)
        snap_writer_bytes(writer, data, SNAP_PAYLOAD_MAX / 2);
    assert_int_equal(snap_writer_end(writer), STATUS_NO_MEMORY);
    assert_int_equal(snap_writer_size(writer), 32 + 12 + UINT64_C(1) * SNAP_PAYLOAD_MAX);
    assert_int_equal(snap_writer_error(writer, NULL), STATUS_OK);
    snap_writer_begin(writer, SNAP_CODE, false);
    assert_int_equal(snap_writer_end(writer), STATUS_OK);
    free(data);
    snap_writer_destroy(writer);
    close(fd);
}

TEST(writer_string_longer_than_its_length_field_is_cut)
{
    int fd = memory_file();
    struct snap_writer *writer = create(fd);
    char *text = malloc(70001);
    uint8_t head[64];

    assert_non_null(text);
    memset(text, 'x', 70000);
    text[70000] = '\0';
    snap_writer_begin(writer, SNAP_THREAD, true);
    snap_writer_str(writer, text);
    assert_int_equal(snap_writer_end(writer), STATUS_OK);
    assert_int_equal(snap_writer_flush(writer), STATUS_OK);
    content(fd, head, sizeof(head));
    assert_int_equal(get_u32(head + 36), 2 + 65535);
    free(text);
    snap_writer_destroy(writer);
    close(fd);
}

TEST(writer_full_disk_is_kept_as_error)
{
    int fd = open("/dev/full", O_WRONLY);
    struct snap_writer *writer;
    struct diag diag;

    if (fd < 0)
        skip();
    writer = create(fd);
    assert_int_equal(snap_writer_flush(writer), STATUS_IO);
    assert_int_equal(snap_writer_error(writer, &diag), STATUS_IO);
    assert_string_equal(diag.file, "test");
    assert_non_null(strstr(diag.what, strerror(ENOSPC)));
    snap_writer_begin(writer, SNAP_IDLE, true);
    assert_int_equal(snap_writer_end(writer), STATUS_IO);
    assert_int_equal(snap_writer_flush(writer), STATUS_IO);
    snap_writer_destroy(writer);
    close(fd);
}

TEST(writer_closed_pipe_says_that_the_reader_has_gone)
{
    struct snap_writer *writer;
    struct diag diag;
    int fds[2];

    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(fds), 0);
    writer = create(fds[1]);
    close(fds[0]);
    assert_int_equal(snap_writer_flush(writer), STATUS_IO);
    snap_writer_error(writer, &diag);
    assert_non_null(strstr(diag.what, "reader has gone"));
    snap_writer_destroy(writer);
    close(fds[1]);
}

struct slow_reader {
    int fd;
    int calls, patience;
    size_t got;
};

/* Reads a little of the output each time it is called. */
static bool read_some(void *context, uint32_t progress)
{
    struct slow_reader *reader = context;
    static uint8_t bytes[30000];
    ssize_t n = 0;

    (void)progress;
    if (++reader->calls > reader->patience)
        return false;
    if (reader->calls % 3 == 0)
        n = read(reader->fd, bytes, sizeof(bytes));
    reader->got += n > 0 ? (size_t)n : 0;
    return true;
}

#define PUMPED_SIZE (5u << 20)

/* A writer with `size` bytes to hand over to a pump whose output is `fd`. */
static struct snap_writer *create_pumped(int fd, size_t size, struct slow_reader *reader,
                                         struct pump **pump)
{
    static uint8_t data[PUMPED_SIZE];
    struct snap_writer *writer = create(fd);
    struct diag diag;

    assert_int_equal(pump_start(fd, "test", NULL, NULL, pump, &diag), STATUS_OK);
    snap_writer_use_pump(writer, *pump, read_some, reader);
    snap_writer_begin(writer, SNAP_CODE, false);
    snap_writer_raw(writer, data, size);
    assert_int_equal(snap_writer_end(writer), STATUS_OK);
    assert_int_equal(reader->calls, 0);
    return writer;
}

/* Of our children it is the only one. */
static void destroy(struct pump *pump)
{
    pump_destroy(pump);
    assert_true(wait(NULL) > 0);
}

static void read_rest(struct slow_reader *reader)
{
    static uint8_t bytes[30000];
    ssize_t n;

    while ((n = read(reader->fd, bytes, sizeof(bytes))) > 0)
        reader->got += (size_t)n;
}

TEST(writer_full_pump_calls_the_wait_function)
{
    struct slow_reader reader = {.patience = INT_MAX};
    struct snap_writer *writer;
    struct pump *pump;
    int fds[2];

    assert_int_equal(pipe(fds), 0);
    reader.fd = fds[0];
    writer = create_pumped(fds[1], PUMPED_SIZE, &reader, &pump);
    assert_int_equal(snap_writer_relieve(writer), STATUS_OK);
    assert_true(reader.calls > 10);
    assert_true(reader.got > PUMPED_SIZE - (2u << 20));
    fcntl(fds[0], F_SETFL, O_NONBLOCK);
    assert_int_equal(snap_writer_finish(writer), STATUS_OK);
    read_rest(&reader);
    assert_int_equal(reader.got, snap_writer_size(writer));
    snap_writer_destroy(writer);
    destroy(pump);
    close(fds[0]);
    close(fds[1]);
}

/* Its output takes nothing more, and it is killed. */
TEST(writer_wait_function_that_gives_up_is_an_error)
{
    struct slow_reader reader = {.patience = 2};
    struct snap_writer *writer;
    struct pump *pump;
    struct diag diag;
    int fds[2];

    assert_int_equal(pipe(fds), 0);
    reader.fd = fds[0];
    writer = create_pumped(fds[1], PUMPED_SIZE, &reader, &pump);
    assert_int_equal(snap_writer_relieve(writer), STATUS_IO);
    snap_writer_error(writer, &diag);
    assert_non_null(strstr(diag.what, "the reader does not read"));
    assert_int_equal(reader.calls, 3);
    snap_writer_destroy(writer);
    destroy(pump);
    close(fds[1]);
    read_rest(&reader); /* ends, as nobody has the other end open */
    close(fds[0]);
}

TEST(writer_pump_that_is_killed_is_an_error)
{
    struct slow_reader reader = {.patience = INT_MAX};
    struct snap_writer *writer;
    struct pump *pump;
    struct diag diag;
    char path[64];
    pid_t pid;
    int fds[2];
    FILE *children;

    assert_int_equal(pipe(fds), 0);
    reader.fd = fds[0];
    fcntl(fds[0], F_SETFL, O_NONBLOCK);
    writer = create_pumped(fds[1], PUMPED_SIZE, &reader, &pump);
    snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
    children = fopen(path, "r");
    assert_non_null(children);
    assert_int_equal(fscanf(children, "%d", &pid), 1);
    fclose(children);
    kill(pid, SIGKILL);
    assert_int_equal(snap_writer_finish(writer), STATUS_IO);
    snap_writer_error(writer, &diag);
    assert_non_null(strstr(diag.what, "was killed"));
    snap_writer_destroy(writer);
    destroy(pump);
    close(fds[0]);
    close(fds[1]);
}

TEST(writer_pumped_full_disk_is_told)
{
    struct slow_reader reader = {.patience = INT_MAX, .fd = -1};
    int fd = open("/dev/full", O_WRONLY);
    struct snap_writer *writer;
    struct pump *pump;
    struct diag diag;

    writer = create_pumped(fd, 1000, &reader, &pump);
    assert_int_equal(snap_writer_finish(writer), STATUS_IO);
    snap_writer_error(writer, &diag);
    assert_non_null(strstr(diag.what, strerror(ENOSPC)));
    snap_writer_destroy(writer);
    destroy(pump);
    close(fd);
}

/* To a TCP peer, which has little room. */
static struct snap_writer *connect_writer(struct slow_reader *reader, size_t size, int *fd,
                                          struct pump **pump)
{
    const int room = 4096;
    struct diag diag;
    char name[32];
    uint16_t port;
    int listener;

    assert_int_equal(tcp_listen("tcp-listen:127.0.0.1:0", &listener, &port, &diag), STATUS_OK);
    setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
    snprintf(name, sizeof(name), "tcp:127.0.0.1:%u", port);
    assert_int_equal(tcp_connect(name, fd, &diag), STATUS_OK);
    reader->fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
    assert_true(reader->fd >= 0);
    close(listener);
    return create_pumped(*fd, size, reader, pump);
}

static void disconnect(struct snap_writer *writer, struct pump *pump, int fd)
{
    snap_writer_destroy(writer);
    destroy(pump);
    close(fd);
}

TEST(writer_finish_waits_until_the_peer_has_all)
{
    struct slow_reader reader = {.patience = INT_MAX};
    struct pump *pump;
    int fd;
    struct snap_writer *writer = connect_writer(&reader, 500000, &fd, &pump);
    uint64_t pending;

    assert_int_equal(snap_writer_finish(writer), STATUS_OK);
    assert_int_equal(tcp_pending(fd, &pending), 0);
    assert_int_equal(pending, 0);
    assert_true(reader.got > 400000);
    close(reader.fd);
    disconnect(writer, pump, fd);
}

/* The kernel takes these bytes at once, and the peer's has no room for them. */
TEST(writer_finish_without_delivery_is_an_error)
{
    struct slow_reader reader = {.patience = 2};
    struct pump *pump;
    int fd;
    struct snap_writer *writer = connect_writer(&reader, 100000, &fd, &pump);
    struct diag diag;

    assert_int_equal(snap_writer_flush(writer), STATUS_OK);
    assert_int_equal(reader.calls, 0);
    assert_int_equal(snap_writer_finish(writer), STATUS_IO);
    snap_writer_error(writer, &diag);
    assert_non_null(strstr(diag.what, "not all of it has arrived: the reader does not read"));
    close(reader.fd);
    disconnect(writer, pump, fd);
}

static bool reset(void *context, uint32_t progress)
{
    struct slow_reader *reader = context;
    const struct linger now = {.l_onoff = 1};

    (void)progress;
    setsockopt(reader->fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
    if (reader->calls++ == 0)
        close(reader->fd);
    poll(NULL, 0, 1);
    return reader->calls < 10000;
}

TEST(writer_finish_tells_of_a_peer_that_has_gone)
{
    struct slow_reader reader = {.patience = 0};
    struct pump *pump;
    int fd;
    struct snap_writer *writer = connect_writer(&reader, 100000, &fd, &pump);
    struct diag diag;

    snap_writer_use_pump(writer, pump, reset, &reader);
    assert_int_equal(snap_writer_finish(writer), STATUS_IO);
    snap_writer_error(writer, &diag);
    assert_string_equal(diag.what, "not all of it has arrived: the reader has gone");
    disconnect(writer, pump, fd);
}
