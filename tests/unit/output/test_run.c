/* SPDX-License-Identifier: MIT */
/* A run of a format: what it is given, and when. */
#include "graph_fixture.h"

#include "output/dot.h"
#include "output/run.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x2000, .file = "src/main.c", .line = 10},
    {"f", .start = 0x3000, .file = "src/f.c", .line = 100},
    {"g", .module = 1, .start = 0x4000},
    {0},
};

static const struct view_options BY_FUNCTION = {.by = GRAPH_BY_FUNCTION};
static const struct callgraph_options ALL = {0};
static const struct dot_options PLAIN = {.cluster = CLUSTER_MODULE};

/* A format that counts what it is given, and writes that. */
struct tally_state {
    unsigned processes, threads, samples;
};

static unsigned begun, ended;

static enum status begin(struct output *o)
{
    const struct tally_state zeroed = {0};

    assert_memory_equal(o->state, &zeroed, sizeof(zeroed));
    begun++;
    return STATUS_OK;
}

static enum status process(struct output *o, const struct snap_process *given)
{
    (void)given;
    ((struct tally_state *)o->state)->processes++;
    return STATUS_OK;
}

static enum status thread(struct output *o, const struct snap_thread *given)
{
    (void)given;
    ((struct tally_state *)o->state)->threads++;
    return STATUS_OK;
}

static enum status sample(struct output *o, const struct ingest_sample *given)
{
    (void)given;
    ((struct tally_state *)o->state)->samples++;
    return STATUS_OK;
}

static enum status finish(struct output *o, struct diag *diag)
{
    const struct tally_state *tally = o->state;

    (void)diag;
    fprintf(o->file, "%u %u %u\n", tally->processes, tally->threads, tally->samples);
    return STATUS_OK;
}

static void end(struct output *o)
{
    assert_non_null(o->state);
    ended++;
}

static const struct output_format TALLY = {.name = "tally",
                                           .state_size = sizeof(struct tally_state),
                                           .begin = begin,
                                           .process = process,
                                           .thread = thread,
                                           .sample = sample,
                                           .finish = finish,
                                           .end = end};

static struct output output_of(struct fixture *f, const struct output_format *format,
                               const struct graph_filter *filter)
{
    return (struct output){.format = format,
                           .input = "snap",
                           .one_input = true,
                           .filter = filter,
                           .view_options = &BY_FUNCTION,
                           .weight_given = true,
                           .trimming = &ALL,
                           .dot = &PLAIN,
                           .arch = arch_get(ARCH_X86_64),
                           .names = f->names,
                           .profile = f->profile,
                           .title = "prog (pid 7)"};
}

static void give_sample(struct fixture *f, const struct ingest_sink *sink, const char *thread_name,
                        uint32_t tid, uint64_t weight)
{
    const struct snap_sample found = {.pid = 7, .tid = tid, .state = 'R'};
    const struct weights weights = {.value = {weight}};
    struct chain chain = fixture_chain(f, "main f");
    const struct ingest_sample given = {.sample = &found,
                                        .thread_name = thread_name,
                                        .chain = &chain,
                                        .weights = &weights};

    assert_int_equal(sink->sample(sink->context, &given), STATUS_OK);
    chain_deinit(&chain);
}

TEST_OF(run_gives_a_format_what_passes_the_filter, fixture, f, FUNCTIONS)
{
    const struct snap_process prog = {.pid = 7, .exe = "/usr/bin/prog"};
    const struct snap_thread worker = {.pid = 7, .tid = 8, .name = "worker"};
    const struct snap_thread other = {.pid = 7, .tid = 9, .name = "other"};
    struct graph_filter filter = {.has_tid = false};
    struct capture capture;
    struct output output;
    struct ingest_sink sink;
    struct diag diag;

    begun = ended = 0;
    assert_int_equal(graph_filter_set(&filter, FILTER_THREAD, "work", &diag), STATUS_OK);
    output = output_of(f, &TALLY, &filter);
    assert_int_equal(output_begin(&output), STATUS_OK);
    assert_int_equal(begun, 1);
    sink = output_sink(&output);
    assert_int_equal(sink.process(sink.context, &prog), STATUS_OK);
    assert_int_equal(sink.thread(sink.context, &worker), STATUS_OK);
    assert_int_equal(sink.thread(sink.context, &other), STATUS_OK);
    give_sample(f, &sink, "other", 9, 1);
    assert_true(output.left_out);
    assert_false(output.shown);
    give_sample(f, &sink, "worker", 8, 0);
    assert_true(output.shown);
    assert_false(output.weighs);
    give_sample(f, &sink, "worker", 8, 1);
    assert_true(output.weighs);
    assert_int_equal(output_prepare(&output, &diag), STATUS_OK);
    output.file = capture_begin(&capture);
    assert_int_equal(output_finish(&output, &diag), STATUS_OK);
    assert_string_equal(capture_end(&capture), "1 1 2\n");
    output_end(&output);
    assert_int_equal(ended, 1);
    assert_null(output.state);
    free(capture.text);
    graph_filter_deinit(&filter);
}

