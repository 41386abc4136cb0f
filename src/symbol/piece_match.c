/* SPDX-License-Identifier: MIT */
#include "symbol/piece_match.h"

#include <string.h>

#define HEADERS_SIZE 1024 /* at the beginning of a file */
/* fewer pieces or groups prove nothing: start files are the same in many programs */
#define PIECES_LEAST 4
#define GROUPS_LEAST 2
#define PAGE_MASK    UINT64_C(4095)
#define PROT_EXEC    4 /* of elf_segment */

struct pieces_compared {
    unsigned compared; /* pieces in the file's segments, all equal */
    unsigned groups;   /* of bytes that were compared: pieces without a gap are one */
    unsigned absent;   /* others, if the file does not have their bytes */
};

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

/* Do the file's segments have those of the pieces that are in them, each `shift` bytes further? */
static bool has_all(const struct file_pieces *pieces, const struct elf_image *image, uint64_t shift,
                    struct pieces_compared *c)
{
    size_t size;
    const uint8_t *bytes = elf_image_file_bytes(image, &size);
    uint64_t end_off = 0; /* of the last piece compared */

    *c = (struct pieces_compared){.compared = 0};
    for (unsigned i = 0; i < pieces->count; i++) {
        const uint64_t off = pieces->off[i] + shift;
        const bool is_in_file = off <= size && size - off >= FILE_PIECE_SIZE;
        const bool is_equal =
            is_in_file && memcmp(bytes + off, pieces->bytes[i], FILE_PIECE_SIZE) == 0;

        if (off < HEADERS_SIZE)
            continue;
        if (!is_in_file || !is_loaded(image, off)) {
            c->absent += !is_equal;
            continue;
        }
        if (!is_equal)
            return false;
        c->compared++;
        c->groups += off != end_off;
        end_off = off + FILE_PIECE_SIZE;
    }
    return true;
}

/*
 * Does the file have them, there or moved? A file with a segment there of which nothing can be
 * compared may have them.
 */
static bool has_any_place(const struct file_pieces *pieces, const struct elf_image *image,
                          struct pieces_compared *c)
{
    bool differs = !has_all(pieces, image, 0, c);
    size_t count;
    const struct elf_segment *segments = elf_image_segments(image, &count);

    if (!differs && c->compared > 0)
        return true;
    for (size_t i = 0; i < count; i++) {
        const uint64_t shift = (segments[i].file_off & ~PAGE_MASK) - pieces->off[0];

        if (!(segments[i].prot & PROT_EXEC))
            continue;
        if (!has_all(pieces, image, shift, c))
            differs = true;
        else if (c->compared > 0 || shift == 0)
            return true;
    }
    return !differs;
}

bool piece_match_proves(const struct file_pieces *pieces, const struct elf_image *image)
{
    struct pieces_compared c;

    return has_any_place(pieces, image, &c) && c.compared >= PIECES_LEAST &&
           c.groups >= GROUPS_LEAST && c.absent == 0;
}

bool piece_match(const struct file_pieces *pieces, const struct elf_image *image, struct diag *why)
{
    struct pieces_compared c;

    if (has_any_place(pieces, image, &c))
        return true;
    diag_set(why, elf_image_path(image),
             "is not the file that the process ran: its code is not what the snapshot has of it");
    diag_hint(why, "pass the right file with --elf");
    return false;
}
