/* SPDX-License-Identifier: MIT */
/* This program's own debug information: it is compiled with -g, and without optimisation. */
#include "symbol/module_set.h"
#include "variables/dwarf/debug_info.h"

#include <link.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

#include <dwarf.h>

enum fruit { APPLE = 1, PEAR = -2, PLUM = 200 };

struct basket {
    int count;
    unsigned first : 3, second : 7;
    struct basket *next;
    enum fruit fruit;
    const char name[16];
    int grid[2][3];
    union {
        int whole;
        float real;
    };
    double (*weigh)(const struct basket *basket, ...);
};

static int looked_at(struct basket *basket, int wanted)
{
    static int calls = 3;
    int total = basket->count + wanted;

    for (int i = 0; i < wanted; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
        int total = i * 2; /* hides the other */
#pragma GCC diagnostic pop

        calls += total;
    }
    return total + calls;
}

/* How many there are is known when it runs. */
static int summed(int count, int wide)
{
    int row[count], grid[count][wide + 1];
    int total = 0;

    for (int i = 0; i < count; i++) {
        row[i] = grid[i][wide] = i;
        total += row[i] + grid[i][wide];
    }
    return total;
}

int main(void);

struct fixture {
    struct module_set *set;
    struct debug_info *info;
    uint64_t function_vaddr, summed_vaddr, main_vaddr;
};

/* What a function's address has besides, in T32 code. */
#ifdef __thumb__
#define THUMB ((uintptr_t)1)
#else
#define THUMB ((uintptr_t)0)
#endif

static int own_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
    (void)size;
    *(uint64_t *)bias = info->dlpi_addr;
    return 1; /* the first is the program */
}

static int begin(void **state)
{
    static const struct module_options options;
    struct fixture *f = calloc(1, sizeof(*f));
    char *path = realpath("/proc/self/exe", NULL);
    struct basket basket = {.count = 1};
    struct module *module;
    struct diag why;
    uint64_t bias;

    if (!f || !path || looked_at(&basket, 2) == 0 || summed(3, 1) == 0)
        return -1;
    dl_iterate_phdr(own_bias, &bias);
    f->function_vaddr = (uint64_t)((uintptr_t)looked_at & ~THUMB) - bias;
    f->main_vaddr = (uint64_t)((uintptr_t)main & ~THUMB) - bias;
    f->summed_vaddr = (uint64_t)((uintptr_t)summed & ~THUMB) - bias;
    if (module_set_create(&options, &f->set) != STATUS_OK ||
        module_set_get(f->set, MODULE_FILE, path, NULL, 0, false, &module) != STATUS_OK ||
        module_open(f->set, module) != STATUS_OK ||
        debug_info_create(f->set, module, NULL, &f->info, &why) != STATUS_OK)
        return -1;
    free(path);
    *state = f;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    debug_info_destroy(f->info);
    module_set_destroy(f->set);
    free(f);
    return 0;
}

static const struct scope_variable *variable(const struct pc_scope *scope, const char *name,
                                             size_t nth)
{
    const struct pc_level *level = &scope->levels[0];

    for (size_t i = 0; i < level->count; i++)
        if (strcmp(level->variables[i].name, name) == 0 && nth-- == 0)
            return &level->variables[i];
    return NULL;
}

static const struct type *type_of(const struct fixture *f, die_ref ref)
{
    const struct type *type;

    assert_int_equal(debug_info_type(f->info, ref, &type), STATUS_OK);
    return type;
}

static void scope_of_a_function_has_parameters_and_then_its_variables(void **state)
{
    const struct fixture *f = *state;
    const struct pc_scope *scope;
    const struct scope_variable *calls;

    assert_int_equal(debug_info_scope(f->info, f->function_vaddr, &scope), STATUS_OK);
    assert_int_equal(scope->entry_vaddr, f->function_vaddr);
    assert_true(scope->body_vaddr > scope->entry_vaddr);
    assert_true(scope->has_frame_base);
    assert_int_equal(scope->count, 1);
    assert_string_equal(scope->levels[0].name, "looked_at");
    assert_false(scope->levels[0].is_inline);
    assert_false(scope->levels[0].is_external);
    assert_int_equal(scope->levels[0].count, 4);
    assert_string_equal(scope->levels[0].variables[0].name, "basket");
    assert_int_equal(scope->levels[0].variables[0].kind, VARIABLE_PARAMETER);
    assert_string_equal(scope->levels[0].variables[1].name, "wanted");
    assert_int_equal(scope->levels[0].variables[1].location.ops[0].atom, DW_OP_fbreg);
    calls = variable(scope, "calls", 0);
    assert_non_null(calls);
    assert_int_equal(calls->form, VARIABLE_LOCATED);
    assert_int_equal(calls->location.ops[0].atom, DW_OP_addr);
    assert_null(variable(scope, "i", 0));
}

