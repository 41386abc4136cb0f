/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: instruction set, or data, at each address of code, by the mapping symbols of
 * ARM (AAELF32, 5.5.5) and AArch64 (AAELF64, 5.8): $a A32, $t T32, $x A64, $d data. Each is valid
 * up to the next mapping symbol of the same section.
 */
#ifndef SYMBOL_ELF_CODE_MAP_H
#define SYMBOL_ELF_CODE_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"
#include "symbol/elf/function_starts.h"

struct code_mark {
    uint64_t vaddr;
    uint32_t order; /* number of marks that were added before */
    enum code_kind kind;
};

struct code_map {            /* zeroed: empty */
    struct code_mark *marks; /* owned; after code_map_finish sorted, one for an address */
    size_t count, cap;
};

void code_map_deinit(struct code_map *map);

/*
 * Adds a mapping symbol by its letter ('a' for $a); ignores letters of other architectures.
 * NO_MEMORY.
 */
MUST_CHECK enum status code_map_add(struct code_map *map, const struct arch *arch, char letter,
                                    uint64_t vaddr);
/* Sorts the map for code_map_at. Marks of different kinds at one address become KIND_UNKNOWN. */
void code_map_finish(struct code_map *map);

/*
 * Returns what is at `vaddr` of `image`, code of which set or data, by the last mapping symbol up
 * to there, and sets *until to the next one, or to the section's end. KIND_UNKNOWN: the section has
 * none up to there, or different ones at one address; or `vaddr` is in no executable section, and
 * *until is `vaddr`.
 */
enum code_kind code_map_at(const struct code_map *map, const struct elf_image *image,
                           uint64_t vaddr, uint64_t *until);

#endif
