/* SPDX-License-Identifier: MIT */
#include "graph/amount.h"

#include <inttypes.h>
#include <stdio.h>

const char *amount_weight(char buffer[AMOUNT_TEXT_MAX], enum weight_kind kind, uint64_t value)
{
    if (kind == WEIGHT_SAMPLES || kind == WEIGHT_CALLS)
        snprintf(buffer, AMOUNT_TEXT_MAX, "%" PRIu64, value);
    else if (value == 0)
        snprintf(buffer, AMOUNT_TEXT_MAX, "0 s");
    else if (value >= 1000000000)
        snprintf(buffer, AMOUNT_TEXT_MAX, "%" PRIu64 ".%03" PRIu64 " s", value / 1000000000,
                 value / 1000000 % 1000);
    else if (value >= 1000000)
        snprintf(buffer, AMOUNT_TEXT_MAX, "%" PRIu64 ".%" PRIu64 " ms", value / 1000000,
                 value / 100000 % 10);
    else if (value >= 1000)
        snprintf(buffer, AMOUNT_TEXT_MAX, "%" PRIu64 " µs", value / 1000);
    else
        snprintf(buffer, AMOUNT_TEXT_MAX, "%" PRIu64 " ns", value);
    return buffer;
}

int amount_width(const char *text, unsigned columns)
{
    int width = (int)columns;

    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) == 0x80; /* takes no column */
    return width;
}

uint32_t amount_basis_points(uint64_t part, uint64_t total)
{
    if (total == 0)
        return 0;
    if (part >= total)
        return 10000;
    /* Scale down if the product would not fit. */
    while (total > UINT64_MAX / 20001) {
        part >>= 1;
        total >>= 1;
    }
    return (uint32_t)((part * 20000 + total) / (total * 2));
}

const char *amount_share(char buffer[AMOUNT_TEXT_MAX], uint64_t part, uint64_t total)
{
    uint32_t points = amount_basis_points(part, total);

    snprintf(buffer, AMOUNT_TEXT_MAX, "%" PRIu32 ".%02" PRIu32 "%%", points / 100, points % 100);
    return buffer;
}

const char *amount_percent(char buffer[AMOUNT_TEXT_MAX], uint64_t part, uint64_t total)
{
    uint32_t points = amount_basis_points(part, total);
    uint32_t tenths = (points + 5) / 10, percent = (points + 50) / 100;

    if (part && !tenths)
        snprintf(buffer, AMOUNT_TEXT_MAX, "<0.1 %%");
    else if (tenths < 100)
        snprintf(buffer, AMOUNT_TEXT_MAX, "%" PRIu32 ".%" PRIu32 " %%", tenths / 10, tenths % 10);
    else if (percent >= 100 && part < total)
        snprintf(buffer, AMOUNT_TEXT_MAX, ">99 %%");
    else
        snprintf(buffer, AMOUNT_TEXT_MAX, "%" PRIu32 " %%", percent);
    return buffer;
}

const char *amount_hertz(char buffer[AMOUNT_TEXT_MAX], uint64_t mhz)
{
    uint64_t tenths = mhz / 100 + (mhz % 100 >= 50);

    if (mhz < 1000)
        snprintf(buffer, AMOUNT_TEXT_MAX, "0.%03" PRIu64, mhz);
    else
        snprintf(buffer, AMOUNT_TEXT_MAX, "%" PRIu64 ".%" PRIu64, tenths / 10, tenths % 10);
    return buffer;
}

const char *amount_delta(char buffer[AMOUNT_TEXT_MAX], int32_t points)
{
    uint32_t size = (uint32_t)(points < 0 ? -points : points);

    snprintf(buffer, AMOUNT_TEXT_MAX, "%s%" PRIu32 ".%02" PRIu32 "%%",
             points < 0   ? "-"
             : points > 0 ? "+"
                          : "",
             size / 100, size % 100);
    return buffer;
}

uint64_t amount_cutoff(uint64_t total, double fraction)
{
    /* A little less, so that 7 of 100 is not below 0.07, which is a little more than 7/100. */
    double least = (double)total * fraction * (1 - 1e-9);
    uint64_t cutoff;

    if (!(least > 0))
        return 0;
    if (least >= 0x1p63)
        return UINT64_MAX;
    cutoff = (uint64_t)least;
    return cutoff + ((double)cutoff < least);
}

const char *amount_weight_name(enum weight_kind kind)
{
    switch (kind) {
    case WEIGHT_SAMPLES:
        return "samples";
    case WEIGHT_WALL:
        return "wall time";
    case WEIGHT_CPU:
        return "CPU time";
    case WEIGHT_OFFCPU:
        return "off-CPU time";
    case WEIGHT_CALLS:
        return "calls";
    }
    return "";
}
