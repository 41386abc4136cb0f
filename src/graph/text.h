/*
 * Text for the output formats: names from files made fit to print, weights and shares made
 * readable. Numbers do not depend on the locale: the same input gives the same bytes everywhere.
 */
#ifndef GRAPH_TEXT_H
#define GRAPH_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "graph/profile.h"

#define TEXT_NAME_MAX   4096 /* bytes of a name in the outputs; the rest becomes "..." */
#define TEXT_NUMBER_MAX 32   /* enough for text_weight and text_share */

enum text_controls { TEXT_REPLACE_CONTROLS, TEXT_KEEP_CONTROLS };

/*
 * A copy that is valid UTF-8: each byte that is not becomes U+FFFD; control characters become '?'
 * unless kept. At most TEXT_NAME_MAX bytes and "...". malloc'ed; NULL: out of memory.
 */
char *text_clean(const char *text, enum text_controls controls);

/* What follows the last '/', or all of it. */
const char *text_basename(const char *path);

/* "123", or a time: "1.234 s", "12.3 ms", "456 us", "7 ns". */
const char *text_weight(char buffer[TEXT_NUMBER_MAX], enum weight_kind kind, uint64_t value);

/* "12.34%" of `total`; "0.00%" when that is 0. */
const char *text_share(char buffer[TEXT_NUMBER_MAX], uint64_t part, uint64_t total);

/* "+1.23%", "-1.23%", "0.00%" of a number of ten thousandths. */
const char *text_delta(char buffer[TEXT_NUMBER_MAX], int32_t points);

/* part/total in ten thousandths, at most 10000, rounded. */
uint32_t text_basis_points(uint64_t part, uint64_t total);

/* The least weight that is not below `fraction` of `total`; 0 when the fraction is not above 0. */
uint64_t text_cutoff(uint64_t total, double fraction);

/* "running", … for a thread's state as in proc(5), /proc/PID/stat; NULL: none of these. */
const char *text_state_name(char state);

/* "samples", "wall time", "CPU time", "off-CPU time", "calls". */
const char *text_weight_name(enum weight_kind kind);

/* Flushes: OK, or IO when anything written to `out` so far failed. */
MUST_CHECK enum status text_finish(FILE *out);

#endif
