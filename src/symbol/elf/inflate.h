/* SPDX-License-Identifier: MIT */
/* Private to symbol/: decompresses ELF sections and mini-debuginfo, with a cap on every output. */
#ifndef SYMBOL_ELF_INFLATE_H
#define SYMBOL_ELF_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define INFLATE_SECTION_MAX (UINT64_C(1) << 30)
/* Output bytes for one compressed byte (deflate cannot exceed 1032). */
#define INFLATE_RATIO_MAX 1100
/* All sections of a file together: FACTOR * file size + BASE bytes, at most MAX. */
#define INFLATE_FILE_FACTOR 64
#define INFLATE_FILE_BASE   (UINT64_C(256) << 20)
#define INFLATE_FILE_MAX    (UINT64_C(4) << 30)
#define INFLATE_XZ_MAX      (UINT64_C(64) << 20)

/* Zero bytes behind an inflated section (see file_map.h). */
#define INFLATE_PAD 64

/*
 * Inflates an SHF_COMPRESSED section (gABI: a compression header, then zlib or zstd data). `wide`:
 * ELFCLASS64. *out is malloc'ed, the caller's. BAD_DATA: damaged, or its header says more than
 * `max` bytes; UNSUPPORTED: another compression; NO_MEMORY.
 */
MUST_CHECK enum status inflate_section(const uint8_t *bytes, size_t size, bool wide, uint64_t max,
                                       uint8_t **out, uint64_t *out_size);

/* The same for an older .zdebug_* section ("ZLIB", big-endian size, zlib data). */
MUST_CHECK enum status inflate_zdebug(const uint8_t *bytes, size_t size, uint64_t max,
                                      uint8_t **out, uint64_t *out_size);

/* Reads the inflated size that the header of either kind announces. False: no header. */
MUST_CHECK bool inflate_size(const uint8_t *bytes, size_t size, bool wide, bool zdebug,
                             uint64_t *out);

/* Inflates an xz stream to at most INFLATE_XZ_MAX bytes; *out is malloc'ed, the caller's. */
MUST_CHECK enum status inflate_xz(const uint8_t *bytes, size_t size, uint8_t **out,
                                  uint64_t *out_size);

#endif
