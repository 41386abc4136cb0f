/* SPDX-License-Identifier: MIT */
#include "symbol/piece_match.h"

#include <string.h>

#define HEADERS_SIZE 1024 /* at the beginning of a file */
#define PIECES_LEAST 4    /* fewer prove nothing: start files are the same in many programs */
#define PAGE_MASK    UINT64_C(4095)
#define PROT_EXEC    4 /* of elf_segment */

static bool is_loaded(const struct elf_image *image, uint64_t off)
{
    size_t count;
    const struct elf_segment *segments = elf_image_segments(image, &count);

    for (size_t i = 0; i < count; i++)
        if (off >= segments[i].file_off && segments[i].file_size >= FILE_PIECE_SIZE &&
            off - segments[i].file_off <= segments[i].file_size - FILE_PIECE_SIZE)
            return true;
    return false;
}

/* Does the file have them, each `shift` bytes further? *compared: how many were looked at. */
static bool has_all(const struct file_pieces *pieces, const struct elf_image *image, uint64_t shift,
                    unsigned *compared)
{
    size_t size;
    const uint8_t *bytes = elf_image_file_bytes(image, &size);

    *compared = 0;
    for (unsigned i = 0; i < pieces->count; i++) {
        const uint64_t off = pieces->off[i] + shift;

        if (off < HEADERS_SIZE || off > size || size - off < FILE_PIECE_SIZE ||
            !is_loaded(image, off))
            continue;
        ++*compared;
        if (memcmp(bytes + off, pieces->bytes[i], FILE_PIECE_SIZE) != 0)
            return false;
    }
    return true;
}

/* Does the file have them, there or moved? *compared: how many were looked at. */
static bool has_any_place(const struct file_pieces *pieces, const struct elf_image *image,
                          unsigned *compared)
{
    size_t count;
    const struct elf_segment *segments = elf_image_segments(image, &count);

    *compared = 0;
    if (pieces->count == 0 || has_all(pieces, image, 0, compared))
        return true;
    for (size_t i = 0; i < count; i++)
        if (segments[i].prot & PROT_EXEC &&
            has_all(pieces, image, (segments[i].file_off & ~PAGE_MASK) - pieces->off[0],
                    compared) &&
            *compared > 0)
            return true;
    return false;
}

bool piece_match_proves(const struct file_pieces *pieces, const struct elf_image *image)
{
    unsigned compared;

    return has_any_place(pieces, image, &compared) && compared >= PIECES_LEAST;
}

bool piece_match(const struct file_pieces *pieces, const struct elf_image *image, struct diag *why)
{
    unsigned compared;

    if (has_any_place(pieces, image, &compared))
        return true;
    diag_set(why, elf_image_path(image),
             "is not the file that the process ran: its code is not what the snapshot has of it");
    diag_hint(why, "pass the right file with --elf");
    return false;
}
