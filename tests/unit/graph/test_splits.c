/* SPDX-License-Identifier: MIT */
/* Functions divided by values, and samples chosen by them: from values that are made up here. */
#include "graph_fixture.h"

#include <inttypes.h>

#include "graph/by_thread.h"
#include "graph/filter.h"
#include "graph/splits.h"
#include "output/folded.h"
#include "output/pprof_order.h"

static const struct fixture_function functions[] = {
    {"main", .start = 0x1000, .file = "main.c", .line = 10},
    {"handle", .start = 0x2000, .name = "ns::handle(int)", .file = "h.c", .line = 20},
    {"both", .start = 0x3000, .name = "handle.constprop.0", .file = "h.c", .line = 30,
     .inlined = "within"},
    {"other", .start = 0x4000, .file = "h.c", .line = 40},
    {"lib", .module = 1, .start = 0x5000},
    {0},
};

/* What the functions of a sample have, by path: "kind" and "size"; of what is inlined "inner". */
struct values {
    const char *kind; /* NULL: not known */
    int64_t size;
    bool is_unsigned, has_size; /* has_size: else it is not captured */
    const char *inner;
    unsigned asked;
    bool fails;
};

static enum status make_value(void *context, const struct variables_frame *frame, size_t depth,
                              const char *path, struct variable_value *out)
{
    struct values *values = context;
    const char *text = depth == 1 ? values->inner : values->kind;
    char number[32];

    assert_true(frame->index < frame->chain->count);
    values->asked++;
    *out = (struct variable_value){.known = unavailable("no such variable here")};
    if (values->fails)
        return STATUS_NO_MEMORY;
    if (strcmp(path, "kind") == 0) {
        out->known = text ? known_yes() : known_not(OPTIMIZED_OUT);
    } else if (strcmp(path, "size") == 0 && values->has_size) {
        snprintf(number, sizeof(number), values->is_unsigned ? "%" PRIu64 : "%" PRId64,
                 values->size);
        text = number;
        out->known = known_yes();
        out->has_number = out->is_number = true;
        out->is_signed = !values->is_unsigned;
        out->number = (uint64_t)values->size;
    } else if (strcmp(path, "size") == 0) {
        out->known = known_not(NOT_CAPTURED);
    }
    if (is_known(out->known))
        out->text = strdup(text);
    return STATUS_OK;
}

struct scene {
    struct fixture f;
    struct splits *splits;
    struct values values;
};

static void scene_init(struct scene *s)
{
    *s = (struct scene){.values.has_size = true};
    fixture_init(&s->f, functions);
    assert_int_equal(splits_create(&s->splits), STATUS_OK);
    splits_begin_from(s->splits, s->f.names,
                      &(struct splits_source){.value = make_value, .context = &s->values});
}

static void scene_deinit(struct scene *s)
{
    fixture_deinit(&s->f);
    splits_destroy(s->splits);
}

static void add(struct scene *s, const char *split)
{
    struct diag diag = {0};

    if (splits_add(s->splits, split, &diag) != STATUS_OK)
        fail_msg("%s", diag.what);
}

static void add_condition(struct scene *s, const char *text)
{
    struct diag diag = {0};

    if (splits_add_condition(s->splits, text, &diag) != STATUS_OK)
        fail_msg("%s", diag.what);
}

static void sample_of(struct scene *s, const char *thread, const char *text, const char *kind,
                      int64_t size, uint64_t samples)
{
    struct chain chain = fixture_chain(&s->f, text);
    const struct weights weights = {.value = {samples, samples * 1000, samples * 10}};
    uint32_t thread_id, chain_id;

    s->values.kind = kind;
    s->values.size = size;
    assert_int_equal(splits_mark(s->splits, NULL, NULL, &chain), STATUS_OK);
    assert_int_equal(profile_thread(s->f.profile, 7, 0, thread, &thread_id), STATUS_OK);
    assert_int_equal(profile_chain(s->f.profile, &chain, NULL, &chain_id), STATUS_OK);
    assert_int_equal(profile_weigh(s->f.profile, thread_id, chain_id, 'R', &weights), STATUS_OK);
    chain_deinit(&chain);
}

