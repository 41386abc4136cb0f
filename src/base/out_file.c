/* SPDX-License-Identifier: MIT */
#include "base/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Returns why the file is not written to; NULL: it may be. `followed`: a symbolic link that is ours
 * or root's has led to it.
 */
static const char *objection(const struct stat *st, bool followed)
{
    if (S_ISDIR(st->st_mode))
        return "it is a directory";
    if (S_ISBLK(st->st_mode))
        return "it is a disk";
    if (S_ISLNK(st->st_mode))
        return "it is a symbolic link";
    if (st->st_uid != geteuid() && (S_ISREG(st->st_mode) || (S_ISFIFO(st->st_mode) && !followed)))
        return "it is another user's";
    if (geteuid() == 0 && S_ISREG(st->st_mode) && st->st_nlink > 1)
        return "it has other names, too";
    return NULL;
}

static enum status fail(const char *name, int error, struct diag *diag)
{
    diag_set(diag, name, "cannot write: %s", strerror(error));
    diag_hint(diag, "choose another file with -o");
    return STATUS_IO;
}

enum status out_file_find(const char *name, bool follow, int *fd, struct stat *st,
                          struct diag *diag)
{
    const int flags = O_PATH | O_CLOEXEC;
    const char *why;
    bool followed = false;

    *fd = open(name, flags | O_NOFOLLOW);
    if (*fd < 0)
        return errno == ENOENT ? STATUS_OK : fail(name, errno, diag);
    if (fstat(*fd, st) == 0 && S_ISLNK(st->st_mode) && follow &&
        (st->st_uid == 0 || st->st_uid == geteuid())) {
        close(*fd);
        followed = true;
        *fd = open(name, flags);
        if (*fd < 0)
            return fail(name, errno, diag);
    }
    why = fstat(*fd, st) == 0 ? objection(st, followed) : strerror(errno);
    if (!why)
        return STATUS_OK;
    diag_set(diag, name, "not written to, as %s", why);
    diag_hint(diag, "choose another file with -o, or remove this one");
    close(*fd);
    *fd = -1;
    return STATUS_IO;
}

enum status out_file_create(const char *name, mode_t mode, int *fd, struct diag *diag)
{
    *fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, mode);
    return *fd >= 0 ? STATUS_OK : fail(name, errno, diag);
}

enum status out_file_open(int found, const char *name, bool empty, int *fd, struct diag *diag)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", found);
    *fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | (empty ? O_TRUNC : 0));
    close(found);
    return *fd >= 0 ? STATUS_OK : fail(name, errno, diag);
}

bool out_file_replaces_all(const char *begin, size_t size)
{
    (void)begin;
    (void)size;
    return true;
}

/* Returns our descriptor that /dev/stdout, /dev/fd/3 and the like name; -1: another name. */
static int own_descriptor(const char *name)
{
    static const char *const directories[] = {"/dev/fd/", "/proc/self/fd/"};

    if (strcmp(name, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(name, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++) {
        size_t length = strlen(directories[i]);
        char *end;
        long fd;

        if (strncmp(name, directories[i], length) != 0 || name[length] < '0' || name[length] > '9')
            continue;
        fd = strtol(name + length, &end, 10);
        if (!*end && fd <= INT_MAX)
            return (int)fd;
    }
    return -1;
}

/* Asks `replaces` whether the existing file may be overwritten. IO: not; `diag` says so. */
static enum status ask(int found, const char *name, out_file_replaces_fn *replaces,
                       struct diag *diag)
{
    char path[64], begin[OUT_FILE_BEGIN_MAX];
    ssize_t n;
    int fd;

    snprintf(path, sizeof(path), "/proc/self/fd/%d", found);
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    n = fd >= 0 ? pread(fd, begin, sizeof(begin), 0) : -1;
    if (fd >= 0)
        close(fd);
    if (replaces(begin, n > 0 ? (size_t)n : 0))
        return STATUS_OK;
    diag_set(diag, name, "exists, and is no output of this program");
    diag_hint(diag, "choose another file with -o, or overwrite it with --force");
    return STATUS_IO;
}

static enum status make(const char *name, out_file_replaces_fn *replaces, int *fd,
                        struct diag *diag)
{
    enum status status;
    struct stat st;
    int found;

    if (own_descriptor(name) >= 0) {
        *fd = fcntl(own_descriptor(name), F_DUPFD_CLOEXEC, 0);
        return *fd >= 0 ? STATUS_OK : fail(name, errno, diag);
    }
    status = out_file_find(name, false, &found, &st, diag);
    if (status != STATUS_OK)
        return status;
    if (found < 0)
        return out_file_create(name, 0600, fd, diag);
    if (!replaces)
        status = fail(name, EEXIST, diag);
    else if (S_ISREG(st.st_mode) && st.st_size)
        status = ask(found, name, replaces, diag);
    if (status != STATUS_OK) {
        close(found);
        return status;
    }
    status = out_file_open(found, name, S_ISREG(st.st_mode), fd, diag);
    if (status == STATUS_OK && S_ISREG(st.st_mode))
        (void)!fchmod(*fd, 0600);
    return status;
}

FILE *out_file_stream(const char *name, out_file_replaces_fn *replaces, struct diag *diag)
{
    FILE *file;
    int fd;

    if (make(name, replaces, &fd, diag) != STATUS_OK)
        return NULL;
    file = fdopen(fd, "w");
    if (!file) {
        (void)!fail(name, errno, diag);
        close(fd);
    }
    return file;
}

void out_file_remove(const char *name)
{
    struct stat st;

    if (lstat(name, &st) == 0 && S_ISREG(st.st_mode))
        unlink(name);
}
