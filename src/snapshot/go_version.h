/* SPDX-License-Identifier: MIT */
/*
 * With which version of Go a program was built, and what of the runtime's structures depends on
 * that: where a goroutine's number is.
 *
 * A program has its version at the begin of its data, be it stripped (.go.buildinfo, as
 * debug/buildinfo reads it; since Go 1.18 the text itself):
 *
 *     \xff " Go buildinf:"  pointer size  flags (2: the text follows)  …  at 32: length, "go1.22.5"
 *
 * Linkers and packers may leave it out.
 */
#ifndef SNAPSHOT_GO_VERSION_H
#define SNAPSHOT_GO_VERSION_H

#include "snapshot/goroutine.h"

#define GO_VERSION_SEARCH_MAX (1u << 20) /* bytes of a program's data that are looked through */

/*
 * The 22 of Go 1.22.5, of a program whose data begins at `start_addr`; 0: that is not known, or it
 * is no release.
 */
unsigned go_version_find(const struct goroutine_memory *memory, uint64_t start_addr,
                         uint64_t end_addr);

/*
 * The number of a goroutine that a thread has, by which the runtime calls it in its traces
 * (runtime.g's goid); 0: of this version it is not known where that is, or that is not there.
 */
uint64_t go_version_goroutine_id(const struct goroutine_memory *memory, const struct goroutine *g,
                                 unsigned version);

#endif
