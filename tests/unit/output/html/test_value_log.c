/* SPDX-License-Identifier: MIT */
/* Which variables were told when: alike once, as runs of samples; evenly fewer where too many. */
#include "unit_test.h"

#include <stdio.h>
#include <string.h>

#include "output/html/value_log.h"

/* Of a frame with one function in which `name` has a value, below another moment. */
static uint32_t tell(struct value_log *log, uint32_t outside, const char *name, const char *value)
{
    const struct told_variable variable = {.name = name,
                                           .kind = VARIABLE_PARAMETER,
                                           .type = "int",
                                           .value = value,
                                           .known = known_yes()};
    const struct told_level level = {.list = &variable, .count = 1};
    const struct told_frame frame = {.levels = &level, .count = 1};
    uint32_t moment;

    assert_int_equal(value_table_step(&log->table, outside, &frame, 1, &moment), STATUS_OK);
    return moment;
}

static uint32_t tell_number(struct value_log *log, const char *name, unsigned number)
{
    char text[32];

    snprintf(text, sizeof(text), "%u", number);
    return tell(log, TRIE_ROOT, name, text);
}

static void add(struct value_log *log, uint32_t thread, uint32_t cell, uint64_t time_ns,
                uint32_t moment)
{
    assert_int_equal(value_log_add_moment(log, thread, cell, time_ns, moment), STATUS_OK);
}

static void expect_run(const struct value_log *log, size_t i, uint32_t thread, uint32_t cell,
                       uint64_t from_ns, uint64_t to_ns)
{
    assert_true(i < log->count);
    assert_int_equal(log->runs[i].thread, thread);
    assert_int_equal(log->runs[i].cell, cell);
    assert_int_equal(log->runs[i].from_ns, from_ns);
    assert_int_equal(log->runs[i].to_ns, to_ns);
}

/* What a run's innermost function has. */
static const char *text_of(const struct value_log *log, size_t run)
{
    const struct value_table *table = &log->table;
    const struct value_list *list = &table->lists[table->moments.nodes[log->runs[run].moment].key];

    assert_int_equal(list->count, 1);
    return table->texts.texts[table->values[table->members[list->first]].text];
}

TEST(what_is_told_alike_is_there_once)
{
    struct value_log log;
    uint32_t outer, one, again;
    size_t texts;

    assert_int_equal(value_log_init(&log), STATUS_OK);
    outer = tell(&log, TRIE_ROOT, "n", "1");
    one = tell(&log, outer, "k", "2");
    texts = log.table.texts.len;
    again = tell(&log, tell(&log, TRIE_ROOT, "n", "1"), "k", "2");
    assert_int_equal(one, again);
    assert_int_equal(log.table.texts.len, texts);
    assert_int_equal(log.table.value_count, 2);
    assert_int_equal(log.table.member_count, 2);
    assert_int_not_equal(tell(&log, outer, "k", "3"), one);
    assert_int_equal(log.table.value_count, 3);
    value_log_deinit(&log);
}

/* The same text of what is known and of what is not is not the same. */
TEST(how_a_value_is_known_counts)
{
    const struct told_variable variables[] = {
        {.name = "v", .value = "<optimized out>", .known = known_yes()},
        {.name = "v", .known = known_not(OPTIMIZED_OUT)},
        {.name = "v", .value = "<optimized out>", .is_partial = true}};
    const enum value_state states[] = {VALUE_KNOWN, VALUE_OPTIMIZED_OUT, VALUE_PARTIAL};
    struct value_log log;

    assert_int_equal(value_log_init(&log), STATUS_OK);
    for (size_t i = 0; i < 3; i++) {
        const struct told_level level = {.list = &variables[i], .count = 1};
        const struct told_frame frame = {.levels = &level, .count = 1};
        uint32_t moment;

        assert_int_equal(value_table_step(&log.table, TRIE_ROOT, &frame, 1, &moment), STATUS_OK);
        assert_int_equal(log.table.value_count, i + 1);
        assert_int_equal(log.table.values[i].state, states[i]);
        assert_string_equal(log.table.texts.texts[log.table.values[i].text], "<optimized out>");
    }
    assert_string_equal(value_state_name(VALUE_KNOWN), "known");
    assert_string_equal(value_state_name(VALUE_OPTIMIZED_OUT), known_state_name(OPTIMIZED_OUT));
    assert_string_equal(value_state_name(VALUE_UNAVAILABLE), known_state_name(UNAVAILABLE));
    value_log_deinit(&log);
}

/* Of a frame with two inlined functions, of which only those outside are known. */
TEST(functions_of_a_frame_come_outermost_first)
{
    const struct told_variable inner = {.name = "i", .value = "1", .known = known_yes()};
    const struct told_variable outer = {.name = "o", .value = "2", .known = known_yes()};
    const struct told_level levels[] = {{.list = &inner, .count = 1}, {.list = &outer, .count = 1}};
    const struct told_frame frame = {.levels = levels, .count = 2};
    struct value_log log;
    const struct trie_node *nodes;
    uint32_t moment;

    assert_int_equal(value_log_init(&log), STATUS_OK);
    assert_int_equal(value_table_step(&log.table, TRIE_ROOT, &frame, 3, &moment), STATUS_OK);
    nodes = log.table.moments.nodes;
    assert_int_equal(log.table.moments.len, 4);
    assert_int_equal(nodes[moment].key, VALUE_LIST_EMPTY);
    assert_int_equal(nodes[nodes[moment].parent].key, 2);
    assert_int_equal(nodes[nodes[nodes[moment].parent].parent].key, 1);
    assert_string_equal(
        log.table.texts.texts[log.table.values[log.table.members[log.table.lists[1].first]].name],
        "o");
    value_log_deinit(&log);
}

