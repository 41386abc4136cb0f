/* SPDX-License-Identifier: MIT */
/*
 * The framing of the GDB Remote Serial Protocol (GDB manual, "Overview" of appendix E): turns
 * bytes, however they are cut, into packets, and back. A state machine without input, output or
 * time.
 *
 *     +              an acknowledgement          $T05*!;#b9   a packet; `*!` repeats the 0 before
 *     -              send it again               %Stop:T05#.. a notification
 *     anything else  garbage, which is counted and skipped up to the next of these
 *
 * A repeat repeats a raw byte, and escapes are undone after that, as in gdb. A packet that is
 * longer than there is room, or has a wrong checksum, is reported as bad.
 */
#ifndef BOARDS_GDB_PACKET_H
#define BOARDS_GDB_PACKET_H

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
    GDB_ITEM_NOTIFICATION, /* in `payload` */
    GDB_ITEM_BAD,          /* a packet with a wrong checksum, or too long */
};

enum gdb_decoder_state { GDB_OUTSIDE, GDB_INSIDE, GDB_REPEAT, GDB_SUM_HIGH, GDB_SUM_LOW };

struct gdb_decoder {
    char *payload; /* GDB_PACKET_MAX + 1 bytes, borrowed; a NUL follows the contents */
    size_t len;
    enum gdb_decoder_state state;
    bool is_notification, is_escaped;
    bool is_broken;     /* too long, or malformed */
    bool takes_any_sum; /* the checksum 00 matches any: without acknowledgements */
    uint8_t sum, given; /* checksums: counted; told, so far */
    char last;          /* the raw byte that may be repeated */
    bool has_last;
    uint64_t garbage, bad; /* counts: skipped bytes; bad packets */
};

void gdb_decoder_init(struct gdb_decoder *decoder, char *payload);

/* Takes bytes until *item is whole; returns how many. Payload: borrowed until the next call. */
size_t gdb_decode(struct gdb_decoder *decoder, const uint8_t *bytes, size_t size,
                  enum gdb_item *item);

/* Size of the encoded packet, at most, as each byte may be escaped. */
#define GDB_FRAME_MAX(size) (2 * (size) + 4)

/* Encodes a packet into `out`, which has room for GDB_FRAME_MAX(len); returns its size. */
size_t gdb_encode(const char *payload, size_t len, uint8_t *out);

/* Returns the value of a hexadecimal digit, or -1. */
int gdb_digit(char c);

/* Decodes pairs of digits, up to the first that is none; returns how many bytes. */
size_t gdb_unhex(const char *text, size_t len, uint8_t *out, size_t size);

/* Reads a hexadecimal number and moves *text behind it. False: none, or more than 64 bits. */
bool gdb_number(const char **text, uint64_t *out);

#endif
