/* SPDX-License-Identifier: MIT */
#include "graph/thread_state.h"

#include <stddef.h>

#include "snapshot/event.h"

/* proc(5), field 3 of /proc/PID/stat, and our own. */
const char *thread_state_name(char state)
{
    switch (state) {
    case 'R':
        return "running";
    case SNAP_STATE_READY:
        return "ready";
    case 'S':
        return "sleeping";
    case 'D':
        return "disk-sleep";
    case 'T':
        return "stopped";
    case 't':
        return "tracing-stop";
    case 'Z':
        return "zombie";
    case 'X':
    case 'x':
        return "dead";
    case 'I':
        return "idle";
    case 'P':
        return "parked";
    default:
        return NULL;
    }
}
