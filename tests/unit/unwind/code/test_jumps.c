/* SPDX-License-Identifier: MIT */
/* The index of jumps, of files with one and with two instruction sets. */
#include "elf32_fixture.h"

#include "unwind/code/jumps.h"

/* The same bytes are in .text and in .rodata. */
static struct elf_image *image_of(uint16_t machine, const char *code, size_t size)
{
    struct elf_fixture *elf = fixture_create(machine);

    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, size);
    fixture_section(elf, ".rodata", SHT_PROGBITS, SHF_ALLOC, code, size);
    fixture_finish_any(elf);
    return fixture_open(elf);
}

static void assert_jump(const struct jump *jump, uint64_t source, uint64_t target, uint8_t mode)
{
    assert_int_equal(jump->source_vaddr, FIXTURE_FIRST + source);
    assert_int_equal(jump->target_vaddr, FIXTURE_FIRST + target);
    assert_int_equal(jump->mode, mode);
}

TEST(jumps_of_both_arm_sets_are_indexed_by_target)
{
    static const char code[] = "\x00\xf0\x02\xb8"  /* 00 b.w 08 */
                               "\x00\xbf"          /* 04 nop */
                               "\x00\xf0\x00\x80"  /* 06 beq.w 0a */
                               "\x00\xbf"          /* 0a nop */
                               "\xfb\xff\xff\xea"; /* 0c b 00, A32 */
    struct elf_image *image = image_of(EM_ARM, code, 16);
    struct jumps jumps;

    assert_int_equal(jumps_init(&jumps, image, elf_image_arch(image)), STATUS_OK);
    assert_int_equal(jumps.count, 3);
    assert_jump(&jumps.items[0], 0xc, 0, CODE_DEFAULT);
    assert_jump(&jumps.items[1], 0, 8, CODE_T32);
    assert_jump(&jumps.items[2], 6, 0xa, CODE_T32);
    assert_int_equal(jumps_from(&jumps, FIXTURE_FIRST), 0);
    assert_int_equal(jumps_from(&jumps, FIXTURE_FIRST + 1), 1);
    assert_int_equal(jumps_from(&jumps, FIXTURE_FIRST + 0xb), 3);
    jumps_deinit(&jumps);
    elf_image_close(image);
}

TEST(jumps_of_data_and_into_data_are_left_out)
{
    static const char code[] = "\x01\x00\x00\x14"  /* 00 b 04 */
                               "\x07\x00\x00\x14"; /* 04 b 20 */
    struct elf_image *image = image_of(EM_AARCH64, code, 8);
    struct jumps jumps;

    assert_int_equal(jumps_init(&jumps, image, elf_image_arch(image)), STATUS_OK);
    assert_int_equal(jumps.count, 1);
    assert_jump(&jumps.items[0], 0, 4, CODE_DEFAULT);
    jumps_deinit(&jumps);
    elf_image_close(image);
}
