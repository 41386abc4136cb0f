/* SPDX-License-Identifier: MIT */
/*
 * What a stub for gdb may send, over any bytes.
 *
 * Input: one byte, what it is; one byte, in parts of how many bytes it arrives; then that. As a
 * stream of packets the same items are found however it is cut. As replies to what cgsnap asks, one
 * packet after the other, by way of a socket: a whole conversation ends, with whatever result. The
 * documents are a target's description that includes itself, a memory map and a list of libraries.
 */
#include "fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>

#include "boards/gdb/client.h"
#include "boards/gdb/features.h"
#include "boards/gdb/link.h"
#include "boards/gdb/memory.h"
#include "boards/gdb/memory_map.h"
#include "boards/gdb/packet.h"
#include "boards/gdb/registers.h"
#include "boards/gdb/served.h"
#include "boards/gdb/stop_reply.h"

/* So that the requests that it answers have room in the socket. */
#define CONVERSATION_MAX 8192u

enum kind { STREAM, CONVERSATION, FEATURES, DOCUMENTS, STOP, KINDS };

static char payload[GDB_PACKET_MAX + 1];

/* A number for the items of the stream and all that is in them. */
static uint64_t sum_items(const uint8_t *data, size_t size, size_t part)
{
    struct gdb_decoder decoder;
    uint64_t sum = 0;

    gdb_decoder_init(&decoder, payload);
    for (size_t at = 0; at < size;) {
        const size_t n = size - at < part ? size - at : part;
        size_t taken = 0;

        while (taken < n) {
            enum gdb_item item;

            taken += gdb_decode(&decoder, data + at + taken, n - taken, &item);
            if (decoder.len > GDB_PACKET_MAX)
                abort();
            if (item == GDB_ITEM_PACKET || item == GDB_ITEM_NOTIFICATION) {
                if (decoder.payload[decoder.len])
                    abort();
                for (size_t i = 0; i < decoder.len; i++)
                    sum = sum * 31 + (uint8_t)decoder.payload[i];
            }
            if (item != GDB_ITEM_NONE)
                sum = sum * 31 + (uint64_t)item + decoder.len;
        }
        at += n;
    }
    return sum * 31 + decoder.garbage + decoder.bad;
}

static void fuzz_stream(const uint8_t *data, size_t size, size_t part)
{
    if (sum_items(data, size, part) != sum_items(data, size, size + 1))
        abort();
}

/* What is sent was decoded before: the same comes out. */
static void fuzz_encode(const uint8_t *data, size_t size)
{
    static uint8_t frame[GDB_FRAME_MAX(GDB_REQUEST_MAX)];
    const size_t len = size < GDB_REQUEST_MAX ? size : GDB_REQUEST_MAX;
    struct gdb_decoder decoder;
    enum gdb_item item;
    size_t n = gdb_encode((const char *)data, len, frame);

    gdb_decoder_init(&decoder, payload);
    if (gdb_decode(&decoder, frame, n, &item) != n || item != GDB_ITEM_PACKET ||
        decoder.len != len || memcmp(payload, data, len) != 0)
        abort();
}

static void use_features(struct gdb_features *features)
{
    const struct arch *arch = gdb_registers_arch(features);
    struct gdb_layout layout;
    struct gdb_registers regs;

    for (size_t i = 0; i < features->count; i++)
        fuzz_use(strlen(features->registers[i].name) + features->registers[i].off);
    if (!arch || !gdb_registers_map(features, arch, &layout))
        return;
    gdb_registers_parse("0123456789abcdefxxxxxxxx01020304", 32, &layout, arch, &regs);
    for (unsigned i = 0; i < arch->all_regs; i++)
        fuzz_use(regs.values[i]);
}

