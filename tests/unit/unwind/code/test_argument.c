/* SPDX-License-Identifier: MIT */
#include "unwind/code/argument.h"

#include "unit_test.h"

#define START UINT64_C(0x10000)

enum { RBX = 3, RSI = 4 };

static const uint8_t *bytes_at(const void *context, uint64_t vaddr, uint64_t *avail)
{
    const char *const *file = context;
    const uint64_t size = (uint64_t)(file[1] - file[0]);

    if (vaddr < START || vaddr - START >= size)
        return NULL;
    *avail = size - (vaddr - START);
    return (const uint8_t *)file[0] + (vaddr - START);
}

/* Of a function that is `bytes`, the last of which are a call. */
static bool holds(const char *bytes, size_t size)
{
    const char *const file[] = {bytes, bytes + size};
    const struct argument_place place = {.start_vaddr = START,
                                         .return_vaddr = START + size,
                                         .reg = RSI,
                                         .parts = UINT64_C(1) << RBX};
    struct code *code;
    bool answer;

    assert_int_equal(code_create(arch_get(ARCH_X86_64), bytes_at, bytes_at, file, &code),
                     STATUS_OK);
    answer = argument_holds(code, &place);
    assert_int_equal(argument_holds(code, &place), answer); /* asked again */
    code_destroy(code);
    return answer;
}

#define HOLDS(bytes) holds(bytes, sizeof(bytes) - 1)
#define LEA          "\x8d\x73\x05"         /* lea 5(%rbx), %esi */
#define ADD          "\x83\xc3\x07"         /* add $7, %ebx */
#define XOR          "\x31\xff"             /* xor %edi, %edi */
#define JUMP         "\x74\x00"             /* je .+2 */
#define CALL         "\xe8\x00\x00\x00\x00" /* call .+5 */

TEST(argument_holds_until_a_part_is_changed)
{
    assert_true(HOLDS(LEA CALL));
    assert_true(HOLDS(ADD LEA XOR CALL));
    assert_false(HOLDS(LEA ADD CALL));
    assert_true(HOLDS(LEA ADD LEA CALL)); /* made anew */
    assert_false(HOLDS(XOR CALL));        /* made elsewhere */
    assert_false(HOLDS(LEA JUMP CALL));
    assert_false(HOLDS(LEA CALL CALL));
    assert_false(HOLDS(LEA XOR));
}
