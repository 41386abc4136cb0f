/* SPDX-License-Identifier: MIT */
#include "elf_fixture.h"

#include "symbol/piece_match.h"

#define CODE_OFF  FIXTURE_HEADERS
#define CODE_SIZE 8192

static uint8_t code_at(uint64_t off)
{
    return (uint8_t)(off * off / 7 + 3 * off);
}

/* A file whose one executable segment has the first `size` bytes of the code. */
static struct elf_image *open_file(size_t size)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    uint8_t code[CODE_SIZE];

    for (size_t i = 0; i < size; i++)
        code[i] = code_at(CODE_OFF + i);
    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, size);
    fixture_finish(elf);
    return fixture_open(elf);
}

/* Pieces of the code, `step` bytes from one to the next. */
static struct file_pieces pieces_of(uint64_t off, unsigned count, unsigned step)
{
    struct file_pieces pieces = {.count = count};

    for (unsigned i = 0; i < count; i++) {
        pieces.off[i] = off + (uint64_t)i * step;
        for (unsigned j = 0; j < FILE_PIECE_SIZE; j++)
            pieces.bytes[i][j] = code_at(pieces.off[i] + j);
    }
    return pieces;
}

TEST(pieces_apart_prove_the_file)
{
    struct elf_image *image = open_file(CODE_SIZE);
    struct file_pieces pieces = pieces_of(CODE_OFF, 8, 512);

    assert_true(piece_match_proves(&pieces, image));
    pieces.bytes[7][0] ^= 1;
    assert_false(piece_match_proves(&pieces, image));
    pieces = pieces_of(CODE_OFF, 3, 512);
    assert_false(piece_match_proves(&pieces, image)); /* too few */
    elf_image_close(image);
}

TEST(pieces_without_gaps_prove_nothing)
{
    struct elf_image *image = open_file(CODE_SIZE);
    struct file_pieces pieces = pieces_of(CODE_OFF, FILE_PIECES, FILE_PIECE_SIZE);

    assert_true(piece_match(&pieces, image, NULL));
    assert_false(piece_match_proves(&pieces, image));
    elf_image_close(image);
}

/* Its start files are the same, and more it does not have. */
TEST(pieces_that_the_file_does_not_have_are_against_it)
{
    struct elf_image *image = open_file(2048);
    struct file_pieces pieces = pieces_of(CODE_OFF, 12, 256);

    assert_true(piece_match(&pieces, image, NULL));
    assert_false(piece_match_proves(&pieces, image));
    pieces.count = 8;
    assert_true(piece_match_proves(&pieces, image));
    elf_image_close(image);
}

/* As of a mapping that is beyond the end of the file: the segment may have been moved. */
TEST(pieces_of_a_moved_segment_are_compared)
{
    struct elf_image *image = open_file(CODE_SIZE);
    struct file_pieces pieces = pieces_of(0, FILE_PIECES, 256);
    struct diag why;

    for (unsigned i = 0; i < FILE_PIECES; i++)
        pieces.off[i] += FIXTURE_SIZE_MAX;
    assert_true(piece_match(&pieces, image, &why));
    assert_true(piece_match_proves(&pieces, image));
    pieces.bytes[FILE_PIECES - 1][0] ^= 1;
    assert_false(piece_match_proves(&pieces, image));
    assert_false(piece_match(&pieces, image, &why));
    assert_non_null(strstr(why.what, "is not the file"));
    elf_image_close(image);
}

TEST(pieces_of_headers_alone_tell_nothing)
{
    struct elf_image *image = open_file(CODE_SIZE);
    struct file_pieces pieces = pieces_of(0, CODE_OFF / FILE_PIECE_SIZE, FILE_PIECE_SIZE);

    assert_true(piece_match(&pieces, image, NULL));
    assert_false(piece_match_proves(&pieces, image));
    elf_image_close(image);
}
