/* SPDX-License-Identifier: MIT */
/*
 * The parts of ELF that snapshots need: file header and program headers (gABI, chapters 4 and 5),
 * little-endian, 32 and 64 bits, and a module's build-id.
 */
#ifndef SNAPSHOT_ELF_FILE_H
#define SNAPSHOT_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "snapshot/format.h"

#define ELF_HEAD_MAX 64 /* most bytes of a file header; program headers are smaller */

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
 * Parses the ELF header at the beginning of a file's first `size` bytes. NOT_FOUND: no ELF file;
 * UNSUPPORTED: big-endian; BAD_DATA: the header is cut, or its fields are impossible.
 */
MUST_CHECK enum status elf_head_parse(const uint8_t *bytes, size_t size, struct elf_head *out);

static inline size_t elf_phdr_size(const struct elf_head *head)
{
    return head->is_64 ? 56 : 32;
}

/* Parses a program header from `bytes`, elf_phdr_size(head) of them. */
void elf_phdr_parse(const uint8_t *bytes, const struct elf_head *head, struct elf_phdr *out);

struct build_id {
    uint8_t size; /* bytes of the GNU build-id; 0: none */
    bool is_go;   /* a note with Go's build ID was found, with or without a GNU build-id */
    uint8_t bytes[SNAP_BUILD_ID_MAX];
};

/* Limits of build_id_find: program headers, and bytes of each note segment, that are read. */
#define BUILD_ID_PHDR_MAX 64
#define BUILD_ID_NOTE_MAX 4096

/* Reads `size` bytes at `off` of the file; false: not all of them can be read. */
typedef bool build_id_read_fn(void *context, uint64_t off, void *buffer, size_t size);

/*
 * Sets *out to the first GNU build-id in the PT_NOTE segments (gABI, "Note Section"), and is_go,
 * reading the file by `read`. NOT_FOUND: no GNU build-id, but is_go is valid. FAULT: the file
 * header or a program header cannot be read; unreadable notes are passed over. BAD_DATA: no
 * little-endian ELF file.
 */
MUST_CHECK enum status build_id_find(build_id_read_fn *read, void *context, struct build_id *out);

#endif
