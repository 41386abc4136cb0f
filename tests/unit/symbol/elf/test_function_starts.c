/* SPDX-License-Identifier: MIT */
#include "elf32_fixture.h"

#include "symbol/elf/function_starts.h"
#include "symbol/elf/symtab.h"

/* Addresses of .text (256 bytes, the file's first section) by their distance from its begin. The
 * entry point is its first byte. */
#define TEXT_SIZE  256
#define AT(offset) (FIXTURE_FIRST + (offset))

struct expected_start {
    uint64_t offset, size;
    enum code_origin origin;
    bool thumb;
};

enum use { NO_SYMTAB, WITH_SYMTAB, CODE_ONLY };

/* Closes the image. */
static void check_starts(struct elf_image *image, enum use use, const struct expected_start *want,
                         size_t count)
{
    struct symtab *symtab = NULL;
    struct function_starts *starts;
    const struct function_start *all;
    size_t found;

    if (use != NO_SYMTAB)
        assert_int_equal(symtab_create(image, NULL, &symtab), STATUS_OK);
    assert_int_equal(function_starts_create(image, symtab, use == CODE_ONLY, &starts), STATUS_OK);
    all = function_starts_all(starts, &found);
    for (size_t i = 0; i < found && i < count; i++)
        if (all[i].vaddr != AT(want[i].offset) || all[i].size != want[i].size ||
            all[i].origin != want[i].origin || all[i].thumb != want[i].thumb)
            fail_msg("start %zu: +%#lx size %lu origin %d thumb %d", i,
                     (unsigned long)(all[i].vaddr - FIXTURE_FIRST), (unsigned long)all[i].size,
                     (int)all[i].origin, all[i].thumb);
    assert_int_equal(found, count);
    function_starts_destroy(starts);
    symtab_destroy(symtab);
    elf_image_close(image);
}

#define CHECK_STARTS(image, use, ...)                                                              \
    do {                                                                                           \
        static const struct expected_start want_[] = {__VA_ARGS__};                                \
        check_starts(image, use, want_, sizeof(want_) / sizeof(*want_));                           \
    } while (0)

#define THE_ENTRY                                                                                  \
    {                                                                                              \
        0, 0, ORIGIN_ENTRY, false                                                                  \
    }

static struct elf_fixture *text_fixture(uint16_t machine)
{
    struct elf_fixture *elf = fixture_create(machine);

    fixture_text(elf, TEXT_SIZE);
    return elf;
}

/* At a fixed address; its entry point counts. */
static struct elf_image *open_finished(struct elf_fixture *elf)
{
    elf->bytes[offsetof(Elf64_Ehdr, e_type)] = ET_EXEC; /* where it is in both classes */
    return fixture_open(elf);
}

static struct elf_image *open_program(struct elf_fixture *elf)
{
    if (elf->machine == EM_ARM)
        fixture_finish32(elf);
    else
        fixture_finish(elf);
    return open_finished(elf);
}

/* Linkers have it begin with its code. */
TEST(function_starts_library_is_not_entered)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);

    fixture_text(elf, TEXT_SIZE);
    fixture_finish(elf);
    check_starts(fixture_open(elf), NO_SYMTAB, NULL, 0);
}

static void symbols_fixture(struct elf_fixture *elf, bool dynamic, const char *name,
                            unsigned binding, unsigned type, uint64_t offset, uint64_t size)
{
    struct symbol_fixture symbols;

    symbols_init(&symbols);
    symbols_add(&symbols, name, binding, type, AT(offset), size);
    fixture_symbols(elf, &symbols, dynamic);
}

TEST(function_starts_symbols_tell_size_and_origin)
{
    struct elf_fixture *elf = text_fixture(EM_X86_64);

    symbols_fixture(elf, false, "f", STB_LOCAL, STT_FUNC, 16, 8);
    symbols_fixture(elf, true, "g", STB_GLOBAL, STT_FUNC, 32, 4);
    CHECK_STARTS(open_program(elf), WITH_SYMTAB, THE_ENTRY, {16, 8, ORIGIN_SYMTAB, false},
                 {32, 4, ORIGIN_DYNSYM, false});
}

