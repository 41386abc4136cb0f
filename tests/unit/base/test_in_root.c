/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/in_root.h"
#include "unit_test.h"

static char top[32];
static int root;

static void put_file(const char *name)
{
    const int fd = openat(root, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

    assert_true(fd >= 0);
    close(fd);
}

static void put_link(const char *name, const char *target)
{
    assert_int_equal(symlinkat(target, root, name), 0);
}

/*
 * top/secret                  must not be found
 * top/root/file, dir/inner, dir/deep/file
 */
static int make_tree(void **state)
{
    char path[PATH_MAX];

    (void)state;
    strcpy(top, "/tmp/test_in_root-XXXXXX");
    if (!mkdtemp(top))
        return -1;
    snprintf(path, sizeof(path), "%s/root", top);
    if (mkdir(path, 0700) != 0 || (root = open(path, O_PATH | O_DIRECTORY)) < 0)
        return -1;
    put_file("../secret");
    put_file("file");
    if (mkdirat(root, "dir", 0700) != 0 || mkdirat(root, "dir/deep", 0700) != 0)
        return -1;
    put_file("dir/inner");
    put_file("dir/deep/file");
    put_link("absolute", "/dir/inner");
    put_link("dir/relative", "deep/file");
    put_link("dir/up", "../file");
    put_link("escape", "../../../secret");
    put_link("dir/away", "/../secret");
    put_link("linked", "/dir");
    put_link("chain", "linked/relative");
    put_link("round", "round");
    put_link("to-root", "/");
    return 0;
}

static int remove_tree(void **state)
{
    char command[PATH_MAX + 16];

    (void)state;
    close(root);
    snprintf(command, sizeof(command), "rm -r %s", top);
    return system(command);
}

/* Is it the file `name` of the root, found by `path`? */
static bool finds(const char *path, const char *name)
{
    const int fd = in_root_find(root, path);
    struct stat found, wanted;

    if (fd < 0)
        return false;
    assert_int_equal(fstat(fd, &found), 0);
    assert_int_equal(fcntl(fd, F_GETFL) & O_PATH, O_PATH);
    close(fd);
    assert_int_equal(fstatat(root, name, &wanted, 0), 0);
    return found.st_ino == wanted.st_ino;
}

static bool fails(const char *path, int error)
{
    errno = 0;
    return in_root_find(root, path) < 0 && errno == error;
}

TEST_WITH(in_root_finds_files_and_directories, make_tree, remove_tree)
{
    assert_true(finds("file", "file") && finds("/file", "file") &&
                finds("//dir/./inner", "dir/inner"));
    assert_true(finds("/dir/deep/../inner", "dir/inner") && finds("/dir/deep/", "dir/deep"));
    assert_true(finds("/", ".") && finds("/dir/..", ".") && fails("", ENOENT));
    assert_true(fails("/none", ENOENT) && fails("/file/x", ENOTDIR));
    assert_true(fails("/file/", ENOTDIR) && fails("file/.", ENOTDIR) && fails("file/..", ENOTDIR));
    assert_true(fails("/absolute/", ENOTDIR) && finds("/linked/", "dir"));
    assert_true(finds("/absolute", "dir/inner") && finds("/dir/relative", "dir/deep/file"));
    assert_true(finds("/linked/deep/file", "dir/deep/file") && finds("chain", "dir/deep/file"));
    assert_true(finds("/dir/up", "file") && finds("to-root/to-root/file", "file"));
}

TEST_WITH(in_root_leads_nowhere_else, make_tree, remove_tree)
{
    char path[PATH_MAX + 16];

    assert_true(fails("../secret", ENOENT) && fails("/dir/../../secret", ENOENT));
    assert_true(fails("/escape", ENOENT) && fails("/dir/away", ENOENT));
    assert_true(finds("/../../file", "file"));
    assert_true(fails("/round", ELOOP));
    memset(path, '/', sizeof(path));
    path[sizeof(path) - 1] = '\0';
    assert_true(fails(path, ENAMETOOLONG));
    memset(path, 'x', NAME_MAX + 1);
    path[NAME_MAX + 1] = '\0';
    assert_true(fails(path, ENAMETOOLONG));
    path[0] = '\0';
    for (unsigned i = 0; i < 70; i++) {
        assert_int_equal(snprintf(path + 2 * i, 3, "d/"), 2);
        path[2 * i + 1] = '\0';
        assert_int_equal(mkdirat(root, path, 0700), 0);
        path[2 * i + 1] = '/';
    }
    assert_true(fails(path, ENAMETOOLONG)); /* of 70 directories */
    path[2 * 60] = '\0';
    assert_true(finds(path, path));
}

TEST_WITH(in_root_of_no_root_is_our_own, make_tree, remove_tree)
{
    char path[PATH_MAX];
    int fd;

    snprintf(path, sizeof(path), "%s/root/dir/inner", top);
    fd = in_root_find(AT_FDCWD, path);
    assert_true(fd >= 0);
    close(fd);
    assert_true(in_root_find(AT_FDCWD, "/none/such") < 0);
}
