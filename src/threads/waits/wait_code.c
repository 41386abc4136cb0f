#include "threads/waits/wait_code.h"

#include <string.h>

#include "symbol/elf/elf_image.h"

#define SVC_A64 0xd4000001u /* svc #0 */

/* By number of arch/arch.h. */
#define A64_NUMBER 8 /* x8 */

bool wait_code_call(const struct arch *arch, const struct ingest_sample *given,
                    struct snap_sample *out)
{
    const struct frame *frame = given->chain->frames;
    const uint8_t *bytes;
    uint64_t available;
    uint32_t insn;

    if (arch->id != ARCH_AARCH64 || given->chain->count == 0 || !frame->vaddr_known ||
        !frame->module || !frame->module->image)
        return false;
    bytes = elf_image_bytes_at(frame->module->image, frame->lookup_vaddr, &available);
    if (!bytes || available < sizeof(insn))
        return false;
    memcpy(&insn, bytes, sizeof(insn));
    if (insn != SVC_A64)
        return false;
    *out = *given->sample;
    out->has_syscall = true;
    out->syscall = (int64_t)out->regs.value[A64_NUMBER];
    memcpy(out->syscall_args, out->regs.value, sizeof(out->syscall_args)); /* x0 to x5 */
    return true;
}