TEST(function_starts_unsized_symbol_has_no_known_size)
{
    struct elf_fixture *elf = text_fixture(EM_X86_64);

    symbols_fixture(elf, false, "f", STB_LOCAL, STT_FUNC, 16, 0);
    CHECK_STARTS(open_program(elf), WITH_SYMTAB, THE_ENTRY, {16, 0, ORIGIN_SYMTAB, false});
}

TEST(function_starts_untyped_symbol_counts_unless_local)
{
    struct elf_fixture *elf = text_fixture(EM_X86_64);
    struct symbol_fixture symbols;

    symbols_init(&symbols);
    symbols_add(&symbols, "label", STB_LOCAL, STT_NOTYPE, AT(16), 0);
    symbols_add(&symbols, "assembly", STB_GLOBAL, STT_NOTYPE, AT(32), 0);
    fixture_symbols(elf, &symbols, false);
    CHECK_STARTS(open_program(elf), WITH_SYMTAB, THE_ENTRY, {32, 0, ORIGIN_SYMTAB, false});
}

TEST(function_starts_code_only_keeps_dynsym_alone)
{
    struct elf_fixture *elf = text_fixture(EM_X86_64);

    symbols_fixture(elf, false, "f", STB_LOCAL, STT_FUNC, 16, 8);
    symbols_fixture(elf, true, "g", STB_GLOBAL, STT_FUNC, 32, 4);
    CHECK_STARTS(open_program(elf), CODE_ONLY, THE_ENTRY, {32, 4, ORIGIN_DYNSYM, false});
}

TEST(function_starts_symbol_in_both_tables_is_named_by_the_stronger)
{
    struct elf_fixture *elf = text_fixture(EM_X86_64);

    symbols_fixture(elf, false, "f", STB_GLOBAL, STT_FUNC, 0, 12);
    symbols_fixture(elf, true, "f", STB_GLOBAL, STT_FUNC, 0, 12);
    CHECK_STARTS(open_program(elf), WITH_SYMTAB, {0, 12, ORIGIN_SYMTAB, false});
}

/* What is told of [from, to); closes the image. */
static enum status starts_within(struct elf_image *image, uint64_t from, uint64_t to, size_t *count,
                                 struct function_start *first)
{
    struct vaddr_range window = {AT(from), AT(to)};
    struct function_starts *starts;
    struct symtab *symtab;
    enum status status;

    assert_int_equal(symtab_create(image, NULL, &symtab), STATUS_OK);
    status = function_starts_create_within(image, symtab, false, &window, &starts);
    if (status == STATUS_OK) {
        const struct function_start *all = function_starts_all(starts, count);

        *first = *count ? all[0] : (struct function_start){0};
        function_starts_destroy(starts);
    }
    symtab_destroy(symtab);
    elf_image_close(image);
    return status;
}

TEST(starts_that_are_named_are_the_symbols_alone)
{
    struct elf_fixture *elf = text_fixture(EM_X86_64);
    struct function_starts *starts;
    struct elf_image *image;
    struct symtab *symtab;
    const struct function_start *all;
    size_t count;

    symbols_fixture(elf, false, "f", STB_GLOBAL, STT_FUNC, 32, 12);
    image = open_program(elf);
    assert_int_equal(symtab_create(image, NULL, &symtab), STATUS_OK);
    assert_int_equal(function_starts_create_named(image, symtab, false, &starts), STATUS_OK);
    all = function_starts_all(starts, &count);
    assert_int_equal(count, 1); /* without the entry point */
    assert_int_equal(all[0].vaddr, AT(32));
    function_starts_destroy(starts);
    assert_int_equal(function_starts_create_named(image, symtab, true, &starts), STATUS_OK);
    function_starts_all(starts, &count);
    assert_int_equal(count, 0);
    function_starts_destroy(starts);
    symtab_destroy(symtab);
    elf_image_close(image);
}

static struct elf_image *three_functions(void)
{
    struct elf_fixture *elf = text_fixture(EM_X86_64);
    struct symbol_fixture symbols;

    symbols_init(&symbols);
    symbols_add(&symbols, "f", STB_GLOBAL, STT_FUNC, AT(16), 16);
    symbols_add(&symbols, "g", STB_GLOBAL, STT_FUNC, AT(32), 16);
    fixture_symbols(elf, &symbols, false);
    symbols_fixture(elf, true, "h", STB_GLOBAL, STT_FUNC, 48, 16);
    return open_program(elf);
}

