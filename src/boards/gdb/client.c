/* SPDX-License-Identifier: MIT */
#include "boards/gdb/client.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "capture/target/backend.h"

#define SECOND_NS UINT64_C(1000000000)
/* A packet is sent again, or asked for again, after this. */
#define AGAIN_NS (SECOND_NS / 2)
#define TRIES    8u
/* Reads without a packet, and unasked packets, before the time is looked at. */
#define READS_AT_ONCE 16u
#define DRAIN_NS      (SECOND_NS / 200)
/* Packet size of a stub that tells none. */
#define PACKET_SIZE_DEFAULT 400u
/* Replies up to this are short, from that on long. */
#define SHORT_REPLY 128u
#define LONG_REPLY  1024u

enum status gdb_client_open(struct gdb_client *client, const char *name, struct gdb_bound *bound,
                            struct diag *diag)
{
    enum status status;

    *client = (struct gdb_client){.name = name,
                                  .bound = bound,
                                  .acks = true,
                                  .packet_size = PACKET_SIZE_DEFAULT,
                                  .io.fd = -1};
    client->reply = malloc(GDB_PACKET_MAX + 1);
    if (!client->reply) {
        diag_set(diag, NULL, "out of memory");
        return STATUS_NO_MEMORY;
    }
    gdb_decoder_init(&client->decoder, client->reply);
    status = gdb_transport_open(&client->io, name, bound, diag);
    if (status != STATUS_OK)
        gdb_client_close(client);
    return status;
}

void gdb_client_close(struct gdb_client *client)
{
    gdb_transport_close(&client->io, client->bound);
    free(client->reply);
    client->reply = NULL;
}

void gdb_client_fail(struct gdb_client *client, const char *what, const char *hint)
{
    if (client->has_failed)
        return;
    client->has_failed = true;
    diag_set(&client->diag, client->name, "%s", what);
    if (hint)
        diag_hint(&client->diag, "%s", hint);
}

/*
 * Hints what may be wrong. Most stubs serve one client, and do not hear others. OpenOCD answers
 * nothing if it could not examine the target, or the target has no registers.
 */
static const char *failure_hint(const struct gdb_client *client)
{
    if (client->has_begun)
        return "what was captured before is kept";
    if (client->io.pid)
        return "does the command speak the protocol of gdb, and has it found its target? See what "
               "it "
               "says itself";
    return "is gdb, or another client, connected to it? Else: does it speak the protocol of gdb, "
           "and "
           "has it found its target? See what it says itself";
}

/* Fails as time is over: the stub was too slow, or the capture ends. */
static void give_up(struct gdb_client *client, const char *what)
{
    if (client->has_failed)
        return;
    client->is_cut = gdb_bound_is_cut(client->bound);
    gdb_client_fail(client, client->is_cut ? "the capture was ended" : what,
                    client->is_cut ? NULL : failure_hint(client));
}

static void fail_link(struct gdb_client *client)
{
    char what[128] = "the stub has closed the connection";

    if (client->io.pid)
        snprintf(what, sizeof(what), "the command has ended, or closed its output");
    else if (errno)
        snprintf(what, sizeof(what), "the connection was lost: %s", strerror(errno));
    gdb_client_fail(client, what, failure_hint(client));
}

static bool write_bytes(struct gdb_client *client, const void *bytes, size_t size)
{
    if (client->has_failed)
        return false;
    if (gdb_transport_write(&client->io, bytes, size, client->bound))
        return true;
    if (errno == ETIMEDOUT)
        give_up(client, "the stub does not take what it is sent");
    else
        fail_link(client);
    return false;
}

static void acknowledge(struct gdb_client *client, enum gdb_item item)
{
    if (client->acks)
        (void)write_bytes(client, item == GDB_ITEM_PACKET ? "+" : "-", 1);
}

/* Returns the next item of what was read; NONE: more bytes are needed. */
static enum gdb_item decode(struct gdb_client *client)
{
    enum gdb_item item = GDB_ITEM_NONE;

    while (item == GDB_ITEM_NONE && client->in_pos < client->in_len)
        client->in_pos += gdb_decode(&client->decoder, client->in + client->in_pos,
                                     client->in_len - client->in_pos, &item);
    client->reply_len = item == GDB_ITEM_PACKET ? client->decoder.len : 0;
    return item;
}

