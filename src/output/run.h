/* SPDX-License-Identifier: MIT */
/*
 * A run of a format, whoever reads the inputs:
 *
 *     output_begin
 *     output_input and ingest_run, for each input; its sinks are ingest_profile_sink, where
 *         output_needs_history history_sink, and output_sink
 *     output_prepare, once names are resolved
 *     output_finish, with the file open
 *     output_end, in any case
 */
#ifndef OUTPUT_RUN_H
#define OUTPUT_RUN_H

#include "output/format.h"

/* NO_MEMORY, or what the format's `begin` returns. */
MUST_CHECK enum status output_begin(struct output *output);

/* An input begins, of which `kind` and what comes with it are set. What `input` returns. */
MUST_CHECK enum status output_input(struct output *output, const char *name);

/*
 * What hands the format processes, and threads and samples that pass the filter. `output` has to be
 * there as long as the sink. A format that takes none has a sink without members.
 */
struct ingest_sink output_sink(struct output *output);

/* Does the format, with these options, need the history of the threads? */
bool output_needs_history(const struct output *output);

/*
 * Checks, and makes the view where it is needed. UNSUPPORTED, NOT_FOUND with `diag` filled: there
 * is nothing of what was asked for.
 */
MUST_CHECK enum status output_prepare(struct output *output, struct diag *diag);

/* For a format that chooses its weight itself, as it writes what it reads. */
void output_use_weight(struct output *output, enum weight_kind weight);

/* IO: `file` has failed. Does not close it. */
MUST_CHECK enum status output_finish(struct output *output, struct diag *diag);

/* Of a zeroed one, too. */
void output_end(struct output *output);

#endif
