/* SPDX-License-Identifier: MIT */
/*
 * Function names made short enough for a node of a graph.
 */
#ifndef BASE_LABEL_H
#define BASE_LABEL_H

#define LABEL_FULL_MAX 40 /* bytes; names that are not longer stay whole */
#define LABEL_MAX      96 /* most bytes of a shortened name, line breaks not counted */
#define LABEL_LINE     32 /* most bytes of a line of a name that can be broken behind "::" */

/*
 * Shortens a name of more than LABEL_FULL_MAX bytes to at most LABEL_MAX: contents of brackets
 * become ".." (`f<a, b>(int)`: `f<..>(..)`), then the end becomes "...". A source line at the
 * name's end, " (x.c:12)", stays. Then breaks it with '\n' into lines: behind "::", and a part of
 * more than LABEL_FULL_MAX bytes also at other signs or anywhere. `name` is valid UTF-8. Returns a
 * malloc'ed string; NULL: out of memory.
 */
char *label_shorten(const char *name);

/*
 * Returns `raw` cleaned (text_clean) and shortened as label_shorten does, but in one line.
 * malloc'ed; NULL: out of memory.
 */
char *label_line(const char *raw);

/*
 * Returns the result of label_line, with its middle cut out if it has more than LABEL_FULL_MAX
 * bytes: "beginning...end", at most LABEL_FULL_MAX bytes. malloc'ed; NULL: out of memory.
 */
char *label_cut(const char *raw);

#endif
