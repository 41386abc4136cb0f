/* SPDX-License-Identifier: MIT */
#include "symbol/elf/elf_damage.h"

#include "elf_fixture.h"

static const uint8_t code[64] = {0xc3};

static struct elf_fixture *with_code(void)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);

    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, sizeof(code));
    return elf;
}

/* Is there damage, and does the message say `what`, for the offset `off`? */
static void assert_damaged(struct elf_fixture *elf, uint64_t off, const char *what)
{
    struct elf_image *image = fixture_open(elf);
    struct diag diag = {0};

    assert_true(elf_damage_find(image, &diag));
    assert_true(diag.has_off);
    assert_int_equal(diag.off, off);
    assert_non_null(strstr(diag.what, what));
    elf_image_close(image);
}

TEST(elf_damage_of_a_whole_file_is_none)
{
    struct elf_fixture *elf = with_code();
    struct elf_image *image;
    struct diag diag = {0};

    fixture_section(elf, ".bss", SHT_NOBITS, SHF_ALLOC, NULL, 0x10000);
    fixture_finish(elf);
    image = fixture_open(elf);
    assert_false(elf_damage_find(image, &diag));
    assert_string_equal(diag.what, "");
    elf_image_close(image);
}

TEST(elf_damage_of_a_file_without_section_headers_is_none)
{
    struct elf_fixture *elf = with_code();
    struct elf_image *image;

    fixture_finish_stripped(elf);
    image = fixture_open(elf);
    assert_false(elf_damage_find(image, NULL));
    elf_image_close(image);
}

TEST(elf_damage_of_a_file_cut_short_is_its_segment)
{
    struct elf_fixture *elf = with_code();

    fixture_finish(elf);
    elf->size = FIXTURE_HEADERS + 16;
    assert_damaged(elf, 0, "the file ends at 1040");
}

TEST(elf_damage_of_section_headers_beyond_the_end_is_reported)
{
    struct elf_fixture *elf = with_code();
    Elf64_Ehdr ehdr;

    fixture_finish(elf);
    memcpy(&ehdr, elf->bytes, sizeof(ehdr));
    elf->size -= 8;
    assert_damaged(elf, ehdr.e_shoff, "section headers");
}

TEST(elf_damage_of_section_headers_without_sense_is_reported)
{
    struct elf_fixture *elf = with_code();
    Elf64_Ehdr ehdr;

    fixture_finish(elf);
    memcpy(&ehdr, elf->bytes, sizeof(ehdr));
    memset(elf->bytes + ehdr.e_shoff, 0x5a, ehdr.e_shnum * sizeof(Elf64_Shdr));
    assert_damaged(elf, ehdr.e_shoff, "make no sense");
}

TEST(elf_damage_of_a_section_beyond_the_end_is_reported)
{
    struct elf_fixture *elf = with_code();
    unsigned section = fixture_section(elf, ".eh_frame", SHT_PROGBITS, SHF_ALLOC, code, 32);

    elf->sections[section].sh_offset = UINT64_MAX - 8; /* and its end wraps */
    fixture_finish(elf);
    assert_damaged(elf, UINT64_MAX - 8, "a section of 32 bytes");
}

TEST(elf_damage_of_a_separate_debug_file_leaves_its_segments_out)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct elf_image *image;

    fixture_section(elf, ".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, NULL, 64);
    fixture_segment(elf, PT_LOAD, PF_R | PF_X, 0x1000000, FIXTURE_BASE, 64);
    fixture_finish(elf);
    image = fixture_open(elf);
    assert_false(elf_damage_find(image, NULL));
    elf_image_close(image);
}
