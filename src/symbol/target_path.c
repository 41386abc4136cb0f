/* SPDX-License-Identifier: MIT */
#include "symbol/target_path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/in_root.h"
#include "base/shortage.h"
#include "symbol/file_identity.h"

char *path_joined(const char *a, const char *b, const char *c)
{
    char *path = NULL;

    return asprintf(&path, "%s%s%s", a, b, c) < 0 ? NULL : path;
}

char *perf_cache_path(const uint8_t *id, size_t size, const char *name)
{
    const char *home = getenv("HOME");
    char hex[BUILD_ID_HEX_MAX], *path = NULL;

    if (!home || size < 2)
        return NULL;
    build_id_hex(id, size, hex);
    return asprintf(&path, "%s/.debug/.build-id/%.2s/%s/%s", home, hex, hex + 2, name) < 0 ? NULL
                                                                                           : path;
}

/* Does the path exist? False, and noted, when that cannot be found out. */
static bool is_there(const char *path)
{
    if (access(path, F_OK) == 0)
        return true;
    shortage_note_open(path, errno);
    return false;
}

/* Is the path that of the open file? */
static bool leads_to(const char *path, int fd)
{
    struct stat there, here;

    return path && stat(path, &there) == 0 && fstat(fd, &here) == 0 &&
           there.st_ino == here.st_ino && there.st_dev == here.st_dev;
}

/*
 * Resolves `path` with `root` as its root, as by chroot(2); the descriptor's link in /proc has the
 * result. In a root of another mount namespace (/proc/PID/root) that link leads elsewhere: then
 * tries the path below `root`, which is right unless it has an absolute link.
 */
static char *resolve_in_root(const char *root, const char *path)
{
    int root_fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;
    char link[64], real[PATH_MAX], *found;
    ssize_t len;

    if (root_fd < 0) {
        shortage_note_open(root, errno);
        return NULL;
    }
    fd = in_root_find(root_fd, path);
    if (fd < 0) {
        shortage_note_open(path, errno);
        close(root_fd);
        return NULL;
    }
    close(root_fd);
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    len = readlink(link, real, sizeof(real) - 1);
    if (len < 0)
        shortage_note(path, errno);
    real[len > 0 ? len : 0] = '\0';
    found = leads_to(real, fd) ? strdup(real) : path_joined(root, path[0] == '/' ? "" : "/", path);
    if (!leads_to(found, fd)) {
        free(found);
        found = NULL;
    }
    close(fd);
    return found;
}

char *target_path(const char *sysroot, const char *path)
{
    if (sysroot)
        return resolve_in_root(sysroot, path);
    return is_there(path) ? strdup(path) : NULL;
}