TEST(function_starts_of_a_range_are_the_symbols_there)
{
    struct function_start first;
    size_t count;

    assert_int_equal(starts_within(three_functions(), 0, 64, &count, &first), STATUS_OK);
    assert_int_equal(count, 3); /* without the entry point */
    assert_int_equal(starts_within(three_functions(), 32, 48, &count, &first), STATUS_OK);
    assert_int_equal(count, 1);
    assert_int_equal(first.vaddr, AT(32));
    assert_int_equal(first.size, 16);
    assert_int_equal(first.origin, ORIGIN_SYMTAB);
    assert_int_equal(starts_within(three_functions(), 48, 80, &count, &first), STATUS_OK);
    assert_int_equal(count, 1);
    assert_int_equal(first.origin, ORIGIN_DYNSYM);
    assert_int_equal(starts_within(three_functions(), 0, 16, &count, &first), STATUS_OK);
    assert_int_equal(count, 0);
}

TEST(function_starts_of_a_range_that_a_symbol_crosses_are_not_found)
{
    struct function_start first;
    size_t count;

    assert_int_equal(starts_within(three_functions(), 24, 64, &count, &first), STATUS_NOT_FOUND);
    assert_int_equal(starts_within(three_functions(), 0, 40, &count, &first), STATUS_NOT_FOUND);
    assert_int_equal(starts_within(three_functions(), 32, 56, &count, &first), STATUS_NOT_FOUND);
    assert_int_equal(starts_within(three_functions(), 20, 28, &count, &first), STATUS_NOT_FOUND);
}

/* DT_INIT at +16, DT_FINI at +32; .init_array is two words, in a section of its own. */
static void init_fixture(struct elf_fixture *elf, uint64_t first, uint64_t second)
{
    uint64_t array[] = {first, second};
    unsigned section = fixture_section(elf, ".init_array", SHT_INIT_ARRAY, SHF_ALLOC | SHF_WRITE,
                                       array, sizeof(array));
    const Elf64_Dyn dynamic[] = {
        {DT_INIT, {AT(16)}},
        {DT_FINI, {AT(32)}},
        {DT_INIT_ARRAY, {elf->sections[section].sh_addr}},
        {DT_INIT_ARRAYSZ, {sizeof(array)}},
        {DT_NULL, {0}},
    };

    fixture_section(elf, ".dynamic", SHT_DYNAMIC, SHF_ALLOC, dynamic, sizeof(dynamic));
}

TEST(function_starts_init_array_is_read_through_its_relocations)
{
    struct elf_fixture *elf = text_fixture(EM_X86_64);
    Elf64_Rela relocs[2];

    init_fixture(elf, AT(96), 0); /* what is in place is not what will be there */
    relocs[0] = (Elf64_Rela){elf->sections[2].sh_addr, ELF64_R_INFO(0, R_X86_64_RELATIVE),
                             (Elf64_Sxword)AT(48)};
    relocs[1] = (Elf64_Rela){elf->sections[2].sh_addr + 64, ELF64_R_INFO(0, R_X86_64_RELATIVE),
                             (Elf64_Sxword)AT(64)};
    fixture_section(elf, ".rela.dyn", SHT_RELA, SHF_ALLOC, relocs, sizeof(relocs));
    CHECK_STARTS(open_program(elf), NO_SYMTAB, THE_ENTRY, {16, 0, ORIGIN_INIT, false},
                 {32, 0, ORIGIN_INIT, false}, {48, 0, ORIGIN_INIT, false},
                 {64, 0, ORIGIN_POINTER, false});
}

/* The section is in a writable segment. */
static void writable_segment(struct elf_fixture *elf, unsigned section)
{
    const Elf64_Shdr *header = &elf->sections[section];

    fixture_segment(elf, PT_LOAD, PF_R | PF_W, header->sh_offset, header->sh_addr, header->sh_size);
}

TEST(function_starts_fixed_file_has_its_init_array_in_place)
{
    struct elf_fixture *elf = text_fixture(EM_X86_64);

    init_fixture(elf, AT(96), UINT64_MAX);
    writable_segment(elf, 2);
    CHECK_STARTS(open_program(elf), NO_SYMTAB, THE_ENTRY, {16, 0, ORIGIN_INIT, false},
                 {32, 0, ORIGIN_INIT, false}, {96, 0, ORIGIN_INIT, false});
}

