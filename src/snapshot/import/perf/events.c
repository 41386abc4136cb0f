/* SPDX-License-Identifier: MIT */
/* Turns a sample into events. */
#include <string.h>

#include "snapshot/import/perf/source.h"

/* Markers in a chain say in which mode the addresses behind them are. */
static unsigned mode_of_marker(uint64_t marker)
{
    if (marker == PERF_CONTEXT_KERNEL)
        return PERF_RECORD_MISC_KERNEL;
    return marker == PERF_CONTEXT_USER ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_CPUMODE_UNKNOWN;
}

/*
 * Splits the chain into kernel and user addresses. `mode`: the interrupted code's, for addresses
 * before the first marker.
 */
static void read_chain(struct perf_source *s, unsigned mode)
{
    const struct perf_sample *sample = &s->sample;

    s->kernel_count = s->user_count = 0;
    for (uint64_t i = 0; i < sample->chain_count; i++) {
        uint64_t addr;

        memcpy(&addr, sample->chain + 8 * i, 8);
        if (addr >= (uint64_t)PERF_CONTEXT_MAX)
            mode = mode_of_marker(addr);
        else if (mode == PERF_RECORD_MISC_KERNEL && s->kernel_count < PERF_CHAIN_MAX)
            s->kernel_chain[s->kernel_count++] = addr;
        else if (mode == PERF_RECORD_MISC_USER && s->user_count < PERF_CHAIN_MAX)
            s->user_chain[s->user_count++] = addr;
    }
    if (sample->chain_count > 0 || sample->ip == 0)
        return;
    /* Without a chain the interrupted address is all of it. */
    if (mode == PERF_RECORD_MISC_KERNEL)
        s->kernel_chain[s->kernel_count++] = sample->ip;
    else if (mode == PERF_RECORD_MISC_USER)
        s->user_chain[s->user_count++] = sample->ip;
}

static struct perf_process *process_at_hand(struct perf_source *s)
{
    return &s->tasks.processes[s->tasks.threads[s->thread].process];
}

/* Begins to deliver the maps of a process that had none delivered, by address. */
static enum status begin_maps(struct perf_source *s)
{
    struct perf_process *process = process_at_hand(s);
    size_t count = process->maps ? process->maps->count : 0;

    if (process->maps_reported > 0 || count == 0)
        return STATUS_OK;
    process->maps_reported = count;
    if (s->counts.reported_maps + count > PERF_TOLD_MAPS + s->counts.bytes / PERF_TOLD_BYTES) {
        s->counts.kept_maps += count;
        return STATUS_OK;
    }
    s->counts.reported_maps += count;
    return perf_layout_begin(&s->layout, process->maps);
}

static bool has_registers(const struct perf_source *s)
{
    return s->sample.regs && s->attr->regs.is_complete;
}

/* Returns whether the sample's process has another word size than the file. */
static bool is_compat(const struct perf_source *s)
{
    uint64_t own = s->base.arch->word_size == 8 ? PERF_SAMPLE_REGS_ABI_64 : PERF_SAMPLE_REGS_ABI_32;

    return s->sample.regs && s->sample.regs_abi != own;
}

enum status perf_sample_begin(struct perf_source *s, const struct perf_record *record)
{
    unsigned mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
    enum status status;

    s->attr = perf_attrs_find(&s->attrs, record);
    if (!s->attr || perf_sample_parse(s->attr, record, &s->sample) != STATUS_OK)
        return STATUS_BAD_DATA;
    if (mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER) {
        s->counts.guest++;
        return STATUS_OK;
    }
    if (is_compat(s)) {
        s->counts.compat++;
        return STATUS_OK;
    }
    status = perf_tasks_thread(&s->tasks, s->sample.pid, s->sample.tid, &s->thread);
    if (status != STATUS_OK)
        return status;
    status = begin_maps(s);
    if (status != STATUS_OK)
        return status;
    read_chain(s, mode);
    s->counts.samples++;
    s->counts.with_stack += has_registers(s) && s->sample.stack_size > 0;
    s->counts.with_chain += s->sample.chain_count > 0;
    s->step = PERF_STEP_PROCESS;
    return STATUS_OK;
}

/*
 * Returns the path of the first mapped file: execve maps the program first; else a thread's name.
 */
static const char *program(const struct perf_source *s, const struct perf_process *process)
{
    const struct perf_maps *maps = process->maps;

    return maps && maps->program != PERF_NO_MODULE ? s->tasks.modules[maps->program].path
                                                   : s->tasks.threads[s->thread].name;
}

