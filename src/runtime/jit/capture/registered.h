/* SPDX-License-Identifier: MIT */
/*
 * Reads GDB's JIT interface (GDB manual, "JIT Compilation Interface"): a program's variable
 * __jit_debug_descriptor, and the list of ELF files in its memory that it begins.
 *
 *     descriptor  u32 version = 1   u32 action   ptr relevant entry   ptr first entry
 *     entry       ptr next   ptr previous   ptr file   u64 size of the file
 *
 * The list changes while it is read, and is untrusted.
 */
#ifndef RUNTIME_JIT_CAPTURE_REGISTERED_H
#define RUNTIME_JIT_CAPTURE_REGISTERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "runtime/jit/capture/target_bytes.h"
#include "snapshot/elf_file.h"

#define JIT_DESCRIPTOR_NAME "__jit_debug_descriptor"
#define JIT_ENTRIES_MAX     65536u /* entries read of a list: the first, which are the latest */

/* Layout of both structs, as the program's compiler has it. */
struct jit_layout {
    bool is_64;
    unsigned size_off; /* of an entry's member size */
};

/* Returns the layout for the program whose file has that header. */
struct jit_layout jit_layout_of(const struct elf_head *head);
size_t jit_descriptor_size(const struct jit_layout *layout);

struct jit_descriptor {
    uint32_t action;
    uint64_t relevant_addr, first_addr; /* entries; 0: none */
};

/* False: unreadable, or another version. */
bool jit_descriptor_read(const struct target_bytes *memory, const struct jit_layout *layout,
                         uint64_t addr, struct jit_descriptor *out);

bool jit_descriptor_same(const struct jit_descriptor *a, const struct jit_descriptor *b);

struct jit_entry {
    uint64_t addr, next_addr;
    uint64_t file_addr, file_size;
};

bool jit_entry_read(const struct target_bytes *memory, const struct jit_layout *layout,
                    uint64_t addr, struct jit_entry *out);

struct jit_entries {        /* zeroed: empty */
    struct jit_entry *list; /* owned */
    size_t count, cap;
};

void jit_entries_deinit(struct jit_entries *entries);

/*
 * Replaces `out` with the list from its first entry on, up to its end, an unreadable entry, or a
 * loop. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status jit_entries_read(const struct target_bytes *memory,
                                        const struct jit_layout *layout, uint64_t first_addr,
                                        struct jit_entries *out);

/* Is an entry with this address, file and size in the list? */
bool jit_entries_have(const struct jit_entries *entries, const struct jit_entry *entry);

/*
 * Returns a hash that shows whether a file at the entry's address is still the same: of its header,
 * its section headers, which hold what a linker decided, and its end, where names are. 0: it is no
 * ELF file of the layout's word size, its headers are beyond its size, or it cannot be read.
 */
uint64_t jit_file_print(const struct target_bytes *memory, const struct jit_layout *layout,
                        const struct jit_entry *entry);

#endif
