/* SPDX-License-Identifier: MIT */
/*
 * Keeps data about the target's files that outlive a moment (moment.h): modules, rows, names. These
 * data grow with each look-up. When they have grown by ENGINE_GROWTH_MAX since the first moment,
 * engine_is_due says so; the caller closes the engine and opens it anew.
 */
#ifndef TOOLS_CGTOP_ENGINE_H
#define TOOLS_CGTOP_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "cache/cache.h"
#include "fetch/live.h"
#include "graph/names.h"
#include "symbol/module_set.h"
#include "symbol/symbolize.h"
#include "unwind/unwinder.h"

/* the most bytes by which this process's own memory may grow (engine_is_due) */
#define ENGINE_GROWTH_MAX (UINT64_C(48) << 20)

struct engine {
    struct module_options modules_options; /* set by the caller, but for `arch` and `cache` */
    struct cache *cache; /* set by the caller: cache of analyses and sections; NULL: none */
    /* Set by engine_open: */
    const struct arch *arch;
    struct module_set *modules;
    struct symbolizer *symbolizer;
    struct unwinder *unwinder;
    struct names *names;
    /* Private: */
    bool is_measured;
    uint64_t base; /* bytes of this process's own memory after the first moment */
};

/*
 * Opens the engine for `arch`; does nothing if it is open. Fails with NO_MEMORY only; engine_close
 * frees what was made.
 */
MUST_CHECK enum status engine_open(struct engine *engine, const struct arch *arch);

/*
 * Closes the engine, if it is open. Moments that used it must have been freed before
 * (moment_deinit).
 */
void engine_close(struct engine *engine);

/*
 * Whether this process's own memory without `others`, the bytes that other parts of the program
 * hold, has grown by more than ENGINE_GROWTH_MAX since the first call after engine_open. Call it
 * after each moment.
 */
bool engine_is_due(struct engine *engine, uint64_t others);

#endif
