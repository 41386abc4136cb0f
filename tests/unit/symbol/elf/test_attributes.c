/* SPDX-License-Identifier: MIT */
#include "symbol/elf/attributes.h"

#include "elf_fixture.h"

/* Of another vendor; of ours, of a section, then of the file: stack alignment, ISA, a number. */
static const char whole[] = "A"
                            "\x13\x00\x00\x00gnu\x00"
                            "\x01\x0b\x00\x00\x00\x05none\x00"
                            "\x32\x00\x00\x00riscv\x00"
                            "\x02\x0a\x00\x00\x00\x01\x00\x05x\x00"
                            "\x01\x1e\x00\x00\x00\x04\x10\x05rv32i2p1_m2p0_zcmp1\x00\x06\x01";

#define SIZE (sizeof(whole) - 1)

/* The answer is copied, as the image goes; "": there was none. */
static void ask(const char *bytes, size_t size, const char *vendor, uint64_t tag, char out[64])
{
    struct elf_fixture *elf = fixture_create(EM_RISCV);
    struct elf_image *image;
    const char *text;

    fixture_section(elf, ".riscv.attributes", SHT_RISCV_ATTRIBUTES, 0, bytes, size);
    fixture_finish(elf);
    image = fixture_open(elf);
    text = elf_attribute_text(image, ".riscv.attributes", vendor, tag);
    snprintf(out, 64, "%s", text ? text : "");
    elf_image_close(image);
}

TEST(attribute_is_the_files_of_the_vendor)
{
    char text[64];

    ask(whole, SIZE, "riscv", 5, text);
    assert_string_equal(text, "rv32i2p1_m2p0_zcmp1");
    ask(whole, SIZE, "gnu", 5, text);
    assert_string_equal(text, "none");
    ask(whole, SIZE, "riscv", 7, text);
    assert_string_equal(text, "");
    ask(whole, SIZE, "arm", 5, text);
    assert_string_equal(text, "");
}

TEST(attribute_of_a_file_without_the_section_is_none)
{
    struct elf_fixture *elf = fixture_create(EM_RISCV);
    struct elf_image *image;

    fixture_finish(elf);
    image = fixture_open(elf);
    assert_null(elf_attribute_text(image, ".riscv.attributes", "riscv", 5));
    elf_image_close(image);
}

/* Each cut, and each byte made small and large: no more than an answer is lost. */
TEST(attribute_of_a_damaged_section_is_none_or_as_it_was)
{
    char bytes[SIZE], text[64];

    for (size_t size = 0; size < SIZE; size++) {
        ask(whole, size, "riscv", 5, text);
        assert_string_equal(text, "");
    }
    for (size_t i = 0; i < SIZE; i++)
        for (unsigned k = 0; k < 3; k++) {
            memcpy(bytes, whole, SIZE);
            bytes[i] = k == 2 ? (char)0xff : (char)k;
            ask(bytes, SIZE, "riscv", 5, text);
            assert_true(strlen(text) < SIZE);
        }
}
