/* SPDX-License-Identifier: MIT */
/* Tells whether a file is of the build that was mapped, by pieces of that (base/file_pieces.h). */
#ifndef SYMBOL_PIECE_MATCH_H
#define SYMBOL_PIECE_MATCH_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/file_pieces.h"
#include "symbol/elf/elf_image.h"

/*
 * Whether `image` has the pieces at their offsets; or, since a tool may have moved its segments, at
 * the same distance from the beginning of an executable one. Pieces of the file's headers, which
 * strip changes, and of what is in no segment, do not count; true if there are no others where
 * `image` may have them. False: *why says so.
 */
bool piece_match(const struct file_pieces *pieces, const struct elf_image *image, struct diag *why);

/*
 * Whether the pieces behind the headers are enough to tell a file by, whatever its name, and
 * `image` has them all, also those in no segment. Fewer than four in segments, or only some without
 * gaps between them, are not enough: start files are the same in many programs.
 */
bool piece_match_proves(const struct file_pieces *pieces, const struct elf_image *image);

#endif
