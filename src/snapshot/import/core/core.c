/* SPDX-License-Identifier: MIT */
/*
 * An ELF core file as a source. Gives one process, its executable mappings with the code that the
 * core has, its threads, and a sample of each.
 */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/import/core/board.h"
#include "snapshot/import/core/goroutine.h"
#include "snapshot/import/core/maps.h"
#include "snapshot/import/core/modules.h"
#include "snapshot/import/core/notes.h"
#include "snapshot/import/core/regions.h"
#include "snapshot/import/core/syscall.h"
#include "snapshot/import/source.h"
#include "snapshot/import/vectors.h"

enum stage { STAGE_PROCESS, STAGE_BOARD, STAGE_MAPS, STAGE_THREADS, STAGE_SAMPLES, STAGE_END };

struct core_source {
    struct snap_source base;
    struct core_image image;
    struct core_notes notes;
    struct core_maps maps;
    struct core_regions regions;
    struct snap_memory memory; /* for regions, if the file is not mapped as a whole */
    struct core_board board;
    enum stage stage;
    uint32_t pid;
    size_t index; /* of the current thread */
    char task_name[CORE_TASK_NAME_SIZE + 1];
    struct core_thread thread;
};

/* Returns the path of the file with the program headers at AT_PHDR, else the process's name. */
static const char *executable(const struct core_source *core)
{
    uint64_t addr = core_notes_auxv(&core->notes, core->image.arch, AT_PHDR);
    const struct core_mapped_file *file = addr ? core_notes_file(&core->notes, addr) : NULL;

    return file ? file->path : core->notes.name;
}

static void give_process(struct core_source *core, struct snap_event *event)
{
    const struct core_notes *notes = &core->notes;
    const struct arch *arch = core->image.arch;
    uint64_t page_size = core_notes_auxv(notes, arch, AT_PAGESZ);

    *event = (struct snap_event){.type = SNAP_PROCESS,
                                 .process = {.pid = core->pid,
                                             .parent_pid = notes->parent_pid,
                                             .page_size =
                                                 page_size <= UINT32_MAX ? (uint32_t)page_size : 0,
                                             .word_size = arch->word_size,
                                             .pac_mask = source_pac_mask(arch, notes->pac_mask),
                                             .exe = executable(core),
                                             .host = "",
                                             .kernel = "",
                                             .command_line = (const uint8_t *)notes->args,
                                             .command_line_size = (uint32_t)strlen(notes->args),
                                             .auxv = notes->auxv,
                                             .auxv_size = notes->auxv_size}};
}

static void give_board(struct core_source *core, struct snap_event *event)
{
    *event = (struct snap_event){.type = SNAP_BOARD, .board = core->board.facts};
    event->board.pid = core->pid;
}

static void give_thread(struct core_source *core, struct snap_event *event)
{
    core_board_task_name(&core->image, &core->notes, core->thread.tid, core->task_name);
    *event = (struct snap_event){.type = SNAP_THREAD,
                                 .thread = {.pid = core->pid,
                                            .tid = core->thread.tid,
                                            .name = core->task_name[0] ? core->task_name
                                                                       : core->notes.name}};
}

/*
 * The kernel puts the thread that took the signal first, and the signal into all threads' notes;
 * gdb puts the selected thread first. A core has only the main thread's state.
 */
static enum status give_sample(struct core_source *core, struct snap_event *event)
{
    const struct core_thread *thread = &core->thread;
    bool is_main = core->notes.has_info && thread->tid == core->notes.pid;
    uint32_t signal = thread->signal ? thread->signal : core->notes.signal;
    struct core_cuts cuts = {.count = 0};

    *event =
        (struct snap_event){.type = SNAP_SAMPLE,
                            .sample = {.pid = core->pid,
                                       .tid = thread->tid,
                                       .state = is_main ? core->notes.state : '\0',
                                       .signal =
                                           core->index == 0 && signal < 128 ? (uint8_t)signal : 0,
                                       .regs = thread->regs,
                                       .memory = &core->memory}};
    if (!core->board.is_board)
        core_syscall_find(&core->image, thread->orig, &event->sample);
    if (core->maps.go.count)
        core_goroutine_find(&core->image, &core->notes, core_go_version(&core->maps.go), thread,
                            &event->sample, &cuts);
    return core_regions_fill(&core->regions, &core->image, &cuts, &event->sample);
}