/* .data of three words: a number, an address of code, the GOT word of a PLT stub. */
static struct elf_fixture *data_fixture(void)
{
    const uint64_t data[] = {7, AT(80), AT(81)};
    struct elf_fixture *elf = text_fixture(EM_X86_64);
    unsigned section =
        fixture_section(elf, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, data, sizeof(data));
    Elf64_Rela relocs = {elf->sections[section].sh_addr + 16, ELF64_R_INFO(1, R_X86_64_JUMP_SLOT),
                         0};

    fixture_section(elf, ".rela.plt", SHT_RELA, SHF_ALLOC, &relocs, sizeof(relocs));
    writable_segment(elf, section);
    return elf;
}

TEST(function_starts_fixed_file_has_constants_that_are_addresses)
{
    struct elf_fixture *elf = data_fixture();

    CHECK_STARTS(open_program(elf), NO_SYMTAB, THE_ENTRY, {80, 0, ORIGIN_CONSTANT, false});
}

TEST(function_starts_movable_file_has_no_constants)
{
    struct elf_fixture *elf = data_fixture();

    fixture_finish(elf);
    check_starts(fixture_open(elf), NO_SYMTAB, NULL, 0);
}

/* .rela.dyn of one record each for the addends; the words are at no address of the file. */
static void relative_fixture(struct elf_fixture *elf, uint32_t type, const uint64_t *targets,
                             size_t count)
{
    Elf64_Rela relocs[8];

    assert_true(count <= 8);
    for (size_t i = 0; i < count; i++)
        relocs[i] = (Elf64_Rela){0x900000 + 8 * i, ELF64_R_INFO(0, type), (Elf64_Sxword)targets[i]};
    fixture_section(elf, ".rela.dyn", SHT_RELA, SHF_ALLOC, relocs, count * sizeof(*relocs));
}

TEST(function_starts_pointer_into_a_sized_function_is_a_label)
{
    static const uint64_t targets[] = {AT(20), AT(24), AT(16)};
    struct elf_fixture *elf = text_fixture(EM_X86_64);

    symbols_fixture(elf, false, "f", STB_LOCAL, STT_FUNC, 16, 8);
    relative_fixture(elf, R_X86_64_RELATIVE, targets, 3);
    CHECK_STARTS(open_program(elf), WITH_SYMTAB, THE_ENTRY, {16, 8, ORIGIN_SYMTAB, false},
                 {24, 0, ORIGIN_POINTER, false});
}

TEST(function_starts_resolver_of_an_ifunc_is_a_pointer)
{
    static const uint64_t targets[] = {AT(40)};
    struct elf_fixture *elf = text_fixture(EM_AARCH64);

    relative_fixture(elf, R_AARCH64_IRELATIVE, targets, 1);
    CHECK_STARTS(open_program(elf), NO_SYMTAB, THE_ENTRY, {40, 0, ORIGIN_POINTER, false});
}

TEST(function_starts_address_outside_code_is_none)
{
    static const uint64_t targets[] = {AT(TEXT_SIZE), AT(0) - 1, 0, UINT64_MAX};
    struct elf_fixture *elf = text_fixture(EM_X86_64);

    relative_fixture(elf, R_X86_64_RELATIVE, targets, 4);
    CHECK_STARTS(open_program(elf), NO_SYMTAB, THE_ENTRY);
}

TEST(function_starts_address_of_a_plt_stub_is_none)
{
    static const uint64_t targets[] = {AT(TEXT_SIZE), AT(TEXT_SIZE + 15), AT(8)};
    static const uint8_t stubs[16] = {0};
    struct elf_fixture *elf = text_fixture(EM_X86_64);

    fixture_section(elf, ".plt.sec", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, stubs, sizeof(stubs));
    relative_fixture(elf, R_X86_64_RELATIVE, targets, 3);
    CHECK_STARTS(open_program(elf), NO_SYMTAB, THE_ENTRY, {8, 0, ORIGIN_POINTER, false});
}

TEST(function_starts_aarch64_unaligned_address_is_none)
{
    static const uint64_t targets[] = {AT(18), AT(20), AT(21)};
    struct elf_fixture *elf = text_fixture(EM_AARCH64);

    relative_fixture(elf, R_AARCH64_RELATIVE, targets, 3);
    CHECK_STARTS(open_program(elf), NO_SYMTAB, THE_ENTRY, {20, 0, ORIGIN_POINTER, false});
}

