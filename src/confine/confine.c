/* SPDX-License-Identifier: MIT */
#include "confine/confine.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
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
    const struct rlimit no_core = {0};

    diag_set(missing, NULL, "%s", "");
    note(missing, "no_new_privs", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno);
    note(missing, "limits", setrlimit(RLIMIT_CORE, &no_core) == 0 ? 0 : errno);
    note(missing, "capabilities", capabilities_drop(c->reads_all_users));
    note(missing, "Landlock", landlock_confine(c->readable, c->runs));
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

/* Is there room for a page under this limit? */
static bool has_room(rlim_t most, rlim_t hard)
{
    const struct rlimit limit = {.rlim_cur = most, .rlim_max = hard};
    void *page;

    if (setrlimit(RLIMIT_AS, &limit) != 0)
        return false;
    page = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (page == MAP_FAILED)
        return false;
    munmap(page, 1);
    return true;
}

/* Tries limits to find the bytes in use, by some 50 pairs of calls: /proc may be out of reach. */
bool confine_more_memory(uint64_t bytes)
{
    const rlim_t most = (rlim_t)1 << (sizeof(void *) == 8 ? 47 : 31);
    struct rlimit limit;
    rlim_t first = 0, end;

    if (getrlimit(RLIMIT_AS, &limit) != 0)
        return false;
    end = limit.rlim_cur < most ? limit.rlim_cur : most;
    while (end - first > 1 << 16) {
        const rlim_t middle = first + (end - first) / 2;

        if (has_room(middle, limit.rlim_max))
            end = middle;
        else
            first = middle;
    }
    if (limit.rlim_cur == RLIM_INFINITY || (bytes < limit.rlim_cur - end))
        limit.rlim_cur = bytes < RLIM_INFINITY - end ? end + (rlim_t)bytes : RLIM_INFINITY;
    limit.rlim_max = limit.rlim_cur;
    return setrlimit(RLIMIT_AS, &limit) == 0;
}
