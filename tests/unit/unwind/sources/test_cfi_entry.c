/* SPDX-License-Identifier: MIT */
#include "cfi_fixture.h"

#include <dwarf.h>

static struct cfi_entry entry_at(const struct cfi_section *section, uint64_t off)
{
    struct cfi_entry entry;

    assert_int_equal(cfi_entry_at(section, off, &entry), STATUS_OK);
    return entry;
}

static struct cfi_cie cie_at(const struct cfi_section *section, uint64_t off)
{
    struct cfi_entry entry = entry_at(section, off);
    struct cfi_cie cie;

    assert_int_equal(cfi_cie_read(section, &entry, &cie), STATUS_OK);
    return cie;
}

static enum status cie_status(const struct asm_section *s)
{
    struct cfi_section section = asm_end(s);
    struct cfi_entry entry = entry_at(&section, 0);
    struct cfi_cie cie;

    return cfi_cie_read(&section, &entry, &cie);
}

static void check_sequence(bool eh_frame, bool long_form)
{
    struct asm_section s = asm_begin(eh_frame);
    struct cfi_section section;
    struct cfi_entry entry;
    struct cfi_cie cie;
    struct cfi_fde fde;
    size_t cie_off, fde_off;

    s.long_form = long_form;
    asm_uint(&s, 0, 1); /* nothing has to be aligned */
    cie_off = asm_gcc_cie(&s);
    fde_off = asm_fde(&s, cie_off, 0x400000, 0x80, PROGRAM(0x41, 0x0e, 0x10));
    section = asm_end(&s);

    entry = entry_at(&section, cie_off);
    assert_true(entry.is_cie);
    assert_int_equal(entry.off, cie_off);
    assert_int_equal(entry.next_off, fde_off);
    cie = cie_at(&section, cie_off);
    assert_int_equal(cie.code_align, 1);
    assert_int_equal(cie.data_align, -8);
    assert_int_equal(cie.ra_reg, 16);
    assert_int_equal(cie.program_size, 5);
    assert_int_equal(section.bytes[cie.program_off], 0x0c);
    assert_int_equal(cie.has_augmentation_data, eh_frame);
    assert_int_equal(cie.fde_encoding, eh_frame ? 0x1b : DW_EH_PE_absptr);
    assert_false(cie.signal_frame);

    entry = entry_at(&section, fde_off);
    assert_false(entry.is_cie);
    assert_int_equal(entry.cie_off, cie_off);
    assert_int_equal(entry.next_off, s.size);
    assert_int_equal(cfi_fde_read(&section, &entry, &cie, &fde), STATUS_OK);
    assert_int_equal(fde.start_vaddr, 0x400000);
    assert_int_equal(fde.end_vaddr, 0x400080);
    assert_int_equal(fde.program_size, 3);
    assert_int_equal(section.bytes[fde.program_off], 0x41);
    assert_int_equal(cfi_entry_at(&section, s.size, &entry), STATUS_END);
}

TEST(entry_both_sections_and_lengths_are_read)
{
    check_sequence(true, false);
    check_sequence(true, true); /* with a 64-bit length the id keeps its four bytes */
    check_sequence(false, false);
    check_sequence(false, true);
}

TEST(entry_versions_1_3_and_4_are_read_others_not)
{
    for (unsigned version = 0; version < 8; version++) {
        struct asm_section s = asm_begin(false);
        struct cfi_section section;
        bool known = version == 1 || version == 3 || version == 4;

        asm_cie(&s, "", "", 0, (uint8_t)version, ENTRY);
        assert_int_equal(cie_status(&s), known ? STATUS_OK : STATUS_UNSUPPORTED);
        section = asm_end(&s);
        if (known)
            assert_int_equal(cie_at(&section, 0).program_size, 5);
    }
}

TEST(entry_version_1_return_column_is_a_byte)
{
    struct asm_section s = asm_begin(false);
    struct cfi_section section;

    asm_cie(&s, "", "", 0, 1, ENTRY);
    s.bytes[s.size - 6] = 0x90; /* as ULEB128 it would take the next byte too */
    section = asm_end(&s);
    assert_int_equal(cie_at(&section, 0).ra_reg, 0x90);
    assert_int_equal(cie_at(&section, 0).program_size, 5);
}

