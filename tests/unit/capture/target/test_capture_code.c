/* SPDX-License-Identifier: MIT */
#include "capture/target/code.h"

#include <string.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "unit_test.h"
#include "capture/ptrace/backend.h"

#define UNITS 200u

/* Of this process, as its own target: pages of its own, which are not executable, called so. */
struct fixture {
    uint8_t *bytes;
    struct snap_writer *writer;
    struct captured_code code;
    struct exec_map execs[3];
    struct maps maps;
    char paths[32];
};

static int set_up(void **state)
{
    static struct fixture f;
    struct diag diag;

    memset(&f, 0, sizeof(f));
    f.bytes =
        mmap(NULL, UNITS * CODE_UNIT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(f.bytes != MAP_FAILED);
    assert_int_equal(snap_writer_create(open("/dev/null", O_WRONLY), "null", arch_get(ARCH_X86_64),
                                        0, &f.writer, &diag),
                     STATUS_OK);
    memcpy(f.paths, "/file\0[vdso]", sizeof("/file\0[vdso]"));
    f.maps = (struct maps){.execs = f.execs, .exec_len = 1, .paths = f.paths};
    f.execs[0] = (struct exec_map){.start_addr = (uintptr_t)f.bytes,
                                   .end_addr = (uintptr_t)f.bytes + UNITS * CODE_UNIT,
                                   .prot = MAP_PROT_READ | MAP_PROT_EXEC};
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    snap_writer_destroy(f->writer);
    code_deinit(&f->code);
    munmap(f->bytes, UNITS * CODE_UNIT);
    return 0;
}

static unsigned visit(struct fixture *f, uint64_t addr)
{
    const struct target target = {.backend = &ptrace_backend};
    unsigned count =
        code_write_around(&f->code, &target, getpid(), getpid(), addr, false, f->writer);

    assert_int_equal(snap_writer_flush(f->writer), STATUS_OK);
    return count;
}

static unsigned visit_unit(struct fixture *f, unsigned unit)
{
    return visit(f, (uintptr_t)f->bytes + unit * CODE_UNIT + 7);
}

TEST_WITH(code_units_around_an_address_are_written_once, set_up, tear_down)
{
    struct fixture *f = *state;

    assert_int_equal(code_update(&f->code, &f->maps, true), STATUS_OK);
    assert_int_equal(visit_unit(f, 100), 6); /* 96 to 101 */
    assert_int_equal(visit_unit(f, 100), 0);
    assert_int_equal(visit_unit(f, 102), 2);
    assert_int_equal(visit_unit(f, 0), 2);
    assert_int_equal(visit_unit(f, UNITS - 1), 5);
    assert_int_equal(visit(f, (uintptr_t)f->bytes + UNITS * CODE_UNIT), 0);
}

TEST_WITH(code_is_known_across_the_borders_of_blocks, set_up, tear_down)
{
    struct fixture *f = *state;
    unsigned total = 0;

    assert_int_equal(code_update(&f->code, &f->maps, true), STATUS_OK);
    for (unsigned i = 0; i < UNITS; i++)
        total += visit_unit(f, i * 7 % UNITS);
    assert_int_equal(total, UNITS);
    for (unsigned i = 0; i < UNITS; i++)
        assert_int_equal(visit_unit(f, i), 0);
}

TEST_WITH(code_of_a_mapping_that_is_the_same_stays_known, set_up, tear_down)
{
    struct fixture *f = *state;
    const uint64_t middle = (uintptr_t)f->bytes + 100 * CODE_UNIT;

    f->execs[1] = f->execs[0];
    f->execs[0].end_addr = middle;
    f->execs[1].start_addr = middle;
    f->maps.exec_len = 2;
    assert_int_equal(code_update(&f->code, &f->maps, true), STATUS_OK);
    for (unsigned i = 0; i < UNITS; i++)
        (void)visit_unit(f, i);
    /* The second has another size: its code belongs to another mapping now. */
    f->execs[1].end_addr -= CODE_UNIT;
    assert_int_equal(code_update(&f->code, &f->maps, true), STATUS_OK);
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(visit_unit(f, i), 0);
    assert_int_equal(visit_unit(f, 100), 2);
    assert_int_equal(visit_unit(f, 101), 1);
    /* Both are gone, and come again. */
    f->maps.exec_len = 0;
    assert_int_equal(code_update(&f->code, &f->maps, true), STATUS_OK);
    assert_int_equal(visit_unit(f, 50), 0);
    assert_int_equal(f->code.block_len, 0);
    f->maps.exec_len = 2;
    assert_int_equal(code_update(&f->code, &f->maps, true), STATUS_OK);
    assert_int_equal(visit_unit(f, 50), 6);
}

TEST_WITH(code_that_has_changed_is_written_again, set_up, tear_down)
{
    const struct timespec pause = {.tv_nsec = 600000000};
    struct fixture *f = *state;

    assert_int_equal(code_update(&f->code, &f->maps, true), STATUS_OK);
    assert_int_equal(visit_unit(f, 100), 6);
    nanosleep(&pause, NULL);
    assert_int_equal(visit_unit(f, 100), 0);
    f->bytes[97 * CODE_UNIT + 5] = 1;
    nanosleep(&pause, NULL);
    assert_int_equal(visit_unit(f, 100), 1);
    assert_int_equal(visit_unit(f, 100), 0);
}

TEST_WITH(code_that_runs_is_looked_at_each_time, set_up, tear_down)
{
    const struct target target = {.backend = &ptrace_backend};
    struct fixture *f = *state;
    const uint64_t addr = (uintptr_t)f->bytes + 100 * CODE_UNIT + 7;

    assert_int_equal(code_update(&f->code, &f->maps, true), STATUS_OK);
    assert_int_equal(visit_unit(f, 100), 6);
    f->bytes[98 * CODE_UNIT] = f->bytes[99 * CODE_UNIT] = f->bytes[100 * CODE_UNIT] = 1;
    assert_int_equal(code_write_around(&f->code, &target, getpid(), getpid(), addr, true,
                                       f->writer),
                     2);
    assert_int_equal(code_write_around(&f->code, &target, getpid(), getpid(), addr, true,
                                       f->writer),
                     0);
}

TEST_WITH(code_of_which_there_is_a_file_is_left_out_unless_asked_for, set_up, tear_down)
{
    static const char deleted[] = "/file (deleted)", named[] = "/a (deleted) file";
    struct fixture *f = *state;

    assert_int_equal(code_update(&f->code, &f->maps, false), STATUS_OK);
    assert_int_equal(visit_unit(f, 100), 0);
    f->maps.paths = (char *)named;
    assert_int_equal(code_update(&f->code, &f->maps, false), STATUS_OK);
    assert_int_equal(visit_unit(f, 100), 0);
    f->maps.paths = (char *)"[heap]";
    assert_int_equal(code_update(&f->code, &f->maps, false), STATUS_OK);
    assert_int_equal(visit_unit(f, 100), 0);
    f->maps.paths = (char *)deleted;
    assert_int_equal(code_update(&f->code, &f->maps, false), STATUS_OK);
    assert_int_equal(visit_unit(f, 100), 6);
    f->maps.paths = (char *)"";
    assert_int_equal(code_update(&f->code, &f->maps, false), STATUS_OK);
    assert_int_equal(visit_unit(f, 50), 6);
    f->maps.paths = (char *)"[anon:jit]";
    assert_int_equal(code_update(&f->code, &f->maps, false), STATUS_OK);
    assert_int_equal(visit_unit(f, 150), 6);
}

TEST_WITH(code_of_the_vdso_is_left_out, set_up, tear_down)
{
    struct fixture *f = *state;

    f->execs[0].path_off = sizeof("/file");
    assert_int_equal(code_update(&f->code, &f->maps, true), STATUS_OK);
    assert_int_equal(visit_unit(f, 100), 0);
}

/* What can be read is at its beginning; the rest counts as written, as it is not tried again. */
TEST_WITH(code_of_a_huge_mapping_takes_bounded_memory, set_up, tear_down)
{
    struct fixture *f = *state;
    const uint64_t start = f->execs[0].start_addr;

    f->execs[0].end_addr = start + (UINT64_C(16) << 40);
    assert_int_equal(code_update(&f->code, &f->maps, true), STATUS_OK);
    assert_int_equal(f->code.block_len, 0);
    assert_int_equal(visit_unit(f, 50), 6);
    for (uint64_t i = 1; i < 3 * CODE_BLOCKS_MAX; i++)
        (void)visit(f, start + i * (UINT64_C(256) << 20));
    assert_true(f->code.block_len <= CODE_BLOCKS_MAX);
    assert_true(f->code.block_cap <= 2 * CODE_BLOCKS_MAX);
    assert_int_equal(visit_unit(f, 50), 0);
}
