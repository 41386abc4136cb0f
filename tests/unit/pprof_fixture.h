/* SPDX-License-Identifier: MIT */
/* pprof profiles as files: what pprof_write wrote, or a message made by hand, read again. */
#ifndef TESTS_PPROF_FIXTURE_H
#define TESTS_PPROF_FIXTURE_H

#include "graph_fixture.h"

#include <unistd.h>

#include "graph/pprof/fields.h"
#include "graph/pprof/load.h"
#include "output/pprof.h"
#include "output/proto.h"
#include "snapshot/import/gunzip.h"

/* A file without name with these bytes, at its beginning. */
static inline int pprof_file(const void *bytes, size_t size)
{
    FILE *file = tmpfile();
    int fd;

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fflush(file), 0);
    fd = dup(fileno(file));
    fclose(file);
    return fd;
}

static inline enum status pprof_gunzip(const void *bytes, size_t size, size_t max, uint8_t **out,
                                       size_t *out_size, struct diag *diag)
{
    int fd = pprof_file(bytes, size);
    struct source_input *input;
    enum status status;

    assert_int_equal(source_input_open(fd, "file", &input, diag), STATUS_OK);
    status = gunzip_input(input, max, out, out_size, diag);
    source_input_close(input);
    close(fd);
    return status;
}

/* A profile of what was read. */
struct pprof_merge {
    struct module_set *modules;
    struct told *told;
    struct ingest ingest;
    struct names *names;
    struct pprof_found found;
    struct diag diag;
    enum status status; /* of the last one that was read */
};

static inline void pprof_merge_init(struct pprof_merge *merge)
{
    const struct module_options options = {.sysroot = "/nonexistent"};

    *merge = (struct pprof_merge){.ingest = {.by_tid = true}};
    assert_int_equal(module_set_create(&options, &merge->modules), STATUS_OK);
    assert_int_equal(told_create(NULL, NULL, &merge->told), STATUS_OK);
    assert_int_equal(profile_create(&merge->ingest.profile), STATUS_OK);
    merge->ingest.modules = merge->modules;
}

static inline void pprof_merge_deinit(struct pprof_merge *merge)
{
    profile_destroy(merge->ingest.profile);
    ingest_deinit(&merge->ingest);
    names_destroy(merge->names);
    told_destroy(merge->told);
    module_set_destroy(merge->modules);
}

/* Reads a message, as it is decompressed. */
static inline enum status pprof_merge_message(struct pprof_merge *merge, const void *bytes,
                                              size_t size)
{
    struct pprof_tables tables;

    merge->diag = (struct diag){.has_off = false};
    merge->status = pprof_tables_read(&tables, "file", bytes, size, &merge->diag);
    if (merge->status == STATUS_OK)
        merge->status =
            pprof_load(&tables, &merge->ingest, merge->told, &merge->found, &merge->diag);
    pprof_tables_deinit(&tables);
    return merge->status;
}

static inline void pprof_merge_file(struct pprof_merge *merge, const struct capture *file)
{
    uint8_t *bytes;
    size_t size;

    assert_int_equal(pprof_gunzip(file->text, file->size, PPROF_SIZE_MAX, &bytes, &size,
                                  &merge->diag),
                     STATUS_OK);
    assert_int_equal(pprof_merge_message(merge, bytes, size), STATUS_OK);
    free(bytes);
}

/* Writes what was read; the text is yours to free. */
static inline void pprof_merge_write(struct pprof_merge *merge, struct capture *file)
{
    const struct view_options options = {.weight = WEIGHT_SAMPLES};
    const struct names_source source = told_source(merge->told);
    struct pprof_facts facts = {.programs = &merge->ingest.title,
                                .start_ns = merge->ingest.start_ns,
                                .duration_ns = merge->ingest.duration_ns,
                                .period_ns = merge->ingest.period_ns,
                                .arch = arch_get(ARCH_X86_64)};
    struct quality quality;
    struct view *view;

    assert_int_equal(names_create_from(&source, &merge->names), STATUS_OK);
    assert_int_equal(profile_resolve(merge->ingest.profile, merge->names), STATUS_OK);
    assert_int_equal(quality_fill(&quality, merge->ingest.profile), STATUS_OK);
    quality_count(&quality, &merge->ingest);
    facts.quality = &quality;
    assert_int_equal(view_create(merge->ingest.profile, &options, &view), STATUS_OK);
    assert_int_equal(pprof_write(view, merge->names, &facts, capture_begin(file)), STATUS_OK);
    capture_end(file);
    view_destroy(view);
}

#endif
