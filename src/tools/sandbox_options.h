/* SPDX-License-Identifier: MIT */
/* Options of programs that confine themselves. */
#ifndef TOOLS_SANDBOX_OPTIONS_H
#define TOOLS_SANDBOX_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/options.h"

struct sandbox_options {
    bool off;
    uint64_t memory; /* limit of --memory, in bytes; 0: no limit */
};

/*
 * Sets the option's field, a uint64_t, to the argument: a number of bytes, or with the suffix K, M,
 * G or T (powers of 1024). Refuses 0.
 */
option_apply option_set_bytes;

#endif
