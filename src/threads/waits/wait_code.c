/* SPDX-License-Identifier: MIT */
#include "threads/waits/wait_code.h"

#include "arch/analysis/analysis.h"
#include "symbol/elf/elf_image.h"

bool wait_code_call(const struct arch *arch, const struct ingest_sample *given,
                    struct snap_sample *out)
{
    const struct frame *frame = given->chain->frames;
    const uint8_t *bytes;
    uint64_t available;

    if (arch_analysis(arch)->core.syscall != CORE_SYSCALL_INSN || given->chain->count == 0 ||
        !frame->vaddr_known || !frame->module || !frame->module->image)
        return false;
    bytes = elf_image_bytes_at(frame->module->image, frame->lookup_vaddr, &available);
    if (!bytes || !syscall_insn_at(arch, bytes, available))
        return false;
    *out = *given->sample;
    out->has_syscall = true;
    out->syscall = (int64_t)out->regs.value[arch->syscall_number];
    for (unsigned i = 0; i < 6; i++)
        out->syscall_args[i] = out->regs.value[arch->syscall_args[i]];
    return true;
}
