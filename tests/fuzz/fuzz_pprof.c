/* SPDX-License-Identifier: MIT */
/*
 * Profiles (pprof) over any bytes, and what is made of them: view, folded text, and a profile
 * again.
 *
 * Input: a message Profile, decompressed; it is read as a file, too. What was written of it is read
 * and written again, twice: the second time nothing changes.
 */
#include "fuzz.h"

#include <stdio.h>

#include <sys/mman.h>

#include "graph/pprof/load.h"
#include "output/folded.h"
#include "output/pprof.h"
#include "symbol/module_set.h"

struct bytes {
    uint8_t *data;
    size_t size;
};

/* As a file, compressed or not. */
static enum status read_file(const struct bytes *file, struct bytes *out)
{
    int fd = memfd_create("profile", 0);
    struct source_input *input;
    struct diag diag = {0};
    enum status status;

    if (fd < 0)
        abort();
    fuzz_write(fd, file->data, file->size);
    status = source_input_open(fd, "profile", &input, &diag);
    if (status == STATUS_OK) {
        fuzz_use(pprof_begins(input->head, input->head_len));
        status = source_read_all(input, PPROF_SIZE_MAX, &out->data, &out->size, &diag);
        source_input_close(input);
    }
    if (status != STATUS_OK)
        fuzz_use_diag(&diag);
    close(fd);
    return status;
}

static void write_all(struct ingest *in, struct told *told, struct bytes *out)
{
    const struct view_options options = {.weight = WEIGHT_SAMPLES};
    const struct names_source source = told_source(told);
    struct pprof_facts facts = {.programs = &in->title,
                                .start_ns = in->start_ns,
                                .duration_ns = in->duration_ns,
                                .period_ns = in->period_ns,
                                .arch = arch_get(ARCH_X86_64)};
    struct quality quality;
    struct names *names;
    struct view *view;
    FILE *nowhere = fopen("/dev/null", "w");
    FILE *file = open_memstream((char **)&out->data, &out->size);

    if (!file || !nowhere || names_create_from(&source, &names) != STATUS_OK ||
        profile_resolve(in->profile, names) != STATUS_OK ||
        quality_fill(&quality, in->profile) != STATUS_OK ||
        view_create(in->profile, &options, &view) != STATUS_OK)
        abort();
    quality_count(&quality, in);
    facts.quality = &quality;
    if (folded_write(view, nowhere) != STATUS_OK ||
        pprof_write(view, names, &facts, file) != STATUS_OK)
        abort();
    fclose(nowhere);
    fclose(file);
    view_destroy(view);
    names_destroy(names);
}

/* Reads a message; of what can be read of it *out becomes the profile that is written. */
static enum status run(const struct bytes *message, struct bytes *out)
{
    const struct module_options options = {.sysroot = "/nonexistent"};
    struct ingest in = {.by_tid = true};
    struct pprof_tables tables;
    struct pprof_found found;
    struct diag diag = {0};
    struct told *told;
    enum status status;

    if (module_set_create(&options, &in.modules) != STATUS_OK ||
        told_create(NULL, NULL, &told) != STATUS_OK || profile_create(&in.profile) != STATUS_OK)
        abort();
    status = pprof_tables_read(&tables, "profile", message->data, message->size, &diag);
    if (status == STATUS_OK)
        status = pprof_load(&tables, &in, told, &found, &diag);
    if (status != STATUS_OK && !diag.what[0])
        abort();
    fuzz_use_diag(&diag);
    write_all(&in, told, out);
    profile_destroy(in.profile);
    ingest_deinit(&in);
    told_destroy(told);
    module_set_destroy(in.modules);
    pprof_tables_deinit(&tables);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes message = {(uint8_t *)(uintptr_t)data, size}, plain, written[3];

    if (read_file(&message, &plain) == STATUS_OK)
        free(plain.data);
    run(&message, &written[0]);
    for (int i = 1; i < 3; i++) {
        if (read_file(&written[i - 1], &plain) != STATUS_OK)
            abort();
        if (run(&plain, &written[i]) != STATUS_OK)
            abort();
        free(plain.data);
    }
    if (written[1].size != written[2].size ||
        memcmp(written[1].data, written[2].data, written[1].size) != 0)
        abort();
    for (int i = 0; i < 3; i++)
        free(written[i].data);
    return 0;
}
