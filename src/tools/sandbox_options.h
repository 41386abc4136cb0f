/* SPDX-License-Identifier: MIT */
/*
 * The options of programs that confine themselves.
 */
#ifndef TOOLS_SANDBOX_OPTIONS_H
#define TOOLS_SANDBOX_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/options.h"

struct sandbox_options {
    bool off;
    uint64_t memory; /* bytes; 0: no limit */
};

/* Setter of a uint64_t: bytes, or with K, M, G or T behind. */
option_apply option_set_bytes;

#endif