TEST(function_starts_symbolic_relocation_is_the_symbol_or_a_place_in_a_section)
{
    struct elf_fixture *elf = text_fixture(EM_X86_64);
    struct symbol_fixture symbols;
    const Elf64_Rela relocs[] = {{0x900000, ELF64_R_INFO(1, R_X86_64_64), 0},
                                 {0x900008, ELF64_R_INFO(1, R_X86_64_64), 4},
                                 {0x900010, ELF64_R_INFO(2, R_X86_64_64), 40},
                                 {0x900018, ELF64_R_INFO(9, R_X86_64_64), 0}};

    symbols_init(&symbols);
    symbols_add(&symbols, "f", STB_GLOBAL, STT_FUNC, AT(16), 0);
    symbols_add(&symbols, "", STB_LOCAL, STT_SECTION, AT(0), 0);
    fixture_symbols(elf, &symbols, true);
    fixture_section(elf, ".rela.dyn", SHT_RELA, SHF_ALLOC, relocs, sizeof(relocs));
    CHECK_STARTS(open_program(elf), NO_SYMTAB, THE_ENTRY, {16, 0, ORIGIN_DYNSYM, false},
                 {40, 0, ORIGIN_POINTER, false});
}

/* RELR: the words 0 (by its address), 2 and 3 (by bits) of five in .data. */
TEST(function_starts_relr_words_are_pointers)
{
    const uint64_t data[] = {AT(16), AT(24), AT(32), AT(40), AT(48)};
    struct elf_fixture *elf = text_fixture(EM_X86_64);
    unsigned section =
        fixture_section(elf, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, data, sizeof(data));
    const uint64_t relr[] = {elf->sections[section].sh_addr, 1 | 6 << 1, 0xfffffff0};
    unsigned relr_section =
        fixture_section(elf, ".relr.dyn", SHT_PROGBITS, SHF_ALLOC, relr, sizeof(relr));
    const Elf64_Dyn dynamic[] = {{DT_RELR, {elf->sections[relr_section].sh_addr}},
                                 {DT_RELRSZ, {sizeof(relr)}},
                                 {DT_NULL, {0}}};

    fixture_section(elf, ".dynamic", SHT_DYNAMIC, SHF_ALLOC, dynamic, sizeof(dynamic));
    CHECK_STARTS(open_program(elf), NO_SYMTAB, THE_ENTRY, {16, 0, ORIGIN_POINTER, false},
                 {32, 0, ORIGIN_POINTER, false}, {40, 0, ORIGIN_POINTER, false});
}

TEST(function_starts_relocations_are_found_without_section_headers)
{
    struct elf_fixture *elf = text_fixture(EM_X86_64);
    const Elf64_Rela relocs[] = {
        {0x900000, ELF64_R_INFO(0, R_X86_64_RELATIVE), (Elf64_Sxword)AT(16)}};
    unsigned section =
        fixture_section(elf, ".rela.dyn", SHT_RELA, SHF_ALLOC, relocs, sizeof(relocs));
    const Elf64_Dyn dynamic[] = {{DT_RELA, {elf->sections[section].sh_addr}},
                                 {DT_RELASZ, {sizeof(relocs)}},
                                 {DT_NULL, {0}}};

    fixture_segment_of(elf, PT_DYNAMIC,
                       fixture_section(elf, ".dynamic", SHT_DYNAMIC, SHF_ALLOC, dynamic,
                                       sizeof(dynamic)));
    fixture_finish_stripped(elf);
    CHECK_STARTS(open_finished(elf), NO_SYMTAB, THE_ENTRY, {16, 0, ORIGIN_POINTER, false});
}

/* .data of `count` words with a RELATIVE relocation each. */
static void arm_pointers(struct elf_fixture *elf, const uint32_t *words, size_t count)
{
    unsigned section = fixture_section(elf, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, words,
                                       count * sizeof(*words));
    Elf32_Rel relocs[16];

    assert_true(count <= 16);
    for (size_t i = 0; i < count; i++)
        relocs[i] = (Elf32_Rel){(Elf32_Addr)(elf->sections[section].sh_addr + 4 * i),
                                ELF32_R_INFO(0, R_ARM_RELATIVE)};
    writable_segment(elf, section);
    fixture_section(elf, ".rel.dyn", SHT_REL, SHF_ALLOC, relocs, count * sizeof(*relocs));
}

