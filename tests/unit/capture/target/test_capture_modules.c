/* SPDX-License-Identifier: MIT */
/* What the capture knows of the files that a process has mapped. */
#include "capture/target/modules.h"

#include <string.h>

#include <fcntl.h>
#include <unistd.h>

#include "unit_test.h"

#define EXECS 3

struct fixture {
    struct exec_map execs[EXECS]; /* of files with Go's code but where prot is 0 */
    struct modules modules;
    struct snap_writer *writer;
};

static void describe(void *state, pid_t tid, const struct maps *maps, size_t exec,
                     struct map_facts *out)
{
    (void)state, (void)tid;
    memset(out, 0, sizeof(*out));
    out->kind = SNAP_MAP_FILE;
    out->dev = maps->execs[exec].dev;
    out->inode = maps->execs[exec].inode;
    out->id.is_go = maps->execs[exec].prot != 0;
}

static int set_up(void **state)
{
    static struct fixture f;
    struct diag diag;

    memset(&f, 0, sizeof(f));
    assert_int_equal(snap_writer_create(open("/dev/null", O_WRONLY), "null", arch_get(ARCH_X86_64),
                                        0, &f.writer, &diag),
                     STATUS_OK);
    for (uint64_t i = 0; i < EXECS; i++)
        f.execs[i] = (struct exec_map){.start_addr = (i + 1) << 20,
                                       .end_addr = (i + 2) << 20,
                                       .dev = 8,
                                       .inode = 77,
                                       .prot = 5};
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    snap_writer_destroy(f->writer);
    modules_deinit(&f->modules);
    return 0;
}

/* Are there files with Go's code of which one may be of another version? */
static bool has_gos(struct fixture *f)
{
    static const struct capture_backend backend = {.describe_map = describe};
    const struct target target = {.backend = &backend};
    char paths[] = "/file";
    struct maps maps = {.execs = f->execs, .exec_len = EXECS, .paths = paths};
    uint64_t unanswered = 0;

    modules_deinit(&f->modules);
    assert_int_equal(modules_update(&f->modules, &target, 1, 1, &maps, f->writer, &unanswered),
                     STATUS_OK);
    return f->modules.has_gos;
}

TEST_WITH(modules_of_one_go_file_are_of_one_version, set_up, tear_down)
{
    struct fixture *f = *state;

    assert_false(has_gos(f));
    f->execs[0].prot = 0; /* none of Go's */
    f->execs[0].inode = 3;
    assert_false(has_gos(f));
    assert_true(f->modules.has_go);
}

TEST_WITH(modules_of_go_files_are_told_apart_by_device_and_inode, set_up, tear_down)
{
    struct fixture *f = *state;

    f->execs[1].inode = 78;
    assert_true(has_gos(f));
    f->execs[1].inode = 77;
    f->execs[2].dev = 9;
    assert_true(has_gos(f));
}