/* The replies are the input's; what is asked goes to the same socket's other end, and is lost. */
static void fuzz_conversation(const uint8_t *data, size_t size)
{
    static struct gdb_state state;
    struct gdb_state *st = &state;
    struct gdb_thread_id ids[GDB_THREADS_MAX];
    uint8_t bytes[256];
    uint64_t value;
    char *text;
    size_t text_size;
    int fds[2];

    memset(st, 0, sizeof(*st));
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) != 0)
        abort();
    if (size > CONVERSATION_MAX)
        size = CONVERSATION_MAX;
    fuzz_write(fds[1], data, size);
    shutdown(fds[1], SHUT_WR); /* so that nothing is waited for */
    if (gdb_bound_init(&st->bound, NULL) != STATUS_OK)
        abort();
    st->client = (struct gdb_client){.name = "fuzz",
                                     .io = {.fd = fds[0]},
                                     .bound = &st->bound,
                                     .reply = payload,
                                     .acks = true,
                                     .packet_size = 400};
    gdb_decoder_init(&st->client.decoder, payload);
    st->halt = 1;
    if (gdb_link_begin(&st->client, &st->offers) == STATUS_OK) {
        st->client.acks = st->client.acks && data[0] & 1;
        fuzz_use(gdb_link_threads(&st->client, ids, GDB_THREADS_MAX));
        fuzz_use(gdb_link_has_vcont(&st->client));
        if (gdb_link_read(&st->client, "features", "target.xml", &text, &text_size) == STATUS_OK) {
            if (text[text_size])
                abort();
            free(text);
        }
        fuzz_use(gdb_memory_read(st, 0x1000, bytes, sizeof(bytes)));
        fuzz_use(gdb_memory_read_cached(st, 0x20fe, bytes, 4));
        fuzz_use(gdb_registers_read_one(st, &(struct gdb_place){true, 1, 0, 4}, &value));
        if (gdb_client_take(&st->client) == STATUS_OK)
            fuzz_use(st->client.reply_len);
    }
    if (st->client.has_failed)
        fuzz_use_diag(&st->client.diag);
    gdb_bound_deinit(&st->bound);
    close(fds[0]);
    close(fds[1]);
}

struct document {
    const uint8_t *data;
    size_t size;
};

/* Each document has a part of the input, by its name's length. */
static enum status read_document(void *context, const char *annex, struct gdb_xml_flat *out)
{
    const struct document *document = context;
    const size_t skip = strcmp(annex, "target.xml") == 0 ? 0 : strlen(annex) * 16 % 256;

    if (skip > document->size)
        return STATUS_NOT_FOUND;
    return gdb_xml_flatten((const char *)document->data + skip, document->size - skip, out);
}

static void fuzz_features(const uint8_t *data, size_t size)
{
    struct document document = {data, size};
    struct gdb_features features;

    if (gdb_features_read(&features, read_document, &document) == STATUS_OK)
        use_features(&features);
    if (features.count > GDB_REGISTERS_MAX)
        abort();
    gdb_features_deinit(&features);
}

static void use_documents(const struct gdb_xml_flat *flat)
{
    struct gdb_memory_map map;
    struct gdb_libraries libraries;

    if (gdb_memory_map_parse(flat, &map) == STATUS_OK)
        for (size_t i = 0; i < map.count; i++)
            if (map.items[i].start_addr > UINT64_MAX - map.items[i].size)
                abort();
    if (gdb_libraries_parse(flat, &libraries) == STATUS_OK)
        for (size_t i = 0; i < libraries.count; i++)
            fuzz_use(strlen(libraries.items[i].path));
    gdb_libraries_deinit(&libraries);
}

/* As a document, and as what a process that was taken over makes of one. */
static void fuzz_documents(const uint8_t *data, size_t size)
{
    struct gdb_xml_flat flat;

    if (gdb_xml_flatten((const char *)data, size, &flat) == STATUS_OK)
        use_documents(&flat);
    if (size <= GDB_XML_FLAT_MAX && flat.bytes) {
        memcpy(flat.bytes, data, size);
        flat.size = size;
        use_documents(&flat);
    }
    gdb_xml_free(&flat);
}

static void fuzz_stop(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    char name[PROC_NAME_SIZE];
    struct gdb_stop stop;
    struct gdb_offers offers;
    size_t packet_size = 400;

    if (!text)
        return;
    memcpy(text, data, size);
    text[size] = '\0';
    gdb_stop_parse(text, &stop);
    gdb_served_name(text, name);
    fuzz_use(gdb_served_kind_of(text) + strlen(name));
    gdb_link_parse_offers(text, &offers, &packet_size);
    if (packet_size > GDB_PACKET_MAX || stop.thread.tid < -1)
        abort();
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    switch ((enum kind)(data[0] % KINDS)) {
    case STREAM:
        fuzz_stream(data + 2, size - 2, data[1] % 32u + 1);
        fuzz_encode(data + 2, size - 2);
        break;
    case CONVERSATION:
        fuzz_conversation(data + 2, size - 2);
        break;
    case FEATURES:
        fuzz_features(data + 2, size - 2);
        break;
    case DOCUMENTS:
        fuzz_documents(data + 2, size - 2);
        break;
    case STOP:
        fuzz_stop(data + 2, size - 2);
        break;
    case KINDS:
        break;
    }
    return 0;
}
