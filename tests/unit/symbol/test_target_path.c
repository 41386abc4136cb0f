/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit_test.h"
#include "symbol/target_path.h"

/* A sysroot: ROOT/bin/real, and ROOT/bin/link, an absolute link to /bin/real. */
struct sysroot {
    char root[64], bin[80], real[96], link[96];
};

static void sysroot_init(struct sysroot *s)
{
    FILE *file;

    strcpy(s->root, "/tmp/sysroot_XXXXXX");
    assert_non_null(mkdtemp(s->root));
    snprintf(s->bin, sizeof(s->bin), "%s/bin", s->root);
    snprintf(s->real, sizeof(s->real), "%s/real", s->bin);
    snprintf(s->link, sizeof(s->link), "%s/link", s->bin);
    assert_int_equal(mkdir(s->bin, 0700), 0);
    file = fopen(s->real, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(symlink("/bin/real", s->link), 0);
}

static void sysroot_deinit(struct sysroot *s)
{
    unlink(s->link);
    unlink(s->real);
    rmdir(s->bin);
    rmdir(s->root);
}

static void check(const struct sysroot *s, const char *path)
{
    char *found = target_path(s->root, path);

    assert_non_null(found);
    assert_string_equal(found, s->real);
    free(found);
}

TEST_OF(target_path_resolves_absolute_links_below_the_sysroot, sysroot, s)
{
    check(s, "/bin/link");
    check(s, "/../../bin/real");
    assert_null(target_path(s->root, "/bin/none"));
    assert_null(target_path(s->root, "/etc/passwd"));
}

TEST_OF(target_path_without_sysroot_is_the_path_itself, sysroot, s)
{
    char *found = target_path(NULL, s->real);

    assert_non_null(found);
    assert_string_equal(found, s->real);
    free(found);
    assert_null(target_path(NULL, "/no/such/file"));
}
