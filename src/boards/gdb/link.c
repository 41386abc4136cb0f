/* SPDX-License-Identifier: MIT */
#include "boards/gdb/link.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define PACKET_SIZE_MIN 64u
/* Parts of an object, at most: a stub that sends single bytes is broken. */
#define PARTS_MAX 4096u
/* Replies with threads, at most. */
#define THREAD_REPLIES_MAX 256u

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static void parse_offer(const char *text, struct gdb_offers *out, size_t *packet_size)
{
    static const struct {
        const char *name;
        size_t field;
    } names[] = {{"qXfer:features:read+", offsetof(struct gdb_offers, features)},
                 {"qXfer:memory-map:read+", offsetof(struct gdb_offers, memory_map)},
                 {"qXfer:auxv:read+", offsetof(struct gdb_offers, auxv)},
                 {"qXfer:exec-file:read+", offsetof(struct gdb_offers, exec_file)},
                 {"qXfer:libraries-svr4:read+", offsetof(struct gdb_offers, libraries)},
                 {"QStartNoAckMode+", offsetof(struct gdb_offers, no_ack)},
                 {"binary-upload+", offsetof(struct gdb_offers, binary_memory)},
                 {"multiprocess+", offsetof(struct gdb_offers, multiprocess)}};
    uint64_t size;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (begins(text, names[i].name))
            *(bool *)((char *)out + names[i].field) = true;
    if (!begins(text, "PacketSize="))
        return;
    text += strlen("PacketSize=");
    if (!gdb_number(&text, &size) || size < PACKET_SIZE_MIN)
        return;
    *packet_size = size < GDB_PACKET_MAX ? (size_t)size : GDB_PACKET_MAX;
}

void gdb_link_parse_offers(const char *text, struct gdb_offers *out, size_t *packet_size)
{
    *out = (struct gdb_offers){.features = false};
    while (text) {
        parse_offer(text, out, packet_size);
        text = strchr(text, ';');
        text = text ? text + 1 : NULL;
    }
}

enum status gdb_link_begin(struct gdb_client *client, struct gdb_offers *out)
{
    if (gdb_client_ask(client, "qSupported:multiprocess+;xmlRegisters=i386,arm,mips;"
                               "qXfer:features:read+;vContSupported+;binary-upload+") != STATUS_OK)
        return STATUS_IO;
    gdb_link_parse_offers(client->reply, out, &client->packet_size);
    /* A line that may lose bytes keeps acknowledgements. */
    if (!out->no_ack || (!client->io.is_tcp && !client->io.is_local_socket && !client->io.pid))
        return STATUS_OK;
    if (gdb_client_ask(client, "QStartNoAckMode") != STATUS_OK)
        return STATUS_IO;
    client->acks = !gdb_client_is_ok(client);
    client->decoder.takes_any_sum = !client->acks;
    return STATUS_OK;
}

static enum status read_parts(struct gdb_client *client, const char *object, const char *annex,
                              char **text, size_t *size)
{
    const size_t part = client->packet_size - 8;
    char *bytes = NULL;
    size_t len = 0, cap = 0;
    enum status status = STATUS_BAD_DATA;

    for (unsigned i = 0; i < PARTS_MAX; i++) {
        status = gdb_client_ask(client, "qXfer:%s:read:%.128s:%zx,%zx", object, annex, len, part);
        if (status != STATUS_OK)
            break;
        status = client->reply[0] == 'm' || client->reply[0] == 'l' ? STATUS_OK : STATUS_NOT_FOUND;
        if (status == STATUS_OK && len + client->reply_len > GDB_XML_MAX)
            status = STATUS_BAD_DATA;
        if (status == STATUS_OK)
            status = vec_reserve(&bytes, &cap, len + client->reply_len, 1);
        if (status != STATUS_OK)
            break;
        memcpy(bytes + len, client->reply + 1, client->reply_len - 1);
        len += client->reply_len - 1;
        if (client->reply[0] == 'l') {
            bytes[len] = '\0';
            *text = bytes;
            *size = len;
            return STATUS_OK;
        }
        status = STATUS_BAD_DATA;
        if (client->reply_len == 1)
            break;
    }
    free(bytes);
    return status;
}

enum status gdb_link_read(struct gdb_client *client, const char *object, const char *annex,
                          char **text, size_t *size)
{
    const uint64_t outer_ns = gdb_bound_begin(client->bound, GDB_ANSWERS_NS);
    const enum status status = read_parts(client, object, annex, text, size);

    gdb_bound_end(client->bound, outer_ns);
    return status;
}

enum status gdb_link_read_xml(struct gdb_client *client, const char *object, const char *annex,
                              struct gdb_xml_flat *out)
{
    char *text;
    size_t size;
    enum status status = gdb_link_read(client, object, annex, &text, &size);

    if (status != STATUS_OK)
        return status;
    status = gdb_xml_flatten_apart(text, size, client->bound, out);
    free(text);
    return status;
}

static bool is_among(const struct gdb_thread_id *ids, size_t count, const struct gdb_thread_id *id)
{
    for (size_t i = 0; i < count; i++)
        if (ids[i].pid == id->pid && ids[i].tid == id->tid)
            return true;
    return false;
}

/* Adds the threads of a reply: "m", then ids with commas between. */
static size_t add_threads(const char *text, struct gdb_thread_id *out, size_t count, size_t max)
{
    struct gdb_thread_id id;

    while (count < max && gdb_thread_id_parse(&text, &id)) {
        if (id.tid > 0 && !is_among(out, count, &id))
            out[count++] = id;
        if (*text != ',')
            break;
        text++;
    }
    return count;
}

static size_t list_threads(struct gdb_client *client, struct gdb_thread_id *out, size_t max)
{
    size_t count = 0;

    for (unsigned i = 0; i < THREAD_REPLIES_MAX && count < max; i++) {
        if (gdb_client_ask(client, i ? "qsThreadInfo" : "qfThreadInfo") != STATUS_OK)
            return 0;
        if (client->reply[0] != 'm')
            break;
        count = add_threads(client->reply + 1, out, count, max);
    }
    return count;
}

size_t gdb_link_threads(struct gdb_client *client, struct gdb_thread_id *out, size_t max)
{
    const uint64_t outer_ns = gdb_bound_begin(client->bound, GDB_ANSWERS_NS);
    const size_t count = list_threads(client, out, max);

    gdb_bound_end(client->bound, outer_ns);
    return count;
}

bool gdb_link_has_vcont(struct gdb_client *client)
{
    if (gdb_client_ask(client, "vCont?") != STATUS_OK || !begins(client->reply, "vCont"))
        return false;
    return strstr(client->reply, ";c") && strstr(client->reply, ";C");
}
