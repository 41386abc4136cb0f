/* SPDX-License-Identifier: MIT */
/* Functions of a real library, found by its code: in parts, and all at once. */
#include "library_fixture.h"

enum { COMPARED_MIN = 500, EACH = 5, SAME_PERCENT = 93 };

/* Where a function is found by neither a table nor a symbol, the part has it that it is in. */
TEST(functions_in_parts_are_nearly_always_those_of_all)
{
    struct library whole, parts;
    const struct functions *all;
    const struct code_function *found;
    size_t compared = 0, same = 0;

    library_open(&whole, false);
    library_open(&parts, true);
    assert_int_equal(module_functions_all(whole.functions, &all), STATUS_OK);
    for (size_t i = 0; i < all->count; i += EACH) {
        const struct code_function *want = &all->items[i];
        const uint64_t vaddr = want->start_vaddr + (want->end_vaddr - want->start_vaddr) / 2;

        if (want->origin < FUNCTION_CALL || want->origin > FUNCTION_CONSTANT)
            continue;
        compared++;
        same += module_functions_find(parts.functions, vaddr, &found) == STATUS_OK &&
                found->start_vaddr == want->start_vaddr;
    }
    assert_true(compared >= COMPARED_MIN / EACH);
    assert_true(same * 100 >= compared * SAME_PERCENT);
    library_close(&parts);
    library_close(&whole);
}

TEST(what_is_no_code_is_in_no_part)
{
    struct library parts;
    const struct code_function *found;

    library_open(&parts, true);
    assert_int_equal(module_functions_find(parts.functions, 0, &found), STATUS_NOT_FOUND);
    assert_int_equal(module_functions_find(parts.functions, UINT64_MAX, &found), STATUS_NOT_FOUND);
    library_close(&parts);
}

/* Of what .dynsym has all is known, of the rest nothing. */
TEST(without_search_only_what_is_told_is_found)
{
    struct library whole, told;
    const struct functions *all;
    const struct code_function *found;
    size_t known = 0, unknown = 0;

    library_open(&whole, false);
    library_open(&told, false);
    module_functions_no_search(told.functions);
    assert_int_equal(module_functions_all(whole.functions, &all), STATUS_OK);
    for (size_t i = 0; i < all->count; i++) {
        const struct code_function *want = &all->items[i];
        const bool is_told = want->origin <= FUNCTION_DYNSYM;

        assert_int_equal(module_functions_find(told.functions, want->start_vaddr, &found),
                         is_told ? STATUS_OK : STATUS_NOT_FOUND);
        if (is_told)
            assert_int_equal(found->end_vaddr, want->end_vaddr);
        known += is_told;
        unknown += !is_told;
    }
    assert_true(known >= COMPARED_MIN && unknown >= COMPARED_MIN / EACH);
    library_close(&told);
    library_close(&whole);
}
