/* SPDX-License-Identifier: MIT */
#include "unwind/chain.h"

#include <stdlib.h>

#include "unwind/suffix_cache.h"

const char *stop_reason_name(enum stop_reason stop)
{
    static const char *const names[STOP_COUNT] = {"thread-start", "undefined-ra", "stack-end",
                                                  "truncated",    "no-rule",      "implausible",
                                                  "depth",        "reset"};

    return names[stop];
}

void chain_deinit(struct chain *chain)
{
    if (chain->frames)
        free(chain->frames - chain->room);
    free(chain->regs);
    suffix_cache_destroy(chain->suffix);
    *chain = (struct chain){0};
}