/* Returns the next item, without waiting; NONE: nothing now, or the connection has ended. */
static enum gdb_item next_item(struct gdb_client *client)
{
    enum gdb_item item = decode(client);
    ssize_t n;

    /* Limited, so that endless input does not keep us from looking at the time. */
    for (unsigned i = 0; i < READS_AT_ONCE && item == GDB_ITEM_NONE && !client->has_failed; i++) {
        n = gdb_transport_read(&client->io, client->in, sizeof(client->in));
        if (n == 0)
            break;
        if (n < 0) {
            fail_link(client);
            break;
        }
        client->in_pos = 0;
        client->in_len = (size_t)n;
        item = decode(client);
    }
    return item;
}

void gdb_client_wait(struct gdb_client *client, uint64_t until_ns)
{
    if (client->in_pos == client->in_len && !client->has_failed)
        (void)gdb_bound_wait(client->bound, client->io.fd, POLLIN, until_ns);
}

/* Waits for the next item until `until_ns`; NONE: none came, or the connection has ended. */
static enum gdb_item await_item(struct gdb_client *client, uint64_t until_ns)
{
    enum gdb_item item;

    do
        item = next_item(client);
    while (item == GDB_ITEM_NONE && !client->has_failed &&
           gdb_bound_wait(client->bound, client->io.fd, POLLIN, until_ns));
    return item;
}

static bool send_again(struct gdb_client *client)
{
    client->resent++;
    return write_bytes(client, client->out, client->out_len);
}

/* Waits for the acknowledgement; packets before it are old, and dropped. */
static bool await_ack(struct gdb_client *client)
{
    unsigned tries = 0;

    while (client->acks && !client->has_failed) {
        const enum gdb_item item = await_item(client, clock_now_ns() + AGAIN_NS);
        const bool is_lost = item == GDB_ITEM_NAK || item == GDB_ITEM_NONE;

        if (item == GDB_ITEM_ACK)
            return true;
        if (gdb_bound_is_over(client->bound) || (is_lost && ++tries == TRIES))
            give_up(client, "the stub does not acknowledge what it is sent");
        else if (is_lost)
            (void)send_again(client);
        else if (item != GDB_ITEM_NOTIFICATION)
            acknowledge(client, GDB_ITEM_PACKET);
    }
    return !client->has_failed;
}

/*
 * A request that was sent twice may be answered twice: waits for the second answer, so that it is
 * not taken for the next request's.
 */
static void drain(struct gdb_client *client)
{
    const uint64_t outer_ns = gdb_bound_begin(client->bound, DRAIN_NS + 2 * client->trip_ns);
    enum gdb_item item;

    client->is_doubtful = false;
    while (!client->has_failed && !gdb_bound_is_over(client->bound)) {
        item = await_item(client, GDB_BOUND_NEVER);
        if (item == GDB_ITEM_PACKET || item == GDB_ITEM_BAD)
            acknowledge(client, GDB_ITEM_PACKET);
    }
    gdb_bound_end(client->bound, outer_ns);
}

static enum status send_format(struct gdb_client *client, const char *format, va_list args)
{
    char text[GDB_REQUEST_MAX];
    const int len = vsnprintf(text, sizeof(text), format, args);

    if (client->is_doubtful)
        drain(client);
    if (client->has_failed || len < 0 || (size_t)len >= sizeof(text))
        return STATUS_IO;
    client->out_len = gdb_encode(text, (size_t)len, client->out);
    client->requests++;
    return write_bytes(client, client->out, client->out_len) && await_ack(client) ? STATUS_OK
                                                                                  : STATUS_IO;
}

enum status gdb_client_send(struct gdb_client *client, const char *format, ...)
{
    const uint64_t outer_ns = gdb_bound_begin(client->bound, GDB_ANSWER_NS);
    enum status status;
    va_list args;

    va_start(args, format);
    status = send_format(client, format, args);
    va_end(args);
    gdb_bound_end(client->bound, outer_ns);
    return status;
}

