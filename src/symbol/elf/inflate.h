/* SPDX-License-Identifier: MIT */
/* Private to symbol/: decompresses ELF sections and mini-debuginfo, with a limit on each output. */
#ifndef SYMBOL_ELF_INFLATE_H
#define SYMBOL_ELF_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define INFLATE_SECTION_MAX (UINT64_C(1) << 30)
/* Most output bytes for one compressed byte (deflate cannot exceed 1032). */
#define INFLATE_RATIO_MAX 1100
/* Most output bytes of all sections of a file: FACTOR * file size + BASE, but at most MAX. */
#define INFLATE_FILE_FACTOR 64
#define INFLATE_FILE_BASE   (UINT64_C(256) << 20)
#define INFLATE_FILE_MAX    (UINT64_C(4) << 30)
#define INFLATE_XZ_MAX      (UINT64_C(64) << 20)

/* Zero bytes behind an inflated section (see file_map.h). */
#define INFLATE_PAD 64

/*
 * Inflates an SHF_COMPRESSED section (gABI: a compression header, then zlib or zstd data); `wide`:
 * the file is ELFCLASS64. *out is malloc'ed, for the caller to free, with *out_size bytes.
 * BAD_DATA: the section is damaged, or has more than `max` bytes by its header; UNSUPPORTED: an
 * unknown compression; NO_MEMORY.
 */
MUST_CHECK enum status inflate_section(const uint8_t *bytes, size_t size, bool wide, uint64_t max,
                                       uint8_t **out, uint64_t *out_size);

/*
 * Inflates an older .zdebug_* section ("ZLIB", big-endian size, zlib data), like inflate_section.
 */
MUST_CHECK enum status inflate_zdebug(const uint8_t *bytes, size_t size, uint64_t max,
                                      uint8_t **out, uint64_t *out_size);

/*
 * Sets *out to the inflated size in the header of a section, a .zdebug_* one with `zdebug`. False:
 * there is no header.
 */
MUST_CHECK bool inflate_size(const uint8_t *bytes, size_t size, bool wide, bool zdebug,
                             uint64_t *out);

/*
 * Inflates an xz stream to at most INFLATE_XZ_MAX bytes; *out is malloc'ed, for the caller to free.
 * Fails like inflate_section.
 */
MUST_CHECK enum status inflate_xz(const uint8_t *bytes, size_t size, uint8_t **out,
                                  uint64_t *out_size);

#endif
