/* SPDX-License-Identifier: MIT */
/* What searches have found, as later runs get it from the cache: the same, or nothing. */
#include "cache_fixture.h"
#include "library_fixture.h"

#include <string.h>

#include "unwind/functions/kept_calls.h"
#include "unwind/functions/kept_functions.h"

enum { ASKED = 40 };

static struct cache *cache;

static void open_library(struct library *l, bool parts)
{
    struct diag why;

    library_open(l, parts);
    assert_int_equal(cache_open(&cache, &why), STATUS_OK);
    assert_int_equal(kept_search_create(cache, l->module->image, &l->code->kept), STATUS_OK);
}

static void close_library(struct library *l)
{
    kept_search_save(l->code->kept);
    library_close(l);
    cache_close(cache);
}

/* The functions at some places of the library's code; those that are in none are zeroes. */
static void ask(struct library *l, struct code_function answers[ASKED])
{
    size_t count;
    const struct vaddr_range *ranges = elf_image_exec_ranges(l->module->image, &count);
    const struct vaddr_range *text = &ranges[count - 1];

    for (size_t i = 0; i < count; i++)
        if (ranges[i].end_vaddr - ranges[i].start_vaddr > text->end_vaddr - text->start_vaddr)
            text = &ranges[i];
    for (uint64_t i = 0; i < ASKED; i++) {
        const uint64_t vaddr =
            text->start_vaddr + (text->end_vaddr - text->start_vaddr) * i / ASKED;
        const struct code_function *found;

        memset(&answers[i], 0, sizeof(answers[i]));
        if (module_functions_find(l->functions, vaddr, &found) == STATUS_OK)
            answers[i] = *found;
    }
}

static void assert_same(const struct code_function *a, const struct code_function *b)
{
    for (size_t i = 0; i < ASKED; i++) {
        assert_int_equal(a[i].start_vaddr, b[i].start_vaddr);
        assert_int_equal(a[i].end_vaddr, b[i].end_vaddr);
        assert_int_equal(a[i].origin, b[i].origin);
        assert_int_equal(a[i].mode, b[i].mode);
    }
}

static void check_next_run(bool parts)
{
    struct code_function first[ASKED], second[ASKED];
    struct library l;

    open_library(&l, parts);
    ask(&l, first);
    assert_int_not_equal(first[ASKED / 2].start_vaddr, 0);
    assert_non_null(l.code->code->decoders[CODE_DEFAULT]);
    close_library(&l);
    open_library(&l, parts);
    ask(&l, second);
    assert_same(first, second);
    assert_null(l.code->code->decoders[CODE_DEFAULT]); /* no instruction was looked at */
    assert_false(l.code->calls_made || l.code->far_jumps_made);
    close_library(&l);
}

TEST_WITH(functions_are_those_that_the_run_before_found, cache_root_make, cache_root_remove)
{
    check_next_run(false);
    check_next_run(true);
}

/* Other symbols, another part of the code, or no symbols by request: other functions. */
TEST_WITH(the_id_of_functions_is_of_all_that_they_depend_on, cache_root_make, cache_root_remove)
{
    struct functions known = {0};
    struct vaddr_range within;
    struct kept_id ids[5];
    struct library l;
    uint64_t symbols = 0;
    size_t count;

    open_library(&l, false);
    within = elf_image_exec_ranges(l.module->image, &count)[0];
    ids[0] = kept_functions_id(l.code, &known, symbols, 1, &within);
    within.end_vaddr -= 8;
    ids[1] = kept_functions_id(l.code, &known, symbols, 1, &within);
    l.code->code_only = true;
    ids[2] = kept_functions_id(l.code, &known, symbols, 1, &within);
    assert_int_equal(functions_add(&known, &(struct code_function){16, 32, 0, 0}), STATUS_OK);
    ids[3] = kept_functions_id(l.code, &known, symbols, 1, &within);
    symbols = 1;
    ids[4] = kept_functions_id(l.code, &known, symbols, 1, &within);
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(ids[i].basis, ids[k].basis);
    functions_deinit(&known);
    close_library(&l);
}