/* Somewhere in the loop. */
static const struct pc_scope *scope_within(const struct fixture *f)
{
    const struct pc_scope *scope;

    for (uint64_t vaddr = f->function_vaddr; vaddr < f->function_vaddr + 300; vaddr++)
        if (debug_info_scope(f->info, vaddr, &scope) == STATUS_OK && variable(scope, "total", 1))
            return scope;
    return NULL;
}

static void scope_says_whether_other_files_may_call_it(void **state)
{
    const struct fixture *f = *state;
    const struct pc_scope *scope;

    assert_int_equal(debug_info_scope(f->info, f->main_vaddr, &scope), STATUS_OK);
    assert_string_equal(scope->levels[0].name, "main");
    assert_true(scope->levels[0].is_external);
}

static void scope_within_a_block_has_its_variables_first_and_tells_what_they_hide(void **state)
{
    const struct pc_scope *scope = scope_within(*state);

    assert_non_null(scope);
    assert_non_null(variable(scope, "i", 0));
    assert_false(variable(scope, "total", 0)->is_outer);
    assert_true(variable(scope, "total", 1)->is_outer);
    assert_true(variable(scope, "total", 0)->block_vaddr > scope->entry_vaddr);
    assert_int_equal(variable(scope, "total", 1)->block_vaddr, scope->entry_vaddr);
}

static void scope_of_no_function_is_not_found(void **state)
{
    const struct fixture *f = *state;
    const struct pc_scope *scope;

    assert_int_equal(debug_info_scope(f->info, 1, &scope), STATUS_NOT_FOUND);
    assert_null(scope);
    assert_int_equal(debug_info_scope(f->info, UINT64_MAX, &scope), STATUS_NOT_FOUND);
}

static const struct type_member *member(const struct type *type, const char *name)
{
    for (size_t i = 0; i < type->member_count; i++)
        if (type->members[i].name && strcmp(type->members[i].name, name) == 0)
            return &type->members[i];
    fail_msg("no member %s", name);
    return NULL;
}

static const struct type *basket_type(const struct fixture *f)
{
    const struct pc_scope *scope;
    const struct type *pointer;

    assert_int_equal(debug_info_scope(f->info, f->function_vaddr, &scope), STATUS_OK);
    pointer = type_of(f, variable(scope, "basket", 0)->type);
    assert_int_equal(pointer->kind, TYPE_POINTER);
    assert_int_equal(pointer->size, sizeof(void *));
    return type_of(f, pointer->target);
}

static void type_of_a_struct_has_its_members(void **state)
{
    const struct fixture *f = *state;
    const struct type *basket = basket_type(f), *fruit, *grid, *weigh;

    assert_int_equal(basket->kind, TYPE_STRUCT);
    assert_string_equal(basket->name, "basket");
    assert_int_equal(basket->size, sizeof(struct basket));
    assert_int_equal(basket->member_count, 9);
    assert_int_equal(member(basket, "next")->off, offsetof(struct basket, next));
    assert_int_equal(member(basket, "first")->bit_size, 3);
    assert_int_equal(member(basket, "second")->off * 8 + member(basket, "second")->bit_off,
                     4 * 8 + 3);
    fruit = type_of(f, member(basket, "fruit")->type);
    assert_int_equal(fruit->kind, TYPE_ENUM);
    assert_int_equal(fruit->encoding, DW_ATE_signed);
    assert_int_equal(fruit->enumerator_count, 3);
    assert_string_equal(fruit->enumerators[1].name, "PEAR");
    assert_int_equal((int64_t)fruit->enumerators[1].value, -2);
    assert_int_equal(fruit->enumerators[2].value, 200);
    grid = type_of(f, member(basket, "grid")->type);
    assert_int_equal(grid->kind, TYPE_ARRAY);
    assert_int_equal(grid->dimension_count, 2);
    assert_int_equal(grid->dimensions[0].count, 2);
    assert_int_equal(grid->dimensions[1].count, 3);
    weigh = type_of(f, type_of(f, member(basket, "weigh")->type)->target);
    assert_int_equal(weigh->kind, TYPE_FUNCTION);
    assert_true(weigh->has_ellipsis && weigh->is_prototyped);
    assert_int_equal(weigh->member_count, 1);
}

