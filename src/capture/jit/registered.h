/* SPDX-License-Identifier: MIT */
/*
 * GDB's JIT interface (the GDB manual, "JIT Compilation Interface"): a program's variable
 * __jit_debug_descriptor, and the list of ELF files in its memory that it begins.
 *
 *     descriptor  u32 version = 1   u32 action   ptr relevant entry   ptr first entry
 *     entry       ptr next   ptr previous   ptr file   u64 size of the file
 *
 * The list changes while it is read, and may be anything at all.
 */
#ifndef CAPTURE_JIT_REGISTERED_H
#define CAPTURE_JIT_REGISTERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "capture/jit/target_bytes.h"
#include "snapshot/elf_file.h"

#define JIT_DESCRIPTOR_NAME "__jit_debug_descriptor"
#define JIT_ENTRIES_MAX     65536u /* of a list; the first ones, which are the latest */

/* How the program's compiler lays the structs out. */
struct jit_layout {
    bool is_64;
    unsigned size_off; /* of the size in an entry */
};

/* Of the program whose file has that head. */
struct jit_layout jit_layout_of(const struct elf_head *head);
size_t jit_descriptor_size(const struct jit_layout *layout);

struct jit_descriptor {
    uint32_t action;
    uint64_t relevant_addr, first_addr; /* of entries; 0: none */
};

/* False: it cannot be read, or is of another version. */
bool jit_descriptor_read(const struct target_bytes *memory, const struct jit_layout *layout,
                         uint64_t addr, struct jit_descriptor *out);

bool jit_descriptor_same(const struct jit_descriptor *a, const struct jit_descriptor *b);

struct jit_entry {
    uint64_t addr, next_addr;
    uint64_t file_addr, file_size;
};

bool jit_entry_read(const struct target_bytes *memory, const struct jit_layout *layout,
                    uint64_t addr, struct jit_entry *out);

struct jit_entries {        /* zero it to begin with */
    struct jit_entry *list; /* owned */
    size_t count, cap;
};

void jit_entries_deinit(struct jit_entries *entries);

/*
 * The list from its first entry on, in place of what was there: up to its end, to what cannot be
 * read, or to where it leads back. Only NO_MEMORY fails.
 */
MUST_CHECK enum status jit_entries_read(const struct target_bytes *memory,
                                        const struct jit_layout *layout, uint64_t first_addr,
                                        struct jit_entries *out);

/* Is an entry of this address, file and size in the list? */
bool jit_entries_have(const struct jit_entries *entries, const struct jit_entry *entry);

/*
 * A number that tells whether a file at the entry's address is the one that was there: of its head,
 * of its section headers, where linkers write what they have decided, and of its end, where names
 * are. 0: it is no ELF file of the layout's word size, its headers are beyond what the entry says,
 * or it cannot be read.
 */
uint64_t jit_file_print(const struct target_bytes *memory, const struct jit_layout *layout,
                        const struct jit_entry *entry);

#endif
