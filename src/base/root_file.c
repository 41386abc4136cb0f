/* SPDX-License-Identifier: MIT */
#include "base/root_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/in_file.h"
#include "base/in_root.h"

#define SIZE_MIN 64 /* bytes of an ELF header */

/* As in the kernel's <linux/magic.h>, which some C libraries lack. */
#define PROC_MAGIC       0x9fa0
#define SYSFS_MAGIC      0x62656572
#define DEBUGFS_MAGIC    0x64626720
#define TRACEFS_MAGIC    0x74726163
#define SECURITYFS_MAGIC 0x73636673

int root_open(pid_t tid)
{
    char name[32];

    snprintf(name, sizeof(name), "/proc/%d/root", (int)tid);
    return open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Says whether root_file_open may open it. `fd` is O_PATH: the file is not touched. */
static bool is_stored(int fd)
{
    struct statfs fs;
    struct stat st;

    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < SIZE_MIN ||
        fstatfs(fd, &fs) != 0)
        return false;
    switch ((unsigned long)fs.f_type) {
    case PROC_MAGIC:
    case SYSFS_MAGIC:
    case DEBUGFS_MAGIC:
    case TRACEFS_MAGIC:
    case SECURITYFS_MAGIC:
        return false;
    default:
        return true;
    }
}

/* Opens what the O_PATH descriptor `found` refers to, and closes `found`. */
static int open_found(int found)
{
    int fd = -1, error = EMEDIUMTYPE;

    if (found < 0)
        return -1;
    if (is_stored(found)) {
        fd = in_file_reopen(found);
        error = errno;
    }
    close(found);
    errno = error;
    return fd;
}

int root_file_open(int root, const char *path)
{
    return open_found(in_root_find(root, path));
}

int root_link_open(const char *path)
{
    return open_found(open(path, O_PATH | O_CLOEXEC));
}
