/* SPDX-License-Identifier: MIT */
/*
 * One ELF file (or the vDSO's bytes): mapped read-only, headers checked, sections on demand.
 *
 * Everything in it is untrusted: section and segment ranges are checked against the file's size
 * before a view is handed out. Compressed sections (SHF_COMPRESSED, gABI) are inflated once and
 * kept, at most 1 GiB each. A file is refused that has more than 1,024 segments to be loaded, or
 * whose segments have more than twice its bytes: what holds for a file's bytes holds for its code.
 * libelf is used here and in symbol/ only. What a file that is truncated while it is mapped does
 * not have any more: base/mapped.h.
 */
#ifndef SYMBOL_ELF_ELF_IMAGE_H
#define SYMBOL_ELF_ELF_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/status.h"

struct elf_image;

struct elf_segment { /* a PT_LOAD */
    uint64_t vaddr, mem_size, file_off, file_size;
    uint8_t prot; /* 1 read, 2 write, 4 execute */
};

struct elf_section {
    const uint8_t *bytes; /* NULL for SHT_NOBITS; valid as long as the image */
    uint64_t size, vaddr, file_off;
    uint32_t type;
    uint64_t flags;
};

/*
 * Opens a file. IO: cannot be read; BAD_DATA: not a sound ELF file; UNSUPPORTED: another machine or
 * big-endian. `diag` (may be NULL) is filled.
 */
MUST_CHECK enum status elf_image_open(const char *path, struct elf_image **out, struct diag *diag);
/* The same from bytes, which are copied. `name` is for messages. */
MUST_CHECK enum status elf_image_open_bytes(const void *bytes, size_t size, const char *name,
                                            struct elf_image **out, struct diag *diag);
/* The same of an open file, which is closed. */
MUST_CHECK enum status elf_image_open_fd(int fd, const char *name, struct elf_image **out,
                                         struct diag *diag);
/* The same of a part of an open file, as file_map_open_part has it; `name` stands for its path. */
MUST_CHECK enum status elf_image_open_part(int fd, uint64_t off, uint64_t size, const char *name,
                                           struct elf_image **out, struct diag *diag);
/*
 * From now on sections that were inflated are taken from the cache, and stored there when the image
 * is closed. Borrowed until then.
 */
struct cache;
void elf_image_set_cache(struct elf_image *image, struct cache *cache);
void elf_image_close(struct elf_image *image);

const char *elf_image_path(const struct elf_image *image);
const struct arch *elf_image_arch(const struct elf_image *image);
uint32_t elf_image_flags(const struct elf_image *image); /* e_flags */
uint64_t elf_image_entry_vaddr(const struct elf_image *image);
/* ET_EXEC, ET_DYN, … */
uint16_t elf_image_type(const struct elf_image *image);
/* The GNU build-id; *size 0 when there is none. */
const uint8_t *elf_image_build_id(const struct elf_image *image, size_t *size);
const struct elf_segment *elf_image_segments(const struct elf_image *image, size_t *count);

/*
 * May the program write at `vaddr`, once it is loaded? Not where that is forbidden then
 * (PT_GNU_RELRO).
 */
bool elf_image_may_change(const struct elf_image *image, uint64_t vaddr);

/*
 * By name; without section headers .eh_frame_hdr, .eh_frame (to the end of its segment), .ARM.exidx
 * and .dynamic are found through the program headers. NOT_FOUND; BAD_DATA: not all inside the file,
 * or damaged compression.
 */
MUST_CHECK enum status elf_image_section(struct elf_image *image, const char *name,
                                         struct elf_section *out);

/* The file's bytes at `vaddr` up to the end of its segment's file part; NULL when not in the file.
 */
const uint8_t *elf_image_bytes_at(const struct elf_image *image, uint64_t vaddr, uint64_t *avail);

/*
 * `size` bytes at `bytes`, which the image has given, will not be looked at soon: they need not
 * stay in memory. They can be read as before.
 */
void elf_image_let_go(const struct elf_image *image, const uint8_t *bytes, uint64_t size);

/*
 * The end of what the file has of [start, end), start where it has nothing: a damaged header or
 * table may tell of far more.
 */
uint64_t elf_image_end_in_file(const struct elf_image *image, uint64_t start_vaddr,
                               uint64_t end_vaddr);

/* Are there section headers that make sense? */
bool elf_image_has_sections(const struct elf_image *image);

/* Code is named in its section headers but not in the file: a separate debug file. */
bool elf_image_is_debug_only(const struct elf_image *image);

/* When the file was written, and when anything of it was changed; in ns; 0: it is no file. */
void elf_image_times(const struct elf_image *image, uint64_t *written_ns, uint64_t *changed_ns);

/* The whole file; valid as long as the image. */
const uint8_t *elf_image_file_bytes(const struct elf_image *image, size_t *size);

/* The executable section (or, without section headers, segment) that holds `vaddr`. */
MUST_CHECK enum status elf_image_exec_range(const struct elf_image *image, uint64_t vaddr,
                                            uint64_t *start_vaddr, uint64_t *end_vaddr);

/* Is section number `index` (a symbol's st_shndx) one of code? */
bool elf_image_is_code_section(const struct elf_image *image, unsigned index);

struct vaddr_range {
    uint64_t start_vaddr, end_vaddr;
};

/*
 * All executable sections (or, without section headers, segments), ascending. Owned by the image.
 */
const struct vaddr_range *elf_image_exec_ranges(const struct elf_image *image, size_t *count);

/* For the other files of symbol/: the libelf handle (Elf *), owned by the image. */
void *elf_image_libelf(struct elf_image *image);

#endif
