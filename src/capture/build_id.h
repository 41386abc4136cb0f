/*
 * The build-id of a mapped ELF file: the GNU note among its PT_NOTE segments (ELF gABI, "Note
 * Section"). The only thing that capture knows of ELF, so that a snapshot says which file a module
 * was.
 */
#ifndef CAPTURE_BUILD_ID_H
#define CAPTURE_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"
#include "snapshot/format.h"

struct build_id {
    uint8_t size; /* 0: none */
    uint8_t bytes[SNAP_BUILD_ID_MAX];
};

/* The most program headers and bytes of notes that are looked at. */
#define BUILD_ID_PHDR_MAX 64
#define BUILD_ID_NOTE_MAX 4096

/* Reads `size` bytes at `off` of the file; false when not all of them can be read. */
typedef bool build_id_read_fn(void *context, uint64_t off, void *buffer, size_t size);

/* NOT_FOUND: no build-id. FAULT: a read failed. BAD_DATA: no ELF file. */
MUST_CHECK enum status build_id_find(build_id_read_fn *read, void *context, struct build_id *out);

/* From the file's image in the memory of `pid`, its offset 0 mapped at `addr`. */
MUST_CHECK enum status build_id_from_memory(pid_t pid, uint64_t addr, struct build_id *out);
MUST_CHECK enum status build_id_from_fd(int fd, struct build_id *out);

#endif
