/* SPDX-License-Identifier: MIT */
#include "tools/cgunwind/info.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file_pieces.h"
#include "base/map.h"
#include "base/plural.h"
#include "base/text.h"
#include "base/vec.h"
#include "graph/amount.h"
#include "graph/caveats.h"
#include "boards/firmware/firmware.h"
#include "graph/place.h"
#include "snapshot/loss.h"
#include "symbol/debug_files.h"

#define PROCESSES_MAX 16u /* that are printed by name */
#define SECOND_NS     UINT64_C(1000000000)

struct info_process {
    uint32_t pid;
    char *exe, *command; /* owned */
};

struct info {
    struct module_set *modules;
    const struct snap_source *source;
    struct map known;      /* module id -> 0, for each of `files` */
    struct module **files; /* array owned; modules that are files, in the input's order */
    size_t file_count, file_cap;
    struct info_process processes[PROCESSES_MAX];
    size_t process_count;       /* all, also those not in `processes`; exec counts as a new one */
    char *host, *kernel;        /* owned; of the first process; NULL: none */
    char *machine;              /* owned: the board's name; NULL: no board */
    struct map threads;         /* pid and tid -> 0 */
    struct address_space space; /* of a core or board, to place its programs in */
    struct capture_account account; /* input of caveats.h */
    uint64_t repeats, running, ticks;
    uint64_t first_ns, last_ns;
    uint64_t code_bytes, names_bytes, symbol_file_bytes, pointee_bytes;
    bool has_time, has_summary;
    struct snap_summary summary;
};

static char *copy_text(const char *text)
{
    return strdup(text ? text : "");
}

/* Copies the command line, with blanks in place of the NULs between words. */
static char *copy_command(const struct snap_process *process)
{
    char *copy = malloc((size_t)process->command_line_size + 1);

    if (!copy)
        return NULL;
    memcpy(copy, process->command_line, process->command_line_size);
    copy[process->command_line_size] = '\0';
    for (uint32_t i = 0; i + 1 < process->command_line_size; i++)
        if (!copy[i])
            copy[i] = ' ';
    return copy;
}

static enum status take_process(struct info *info, const struct snap_process *process)
{
    struct info_process *kept;

    address_space_clear(&info->space);
    info->space.board = (struct board_space){.is_board = false};
    if (info->process_count == 0) {
        info->host = copy_text(process->host);
        info->kernel = copy_text(process->kernel);
        if (!info->host || !info->kernel)
            return STATUS_NO_MEMORY;
    }
    if (info->process_count++ >= PROCESSES_MAX)
        return STATUS_OK;
    kept = &info->processes[info->process_count - 1];
    *kept = (struct info_process){.pid = process->pid,
                                  .exe = copy_text(process->exe),
                                  .command = copy_command(process)};
    return kept->exe && kept->command ? STATUS_OK : STATUS_NO_MEMORY;
}

static enum status take_file(struct info *info, struct module *module)
{
    const size_t before = map_len(&info->known);
    enum status status;

    if (module->kind != MODULE_FILE)
        return STATUS_OK;
    if (!map_put(&info->known, module->id, 0))
        return STATUS_NO_MEMORY;
    if (map_len(&info->known) == before)
        return STATUS_OK;
    status = vec_reserve(&info->files, &info->file_cap, info->file_count + 1, sizeof(*info->files));
    if (status == STATUS_OK)
        info->files[info->file_count++] = module;
    return status;
}

static bool may_be_placed(const struct info *info)
{
    return info->source->kind == SOURCE_CORE || info->space.board.is_board;
}

static enum status take_map(struct info *info, const struct snap_map *map)
{
    struct mapping mapping;
    enum status status = place_map(info->modules, info->source, map, &mapping);

    if (status == STATUS_OK && may_be_placed(info) && map->kind != SNAP_MAP_KERNEL &&
        info->space.count < INGEST_MAPPINGS_MAX)
        status = address_space_put(&info->space, &mapping);
    return status == STATUS_OK ? take_file(info, mapping.module) : status;
}

/* Adds programs that the input does not list: a board's firmware. */
static enum status take_firmware(struct info *info, uint64_t pc)
{
    struct address_space *space = &info->space;
    enum status status;

    if (space->has_firmware || !may_be_placed(info))
        return STATUS_OK;
    status = firmware_place(info->modules, info->source, space, pc);
    for (size_t i = 0; i < space->count && status == STATUS_OK; i++)
        status = take_file(info, space->mappings[i].module);
    return status;
}

