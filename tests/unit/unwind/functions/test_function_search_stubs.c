/* SPDX-License-Identifier: MIT */
/*
 * The search for functions: linkers' stubs for Cortex-A8's erratum 657417. A branch that would lie
 * across two pages goes to a stub behind all code instead, and back from there.
 */
#include "function_search_fixture.h"

static void nops(struct text *text, size_t off)
{
    while (text->size < off)
        ADD(text, "\x00\xbf");
}

/* The function at 10 has its branches in the stub at 40; only a pointer leads to it. */
TEST_OF(search_function_is_not_cut_where_a_stub_leads_back, text, text)
{
    static const Elf32_Rel reloc = {.r_offset = (Elf32_Addr)FIXTURE_FIRST + 0x50,
                                    .r_info = R_ARM_RELATIVE};
    static const uint32_t pointer = (uint32_t)FIXTURE_FIRST + 0x11;
    struct elf_fixture *elf = fixture_create(EM_ARM);
    struct search s;
    const struct row *row;

    ADD(text, "\x10\xb5");         /* 00 push {r4, lr} */
    ADD(text, "\x00\xf0\x15\xf8"); /* 02 bl 30 */
    ADD(text, "\x10\xbd");         /* 06 pop {r4, pc} */
    nops(text, 0x10);
    ADD(text, "\x10\xb5\x04\x46"); /* 10 push {r4, lr}; mov r4, r0 */
    ADD(text, "\x30\xb1\x05\x28"); /* 14 cbz r0, 24; cmp r0, #5 */
    ADD(text, "\x00\xf0\x12\xb8"); /* 18 b.w 40: was bne.w 20 */
    ADD(text, "\x02\x20\x10\xbd"); /* 1c movs r0, #2; pop {r4, pc} */
    ADD(text, "\x03\x20\x10\xbd"); /* 20 movs r0, #3; pop {r4, pc} */
    ADD(text, "\x00\x20\x10\xbd"); /* 24 movs r0, #0; pop {r4, pc} */
    nops(text, 0x30);
    ADD(text, "\x70\x47"); /* 30 bx lr */
    nops(text, 0x40);
    ADD(text, "\x01\xd1");         /* 40 bne 46 */
    ADD(text, "\xff\xf7\xeb\xbf"); /* 42 b.w 1c */
    ADD(text, "\xff\xf7\xeb\xbf"); /* 46 b.w 20 */
    nops(text, 0x50);
    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text->bytes, text->size);
    assert_int_equal(
        elf->sections[fixture_section(elf, ".data.rel.ro", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE,
                                      &pointer, sizeof(pointer))]
            .sh_addr,
        reloc.r_offset);
    fixture_section(elf, ".rel.dyn", SHT_REL, SHF_ALLOC, &reloc, sizeof(reloc));
    open_fixture(&s, elf, true, true);
    assert_found(&s, "0 entry, 10 pointer, 30 call, 40 fragment");
    for (uint64_t off = 0x1c; off <= 0x20; off += 4) {
        assert_int_equal(module_rows_find(s.rows, TRUST_PROLOGUE, FIXTURE_FIRST + off, &row),
                         STATUS_OK);
        assert_int_equal(row->cfa.off, 8);
    }
    close_file(&s);
}
