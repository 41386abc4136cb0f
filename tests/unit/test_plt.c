#include "elf_fixture.h"

#include "symbol/plt.h"
#include "symbol/symtab.h"

static void plt_x86_64_stubs_are_decoded(void **state)
{
    static const struct {
        const char *what;
        uint8_t bytes[16];
        size_t size;
        bool understood;
        struct plt_stub stub;
    } cases[] = {
        {"jmp *0x2fe2(%rip); push $0; jmp PLT0 (lazy .plt)",
         {0xff, 0x25, 0xe2, 0x2f, 0, 0, 0x68, 0, 0, 0, 0, 0xe9, 0xe0, 0xff, 0xff, 0xff},
         16,
         true,
         {.got_vaddr = 0x1020 + 6 + 0x2fe2}},
        {"jmp *-0x10(%rip); xchg (.plt.got)",
         {0xff, 0x25, 0xf0, 0xff, 0xff, 0xff, 0x66, 0x90},
         8,
         true,
         {.got_vaddr = 0x1020 + 6 - 0x10}},
        {"endbr64; bnd jmp *0x2f75(%rip) (.plt.sec)",
         {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0x75, 0x2f, 0, 0},
         16,
         true,
         {.got_vaddr = 0x1020 + 11 + 0x2f75}},
        {"endbr64; jmp *0x2f76(%rip) (.plt.sec without MPX)",
         {0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 0x76, 0x2f, 0, 0},
         16,
         true,
         {.got_vaddr = 0x1020 + 10 + 0x2f76}},
        {"endbr64; push $3; bnd jmp PLT0 (.plt beside .plt.sec)",
         {0xf3, 0x0f, 0x1e, 0xfa, 0x68, 3, 0, 0, 0, 0xf2, 0xe9, 0xe1, 0xff, 0xff, 0xff},
         16,
         true,
         {.reloc = 3, .by_index = true}},
        {"jmp *(%rip) cut short", {0xff, 0x25, 0, 0, 0}, 5, false, {0}},
        {"nops", {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90}, 8, false, {0}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct plt_stub stub = {0};

        if (plt_x86_64_decode(cases[i].bytes, cases[i].size, 0x1020, &stub) !=
                cases[i].understood ||
            stub.got_vaddr != cases[i].stub.got_vaddr || stub.reloc != cases[i].stub.reloc ||
            stub.by_index != cases[i].stub.by_index)
            fail_msg("%s", cases[i].what);
    }
}

#define GOT_VADDR UINT64_C(0x600000)

/* A lazy .plt of two stubs behind the resolver's entry; the relocations name puts and exit. */
static struct elf_image *lazy_image(void)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct symbol_fixture symbols;
    uint8_t stubs[48] = {0xff, 0x35};
    uint64_t plt_vaddr = FIXTURE_FIRST + 64;
    Elf64_Rela relocs[2];

    for (uint64_t i = 0; i < 2; i++) {
        uint8_t *stub = stubs + 16 + 16 * i;
        uint32_t disp = (uint32_t)(GOT_VADDR + 8 * i - (plt_vaddr + 16 + 16 * i + 6));

        stub[0] = 0xff;
        stub[1] = 0x25;
        memcpy(stub + 2, &disp, 4);
        relocs[i] = (Elf64_Rela){.r_offset = GOT_VADDR + 8 * i,
                                 .r_info = ELF64_R_INFO(i + 1, R_X86_64_JUMP_SLOT)};
    }
    symbols_init(&symbols);
    symbols_add(&symbols, "puts", STB_GLOBAL, STT_FUNC, 0, 0);
    symbols_add(&symbols, "exit", STB_GLOBAL, STT_FUNC, 0, 0);
    symbols.symbols[1].st_shndx = symbols.symbols[2].st_shndx = SHN_UNDEF;
    fixture_text(elf, 64);
    fixture_section(elf, ".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, stubs, sizeof(stubs));
    fixture_symbols(elf, &symbols, true);
    fixture_section(elf, ".rela.plt", SHT_RELA, SHF_ALLOC, relocs, sizeof(relocs));
    fixture_finish(elf);
    return fixture_open(elf);
}

static void plt_stub_is_named_after_its_symbol(void **state)
{
    struct elf_image *image = lazy_image();
    uint64_t plt_vaddr = FIXTURE_FIRST + 64;
    struct symtab *symtab;
    struct symbol symbol;

    (void)state;
    assert_int_equal(symtab_create(image, NULL, &symtab), STATUS_OK);
    assert_int_equal(symtab_find(symtab, plt_vaddr + 8, &symbol), STATUS_NOT_FOUND);
    assert_int_equal(symtab_find(symtab, plt_vaddr + 16, &symbol), STATUS_OK);
    assert_string_equal(symbol.name, "puts@plt");
    assert_int_equal(symtab_find(symtab, plt_vaddr + 47, &symbol), STATUS_OK);
    assert_string_equal(symbol.name, "exit@plt");
    assert_int_equal(symbol.start_vaddr, plt_vaddr + 32);
    assert_int_equal(symbol.end_vaddr, plt_vaddr + 48);
    symtab_destroy(symtab);
    elf_image_close(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plt_x86_64_stubs_are_decoded),
        cmocka_unit_test(plt_stub_is_named_after_its_symbol),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