/* Is it no answer, but a repeated stop reply, or the target's output? */
static bool is_stray(const struct gdb_client *client, bool wants_stop)
{
    const char first = client->reply[0];

    if (first == 'O')
        return strcmp(client->reply, "OK") != 0;
    return !wants_stop && (first == 'T' || first == 'S' || first == 'N') && client->reply_len > 2 &&
           strncmp(client->reply, "Taddr", 5) != 0;
}

/* Asks for a reply again that came late, not at all, or damaged. */
static void ask_for_reply(struct gdb_client *client, enum gdb_item item)
{
    if (client->acks) {
        client->resent++;
        acknowledge(client, GDB_ITEM_BAD);
    } else if (item == GDB_ITEM_BAD) {
        (void)send_again(client);
    }
}

static enum status await_reply(struct gdb_client *client, bool wants_stop)
{
    unsigned tries = 0;

    while (!client->has_failed && !gdb_bound_is_over(client->bound)) {
        const enum gdb_item item =
            await_item(client, client->acks ? clock_now_ns() + AGAIN_NS : GDB_BOUND_NEVER);

        if (item == GDB_ITEM_PACKET) {
            acknowledge(client, item);
            if (!is_stray(client, wants_stop))
                return client->has_failed ? STATUS_IO : STATUS_OK;
        } else if (item == GDB_ITEM_NONE || (item == GDB_ITEM_BAD && ++tries < TRIES)) {
            ask_for_reply(client, item);
        }
    }
    give_up(client,
            client->has_begun ? "the stub does not answer any more" : "the stub does not answer");
    return STATUS_IO;
}

/* Updates the running averages by a reply. */
static void learn(struct gdb_client *client, uint64_t took_ns)
{
    const size_t size = client->reply_len;

    if (size <= SHORT_REPLY)
        client->trip_ns = client->trip_ns ? (7 * client->trip_ns + took_ns) / 8 : took_ns;
    else if (size >= LONG_REPLY && took_ns > client->trip_ns)
        client->byte_ns = (7 * client->byte_ns + (took_ns - client->trip_ns) / size) / 8;
}

enum status gdb_client_ask(struct gdb_client *client, const char *format, ...)
{
    const uint64_t begin_ns = clock_now_ns(), resent = client->resent;
    uint64_t outer_ns;
    enum status status;
    va_list args;

    if (!gdb_bound_may_ask(client->bound))
        return STATUS_IO;
    outer_ns = gdb_bound_begin(client->bound, GDB_ANSWER_NS);
    va_start(args, format);
    status = send_format(client, format, args);
    va_end(args);
    if (status == STATUS_OK)
        status = await_reply(client, format[0] == '?');
    gdb_bound_end(client->bound, outer_ns);
    if (status == STATUS_OK && client->resent == resent)
        learn(client, clock_now_ns() - begin_ns);
    client->is_doubtful = client->resent != resent;
    return status;
}

enum status gdb_client_interrupt(struct gdb_client *client)
{
    return write_bytes(client, "\x03", 1) ? STATUS_OK : STATUS_IO;
}

void gdb_client_ask_again(struct gdb_client *client)
{
    client->resent++;
    if (!client->acks)
        return;
    acknowledge(client, GDB_ITEM_BAD);
    client->is_doubtful = true;
}

enum status gdb_client_take(struct gdb_client *client)
{
    enum gdb_item item;

    for (unsigned i = 0; i < READS_AT_ONCE && (item = next_item(client)) != GDB_ITEM_NONE; i++) {
        if (item == GDB_ITEM_PACKET || item == GDB_ITEM_BAD)
            acknowledge(client, item);
        if (item == GDB_ITEM_PACKET)
            return STATUS_OK;
    }
    return client->has_failed ? STATUS_IO : STATUS_BUSY;
}

void gdb_client_send_last(struct gdb_client *client, const char *text)
{
    const size_t size = gdb_encode(text, strlen(text), client->out);

    (void)gdb_transport_write(&client->io, client->out, size, client->bound);
}

bool gdb_client_is_error(struct gdb_client *client)
{
    const char *reply = client->reply;
    const bool is_error = reply[0] == 'E' && (reply[1] == '.' || client->reply_len == 3);

    client->errors += is_error;
    return is_error;
}

bool gdb_client_is_ok(const struct gdb_client *client)
{
    return strcmp(client->reply, "OK") == 0;
}
