/* SPDX-License-Identifier: MIT */
/*
 * Weights and shares as people read them. Numbers do not depend on the locale: the same input gives
 * the same bytes everywhere.
 */
#ifndef GRAPH_AMOUNT_H
#define GRAPH_AMOUNT_H

#include <stdint.h>

#include "graph/profile.h"

#define AMOUNT_TEXT_MAX 32 /* enough for each of the texts */

/* "123", or a time: "1.234 s", "12.3 ms", "456 µs", "7 ns", "0 s". */
const char *amount_weight(char buffer[AMOUNT_TEXT_MAX], enum weight_kind kind, uint64_t value);

/* For "%*s": what puts a text of that function at the right of so many columns. */
int amount_width(const char *text, unsigned columns);

/* "12.34%" of `total`; "0.00%" when that is 0. */
const char *amount_share(char buffer[AMOUNT_TEXT_MAX], uint64_t part, uint64_t total);

/* The same for prose: "12 %", below ten "3.4 %"; what is not all is no "100 %" but ">99 %",
 * and what is not nothing no "0.0 %" but "<0.1 %". */
const char *amount_percent(char buffer[AMOUNT_TEXT_MAX], uint64_t part, uint64_t total);

/* For prose, of thousandths: "98.8", and below one "0.125". */
const char *amount_hertz(char buffer[AMOUNT_TEXT_MAX], uint64_t mhz);

/* "+1.23%", "-1.23%", "0.00%" of a number of ten thousandths. */
const char *amount_delta(char buffer[AMOUNT_TEXT_MAX], int32_t points);

/* part/total in ten thousandths, at most 10000, rounded. */
uint32_t amount_basis_points(uint64_t part, uint64_t total);

/* The least weight that is not below `fraction` of `total`; 0 when the fraction is not above 0. */
uint64_t amount_cutoff(uint64_t total, double fraction);

/* "samples", "wall time", "CPU time", "off-CPU time", "calls". */
const char *amount_weight_name(enum weight_kind kind);

#endif
