/* SPDX-License-Identifier: MIT */
#include "capture/symbol_files.h"

#include <unistd.h>

#include "base/clock.h"
#include "capture/events.h"
#include "capture/session.h"

/* How often files are asked for; parts written then; how long a search is waited for at the end; */
#define INTERVAL_NS UINT64_C(250000000)
#define PARTS_DUE   16u
#define PART_BYTES  (UINT32_C(64) << 10)
#define LAST_NS     UINT64_C(60000000)
/* how long found files are written then; bytes of files in a capture. */
#define WRITE_NS  UINT64_C(2000000000)
#define BYTES_MAX (UINT64_C(1) << 30)
#define STEP_NS   UINT64_C(1000000)

static void end_file(struct symbol_output *output)
{
    if (output->has_file)
        close(output->file.fd);
    output->has_file = false;
}

void symbol_files_deinit(struct capture *cap)
{
    end_file(&cap->symbol_output);
}

/* Is the file of an earlier program of its process, before an exec? */
static bool is_of_another(const struct capture *cap, const struct symbol_file *file)
{
    const struct process *process = process_find(cap, file->pid);

    return process && process->symbols.program != file->program;
}

/* Gets the next file to write. Errors as of the backend's next_symbol_file. */
static enum status need_file(struct capture *cap)
{
    struct symbol_output *output = &cap->symbol_output;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && !output->has_file) {
        status = cap->target.backend->next_symbol_file(cap->target.state, &output->file);
        output->has_file = status == STATUS_OK;
        output->off = 0;
        if (output->has_file &&
            (is_of_another(cap, &output->file) || output->file.size > BYTES_MAX - output->bytes))
            end_file(output);
        else if (output->has_file)
            output->bytes += output->file.size;
    }
    return status;
}

static void write_part(struct capture *cap)
{
    struct symbol_output *output = &cap->symbol_output;
    const struct symbol_file *file = &output->file;
    uint8_t bytes[PART_BYTES];
    const ssize_t n = pread(file->fd, bytes, sizeof(bytes), (off_t)output->off);

    if (n > 0) {
        snap_writer_begin(cap->writer, SNAP_SYMBOL_FILE, false);
        snap_writer_u32(cap->writer, (uint32_t)file->pid);
        snap_writer_u64(cap->writer, file->time_ns);
        snap_writer_u64(cap->writer, file->addr);
        snap_writer_u64(cap->writer, file->size);
        snap_writer_u64(cap->writer, output->off);
        snap_writer_bytes(cap->writer, bytes, (size_t)n);
        (void)!snap_writer_end(cap->writer);
        output->off += (uint64_t)n;
    }
    if (n <= 0 || output->off >= file->size)
        end_file(output);
}

/* Writes up to PARTS_DUE parts. BUSY: a search is under way; NOT_FOUND: none is; IO: output. */
static enum status write_parts(struct capture *cap)
{
    enum status status = STATUS_OK;

    for (unsigned i = 0; i < PARTS_DUE && (status = need_file(cap)) == STATUS_OK; i++) {
        if (is_of_another(cap, &cap->symbol_output.file)) /* by now: drop the rest */
            end_file(&cap->symbol_output);
        else
            write_part(cap);
        if (snap_writer_relieve(cap->writer) != STATUS_OK)
            return STATUS_IO;
    }
    return status;
}

/* Asks about the process, if it has code made at run time. */
static void ask(struct capture *cap, struct process *process, uint64_t now)
{
    struct process_symbols *symbols = &process->symbols;
    enum symbol_files_question question = SYMBOL_FILES_AGAIN;

    if (!process->announced || !process->code.len || !process->thread_len)
        return;
    symbols->due_ns = now + INTERVAL_NS;
    if (!symbols->program) {
        symbols->program = ++cap->symbol_output.programs;
        question = SYMBOL_FILES_FIRST;
    } else if (symbols->maps_ns != process->maps_changed_ns) {
        question = SYMBOL_FILES_MAPS;
    }
    symbols->maps_ns = process->maps_changed_ns;
    cap->target.backend->ask_symbol_files(cap->target.state, &process->target,
                                          process->threads[0]->target.tid, symbols->program,
                                          question);
}

static bool is_wanted(const struct capture *cap)
{
    return !cap->options.no_jit && cap->target.backend->ask_symbol_files;
}

void symbol_files_write_due(struct capture *cap, uint64_t now)
{
    if (!is_wanted(cap))
        return;
    for (size_t i = 0; i < cap->process_len; i++)
        if (now >= cap->processes[i]->symbols.due_ns)
            ask(cap, cap->processes[i], now);
    (void)!write_parts(cap);
}

void symbol_files_write_last(struct capture *cap)
{
    const uint64_t end_ns = clock_now_ns() + LAST_NS;
    enum status status = STATUS_BUSY;
    uint64_t now;

    if (!is_wanted(cap))
        return;
    for (size_t i = 0; i < cap->process_len; i++)
        ask(cap, cap->processes[i], end_ns);
    while (status == STATUS_BUSY || status == STATUS_OK) {
        status = write_parts(cap);
        now = clock_now_ns();
        if (now >= (status == STATUS_BUSY ? end_ns : end_ns + WRITE_NS))
            break;
        events_wait_only(cap, status == STATUS_BUSY ? now + STEP_NS : 0);
    }
}