static void sample(struct scene *s, const char *text, const char *kind, int64_t size,
                   uint64_t samples)
{
    sample_of(s, "worker", text, kind, size, samples);
}

/* All that passes the conditions, as folded lines. */
static void assert_folded(struct scene *s, const char *lines)
{
    const struct graph_filter filter = {.splits = s->splits};
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);

    splits_settle(s->splits);
    assert_int_equal(folded_write(fixture_view(&s->f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, &filter),
                                  memory),
                     STATUS_OK);
    fclose(memory);
    assert_string_equal(text, lines);
    free(text);
}

TEST_OF(splits_make_a_node_of_each_value, scene, s)
{
    add(s, "handle:kind");
    sample(s, "main handle lib", "READ", 0, 5);
    sample(s, "main handle lib", "WRITE", 0, 3);
    sample(s, "main handle lib", NULL, 0, 2);
    sample(s, "main handle/20 lib", "READ", 0, 1); /* from another place in it */
    sample(s, "main other lib", "READ", 0, 7);
    assert_folded(s, "worker;main;ns::handle(int) [kind=<optimized out>];lib 2\n"
                     "worker;main;ns::handle(int) [kind=READ];lib 6\n"
                     "worker;main;ns::handle(int) [kind=WRITE];lib 3\n"
                     "worker;main;other;lib 7\n");
}

/* A view tells of a divided function what it is a part of, and of others nothing. */
TEST_OF(splits_leave_the_name_of_the_whole, scene, s)
{
    const struct graph_filter filter = {0};
    const struct view *view;
    size_t divided = 0;

    add(s, "handle:kind");
    sample(s, "main handle lib", "READ", 0, 5);
    sample(s, "main handle lib", NULL, 0, 2);
    view = fixture_view(&s->f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, &filter);
    for (size_t i = 0; i < view->node_count; i++) {
        const struct view_node *node = &view->nodes[i];

        if (strncmp(node->name, "ns::handle", 10) != 0) {
            assert_null(node->whole_name);
            assert_null(node->whole_label);
            continue;
        }
        assert_string_equal(node->whole_name, "ns::handle(int)");
        assert_string_equal(node->whole_label, "ns::handle(int)");
        divided++;
    }
    assert_int_equal(divided, 2);
}

TEST_OF(splits_of_one_function_are_of_one_label, scene, s)
{
    add(s, "handle:kind");
    add(s, "ns::handle:size");
    add(s, "other:kind");
    sample(s, "main handle lib", "0x5500 \"a;b\"", 4, 5);
    sample(s, "main handle lib", "0x5600 \"a;b\"", 4, 5); /* the same string elsewhere */
    sample(s, "main handle lib", "97 'a'", 5, 1);
    sample(s, "main other handle lib", "x", 5, 1);
    assert_folded(s, "worker;main;ns::handle(int) [kind=\"a:b\", size=4];lib 10\n"
                     "worker;main;ns::handle(int) [kind='a', size=5];lib 1\n"
                     "worker;main;other [kind=x];ns::handle(int) [kind=x, size=5];lib 1\n");
}

/* A clone of handle, which is inlined into what it calls nowhere; and what is inlined into it. */
TEST_OF(splits_find_functions_that_are_inlined, scene, s)
{
    add(s, "within:kind");
    add(s, "handle:kind");
    s->values.inner = "IN";
    sample(s, "main both/900", "OUT", 0, 5);
    sample(s, "main both/10", "OUT", 0, 1);
    sample(s, "main both/900", "FAR", 0, 2);
    assert_folded(s, "worker;main;handle.constprop.0 [kind=FAR];within [kind=IN] 2\n"
                     "worker;main;handle.constprop.0 [kind=OUT] 1\n"
                     "worker;main;handle.constprop.0 [kind=OUT];within [kind=IN] 5\n");
}