static enum status take_board(struct info *info, const struct snap_board *board)
{
    info->space.board = board_space_of(board);
    info->space.has_firmware = false;
    if (info->machine)
        return STATUS_OK;
    info->machine = copy_text(board->machine);
    return info->machine ? STATUS_OK : STATUS_NO_MEMORY;
}

static void take_time(struct info *info, uint64_t time_ns)
{
    if (!info->has_time || time_ns < info->first_ns)
        info->first_ns = time_ns;
    if (!info->has_time || time_ns > info->last_ns)
        info->last_ns = time_ns;
    info->has_time = true;
}

static void take_sample(struct info *info, const struct snap_sample *sample)
{
    struct capture_account *account = &info->account;

    account->samples++;
    account->ready += sample->state == SNAP_STATE_READY;
    account->wall_ns = weight_add(account->wall_ns, sample->wall_ns);
    account->cpu.used_ns = weight_add(account->cpu.used_ns, sample->cpu_ns);
    account->cpu.waited_ns = weight_add(account->cpu.waited_ns, sample->delay_ns);
    info->repeats += sample->repeat;
    info->running += snap_state_is_runnable(sample->state);
    for (uint32_t i = 0; i < sample->pointee_count && !sample->repeat; i++)
        info->pointee_bytes += sample->pointees[i].end_addr - sample->pointees[i].start_addr;
    take_time(info, sample->time_ns);
}

static enum status take_event(struct info *info, const struct snap_event *event)
{
    switch (event->type) {
    case SNAP_PROCESS:
        return take_process(info, &event->process);
    case SNAP_MAP:
        return take_map(info, &event->map);
    case SNAP_THREAD:
        return map_put(&info->threads, (uint64_t)event->thread.pid << 32 | event->thread.tid, 0)
                   ? STATUS_OK
                   : STATUS_NO_MEMORY;
    case SNAP_SAMPLE:
        take_sample(info, &event->sample);
        return take_firmware(info, event->sample.regs.value[info->source->arch->pc]);
    case SNAP_BOARD:
        return take_board(info, &event->board);
    case SNAP_TICK:
        info->ticks++;
        return STATUS_OK;
    case SNAP_CODE:
        if (event->range.end_addr - event->range.start_addr != FILE_PIECE_SIZE)
            info->code_bytes += event->range.end_addr - event->range.start_addr;
        return STATUS_OK;
    case SNAP_NAMES:
        info->names_bytes += event->names.size;
        return STATUS_OK;
    case SNAP_SYMBOL_FILE:
        info->symbol_file_bytes += event->symbol_file.size;
        return STATUS_OK;
    case SNAP_LOSS:
        info->account.lost[event->loss.reason < SNAP_LOSS_REASONS ? event->loss.reason : 0] +=
            event->loss.count;
        return STATUS_OK;
    case SNAP_SUMMARY:
        info->summary = event->summary;
        info->has_summary = true;
        if (event->summary.rounds >= CAPTURE_RATE_ROUNDS_MIN)
            capture_rate_add(&info->account.rate,
                             &(struct capture_rate){event->summary.rate_asked_mhz,
                                                    event->summary.rate_reached_mhz});
        return STATUS_OK;
    case SNAP_USAGE:
    case SNAP_UNMAP:
    case SNAP_THREAD_END:
    case SNAP_REPEAT:
    case SNAP_IDLE:
    case SNAP_CREATION:
    case SNAP_WAIT:
    case SNAP_UNCHANGED:
    case SNAP_SYSTEM:
    case SNAP_TASK:
    case SNAP_POINTEES:
    case SNAP_FILE:
    case SNAP_FILE_PART:
        return STATUS_OK;
    }
    return STATUS_OK;
}

/* Writes a line, unless the text is empty. */
static enum status put_line(const char *key, const char *text, FILE *out)
{
    enum status status;

    if (!text || !text[0])
        return STATUS_OK;
    fprintf(out, "%-10s ", key);
    status = text_put_clean(text, out);
    fputc('\n', out);
    return status;
}

static enum status put_processes(const struct info *info, FILE *out)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < info->process_count && i < PROCESSES_MAX; i++) {
        const struct info_process *process = &info->processes[i];

        fprintf(out, "process    %" PRIu32 " ", process->pid);
        if (status == STATUS_OK)
            status = text_put_clean(process->exe, out);
        fputc('\n', out);
        if (status == STATUS_OK)
            status = put_line("command", process->command, out);
    }
    if (info->process_count > PROCESSES_MAX)
        fprintf(out, "process    and %zu more\n", info->process_count - PROCESSES_MAX);
    return status;
}

