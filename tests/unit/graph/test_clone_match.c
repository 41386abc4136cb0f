/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "graph/clone_match.h"

static const struct fixture_function FUNCTIONS[] = {
    {"new", .start = 0x1000, .name = "one"},
    {"new_s1", .start = 0x3000, .name = "some"},
    {"new_s2", .start = 0x4000, .name = "some"},
    {"other", .module = 1, .start = 0x1000, .name = "one"},
    {"old", .module = 2, .start = 0x8000, .name = "one"},
    {"old_s1", .module = 2, .start = 0x9000, .name = "some"},
    {"old_in", .module = 2, .start = 0xa000, .name = "host", .inlined = "one"},
    {"new_nameless", .start = 0xb000, .is_nameless = true},
    {"old_nameless", .module = 2, .start = 0xb000, .is_nameless = true},
    {"new_clone", .start = 0xc000, .name = "work(int).constprop.0"},
    {"new_cold", .start = 0xd000, .name = "work(int).cold"},
    {"old_work", .module = 2, .start = 0xc000, .name = "work(int)"},
    {"new_lto", .start = 0x10000, .name = "local.lto_priv.0"},
    {"old_lto", .module = 2, .start = 0x10000, .name = "local.lto_priv.7"},
    {"new_lto_1", .start = 0x11000, .name = "two.lto_priv.0"},
    {"new_lto_2", .start = 0x12000, .name = "two.lto_priv.1.cold"},
    {"old_two", .module = 2, .start = 0x11000, .name = "two"},
    {0},
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

static void find_clones(struct fixture *f, struct clone_match *clones)
{
    static char path[] = "/elsewhere/prog";

    f->modules[2].file.path = path;
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

    fixture_init(&f, FUNCTIONS);
    find_clones(&f, &clones);
    for (size_t i = 0; i < count; i++) {
        uint32_t function = find(&f, aliases[i], 0, 0);

        assert_int_equal(clone_match_function(&clones, function), function);
    }
    clone_match_deinit(&clones);
    fixture_deinit(&f);
}

TEST_OF(clone_match_are_functions_of_one_name_in_files_of_one_name, fixture, f, FUNCTIONS)
{
    struct clone_match clones;
    uint32_t old;

    find_clones(f, &clones);
    old = find(f, "old", 0, 0);
    assert_int_equal(clone_match_function(&clones, old), find(f, "new", 0, 0));
    assert_int_equal(clone_match_function(&clones, find(f, "new", 0, 0)), find(f, "new", 0, 0));
    assert_int_equal(clone_match_function(&clones, find(f, "other", 0, 0)), find(f, "other", 0, 0));
    assert_ptr_equal(clones.module[old], &f->modules[0]);
    assert_ptr_equal(clones.module[find(f, "other", 0, 0)], &f->modules[1]);
    clone_match_deinit(&clones);
}

TEST(clone_match_namesakes_of_one_module_stay_apart)
{
    static const char *const aliases[] = {"new_s1", "new_s2", "old_s1"};

    assert_stay_apart(aliases, 3);
}

TEST_OF(clone_match_without_names_are_of_one_build, fixture, f, FUNCTIONS)
{
    static const uint8_t zeroes[20];
    struct clone_match clones;
    uint32_t old, new;

    find_clones(f, &clones);
    old = find(f, "old_nameless", 0, 0);
    new = find(f, "new_nameless", 0, 0);
    assert_string_equal(names_function(f->names, old)->name, names_function(f->names, new)->name);
    assert_int_equal(clone_match_function(&clones, old), old);
    clone_match_deinit(&clones);
    for (size_t i = 0; i < 3; i += 2) {
        f->modules[i].file.build_id = zeroes;
        f->modules[i].file.build_id_size = sizeof(zeroes);
    }
    assert_int_equal(clone_match_init(&clones, f->profile), STATUS_OK);
    assert_int_equal(clone_match_function(&clones, old), new);
    clone_match_deinit(&clones);
}

TEST_OF(clone_match_inlined_copies_go_with_the_function_they_count_as, fixture, f, FUNCTIONS)
{
    struct clone_match clones;
    uint32_t copy;

    find_clones(f, &clones);
    copy = names_canonical(f->names, find(f, "old_in", 0x900, 0));
    assert_int_equal(copy, find(f, "old", 0, 0));
    assert_int_equal(clone_match_function(&clones, copy), find(f, "new", 0, 0));
    clone_match_deinit(&clones);
}

TEST_OF(clone_match_clones_are_their_function_of_the_shortest_name, fixture, f, FUNCTIONS)
{
    static const char *const aliases[] = {"new_clone", "new_cold", "old_work"};
    struct clone_match clones;

    find_clones(f, &clones);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(clone_match_function(&clones, find(f, aliases[i], 0, 0)),
                         find(f, "old_work", 0, 0));
    assert_int_equal(clone_match_function(&clones, find(f, "old_lto", 0, 0)),
                     find(f, "new_lto", 0, 0));
    clone_match_deinit(&clones);
}

TEST(clone_match_static_functions_renamed_by_lto_stay_apart)
{
    static const char *const aliases[] = {"new_lto_1", "new_lto_2", "old_two"};

    assert_stay_apart(aliases, 3);
}

TEST(clone_match_of_nobody_are_themselves)
{
    const struct clone_match clones = {0};

    assert_int_equal(clone_match_function(&clones, 7), 7);
}