TEST(entry_version_4_of_another_address_size_is_unsupported)
{
    struct asm_section s = asm_begin(false);

    asm_cie(&s, "", "", 0, 4, ENTRY);
    assert_int_equal(cie_status(&s), STATUS_OK);
    s.bytes[10] = 4;
    assert_int_equal(cie_status(&s), STATUS_UNSUPPORTED);
    s.bytes[10] = 8;
    s.bytes[11] = 2; /* segment selectors */
    assert_int_equal(cie_status(&s), STATUS_UNSUPPORTED);
}

struct augmentation_case {
    const char *letters;
    uint8_t data[20];
    size_t size;
    enum status status;
    uint8_t fde_encoding;
    bool signal_frame;
};

TEST(entry_augmentations_are_understood_or_skipped)
{
    static const struct augmentation_case cases[] = {
        {"", {0}, 0, STATUS_OK, 0x00, false},
        {"z", {0}, 0, STATUS_OK, 0x00, false},
        {"zR", {0x1b}, 1, STATUS_OK, 0x1b, false},
        {"zRS", {0x1b}, 1, STATUS_OK, 0x1b, true},
        {"zPLR", {0x9b, 1, 2, 3, 4, 0x1b, 0x1b}, 7, STATUS_OK, 0x1b, false},
        {"zPLR", {0x00, 1, 2, 3, 4, 5, 6, 7, 8, 0x1b, 0x03}, 11, STATUS_OK, 0x03, false},
        {"zPR", {0xff, 0x1b}, 2, STATUS_OK, 0x1b, false}, /* personality omitted */
        {"zRB", {0x1b}, 1, STATUS_OK, 0x1b, false},
        {"zRG", {0x1b}, 1, STATUS_OK, 0x1b, false},
        /* An unknown letter: 'z' tells how much to skip. What stands before it counts. */
        {"zRX", {0x1b, 0x55, 0x55}, 3, STATUS_OK, 0x1b, false},
        {"zXR", {0x55, 0x1b}, 2, STATUS_OK, 0x00, false},
        /* gcc 2's, with a pointer to exception data. */
        {"eh", {1, 2, 3, 4, 5, 6, 7, 8}, 8, STATUS_OK, 0x00, false},
        /* Without 'z' nobody knows what the letter brings with it. */
        {"X", {0}, 0, STATUS_UNSUPPORTED, 0, false},
        {"ex", {0}, 0, STATUS_UNSUPPORTED, 0, false},
        {"ehX", {1, 2, 3, 4, 5, 6, 7, 8}, 8, STATUS_UNSUPPORTED, 0, false},
        /* Data shorter than its letters need. */
        {"zR", {0}, 0, STATUS_BAD_DATA, 0, false},
        {"zPR", {0x00, 1, 2, 3}, 4, STATUS_BAD_DATA, 0, false},
        {"zPR", {0x06}, 1, STATUS_BAD_DATA, 0, false}, /* no such encoding */
        {"zL", {0}, 0, STATUS_BAD_DATA, 0, false},
        {"zRRRRRRRRRRRRRRR", {0}, 16, STATUS_BAD_DATA, 0, false}, /* longer than any real one */
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct asm_section s = asm_begin(true);
        struct cfi_section section;
        struct cfi_cie cie;

        asm_cie(&s, cases[i].letters, cases[i].data, cases[i].size, 1, ENTRY);
        assert_int_equal(cie_status(&s), cases[i].status);
        if (cases[i].status != STATUS_OK)
            continue;
        section = asm_end(&s);
        cie = cie_at(&section, 0);
        assert_int_equal(cie.fde_encoding, cases[i].fde_encoding);
        assert_int_equal(cie.signal_frame, cases[i].signal_frame);
        assert_int_equal(cie.has_augmentation_data, cases[i].letters[0] == 'z');
        assert_int_equal(cie.program_size, 5);
    }
}

TEST(entry_aligned_personality_is_skipped)
{
    struct asm_section s = asm_begin(true);
    struct cfi_section section;
    uint8_t data[20] = {DW_EH_PE_aligned};
    size_t pointer;

    /* The data begins at offset 17 of the section, the pointer at the next multiple of 8 behind it.
     */
    pointer = 24 - 17;
    data[pointer + 8] = 0x1b;
    asm_cie(&s, "zPR", data, pointer + 9, 1, ENTRY);
    assert_int_equal(s.bytes[17], DW_EH_PE_aligned);
    section = asm_end(&s);
    assert_int_equal(cie_at(&section, 0).fde_encoding, 0x1b);
}

