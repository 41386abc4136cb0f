/* SPDX-License-Identifier: MIT */
#include "output/columns.h"

#include <stdbool.h>
#include <wchar.h>

void columns_init(struct columns *columns)
{
    columns->locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

void columns_deinit(struct columns *columns)
{
    if (columns->locale)
        freelocale(columns->locale);
}

/* Returns the bytes of a character, for want of tables with one column. */
static size_t skip_one(const char *text, size_t size)
{
    size_t step = 1;

    while (step < size && ((unsigned char)text[step] & 0xc0) == 0x80)
        step++;
    return step;
}

/* Returns the bytes of a character, and sets its columns, by the thread's locale. */
static size_t skip_known(const char *text, size_t size, size_t *width)
{
    mbstate_t state = {0};
    wchar_t wide;
    const size_t step = mbrtowc(&wide, text, size, &state);
    int columns;

    *width = 1;
    if (step == 0 || step > size)
        return 1;
    columns = wcwidth(wide);
    if (columns >= 0) /* else the tables are older than the character */
        *width = (size_t)columns;
    return step;
}

size_t columns_fit(const struct columns *columns, const char *text, size_t size, size_t width)
{
    const locale_t before = columns->locale ? uselocale(columns->locale) : (locale_t)0;
    size_t at = 0, used = 0, wide = 1;

    while (at < size) {
        const size_t step = columns->locale ? skip_known(text + at, size - at, &wide)
                                            : skip_one(text + at, size - at);

        if (used + wide > width)
            break;
        used += wide;
        at += step;
    }
    if (columns->locale)
        uselocale(before);
    return at;
}
