/* SPDX-License-Identifier: MIT */
/*
 * Weights and shares as text for people. Independent of the locale: the same input gives the same
 * bytes everywhere. Functions that take a buffer fill and return it.
 */
#ifndef GRAPH_AMOUNT_H
#define GRAPH_AMOUNT_H

#include <stdint.h>

#include "graph/profile.h"

#define AMOUNT_TEXT_MAX 32 /* bytes that hold each of the texts */

/* "123", or a time: "1.234 s", "12.3 ms", "456 µs", "7 ns", "0 s". */
const char *amount_weight(char buffer[AMOUNT_TEXT_MAX], enum weight_kind kind, uint64_t value);

/* Returns the width for "%*s" that right-aligns `text`, perhaps with UTF-8, in so many columns. */
int amount_width(const char *text, unsigned columns);

/* part/total as "12.34%"; "0.00%" if `total` is 0. */
const char *amount_share(char buffer[AMOUNT_TEXT_MAX], uint64_t part, uint64_t total);

/*
 * part/total for prose: "12 %", below ten "3.4 %"; ">99 %" for what is less than all but rounds to
 * 100 %, "<0.1 %" for what is more than 0 but rounds to 0.0 %.
 */
const char *amount_percent(char buffer[AMOUNT_TEXT_MAX], uint64_t part, uint64_t total);

/* A rate in mHz, in Hz for prose: "98.8", below one "0.125". */
const char *amount_hertz(char buffer[AMOUNT_TEXT_MAX], uint64_t mhz);

/* A difference in ten thousandths as "+1.23%", "-1.23%", "0.00%". */
const char *amount_delta(char buffer[AMOUNT_TEXT_MAX], int32_t points);

/* Returns part/total in ten thousandths, rounded, at most 10000; 0 if `total` is 0. */
uint32_t amount_basis_points(uint64_t part, uint64_t total);

/* Returns the least weight that is at least `fraction` of `total`; 0 for fractions not above 0. */
uint64_t amount_cutoff(uint64_t total, double fraction);

/* Returns "samples", "wall time", "CPU time", "off-CPU time" or "calls". */
const char *amount_weight_name(enum weight_kind kind);

#endif