TEST_OF(run_gives_a_format_the_view_that_it_needs, fixture, f, FUNCTIONS)
{
    const struct graph_filter all = {.has_tid = false};
    struct capture capture;
    struct output output;
    struct diag diag;

    fixture_add(f, "worker", 8, "main f", 3);
    fixture_add(f, "worker", 8, "main g", 1);
    assert_int_equal(profile_resolve(f->profile, f->names), STATUS_OK);
    output = output_of(f, &output_format_folded, &all);
    assert_int_equal(output_begin(&output), STATUS_OK);
    assert_null(output_sink(&output).sample);
    assert_int_equal(output_prepare(&output, &diag), STATUS_OK);
    assert_true(output.shown);
    output.file = capture_begin(&capture);
    assert_int_equal(output_finish(&output, &diag), STATUS_OK);
    assert_string_equal(capture_end(&capture), "worker;main;f 3\nworker;main;g 1\n");
    output_end(&output);
    free(capture.text);
}

TEST_OF(run_without_the_chosen_weight_is_refused_before_it_is_written, fixture, f, FUNCTIONS)
{
    const struct view_options offcpu = {.weight = WEIGHT_OFFCPU};
    const struct graph_filter all = {.has_tid = false};
    struct output output;
    struct diag diag;

    fixture_add(f, "worker", 8, "main f", 3);
    assert_int_equal(profile_resolve(f->profile, f->names), STATUS_OK);
    output = output_of(f, &output_format_tree, &all);
    output.view_options = &offcpu;
    assert_int_equal(output_begin(&output), STATUS_OK);
    assert_int_equal(output_prepare(&output, &diag), STATUS_NOT_FOUND);
    assert_string_equal(diag.what,
                        "the samples have no off-CPU time (no thread was found blocked twice)");
    output_end(&output);
}

TEST_OF(run_of_times_is_refused_where_there_is_one_moment, fixture, f, FUNCTIONS)
{
    const struct graph_filter all = {.has_tid = false};
    struct history history;
    struct output output;
    struct diag diag;

    history_init(&history, NULL, arch_get(ARCH_X86_64));
    output = output_of(f, &output_format_chrome, &all);
    output.history = &history;
    output.kind = SOURCE_CORE;
    assert_int_equal(output_begin(&output), STATUS_OK);
    assert_int_equal(output_prepare(&output, &diag), STATUS_UNSUPPORTED);
    assert_string_equal(diag.what, "is a core: one moment has no timeline");
    output_end(&output);
    history_deinit(&history);
}

static enum status finish_all(struct output *o, struct diag *diag)
{
    (void)diag;
    fprintf(o->file, "%u samples, %zu threads, total %d\n",
            ((struct tally_state *)o->state)->samples, o->history->thread_count,
            (int)o->view->total);
    return STATUS_OK;
}

TEST_OF(run_gives_samples_view_and_history_at_once, fixture, f, FUNCTIONS)
{
    static const struct output_format everything = {.name = "everything",
                                                    .needs = NEEDS_VIEW | NEEDS_HISTORY,
                                                    .state_size = sizeof(struct tally_state),
                                                    .sample = sample,
                                                    .finish = finish_all};
    const struct snap_process prog = {.pid = 7, .exe = "/usr/bin/prog"};
    const struct snap_thread worker = {.pid = 7, .tid = 8, .name = "worker"};
    const struct graph_filter all = {.has_tid = false};
    struct ingest_sink sink, threads;
    struct history history;
    struct capture capture;
    struct output output;
    struct diag diag;

    history_init(&history, NULL, arch_get(ARCH_X86_64));
    output = output_of(f, &everything, &all);
    output.history = &history;
    assert_int_equal(output_begin(&output), STATUS_OK);
    sink = output_sink(&output);
    threads = history_sink(&history);
    assert_int_equal(threads.process(threads.context, &prog), STATUS_OK);
    assert_int_equal(threads.thread(threads.context, &worker), STATUS_OK);
    give_sample(f, &sink, "worker", 8, 1);
    fixture_add(f, "worker", 8, "main f", 3);
    assert_int_equal(profile_resolve(f->profile, f->names), STATUS_OK);
    assert_int_equal(output_prepare(&output, &diag), STATUS_OK);
    output.file = capture_begin(&capture);
    assert_int_equal(output_finish(&output, &diag), STATUS_OK);
    assert_string_equal(capture_end(&capture), "1 samples, 1 threads, total 3\n");
    output_end(&output);
    free(capture.text);
    history_deinit(&history);
}

TEST(run_needs_a_history_for_threads_only)
{
    struct output tree = {.format = &output_format_tree};
    struct output threads = {.format = &output_format_threads};

    assert_false(output_needs_history(&tree));
    assert_true(output_needs_history(&threads));
    tree.by_thread = true;
    assert_true(output_needs_history(&tree));
}
