/* What modules.c loads. */
#include "common.h"

static volatile unsigned plugin_sink;

KEEP static unsigned plugin_step(unsigned value)
{
    return spin(100) + value;
}

__attribute__((constructor)) KEEP static void plugin_begin(void)
{
    for (unsigned i = 0; i < 200; i++)
        plugin_sink = plugin_step(i);
}

KEEP static unsigned plugin_step_back(unsigned value)
{
    return spin(100) ^ value;
}

__attribute__((destructor)) KEEP static void plugin_end(void)
{
    for (unsigned i = 0; i < 200; i++)
        plugin_sink = plugin_step_back(i);
}

__attribute__((visibility("default"))) unsigned plugin_run(unsigned (*function)(unsigned),
                                                           unsigned value)
{
    unsigned result = function(value);

    plugin_sink = result;
    return result + spin(2);
}
