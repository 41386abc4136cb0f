/* SPDX-License-Identifier: MIT */
#include "unwind/behind_call.h"

#include "arch/analysis/analysis.h"
#include "symbol/module.h"

#define INSN_MAX 4 /* bytes of a system call instruction, at most, on any architecture */

bool chain_is_behind_call(const struct arch *arch, const struct chain *chain)
{
    const struct frame *frame = chain->frames;
    const uint8_t *bytes;
    uint64_t available;

    if (!chain->count || !frame->module || !frame->vaddr_known || !frame->module->image ||
        frame->lookup_vaddr < INSN_MAX)
        return false;
    bytes = elf_image_bytes_at(frame->module->image, frame->lookup_vaddr - INSN_MAX, &available);
    return bytes && available >= INSN_MAX && syscall_insn_before(arch, bytes, INSN_MAX);
}
