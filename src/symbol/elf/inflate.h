/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: decompression of ELF sections and mini-debuginfo, every output size capped.
 */
#ifndef SYMBOL_ELF_INFLATE_H
#define SYMBOL_ELF_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define INFLATE_SECTION_MAX (UINT64_C(1) << 30)
/* No more than this many bytes for one compressed byte (deflate cannot do better than 1032). */
#define INFLATE_RATIO_MAX 1100
/* All sections of a file together: so many times its size and so much more, and never more than the
 * last. */
#define INFLATE_FILE_FACTOR 64
#define INFLATE_FILE_BASE   (UINT64_C(256) << 20)
#define INFLATE_FILE_MAX    (UINT64_C(4) << 30)
#define INFLATE_XZ_MAX      (UINT64_C(64) << 20)

/* So many zero bytes follow an inflated section (see file_map.h). */
#define INFLATE_PAD 64

/*
 * An SHF_COMPRESSED section's content (gABI: a compression header, then zlib or zstd data). `wide`:
 * ELFCLASS64. *out is malloc'ed, the caller's. BAD_DATA, also when it is said to be longer than
 * `max`; UNSUPPORTED for another compression; NO_MEMORY.
 */
MUST_CHECK enum status inflate_section(const uint8_t *bytes, size_t size, bool wide, uint64_t max,
                                       uint8_t **out, uint64_t *out_size);

/* The same for the older .zdebug_* sections ("ZLIB", big-endian size, zlib data). */
MUST_CHECK enum status inflate_zdebug(const uint8_t *bytes, size_t size, uint64_t max,
                                      uint8_t **out, uint64_t *out_size);

/* How long the content says that it is, of either kind. False: it does not. */
MUST_CHECK bool inflate_size(const uint8_t *bytes, size_t size, bool wide, bool zdebug,
                             uint64_t *out);

/* An xz stream of at most INFLATE_XZ_MAX bytes; *out is malloc'ed, the caller's. */
MUST_CHECK enum status inflate_xz(const uint8_t *bytes, size_t size, uint8_t **out,
                                  uint64_t *out_size);

#endif