static void put_time(const struct info *info, uint64_t clock_offset, FILE *out)
{
    char span[AMOUNT_TEXT_MAX], text[40];
    const time_t begin = (time_t)((info->first_ns + clock_offset) / SECOND_NS);
    struct tm utc;

    if (!info->has_time)
        return;
    amount_weight(span, WEIGHT_WALL, info->last_ns - info->first_ns);
    if (clock_offset && gmtime_r(&begin, &utc) &&
        strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &utc))
        fprintf(out, "begin      %s\n", text);
    fprintf(out, "time       %s from the first to the last sample\n", span);
}

static const char *end_text(uint32_t end)
{
    switch (end) {
    case SNAP_END_LIMIT:
        return "its duration or count was reached";
    case SNAP_END_SIGNAL:
        return "it was told to end";
    case SNAP_END_EXIT:
        return "the process ended";
    case SNAP_END_WRITE:
        return "the output took no more";
    default:
        return "it failed";
    }
}

static void put_lost(const struct info *info, FILE *out)
{
    const uint64_t lost = snap_loss_sum(info->account.lost);
    char share[AMOUNT_TEXT_MAX];

    if (lost) {
        fprintf(out, "lost       %" PRIu64 " sample%s, %s of those that were due", lost,
                plural(lost), amount_percent(share, lost, weight_add(info->account.samples, lost)));
        snap_loss_print_reasons(info->account.lost, out);
        fputc('\n', out);
    }
    if (info->account.lost[SNAP_LOSS_TICK])
        fprintf(out, "lost       %" PRIu64 " tick%s, of all programs\n",
                info->account.lost[SNAP_LOSS_TICK], plural(info->account.lost[SNAP_LOSS_TICK]));
}

static void put_contention(const struct info *info, FILE *out)
{
    const struct cpu_account *cpu = &info->account.cpu;
    char share[AMOUNT_TEXT_MAX];

    if (caveats_is_contended(&info->account))
        fprintf(out, "contention ready without a CPU %s of the time that threads could have run\n",
                amount_percent(share, cpu->waited_ns, weight_add(cpu->used_ns, cpu->waited_ns)));
}

static void put_rate(const struct info *info, FILE *out)
{
    const struct snap_summary *summary = &info->summary;
    const uint64_t asked_mhz = summary->rate_asked_mhz, reached_mhz = summary->rate_reached_mhz;
    char reached[AMOUNT_TEXT_MAX], asked[AMOUNT_TEXT_MAX], share[AMOUNT_TEXT_MAX];

    fprintf(out, "rate       %s of %s Hz", amount_hertz(reached, reached_mhz),
            amount_hertz(asked, asked_mhz));
    if (caveats_is_slow(&info->account.rate))
        fprintf(out, ", %s of what was asked for", amount_percent(share, reached_mhz, asked_mhz));
    fputc('\n', out);
}

static void put_capture(const struct info *info, const struct snap_source *source, FILE *out)
{
    const struct snap_summary *summary = &info->summary;
    char held[AMOUNT_TEXT_MAX], worst[AMOUNT_TEXT_MAX], share[AMOUNT_TEXT_MAX];

    fprintf(out, "threads    %zu\n", map_len(&info->threads));
    fprintf(out,
            "samples    %" PRIu64 ", %" PRIu64
            " of them %s; %s of threads that were running or ready\n",
            info->account.samples, info->repeats, info->repeats == 1 ? "a repeat" : "repeats",
            amount_percent(share, info->running, info->account.samples));
    if (info->ticks)
        fprintf(out, "ticks      %" PRIu64 " of CPUs' clocks\n", info->ticks);
    put_lost(info, out);
    put_contention(info, out);
    if (info->has_summary) {
        put_rate(info, out);
        fprintf(out, "stopped    %s in all, %s at most\n",
                amount_weight(held, WEIGHT_WALL, summary->stopped_ns),
                amount_weight(worst, WEIGHT_WALL, summary->stopped_max_ns));
        fprintf(out, "end        %s\n", end_text(summary->end));
    } else if (source->cut_short) {
        fprintf(out, "end        cut short at offset %" PRIu64 "\n", source->cut_off);
    }
    if (info->code_bytes)
        fprintf(out, "code       %" PRIu64 " bytes\n", info->code_bytes);
    if (info->pointee_bytes)
        fprintf(out, "pointees   %" PRIu64 " bytes that registers and stacks point to\n",
                info->pointee_bytes);
    if (info->names_bytes)
        fprintf(out, "names      %" PRIu64 " bytes, of code made at run time\n", info->names_bytes);
    if (info->symbol_file_bytes)
        fprintf(out, "symbols    %" PRIu64 " bytes of files, of code made at run time\n",
                info->symbol_file_bytes);
}

