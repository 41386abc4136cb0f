/* SPDX-License-Identifier: MIT */
#include "confine/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine/call_numbers.h"
#include "confine/sanitizer.h"

/* As in linux/landlock.h of Linux 6.12; older headers have less of it. */
struct landlock_rules {
    uint64_t handled_access_fs, handled_access_net, scoped;
};

#define FS_FIRST   ((UINT64_C(1) << 13) - 1) /* EXECUTE to MAKE_SYM: version 1 */
#define FS_EXECUTE (UINT64_C(1) << 0)
#define FS_READ    (UINT64_C(1) << 2)
#define FS_LIST    (UINT64_C(1) << 3)

/* All that a version of the interface can forbid. */
static struct landlock_rules all_of(long version)
{
    struct landlock_rules rules = {.handled_access_fs = FS_FIRST};

    if (version >= 2)
        rules.handled_access_fs |= UINT64_C(1) << 13; /* REFER */
    if (version >= 3)
        rules.handled_access_fs |= UINT64_C(1) << 14; /* TRUNCATE */
    if (version >= 4)
        rules.handled_access_net = 3; /* BIND_TCP, CONNECT_TCP */
    if (version >= 5)
        rules.handled_access_fs |= UINT64_C(1) << 15; /* IOCTL_DEV */
    if (version >= 6)
        rules.scoped = 3; /* ABSTRACT_UNIX_SOCKET, SIGNAL */
    if (SANITIZED)        /* its reports run another program */
        rules.handled_access_fs &= ~FS_EXECUTE;
    return rules;
}

/* The kernel accepts a shorter struct, or zeroes for members that it does not know. */
static int make_ruleset(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    struct landlock_rules rules = all_of(version);

    return version < 1 ? -1
                       : (int)syscall(SYS_landlock_create_ruleset, &rules,
                                      version >= 4 ? sizeof(rules) : sizeof(uint64_t), 0);
}

/* A path that is not there, or not for us, needs no rule; but libraries need the root. */
static bool may_be_left_out(const char *path, int error)
{
    return error != EIO && error != ENOMEM && error != EMFILE && error != ENFILE &&
           strcmp(path, "/") != 0;
}

static bool allow(int ruleset, const char *path, uint64_t access)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = access};
    struct stat st;
    bool done;

    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0)
        return may_be_left_out(path, errno);
    if (fstat(rule.parent_fd, &st) == 0 && S_ISDIR(st.st_mode))
        rule.allowed_access |= FS_LIST;
    done = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0 ||
           errno == EBADFD; /* a pipe, which is in no directory and stays readable */
    close(rule.parent_fd);
    return done;
}

int landlock_confine(const struct readable *readable, bool runs)
{
    const uint64_t access = FS_READ | (runs && !SANITIZED ? FS_EXECUTE : 0);
    int ruleset = make_ruleset(), error = 0;

    if (ruleset < 0)
        return errno;
    for (size_t i = 0; i < readable->count && error == 0; i++)
        if (!allow(ruleset, readable->paths[i], access))
            error = errno;
    if (error == 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) != 0)
        error = errno;
    close(ruleset);
    return error;
}
