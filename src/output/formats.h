/* SPDX-License-Identifier: MIT */
/*
 * Looks up formats, and lists them in texts: all from format_list.h.
 */
#ifndef OUTPUT_FORMATS_H
#define OUTPUT_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

#include "output/format.h"

/* All formats, NULL-terminated, in the order of --help. */
extern const struct output_format *const output_formats[];

/* Returns NULL if there is no format of this name. */
const struct output_format *format_of_name(const char *name);

/*
 * Returns the format for an output's path, by the file's name (file_name) or suffix; the first
 * format if the name has no suffix; NULL: no format has the suffix.
 */
const struct output_format *format_of_path(const char *path);

/*
 * Writes the formats' suffixes, " .txt .chains …", to `buffer` of `size` bytes, as many as fit;
 * returns `buffer`. FORMAT_SUFFIXES_TEXT bytes are enough for all.
 */
#define FORMAT_SUFFIXES_TEXT 160
const char *format_suffixes(char *buffer, size_t size);

/* Returns the name of output_formats[index]; NULL: there are not so many. */
const char *format_name(size_t index);

/*
 * An out_file_replaces_fn: returns whether a file with these first bytes looks like a format's
 * output (output_format.begins). False also without memory.
 */
bool format_is_like(const char *begin, size_t size);

/* Returns the name of an option, as "--by", for messages; static storage. */
const char *format_option_name(enum output_option option);

#endif
