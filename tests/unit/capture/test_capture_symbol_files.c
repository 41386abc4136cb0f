/* SPDX-License-Identifier: MIT */
/* Symbol files of code made at run time are written whole, in parts, once (board_fixture.h). */
#include "board_fixture.h"

#define ROUNDS    6u /* 20 ms each */
#define FILE_SIZE 200000u

/* How many parts there are, which follow each other. */
static unsigned capture_files(bool no_jit)
{
    struct capture_options options = board_options(ROUNDS);
    int fd = memfd_create("snapshot", 0);
    struct stream stream;
    struct reading r;
    unsigned parts = 0;
    uint64_t size = 0;

    options.no_jit = no_jit;
    options.rate_mhz = 10000;
    board.names = "1000 10 f\n";
    (void)capture_with(fd, &options);
    stream = read_back(fd);
    open_stream(&r, &stream);
    while (snap_reader_next(r.reader, &r.event, &r.diag) == STATUS_OK) {
        const struct snap_symbol_file *file = &r.event.symbol_file;

        if (r.event.type != SNAP_SYMBOL_FILE)
            continue;
        parts++;
        assert_int_equal(file->pid, PROCESS);
        assert_true(file->addr == RAM && file->file_size == FILE_SIZE && file->off == size);
        for (uint32_t i = 0; i < file->size; i++)
            assert_int_equal(file->bytes[i], symbol_file_byte((size_t)size + i));
        size += file->size;
    }
    assert_true(size == (parts ? FILE_SIZE : 0));
    close_stream(&r, &stream);
    return parts;
}

TEST(symbol_file_is_written_in_parts_once)
{
    begin_board();
    board.symbol_file_size = FILE_SIZE;
    assert_in_range(capture_files(false), 2, 10);
}

TEST(symbol_file_of_a_program_before_is_dropped)
{
    begin_board();
    board.symbol_file_size = FILE_SIZE;
    board.symbol_file_is_old = true;
    assert_int_equal(capture_files(false), 0);
    assert_true(board.symbol_file_given);
}

TEST(symbol_files_are_left_out_when_asked_to)
{
    begin_board();
    board.symbol_file_size = FILE_SIZE;
    assert_int_equal(capture_files(true), 0);
    assert_int_equal(board.symbol_program, 0);
}
