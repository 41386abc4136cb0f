/* SPDX-License-Identifier: MIT */
/*
 * Reads the target's memory at the moment of a sample, as far as it is known: the captured bytes,
 * and the parts of ELF files that cannot have changed since they were mapped.
 */
#ifndef VARIABLES_MEMORY_H
#define VARIABLES_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot/event.h"
#include "symbol/address_space.h"
#include "variables/model/known.h"

/*
 * Copies `size` bytes at the run-time address `addr` to `buffer`. If the result is not KNOWN, it
 * says why, and the buffer's contents are of no use.
 */
struct known_how captured_read(struct module_set *set, struct address_space *space,
                               const struct snap_sample *sample, const struct arch *arch,
                               uint64_t addr, void *buffer, size_t size);

/*
 * Returns the module whose file is loaded at `addr`, and sets *vaddr to the address in the file;
 * NULL: none is known. A mapping of one segment, such as the code's, is enough to find the segments
 * beside it. `space` NULL: NULL.
 */
struct module *captured_module(struct module_set *set, const struct address_space *space,
                               uint64_t addr, uint64_t *vaddr);

#endif
