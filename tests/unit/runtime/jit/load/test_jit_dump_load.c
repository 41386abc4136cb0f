/* SPDX-License-Identifier: MIT */
#include "runtime/jit/load/jit_dump_load.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit_test.h"
#include "base/index.h"

#define PID  7
#define NAME "jit-7.dump"

struct fixture {
    struct pool names;
    struct jit_map *map;
    int fd;
};

/* A header, and one function: 0x1000 to 0x1004, `f`. */
static int set_up(void **state)
{
    static const uint8_t bytes[] = {
        'D', 'T', 'i', 'J', 1,   0, 0, 0, 40, 0,  0, 0, 62, 0, 0, 0, 0, 0,   0, 0, /* e_machine */
        PID, 0,   0,   0,   0,   0, 0, 0, 0,  0,  0, 0, 0,  0, 0, 0, 0, 0,   0, 0, /* pid */
        0,   0,   0,   0,   62,  0, 0, 0, 1,  0,  0, 0, 0,  0, 0, 0,               /* LOAD */
        PID, 0,   0,   0,   PID, 0, 0, 0, 0,  16, 0, 0, 0,  0, 0, 0, 0, 16,  0, 0, 0, 0, 0,
        0,   4,   0,   0,   0,   0, 0, 0, 0,  1,  0, 0, 0,  0, 0, 0, 0, 'f', 0, 1, 2, 3, 4};
    struct fixture *f = calloc(1, sizeof(*f));

    pool_init(&f->names);
    assert_int_equal(jit_map_create(&f->names, &f->map), STATUS_OK);
    f->fd = memfd_create(NAME, MFD_CLOEXEC);
    assert_int_equal(write(f->fd, bytes, sizeof(bytes)), sizeof(bytes));
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    jit_map_destroy(f->map);
    pool_deinit(&f->names);
    close(f->fd);
    free(f);
    return 0;
}

static enum status load(struct fixture *f, struct jit_dump_owner owner)
{
    struct diag diag;

    return jit_dump_load(f->fd, NAME, &owner, f->map, &diag);
}

static bool has_function(struct fixture *f)
{
    struct jit_function function;

    return jit_map_find(f->map, 0x1003, &function) == STATUS_OK &&
           strcmp(jit_map_name(f->map, function.name), "f") == 0;
}

TEST_WITH(jit_dump_of_its_owner_is_taken, set_up, tear_down)
{
    struct fixture *f = *state;

    assert_true(jit_dump_is_file(f->fd));
    assert_int_equal(load(f, (struct jit_dump_owner){.machine = 62, .pid = PID}), STATUS_OK);
    assert_true(has_function(f));
}

TEST_WITH(jit_dump_by_the_owners_own_number_is_taken, set_up, tear_down)
{
    struct fixture *f = *state;

    assert_int_equal(load(f, (struct jit_dump_owner){.machine = 62, .pid = 9, .inner_pid = PID}),
                     STATUS_OK);
    assert_true(has_function(f));
}

TEST_WITH(jit_dump_of_another_is_refused, set_up, tear_down)
{
    struct fixture *f = *state;
    const struct jit_dump_owner others[] = {
        {.machine = 62, .pid = 9},
        {.machine = 62, .pid = 9, .inner_pid = 8},
        {.machine = 40, .pid = PID},
        {.machine = 62, .pid = PID, .start_ns = UINT64_MAX},
    };

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        assert_int_equal(load(f, others[i]), STATUS_BAD_DATA);
    assert_false(has_function(f));
}

/* A process whose own number is not known is not the one without a number. */
TEST_WITH(jit_dump_of_nobody_is_refused, set_up, tear_down)
{
    struct fixture *f = *state;

    assert_int_equal(pwrite(f->fd, "\0", 1, 20), 1);
    assert_int_equal(load(f, (struct jit_dump_owner){.machine = 62, .pid = PID}), STATUS_BAD_DATA);
}

TEST_WITH(jit_dump_that_is_damaged_is_refused, set_up, tear_down)
{
    struct fixture *f = *state;

    assert_int_equal(pwrite(f->fd, "\1", 1, 44), 1);
    assert_int_equal(load(f, (struct jit_dump_owner){.machine = 62, .pid = PID}), STATUS_BAD_DATA);
}

TEST_WITH(jit_dump_that_is_empty_cannot_be_mapped, set_up, tear_down)
{
    struct fixture *f = *state;

    assert_int_equal(ftruncate(f->fd, 0), 0);
    assert_false(jit_dump_is_file(f->fd));
    assert_int_equal(load(f, (struct jit_dump_owner){.machine = 62, .pid = PID}), STATUS_IO);
}

/* Pages that were read are given back: the kernel brings the first function's name again. */
TEST_WITH(jit_dump_of_many_pages_is_read, set_up, tear_down)
{
    enum { CODE_SIZE = 1200000, LOAD_SIZE = 58 + CODE_SIZE, MOVE_SIZE = 64, LOADS = 3 };
    struct fixture *f = *state;
    uint8_t *record = calloc(1, LOAD_SIZE);
    struct jit_function function;

    for (uint64_t i = 0; i < LOADS; i++) {
        const uint32_t prefix[] = {0, LOAD_SIZE};
        const uint64_t place[] = {0x100000 + i * CODE_SIZE, CODE_SIZE, 2 + i};

        memcpy(record, prefix, sizeof(prefix));
        memcpy(record + 32, place, sizeof(place));
        record[56] = 'g';
        assert_int_equal(write(f->fd, record, LOAD_SIZE), LOAD_SIZE);
    }
    memset(record, 0, MOVE_SIZE);
    memcpy(record, (uint32_t[]){1, MOVE_SIZE}, 8);
    memcpy(record + 40, (uint64_t[]){0x9000, 4, 1}, 24);
    assert_int_equal(write(f->fd, record, MOVE_SIZE), MOVE_SIZE);
    free(record);
    assert_int_equal(load(f, (struct jit_dump_owner){.machine = 62, .pid = PID}), STATUS_OK);
    assert_int_equal(jit_map_find(f->map, 0x9003, &function), STATUS_OK);
    assert_string_equal(jit_map_name(f->map, function.name), "f");
    assert_int_equal(jit_map_find(f->map, 0x100000 + LOADS * CODE_SIZE - 1, &function), STATUS_OK);
    assert_string_equal(jit_map_name(f->map, function.name), "g");
}