TEST(function_starts_arm_bit_0_of_an_address_is_the_instruction_set)
{
    static const uint32_t words[] = {AT(16), AT(25), AT(34), AT(43)};
    struct elf_fixture *elf = text_fixture(EM_ARM);

    symbols_fixture(elf, false, "f", STB_LOCAL, STT_FUNC, 53, 8);
    arm_pointers(elf, words, 4);
    CHECK_STARTS(open_program(elf), WITH_SYMTAB, THE_ENTRY, {16, 0, ORIGIN_POINTER, false},
                 {24, 0, ORIGIN_POINTER, true}, {42, 0, ORIGIN_POINTER, true},
                 {52, 8, ORIGIN_SYMTAB, true});
}

/* .text of an ARM file: nothing known, A32 from +16, data from +32, T32 from +40. */
static void mapping_fixture(struct elf_fixture *elf)
{
    struct symbol_fixture symbols;

    symbols_init(&symbols);
    symbols_add(&symbols, "$d.7", STB_LOCAL, STT_NOTYPE, AT(32), 0);
    symbols_add(&symbols, "$a", STB_LOCAL, STT_NOTYPE, AT(16), 0);
    symbols_add(&symbols, "$t.x", STB_LOCAL, STT_NOTYPE, AT(40), 0);
    symbols_add(&symbols, "untyped", STB_GLOBAL, STT_NOTYPE, AT(48), 0);
    symbols_add(&symbols, "unknown", STB_GLOBAL, STT_NOTYPE, AT(8), 0);
    symbols_add(&symbols, "table", STB_GLOBAL, STT_NOTYPE, AT(36), 0);
    fixture_symbols(elf, &symbols, false);
}

TEST(function_starts_arm_mapping_symbols_tell_the_mode_of_untyped_symbols)
{
    struct elf_fixture *elf = text_fixture(EM_ARM);

    mapping_fixture(elf);
    CHECK_STARTS(open_program(elf), WITH_SYMTAB, THE_ENTRY, {48, 0, ORIGIN_SYMTAB, true});
}

TEST(function_starts_arm_pointer_that_mapping_symbols_contradict_is_none)
{
    static const uint32_t words[] = {AT(17), AT(20), AT(32), AT(44), AT(51)};
    struct elf_fixture *elf = text_fixture(EM_ARM);

    mapping_fixture(elf);
    arm_pointers(elf, words, 5);
    CHECK_STARTS(open_program(elf), WITH_SYMTAB, THE_ENTRY, {20, 0, ORIGIN_POINTER, false},
                 {48, 0, ORIGIN_SYMTAB, true}, {50, 0, ORIGIN_POINTER, true});
}

TEST(function_starts_arm_constants_of_a_rare_mode_are_chance)
{
    static const uint32_t words[] = {AT(16), AT(20), AT(24), AT(28), AT(33), AT(36), AT(40)};
    struct elf_fixture *elf = text_fixture(EM_ARM);
    unsigned section;

    section =
        fixture_section(elf, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, words, sizeof(words));
    writable_segment(elf, section);
    CHECK_STARTS(open_program(elf), NO_SYMTAB, THE_ENTRY, {16, 0, ORIGIN_CONSTANT, false},
                 {20, 0, ORIGIN_CONSTANT, false}, {24, 0, ORIGIN_CONSTANT, false},
                 {28, 0, ORIGIN_CONSTANT, false}, {36, 0, ORIGIN_CONSTANT, false},
                 {40, 0, ORIGIN_CONSTANT, false});
}

TEST(code_kind_is_that_of_the_last_mapping_symbol)
{
    static const struct {
        uint64_t offset;
        enum code_kind kind;
        uint64_t until;
    } cases[] = {
        {0, KIND_UNKNOWN, 16},       {15, KIND_UNKNOWN, 16},   {16, KIND_CODE, 32},
        {31, KIND_CODE, 32},         {32, KIND_DATA, 40},      {40, KIND_OTHER_CODE, TEXT_SIZE},
        {255, KIND_OTHER_CODE, 256}, {256, KIND_UNKNOWN, 256},
    };
    struct elf_fixture *elf = text_fixture(EM_ARM);
    struct elf_image *image;
    struct symtab *symtab;
    struct function_starts *starts;

    mapping_fixture(elf);
    image = open_program(elf);
    assert_int_equal(symtab_create(image, NULL, &symtab), STATUS_OK);
    assert_int_equal(function_starts_create(image, symtab, false, &starts), STATUS_OK);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        uint64_t until;

        assert_int_equal(code_kind_at(starts, AT(cases[i].offset), &until), cases[i].kind);
        assert_int_equal(until, AT(cases[i].until));
    }
    function_starts_destroy(starts);
    symtab_destroy(symtab);
    elf_image_close(image);
}