TEST_OF(splits_tell_many_numbers_in_ranges, scene, s)
{
    add(s, "handle:size");
    for (int size = -2; size < 14; size++)
        sample(s, "main handle", "x", size, 1);
    s->values.has_size = false;
    sample(s, "main handle", "x", 0, 1);
    splits_set_limit(s->splits, 15);
    assert_folded(s, "worker;main;ns::handle(int) [size=-1] 1\n"
                     "worker;main;ns::handle(int) [size=-3..-2] 1\n"
                     "worker;main;ns::handle(int) [size=0] 1\n"
                     "worker;main;ns::handle(int) [size=1] 1\n"
                     "worker;main;ns::handle(int) [size=2..3] 2\n"
                     "worker;main;ns::handle(int) [size=4..7] 4\n"
                     "worker;main;ns::handle(int) [size=8..15] 6\n"
                     "worker;main;ns::handle(int) [size=<not captured>] 1\n");
    splits_set_limit(s->splits, 16);
    assert_folded(s, "worker;main;ns::handle(int) [size=-1] 1\n"
                     "worker;main;ns::handle(int) [size=-2] 1\n"
                     "worker;main;ns::handle(int) [size=0] 1\n"
                     "worker;main;ns::handle(int) [size=10] 1\n"
                     "worker;main;ns::handle(int) [size=11] 1\n"
                     "worker;main;ns::handle(int) [size=12] 1\n"
                     "worker;main;ns::handle(int) [size=13] 1\n"
                     "worker;main;ns::handle(int) [size=1] 1\n"
                     "worker;main;ns::handle(int) [size=2] 1\n"
                     "worker;main;ns::handle(int) [size=3] 1\n"
                     "worker;main;ns::handle(int) [size=4] 1\n"
                     "worker;main;ns::handle(int) [size=5] 1\n"
                     "worker;main;ns::handle(int) [size=6] 1\n"
                     "worker;main;ns::handle(int) [size=7] 1\n"
                     "worker;main;ns::handle(int) [size=8] 1\n"
                     "worker;main;ns::handle(int) [size=9] 1\n"
                     "worker;main;ns::handle(int) [size=<not captured>] 1\n");
}

/* What was known before there were too many stays what it was. */
TEST_OF(splits_have_a_limit_of_values, scene, s)
{
    char *text = NULL;
    struct view *view;
    size_t size;
    FILE *memory = open_memstream(&text, &size);

    add(s, "handle:kind");
    add(s, "other:size");
    for (unsigned i = 0; i < SPLIT_VALUES_MAX + 2; i++) {
        char kind[16];

        snprintf(kind, sizeof(kind), "k%u", i);
        sample(s, "handle", kind, 0, 1);
        sample(s, "other", "x", i, 1);
    }
    sample(s, "handle", "k0", 0, 1);
    sample(s, "handle", "other", 0, 1);
    splits_settle(s->splits);
    view = fixture_view(&s->f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL);
    /* The most frequent ones, "other" among them; 0, 1, and 2..3 to 65536..131071. */
    assert_int_equal(view->node_count, SPLIT_VALUES + 18);
    assert_int_equal(folded_write(view, memory), STATUS_OK);
    fclose(memory);
    assert_non_null(strstr(text, "worker;ns::handle(int) [kind=k0] 2\n"));
    assert_non_null(strstr(text, "worker;ns::handle(int) [kind=k1] 1\n"));
    assert_null(strstr(text, "[kind=k65535]"));
    assert_non_null(strstr(text, "worker;ns::handle(int) [kind=other] 65520\n"));
    assert_non_null(strstr(text, "worker;other [size=32768..65535] 32768\n"));
    assert_non_null(strstr(text, "worker;other [size=65536..131071] 2\n"));
    free(text);
}

