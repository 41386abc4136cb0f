/* SPDX-License-Identifier: MIT */
#include "confine/confine.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "confine/call_filter.h"
#include "confine/capabilities.h"
#include "confine/landlock.h"

static void note(struct diag *missing, const char *what, int error)
{
    const size_t len = strlen(missing->what);

    if (error != 0)
        snprintf(missing->what + len, sizeof(missing->what) - len, "%s%s (%s)",
                 len > 0 ? ", " : "not confined in full, as the kernel does not have all: ", what,
                 strerror(error));
}

void confine(const struct confinement *c, struct diag *missing)
{
    diag_set(missing, NULL, "%s", "");
    note(missing, "no_new_privs", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno);
    note(missing, "capabilities", capabilities_drop(c->reads_all_users));
    note(missing, "Landlock", landlock_confine(c->readable));
    note(missing, "seccomp", call_filter_install(c->calls));
}

bool confine_memory(uint64_t bytes)
{
    const rlim_t most = bytes < RLIM_INFINITY ? (rlim_t)bytes : RLIM_INFINITY;
    struct rlimit limit;

    if (getrlimit(RLIMIT_AS, &limit) != 0)
        return false;
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > most)
        limit.rlim_max = most;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_AS, &limit) == 0;
}
