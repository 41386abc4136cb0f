/* SPDX-License-Identifier: MIT */
#include "unwind/row/trust.h"

const char *trust_name(enum trust trust)
{
    static const char *const names[TRUST_COUNT] = {"context",  "kernel", "exception", "debug_frame",
                                                   "eh_frame", "exidx",  "gopclntab", "prologue",
                                                   "fp",       "lr",     "scan"};

    return names[trust];
}