TEST(samples_that_tell_the_same_are_one_run)
{
    struct value_log log;
    uint32_t one, two;

    assert_int_equal(value_log_init(&log), STATUS_OK);
    one = tell_number(&log, "n", 1);
    two = tell_number(&log, "n", 2);
    add(&log, 0, 5, 10, one);
    add(&log, 1, 5, 11, one); /* another thread */
    add(&log, 0, 5, 20, one);
    add(&log, 0, 6, 30, one); /* another cell */
    add(&log, 0, 6, 40, two);
    add(&log, 1, 5, 50, one);
    assert_int_equal(log.count, 4);
    expect_run(&log, 0, 0, 5, 10, 20);
    expect_run(&log, 1, 1, 5, 11, 50);
    expect_run(&log, 2, 0, 6, 30, 30);
    expect_run(&log, 3, 0, 6, 40, 40);
    value_log_deinit(&log);
}

static uint64_t runs_of(const struct value_log *log)
{
    return log->count;
}

/* Half of the runs of each thread are left, and nothing of the others' texts. */
TEST(what_is_too_much_is_dropped_evenly)
{
    struct value_log log;

    assert_int_equal(value_log_init(&log), STATUS_OK);
    for (unsigned i = 0; i < 8; i++)
        for (uint32_t thread = 0; thread < 2; thread++)
            add(&log, thread, 1, i, tell_number(&log, thread ? "b" : "a", i));
    assert_int_equal(value_log_shrink(&log, 8, runs_of), STATUS_OK);
    assert_int_equal(log.step, 2);
    assert_int_equal(log.count, 8);
    for (unsigned i = 0; i < 8; i++)
        expect_run(&log, i, i % 2, 1, i / 2 * 2, i / 2 * 2);
    assert_string_equal(text_of(&log, 0), "0");
    assert_string_equal(text_of(&log, 7), "6");
    assert_int_equal(log.table.value_count, 8);
    assert_int_equal(log.table.texts.len, 2 + 1 + 4); /* names, a type, values */
    assert_int_equal(log.table.moments.len, 1 + 8);
    /* What comes then is as sparse. */
    add(&log, 0, 1, 8, tell_number(&log, "a", 8));
    add(&log, 0, 1, 9, tell_number(&log, "a", 9));
    add(&log, 0, 1, 10, tell_number(&log, "a", 9));
    add(&log, 0, 1, 11, tell_number(&log, "a", 11));
    assert_int_equal(log.count, 10);
    expect_run(&log, 8, 0, 1, 8, 8);
    expect_run(&log, 9, 0, 1, 10, 10);
    value_log_deinit(&log);
}

TEST(numbers_begin_anew_when_it_is_settled)
{
    struct value_log log;

    assert_int_equal(value_log_init(&log), STATUS_OK);
    for (unsigned i = 0; i < 8; i++)
        add(&log, 0, 1, i, tell_number(&log, "a", i));
    log.runs[1] = log.runs[3]; /* as who leaves out some of them */
    log.runs[2] = log.runs[7];
    log.count = 3;
    assert_int_equal(value_log_settle(&log), STATUS_OK);
    assert_int_equal(log.table.value_count, 3);
    assert_int_equal(value_log_shrink(&log, 2, runs_of), STATUS_OK);
    assert_int_equal(log.count, 2);
    assert_string_equal(text_of(&log, 0), "0");
    assert_string_equal(text_of(&log, 1), "7");
    value_log_deinit(&log);
}

TEST(memory_is_bounded)
{
    struct value_log log;

    assert_int_equal(value_log_init(&log), STATUS_OK);
    log.limit = 100000;
    for (unsigned i = 0; i < 20000; i++)
        add(&log, i % 3, 1, i, tell_number(&log, "n", i));
    assert_true(log.step > 1);
    assert_false(log.is_full);
    assert_true(value_table_bytes(&log.table) <= log.limit);
    assert_true(log.count > 100);
    for (size_t i = 0; i < log.count; i++) {
        char text[32];

        snprintf(text, sizeof(text), "%u", (unsigned)log.runs[i].from_ns);
        assert_string_equal(text_of(&log, i), text);
        assert_int_equal(log.runs[i].from_ns / 3 % log.step, 0);
    }
    value_log_deinit(&log);
}

/* Threads of which the first run alone is too much: no more is taken, or nothing is left. */
TEST(too_many_threads_are_too_many)
{
    struct value_log log;

    assert_int_equal(value_log_init(&log), STATUS_OK);
    log.limit = 20000;
    for (unsigned i = 0; i < 1000 && !log.is_full; i++)
        add(&log, i, 1, i, tell_number(&log, "n", i));
    assert_true(log.is_full);
    assert_true(log.count > 10 && log.count < 1000);
    assert_int_equal(value_log_shrink(&log, 1, runs_of), STATUS_OK);
    assert_int_equal(log.count, 0);
    assert_int_equal(log.table.value_count, 0);
    value_log_deinit(&log);
}
