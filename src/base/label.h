/* SPDX-License-Identifier: MIT */
/*
 * Function names made short enough for a node of a graph.
 */
#ifndef BASE_LABEL_H
#define BASE_LABEL_H

#define LABEL_FULL_MAX 40 /* bytes of a name that is not shortened */
#define LABEL_MAX      96 /* bytes of a shortened name */
#define LABEL_LINE     32 /* a longer line is broken after "::", one of over 40 bytes anywhere */

/*
 * What stands in brackets of templates and arguments becomes "..", then the end is cut off; lines
 * are broken with '\n'. The place of a line, " (x.c:12)", stays as it is. `name` is valid UTF-8.
 * malloc'ed; NULL: out of memory.
 */
char *label_shorten(const char *name);

/* The same of a name as it is in the file, for a text: on one line, cleaned. */
char *label_line(const char *raw);

/* The same, and its middle cut out where it has more than LABEL_FULL_MAX bytes. */
char *label_cut(const char *raw);

#endif
