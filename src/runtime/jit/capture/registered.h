/* SPDX-License-Identifier: MIT */
/*
 * Reads GDB's JIT interface (GDB manual, "JIT Compilation Interface"): a program's variable
 * __jit_debug_descriptor, and the list of ELF files in the program's memory that begins there.
 *
 *     descriptor  u32 version = 1   u32 action   ptr relevant entry   ptr first entry
 *     entry       ptr next   ptr previous   ptr file   u64 size of the file
 *
 * The program changes the list while it is read here. The list is untrusted.
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
#define JIT_ENTRIES_MAX     65536u /* most entries read: the first, which are the latest */

/* Layout of descriptor and entry in the program's memory. */
struct jit_layout {
    bool is_64;        /* pointers have 8 bytes; false: 4 */
    unsigned size_off; /* byte offset of an entry's u64 size */
};

/* Returns the layout for the program whose ELF file has the header `head`. */
struct jit_layout jit_layout_of(const struct elf_head *head);
/* Returns the size of the descriptor in bytes. */
size_t jit_descriptor_size(const struct jit_layout *layout);

struct jit_descriptor {
    uint32_t action;                    /* as the program has it: 0 none, 1 added, 2 removed */
    uint64_t relevant_addr, first_addr; /* entry of the action; first entry of the list; 0: none */
};

/* Reads the descriptor at `addr`. False: it cannot be read, or is of another version than 1. */
bool jit_descriptor_read(const struct target_bytes *memory, const struct jit_layout *layout,
                         uint64_t addr, struct jit_descriptor *out);

bool jit_descriptor_same(const struct jit_descriptor *a, const struct jit_descriptor *b);

struct jit_entry {
    uint64_t addr, next_addr;      /* of this entry; of the next, 0: none */
    uint64_t file_addr, file_size; /* the ELF file in the program's memory */
};

/* Reads the entry at `addr`. False: it cannot be read. */
bool jit_entry_read(const struct target_bytes *memory, const struct jit_layout *layout,
                    uint64_t addr, struct jit_entry *out);

struct jit_entries {        /* a list that was read; zeroed: empty */
    struct jit_entry *list; /* owned */
    size_t count, cap;
};

void jit_entries_deinit(struct jit_entries *entries);

/*
 * Replaces `out` with the list from the entry at first_addr (0: none) on, up to its end, an
 * unreadable entry, JIT_ENTRIES_MAX entries, or a loop. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status jit_entries_read(const struct target_bytes *memory,
                                        const struct jit_layout *layout, uint64_t first_addr,
                                        struct jit_entries *out);

/* Whether the list has an entry with the address, file address and file size of `entry`. */
bool jit_entries_have(const struct jit_entries *entries, const struct jit_entry *entry);

/*
 * Returns a hash that shows whether the file of `entry` is still the same: of its header, its
 * section headers, where a linker's results are, and its end, where names are. 0: it is no ELF file
 * of the layout's word size, its headers are beyond its size, or it cannot be read.
 */
uint64_t jit_file_print(const struct target_bytes *memory, const struct jit_layout *layout,
                        const struct jit_entry *entry);

#endif
