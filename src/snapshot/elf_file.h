/* SPDX-License-Identifier: MIT */
/*
 * The little of ELF that snapshots need: the file header, program headers (gABI, chapters 4 and 5),
 * little-endian, of 32 and of 64 bits, and a module's build-id.
 */
#ifndef SNAPSHOT_ELF_FILE_H
#define SNAPSHOT_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "snapshot/format.h"

#define ELF_HEAD_MAX 64 /* bytes of a file header, at most; program headers are smaller */

struct elf_head {
    bool is_64;
    uint16_t type, machine;
    uint64_t entry_vaddr, phoff, shoff;
    uint16_t phentsize, phnum;
};

struct elf_phdr {
    uint32_t type, flags;
    uint64_t off, vaddr, filesz, memsz;
};

/*
 * `bytes`: the beginning of the file. NOT_FOUND: no ELF file; UNSUPPORTED: big-endian; BAD_DATA:
 * `size` bytes do not hold the header, or what it says of itself cannot be.
 */
MUST_CHECK enum status elf_head_parse(const uint8_t *bytes, size_t size, struct elf_head *out);

static inline size_t elf_phdr_size(const struct elf_head *head)
{
    return head->is_64 ? 56 : 32;
}

/* Of elf_phdr_size() bytes. */
void elf_phdr_parse(const uint8_t *bytes, const struct elf_head *head, struct elf_phdr *out);

struct build_id {
    uint8_t size; /* 0: none */
    bool is_go;   /* there is a note of Go's, too */
    uint8_t bytes[SNAP_BUILD_ID_MAX];
};

/* The most program headers and bytes of notes that are looked at. */
#define BUILD_ID_PHDR_MAX 64
#define BUILD_ID_NOTE_MAX 4096

/* Reads `size` bytes at `off` of the file; false when not all of them can be read. */
typedef bool build_id_read_fn(void *context, uint64_t off, void *buffer, size_t size);

/*
 * The GNU note among the PT_NOTE segments (gABI, "Note Section"), and whether one is Go's build ID.
 * NOT_FOUND: no build-id. FAULT: a read failed. BAD_DATA: no ELF file.
 */
MUST_CHECK enum status build_id_find(build_id_read_fn *read, void *context, struct build_id *out);

#endif