static void note_end(struct core_source *core)
{
    struct core_image *image = &core->image;

    core_file_check(&image->file);
    if (image->file.size < image->whole_size) {
        core->base.cut_short = true;
        core->base.cut_off = image->file.size;
    }
    if (core->maps.left_out)
        diag_set(source_note(&core->base), image->file.name,
                 "has more code than is kept of a core: some was left out");
    if (core->regions.own_only)
        diag_set(source_note(&core->base), image->file.name,
                 "has too many threads and segments: each thread's own stack was used only");
}

/* Reads the current thread's registers; false: none left. */
static bool read_thread(struct core_source *core)
{
    return core->index < core->notes.thread_count &&
           core_notes_thread(&core->notes, &core->image, core->index, &core->thread);
}

/* Reads the next thread's registers; makes the regions anew if the file has shrunk. */
static enum status next_sample(struct core_source *core)
{
    struct core_image *image = &core->image;

    if (!read_thread(core)) {
        note_end(core);
        core->stage = STAGE_END;
        return STATUS_END;
    }
    if (core_file_check(&image->file) && core->regions.list)
        return STATUS_OK;
    return core_regions_make(&core->regions, image, core->notes.thread_count, core->board.is_board);
}

static enum status core_next(struct snap_source *base, struct snap_event *event, struct diag *diag)
{
    struct core_source *core = (struct core_source *)base;
    enum status status = STATUS_END;

    switch (core->stage) {
    case STAGE_PROCESS:
        give_process(core, event);
        core->stage = core->board.is_board ? STAGE_BOARD : STAGE_MAPS;
        return STATUS_OK;
    case STAGE_BOARD:
        give_board(core, event);
        core->stage = STAGE_MAPS;
        return STATUS_OK;
    case STAGE_MAPS:
        status = core_maps_next(&core->maps, &core->image, &core->notes, core->pid, event);
        if (status != STATUS_END)
            break;
        core->stage = STAGE_THREADS;
        __attribute__((fallthrough));
    case STAGE_THREADS:
        if (read_thread(core)) {
            give_thread(core, event);
            core->index++;
            return STATUS_OK;
        }
        core->index = 0;
        core->stage = STAGE_SAMPLES;
        __attribute__((fallthrough));
    case STAGE_SAMPLES:
        status = next_sample(core);
        if (status == STATUS_OK)
            status = give_sample(core, event);
        core->index++;
        break;
    case STAGE_END:
        break;
    }
    if (status == STATUS_NO_MEMORY)
        diag_set(diag, core->image.file.name, "out of memory");
    return status;
}

static bool core_memory(const struct snap_source *base, uint64_t addr, void *buffer, size_t size)
{
    return core_image_read(&((const struct core_source *)base)->image, addr, buffer, size);
}

/* Reads through the mapped file: few places are read, but often. */
static bool read_mapped(void *context, uint64_t addr, void *buffer, size_t size)
{
    struct core_image *image = context;
    const struct core_segment *segment = core_image_segment(image, addr);
    const uint64_t end_addr = segment ? core_segment_captured(image, segment) : 0;
    const uint8_t *bytes = NULL;

    if (addr < end_addr && size <= end_addr - addr)
        bytes = windows_at(&image->file.mapped, segment->off + (addr - segment->start_addr), size);
    if (bytes)
        memcpy(buffer, bytes, size);
    return bytes;
}

static void core_destroy(struct snap_source *base)
{
    struct core_source *core = (struct core_source *)base;

    core_regions_free(&core->regions);
    core_maps_free(&core->maps);
    core_notes_free(&core->notes);
    core_image_close(&core->image);
    free(core);
}

/* Fills `diag` for a core whose threads' notes all lack PC or SP. */
static void tell_short(const struct core_source *core, struct diag *diag)
{
    const struct core_image *image = &core->image;

    diag_set_at(diag, image->file.name, core->notes.short_off,
                "a thread's note has %" PRIu32 " bytes, not %zu: registers are missing",
                core->notes.short_size, core_layout_status_size(image->arch));
    diag_hint(diag, "the debugger did not write them: of a board, write registers and memory to "
                    "files, and use --regs and --ram");
}

