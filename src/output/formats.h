/* SPDX-License-Identifier: MIT */
/*
 * Finding a format, and the texts that list them: all from format_list.h.
 */
#ifndef OUTPUT_FORMATS_H
#define OUTPUT_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

#include "output/format.h"

/* NULL-terminated, in the order of --help. */
extern const struct output_format *const output_formats[];

/* NULL: there is none of that name. */
const struct output_format *format_of_name(const char *name);

/*
 * The format that the path of an output asks for by its suffix or name; NULL: it has a suffix that
 * no format has. A name without a suffix asks for nothing special: the first of the list.
 */
const struct output_format *format_of_path(const char *path);

/*
 * All suffixes, " .txt .chains …", without those for which there is no room; there is for all in
 * FORMAT_SUFFIXES_TEXT bytes. Returns `buffer`.
 */
#define FORMAT_SUFFIXES_TEXT 160
const char *format_suffixes(char *buffer, size_t size);

/* The names in the order of --help; NULL behind the last. */
const char *format_name(size_t index);

/* Does a file that begins so look like the output of a format? As out_file_stream asks. */
bool format_is_like(const char *begin, size_t size);

/* "--by", for messages. Static storage. */
const char *format_option_name(enum output_option option);

#endif
