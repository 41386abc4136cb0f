/* SPDX-License-Identifier: MIT */
/*
 * The target's memory at the moment of a sample, as far as it is known: what was captured of it,
 * and the parts of ELF files that cannot have changed since they were mapped.
 */
#ifndef VARIABLES_MEMORY_H
#define VARIABLES_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot/event.h"
#include "symbol/module.h"
#include "variables/model/known.h"

/*
 * The module whose file has a segment at the address, and what the file calls it. Mappings are told
 * of code only, so that of a file's code tells where its data is. False: none is known.
 */
bool find_mapped_file(struct module_set *set, struct address_space *space, uint64_t addr,
                      struct module **module, uint64_t *vaddr);

/* Copies the bytes; what is not known makes the buffer of no use. */
struct known_how captured_read(struct module_set *set, struct address_space *space,
                               const struct snap_sample *sample, const struct arch *arch,
                               uint64_t addr, void *buffer, size_t size);

#endif
