/* SPDX-License-Identifier: MIT */
/* Jitdumps that are found: which are read, and what holds of damaged ones. */
#include "runtime/jit/load/jit_dumps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbol/module_set.h"
#include "unit_test.h"

#define PID 7

struct fixture {
    struct module_set *modules;
    struct jit_maps maps;
    struct jit_dumps dumps;
    char dir[32];
};

static int set_up(void **state)
{
    const struct module_options options = {.sysroot = NULL};
    struct fixture *f = calloc(1, sizeof(*f));

    assert_int_equal(module_set_create(&options, &f->modules), STATUS_OK);
    strcpy(f->dir, "/tmp/jit_dumps.XXXXXX");
    assert_non_null(mkdtemp(f->dir));
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    char command[64];

    snprintf(command, sizeof(command), "rm -r %s", f->dir);
    assert_int_equal(system(command), 0);
    jit_dumps_deinit(&f->dumps);
    jit_maps_deinit(&f->maps);
    module_set_destroy(f->modules);
    free(f);
    return 0;
}

/* A dump with a function of 4 bytes at page * 0x100, and then perhaps what is no record. */
static struct module *write_dump(struct fixture *f, const char *name, uint8_t page, bool is_damaged)
{
    const uint8_t
        bytes[] = {'D', 'T',  'i', 'J', 1,   0, 0, 0, 40,  0,    0, 0, 62, 0, 0, 0,
                   0,   0,    0,   0, /* e_machine */
                   PID, 0,    0,   0,   0,   0, 0, 0, 0,   0,    0, 0, 0,  0, 0, 0,
                   0,   0,    0,   0,                                               /* pid */
                   0,   0,    0,   0,   62,  0, 0, 0, 1,   0,    0, 0, 0,  0, 0, 0, /* LOAD */
                   PID, 0,    0,   0,   PID, 0, 0, 0, 0,   page, 0, 0, 0,  0, 0, 0,
                   0,   page, 0,   0,   0,   0, 0, 0, 4,   0,    0, 0, 0,  0, 0, 0,
                   1,   0,    0,   0,   0,   0, 0, 0, 'f', 0,    1, 2, 3,  4, 0, 0,
                   0,   0,    1,   0,   0,   0, 0, 0, 0,   0,    0, 0, 0,  0}; /* too short */
    const size_t size = is_damaged ? sizeof(bytes) : sizeof(bytes) - 16;
    struct module *module;
    char path[128];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", f->dir, name);
    assert_true(mkdir(path, 0700) == 0);
    snprintf(path, sizeof(path), "%s/%s/jit-%u.dump", f->dir, name, PID);
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    assert_int_equal(module_set_get(f->modules, MODULE_FILE, path, NULL, 0, false, &module),
                     STATUS_OK);
    return module;
}

static uint64_t inode_of(const struct module *module)
{
    struct stat st;

    assert_int_equal(stat(module->file.path, &st), 0);
    return st.st_ino;
}

static void read_them(struct fixture *f, uint32_t pid)
{
    const struct jit_dump_owner owner = {.machine = 62, .pid = pid};
    bool changed = false;

    assert_int_equal(jit_dumps_read(&f->dumps, &f->maps, f->modules, owner, &changed), STATUS_OK);
    assert_true(changed);
}

static bool has_function(struct fixture *f, uint32_t pid, uint64_t addr)
{
    struct jit_map *map = jit_maps_of(&f->maps, pid);
    struct jit_function function;

    return map && jit_map_find(map, addr, &function) == STATUS_OK;
}

TEST_WITH(jit_dumps_that_are_damaged_leave_what_is_told, set_up, tear_down)
{
    struct fixture *f = *state;
    struct module *good = write_dump(f, "good", 0x10, false);
    struct module *damaged = write_dump(f, "damaged", 0x20, true);

    assert_int_equal(jit_dumps_map(&f->dumps, PID, good, inode_of(good)), STATUS_OK);
    assert_int_equal(jit_dumps_map(&f->dumps, PID, damaged, 0), STATUS_OK);
    read_them(f, PID);
    assert_true(has_function(f, PID, 0x1003));
    assert_true(has_function(f, PID, 0x2003)); /* before the damage */
    assert_true(damaged->problem.what[0]);
}

TEST_WITH(jit_dumps_that_were_not_mapped_are_passed_over, set_up, tear_down)
{
    struct fixture *f = *state;
    struct module *other = write_dump(f, "other", 0x10, false);

    assert_int_equal(jit_dumps_map(&f->dumps, PID, other, inode_of(other) + 1), STATUS_OK);
    read_them(f, PID);
    assert_false(has_function(f, PID, 0x1003));
}

/* The name is anybody's, not the owner's: whose own number is not known here. */
TEST_WITH(jit_dumps_are_not_of_whom_they_are_named_after, set_up, tear_down)
{
    struct fixture *f = *state;
    struct module *other = write_dump(f, "other", 0x10, false);

    assert_int_equal(jit_dumps_map(&f->dumps, 9, other, inode_of(other)), STATUS_OK);
    read_them(f, 9);
    assert_false(has_function(f, 9, 0x1003));
    assert_true(other->problem.what[0]);
}
