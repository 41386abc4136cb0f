/* SPDX-License-Identifier: MIT */
/* The vector table in firmware files made by hand. */
#include "elf32_fixture.h"

#include "symbol/elf/function_starts.h"
#include "symbol/elf/vectors.h"

#define CODE_SIZE   0x80u
#define TABLE_VADDR (FIXTURE_FIRST + CODE_SIZE) /* behind the code */
#define SP_AT_RESET 0x20001000u

static struct elf_image *make(uint16_t machine, uint16_t type, const uint32_t *words, size_t count)
{
    struct elf_fixture *elf = fixture_create(machine);
    uint8_t code[CODE_SIZE] = {0};

    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, sizeof(code));
    fixture_section(elf, ".vectors", SHT_PROGBITS, SHF_ALLOC, words, count * sizeof(*words));
    if (machine == EM_ARM)
        fixture_finish32(elf);
    else
        fixture_finish(elf);
    memcpy(elf->bytes + offsetof(Elf32_Ehdr, e_type), &type, sizeof(type));
    return fixture_open(elf);
}

static uint32_t handler(unsigned number)
{
    return (uint32_t)FIXTURE_FIRST + 8 * number + 1;
}

static void expect_none(uint16_t machine, uint16_t type, const uint32_t *words, size_t count)
{
    struct elf_image *image = make(machine, type, words, count);
    struct vectors vectors;

    assert_int_equal(vectors_find(image, &vectors), STATUS_NOT_FOUND);
    elf_image_close(image);
}

TEST(vectors_of_a_firmware_are_found_and_their_handlers_start_functions)
{
    const uint32_t words[] = {SP_AT_RESET, handler(0), handler(1), handler(2), 0, handler(3), 7, 9};
    struct elf_image *image = make(EM_ARM, ET_EXEC, words, 8);
    struct function_starts *starts;
    const struct function_start *list;
    struct vectors vectors;
    size_t count;

    assert_int_equal(vectors_find(image, &vectors), STATUS_OK);
    assert_int_equal(vectors.vaddr, TABLE_VADDR);
    assert_int_equal(vectors.count, 6);
    assert_int_equal(vectors.sp, SP_AT_RESET);
    assert_int_equal(vectors.reset_vaddr, handler(0));
    assert_int_equal(vectors_word(image, &vectors, 5), handler(3));
    assert_int_equal(function_starts_create(image, NULL, true, &starts), STATUS_OK);
    list = function_starts_all(starts, &count);
    assert_int_equal(count, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(list[i].vaddr, handler(i) - 1);
        assert_int_equal(list[i].origin, i == 0 ? ORIGIN_ENTRY : ORIGIN_VECTOR);
    }
    function_starts_destroy(starts);
    elf_image_close(image);
}

TEST(vectors_are_in_no_other_words)
{
    const uint32_t good[] = {SP_AT_RESET, handler(0), handler(1), handler(2)};
    const uint32_t even[] = {SP_AT_RESET, handler(0), handler(1) - 1, handler(2)};
    const uint32_t code[] = {handler(0) - 1, handler(0), handler(1), handler(2)};
    const uint32_t none[] = {0, handler(0), handler(1), handler(2)};
    const uint32_t hole[] = {SP_AT_RESET, handler(0), 0, handler(2)};

    expect_none(EM_ARM, ET_EXEC, even, 4);
    expect_none(EM_ARM, ET_EXEC, code, 4);
    expect_none(EM_ARM, ET_EXEC, none, 4);
    expect_none(EM_ARM, ET_EXEC, hole, 4);
    expect_none(EM_ARM, ET_EXEC, good, 3); /* cut */
    expect_none(EM_ARM, ET_DYN, good, 4);
    expect_none(EM_X86_64, ET_EXEC, good, 4);
}
