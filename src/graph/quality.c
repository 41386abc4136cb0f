/* SPDX-License-Identifier: MIT */
#include "graph/quality.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/text.h"
#include "graph/amount.h"
#include "snapshot/loss.h"
#include "symbol/module_set.h"

static bool is_unnamed(const struct profile *profile, uint32_t frame)
{
    const struct places *places = profile->places ? profile->places[frame] : NULL;

    return places &&
           !names_function(profile->names, places->list[places->count - 1].function)->has_name;
}

enum status quality_fill(struct quality *quality, const struct profile *profile)
{
    const struct trie *trie = &profile->trie;
    uint64_t *below = calloc(trie->len, sizeof(*below));
    uint64_t *of_frame = calloc(profile->frame_count + 1, sizeof(*of_frame));

    *quality = (struct quality){.chains_unwound = profile->chains_unwound,
                                .chains_distinct = profile->chain_count};
    if (!below || !of_frame) {
        free(below);
        free(of_frame);
        return STATUS_NO_MEMORY;
    }
    for (size_t i = 0; i < profile->cell_count; i++) {
        const struct profile_cell *cell = &profile->cells[i];
        const struct profile_chain *chain = &profile->chains[cell->chain];
        uint64_t samples = cell->weights.value[WEIGHT_SAMPLES];

        quality->samples = weight_add(quality->samples, samples);
        quality->chains_by_stop[chain->stop] =
            weight_add(quality->chains_by_stop[chain->stop], samples);
        if (snap_state_is_runnable(cell->state)) {
            quality->running = weight_add(quality->running, samples);
            if (stop_is_start(chain->stop))
                quality->running_complete = weight_add(quality->running_complete, samples);
        }
        below[chain->leaf] = weight_add(below[chain->leaf], samples);
    }
    for (size_t i = trie->len; i-- > 1;) {
        uint32_t frame = trie->nodes[i].key;
        uint32_t parent = trie->nodes[i].parent;

        of_frame[frame] = weight_add(of_frame[frame], below[i]);
        below[parent] = weight_add(below[parent], below[i]);
    }
    for (size_t i = 0; i < profile->frame_count; i++) {
        uint64_t *of_trust = &quality->frames_by_trust[profile->frames[i].trust];

        quality->frames = weight_add(quality->frames, of_frame[i]);
        *of_trust = weight_add(*of_trust, of_frame[i]);
        if (is_unnamed(profile, (uint32_t)i))
            quality->frames_unnamed = weight_add(quality->frames_unnamed, of_frame[i]);
    }
    free(below);
    free(of_frame);
    if (quality->samples > quality->chains_unwound)
        quality->repeats = quality->samples - quality->chains_unwound;
    return STATUS_OK;
}

void quality_count(struct quality *quality, const struct ingest *ingest)
{
    quality->own = ingest->account;
    quality->base = ingest->base_account;
    quality->all = quality->own;
    capture_account_add(&quality->all, &quality->base);
}

bool quality_module_missing(const struct module *module)
{
    bool has_file = module->kind == MODULE_FILE || module->kind == MODULE_VDSO;

    if (module->stand_in)
        return false;
    return module->state == MODULE_REFUSED ||
           (module->state == MODULE_MISSING && (has_file || !module->code_given));
}

static void print_count(const char *name, uint64_t part, uint64_t total, FILE *out)
{
    char share[AMOUNT_TEXT_MAX];

    fprintf(out, "  %-16s %12" PRIu64 " %8s\n", name, part, amount_share(share, part, total));
}

static enum status print_module(const struct module *module, FILE *out)
{
    char problem[sizeof(struct diag)];
    char *path = text_clean(module->file.path, TEXT_REPLACE_CONTROLS);

    if (!path)
        return STATUS_NO_MEMORY;
    fprintf(out, "  %s", path);
    free(path);
    if (module->file.build_id_size) {
        fputs(" build-id ", out);
        for (size_t i = 0; i < module->file.build_id_size; i++)
            fprintf(out, "%02x", module->file.build_id[i]);
    }
    if (module->problem.what[0])
        fprintf(out, ": %s", diag_format(&module->problem, problem, sizeof(problem)));
    fputc('\n', out);
    return STATUS_OK;
}

static enum status print_modules(const struct module_set *modules, FILE *out)
{
    size_t missing = 0;

