/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"
#include "graph/told.h"

static struct module module = {.kind = MODULE_FILE, .file.path = "/bin/prog"};

static void tell(struct told *told, const char *function, const char *file, bool is_start)
{
    struct source_frame frame = {.line = 7};
    const struct source_frames frames = {.frames = &frame,
                                         .count = 1,
                                         .function_vaddr = 0x100,
                                         .has_function = true};

    if (function)
        assert_int_equal(told_text(told, function, strlen(function), &frame.function), STATUS_OK);
    if (file)
        assert_int_equal(told_text(told, file, strlen(file), &frame.file), STATUS_OK);
    assert_int_equal(told_add(told, &module, 0x100, &frames, is_start), STATUS_OK);
}

static const struct source_frames *ask(struct told *told, uint64_t vaddr)
{
    const struct names_source source = told_source(told);
    const struct source_frames *out = NULL;

    assert_int_equal(source.lookup(source.context, &module, vaddr, &out), STATUS_OK);
    return out;
}

TEST(told_of_an_address_is_answered_and_of_no_other)
{
    struct told *told;
    uint64_t start, end;

    assert_int_equal(told_create(NULL, NULL, &told), STATUS_OK);
    tell(told, "main", "a.c", false);
    assert_string_equal(ask(told, 0x100)->frames[0].function, "main");
    assert_null(ask(told, 0x101));
    /* No file is asked. */
    assert_int_equal(told_source(told).function(told, &module, 0x101, &start, &end),
                     STATUS_NOT_FOUND);
    told_destroy(told);
}

TEST(told_twice_does_not_depend_on_who_came_first)
{
    for (int turn = 0; turn < 2; turn++) {
        struct told *told;

        assert_int_equal(told_create(NULL, NULL, &told), STATUS_OK);
        tell(told, turn ? "main" : NULL, turn ? "a.c" : NULL, false);
        tell(told, turn ? NULL : "main", turn ? NULL : "a.c", false);
        tell(told, "zzz", "z.c", true); /* a start says less */
        assert_string_equal(ask(told, 0x100)->frames[0].function, "main");
        assert_string_equal(ask(told, 0x100)->frames[0].file, "a.c");
        told_destroy(told);
    }
}

TEST(told_start_gives_way_to_the_place)
{
    struct told *told;

    assert_int_equal(told_create(NULL, NULL, &told), STATUS_OK);
    tell(told, "zzz", "z.c", true);
    assert_string_equal(ask(told, 0x100)->frames[0].function, "zzz");
    tell(told, "main", NULL, false);
    assert_string_equal(ask(told, 0x100)->frames[0].function, "main");
    told_destroy(told);
}
