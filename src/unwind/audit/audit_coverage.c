/* SPDX-License-Identifier: MIT */
#include "unwind/audit/audit_private.h"
#include "unwind/sources/cfi.h"

void audit_coverage(struct cfi *cfi, const struct elf_image *image, struct audit *out)
{
    uint64_t start_vaddr, end_vaddr, done_vaddr = 0;
    size_t count, range = 0;
    const struct vaddr_range *ranges = elf_image_exec_ranges(image, &count);

    for (size_t i = 0; i < count; i++)
        out->code_bytes += ranges[i].end_vaddr - ranges[i].start_vaddr;
    for (size_t i = 0; cfi_function_at(cfi, i, &start_vaddr, &end_vaddr) == STATUS_OK; i++) {
        if (start_vaddr < done_vaddr)
            start_vaddr = done_vaddr;
        while (range < count && ranges[range].end_vaddr <= start_vaddr)
            range++;
        for (size_t k = range; k < count && ranges[k].start_vaddr < end_vaddr; k++) {
            uint64_t from = ranges[k].start_vaddr, to = ranges[k].end_vaddr;

            from = from < start_vaddr ? start_vaddr : from;
            to = to > end_vaddr ? end_vaddr : to;
            out->covered_bytes += to > from ? to - from : 0;
        }
        if (end_vaddr > done_vaddr)
            done_vaddr = end_vaddr;
    }
}
