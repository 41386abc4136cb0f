/* SPDX-License-Identifier: MIT */
/* A directory of the test's own, in which a cache may be. */
#ifndef TESTS_UNIT_CACHE_FIXTURE_H
#define TESTS_UNIT_CACHE_FIXTURE_H

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static char cache_root[PATH_MAX];

static inline int cache_root_make(void **state)
{
    (void)state;
    snprintf(cache_root, sizeof(cache_root), "%s", "/tmp/test_cache-XXXXXX");
    return mkdtemp(cache_root) ? setenv("CGUNWIND_CACHE", cache_root, 1) : 1;
}

static inline int cache_root_remove(void **state)
{
    char command[PATH_MAX + 16];

    (void)state;
    snprintf(command, sizeof(command), "rm -rf '%s'", cache_root);
    return system(command);
}

#endif
