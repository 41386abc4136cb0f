/* SPDX-License-Identifier: MIT */
/* Registers as a text, of --regs. Input: a byte, which architecture it is of, then the text. */
#include "fuzz.h"

#include "boards/dump/registers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct arch *arch;
    struct diag diag = {.what = ""};
    struct regs regs;
    struct dump_system system;
    char *text;

    if (size == 0)
        return 0;
    arch = arch_get((enum arch_id)(data[0] % ARCH_COUNT));
    text = malloc(size - 1 + !(size - 1)); /* of exactly its size, for the sanitizer */
    if (!text)
        return 0;
    memcpy(text, data + 1, size - 1);
    if (registers_read(text, size - 1, arch, "regs", &regs, &system, &diag) != STATUS_OK) {
        if (!diag.what[0])
            abort();
        fuzz_use_diag(&diag);
    } else {
        if (!regs_has(&regs, arch->pc) || !regs_has(&regs, arch->sp))
            abort();
        for (unsigned i = 0; i < ARCH_REG_MAX; i++)
            if (regs_has(&regs, i) &&
                (i >= arch->all_regs || (arch->word_size == 4 && regs.value[i] > UINT32_MAX)))
                abort();
    }
    free(text);
    return 0;
}
