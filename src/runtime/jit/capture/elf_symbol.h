/* SPDX-License-Identifier: MIT */
/*
 * Finds a variable of an ELF file by name: in the mapped dynamic symbol table (gABI, chapter 5:
 * DT_HASH; DT_GNU_HASH as the GNU tools write it), or in the symbol table of the file (gABI,
 * chapter 4). Makes few reads, whatever the size of the tables. Files and memory are untrusted.
 */
#ifndef RUNTIME_JIT_CAPTURE_ELF_SYMBOL_H
#define RUNTIME_JIT_CAPTURE_ELF_SYMBOL_H

#include <stdint.h>

#include "base/status.h"
#include "runtime/jit/capture/target_bytes.h"
#include "snapshot/elf_file.h"

#define ELF_SYMBOL_NAME_MAX 64 /* bytes of the wanted name, with its NUL */
/* Most symbols read of a file's tables, and of one chain of a hash table; others are ignored. */
#define ELF_SYMBOLS_MAX      (UINT32_C(4) << 20)
#define ELF_SYMBOL_CHAIN_MAX 4096u

/* An ELF file that is mapped in a program. */
struct elf_mapped {
    struct elf_head head;
    uint64_t bias;                       /* run-time address minus the file's address */
    uint64_t dynamic_addr, dynamic_size; /* its dynamic section; dynamic_size 0: it has none */
};

/*
 * Fills `out` for the program or library whose file offset 0 is mapped at `head_addr`. NOT_FOUND:
 * no ELF program or library is there; FAULT: its headers cannot be read.
 */
MUST_CHECK enum status elf_mapped_find(const struct target_bytes *memory, uint64_t head_addr,
                                       struct elf_mapped *out);

/*
 * Sets *addr to the run-time address of the variable `name`, by the dynamic symbols of `file`.
 * NOT_FOUND: the file exports no such variable; FAULT: its tables cannot be read.
 */
MUST_CHECK enum status elf_symbol_in_memory(const struct target_bytes *memory,
                                            const struct elf_mapped *file, const char *name,
                                            uint64_t *addr);

/*
 * Sets *vaddr to the address in the ELF file `file` of a variable of this name and size in bytes,
 * local or global, by its symbol tables. Tables do not overlap, so no more symbols are read than
 * `file_size` bytes have room for: section headers may lead to one table many times. NOT_FOUND:
 * there is none; FAULT: the file cannot be read; NO_MEMORY.
 */
MUST_CHECK enum status elf_symbol_in_file(const struct target_bytes *file, uint64_t file_size,
                                          const char *name, uint64_t size, uint64_t *vaddr);

#endif
