/* SPDX-License-Identifier: MIT */
/*
 * Pieces of the code of a file without build-id, by which another build is told apart: spread
 * evenly, alone or four together, over the first FILE_PIECES_SPAN bytes of an executable mapping.
 * A CODE record of FILE_PIECE_SIZE bytes is one.
 */
#ifndef BASE_FILE_PIECES_H
#define BASE_FILE_PIECES_H

#include <stdint.h>

#define FILE_PIECES      32
#define FILE_PIECE_SIZE  64u
#define FILE_PIECES_SPAN (1u << 20)

struct file_pieces {
    unsigned count;
    uint64_t off[FILE_PIECES]; /* file offsets */
    uint8_t bytes[FILE_PIECES][FILE_PIECE_SIZE];
};

#endif
