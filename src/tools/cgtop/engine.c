/* SPDX-License-Identifier: MIT */
#include "tools/cgtop/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/procfs.h"

enum status engine_open(struct engine *engine, const struct arch *arch)
{
    const struct unwinder_options unwinder = {.cache = engine->cache};
    enum status status;

    if (engine->modules)
        return STATUS_OK;
    engine->arch = arch;
    engine->is_measured = false;
    engine->modules_options.arch = arch;
    engine->modules_options.cache = engine->cache;
    status = module_set_create(&engine->modules_options, &engine->modules);
    if (status == STATUS_OK)
        status = symbolizer_create(engine->modules, false, true, &engine->symbolizer);
    if (status == STATUS_OK)
        status = unwinder_create(arch, engine->modules, &unwinder, &engine->unwinder);
    if (status == STATUS_OK)
        status = names_create(engine->symbolizer, engine->unwinder, &engine->names);
    return status;
}

void engine_close(struct engine *engine)
{
    names_destroy(engine->names);
    if (engine->unwinder)
        unwinder_keep(engine->unwinder);
    unwinder_destroy(engine->unwinder);
    symbolizer_destroy(engine->symbolizer);
    module_set_destroy(engine->modules);
    engine->names = NULL;
    engine->unwinder = NULL;
    engine->symbolizer = NULL;
    engine->modules = NULL;
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

/* Returns the bytes of private memory, without mapped files; 0: not known. */
static uint64_t own_memory(void)
{
    uint64_t size, resident, shared;
    char text[128];
    ssize_t n = proc_readf(text, sizeof(text) - 1, "/proc/self/statm");

    if (n <= 0)
        return 0;
    text[n] = '\0';
    if (sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &size, &resident, &shared) != 3 ||
        resident < shared)
        return 0;
    return (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE);
}

bool engine_is_due(struct engine *engine, uint64_t others)
{
    const uint64_t memory = own_memory(), own = memory > others ? memory - others : 0;

    if (!engine->is_measured) {
        engine->base = own;
        engine->is_measured = true;
    }
    return own > engine->base && own - engine->base > ENGINE_GROWTH_MAX;
}
