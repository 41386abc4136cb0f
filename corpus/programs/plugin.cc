/* What plugins.cc loads. */
#include "common.h"

/* Names without mangling, so that the chains in plugins.cc can be read. */
extern "C" {
void plugin_begin(void);
void plugin_end(void);
void plugin_leave(unsigned value);
void plugin_handle(unsigned value);
void plugin_thrower(unsigned value);
void plugin_guarded(unsigned value);
void plugin_caller(unsigned (*function)(unsigned), unsigned value);
__attribute__((visibility("default"))) void plugin_throw(unsigned value);
__attribute__((visibility("default"))) void plugin_call(unsigned (*function)(unsigned),
                                                        unsigned value);
}

static volatile unsigned plugin_sink;

/* Long enough to be seen: a plugin that is new is known to cgsnap when a PC lies in it. */
KEEP void plugin_begin()
{
    plugin_sink = spin(400000);
}

KEEP void plugin_end()
{
    plugin_sink = spin(250000);
}

KEEP void plugin_leave(unsigned value)
{
    plugin_sink = spin(250000) + value;
}

KEEP void plugin_handle(unsigned value)
{
    plugin_sink = spin(250000) ^ value;
}

namespace {

struct Whole {
    Whole()
    {
        plugin_begin();
    }
    ~Whole()
    {
        plugin_end();
    }
};

struct Guard {
    unsigned value;
    ~Guard()
    {
        plugin_leave(value);
    }
};

Whole whole;

} // namespace

KEEP void plugin_thrower(unsigned value)
{
    plugin_sink = spin(250000);
    throw value;
}

KEEP void plugin_guarded(unsigned value)
{
    Guard guard{value};

    plugin_thrower(value);
    plugin_sink = 1;
}

KEEP void plugin_throw(unsigned value)
{
    plugin_guarded(value);
    plugin_sink = 2;
}

KEEP void plugin_caller(unsigned (*function)(unsigned), unsigned value)
{
    try {
        Guard guard{value};

        plugin_sink = function(value);
    } catch (unsigned caught) {
        plugin_handle(caught);
        throw;
    }
    plugin_sink = 3;
}

KEEP void plugin_call(unsigned (*function)(unsigned), unsigned value)
{
    plugin_caller(function, value);
    plugin_sink = 4;
}
