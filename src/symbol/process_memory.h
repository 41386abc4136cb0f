/* SPDX-License-Identifier: MIT */
/*
 * The memory of a process as a core holds it: shows whether a file is the one that the process ran,
 * where no build-id does.
 */
#ifndef SYMBOL_PROCESS_MEMORY_H
#define SYMBOL_PROCESS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct process_memory {
    /*
     * Copies `size` bytes at the run-time address `addr` to `buffer`; false: not all of them are
     * known. `read` NULL: no memory is known.
     */
    bool (*read)(const void *context, uint64_t addr, void *buffer, size_t size);
    const void *context; /* first argument of `read`; borrowed */
    /*
     * AT_PHDR, AT_PHNUM, AT_PHENT (bytes) and AT_ENTRY of the process's executable; 0: not known.
     */
    uint64_t phdr_addr, phdr_count, phdr_size, entry_addr;
};

static inline bool process_memory_read(const struct process_memory *memory, uint64_t addr,
                                       void *buffer, size_t size)
{
    return memory->read && memory->read(memory->context, addr, buffer, size);
}

#endif
