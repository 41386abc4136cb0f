/*
 * Private to symbol/: .debug_abbrev (DWARF 5, 7.5.3) checked and made safe for libdwarf: a copy in
 * which DW_AT_sibling means nothing.
 *
 * A damaged DW_AT_sibling may point anywhere, and libdwarf 20210528 follows it round in circles.
 * Without them it goes from one DIE to the next, which only leads forward.
 */
#ifndef SYMBOL_ABBREV_H
#define SYMBOL_ABBREV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct abbrev_copy {
    uint8_t *bytes; /* owned; `size` bytes, and some zeroes */
    uint64_t size;
    uint64_t *starts; /* owned; where tables begin, ascending */
    size_t start_count, start_cap;
};

/* Damage ends the copy before the damaged table. To be deinitialised in any case. */
MUST_CHECK enum status abbrev_copy_init(struct abbrev_copy *copy, const uint8_t *bytes,
                                        size_t size);
void abbrev_copy_deinit(struct abbrev_copy *copy);

/*
 * Whether a whole table begins there. A unit that begins elsewhere would read attributes that were
 * not checked.
 */
bool abbrev_copy_has_table(const struct abbrev_copy *copy, uint64_t off);

#endif
