/* SPDX-License-Identifier: MIT */
/*
 * The call-site table of an LSDA over any bytes. Input: one byte of flags (bit 0: 32-bit), then the
 * LSDA.
 */
#include <stdlib.h>
#include <string.h>

#include "unwind/sources/lsda.h"

#define FUNCTION UINT64_C(0x401000)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct lsda_place place = {.start_vaddr = FUNCTION, .lsda_vaddr = 0x402000};
    struct landing_pads pads = {0};
    uint64_t last_end_vaddr = FUNCTION;
    uint8_t *copy;
    enum status status;

    if (size < 1)
        return 0;
    copy = malloc(size - 1 + (size == 1)); /* a read behind it is one behind an allocation */
    if (!copy)
        return 0;
    memcpy(copy, data + 1, size - 1);
    status =
        lsda_read(&place, arch_get(data[0] & 1 ? ARCH_ARM : ARCH_X86_64), copy, size - 1, &pads);
    if (status != STATUS_OK && pads.count > 0)
        abort();
    for (size_t i = 0; i < pads.count; i++) {
        const struct landing_pad *pad = &pads.items[i];

        if (pad->start_vaddr < last_end_vaddr || pad->end_vaddr <= pad->start_vaddr)
            abort();
        last_end_vaddr = pad->end_vaddr;
    }
    landing_pads_deinit(&pads);
    free(copy);
    return 0;
}
