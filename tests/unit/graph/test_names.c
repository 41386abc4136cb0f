/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x1000, .file = "main.c", .line = 10},
    {"helper1", .start = 0x2000, .name = "helper", .file = "a.c", .line = 20},
    {"helper2", .start = 0x3000, .name = "helper", .file = "b.c", .line = 30},
    {"host", .start = 0x4000, .file = "h.c", .line = 40, .inlined = "main"},
    {"host2", .start = 0x5000, .file = "h.c", .line = 50, .inlined = "helper"},
    {"host3", .start = 0x6000, .file = "h.c", .line = 60, .inlined = "gone"},
    {"anon", .start = 0x7000, .is_nameless = true},
    {"lost", .start = 0x8000, .is_nameless = true, .no_start = true},
    {"other", .module = 1, .start = 0x2000, .name = "helper", .file = "a.c", .line = 20},
    {"_start", .module = 1, .start = 0x4000},
    {0},
};

static const struct places *find(struct fixture *f, uint32_t module, uint64_t addr, bool known)
{
    const struct places *places = NULL;

    assert_int_equal(names_find(f->names, &f->modules[module], addr, known, false, &places),
                     STATUS_OK);
    return places;
}

static const char *name_at(struct fixture *f, uint32_t module, uint64_t addr, bool known)
{
    const struct places *places = find(f, module, addr, known);

    return names_function(f->names, places->list[places->count - 1].function)->name;
}

TEST_OF(names_nameless_function_has_one_name_at_each_address, fixture, f, FUNCTIONS)
{
    assert_string_equal(name_at(f, 0, 0x7001, true), "prog+0x7000");
    assert_string_equal(name_at(f, 0, 0x7fff, true), "prog+0x7000");
    assert_int_equal(find(f, 0, 0x7001, true)->list[0].function,
                     find(f, 0, 0x7fff, true)->list[0].function);
}

TEST_OF(names_symbol_without_size_names_no_function_behind_it, fixture, f, FUNCTIONS)
{
    f->unsized_vaddr = 0x4000;
    f->unsized_size = 0x34;
    assert_string_equal(name_at(f, 1, 0x4000, true), "_start");
    assert_string_equal(name_at(f, 1, 0x4033, true), "_start");
    assert_string_equal(name_at(f, 1, 0x4034, true), "libc.so.6+0x4034");
    assert_string_equal(name_at(f, 1, 0x4fff, true), "libc.so.6+0x4034");
    assert_false(names_function(f->names, find(f, 1, 0x4034, true)->list[0].function)->has_name);
}

TEST_OF(names_without_range_is_the_address_itself, fixture, f, FUNCTIONS)
{
    const struct places *places;

    assert_string_equal(name_at(f, 0, 0x8004, true), "prog+0x8004");
    assert_string_equal(name_at(f, 0, 0x8005, true), "prog+0x8005");
    assert_string_equal(name_at(f, 2, 0x1234, false), "libx.so+0x1234");
    assert_string_equal(name_at(f, 3, 0x7fff0000, false), "[anon]+0x7fff0000");
    assert_int_equal(names_find(f->names, NULL, 0xdead, false, false, &places), STATUS_OK);
    assert_string_equal(names_function(f->names, places->list[0].function)->name,
                        "[unknown]+0xdead");
    assert_false(names_function(f->names, places->list[0].function)->has_name);
}

/* What a disassembly shows behind the call; the call itself is looked up. */
TEST(names_nameless_caller_is_its_return_address)
{
    static const struct {
        uint32_t module;
        uint64_t addr;
        bool known;
        const char *name;
    } callers[] = {
        {0, 0x8004, true, "prog+0x8005"},     {0, 0x8009, true, "prog+0x800a"},
        {2, 0x1234, false, "libx.so+0x1235"}, {3, 0x7fff0000, false, "[anon]+0x7fff0001"},
        {0, 0x7fff, true, "prog+0x7000"},     {0, 0x1010, true, "main"},
    };
    const struct places *places, *again;
    struct fixture f;

    fixture_init(&f, FUNCTIONS);
    for (size_t i = 0; i < sizeof(callers) / sizeof(callers[0]); i++) {
        find(&f, callers[i].module, callers[i].addr, callers[i].known); /* as it is, before */
        assert_int_equal(names_find(f.names, &f.modules[callers[i].module], callers[i].addr,
                                    callers[i].known, true, &places),
                         STATUS_OK);
        assert_string_equal(names_function(f.names, places->list[0].function)->name,
                            callers[i].name);
        assert_int_equal(names_find(f.names, &f.modules[callers[i].module], callers[i].addr,
                                    callers[i].known, true, &again),
                         STATUS_OK);
        assert_ptr_equal(again, places);
    }
    /* In no module it is the return address itself that was asked for. */
    assert_int_equal(names_find(f.names, NULL, 0xdead, false, true, &places), STATUS_OK);
    assert_string_equal(names_function(f.names, places->list[0].function)->name,
                        "[unknown]+0xdead");
    fixture_deinit(&f);
}