/* Compilers say it by an expression, or by a variable that they have made, maybe unnamed. */
static void expect_bound(const struct fixture *f, const struct type_dimension *dimension)
{
    const struct scope_variable *made;

    assert_false(dimension->has_count);
    assert_non_null(dimension->end);
    assert_null(dimension->low);
    if (dimension->end->kind == BOUND_COMPUTED) {
        assert_true(dimension->end->location.count > 0);
        return;
    }
    assert_int_equal(dimension->end->kind, BOUND_VARIABLE);
    assert_int_equal(debug_info_variable(f->info, dimension->end->variable, f->summed_vaddr, &made),
                     STATUS_OK);
    assert_int_equal(type_of(f, made->type)->kind, TYPE_BASE);
    assert_int_equal(made->form, VARIABLE_LOCATED);
}

static void type_of_an_array_says_what_knows_its_length(void **state)
{
    const struct fixture *f = *state;
    const struct pc_scope *scope;
    const struct type *row, *grid;

    assert_int_equal(debug_info_scope(f->info, f->summed_vaddr, &scope), STATUS_OK);
    row = type_of(f, variable(scope, "row", 0)->type);
    assert_int_equal(row->kind, TYPE_ARRAY);
    assert_int_equal(row->dimension_count, 1);
    expect_bound(f, &row->dimensions[0]);
    grid = type_of(f, variable(scope, "grid", 0)->type);
    assert_int_equal(grid->dimension_count, 2);
    expect_bound(f, &grid->dimensions[0]);
    expect_bound(f, &grid->dimensions[1]);
    for (size_t i = 0; i < scope->levels[0].count; i++)
        assert_true(scope->levels[0].variables[i].name[0] != '\0');
}

static void type_that_is_none_is_unknown(void **state)
{
    const struct fixture *f = *state;
    const struct type *type;

    assert_int_equal(debug_info_type(f->info, 0, &type), STATUS_NOT_FOUND);
    assert_int_equal(debug_info_type(f->info, UINT64_MAX, &type), STATUS_OK);
    assert_int_equal(type->kind, TYPE_UNKNOWN);
}

static void variable_by_itself_is_as_in_its_scope(void **state)
{
    const struct fixture *f = *state;
    const struct scope_variable *alone, *calls;
    const struct pc_scope *scope;

    assert_int_equal(debug_info_scope(f->info, f->function_vaddr, &scope), STATUS_OK);
    calls = variable(scope, "calls", 0);
    assert_int_equal(debug_info_variable(f->info, calls->die, f->function_vaddr, &alone),
                     STATUS_OK);
    assert_string_equal(alone->name, "calls");
    assert_int_equal(alone->type, calls->type);
    assert_int_equal(alone->location.ops[0].operand[0], calls->location.ops[0].operand[0]);
}

static void problem_of_sound_debug_information_is_none(void **state)
{
    const struct fixture *f = *state;
    struct diag problem;

    debug_info_problem(f->info, &problem);
    assert_string_equal(problem.what, "");
}

static void debug_info_of_a_file_without_any_is_not_found(void **state)
{
    const struct fixture *f = *state;
    struct debug_info *info;
    struct module *module;
    struct diag why;

    assert_int_equal(module_set_get(f->set, MODULE_FILE, "/no/such/file", NULL, 0, false, &module),
                     STATUS_OK);
    assert_int_equal(debug_info_create(f->set, module, NULL, &info, &why), STATUS_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scope_of_a_function_has_parameters_and_then_its_variables),
        cmocka_unit_test(scope_within_a_block_has_its_variables_first_and_tells_what_they_hide),
        cmocka_unit_test(scope_says_whether_other_files_may_call_it),
        cmocka_unit_test(scope_of_no_function_is_not_found),
        cmocka_unit_test(type_of_a_struct_has_its_members),
        cmocka_unit_test(type_of_an_array_says_what_knows_its_length),
        cmocka_unit_test(type_that_is_none_is_unknown),
        cmocka_unit_test(variable_by_itself_is_as_in_its_scope),
        cmocka_unit_test(problem_of_sound_debug_information_is_none),
        cmocka_unit_test(debug_info_of_a_file_without_any_is_not_found),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
