/* SPDX-License-Identifier: MIT */
/*
 * Function names made short enough for a node of a graph.
 */
#ifndef BASE_LABEL_H
#define BASE_LABEL_H

#define LABEL_FULL_MAX 40 /* bytes; shorter names stay whole */
#define LABEL_MAX      96 /* bytes of a shortened name, without line breaks */
#define LABEL_LINE     32 /* bytes of a line, if it can be broken behind "::" */

/*
 * Shortens a name of more than LABEL_FULL_MAX bytes to at most LABEL_MAX: contents of brackets
 * become ".." (`f<a, b>(int)`: `f<..>(..)`), then the end becomes "...". A source line at the
 * name's end, " (x.c:12)", stays. Then breaks it with '\n' into lines: behind "::", and a part of
 * more than LABEL_FULL_MAX bytes also at other signs or anywhere. `name` is valid UTF-8. Returns a
 * malloc'ed string; NULL: out of memory.
 */
char *label_shorten(const char *name);

/* Cleans (text_clean) and shortens a name to one line. malloc'ed; NULL: out of memory. */
char *label_line(const char *raw);

/*
 * The same, and cuts out the middle if more than LABEL_FULL_MAX bytes are left: "beginning...end",
 * at most LABEL_FULL_MAX bytes.
 */
char *label_cut(const char *raw);

#endif
