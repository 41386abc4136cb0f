/* SPDX-License-Identifier: MIT */
/*
 * All of an input in memory, decompressed where it is gzip (RFC 1952): for formats that have to be
 * there as a whole. Several members after each other are one text.
 */
#ifndef SNAPSHOT_IMPORT_GUNZIP_H
#define SNAPSHOT_IMPORT_GUNZIP_H

#include "snapshot/import/source.h"

/* Whether a file that begins so is gzip. */
bool gunzip_begins(const uint8_t *head, size_t size);

/*
 * Reads to the end; *bytes is yours to free, and NULL when there are none. BAD_DATA with `diag`
 * filled: damaged, cut short, or more than `max` bytes; IO; NO_MEMORY.
 */
MUST_CHECK enum status gunzip_input(struct source_input *input, size_t max, uint8_t **bytes,
                                    size_t *size, struct diag *diag);

#endif
