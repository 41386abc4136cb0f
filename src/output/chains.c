/* SPDX-License-Identifier: MIT */
#include "output/chains.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "output/format.h"
#include "boards/unwind/exceptions.h"

/* Prints "f+0x12"; for a nameless function, whose made-up name has an offset, "prog+0x1234". */
static enum status print_function(const struct chains_out *out, const struct frame *frame,
                                  const struct place *place)
{
    const struct function *function = names_function(out->names, place->function);
    const bool has_offset = !place->is_inline && function->has_start;
    const bool is_nameless = has_offset && !function->has_name && frame->module;
    uint64_t vaddr = frame->lookup_vaddr + frame->is_call;
    enum status status =
        text_put_clean(is_nameless ? text_basename(frame->module->file.path) : function->name,
                       out->file);

    if (has_offset)
        fprintf(out->file, "+0x%" PRIx64, is_nameless ? vaddr : vaddr - function->start_vaddr);
    return status;
}

static enum status print_place(const struct chains_out *out, const struct frame *frame,
                               const struct place *place, size_t number)
{
    char by[EXCEPTION_TEXT_MAX];
    enum status status;

    fprintf(out->file, "#%-2zu 0x%0*" PRIx64 " ", number, out->word_size * 2, frame->pc_addr);
    status = print_function(out, frame, place);
    if (status == STATUS_OK && frame->module) {
        fputs(" - ", out->file);
        status = text_put_clean(frame->module->file.path, out->file);
    }
    if (status == STATUS_OK && place->file) {
        fputc(' ', out->file);
        status = text_put_clean(place->file, out->file);
        if (place->line)
            fprintf(out->file, ":%" PRIu32, place->line);
    }
    fprintf(out->file, " [%s]", place->is_inline ? "inlined" : trust_name(frame->trust));
    if (!place->is_inline && exceptions_name(out->arch, frame, by, sizeof(by)))
        fprintf(out->file, " by %s", by);
    fputc('\n', out->file);
    return status;
}

/* By number, which all of Linux's architectures in arch.h share. */
static const char *const signal_names[] = {
    NULL,   "HUP",  "INT",  "QUIT", "ILL",    "TRAP",   "ABRT",  "BUS",  "FPE",  "KILL", "USR1",
    "SEGV", "USR2", "PIPE", "ALRM", "TERM",   "STKFLT", "CHLD",  "CONT", "STOP", "TSTP", "TTIN",
    "TTOU", "URG",  "XCPU", "XFSZ", "VTALRM", "PROF",   "WINCH", "POLL", "PWR",  "SYS",
};

static void print_signal(FILE *file, unsigned number)
{
    if (number > 0 && number < sizeof(signal_names) / sizeof(signal_names[0]))
        fprintf(file, ", signal SIG%s", signal_names[number]);
    else
        fprintf(file, ", signal %u", number);
}

static enum status print_head(struct chains_out *out, const char *thread_name,
                              const struct snap_sample *sample, const struct address_space *space)
{
    const bool is_board = space && space->board.is_board;
    uint64_t since;
    enum status status;

    if (!out->started)
        out->start_ns = sample->time_ns;
    if (!out->started || out->pid != sample->pid)
        fprintf(out->file, "PID %" PRIu32 " - %s\n", sample->pid, is_board ? "board" : "process");
    out->started = true;
    out->pid = sample->pid;
    since = sample->time_ns > out->start_ns ? sample->time_ns - out->start_ns : 0;
    fprintf(out->file, "TID %" PRIu32 ": ", sample->tid);
    status = text_put_clean(thread_name, out->file);
    if (sample->state > ' ' && sample->state < 0x7f)
        fprintf(out->file, ", %c", sample->state);
    fprintf(out->file, ", %" PRIu64 ".%06" PRIu64 " s", since / 1000000000, since / 1000 % 1000000);
    if (sample->goroutine_id)
        fprintf(out->file, ", goroutine %" PRIu64, sample->goroutine_id);
    if (sample->signal)
        print_signal(out->file, sample->signal);
    return status;
}

/* "        name = value" */
static enum status print_variables(const struct chains_out *out, const struct told_level *level)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; level && i < level->count && status == STATUS_OK; i++) {
        const struct told_variable *variable = &level->list[i];
        char text[KNOWN_TEXT_MAX];

        fputs("        ", out->file);
        status = text_put_clean(variable->name, out->file);
        fputs(" = ", out->file);
        if (status == STATUS_OK)
            status = text_put_clean(variable->value ? variable->value
                                                    : known_text(variable->known, text),
                                    out->file);
        fputc('\n', out->file);
    }
    return status;
}

/* Prints a frame's functions, numbered from *number on, and their variables. */
static enum status print_frame(struct chains_out *out, const struct variables_frame *where,
                               size_t *number)
{
    const struct frame *frame = &where->chain->frames[where->index];
    const struct told_frame *told = NULL;
    const struct places *places;
    enum status status = names_find_frame(out->names, frame, &places);

    if (status == STATUS_OK && out->variables)
        status = variables_tell(out->variables, where, &told);
    for (uint32_t i = 0; status == STATUS_OK && i < places->count; i++) {
        status = print_place(out, frame, &places->list[i], (*number)++);
        if (status == STATUS_OK && told)
            status = print_variables(out, told_frame_level(told, i, places->count));
    }
    return status;
}

enum status chains_sample(struct chains_out *out, const char *thread_name,
                          const struct snap_sample *sample, struct address_space *space,
                          const struct chain *chain)
{
    enum status status = print_head(out, thread_name, sample, space);
    char fault[EXCEPTION_TEXT_MAX];
    size_t number = 0;

    if (status != STATUS_OK)
        return status;
    fputs(sample->repeat ? ": as before\n" : "\n", out->file);
    if (!sample->repeat && exceptions_fault(out->arch, space, sample, chain, fault, sizeof(fault)))
        fprintf(out->file, "fault: %s\n", fault);
    for (size_t i = 0; i < chain->count && !sample->repeat; i++) {
        status = print_frame(
            out,
            &(struct variables_frame){.space = space, .sample = sample, .chain = chain, .index = i},
            &number);
        if (status != STATUS_OK)
            return status;
    }
    if (!sample->repeat)
        fprintf(out->file, "stop: %s\n", stop_reason_name(chain->stop));
    return ferror(out->file) ? STATUS_IO : STATUS_OK;
}

static enum status begin(struct output *o)
{
    *(struct chains_out *)o->state = (struct chains_out){.file = o->file,
                                                         .names = o->names,
                                                         .word_size = o->arch->word_size,
                                                         .arch = o->arch,
                                                         .variables = o->variables};
    return STATUS_OK;
}

static enum status sample(struct output *o, const struct ingest_sample *given)
{
    return chains_sample(o->state, given->thread_name, given->sample, given->space, given->chain);
}

const struct output_format output_format_chains = {
    .name = "chains",
    .suffixes = {".chains"},
    .help = "every sample with its chain, as eu-stack prints it",
    .begins = "^PID [0-9]+ - (process|board)\n",
    .medium = MEDIUM_TEXT,
    .needs = NEEDS_STREAM | NEEDS_LINES,
    .honours = HONOURS_SAMPLES | HONOURS_TRIMMING | HONOURS(VARIABLES),
    .state_size = sizeof(struct chains_out),
    .begin = begin,
    .sample = sample,
};
