/* SPDX-License-Identifier: MIT */
/*
 * The version of Go that a program was built with, and a goroutine's number, whose place in memory
 * depends on the version.
 *
 * A program, stripped or not, has its version at the beginning of its data (.go.buildinfo, as
 * debug/buildinfo reads it; since Go 1.18 the text itself):
 *
 *     \xff " Go buildinf:"  pointer size  flags (2: the text follows) ... at 32: length, "go1.22.5"
 *
 * Linkers and packers may leave it out.
 */
#ifndef RUNTIME_GO_MEMORY_GO_VERSION_H
#define RUNTIME_GO_MEMORY_GO_VERSION_H

#include "runtime/go/memory/goroutine.h"

#define GO_VERSION_SEARCH_MAX (1u << 20) /* bytes of a program's data that are searched */

/*
 * Returns the minor version, as the 22 of Go 1.22.5, by the data in [start_addr, end_addr), of
 * which at most GO_VERSION_SEARCH_MAX bytes are read; 0: not found, or not that of a release.
 */
unsigned go_version_find(const struct goroutine_memory *memory, uint64_t start_addr,
                         uint64_t end_addr);

/*
 * Returns the number (runtime.g's goid, as in the runtime's traces) of goroutine `g`, which a
 * thread runs. `version`: from go_version_find. 0: goid's place is not known for this version, or
 * the memory there is no runtime.g.
 */
uint64_t go_version_goroutine_id(const struct goroutine_memory *memory, const struct goroutine *g,
                                 unsigned version);

#endif
