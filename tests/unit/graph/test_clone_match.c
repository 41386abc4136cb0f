/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "graph/clone_match.h"

static const struct fixture_function FUNCTIONS[] = {
    {"new", 0, 0x1000, "one", NULL, 0, NULL, false},
    {"new_s1", 0, 0x3000, "some", NULL, 0, NULL, false},
    {"new_s2", 0, 0x4000, "some", NULL, 0, NULL, false},
    {"other", 1, 0x1000, "one", NULL, 0, NULL, false},
    {"old", 2, 0x8000, "one", NULL, 0, NULL, false},
    {"old_s1", 2, 0x9000, "some", NULL, 0, NULL, false},
    {"old_in", 2, 0xa000, "host", NULL, 0, "one", false},
    {"new_nameless", 0, 0xb000, NULL, NULL, 0, NULL, false},
    {"old_nameless", 2, 0xb000, NULL, NULL, 0, NULL, false},
    {"new_clone", 0, 0xc000, "work(int).constprop.0", NULL, 0, NULL, false},
    {"new_cold", 0, 0xd000, "work(int).cold", NULL, 0, NULL, false},
    {"old_work", 2, 0xc000, "work(int)", NULL, 0, NULL, false},
    {"new_lto", 0, 0x10000, "local.lto_priv.0", NULL, 0, NULL, false},
    {"old_lto", 2, 0x10000, "local.lto_priv.7", NULL, 0, NULL, false},
    {"new_lto_1", 0, 0x11000, "two.lto_priv.0", NULL, 0, NULL, false},
    {"new_lto_2", 0, 0x12000, "two.lto_priv.1.cold", NULL, 0, NULL, false},
    {"old_two", 2, 0x11000, "two", NULL, 0, NULL, false},
    {NULL, 0, 0, NULL, NULL, 0, NULL, false},
};

/* The function of an alias. */
static uint32_t find(struct fixture *f, const char *alias, uint64_t off, uint32_t place)
{
    for (const struct fixture_function *function = FUNCTIONS; function->alias; function++) {
        const struct places *places;

        if (strcmp(function->alias, alias) != 0)
            continue;
        assert_int_equal(names_find(f->names, &f->modules[function->module], function->start + off,
                                    true, false, &places),
                         STATUS_OK);
        return places->list[place].function;
    }
    fail_msg("no function '%s'", alias);
    return 0;
}

static void init(struct fixture *f, struct clone_match *clones)
{
    static char path[] = "/elsewhere/prog";

    fixture_init(f, FUNCTIONS);
    f->modules[2].path = path;
    for (const struct fixture_function *function = FUNCTIONS; function->alias; function++)
        find(f, function->alias, 0x900, 0);
    assert_int_equal(profile_resolve(f->profile, f->names), STATUS_OK);
    assert_int_equal(clone_match_init(clones, f->profile), STATUS_OK);
}

/* Each stands for itself. */
static void assert_stay_apart(const char *const aliases[], size_t count)
{
    struct fixture f;
    struct clone_match clones;

    init(&f, &clones);
    for (size_t i = 0; i < count; i++) {
        uint32_t function = find(&f, aliases[i], 0, 0);

        assert_int_equal(clone_match_function(&clones, function), function);
    }
    clone_match_deinit(&clones);
    fixture_deinit(&f);
}

static void clone_match_are_functions_of_one_name_in_files_of_one_name(void **state)
{
    struct fixture f;
    struct clone_match clones;
    uint32_t old;

    (void)state;
    init(&f, &clones);
    old = find(&f, "old", 0, 0);
    assert_int_equal(clone_match_function(&clones, old), find(&f, "new", 0, 0));
    assert_int_equal(clone_match_function(&clones, find(&f, "new", 0, 0)), find(&f, "new", 0, 0));
    assert_int_equal(clone_match_function(&clones, find(&f, "other", 0, 0)),
                     find(&f, "other", 0, 0));
    assert_ptr_equal(clones.module[old], &f.modules[0]);
    assert_ptr_equal(clones.module[find(&f, "other", 0, 0)], &f.modules[1]);
    clone_match_deinit(&clones);
    fixture_deinit(&f);
}

static void clone_match_namesakes_of_one_module_stay_apart(void **state)
{
    static const char *const aliases[] = {"new_s1", "new_s2", "old_s1"};

    (void)state;
    assert_stay_apart(aliases, 3);
}

static void clone_match_without_names_are_of_one_build(void **state)
{
    struct fixture f;
    struct clone_match clones;
    uint32_t old, new;

    (void)state;
    init(&f, &clones);
    old = find(&f, "old_nameless", 0, 0);
    new = find(&f, "new_nameless", 0, 0);
    assert_string_equal(names_function(f.names, old)->name, names_function(f.names, new)->name);
    assert_int_equal(clone_match_function(&clones, old), old);
    clone_match_deinit(&clones);
    for (size_t i = 0; i < 3; i += 2)
        f.modules[i].build_id_size = 20; /* of zeroes */
    assert_int_equal(clone_match_init(&clones, f.profile), STATUS_OK);
    assert_int_equal(clone_match_function(&clones, old), new);
    clone_match_deinit(&clones);
    fixture_deinit(&f);
}

static void clone_match_inlined_copies_go_with_the_function_they_count_as(void **state)
{
    struct fixture f;
    struct clone_match clones;
    uint32_t copy;

    (void)state;
    init(&f, &clones);
    copy = names_canonical(f.names, find(&f, "old_in", 0x900, 0));
    assert_int_equal(copy, find(&f, "old", 0, 0));
    assert_int_equal(clone_match_function(&clones, copy), find(&f, "new", 0, 0));
    clone_match_deinit(&clones);
    fixture_deinit(&f);
}

static void clone_match_clones_are_their_function_of_the_shortest_name(void **state)
{
    static const char *const aliases[] = {"new_clone", "new_cold", "old_work"};
    struct fixture f;
    struct clone_match clones;

    (void)state;
    init(&f, &clones);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(clone_match_function(&clones, find(&f, aliases[i], 0, 0)),
                         find(&f, "old_work", 0, 0));
    assert_int_equal(clone_match_function(&clones, find(&f, "old_lto", 0, 0)),
                     find(&f, "new_lto", 0, 0));
    clone_match_deinit(&clones);
    fixture_deinit(&f);
}

static void clone_match_static_functions_renamed_by_lto_stay_apart(void **state)
{
    static const char *const aliases[] = {"new_lto_1", "new_lto_2", "old_two"};

    (void)state;
    assert_stay_apart(aliases, 3);
}

static void clone_match_of_nobody_are_themselves(void **state)
{
    const struct clone_match clones = {0};

    (void)state;
    assert_int_equal(clone_match_function(&clones, 7), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clone_match_are_functions_of_one_name_in_files_of_one_name),
        cmocka_unit_test(clone_match_namesakes_of_one_module_stay_apart),
        cmocka_unit_test(clone_match_without_names_are_of_one_build),
        cmocka_unit_test(clone_match_inlined_copies_go_with_the_function_they_count_as),
        cmocka_unit_test(clone_match_clones_are_their_function_of_the_shortest_name),
        cmocka_unit_test(clone_match_static_functions_renamed_by_lto_stay_apart),
        cmocka_unit_test(clone_match_of_nobody_are_themselves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