/* The kind at +16, of two mapping symbols there. */
static enum code_kind kind_of_two(uint16_t machine, const char *first, const char *second,
                                  bool code_only)
{
    struct elf_fixture *elf = text_fixture(machine);
    struct symbol_fixture symbols;
    struct elf_image *image;
    struct symtab *symtab;
    struct function_starts *starts;
    enum code_kind kind;
    uint64_t until;

    symbols_init(&symbols);
    symbols_add(&symbols, first, STB_LOCAL, STT_NOTYPE, AT(16), 0);
    symbols_add(&symbols, second, STB_LOCAL, STT_NOTYPE, AT(16), 0);
    fixture_symbols(elf, &symbols, false);
    image = open_program(elf);
    assert_int_equal(symtab_create(image, NULL, &symtab), STATUS_OK);
    assert_int_equal(function_starts_create(image, symtab, code_only, &starts), STATUS_OK);
    kind = code_kind_at(starts, AT(16), &until);
    function_starts_destroy(starts);
    symtab_destroy(symtab);
    elf_image_close(image);
    return kind;
}

TEST(code_kind_of_mapping_symbols_that_contradict_is_unknown)
{
    assert_int_equal(kind_of_two(EM_ARM, "$t", "$t", false), KIND_OTHER_CODE);
    assert_int_equal(kind_of_two(EM_ARM, "$t", "$d", false), KIND_UNKNOWN);
}

TEST(code_kind_knows_the_letters_of_each_architecture)
{
    assert_int_equal(kind_of_two(EM_AARCH64, "$x", "$x.1", false), KIND_CODE);
    assert_int_equal(kind_of_two(EM_AARCH64, "$d", "$d", false), KIND_DATA);
    assert_int_equal(kind_of_two(EM_RISCV, "$x", "$x", false), KIND_CODE);
    assert_int_equal(kind_of_two(EM_RISCV, "$xrv64i2p1_m2p0", "$xrv64i2p1.7", false), KIND_CODE);
    assert_int_equal(kind_of_two(EM_RISCV, "$d", "$d", false), KIND_DATA);
    assert_int_equal(kind_of_two(EM_AARCH64, "$a", "$t", false), KIND_UNKNOWN);
    assert_int_equal(kind_of_two(EM_X86_64, "$d", "$d", false), KIND_UNKNOWN);
}

TEST(code_kind_is_unknown_where_only_code_may_be_used)
{
    assert_int_equal(kind_of_two(EM_AARCH64, "$x", "$x", true), KIND_UNKNOWN);
}

TEST(function_starts_damaged_tables_are_left_out)
{
    struct elf_fixture *elf = text_fixture(EM_X86_64);
    static const uint8_t cut[sizeof(Elf64_Rela) - 1] = {0};
    const Elf64_Dyn dynamic[] = {{DT_INIT_ARRAY, {UINT64_MAX - 8}},
                                 {DT_INIT_ARRAYSZ, {UINT64_MAX}},
                                 {DT_RELR, {AT(TEXT_SIZE - 4)}},
                                 {DT_RELRSZ, {UINT64_MAX}},
                                 {DT_JMPREL, {AT(0)}},
                                 {DT_PLTRELSZ, {UINT64_MAX / 2}},
                                 {DT_PLTREL, {DT_RELA}},
                                 {DT_INIT, {UINT64_MAX}},
                                 {DT_NULL, {0}}};

    fixture_section(elf, ".rela.dyn", SHT_RELA, SHF_ALLOC, cut, sizeof(cut));
    fixture_section(elf, ".dynamic", SHT_DYNAMIC, SHF_ALLOC, dynamic, sizeof(dynamic));
    CHECK_STARTS(open_program(elf), NO_SYMTAB, THE_ENTRY);
}
