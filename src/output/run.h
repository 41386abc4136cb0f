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

/* Allocates the format's state and calls its `begin`. NO_MEMORY, or what `begin` returns. */
MUST_CHECK enum status output_begin(struct output *output);

/* Calls the format's `input`, if it has one. The caller has set the members "with each input". */
MUST_CHECK enum status output_input(struct output *output, const char *name);

/*
 * Returns a sink that passes processes, and threads and samples that pass the filter, to the
 * format's functions; the sink's members for functions that the format lacks are NULL. `output` has
 * to outlive the sink.
 */
struct ingest_sink output_sink(struct output *output);

/* Whether the format, with these options, needs the history of the threads. */
bool output_needs_history(const struct output *output);

/*
 * Calls the format's `check`, then makes output->view if the format needs a view, and chooses the
 * weight unless the user gave one. UNSUPPORTED: `check` refuses the input; NOT_FOUND: no sample has
 * the weight; `diag` says why. NO_MEMORY.
 */
MUST_CHECK enum status output_prepare(struct output *output, struct diag *diag);

/* Sets view_options->weight, for a format with NEEDS_STREAM, which chooses before samples come. */
void output_use_weight(struct output *output, enum weight_kind weight);

/*
 * Sets `caveats` and calls the format's `finish`, whose failures are returned. Does not close
 * `file`. IO: `file` has failed.
 */
MUST_CHECK enum status output_finish(struct output *output, struct diag *diag);

/* Calls the format's `end`, and frees the members set by run.h. `output` may be zeroed. */
void output_end(struct output *output);

#endif
