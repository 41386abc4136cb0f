/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the units of split files (dwarf_file.h): which unit has an id, and what a
 * unit takes from its skeleton.
 *
 * A package (.dwp) has the sections of many .dwo files, one behind the other. Its .debug_cu_index
 * (DWARF 5, 7.3.5; GNU's version 2) says which part of each section is a unit's:
 *
 *     id ──hash──► row   INFO   ABBREV   STR_OFFSETS   RNGLISTS     offset of the unit's part
 */
#ifndef SYMBOL_DWARF_SPLIT_UNIT_H
#define SYMBOL_DWARF_SPLIT_UNIT_H

#include "base/map.h"
#include "base/status.h"
#include "symbol/dwarf/die.h"

struct split_wanted { /* texts are borrowed */
    uint64_t id;
    const char *name;      /* path of the .dwo file, as the skeleton has it */
    const char *directory; /* which a relative path counts from; NULL: not known */
};

struct split_found { /* borrowed from whoever found it */
    struct dwarf_file *file;
    struct dwarf_unit *unit;
};

/* Finds the unit with wanted->id. NOT_FOUND, also when asked again for one id; NO_MEMORY. */
typedef enum status split_find_fn(void *context, const struct split_wanted *wanted,
                                  struct split_found *out);

/* Sets *out to what a unit's own DIE wants. False: it is no skeleton. */
bool split_wanted_by(const struct die *unit_die, struct split_wanted *out);

/*
 * Adds the units of a split file to `ids`: id → first + index in file->units. An id that is there
 * stays. Adds no unit of a package that its index does not say all of, or says with another id. To
 * be called once for a file. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status split_units_list(struct dwarf_file *file, uint64_t first, struct map *ids);

/* Gives the unit what its skeleton has for it, after which its DIEs can be read. */
void split_unit_tie(const struct split_found *split, const struct die *skeleton);

#endif
