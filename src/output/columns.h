/* SPDX-License-Identifier: MIT */
/*
 * How wide UTF-8 text is on a terminal: ideographs and emoji take two columns, combining characters
 * none. The C library's tables say it (wcwidth), whatever the user's locale is.
 */
#ifndef OUTPUT_COLUMNS_H
#define OUTPUT_COLUMNS_H

#include <locale.h>
#include <stddef.h>

struct columns { /* private */
    locale_t locale;
};

/*
 * Reads a file of the C library's: before a process confines itself. Without that file each
 * character takes one column.
 */
void columns_init(struct columns *columns);
void columns_deinit(struct columns *columns);

/*
 * How many of the `size` bytes of `text` fit into `width` columns, to the end of a character and
 * of what combines with it. What is no UTF-8 takes one column a byte.
 */
size_t columns_fit(const struct columns *columns, const char *text, size_t size, size_t width);

#endif
