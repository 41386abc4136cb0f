/*
 * A module in Rust: it calls back, and catches a panic of its own while a destructor runs.
 *
 * chain: .. < load < main < ..
 * chain: called_back < plugin_run < use < main < ..
 * chain: .. < plugin_run < use < main < ..
 * chain: .. < plugin_thrower < plugin_guarded < .. < plugin_catch < use < main < ..
 * chain: .. < plugin_thrower < plugin_guarded < plugin_catch < use < main < ..
 * chain: plugin_leave < .. < plugin_guarded < .. < plugin_catch < use < main < ..
 * chain: plugin_leave < .. < plugin_guarded < plugin_catch < use < main < ..
 * chain: plugin_leave < plugin_guarded < .. < plugin_catch < use < main < ..
 * chain: plugin_leave < plugin_guarded < plugin_catch < use < main < ..
 * chain: .. < plugin_guarded < .. < plugin_catch < use < main < ..
 * chain: .. < plugin_guarded < plugin_catch < use < main < ..
 * chain: .. < plugin_catch < use < main < ..
 * chain: .. < use < main < ..
 *
 * excused arm: libgcc_s.so.1: while it searches for the handler the runtime overwrites the return addresses it saved
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "common.h"

static unsigned (*plugin_run)(unsigned (*)(unsigned), unsigned);
static unsigned (*plugin_catch)(unsigned);

KEEP static unsigned called_back(unsigned value)
{
    return spin(5000) + value;
}

KEEP static void load(void)
{
    void *plugin = dlopen("./plugin.so", RTLD_NOW);

    if (!plugin)
        abort();
    plugin_run = (unsigned (*)(unsigned (*)(unsigned), unsigned))dlsym(plugin, "plugin_run");
    plugin_catch = (unsigned (*)(unsigned))dlsym(plugin, "plugin_catch");
    if (!plugin_run || !plugin_catch)
        abort();
}

KEEP static void use(void)
{
    for (unsigned i = 0; i < 50; i++)
        sink = plugin_run(called_back, i);
    sink = plugin_catch(4);
}

int main(void)
{
    load();
    ready();
    while (running)
        use();
}
