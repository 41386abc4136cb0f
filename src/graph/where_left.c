/* SPDX-License-Identifier: MIT */
#include "graph/where_left.h"

#include "arch/analysis/analysis.h"

#define INSN_MAX 4 /* bytes of an instruction that makes a system call, of any architecture */

static bool is_behind_call(const struct arch *arch, const struct frame *frame)
{
    const uint8_t *bytes = NULL;
    uint64_t available = 0;

    if (frame->module && frame->vaddr_known && frame->module->image &&
        frame->lookup_vaddr >= INSN_MAX)
        bytes = elf_image_bytes_at(frame->module->image, frame->lookup_vaddr - INSN_MAX,
                                   &available);
    return bytes && available >= INSN_MAX && syscall_insn_before(arch, bytes, INSN_MAX);
}

bool where_left_rank(const struct arch *arch, const struct snap_sample *sample,
                     const struct chain *chain, enum cpu_rank *rank)
{
    if (!snap_state_is_runnable(sample->state) || sample->repeat)
        return false;
    if (sample->state == 'R')
        *rank = CPU_ON;
    else if (chain->count && is_behind_call(arch, &chain->frames[0]))
        *rank = CPU_LEFT_IN_CALL;
    else
        *rank = CPU_LEFT_IN_CODE;
    return true;
}
