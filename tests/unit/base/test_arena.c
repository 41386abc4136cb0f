/* SPDX-License-Identifier: MIT */
#include <stdalign.h>
#include <string.h>

#include "unit_test.h"
#include "base/arena.h"

TEST(arena_pieces_are_aligned_and_never_move)
{
    struct arena arena;
    uint8_t *pieces[500];

    arena_init(&arena);
    for (size_t i = 0; i < 500; i++) {
        pieces[i] = arena_alloc(&arena, i + 1);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % alignof(max_align_t), 0);
        memset(pieces[i], (int)(i & 0xff), i + 1);
    }
    for (size_t i = 0; i < 500; i++)
        for (size_t k = 0; k <= i; k++)
            assert_int_equal(pieces[i][k], i & 0xff);
    arena_deinit(&arena);
}

TEST(arena_piece_larger_than_a_block_is_whole)
{
    struct arena arena;
    uint8_t *piece;

    arena_init(&arena);
    assert_non_null(arena_alloc(&arena, 10));
    piece = arena_alloc(&arena, 1 << 20);
    assert_non_null(piece);
    memset(piece, 1, 1 << 20);
    assert_null(arena_alloc(&arena, SIZE_MAX - 3));
    arena_deinit(&arena);
}

TEST(arena_join_cuts_and_appends)
{
    struct arena arena;

    arena_init(&arena);
    assert_string_equal(arena_join(&arena, "memcpy@@GLIBC", 6, ""), "memcpy");
    assert_string_equal(arena_join(&arena, "puts", 4, "@plt"), "puts@plt");
    arena_deinit(&arena);
}
