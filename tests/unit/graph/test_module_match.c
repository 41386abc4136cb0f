/* SPDX-License-Identifier: MIT */
/* Which modules are the same when a profile is compared with that of another build. */
#include "graph_fixture.h"

#include "graph/module_match.h"

/* One function in each module, which are called as each test says. */
static const struct fixture_function FUNCTIONS[] = {
    {"a", .start = 0x1000, .name = "f"},
    {"b", .module = 1, .start = 0x1000, .name = "f"},
    {"c", .module = 2, .start = 0x1000, .name = "f"},
    {"d", .module = 3, .start = 0x1000, .name = "f"},
    {0},
};

struct setup {
    const char *paths[4];
    const char *now, *base;             /* chains */
    const char *program, *base_program; /* NULL: not known */
};

/* The classes as digits, each the first module of its class. */
static void check(const struct setup *setup, const char *want)
{
    struct module_match match;
    struct fixture f;
    char paths[4][32], got[5] = "";

    fixture_init(&f, FUNCTIONS);
    for (size_t i = 0; i < 4; i++) {
        snprintf(paths[i], sizeof(paths[i]), "%s", setup->paths[i]);
        f.modules[i].file.path = paths[i];
        f.modules[i].kind = MODULE_FILE;
    }
    if (setup->program)
        assert_int_equal(profile_program(f.profile, setup->program), STATUS_OK);
    fixture_add(&f, "t", 1, setup->now, 1);
    fixture_add_base(&f, "t", 1, setup->base, 1);
    profile_weigh_base(f.profile, true);
    if (setup->base_program)
        assert_int_equal(profile_program(f.profile, setup->base_program), STATUS_OK);
    assert_int_equal(profile_resolve(f.profile, f.names), STATUS_OK);
    assert_int_equal(module_match_init(&match, f.profile), STATUS_OK);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4 && !got[i]; j++)
            if (module_match_class(&match, &f.modules[i]) ==
                module_match_class(&match, &f.modules[j]))
                got[i] = (char)('0' + j);
    assert_string_equal(got, want);
    assert_int_equal(module_match_class(&match, NULL), MODULE_MATCH_NONE);
    module_match_deinit(&match);
    fixture_deinit(&f);
}

TEST(module_match_files_of_one_name_are_one)
{
    check(&(struct setup){{"/new/app", "/l/liba.so.1", "/old/app", "/m/liba.so.1"},
                          "a b",
                          "c d",
                          NULL,
                          NULL},
          "0101");
}

TEST(module_match_libraries_are_one_in_all_versions)
{
    check(&(struct setup){{"/l/liba.so.1.3", "/l/libb.so", "/l/liba.so.1.2", "/l/libb.so.2"},
                          "a b",
                          "c d",
                          NULL,
                          NULL},
          "0101");
    check(&(struct setup){{"/l/liba-1.so", "/l/liba.so.1", "/l/liba-2.so", "/l/liba.some"},
                          "a b",
                          "c d",
                          NULL,
                          NULL},
          "0123");
}

TEST(module_match_versions_that_one_profile_has_both_stay_apart)
{
    check(&(struct setup){{"/l/liba.so.1", "/l/liba.so.2", "/m/liba.so.1", "/m/x"},
                          "a b",
                          "c d",
                          NULL,
                          NULL},
          "0103");
    check(&(struct setup){{"/l/liba.so.1", "/l/liba.so.2", "/l/y", "/l/x"},
                          "a b",
                          "a c d",
                          NULL,
                          NULL},
          "0123");
}

TEST(module_match_main_programs_are_one)
{
    check(&(struct setup){{"/bin/app-1.1", "/l/x", "/bin/app-1.0", "/l/x"},
                          "a b",
                          "c d",
                          "/bin/app-1.1",
                          "/bin/app-1.0"},
          "0101");
    check(&(struct setup){{"/bin/app-1.1", "/l/x", "/bin/app-1.0", "/l/x"},
                          "a b",
                          "c d",
                          "/bin/app-1.0",
                          "/bin/app-1.1"},
          "0121"); /* not that of its own side */
}

TEST(module_match_main_program_that_is_not_known_goes_by_its_name)
{
    check(&(struct setup){{"/new/app", "/l/x", "/old/app", "/l/y"}, "a b", "c d", "/new/app", NULL},
          "0103");
    check(&(struct setup){{"/new/app", "/l/x", "/old/app", "/l/y"},
                          "a b",
                          "c d",
                          "/new/app",
                          "/gone"},
          "0103");
}
