/* SPDX-License-Identifier: MIT */
/* The search for functions that nothing but pointers leads to. */
#include "function_search_fixture.h"

#define COUNT_MAX 25u
#define STEP      16u

/* `count` times the code, with a pointer to each, behind an entry point that returns. */
static void check_pointed(const char *code, size_t size, unsigned count, bool found)
{
    struct text text = {.size = 0};
    Elf64_Rela relocs[COUNT_MAX];
    char expected[32 * COUNT_MAX] = "0 entry";

    ADD(&text, "\xc3");
    for (unsigned i = 0; i < count; i++) {
        const size_t off = (i + 1) * STEP;

        landing_pad(&text, off);
        add(&text, code, size);
        relocs[i] = (Elf64_Rela){.r_offset = FIXTURE_FIRST + 0x2000 + i * 8,
                                 .r_info = ELF64_R_INFO(0, R_X86_64_RELATIVE),
                                 .r_addend = (Elf64_Sxword)(FIXTURE_FIRST + off)};
        if (found)
            sprintf(expected + strlen(expected), ", %zx pointer", off);
    }
    check_relocated(&text, "f", relocs, count, expected);
}

/* As php's handlers, which have a position in r15: gcc's global register variable. */
TEST(search_functions_that_share_a_register_are_found)
{
    static const char handler[] = "\x49\x63\x47\x08\x49\x83\xc7\x20\xc3";

    /* movsxd rax, [r15 + 8]; add r15, 32; ret */
    check_pointed(handler, sizeof(handler) - 1, COUNT_MAX, true);
    check_pointed(handler, sizeof(handler) - 1, 19, false); /* so few may be anything */
}

/* Blocks of a large function use all registers that they can have. */
TEST(search_labels_that_share_many_registers_are_none)
{
    static const char block[] = "\x48\x01\xd8\x49\x01\xc4\x4d\x01\xe5\x4d\x01\xee\x4d\x01\xf7\xc3";

    /* add rax, rbx; add r12, rax; add r13, r12; add r14, r13; add r15, r14; ret */
    check_pointed(block, sizeof(block) - 1, COUNT_MAX, false);
}
