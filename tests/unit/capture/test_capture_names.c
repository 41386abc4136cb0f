/* SPDX-License-Identifier: MIT */
/* Names of code made at run time are copied whole, once, while they are told (board_fixture.h). */
#include "board_fixture.h"

#define ROUNDS 6u /* 20 ms each */

/* What a reader of NAMES records has at the end, by the rules of FORMAT.md. */
struct file {
    char text[3 * NAMES_PART_MAX];
    uint64_t size;
    unsigned records, begun;
};

static void take(struct file *file, const struct snap_names *names)
{
    file->records++;
    file->begun += names->off == 0;
    assert_int_equal(names->pid, PROCESS);
    assert_true(names->off == 0 || names->off == file->size);
    assert_in_range(names->size, 1, sizeof(file->text) - names->off - 1);
    memcpy(file->text + names->off, names->bytes, names->size);
    file->size = names->off + names->size;
    file->text[file->size] = '\0';
}

static void capture_names(struct file *file, bool no_jit)
{
    struct capture_options options = board_options(ROUNDS);
    int fd = memfd_create("snapshot", 0);
    struct stream stream;
    struct reading r;

    options.no_jit = no_jit;
    options.rate_mhz = 10000; /* so that names are due again */
    (void)capture_with(fd, &options);
    stream = read_back(fd);
    open_stream(&r, &stream);
    *file = (struct file){.size = 0};
    while (snap_reader_next(r.reader, &r.event, &r.diag) == STATUS_OK)
        if (r.event.type == SNAP_NAMES)
            take(file, &r.event.names);
    close_stream(&r, &stream);
}

TEST(names_are_written_once)
{
    struct file file;

    begin_board();
    board.names = "1000 10 a function\n";
    capture_names(&file, false);
    assert_string_equal(file.text, board.names);
    assert_int_equal(file.records, 1);
}

TEST(names_that_are_added_are_written_alone)
{
    struct file file;

    begin_board();
    board.names = "1000 10 f\n";
    board.new_names = "1000 10 f\n2000 10 g\n";
    capture_names(&file, false);
    assert_string_equal(file.text, board.new_names);
    assert_int_equal(file.records, 2);
    assert_int_equal(file.begun, 1);
}

TEST(names_that_are_others_begin_anew)
{
    static const char *const others[] = {"2000 10 a longer file that has the same beginning\n",
                                         "2000 10 g\n", "3 1 s\n",
                                         "3000 10 a file that is replaced\n"};
    struct file file;

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        begin_board();
        board.names = "2000 10 a file that is replaced\n";
        board.new_names = others[i];
        capture_names(&file, false);
        assert_string_equal(file.text, others[i]);
        assert_int_equal(file.begun, 2);
    }
}

TEST(names_larger_than_a_part_are_whole)
{
    const size_t size = 2 * NAMES_PART_MAX + 5;
    char *text = malloc(size + 1);
    struct file file;

    assert_non_null(text);
    for (size_t i = 0; i < size; i++)
        text[i] = (char)('a' + i % 23);
    text[size] = '\0';
    begin_board();
    board.names = text;
    capture_names(&file, false);
    assert_string_equal(file.text, text);
    assert_true(file.records >= 3);
    free(text);
}

TEST(names_are_left_out_when_asked_to)
{
    struct file file;

    begin_board();
    board.names = "1000 10 f\n";
    capture_names(&file, true);
    assert_int_equal(file.records, 0);
}