struct address_case {
    uint8_t encoding;
    uint8_t bytes[20];
    uint8_t size;
    bool ok;
    uint64_t value;
};

/* Read at offset 3 of the section, which is mapped at SECTION_VADDR. */
static void check_address(const struct address_case *a, enum arch_id arch, bool cut)
{
    struct asm_section s = asm_begin(true);
    struct cfi_section section;
    struct cursor c;
    uint64_t value = 99;
    bool ok;

    s.arch = arch;
    asm_bytes(&s, "abc", 3);
    asm_bytes(&s, a->bytes, (size_t)a->size - cut);
    section = asm_end(&s);
    c = cursor_init(section.bytes, section.size);
    c.pos = 3;
    ok = cfi_address_read(&section, &c, a->encoding, section.arch->word_size, &value);
    assert_int_equal(ok, a->ok && !cut);
    if (ok)
        assert_int_equal(c.pos, s.size);
    assert_true(value == (ok ? a->value : 99));
}

TEST(entry_encoded_addresses_mean_what_the_abi_says)
{
    static const struct address_case cases[] = {
        {DW_EH_PE_absptr, {8, 7, 6, 5, 4, 3, 2, 1}, 8, true, UINT64_C(0x0102030405060708)},
        {DW_EH_PE_udata2, {0xfe, 0xff}, 2, true, 0xfffe},
        {DW_EH_PE_sdata2, {0xfe, 0xff}, 2, true, (uint64_t)-2},
        {DW_EH_PE_udata4, {0xfe, 0xff, 0xff, 0xff}, 4, true, 0xfffffffe},
        {DW_EH_PE_sdata4, {0xfe, 0xff, 0xff, 0xff}, 4, true, (uint64_t)-2},
        {DW_EH_PE_udata8, {1, 0, 0, 0, 0, 0, 0, 0x80}, 8, true, UINT64_C(0x8000000000000001)},
        {DW_EH_PE_sdata8, {1, 0, 0, 0, 0, 0, 0, 0x80}, 8, true, UINT64_C(0x8000000000000001)},
        {DW_EH_PE_uleb128, {0xe5, 0x8e, 0x26}, 3, true, 624485},
        {DW_EH_PE_sleb128, {0x80, 0x7f}, 2, true, (uint64_t)-128},
        {DW_EH_PE_pcrel | DW_EH_PE_sdata4, {0xfd, 0xff, 0xff, 0xff}, 4, true, SECTION_VADDR},
        {DW_EH_PE_pcrel | DW_EH_PE_udata4, {1, 0, 0, 0}, 4, true, SECTION_VADDR + 4},
        {DW_EH_PE_textrel | DW_EH_PE_udata4, {5, 0, 0, 0}, 4, true, TEXT_VADDR + 5},
        {DW_EH_PE_datarel | DW_EH_PE_sdata4, {0xff, 0xff, 0xff, 0xff}, 4, true, DATA_VADDR - 1},
        /* From offset 3 to the next multiple of 8. */
        {DW_EH_PE_aligned, {1, 1, 1, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0}, 13, true, 2},
        {DW_EH_PE_funcrel | DW_EH_PE_sdata4, {1, 0, 0, 0}, 4, false, 0},
        {0x60 | DW_EH_PE_sdata4, {1, 0, 0, 0}, 4, false, 0},
        {0x05, {1, 0, 0, 0}, 4, false, 0},
        {DW_EH_PE_omit, {1, 0, 0, 0}, 4, false, 0},
    };
    static const struct address_case narrow = {
        DW_EH_PE_pcrel | DW_EH_PE_sdata4, {0, 0xf0, 0xff, 0xff}, 4, true, 3};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_address(&cases[i], ARCH_X86_64, false);
        check_address(&cases[i], ARCH_X86_64, true);
    }
    check_address(&narrow, ARCH_I386, false); /* wraps at 32 bits */
}