TEST_OF(names_inlined_copy_is_the_real_function_that_is_known, fixture, f, FUNCTIONS)
{
    uint32_t copy;

    f->inlined_real_vaddr = 0x3000; /* of two with that name */
    copy = find(f, 0, 0x5800, true)->list[0].function;
    assert_false(names_function(f->names, copy)->is_inline);
    assert_int_equal(copy, find(f, 0, 0x3001, true)->list[0].function);
    assert_int_not_equal(copy, find(f, 0, 0x2001, true)->list[0].function);
    assert_int_equal(names_canonical(f->names, copy), copy);
}

TEST_OF(names_substitute_address_is_not_looked_up, fixture, f, FUNCTIONS)
{
    assert_string_equal(name_at(f, 0, 0x1001, false), "prog+0x1001");
    assert_int_equal(f->lookups, 0);
}

TEST_OF(names_static_functions_of_one_name_are_two, fixture, f, FUNCTIONS)
{
    uint32_t a;
    uint32_t b;
    uint32_t c;
    uint32_t main_id;

    a = find(f, 0, 0x2001, true)->list[0].function;
    b = find(f, 0, 0x3001, true)->list[0].function;
    c = find(f, 1, 0x2001, true)->list[0].function;
    main_id = find(f, 0, 0x1001, true)->list[0].function;
    assert_int_not_equal(a, b);
    assert_int_not_equal(a, c);
    /* Found again, from other addresses. */
    assert_int_equal(find(f, 1, 0x2005, true)->list[0].function, c);
    assert_int_equal(find(f, 0, 0x3005, true)->list[0].function, b);
    assert_int_equal(find(f, 0, 0x2005, true)->list[0].function, a);
    assert_true(names_ambiguous(f->names, a));
    assert_true(names_ambiguous(f->names, b));
    assert_false(names_ambiguous(f->names, c));
    assert_false(names_ambiguous(f->names, main_id));
}

TEST_OF(names_inlined_copy_counts_as_the_only_real_one, fixture, f, FUNCTIONS)
{
    const struct places *places;
    uint32_t real;

    places = find(f, 0, 0x4900, true);
    assert_int_equal(places->count, 2);
    assert_true(places->list[0].is_inline);
    assert_int_equal(places->list[0].line, 900);
    assert_false(places->list[1].is_inline);
    assert_int_equal(places->list[1].line, 40 + 0x900);
    /* Not met yet: a function of its own. */
    assert_int_equal(names_canonical(f->names, places->list[0].function), places->list[0].function);
    real = find(f, 0, 0x1001, true)->list[0].function;
    assert_int_equal(names_canonical(f->names, places->list[0].function), real);
    /* Two helpers: it is not known which of them was inlined. */
    (void)find(f, 0, 0x2001, true);
    (void)find(f, 0, 0x3001, true);
    places = find(f, 0, 0x5900, true);
    assert_int_equal(names_canonical(f->names, places->list[0].function), places->list[0].function);
}

TEST(names_without_sources_makes_up_all)
{
    const struct places *places;
    struct names *names;
    char path[] = "/a/b";
    struct module module = {.file.path = path};

    assert_int_equal(names_create(NULL, NULL, &names), STATUS_OK);
    assert_int_equal(names_find(names, &module, 0x10, true, false, &places), STATUS_OK);
    assert_int_equal(places->count, 1);
    assert_string_equal(names_function(names, places->list[0].function)->name, "b+0x10");
    names_destroy(names);
}
