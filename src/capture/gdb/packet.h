/* SPDX-License-Identifier: MIT */
/*
 * The framing of the GDB Remote Serial Protocol (GDB manual, "Overview" of appendix E): from bytes,
 * however they are cut, to packets, and back. A state machine over bytes, which does no input and
 * output and keeps no time.
 *
 *     +              an acknowledgement          $T05*!;#b9   a packet; `*!` repeats the 0 before
 *     -              send it again               %Stop:T05#…  a notification
 *     anything else  garbage, which is counted and skipped up to the next of these
 *
 * What is repeated is a raw byte, and escapes are undone behind that, as gdb does. A packet that is
 * longer than the room there is, or whose checksum is wrong, is reported as bad.
 */
#ifndef CAPTURE_GDB_PACKET_H
#define CAPTURE_GDB_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a packet's contents, at most. */
#define GDB_PACKET_MAX ((size_t)64 << 10)

enum gdb_item {
    GDB_ITEM_NONE, /* more bytes are needed */
    GDB_ITEM_ACK,
    GDB_ITEM_NAK,
    GDB_ITEM_PACKET,       /* in `payload` */
    GDB_ITEM_NOTIFICATION, /* as well */
    GDB_ITEM_BAD,          /* a packet with a wrong checksum, or too long */
};

enum gdb_decoder_state { GDB_OUTSIDE, GDB_INSIDE, GDB_REPEAT, GDB_SUM_HIGH, GDB_SUM_LOW };

struct gdb_decoder {
    char *payload; /* GDB_PACKET_MAX + 1 bytes, borrowed; a NUL follows the contents */
    size_t len;
    enum gdb_decoder_state state;
    bool is_notification, is_escaped;
    bool is_broken;     /* it is longer than there is room, or makes no sense */
    bool takes_any_sum; /* 00 is no checksum, but stands for any: without acknowledgements */
    uint8_t sum, given; /* as counted; as told, so far */
    char last;          /* the raw byte that may be repeated */
    bool has_last;
    uint64_t garbage, bad; /* bytes that were skipped; bad packets */
};

void gdb_decoder_init(struct gdb_decoder *decoder, char *payload);

/*
 * Takes bytes until an item is whole, or there are no more; how many were taken. The payload is
 * valid until the next call.
 */
size_t gdb_decode(struct gdb_decoder *decoder, const uint8_t *bytes, size_t size,
                  enum gdb_item *item);

/* Of a packet of so many bytes, at most: each may be escaped. */
#define GDB_FRAME_MAX(size) (2 * (size) + 4)

/* The packet that has these contents, to `out`, which has room for it: its size. */
size_t gdb_encode(const char *payload, size_t len, uint8_t *out);

/* The value of a hexadecimal digit, or -1. */
int gdb_digit(char c);

/* Pairs of digits become bytes, up to the first that is none: how many bytes. */
size_t gdb_unhex(const char *text, size_t len, uint8_t *out, size_t size);

/* A hexadecimal number, to its end; false: there is none, or it has more than 64 bits. */
bool gdb_number(const char **text, uint64_t *out);

#endif
