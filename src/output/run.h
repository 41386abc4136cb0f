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

/* Calls the format's `input`; the output's members "with each input" are set. */
MUST_CHECK enum status output_input(struct output *output, const char *name);

/*
 * Returns a sink that hands the format processes, and threads and samples that pass the filter; it
 * has no functions that the format lacks. `output` has to outlive the sink.
 */
struct ingest_sink output_sink(struct output *output);

/* Whether the format, with these options, needs the history of the threads. */
bool output_needs_history(const struct output *output);

/*
 * Calls the format's `check`, then makes the view if the format needs it, choosing a weight unless
 * one was given. UNSUPPORTED, NOT_FOUND: there is nothing to show of what the options ask for, as
 * `diag` says. NO_MEMORY.
 */
MUST_CHECK enum status output_prepare(struct output *output, struct diag *diag);

/* Sets the weight, for a format that chooses one itself, as it writes while it reads. */
void output_use_weight(struct output *output, enum weight_kind weight);

/* Makes the caveats and calls the format's `finish`. Does not close `file`. IO: it has failed. */
MUST_CHECK enum status output_finish(struct output *output, struct diag *diag);

/* Frees what this module and the format own. `output` may be zeroed. */
void output_end(struct output *output);

#endif
