/* SPDX-License-Identifier: MIT */
/* Several consumers of one stream of samples. */
#include "snapshot_fixture.h"

#include "graph/ingest.h"
#include "symbol/module_set.h"

struct watcher {
    unsigned processes, threads, samples, ends, creations;
    unsigned fails_at; /* the sample, from 1 on, that it does not take; 0: none */
    unsigned *order;   /* samples of all watchers so far */
    unsigned last;     /* its place in that order */
};

static enum status on_process(void *context, const struct snap_process *process)
{
    (void)process;
    ((struct watcher *)context)->processes++;
    return STATUS_OK;
}

static enum status on_thread(void *context, const struct snap_thread *thread)
{
    (void)thread;
    ((struct watcher *)context)->threads++;
    return STATUS_OK;
}

static enum status on_thread_end(void *context, const struct snap_thread *thread)
{
    (void)thread;
    ((struct watcher *)context)->ends++;
    return STATUS_OK;
}

static enum status on_sample(void *context, const struct ingest_sample *sample)
{
    struct watcher *watcher = context;

    (void)sample;
    watcher->samples++;
    watcher->last = ++*watcher->order;
    return watcher->samples == watcher->fails_at ? STATUS_IO : STATUS_OK;
}

static enum status on_creation(void *context, const struct ingest_creation *creation)
{
    (void)creation;
    ((struct watcher *)context)->creations++;
    return STATUS_OK;
}

static struct ingest_sink watch(struct watcher *watcher)
{
    return (struct ingest_sink){.process = on_process,
                                .thread = on_thread,
                                .thread_end = on_thread_end,
                                .sample = on_sample,
                                .creation = on_creation,
                                .context = watcher};
}

/* Two samples of a thread, which makes another one and ends. */
static struct stream make_stream(void)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);

    put_process(w, PID);
    put_thread(w, PID, PID, "prog");
    put_thread(w, PID, PID + 1, "worker");
    put_sample(w, PID, 100, STACK, "12345678");
    put_creation(w, PID, PID + 1, 150, STACK, "12345678");
    put_repeat(w, PID, 200);
    put_thread_end(w, PID, PID);
    return stream_end(w, fd);
}

/* Gives make_stream to the profile's sink, if `weighs`, and to the watchers. */
static enum status run(bool weighs, struct watcher *watchers, size_t count, uint64_t *weight)
{
    const struct module_options options = {.sysroot = "/nonexistent"};
    const struct unwinder_options methods = {.methods = {TRUST_PROLOGUE}, .method_count = 1};
    struct stream stream = make_stream();
    struct ingest ingest = {.modules = NULL};
    struct snap_source *source;
    struct diag diag;
    enum status status;

    assert_int_equal(snapshot_source_open_read(stream_read, &stream, "memory", &source, &diag),
                     STATUS_OK);
    assert_int_equal(module_set_create(&options, &ingest.modules), STATUS_OK);
    assert_int_equal(unwinder_create(arch_get(ARCH_X86_64), ingest.modules, &methods,
                                     &ingest.unwinder),
                     STATUS_OK);
    assert_int_equal(profile_create(&ingest.profile), STATUS_OK);
    if (weighs)
        ingest_sinks_add(&ingest.sinks, ingest_profile_sink(ingest.profile));
    for (size_t i = 0; i < count; i++)
        ingest_sinks_add(&ingest.sinks, watch(&watchers[i]));
    status = ingest_run(&ingest, source, &diag);
    *weight = 0;
    for (size_t i = 0; i < ingest.profile->cell_count; i++)
        *weight += ingest.profile->cells[i].weights.value[WEIGHT_SAMPLES];
    ingest_deinit(&ingest);
    profile_destroy(ingest.profile);
    unwinder_destroy(ingest.unwinder);
    module_set_destroy(ingest.modules);
    snap_source_close(source);
    free(stream.bytes);
    return status;
}

TEST(ingest_sinks_all_get_each_event)
{
    unsigned order = 0;
    struct watcher watchers[] = {{.order = &order}, {.order = &order}};
    uint64_t weight;

    assert_int_equal(run(true, watchers, 2, &weight), STATUS_OK);
    assert_int_equal(weight, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(watchers[i].processes, 1);
        assert_int_equal(watchers[i].threads, 2);
        assert_int_equal(watchers[i].samples, 2);
        assert_int_equal(watchers[i].creations, 1);
        assert_int_equal(watchers[i].ends, 1);
    }
    assert_int_equal(watchers[0].last, 3); /* in the order of the list */
    assert_int_equal(watchers[1].last, 4);
}

TEST(ingest_without_the_profiles_sink_weighs_nothing)
{
    unsigned order = 0;
    struct watcher watcher = {.order = &order};
    uint64_t weight;

    assert_int_equal(run(false, &watcher, 1, &weight), STATUS_OK);
    assert_int_equal(watcher.samples, 2);
    assert_int_equal(weight, 0);
}

TEST(ingest_sink_that_fails_ends_the_reading)
{
    unsigned order = 0;
    struct watcher watchers[] = {{.order = &order, .fails_at = 1}, {.order = &order}};
    uint64_t weight;

    assert_int_equal(run(false, watchers, 2, &weight), STATUS_IO);
    assert_int_equal(watchers[0].samples, 1);
    assert_int_equal(watchers[1].samples, 0);
    assert_int_equal(watchers[0].ends, 0);
}

TEST(ingest_sinks_skip_one_without_the_function)
{
    unsigned order = 0;
    struct watcher watcher = {.order = &order};
    struct ingest_sinks sinks = {.count = 0};

    ingest_sinks_add(&sinks, (struct ingest_sink){.context = NULL});
    assert_false(ingest_sinks_want_creations(&sinks));
    ingest_sinks_add(&sinks, watch(&watcher));
    assert_true(ingest_sinks_want_creations(&sinks));
    assert_int_equal(ingest_sinks_begin(&sinks, 1), STATUS_OK);
    assert_int_equal(ingest_sinks_sample(&sinks, &(struct ingest_sample){.number = 0}), STATUS_OK);
    assert_int_equal(watcher.samples, 1);
}

TEST(ingest_sinks_forget_the_removed_one_and_keep_the_order)
{
    unsigned order = 0;
    struct watcher watchers[] = {{.order = &order}, {.order = &order}, {.order = &order}};
    struct ingest_sinks sinks = {.count = 0};

    for (size_t i = 0; i < 3; i++)
        ingest_sinks_add(&sinks, watch(&watchers[i]));
    ingest_sinks_remove(&sinks, &watchers[1]);
    ingest_sinks_remove(&sinks, &order); /* which none has */
    assert_int_equal(sinks.count, 2);
    assert_int_equal(ingest_sinks_sample(&sinks, &(struct ingest_sample){.number = 0}), STATUS_OK);
    assert_int_equal(watchers[0].last, 1);
    assert_int_equal(watchers[1].samples, 0);
    assert_int_equal(watchers[2].last, 2);
}
