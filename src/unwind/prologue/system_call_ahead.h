/* SPDX-License-Identifier: MIT */
/*
 * Finds the system call that code makes before it calls or branches, by executing it as prologue
 * analysis does:
 *
 *     endbr64; mov $15,%ecx; mov %ecx,%eax; syscall       number 15
 */
#ifndef UNWIND_PROLOGUE_SYSTEM_CALL_AHEAD_H
#define UNWIND_PROLOGUE_SYSTEM_CALL_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/code/code.h"

struct system_call_ahead {
    int64_t number;     /* -1: not known */
    uint64_t end_vaddr; /* behind the instruction that calls the system */
    bool is_still;      /* no instruction before it moves SP */
    bool has_jumped;    /* it follows a jump */
    bool sp_moved;      /* at the call SP is not what it was at the beginning */
};

/*
 * False: the code calls, jumps twice, branches or returns first, has an instruction that is not
 * always executed, or makes no system call within 16 instructions or 64 bytes.
 */
bool system_call_ahead_find(struct code *code, uint64_t vaddr, enum code_mode mode,
                            struct system_call_ahead *out);

#endif
