/*
 * C++: exceptions that pass from a module into the program and the other way, objects of a module that comes and goes.
 *
 * chain: plugin_begin < .. < load < main < ..
 * chain: plugin_end < .. < unload < main < ..
 * chain: .. < load < main < ..
 * chain: .. < unload < main < ..
 * chain: .. < plugin_thrower < plugin_guarded < plugin_throw < catcher < main < ..
 * chain: plugin_leave < plugin_guarded < plugin_throw < catcher < main < ..
 * chain: .. < plugin_guarded < plugin_throw < catcher < main < ..
 * chain: .. < plugin_throw < catcher < main < ..
 * chain: .. < catcher < main < ..
 * chain: handle < catcher < main < ..
 * chain: .. < called_back < plugin_caller < plugin_call < giver < main < ..
 * chain: plugin_leave < plugin_caller < plugin_call < giver < main < ..
 * chain: plugin_handle < plugin_caller < plugin_call < giver < main < ..
 * chain: .. < plugin_caller < plugin_call < giver < main < ..
 * chain: .. < plugin_call < giver < main < ..
 * chain: .. < giver < main < ..
 * chain: handle < giver < main < ..
 *
 * excused arm: libgcc_s.so.1 libstdc++.so.6: while it searches for the handler the runtime overwrites the return addresses it saved
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "common.h"

/* Names without mangling, so that the chains above can be read. */
extern "C" {
void load(void);
void unload(void);
void handle(unsigned value);
unsigned called_back(unsigned value);
void catcher(void);
void giver(void);
}

static void *plugin;

template <typename Function> static Function *function_of_plugin(const char *name)
{
    void *function = dlsym(plugin, name);

    if (!function)
        abort();
    return reinterpret_cast<Function *>(function);
}

static void (*plugin_throw)(unsigned);
static void (*plugin_call)(unsigned (*)(unsigned), unsigned);

KEEP void load()
{
    plugin = dlopen("./plugin.so", RTLD_NOW);
    if (!plugin)
        abort();
    plugin_throw = function_of_plugin<void(unsigned)>("plugin_throw");
    plugin_call = function_of_plugin<void(unsigned (*)(unsigned), unsigned)>("plugin_call");
}

KEEP void unload()
{
    if (dlclose(plugin))
        abort();
    sink = spin(1);
}

KEEP void handle(unsigned value)
{
    sink = spin(250000) + value;
}

KEEP unsigned called_back(unsigned value)
{
    sink = spin(250000);
    throw value;
}

/* Thrown in the plugin, caught here. */
KEEP void catcher()
{
    try {
        plugin_throw(5);
    } catch (unsigned value) {
        handle(value);
    }
    sink = spin(1);
}

/* Thrown here, caught and thrown anew in the plugin, caught here. */
KEEP void giver()
{
    try {
        plugin_call(called_back, 6);
    } catch (unsigned value) {
        handle(value);
    }
    sink = spin(1);
}

int main()
{
    ready();
    while (running) {
        load();
        for (unsigned i = 0; i < 8; i++) {
            catcher();
            giver();
        }
        unload();
    }
}
