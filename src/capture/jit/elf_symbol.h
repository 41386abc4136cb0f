/* SPDX-License-Identifier: MIT */
/*
 * A variable of an ELF file, by its name: from the file's dynamic symbol table as it is mapped
 * (gABI, chapter 5: DT_HASH; DT_GNU_HASH as the GNU tools write it), or from the symbol table of
 * the file itself (gABI, chapter 4). Few reads, whatever the size of the tables.
 *
 * All of it is untrusted: what is no table leads nowhere.
 */
#ifndef CAPTURE_JIT_ELF_SYMBOL_H
#define CAPTURE_JIT_ELF_SYMBOL_H

#include <stdint.h>

#include "base/status.h"
#include "capture/jit/target_bytes.h"
#include "snapshot/elf_file.h"

#define ELF_SYMBOL_NAME_MAX 64 /* bytes of the name that is looked for, with its NUL */
/* Of a file's symbols, and of one chain of a hash table; others are not looked at. */
#define ELF_SYMBOLS_MAX      (UINT32_C(4) << 20)
#define ELF_SYMBOL_CHAIN_MAX 4096u

/* A mapped ELF file. */
struct elf_mapped {
    struct elf_head head;
    uint64_t bias;                       /* run-time address minus address in the file */
    uint64_t dynamic_addr, dynamic_size; /* 0: it has none */
};

/* The file whose offset 0 is mapped at `head_addr`. NOT_FOUND: it is none; FAULT. */
MUST_CHECK enum status elf_mapped_find(const struct target_bytes *memory, uint64_t head_addr,
                                       struct elf_mapped *out);

/* The run-time address of a variable that the file defines for others. NOT_FOUND; FAULT. */
MUST_CHECK enum status elf_symbol_in_memory(const struct target_bytes *memory,
                                            const struct elf_mapped *file, const char *name,
                                            uint64_t *addr);

/*
 * The address in the file of a variable of this name and size, local or not, by the file's symbol
 * table. NOT_FOUND; FAULT.
 */
MUST_CHECK enum status elf_symbol_in_file(const struct target_bytes *file, const char *name,
                                          uint64_t size, uint64_t *vaddr);

#endif
