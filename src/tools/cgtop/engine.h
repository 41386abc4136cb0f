/* SPDX-License-Identifier: MIT */
/*
 * What is known of the target's files, and lasts longer than a moment: modules, rows, names. It
 * grows with what was looked up in them. So that it does not grow for ever, it is given up, and
 * begun anew, when it has grown by ENGINE_GROWTH_MAX since its first use: engine_is_due.
 */
#ifndef TOOLS_CGTOP_ENGINE_H
#define TOOLS_CGTOP_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "cache/cache.h"
#include "fetch/live.h"
#include "graph/names.h"
#include "symbol/module.h"
#include "symbol/symbolize.h"
#include "unwind/unwinder.h"

#define ENGINE_GROWTH_MAX (UINT64_C(48) << 20) /* bytes of this process's own memory */

struct engine {
    struct module_options modules_options; /* to be set; its arch is set by engine_open */
    struct cache *cache;                   /* to be set; NULL: none */
    /* Set by engine_open: */
    const struct arch *arch;
    struct module_set *modules;
    struct symbolizer *symbolizer;
    struct unwinder *unwinder;
    struct names *names;
    /* Private: */
    bool is_measured;
    uint64_t base; /* bytes in use after its first moment */
};

/* Does nothing if it is open. Fails only for memory. */
MUST_CHECK enum status engine_open(struct engine *engine, const struct arch *arch);

/* Of one that is not open, too. Nothing that came of it may be used any more. */
void engine_close(struct engine *engine);

/*
 * To be called after each moment, with the bytes that are held otherwise: is it time to close it?
 */
bool engine_is_due(struct engine *engine, uint64_t others);

#endif
