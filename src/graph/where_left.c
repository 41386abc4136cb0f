/* SPDX-License-Identifier: MIT */
#include "graph/where_left.h"

#include "unwind/behind_call.h"

bool where_left_rank(const struct arch *arch, const struct snap_sample *sample,
                     const struct chain *chain, enum cpu_rank *rank)
{
    if (!snap_state_is_runnable(sample->state) || sample->repeat)
        return false;
    if (sample->state == 'R')
        *rank = CPU_ON;
    else
        *rank = chain_is_behind_call(arch, chain) ? CPU_LEFT_IN_CALL : CPU_LEFT_IN_CODE;
    return true;
}
