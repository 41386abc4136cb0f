/* SPDX-License-Identifier: MIT */
#include "boards/gdb/packet.h"

#define ESCAPE      '}'
#define ESCAPE_BIT  0x20
#define REPEAT      '*'
#define REPEAT_BASE 29 /* '*' and this character plus n: n more of the one before */
#define REPEAT_MAX  (126 - REPEAT_BASE)

int gdb_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

size_t gdb_unhex(const char *text, size_t len, uint8_t *out, size_t size)
{
    size_t n = 0;

    for (; n < size && 2 * n + 1 < len; n++) {
        const int high = gdb_digit(text[2 * n]), low = gdb_digit(text[2 * n + 1]);

        if (high < 0 || low < 0)
            break;
        out[n] = (uint8_t)(high << 4 | low);
    }
    return n;
}

bool gdb_number(const char **text, uint64_t *out)
{
    const char *at = *text;
    uint64_t value = 0;

    if (gdb_digit(*at) < 0)
        return false;
    for (; gdb_digit(*at) >= 0; at++) {
        if (value >> 60)
            return false;
        value = value << 4 | (uint64_t)gdb_digit(*at);
    }
    *text = at;
    *out = value;
    return true;
}

void gdb_decoder_init(struct gdb_decoder *decoder, char *payload)
{
    *decoder = (struct gdb_decoder){.payload = payload};
}

static void begin(struct gdb_decoder *d, bool is_notification)
{
    d->state = GDB_INSIDE;
    d->is_notification = is_notification;
    d->is_escaped = d->is_broken = d->has_last = false;
    d->len = 0;
    d->sum = 0;
}

/* A raw byte of the contents. */
static void append(struct gdb_decoder *d, char c)
{
    if (!d->is_escaped && c == ESCAPE) {
        d->is_escaped = true;
        return;
    }
    if (d->is_escaped)
        c = (char)(c ^ ESCAPE_BIT);
    d->is_escaped = false;
    if (d->len < GDB_PACKET_MAX)
        d->payload[d->len++] = c;
    else
        d->is_broken = true;
}

static void repeat(struct gdb_decoder *d, char c)
{
    const int count = c - REPEAT_BASE;

    d->state = GDB_INSIDE;
    if (!d->has_last || count < 1 || count > REPEAT_MAX) {
        d->is_broken = true; /* no stub sends this */
        return;
    }
    for (int i = 0; i < count; i++)
        append(d, d->last);
}

/* Between packets. */
static enum gdb_item outside(struct gdb_decoder *d, char c)
{
    if (c == '+')
        return GDB_ITEM_ACK;
    if (c == '-')
        return GDB_ITEM_NAK;
    if (c == '$' || c == '%')
        begin(d, c == '%');
    else
        d->garbage++;
    return GDB_ITEM_NONE;
}

static void inside(struct gdb_decoder *d, char c)
{
    if (c == '$') { /* its end was lost, and another packet begins: contents have '$' escaped */
        d->bad++;
        begin(d, false);
        return;
    }
    if (c == '#') {
        d->state = GDB_SUM_HIGH;
        return;
    }
    d->sum = (uint8_t)(d->sum + (uint8_t)c);
    if (d->state == GDB_REPEAT) {
        repeat(d, c);
    } else if (c == REPEAT) {
        d->state = GDB_REPEAT;
    } else {
        d->last = c;
        d->has_last = true;
        append(d, c);
    }
}

static enum gdb_item finish(struct gdb_decoder *d, bool are_digits)
{
    const bool is_right = d->given == d->sum || (d->takes_any_sum && d->given == 0);

    d->state = GDB_OUTSIDE;
    d->payload[d->len] = '\0';
    if (are_digits && is_right && !d->is_broken && !d->is_escaped)
        return d->is_notification ? GDB_ITEM_NOTIFICATION : GDB_ITEM_PACKET;
    d->bad++;
    return GDB_ITEM_BAD;
}

static enum gdb_item step(struct gdb_decoder *d, char c)
{
    const int digit = gdb_digit(c);

    switch (d->state) {
    case GDB_OUTSIDE:
        return outside(d, c);
    case GDB_INSIDE:
    case GDB_REPEAT:
        inside(d, c);
        return GDB_ITEM_NONE;
    case GDB_SUM_HIGH:
        if (digit < 0)
            return finish(d, false);
        d->given = (uint8_t)(digit << 4);
        d->state = GDB_SUM_LOW;
        return GDB_ITEM_NONE;
    case GDB_SUM_LOW:
        d->given = (uint8_t)(d->given | (digit & 0xf));
        return finish(d, digit >= 0);
    }
    return GDB_ITEM_NONE;
}

size_t gdb_decode(struct gdb_decoder *decoder, const uint8_t *bytes, size_t size,
                  enum gdb_item *item)
{
    size_t taken = 0;

    *item = GDB_ITEM_NONE;
    while (taken < size && *item == GDB_ITEM_NONE)
        *item = step(decoder, (char)bytes[taken++]);
    return taken;
}

static bool is_special(char c)
{
    return c == '$' || c == '#' || c == ESCAPE || c == REPEAT;
}

size_t gdb_encode(const char *payload, size_t len, uint8_t *out)
{
    static const char digits[] = "0123456789abcdef";
    size_t n = 0;
    uint8_t sum = 0;

    out[n++] = '$';
    for (size_t i = 0; i < len; i++) {
        if (is_special(payload[i]))
            out[n++] = ESCAPE;
        out[n++] = (uint8_t)(payload[i] ^ (is_special(payload[i]) ? ESCAPE_BIT : 0));
    }
    for (size_t i = 1; i < n; i++)
        sum = (uint8_t)(sum + out[i]);
    out[n++] = '#';
    out[n++] = (uint8_t)digits[sum >> 4];
    out[n++] = (uint8_t)digits[sum & 0xf];
    return n;
}
