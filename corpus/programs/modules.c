/*
 * A module that comes and goes: its constructor, its destructor, a function of it that calls back.
 *
 * chain: plugin_step < plugin_begin < .. < load < main < ..
 * chain: plugin_step_back < plugin_end < .. < unload < main < ..
 * chain: called_back < plugin_run < use < main < ..
 * chain: .. < use < main < ..
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "common.h"

static void *plugin;

KEEP static unsigned called_back(unsigned value)
{
    return spin(30) + value;
}

KEEP static void load(void)
{
    plugin = dlopen("./plugin.so", RTLD_NOW);
    if (!plugin)
        abort();
}

KEEP static void use(void)
{
    unsigned (*run)(unsigned (*)(unsigned), unsigned) =
        (unsigned (*)(unsigned (*)(unsigned), unsigned))dlsym(plugin, "plugin_run");

    for (unsigned i = 0; i < 200; i++)
        sink = run(called_back, i);
}

KEEP static void unload(void)
{
    if (dlclose(plugin))
        abort();
    sink = spin(1);
}

int main(void)
{
    ready();
    while (running) {
        load();
        use();
        unload();
    }
}
