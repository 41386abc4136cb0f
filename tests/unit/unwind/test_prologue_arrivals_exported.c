/* SPDX-License-Identifier: MIT */
/* How exported functions are entered: by calls, whatever registers they use. */
#include "function_search_fixture.h"

/* OCaml has the state of its allocator in r7, which the ABI keeps for callers. */
TEST(prologue_exported_function_that_begins_with_a_kept_register_has_rows)
{
    static const int64_t cfa_offs[] = {0, 48, 48, 48, 48, 48, 0};
    struct elf_fixture *elf = fixture_create(EM_ARM);
    struct symbol_fixture symbols;
    struct text text = {.size = 0};
    struct search s;
    const struct row *row;

    ADD(&text, "\x1e\xff\x2f\xe1"); /* 00 bx lr */
    while (text.size < 0x10)
        ADD(&text, "\x00\xf0\x20\xe3"); /* nop */
    ADD(&text, "\x30\xd0\x4d\xe2");     /* 10 sub sp, sp, #48 */
    ADD(&text, "\x2c\xe0\x8d\xe5");     /* 14 str lr, [sp, #44] */
    ADD(&text, "\x00\xc0\x97\xe5");     /* 18 ldr ip, [r7] */
    ADD(&text, "\x0c\x00\x80\xe0");     /* 1c add r0, r0, ip */
    ADD(&text, "\x2c\xe0\x9d\xe5");     /* 20 ldr lr, [sp, #44] */
    ADD(&text, "\x30\xd0\x8d\xe2");     /* 24 add sp, sp, #48 */
    ADD(&text, "\x1e\xff\x2f\xe1");     /* 28 bx lr */
    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text.bytes, text.size);
    symbols_init(&symbols);
    symbols_add(&symbols, "camlMain_entry", STB_GLOBAL, STT_FUNC, FIXTURE_FIRST + 0x10, 0x1c);
    fixture_symbols(elf, &symbols, true);
    open_fixture(&s, elf, false, true);
    assert_found(&s, "0 entry, 10 dynsym");
    for (unsigned i = 0; i < sizeof(cfa_offs) / sizeof(cfa_offs[0]); i++) {
        assert_int_equal(module_rows_find(s.rows, TRUST_PROLOGUE, FIXTURE_FIRST + 0x10 + 4 * i,
                                          &row),
                         STATUS_OK);
        assert_int_equal(row->cfa.off, cfa_offs[i]);
    }
    close_file(&s);
}
