#include "graph/chains.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "graph/text.h"

static enum status print_text(FILE *file, const char *text)
{
    char *clean = text_clean(text, TEXT_REPLACE_CONTROLS);

    if (!clean)
        return STATUS_NO_MEMORY;
    fputs(clean, file);
    free(clean);
    return STATUS_OK;
}

static enum status print_place(const struct chains_out *out, FILE *file, const struct frame *frame,
                               const struct place *place, size_t number)
{
    const struct function *function = names_function(out->names, place->function);
    uint64_t vaddr = frame->lookup_vaddr + frame->is_call;
    enum status status;

    fprintf(file, "#%-2zu 0x%0*" PRIx64 " ", number, out->word_size * 2, frame->pc_addr);
    status = print_text(file, function->name);
    if (!place->is_inline && function->has_start)
        fprintf(file, "+0x%" PRIx64, vaddr - function->start_vaddr);
    if (status == STATUS_OK && frame->module) {
        fputs(" - ", file);
        status = print_text(file, frame->module->path);
    }
    if (status == STATUS_OK && place->file) {
        fputc(' ', file);
        status = print_text(file, place->file);
        if (place->line)
            fprintf(file, ":%" PRIu32, place->line);
    }
    fprintf(file, " [%s]\n", place->is_inline ? "inlined" : trust_name(frame->trust));
    return status;
}

/* The numbers are the same on all of Linux's architectures that arch.h has. */
static void print_signal(FILE *file, unsigned number)
{
    const char *name = sigabbrev_np((int)number);

    if (name)
        fprintf(file, ", signal SIG%s", name);
    else
        fprintf(file, ", signal %u", number);
}

static enum status print_head(const struct chains_out *out, FILE *file, const char *thread_name,
                              const struct snap_sample *sample)
{
    uint64_t since = sample->time_ns > out->start_ns ? sample->time_ns - out->start_ns : 0;
    enum status status;

    fprintf(file, "TID %" PRIu32 ": ", sample->tid);
    status = print_text(file, thread_name);
    if (sample->state > ' ' && sample->state < 0x7f)
        fprintf(file, ", %c", sample->state);
    fprintf(file, ", %" PRIu64 ".%06" PRIu64 " s", since / 1000000000, since / 1000 % 1000000);
    if (sample->signal)
        print_signal(file, sample->signal);
    return status;
}

static enum status print_sample(const struct chains_out *out, FILE *file, const char *thread_name,
                                const struct snap_sample *sample, const struct chain *chain)
{
    enum status status = print_head(out, file, thread_name, sample);
    size_t number = 0;

    fputs(sample->repeat ? ": as before\n" : "\n", file);
    for (size_t i = 0; i < chain->count && status == STATUS_OK && !sample->repeat; i++) {
        const struct frame *frame = &chain->frames[i];
        const struct places *places;

        status = names_find_frame(out->names, frame, &places);
        for (uint32_t j = 0; status == STATUS_OK && j < places->count; j++)
            status = print_place(out, file, frame, &places->list[j], number++);
    }
    if (!sample->repeat)
        fprintf(file, "stop: %s\n", stop_reason_name(chain->stop));
    return status;
}

static int compare_waiting(const void *a, const void *b)
{
    const struct chains_waiting *x = a, *y = b;

    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    return x->tid < y->tid ? -1 : x->tid > y->tid;
}

enum status chains_flush(struct chains_out *out)
{
    if (out->waiting_count > 0)
        qsort(out->waiting, out->waiting_count, sizeof(*out->waiting), compare_waiting);
    for (size_t i = 0; i < out->waiting_count; i++) {
        struct chains_waiting *waiting = &out->waiting[i];

        if (!out->has_pid || out->pid != waiting->pid)
            fprintf(out->file, "PID %" PRIu32 " - process\n", waiting->pid);
        out->has_pid = true;
        out->pid = waiting->pid;
        fwrite(waiting->text, 1, waiting->size, out->file);
        free(waiting->text);
    }
    out->waiting_count = out->waiting_size = 0;
    map_clear(&out->threads);
    return out->file && ferror(out->file) ? STATUS_IO : STATUS_OK;
}

void chains_deinit(struct chains_out *out)
{
    for (size_t i = 0; i < out->waiting_count; i++)
        free(out->waiting[i].text);
    free(out->waiting);
    map_deinit(&out->threads);
    *out = (struct chains_out){.file = NULL};
}

enum status chains_sample(struct chains_out *out, const char *thread_name,
                          const struct snap_sample *sample, const struct chain *chain)
{
    struct chains_waiting waiting = {.pid = sample->pid, .tid = sample->tid};
    enum status status = STATUS_OK;
    FILE *text;

    if (map_get(&out->threads, sample->tid) || out->waiting_size >= CHAINS_WAITING_MAX)
        status = chains_flush(out);
    if (status != STATUS_OK)
        return status;
    if (!out->started)
        out->start_ns = sample->time_ns;
    out->started = true;
    if (vec_reserve(&out->waiting, &out->waiting_cap, out->waiting_count + 1,
                    sizeof(*out->waiting)) != STATUS_OK ||
        !map_put(&out->threads, sample->tid, 0) ||
        !(text = open_memstream(&waiting.text, &waiting.size)))
        return STATUS_NO_MEMORY;
    status = print_sample(out, text, thread_name, sample, chain);
    if (fclose(text) != 0)
        status = STATUS_NO_MEMORY;
    if (status != STATUS_OK) {
        free(waiting.text);
        return status;
    }
    out->waiting[out->waiting_count++] = waiting;
    out->waiting_size += waiting.size;
    return out->by_thread ? STATUS_OK : chains_flush(out);
}