/* Checks that some thread's registers are there, and sets the pid. BAD_DATA with `diag` filled. */
static enum status check_threads(struct core_source *core, struct diag *diag)
{
    const struct core_image *image = &core->image;

    if (core->notes.thread_count > 0 &&
        core_notes_thread(&core->notes, &core->image, 0, &core->thread)) {
        core->pid = core->notes.has_info ? core->notes.pid : core->thread.tid;
        return STATUS_OK;
    }
    if (core->notes.has_short && core->notes.thread_count == 0) {
        tell_short(core, diag);
        return STATUS_BAD_DATA;
    }
    diag_set_at(diag, image->file.name,
                image->note_count && image->notes[0].off < image->file.size ? image->notes[0].off
                                                                            : image->file.size,
                "no thread's registers are in the core%s",
                image->file.size < image->whole_size ? ", which is cut short" : "");
    if (image->file.size < image->whole_size)
        diag_hint(diag, "the whole file should have %" PRIu64 " bytes at least", image->whole_size);
    else
        diag_hint(diag,
                  "cores of Linux and of boards have them in notes (NT_PRSTATUS); of a board, "
                  "--regs and --ram take registers and memory from files");
    return STATUS_BAD_DATA;
}

/*
 * A board's notes may lack registers, which a note says; on Linux such notes are damaged, and their
 * threads are dropped.
 */
static enum status settle_short(struct core_source *core, struct diag *diag)
{
    if (!core->notes.has_short)
        return STATUS_OK;
    if (core->board.is_board) {
        diag_set_at(source_note(&core->base), core->image.file.name, core->notes.short_off,
                    "a thread's note has %" PRIu32 " bytes, not %zu: registers are missing, and "
                    "chains may end early; --regs and --ram take all",
                    core->notes.short_size, core_layout_status_size(core->image.arch));
        return STATUS_OK;
    }
    core_notes_drop_short(&core->notes, &core->image, &core->base);
    return check_threads(core, diag);
}

/* Gives the process a name, and a board a pid, if they have none. */
static void name_process(struct core_source *core)
{
    if (!core->notes.name[0])
        snprintf(core->notes.name, sizeof(core->notes.name), "%s",
                 core->board.is_board ? BOARD_NAME : "?");
    if (core->board.is_board && core->pid == 0)
        core->pid = 1;
}

enum status core_source_open(struct source_input *input, struct snap_source **out,
                             struct diag *diag)
{
    static const struct source_ops ops = {.next = core_next,
                                          .read = core_memory,
                                          .destroy = core_destroy};
    struct core_source *core = calloc(1, sizeof(*core));
    enum status status;

    if (!core)
        return STATUS_NO_MEMORY;
    status = core_image_open(input, &core->base, &core->image, diag);
    if (status != STATUS_OK) {
        free(core);
        return status;
    }
    status = core_notes_read(&core->image, &core->base, &core->notes);
    if (status == STATUS_OK)
        status = check_threads(core, diag);
    if (status != STATUS_OK) {
        core_destroy(&core->base);
        return status;
    }
    core->notes.vdso_addr = core_notes_auxv(&core->notes, core->image.arch, AT_SYSINFO_EHDR);
    status = core_board_find(&core->image, &core->notes, &core->board);
    if (status == STATUS_OK)
        status = settle_short(core, diag);
    /* gdb does so for boards: a stack that lies in a section comes twice. Nobody does for Linux. */
    if (core->image.has_overlaps && !core->board.is_board)
        diag_set(source_note(&core->base), core->image.file.name,
                 "segments overlap: what comes first is believed");
    name_process(core);
    if (status == STATUS_OK && core->notes.file_count == 0 && !core->board.is_board)
        status = core_modules_find(&core->image, &core->base, &core->notes);
    if (status != STATUS_OK) {
        core_destroy(&core->base);
        return status;
    }
    core->base.kind = SOURCE_CORE;
    core->base.format = !core->board.is_board ? NULL
                        : core->notes.is_esp  ? "core of ESP-IDF"
                                              : "core of a board";
    core->base.arch = core->image.arch;
    core->base.ops = &ops;
    core->memory = (struct snap_memory){.read = read_mapped, .context = &core->image};
    core->maps.vdso_addr = core->notes.vdso_addr;
    *out = &core->base;
    return STATUS_OK;
}
