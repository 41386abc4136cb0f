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

/* Most bytes of a packet's contents. */
#define GDB_PACKET_MAX ((size_t)64 << 10)

enum gdb_item {
    GDB_ITEM_NONE, /* more bytes are needed */
    GDB_ITEM_ACK,
    GDB_ITEM_NAK,          /* '-': the last packet is to be sent again */
    GDB_ITEM_PACKET,       /* its contents are in decoder.payload */
    GDB_ITEM_NOTIFICATION, /* its contents are in decoder.payload */
    GDB_ITEM_BAD,          /* a packet with a wrong checksum, or too long */
};

enum gdb_decoder_state { GDB_OUTSIDE, GDB_INSIDE, GDB_REPEAT, GDB_SUM_HIGH, GDB_SUM_LOW };

struct gdb_decoder {
    char *payload; /* borrowed, GDB_PACKET_MAX + 1 bytes; a NUL follows a packet's contents */
    size_t len;    /* bytes of contents so far */
    enum gdb_decoder_state state;
    bool is_notification, is_escaped;
    bool is_broken;     /* the present packet is too long, or malformed */
    bool takes_any_sum; /* set by the caller, without acknowledgements: the checksum 00 is right */
    uint8_t sum, given; /* checksum of the bytes so far; checksum that the packet gives, so far */
    char last;          /* the raw byte that a repeat repeats, if has_last */
    bool has_last;
    uint64_t garbage, bad; /* number of skipped bytes; of bad packets */
};

/* Initialises `decoder`; it borrows `payload`, a buffer of GDB_PACKET_MAX + 1 bytes. */
void gdb_decoder_init(struct gdb_decoder *decoder, char *payload);

/*
 * Takes bytes until an item is whole or no bytes are left; sets *item and returns how many bytes
 * were taken. decoder->payload is valid until the next call.
 */
size_t gdb_decode(struct gdb_decoder *decoder, const uint8_t *bytes, size_t size,
                  enum gdb_item *item);

/* Most bytes of an encoded packet with `size` bytes of contents, each of which may be escaped. */
#define GDB_FRAME_MAX(size) (2 * (size) + 4)

/*
 * Encodes a packet with `len` bytes of contents into `out`, which has room for GDB_FRAME_MAX(len)
 * bytes; returns the packet's size in bytes.
 */
size_t gdb_encode(const char *payload, size_t len, uint8_t *out);

/* Returns the value of the hexadecimal digit `c`; -1: it is none. */
int gdb_digit(char c);

/*
 * Decodes pairs of hexadecimal digits in `text` to at most `size` bytes, up to the first pair with
 * another character; returns the number of bytes.
 */
size_t gdb_unhex(const char *text, size_t len, uint8_t *out, size_t size);

/*
 * Reads the hexadecimal number at *text and moves *text behind it. False: no digit is there, or the
 * number has more than 64 bits.
 */
bool gdb_number(const char **text, uint64_t *out);

#endif