static enum status put_module(struct info *info, struct module *module, FILE *out)
{
    const bool is_found = module_open(info->modules, module) == STATUS_OK;
    const struct elf_image *debug = is_found ? module_debug_image(info->modules, module) : NULL;
    const bool is_carried = is_found && module->image_place == IMAGE_IN_INPUT;
    const struct file_identity *file = &module->file;
    char hex[BUILD_ID_HEX_MAX];
    enum status status;

    fputs("  ", out);
    status = text_put_clean(file->path, out);
    if (file->build_id_size)
        fprintf(out, ", build-id %s", build_id_hex(file->build_id, file->build_id_size, hex));
    if (file->deleted)
        fputs(", deleted", out);
    fputs(!is_found ? ": not found" : is_carried ? ": in the input" : ": found", out);
    if (is_found && !is_carried && strcmp(elf_image_path(module->image), file->path) != 0) {
        fputs(", as ", out);
        status = status == STATUS_OK ? text_put_clean(elf_image_path(module->image), out) : status;
    }
    if (debug) {
        fputs(", debug file ", out);
        status = status == STATUS_OK ? text_put_clean(elf_image_path(debug), out) : status;
    }
    if (module->state == MODULE_REFUSED) {
        fputs(", ", out);
        status = status == STATUS_OK ? text_put_clean(module->problem.what, out) : status;
    }
    fputc('\n', out);
    return status;
}

static enum status put_modules(struct info *info, FILE *out)
{
    size_t found = 0;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < info->file_count; i++)
        found += module_open(info->modules, info->files[i]) == STATUS_OK;
    fprintf(out, "modules    %zu, %zu of them found\n", info->file_count, found);
    for (size_t i = 0; i < info->file_count && status == STATUS_OK; i++)
        status = put_module(info, info->files[i], out);
    return status;
}

static enum status put_all(struct info *info, const struct snap_source *source, const char *name,
                           FILE *out)
{
    static const char *const kinds[] = {
        [SOURCE_SNAPSHOT] = "snapshot", [SOURCE_CORE] = "core", [SOURCE_PERF] = "perf.data"};
    char kind[64];
    enum status status = put_line("input", name, out);

    if (source->format)
        snprintf(kind, sizeof(kind), "%s, %s", source->format, source->arch->name);
    else
        snprintf(kind, sizeof(kind), "%s of %s", kinds[source->kind], source->arch->name);
    if (status == STATUS_OK)
        status = put_line("kind", kind, out);
    if (status == STATUS_OK)
        status = put_processes(info, out);
    if (status == STATUS_OK)
        status = put_line("host", info->host, out);
    if (status == STATUS_OK)
        status = put_line("kernel", info->kernel, out);
    if (status == STATUS_OK)
        status = put_line("machine", info->machine, out);
    put_time(info, source->clock_offset, out);
    put_capture(info, source, out);
    if (status == STATUS_OK)
        status = put_modules(info, out);
    return status == STATUS_OK ? text_finish(out) : status;
}

static void info_deinit(struct info *info)
{
    for (size_t i = 0; i < info->process_count && i < PROCESSES_MAX; i++) {
        free(info->processes[i].exe);
        free(info->processes[i].command);
    }
    free(info->host);
    free(info->kernel);
    free(info->machine);
    address_space_deinit(&info->space);
    free(info->files);
    map_deinit(&info->known);
    map_deinit(&info->threads);
}

enum status info_print(struct snap_source *source, const char *name, struct module_set *modules,
                       FILE *out, struct diag *diag)
{
    struct info info = {.modules = modules, .source = source};
    enum status status = STATUS_OK, put = STATUS_OK;
    struct snap_event event;

    while (status == STATUS_OK && (status = snap_source_next(source, &event, diag)) == STATUS_OK) {
        if (event.type == SNAP_PROCESS)
            place_process(modules, source, &event.process);
        status = take_event(&info, &event);
        if (status != STATUS_OK)
            diag_set(diag, name, "%s", status_name(status));
    }
    if (status == STATUS_END || info.process_count > 0)
        put = put_all(&info, source, name, out);
    place_end(modules);
    info_deinit(&info);
    if (status != STATUS_END)
        return status;
    if (put != STATUS_OK)
        diag_set(diag, NULL, "%s", status_name(put));
    return put;
}
