/* SPDX-License-Identifier: MIT */
#include "tools/sandbox_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Returns the power of two that the suffix stands for; -1: there is no such suffix. */
static int suffix_shift(const char *suffix)
{
    static const char letters[] = "KMGT";
    const char *letter = *suffix ? strchr(letters, *suffix) : NULL;

    if (!*suffix)
        return 0;
    return letter && !suffix[1] ? 10 * (int)(letter - letters + 1) : -1;
}

int option_set_bytes(const struct option_use *use)
{
    uint64_t *field = (uint64_t *)(void *)((char *)use->options + use->spec->field);
    char *end;
    unsigned long long value;
    int shift;

    errno = 0;
    value = strtoull(use->argument, &end, 10);
    shift = suffix_shift(end);
    if (errno || end == use->argument || strchr(use->argument, '-') || shift < 0 || value == 0 ||
        value > UINT64_MAX >> shift)
        return options_refuse(use->table, "%s: not a size like 512M: %s", use->given,
                              use->argument);
    *field = (uint64_t)value << shift;
    return -1;
}
