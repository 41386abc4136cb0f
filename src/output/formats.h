/* SPDX-License-Identifier: MIT */
/*
 * Looks up formats, and lists them in texts: all from format_list.h.
 */
#ifndef OUTPUT_FORMATS_H
#define OUTPUT_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

#include "output/format.h"

/* NULL-terminated, in the order of --help. */
extern const struct output_format *const output_formats[];

/* Returns NULL if there is no format of this name. */
const struct output_format *format_of_name(const char *name);

/*
 * Returns the format for an output's path, by the file's name or suffix: the first of the list if
 * the name has no suffix; NULL: no format has the suffix.
 */
const struct output_format *format_of_path(const char *path);

/*
 * Writes " .txt .chains …" to `buffer`, as many suffixes as fit, and returns it.
 * FORMAT_SUFFIXES_TEXT bytes hold all.
 */
#define FORMAT_SUFFIXES_TEXT 160
const char *format_suffixes(char *buffer, size_t size);

/* Returns the name of a format by its place in --help; NULL behind the last. */
const char *format_name(size_t index);

/* Whether a file with this beginning looks like a format's output; for out_file_stream. */
bool format_is_like(const char *begin, size_t size);

/* Returns "--by", ..., for messages; static storage. */
const char *format_option_name(enum output_option option);

#endif
