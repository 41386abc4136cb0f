/* SPDX-License-Identifier: MIT */
/*
 * Threads, their identities and makers as JSON Lines: processes, identities, threads.
 * docs/formats/threads.md has the keys.
 */
#ifndef OUTPUT_THREADS_THREADS_JSON_H
#define OUTPUT_THREADS_THREADS_JSON_H

#include <stdio.h>

#include "base/status.h"
#include "threads/report.h"

/* Writes the lines for a prepared report (report_prepare). NO_MEMORY; IO: `out` has failed. */
MUST_CHECK enum status threads_json_write(const struct report *report, FILE *out);

#endif