TEST_OF(splits_choose_samples_by_conditions, scene, s)
{
    add(s, "handle:kind");
    add_condition(s, "handle:kind == READ");
    add_condition(s, "handle:size < 10");
    sample(s, "main handle lib", "READ", 9, 5);
    sample(s, "main handle lib", "READ", 10, 3); /* of the same label */
    sample(s, "main handle lib", "WRITE", 9, 2);
    sample(s, "main handle lib", NULL, 9, 1);
    sample(s, "main lib", "READ", 9, 7);
    sample(s, "main handle main handle", "READ", 9, 4); /* both in each of them */
    assert_folded(s,
                  "worker;main;ns::handle(int) [kind=READ];lib 5\n"
                  "worker;main;ns::handle(int) [kind=READ];main;ns::handle(int) [kind=READ] 4\n");
    assert_int_equal(s->f.view->all, 22);
}

/* Each frame may fulfil a condition of its own. */
TEST_OF(splits_conditions_may_be_of_different_functions, scene, s)
{
    struct chain chain;
    bool passes;

    for (int i = 0; i < SPLITS_MAX - 1; i++)
        add_condition(s, "handle:kind == READ");
    add_condition(s, "other:kind =~ READ");
    sample(s, "main other handle", "READ", 0, 1);
    sample(s, "main other handle", "WRITE", 0, 2);
    sample(s, "main handle", "READ", 0, 4);
    sample(s, "main other", "READ", 0, 8);
    assert_folded(s, "worker;main;other;ns::handle(int) 1\n");

    chain = fixture_chain(&s->f, "main other handle");
    for (int i = 0; i < 2; i++) {
        const struct graph_filter filter = {.splits = s->splits};

        s->values.kind = i ? "READ" : "WRITE";
        assert_int_equal(splits_mark(s->splits, NULL, NULL, &chain), STATUS_OK);
        assert_int_equal(graph_filter_chain(&filter, s->f.names, &chain, &passes), STATUS_OK);
        assert_int_equal(passes, i);
    }
    chain_deinit(&chain);
}

TEST_OF(splits_go_with_threads_apart, scene, s)
{
    const char *const want = "a;main;ns::handle(int) [kind=READ];lib 1\n"
                             "a;main;ns::handle(int) [kind=WRITE];lib 2\n"
                             "b;main;ns::handle(int) [kind=READ];lib 3\n";
    const struct view_options options = {.by = GRAPH_BY_FUNCTION, .weight = WEIGHT_SAMPLES};
    struct profile *by_thread;
    struct view *view;
    unsigned found = 0;

    add(s, "handle:kind");
    sample_of(s, "a", "main handle lib", "READ", 0, 1);
    sample_of(s, "a", "main handle lib", "WRITE", 0, 2);
    sample_of(s, "b", "main handle lib", "READ", 0, 3);
    assert_folded(s, want);
    assert_int_equal(profile_by_thread(s->f.profile, &by_thread), STATUS_OK);
    assert_int_equal(view_create(by_thread, &options, &view), STATUS_OK);
    for (size_t i = 0; i < view->node_count; i++)
        found += strstr(view->nodes[i].name, "handle(int) [kind=") != NULL;
    assert_int_equal(found, 3);
    view_destroy(view);
    profile_destroy(by_thread);
}

/* Of the baseline, too; the whole of each is what it was. */
TEST_OF(splits_go_with_a_baseline, scene, s)
{
    add(s, "handle:kind");
    sample(s, "main handle", "READ", 0, 1);
    profile_weigh_base(s->f.profile, true);
    sample(s, "main handle", "READ", 0, 2);
    sample(s, "main handle", "WRITE", 0, 4);
    s->f.compare = true;
    assert_folded(s, "worker;main;ns::handle(int) [kind=READ] 2 1\n"
                     "worker;main;ns::handle(int) [kind=WRITE] 4 0\n");
}