static bool step_process(struct perf_source *s, struct snap_event *event)
{
    struct perf_process *process = process_at_hand(s);

    s->step = PERF_STEP_MAPS;
    if (process->is_reported)
        return false;
    *event = (struct snap_event){.type = SNAP_PROCESS,
                                 .process = {.pid = process->pid,
                                             .parent_pid = process->parent_pid,
                                             .time_ns = s->sample.time_ns,
                                             .word_size = s->base.arch->word_size,
                                             .pac_mask = source_pac_mask(s->base.arch, 0),
                                             .tells_ready = true,
                                             .exe = program(s, process),
                                             .host = s->header.host ? s->header.host : "",
                                             .kernel = s->header.release ? s->header.release : "",
                                             .exec = process->exec && process->was_reported}};
    process->is_reported = process->was_reported = true;
    process->exec = false;
    process->epoch++;
    return true;
}

static bool tell_vdso(struct perf_source *s, struct snap_event *event)
{
    const struct perf_map *map = &s->vdso;
    const struct perf_module *module = &s->tasks.modules[map->module];
    uint64_t size;
    const uint8_t *bytes = perf_vdso_bytes(module, s->kernel.facts.is_this, &size);

    s->has_vdso = false;
    if (!bytes || size > map->end_addr - map->start_addr)
        return false;
    *event = (struct snap_event){.type = SNAP_CODE,
                                 .range = {.pid = process_at_hand(s)->pid,
                                           .start_addr = map->start_addr,
                                           .end_addr = map->start_addr + size,
                                           .bytes = bytes}};
    return true;
}

static bool next_map(struct perf_source *s, struct perf_map *map)
{
    struct perf_process *process = process_at_hand(s);

    if (perf_layout_next(&s->layout, map))
        return true;
    if (!process->maps || process->maps_reported == process->maps->count)
        return false;
    *map = process->maps->list[process->maps_reported++];
    return true;
}

static bool step_maps(struct perf_source *s, struct snap_event *event)
{
    struct perf_process *process = process_at_hand(s);
    const struct perf_module *module;
    struct perf_map map;

    if (s->has_vdso && tell_vdso(s, event))
        return true;
    if (!next_map(s, &map)) {
        s->step = PERF_STEP_KERNEL;
        return false;
    }
    module = &s->tasks.modules[map.module];
    s->has_vdso = module->kind == SNAP_MAP_VDSO;
    s->vdso = map;
    *event = (struct snap_event){.type = SNAP_MAP,
                                 .map = {.pid = process->pid,
                                         .kind = module->kind,
                                         .prot = map.prot,
                                         .flags = module->flags,
                                         .build_id = module->build_id,
                                         .build_id_size = module->build_id_size,
                                         .start_addr = map.start_addr,
                                         .end_addr = map.end_addr,
                                         .file_off = map.file_off,
                                         .dev = module->dev,
                                         .inode = module->inode,
                                         .path = module->path}};
    return true;
}

/* Takes the kernel's build-id from the header: not every recording has the kernel's mapping. */
static void find_build_id(struct perf_source *s)
{
    const struct perf_build_id *known = perf_header_build_id(&s->header, PERF_KERNEL);

    if (s->kernel.build_id_size > 0 || !known)
        return;
    memcpy(s->kernel.build_id, known->id, known->size);
    s->kernel.build_id_size = known->size;
}

static bool step_kernel(struct perf_source *s, struct snap_event *event)
{
    struct perf_kernel *kernel = &s->kernel;

    s->step = PERF_STEP_THREAD;
    if (s->kernel_count == 0 || kernel->is_reported)
        return false;
    kernel->is_reported = true;
    find_build_id(s);
    *event = (struct snap_event){.type = SNAP_MAP,
                                 .map = {.kind = SNAP_MAP_KERNEL,
                                         .prot = 5,
                                         .build_id = kernel->build_id,
                                         .build_id_size = kernel->build_id_size,
                                         .start_addr = kernel->start_addr,
                                         .end_addr = kernel->end_addr,
                                         .path = "[kernel]",
                                         .kernel = &kernel->facts}};
    return true;
}