    for (size_t i = 0; i < module_set_count(modules); i++)
        missing += quality_module_missing(module_set_at(modules, i));
    fprintf(out, "modules not found: %zu\n", missing);
    for (size_t i = 0; i < module_set_count(modules); i++) {
        const struct module *module = module_set_at(modules, i);
        enum status status = STATUS_OK;

        if (quality_module_missing(module))
            status = print_module(module, out);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static void print_capture(const struct snap_summary *capture, FILE *out)
{
    char reached[AMOUNT_TEXT_MAX], asked[AMOUNT_TEXT_MAX];
    char stopped[AMOUNT_TEXT_MAX], worst[AMOUNT_TEXT_MAX];

    fprintf(out,
            "capture: %s of %s Hz reached, %" PRIu64
            " sample%s lost, threads stopped for %s in all, %s at most\n",
            amount_hertz(reached, capture->rate_reached_mhz),
            amount_hertz(asked, capture->rate_asked_mhz), capture->lost, plural(capture->lost),
            amount_weight(stopped, WEIGHT_WALL, capture->stopped_ns),
            amount_weight(worst, WEIGHT_WALL, capture->stopped_max_ns));
}

/* Prints by how much the ticks' estimate differs from the CPU time used, which is known exactly. */
static void print_ticks(const struct cpu_account *cpu, FILE *out)
{
    const bool is_more = cpu->placed_ns > cpu->used_ns;
    const uint64_t off_ns = is_more ? cpu->placed_ns - cpu->used_ns : cpu->used_ns - cpu->placed_ns;
    char amount[AMOUNT_TEXT_MAX], share[AMOUNT_TEXT_MAX];

    fprintf(out, "told by %" PRIu64 " tick%s of the CPUs' clocks (perf events): %s, an estimate",
            cpu->ticks, plural(cpu->ticks), amount_weight(amount, WEIGHT_CPU, cpu->placed_ns));
    if (off_ns)
        fprintf(out, ", %s too %s", amount_percent(share, off_ns, cpu->used_ns),
                is_more ? "much" : "little");
    fprintf(out, ", %s of it by chains that do not reach the thread's start\n",
            amount_percent(share, cpu->cut_ns, cpu->placed_ns));
}

/* Prints how far CPU weights may be trusted. */
static void print_cpu(const struct cpu_account *cpu, FILE *out)
{
    char amount[AMOUNT_TEXT_MAX], share[AMOUNT_TEXT_MAX];
    uint64_t unplaced_ns = cpu->used_ns > cpu->placed_ns ? cpu->used_ns - cpu->placed_ns : 0;

    if (!cpu->used_ns)
        return;
    fprintf(out, "CPU time: %s, ", amount_weight(amount, WEIGHT_CPU, cpu->used_ns));
    if (cpu->by_clock)
        print_ticks(cpu, out);
    else
        fprintf(out, "by %" PRIu64 " sample%s, %s of it without one\n", cpu->places,
                plural(cpu->places), amount_percent(share, unplaced_ns, cpu->used_ns));
    if (cpu->untold)
        fprintf(out, "who had a CPU is not known: threads that waited for one count as running\n");
    else if (cpu->waited_ns)
        fprintf(out, "waited for a CPU: %s, %s of the time in which threads were runnable\n",
                amount_weight(amount, WEIGHT_CPU, cpu->waited_ns),
                amount_percent(share, cpu->waited_ns, weight_add(cpu->waited_ns, cpu->used_ns)));
}

enum status quality_print(const struct quality *quality, FILE *out)
{
    char reached[AMOUNT_TEXT_MAX];
    char unwind[AMOUNT_TEXT_MAX];
    char symbolize[AMOUNT_TEXT_MAX];
    enum status status = STATUS_OK;

    fprintf(out,
            "samples: %" PRIu64 ", %" PRIu64 " of them %s; %" PRIu64 " chain%s unwound, %" PRIu64
            " distinct\n",
            quality->samples, quality->repeats, quality->repeats == 1 ? "a repeat" : "repeats",
            quality->chains_unwound, plural(quality->chains_unwound), quality->chains_distinct);
    fprintf(out, "chains that reach the thread's start: %s",
            amount_share(reached,
                         quality->chains_by_stop[STOP_THREAD_START] +
                             quality->chains_by_stop[STOP_RESET],
                         quality->samples));
    if (quality->running && quality->running < quality->samples)
        fprintf(out, "; of threads that were running or ready: %s of %" PRIu64,
                amount_share(reached, quality->running_complete, quality->running),
                quality->running);
    fputs("\nchains by stop reason:\n", out);
    for (enum stop_reason stop = 0; stop < STOP_COUNT; stop++)
        if (quality->chains_by_stop[stop])
            print_count(stop_reason_name(stop), quality->chains_by_stop[stop], quality->samples,
                        out);
    fprintf(out, "frames by trust:\n");
    for (enum trust trust = 0; trust < TRUST_COUNT; trust++)
        if (quality->frames_by_trust[trust])
            print_count(trust_name(trust), quality->frames_by_trust[trust], quality->frames, out);
    print_count("in all", quality->frames, quality->frames, out);
    print_count("without a name", quality->frames_unnamed, quality->frames, out);
    if (quality->modules)
        status = print_modules(quality->modules, out);
    if (status != STATUS_OK)
        return status;
    print_cpu(&quality->all.cpu, out);
    fprintf(out, "time: %s unwinding, %s symbolizing\n",
            amount_weight(unwind, WEIGHT_WALL, quality->unwind_ns),
            amount_weight(symbolize, WEIGHT_WALL, quality->symbolize_ns));
    if (quality->has_capture)
        print_capture(&quality->capture, out);
    if (snap_loss_sum(quality->all.lost)) {
        snap_loss_print(quality->all.lost, out);
        fputc('\n', out);
    }
    if (quality->all.lost[SNAP_LOSS_TICK])
        fprintf(out, "%" PRIu64 " tick%s of all programs lost\n", quality->all.lost[SNAP_LOSS_TICK],
                plural(quality->all.lost[SNAP_LOSS_TICK]));
    if (quality->cut_short)
        fputs("the snapshot ends early: the capture was killed, or its disk was full\n", out);
    return text_finish(out);
}
