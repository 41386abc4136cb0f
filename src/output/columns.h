/* SPDX-License-Identifier: MIT */
/*
 * Width of UTF-8 text on a terminal, by the C library's tables (wcwidth), whatever the user's
 * locale: ideographs and emoji take two columns, combining characters none.
 */
#ifndef OUTPUT_COLUMNS_H
#define OUTPUT_COLUMNS_H

#include <locale.h>
#include <stddef.h>

struct columns { /* private */
    locale_t locale;
};

/*
 * Loads the C library's file for C.UTF-8, so it is to be called before the process confines itself.
 * If that file is missing each character takes one column.
 */
void columns_init(struct columns *columns);
void columns_deinit(struct columns *columns);

/*
 * Returns how many of the `size` bytes of `text` fit into `width` columns. They end with a whole
 * character and the combining characters behind it. A byte that is no UTF-8 takes one column.
 */
size_t columns_fit(const struct columns *columns, const char *text, size_t size, size_t width);

#endif
