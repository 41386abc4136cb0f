/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/program.h"

#include <string.h>

#include <elf.h>
#include <unistd.h>

#include "unit_test.h"
#include "base/procfs.h"

TEST(auxv_word_size_is_that_of_its_page_size_entry)
{
    static const uint32_t narrow[] = {33, 0xf7fc6000, 16, 0xbfebfbff, 6, 4096, 17, 100, 0, 0};
    static const uint64_t wide[] = {33, 0x7ffc12345000, 16, 0xbfebfbff, 6, 4096, 17, 100, 0, 0};

    assert_int_equal(program_auxv_word_size(narrow, sizeof(narrow), 4096), 4);
    assert_int_equal(program_auxv_word_size(wide, sizeof(wide), 4096), 8);
    /* Of another kernel, cut before the entry, or empty. */
    assert_int_equal(program_auxv_word_size(wide, sizeof(wide), 65536), 0);
    assert_int_equal(program_auxv_word_size(wide, 47, 4096), 0);
    assert_int_equal(program_auxv_word_size(narrow, 23, 4096), 0);
    assert_int_equal(program_auxv_word_size(NULL, 0, 4096), 0);
}

TEST(program_of_this_process_is_captured_by_this_build)
{
    struct program program;
    uint8_t auxv[1024];
    ssize_t n = proc_readf(auxv, sizeof(auxv), "/proc/self/auxv");

    assert_true(program_read(getpid(), &program));
    assert_int_equal(program.word_size, sizeof(void *));
    assert_ptr_equal(program_backend(&program), arch_capture_host());
    assert_true(n > 0);
    assert_int_equal(program_auxv_word_size(auxv, (size_t)n, (uint64_t)sysconf(_SC_PAGESIZE)),
                     sizeof(void *));
    assert_false(program_has_ended(getpid()));
}

TEST(program_of_no_process_cannot_be_told)
{
    struct program program;

    assert_false(program_read(-1, &program));
    assert_true(program_has_ended(-1));
}

TEST(program_without_machine_is_taken_by_its_word_size)
{
    const struct program mine = {.word_size = sizeof(void *)}, none = {.word_size = 2};

    assert_ptr_equal(program_backend(&mine), arch_capture_host());
    assert_null(program_backend(&none));
}
