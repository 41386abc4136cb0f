/* SPDX-License-Identifier: MIT */
/* The framing of gdb's remote protocol: what a stub may send, however it is cut, and what not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"
#include "boards/gdb/packet.h"

static char payload[GDB_PACKET_MAX + 1];

/* The items in the text, in parts of `part` bytes: a letter each, and a packet's contents. */
static const char *decode(struct gdb_decoder *decoder, const char *text, size_t size, size_t part)
{
    static const char letters[] = {[GDB_ITEM_ACK] = '+',
                                   [GDB_ITEM_NAK] = '-',
                                   [GDB_ITEM_PACKET] = 'P',
                                   [GDB_ITEM_NOTIFICATION] = 'N',
                                   [GDB_ITEM_BAD] = 'B'};
    static char out[4096];
    size_t len = 0;

    out[0] = '\0';
    for (size_t at = 0; at < size;) {
        const size_t n = size - at < part ? size - at : part;
        size_t taken = 0;

        while (taken < n) {
            enum gdb_item item;

            taken += gdb_decode(decoder, (const uint8_t *)text + at + taken, n - taken, &item);
            if (item == GDB_ITEM_PACKET || item == GDB_ITEM_NOTIFICATION)
                len += (size_t)snprintf(out + len, sizeof(out) - len, "%c(%s)", letters[item],
                                        decoder->payload);
            else if (item != GDB_ITEM_NONE)
                len += (size_t)snprintf(out + len, sizeof(out) - len, "%c", letters[item]);
        }
        at += n;
    }
    return out;
}

static void expect(const char *text, const char *items)
{
    for (size_t part = 1; part <= 7; part++) {
        struct gdb_decoder decoder;

        gdb_decoder_init(&decoder, payload);
        assert_string_equal(decode(&decoder, text, strlen(text), part), items);
    }
}

TEST(packet_with_its_checksum_is_whole_however_it_is_cut)
{
    expect("$OK#9a", "P(OK)");
    expect("+$#00+", "+P()+");
    expect("-%Stop:T05#99$T05#b9", "-N(Stop:T05)P(T05)");
    expect("$OK#9A", "P(OK)");
}

TEST(packet_repeats_the_byte_before_a_star)
{
    expect("$0* #7a", "P(0000)");        /* ' ' is 32: 3 more */
    expect("$0*\"12#df", "P(00000012)"); /* '"' is 34: 5 more */
    expect("$a}\x03*!b#8e", "P(a#\x03\x03\x03\x03"
                            "b)"); /* a raw byte */
}

TEST(packet_undoes_escapes)
{
    expect("$x}\x04y}]z#c6", "P(x$y}z)");
}

TEST(packet_with_a_wrong_checksum_is_bad_and_the_next_is_not)
{
    expect("$OK#9b$OK#9a", "BP(OK)");
    expect("$OK#zz$OK#9a", "BP(OK)");
    expect("$OK#9", "");
}

TEST(packet_that_begins_in_another_takes_its_place)
{
    expect("$T05thr$OK#9a", "P(OK)");
}

TEST(packet_with_a_repetition_of_nothing_is_bad)
{
    expect("$*!#4b", "B");
    expect("$0*\x1d#77", "B"); /* 29: none more */
    expect("$0*  #9a", "P(0000 )");
}

TEST(garbage_is_skipped_and_counted)
{
    struct gdb_decoder decoder;

    gdb_decoder_init(&decoder, payload);
    assert_string_equal(decode(&decoder, "boot: v1.2\r\n$OK#9a??", 20, 3), "P(OK)");
    assert_int_equal(decoder.garbage, 14);
}

TEST(packet_that_is_too_long_is_bad_and_the_next_is_not)
{
    struct gdb_decoder decoder;
    const size_t size = GDB_PACKET_MAX + 100;
    char *text = malloc(size + 16);

    assert_non_null(text);
    memset(text, '0', size);
    text[0] = '$';
    memcpy(text + size, "#00$OK#9a", 9);
    gdb_decoder_init(&decoder, payload);
    assert_string_equal(decode(&decoder, text, size + 9, 1000), "BP(OK)");
    assert_int_equal(decoder.bad, 1);
    free(text);
}

TEST(packet_of_zeroes_that_are_repeated_has_no_more_than_there_is_room)
{
    struct gdb_decoder decoder;
    char text[4096] = "$0";
    uint8_t sum = '0';
    size_t len = 2;

    for (; len < 3000; len += 3) {
        memcpy(text + len, "*~0", 3);
        sum = (uint8_t)(sum + '*' + '~' + '0');
    }
    len += (size_t)snprintf(text + len, 8, "#%02x", sum);
    gdb_decoder_init(&decoder, payload);
    assert_string_equal(decode(&decoder, text, len, 64), "B");
    assert_true(decoder.len <= GDB_PACKET_MAX);
}

TEST(sum_of_zeroes_counts_only_without_acknowledgements)
{
    struct gdb_decoder decoder;

    gdb_decoder_init(&decoder, payload);
    assert_string_equal(decode(&decoder, "$OK#00", 6, 6), "B");
    decoder.takes_any_sum = true;
    assert_string_equal(decode(&decoder, "$OK#00", 6, 6), "P(OK)");
}

TEST(encoded_packet_is_decoded_to_the_same)
{
    const char text[] = "m20000000,4 $#}* end";
    uint8_t frame[GDB_FRAME_MAX(sizeof(text))];
    struct gdb_decoder decoder;
    size_t size = gdb_encode(text, sizeof(text) - 1, frame);

    assert_in_range(size, sizeof(text) + 3, sizeof(frame));
    gdb_decoder_init(&decoder, payload);
    assert_string_equal(decode(&decoder, (const char *)frame, size, 5), "P(m20000000,4 $#}* end)");
}

TEST(digits_become_bytes_up_to_what_is_none)
{
    uint8_t bytes[4] = {0};
    const char *text = "1f,x";
    uint64_t value = 0;

    assert_int_equal(gdb_unhex("0aFFxx00", 8, bytes, 4), 2);
    assert_int_equal(bytes[0], 0x0a);
    assert_int_equal(bytes[1], 0xff);
    assert_int_equal(gdb_unhex("0102030405", 10, bytes, 4), 4);
    assert_int_equal(gdb_unhex("012", 3, bytes, 4), 1);
    assert_true(gdb_number(&text, &value));
    assert_int_equal(value, 0x1f);
    assert_string_equal(text, ",x");
    text = "12345678123456789";
    assert_false(gdb_number(&text, &value));
}
