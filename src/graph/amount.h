/* SPDX-License-Identifier: MIT */
/*
 * Writes weights and shares as text for people. Does not depend on the locale: the same input gives
 * the same bytes everywhere. Functions that take a buffer fill and return it.
 */
#ifndef GRAPH_AMOUNT_H
#define GRAPH_AMOUNT_H

#include <stdint.h>

#include "graph/profile.h"

#define AMOUNT_TEXT_MAX 32 /* bytes, enough for each of the texts */

/*
 * Writes a weight of this kind to `buffer` and returns it: a count, "123", or a time (`value` in
 * ns), "1.234 s", "12.3 ms", "456 µs", "7 ns", "0 s".
 */
const char *amount_weight(char buffer[AMOUNT_TEXT_MAX], enum weight_kind kind, uint64_t value);

/* Returns the width for "%*s" that right-aligns the UTF-8 text in `columns` columns. */
int amount_width(const char *text, unsigned columns);

/* Writes part/total as "12.34%" to `buffer` and returns it; "0.00%" if `total` is 0. */
const char *amount_share(char buffer[AMOUNT_TEXT_MAX], uint64_t part, uint64_t total);

/*
 * Writes part/total for prose to `buffer` and returns it: "12 %", below ten "3.4 %"; ">99 %" if it
 * is less than 1 but rounds to 100 %, "<0.1 %" if it is more than 0 but rounds to 0.0 %.
 */
const char *amount_percent(char buffer[AMOUNT_TEXT_MAX], uint64_t part, uint64_t total);

/*
 * Writes the rate `mhz` (in mHz) as a number of Hz to `buffer` and returns it: "98.8", below one
 * Hz "0.125".
 */
const char *amount_hertz(char buffer[AMOUNT_TEXT_MAX], uint64_t mhz);

/*
 * Writes the difference `points`, in ten thousandths, as "+1.23%", "-1.23%" or "0.00%" to `buffer`
 * and returns it.
 */
const char *amount_delta(char buffer[AMOUNT_TEXT_MAX], int32_t points);

/* Returns part/total in ten thousandths, rounded, at most 10000; 0 if `total` is 0. */
uint32_t amount_basis_points(uint64_t part, uint64_t total);

/* Returns the least weight that is at least `fraction` of `total`; 0 for fractions not above 0. */
uint64_t amount_cutoff(uint64_t total, double fraction);

/* Returns the kind's name: "samples", "wall time", "CPU time", "off-CPU time" or "calls". */
const char *amount_weight_name(enum weight_kind kind);

#endif