/* Where frames are for pprof: at one address as many as there are labels, whatever came first. */
static void make_locations(bool other_order, uint32_t locations[3])
{
    static const char *const kinds[] = {"READ", "WRITE", "READ"};
    struct pprof_order order;
    struct scene s;

    scene_init(&s);
    add(&s, "handle:kind");
    add_condition(&s, "handle:size < 10");
    for (int i = 0; i < 3; i++) {
        const int k = other_order ? 2 - i : i;

        sample(&s, "handle", kinds[k], k < 2 ? 5 : 50, 1);
    }
    splits_settle(s.splits);
    fixture_view(&s.f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL);
    assert_int_equal(pprof_order_make(&order, s.f.view, NULL), STATUS_OK);
    assert_int_equal(s.f.profile->frame_count, 3);
    for (int i = 0; i < 3; i++)
        locations[other_order ? 2 - i : i] = order.location[i];
    pprof_order_deinit(&order);
    scene_deinit(&s);
}

TEST(splits_are_locations_of_pprof)
{
    uint32_t one[3], other[3];

    make_locations(false, one);
    make_locations(true, other);
    assert_int_equal(one[0], one[2]);
    assert_int_not_equal(one[0], one[1]);
    assert_memory_equal(one, other, sizeof(one));
}

TEST_OF(splits_count_what_they_found, scene, s)
{
    struct split_count count;

    add(s, "handle:kind");
    add(s, "handle:nothing");
    add_condition(s, "nobody:kind == READ");
    sample(s, "main handle", "READ", 0, 1);
    sample(s, "main handle handle", NULL, 0, 1);
    assert_true(splits_count(s->splits, 0, &count));
    assert_string_equal(count.text, "handle:kind");
    assert_string_equal(count.function, "handle");
    assert_string_equal(count.path, "kind");
    assert_int_equal(count.frames, 3);
    assert_int_equal(count.known, 1);
    assert_int_equal(count.last_unknown.state, OPTIMIZED_OUT);
    assert_true(splits_count(s->splits, 1, &count));
    assert_int_equal(count.frames, 3);
    assert_int_equal(count.known, 0);
    assert_string_equal(count.last_unknown.why, "no such variable here");
    assert_true(splits_count(s->splits, 2, &count));
    assert_string_equal(count.text, "nobody:kind == READ");
    assert_int_equal(count.frames, 0);
    assert_false(splits_count(s->splits, 3, &count));
}

TEST_OF(splits_ask_for_nothing_but_their_functions, scene, s)
{
    struct chain chain;

    add(s, "handle:kind");
    sample(s, "main other lib @beef", "READ", 0, 1);
    assert_int_equal(s->values.asked, 0);
    sample(s, "main handle lib handle", "READ", 0, 1);
    assert_int_equal(s->values.asked, 2);
    s->values.fails = true;
    chain = fixture_chain(&s->f, "main handle");
    assert_int_equal(splits_mark(s->splits, NULL, NULL, &chain), STATUS_NO_MEMORY);
    chain_deinit(&chain);
}

TEST_OF(splits_that_are_too_many_or_wrong_are_refused, scene, s)
{
    struct diag diag;

    assert_int_equal(splits_all(s->splits), 0);
    for (int i = 0; i < SPLITS_MAX; i++) {
        add(s, "handle:kind");
        add_condition(s, "handle:kind == READ");
        assert_int_equal(splits_add(s->splits, "handle", &diag), STATUS_BAD_DATA);
        assert_int_equal(splits_add_condition(s->splits, "handle:kind", &diag), STATUS_BAD_DATA);
    }
    assert_int_equal(splits_all(s->splits), 0xff);
    assert_int_equal(splits_add(s->splits, "handle:kind", &diag), STATUS_BAD_DATA);
    assert_string_equal(diag.what, "more than 8 of --split");
    assert_int_equal(splits_add_condition(s->splits, "handle:kind == x", &diag), STATUS_BAD_DATA);
    assert_string_equal(diag.what, "more than 8 of --where");
}