static enum status fde_status(uint8_t encoding, const void *body, size_t size)
{
    struct asm_section s = asm_begin(true);
    struct cfi_section section;
    struct cfi_entry entry;
    struct cfi_cie cie;
    struct cfi_fde fde;
    size_t cie_off = asm_cie(&s, "zR", &encoding, 1, 1, ENTRY);
    size_t fde_off = asm_entry_begin(&s);

    asm_id(&s, cie_off);
    asm_bytes(&s, body, size);
    asm_entry_end(&s, fde_off);
    section = asm_end(&s);
    cie = cie_at(&section, cie_off);
    entry = entry_at(&section, fde_off);
    return cfi_fde_read(&section, &entry, &cie, &fde);
}

TEST(entry_fde_ranges_are_checked)
{
    assert_int_equal(fde_status(DW_EH_PE_udata4, "\x10\0\0\0\x20\0\0\0\0", 9), STATUS_OK);
    assert_int_equal(fde_status(DW_EH_PE_udata4, "\x10\0\0\0\0\0\0\0\0", 9), STATUS_NOT_FOUND);
    assert_int_equal(fde_status(DW_EH_PE_udata4, "\0\0\0\0\x20\0\0\0\0", 9), STATUS_NOT_FOUND);
    assert_int_equal(fde_status(DW_EH_PE_udata4, "\x10\0\0\0\x20\0\0", 7), STATUS_BAD_DATA);
    assert_int_equal(fde_status(DW_EH_PE_udata4, "\x10\0\0\0\x20\0\0\0\x05", 9), STATUS_BAD_DATA);
    /* A negative size leads round the end of the address space. */
    assert_int_equal(fde_status(DW_EH_PE_sdata4, "\x10\0\0\0\xff\xff\xff\xff\0", 9),
                     STATUS_BAD_DATA);
    assert_int_equal(fde_status(DW_EH_PE_udata4 | 0x80, "\x10\0\0\0\x20\0\0\0\0", 9),
                     STATUS_UNSUPPORTED);
}

TEST(entry_lengths_never_lead_out_of_the_section)
{
    struct asm_section s = asm_begin(true);
    struct cfi_section section;
    struct cfi_entry entry;
    size_t cie = asm_gcc_cie(&s);

    asm_fde(&s, cie, 0x400000, 0x80, PROGRAM(0x41));
    section = asm_end(&s);
    for (section.size = 1; section.size < s.size; section.size++) {
        uint64_t off = 0;
        enum status status;

        while ((status = cfi_entry_at(&section, off, &entry)) == STATUS_OK) {
            assert_true(entry.next_off <= section.size && entry.next_off > off);
            off = entry.next_off;
        }
        assert_true(status == STATUS_BAD_DATA || (status == STATUS_END && off == section.size));
    }
    section.size = s.size;
    assert_int_equal(cfi_entry_at(&section, s.size + 1, &entry), STATUS_BAD_DATA);
    assert_int_equal(cfi_entry_at(&section, UINT64_MAX, &entry), STATUS_BAD_DATA);
    memcpy(s.bytes, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12);
    assert_int_equal(cfi_entry_at(&section, 0, &entry), STATUS_BAD_DATA);
}

TEST(entry_too_short_for_an_id_belongs_to_no_cie)
{
    for (uint32_t length = 0; length < 4; length++) {
        struct asm_section s = asm_begin(true);
        struct cfi_section section;
        struct cfi_entry entry;

        asm_uint(&s, length, 4);
        asm_bytes(&s, "\0\0\0", length);
        asm_gcc_cie(&s);
        section = asm_end(&s);
        entry = entry_at(&section, 0);
        assert_false(entry.is_cie);
        assert_true(entry.cie_off == CFI_NO_CIE);
        assert_int_equal(entry.next_off, 4 + length);
        assert_true(entry_at(&section, entry.next_off).is_cie);
    }
}

TEST(entry_cie_cut_anywhere_is_bad)
{
    struct asm_section s = asm_begin(true);
    size_t header, size;

    asm_cie(&s, "zPLR", "\x9b\1\2\3\4\x1b\x1b", 7, 1, NO_PROGRAM);
    size = s.size;
    for (header = 8; header < size; header++) {
        uint32_t length = (uint32_t)header - 4;

        memcpy(s.bytes, &length, sizeof(length));
        s.size = header;
        assert_int_equal(cie_status(&s), STATUS_BAD_DATA);
    }
}
