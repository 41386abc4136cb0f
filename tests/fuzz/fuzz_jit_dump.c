/* SPDX-License-Identifier: MIT */
/*
 * Jitdumps over any bytes. Every name is in the file, and it comes to an end. What is found in the
 * beginning of a file is found in all of it.
 */
#include "fuzz.h"

#include "runtime/jit/jit_dump.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct jit_dump whole, half;
    struct jit_dump_function a, b;
    struct diag diag;

    (void)jit_dump_is(data, size);
    if (jit_dump_init(&whole, data, size, "fuzz", &diag) != STATUS_OK)
        return 0;
    if (jit_dump_init(&half, data, size / 2, "fuzz", &diag) == STATUS_OK) {
        while (jit_dump_next(&half, "fuzz", &a, &diag) == STATUS_OK) {
            if (jit_dump_next(&whole, "fuzz", &b, &diag) != STATUS_OK ||
                a.start_addr != b.start_addr || a.size != b.size || a.name != b.name ||
                a.name_len != b.name_len)
                abort();
        }
        jit_dump_deinit(&half);
    }
    while (jit_dump_next(&whole, "fuzz", &b, &diag) == STATUS_OK) {
        if ((const uint8_t *)b.name < data || (const uint8_t *)b.name + b.name_len >= data + size ||
            b.size == 0)
            abort();
        fuzz_use(fuzz_touch(b.name, b.name_len));
    }
    jit_dump_deinit(&whole);
    return 0;
}