/* A record for `list`, changed at each of its bytes in turn: it is refused, or sound. */
TEST_WITH(functions_of_a_changed_record_are_sound_or_refused, cache_root_make, cache_root_remove)
{
    static const struct code_function items[] = {
        {.start_vaddr = 0x1000, .end_vaddr = 0x1010, .origin = FUNCTION_CALL},
        {.start_vaddr = 0x1010, .end_vaddr = 0x1044, .origin = FUNCTION_GAP, .mode = CODE_T32},
        {.start_vaddr = 0x2000, .end_vaddr = 0x2001, .origin = FUNCTION_FRAGMENT},
    };
    static struct map_pair learned[] = {{0x1000, 1}, {0x1010, 2 << 16}};
    const struct kept_id id = {.kind = KEPT_FUNCTIONS, .number = 7, .basis = 9};
    struct found_functions made = {.learned = learned, .learned_count = 2}, found = {0};
    enum status status = STATUS_OK;
    size_t refused = 0, changed = 0;
    struct cursor record;
    struct library l;

    open_library(&l, false);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(functions_add(&made.list, &items[i]), STATUS_OK);
    made.list.jumps = calloc(2, sizeof(*made.list.jumps));
    made.list.jumps[0] = (struct entry_jump){0x1008, 0x2000};
    made.list.jumps[1] = (struct entry_jump){0x1004, 0x2000};
    made.list.jump_count = 2;
    kept_functions_put(l.code->kept, &id, &made);
    assert_true(kept_functions_find(l.code->kept, &id, &found, &status));
    assert_int_equal(found.list.count, 3);
    assert_int_equal(found.list.items[1].end_vaddr, 0x1044);
    assert_int_equal(found.list.items[1].mode, CODE_T32);
    assert_int_equal(found.list.jump_count, 2);
    assert_int_equal(found.list.jumps[1].source_vaddr, 0x1004);
    assert_int_equal(found.learned_count, 2);
    assert_memory_equal(found.learned, learned, sizeof(learned));
    found_functions_deinit(&found);
    assert_true(kept_search_find(l.code->kept, &id, &record));
    for (size_t i = 0; i < record.size; i++)
        for (unsigned bit = 0; bit < 8; bit++, changed++) {
            const struct kept_id other = {.kind = KEPT_FUNCTIONS, .number = 100, .basis = i};
            uint8_t *bytes = malloc(record.size);

            memcpy(bytes, record.data, record.size);
            bytes[i] ^= (uint8_t)(1u << bit);
            kept_search_put(l.code->kept, &other, bytes, record.size);
            if (!kept_functions_find(l.code->kept, &other, &found, &status)) {
                refused++;
                assert_int_equal(found.list.count, 0);
                assert_null(found.learned);
                continue;
            }
            for (size_t k = 0; k < found.list.count; k++) {
                const struct code_function *function = &found.list.items[k];

                assert_true(function->start_vaddr < function->end_vaddr);
                assert_true(k == 0 || function->start_vaddr >= function[-1].end_vaddr);
            }
            found_functions_deinit(&found);
        }
    for (size_t size = 0; size < record.size; size++) {
        const struct kept_id other = {.kind = KEPT_FUNCTIONS, .number = 101, .basis = size};
        uint8_t *bytes = malloc(record.size);

        memcpy(bytes, record.data, record.size);
        kept_search_put(l.code->kept, &other, bytes, size);
        assert_false(kept_functions_find(l.code->kept, &other, &found, &status));
    }
    assert_true(refused > changed / 4);
    assert_int_equal(status, STATUS_OK);
    functions_deinit(&made.list);
    close_library(&l);
}

/* Of libc's calls: what is asked of a changed record's stays inside it. */
TEST_WITH(calls_of_a_changed_record_can_be_asked, cache_root_make, cache_root_remove)
{
    const struct kept_id id = {.kind = KEPT_CALLS}, other = {.kind = KEPT_FAR_JUMPS};
    struct cursor record;
    const struct calls *calls;
    struct calls found;
    struct library l;
    size_t refused = 0, same = 0;

    open_library(&l, false);
    assert_int_equal(module_code_calls(l.code, &calls), STATUS_OK);
    assert_true(kept_search_find(l.code->kept, &id, &record));
    assert_true(kept_calls_find(l.code->kept, KEPT_CALLS, l.module->image, &found));
    for (uint64_t at = 0; (at = calls_next(calls, at)) != UINT64_MAX; at++, same++)
        assert_int_equal(calls_next(&found, at), at);
    assert_true(same > 1000);
    calls_deinit(&found);
    for (size_t i = 0; i < record.size; i += i < 2000 ? 1 : 997) {
        uint8_t *bytes = malloc(record.size);

        memcpy(bytes, record.data, record.size);
        bytes[i] ^= 0x84;
        kept_search_put(l.code->kept, &other, bytes, record.size);
        if (!kept_calls_find(l.code->kept, KEPT_FAR_JUMPS, l.module->image, &found)) {
            refused++;
            continue;
        }
        for (uint64_t at = 0, n = 0; n < 3000 && (at = calls_next(&found, at)) != UINT64_MAX;
             at++, n++)
            (void)calls_lead_to(&found, at + 1);
        calls_deinit(&found);
    }
    assert_true(refused > 100);
    close_library(&l);
}