static bool step_thread(struct perf_source *s, struct snap_event *event)
{
    struct perf_thread *thread = &s->tasks.threads[s->thread];
    const struct perf_process *process = process_at_hand(s);

    s->step = PERF_STEP_SAMPLE;
    if (thread->epoch_told == process->epoch)
        return false;
    thread->epoch_told = process->epoch;
    *event = (struct snap_event){.type = SNAP_THREAD,
                                 .thread = {.pid = process->pid,
                                            .tid = thread->tid,
                                            .time_ns = s->sample.time_ns,
                                            .name = thread->name}};
    return true;
}

/*
 * Fills the region with the stack bytes copied. If their room was filled the stack may go on; if
 * not, the copy met the end of the stack's mapping.
 */
static void put_stack(struct perf_source *s, struct snap_sample *out)
{
    const struct perf_sample *sample = &s->sample;
    uint64_t sp = out->regs.value[s->base.arch->sp], size = sample->stack_size;

    size = size < UINT64_MAX - sp ? size : UINT64_MAX - sp;
    s->region =
        (struct snap_region){.start_addr = sp,
                             .end_addr = sp + size,
                             .map_end_addr =
                                 sample->stack_size == sample->stack_limit ? UINT64_MAX : sp + size,
                             .bytes = sample->stack};
    out->regions = &s->region;
    out->region_count = size > 0;
}

/* Returns whether the event counts ns of CPU use. */
static bool counts_cpu_time(const struct perf_event_attr *attr)
{
    return attr->type == PERF_TYPE_SOFTWARE &&
           (attr->config == PERF_COUNT_SW_CPU_CLOCK || attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

static bool step_sample(struct perf_source *s, struct snap_event *event)
{
    const struct perf_sample *sample = &s->sample;
    struct snap_sample *out = &event->sample;

    s->step = PERF_STEP_NONE;
    s->time_ns = sample->time_ns;
    event->type = SNAP_SAMPLE;
    *out = (struct snap_sample){.pid = sample->pid,
                                .tid = sample->tid,
                                .time_ns = sample->time_ns,
                                .cpu_ns = counts_cpu_time(&s->attr->attr) ? sample->period : 0,
                                .state = 'R',
                                .kernel_chain = s->kernel_chain,
                                .kernel_count = s->kernel_count,
                                .user_chain = s->user_chain,
                                .user_count = s->user_count};
    if (has_registers(s))
        perf_regs_read(&s->attr->regs, sample->regs, &out->regs);
    if (has_registers(s) && sample->stack_size > 0)
        put_stack(s, out);
    /* Registers alone lead nowhere when somebody has followed the frames already. */
    out->no_context = !has_registers(s) || (out->region_count == 0 && s->user_count > 0);
    return true;
}

/* Delivers ends and losses before the current sample; false: none left. */
static bool tell_rest(struct perf_source *s, struct snap_event *event)
{
    uint64_t lost = s->counts.lost_records > s->counts.lost_samples ? s->counts.lost_records
                                                                    : s->counts.lost_samples;

    if (s->tasks.ended.thread) {
        s->tasks.ended.thread = false;
        *event =
            (struct snap_event){.type = SNAP_THREAD_END,
                                .thread = {.pid = s->tasks.ended.pid, .tid = s->tasks.ended.tid}};
        return true;
    }
    if (s->tasks.ended.process) {
        s->tasks.ended.process = false;
        *event = (struct snap_event){.type = SNAP_UNMAP,
                                     .range = {.pid = s->tasks.ended.pid, .end_addr = UINT64_MAX}};
        return true;
    }
    if (lost <= s->counts.reported_lost)
        return false;
    lost -= s->counts.reported_lost;
    lost = lost < UINT32_MAX ? lost : UINT32_MAX;
    s->counts.reported_lost += lost;
    *event = (struct snap_event){.type = SNAP_LOSS,
                                 .loss = {.count = (uint32_t)lost,
                                          .reason = SNAP_LOSS_LATE,
                                          .time_ns = s->time_ns}};
    return true;
}

bool perf_event_next(struct perf_source *s, struct snap_event *event)
{
    bool found = tell_rest(s, event);

    while (!found && s->step != PERF_STEP_NONE) {
        switch (s->step) {
        case PERF_STEP_NONE:
            break;
        case PERF_STEP_PROCESS:
            found = step_process(s, event);
            break;
        case PERF_STEP_MAPS:
            found = step_maps(s, event);
            break;
        case PERF_STEP_KERNEL:
            found = step_kernel(s, event);
            break;
        case PERF_STEP_THREAD:
            found = step_thread(s, event);
            break;
        case PERF_STEP_SAMPLE:
            found = step_sample(s, event);
            break;
        }
    }
    return found;
}
