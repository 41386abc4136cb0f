/* SPDX-License-Identifier: MIT */
#include "boards/dump/source.h"

#include <stdlib.h>

#include "boards/rtos/debug/layout.h"

/* Bytes of a stack with unknown end, at most; in parts that may be missing. */
#define STACK_GUESS 8192u
#define STACK_PART  64u
#define STACK_MAX   (256u << 10)

enum stage { STAGE_INNER, STAGE_THREADS, STAGE_SAMPLES };

struct rtos_source {
    struct snap_source base;
    struct snap_source *inner; /* owned */
    const char *const *elf_files;
    size_t elf_file_count;
    int64_t bias;
    struct rtos_layout *layout;        /* owned; NULL: no RTOS, or not known yet */
    struct rtos_tasks tasks;           /* the known RTOS's tasks */
    uint32_t tids[RTOS_TASKS_MAX];     /* the tasks' numbers, as given to the user, */
    uint32_t own_tids[RTOS_TASKS_MAX]; /* and as the dump has them */
    bool is_given[RTOS_TASKS_MAX];     /* the task is a context of the dump */
    struct snap_task told;             /* of the present task */
    enum stage stage;
    size_t index, contexts; /* index of the next task; count of contexts so far */
    uint32_t pid;
    uint64_t time_ns;
    struct diag notes[2];
    size_t note_count;
    uint8_t *stack; /* owned, STACK_MAX bytes: the present task's */
    struct snap_region region;
};

static bool read_memory(const struct snap_source *base, uint64_t addr, void *buffer, size_t size)
{
    return snap_source_memory(((const struct rtos_source *)base)->inner, addr, buffer, size);
}

static bool read_target(void *context, uint64_t addr, void *buffer, size_t size)
{
    return snap_source_memory(((const struct rtos_source *)context)->inner, addr, buffer, size);
}

static void destroy(struct snap_source *base)
{
    struct rtos_source *source = (struct rtos_source *)base;

    snap_source_close(source->inner);
    rtos_layout_destroy(source->layout);
    free(source->stack);
    free(source);
}

/* Copies what users see of a source from the dump's, with notes about the RTOS. */
static void copy_state(struct rtos_source *source)
{
    struct snap_source *base = &source->base;
    const struct source_ops *ops = base->ops;
    struct bundle *bundle = base->bundle;

    *base = *source->inner;
    base->ops = ops;
    base->bundle = bundle;
    base->input = NULL;
    for (size_t i = 0; i < source->note_count; i++)
        *source_note(base) = source->notes[i];
}

static struct diag *add_note(struct rtos_source *source)
{
    return &source->notes[source->note_count++];
}

/* Finds the tasks, or notes why there are none. */
static enum status walk(struct rtos_source *source, const char *elf_file)
{
    const struct rtos_memory memory = {.read = read_target, .context = source, .is_cheap = true};
    const char *name = source->layout->system->name;
    const enum status status = rtos_walk(source->layout, &memory, &source->tasks);

    if (status == STATUS_NOT_FOUND)
        diag_set(add_note(source), elf_file, "%s had not started: it has no threads", name);
    else if (status != STATUS_OK)
        diag_set(add_note(source), elf_file,
                 "%s: its threads are not known, as the dump is without its kernel's variables",
                 name);
    else if (source->tasks.problem)
        diag_set(add_note(source), elf_file, "%s: not all of its threads are known: %s", name,
                 source->tasks.problem);
    if (status != STATUS_OK)
        source->tasks.count = 0;
    source->stack = malloc(STACK_MAX);
    for (size_t i = 0; i < source->tasks.count; i++)
        source->tids[i] = (uint32_t)source->tasks.tasks[i].handle_addr;
    return source->stack ? STATUS_OK : STATUS_NO_MEMORY;
}

static enum status find_tasks(struct rtos_source *source)
{
    for (size_t i = 0; i < source->elf_file_count; i++) {
        struct diag diag;
        const enum status status =
            rtos_layout_load(source->elf_files[i], source->bias, &source->layout, &diag);

        if (status == STATUS_NO_MEMORY)
            return status;
        if (status == STATUS_UNSUPPORTED && source->note_count == 0 && diag.hint[0])
            *add_note(source) = diag;
        if (status == STATUS_OK && source->layout->arch == source->inner->arch)
            return walk(source, source->elf_files[i]);
        rtos_layout_destroy(source->layout);
        source->layout = NULL;
    }
    return STATUS_OK;
}

/* Returns the task that a context is, as far as its number or CPU shows; NULL: none. */
static struct rtos_task *task_of_thread(struct rtos_source *source, uint32_t tid)
{
    struct rtos_tasks *tasks = &source->tasks;

    for (size_t i = 0; i < tasks->count; i++)
        if (source->tids[i] == tid)
            return &tasks->tasks[i];
    for (size_t i = 0; i < tasks->count; i++)
        if (tasks->tasks[i].has_cpu && tasks->tasks[i].cpu == source->contexts &&
            !source->is_given[i])
            return &tasks->tasks[i];
    return NULL;
}

static void take_thread(struct rtos_source *source, struct snap_thread *thread)
{
    struct rtos_task *task = task_of_thread(source, thread->tid);

    source->contexts++;
    if (!task)
        return;
    source->is_given[task - source->tasks.tasks] = true;
    source->own_tids[task - source->tasks.tasks] = thread->tid;
    thread->tid = source->tids[task - source->tasks.tasks];
    if (task->name[0])
        thread->name = task->name;
}

/* Adds what the RTOS says of the task; at the last moment, as contexts become known gradually. */
static void tell(struct rtos_source *source, size_t i, struct snap_sample *sample)
{
    const struct rtos_task *task = &source->tasks.tasks[i];
    const struct rtos_task *holder = rtos_tasks_find(&source->tasks, task->holder_addr);
    struct snap_task *told = &source->told;

    *told = task->told;
    told->time_ns = sample->time_ns;
    told->tick = source->tasks.tick;
    told->holder_tid = holder ? source->tids[holder - source->tasks.tasks] : 0;
    told->object = task->object;
    told->system = source->layout->system->name;
    sample->task = told;
    if (rtos_task_letter(told->state))
        sample->state = rtos_task_letter(told->state);
}

static bool is_on_stack(const struct rtos_source *source, const struct snap_sample *sample,
                        const struct snap_task *task)
{
    const unsigned sp = source->base.arch->sp;

    return regs_has(&sample->regs, sp) && sample->regs.value[sp] >= task->stack_start_addr &&
           sample->regs.value[sp] < task->stack_end_addr;
}

static void take_sample(struct rtos_source *source, struct snap_sample *sample)
{
    source->time_ns = sample->time_ns;
    for (size_t i = 0; i < source->tasks.count; i++)
        if (source->is_given[i] && source->own_tids[i] == sample->tid) {
            sample->tid = source->tids[i];
            tell(source, i, sample);
            return;
        }
    for (size_t i = 0; i < source->tasks.count; i++)
        if (!source->is_given[i] && is_on_stack(source, sample, &source->tasks.tasks[i].told)) {
            source->is_given[i] = true;
            /* its thread has this number already */
            source->tids[i] = source->own_tids[i] = sample->tid;
            tell(source, i, sample);
            return;
        }
}

static enum status take_event(struct rtos_source *source, struct snap_event *event)
{
    switch (event->type) {
    case SNAP_BOARD:
        source->pid = event->board.pid;
        source->time_ns = event->board.time_ns;
        return source->layout ? STATUS_OK : find_tasks(source);
    case SNAP_THREAD:
        take_thread(source, &event->thread);
        return STATUS_OK;
    case SNAP_SAMPLE:
        take_sample(source, &event->sample);
        return STATUS_OK;
    default:
        return STATUS_OK;
    }
}

static void give_thread(struct rtos_source *source, struct snap_event *event)
{
    *event = (struct snap_event){.type = SNAP_THREAD,
                                 .thread = {.pid = source->pid,
                                            .tid = source->tids[source->index],
                                            .time_ns = source->time_ns,
                                            .name = source->tasks.tasks[source->index].name}};
}

/* Reads the stack from SP to its end; if not known, as far as there is memory. */
static void read_stack(struct rtos_source *source, const struct rtos_task *task, uint64_t sp)
{
    const uint64_t end = task->told.stack_end_addr;
    uint64_t size = end > sp ? end - sp : STACK_GUESS, done = 0;

    if (size > STACK_MAX)
        size = STACK_MAX;
    while (done < size) {
        const uint64_t part = size - done < STACK_PART ? size - done : STACK_PART;

        if (!read_memory(&source->base, sp + done, source->stack + done, (size_t)part))
            break;
        done += part;
    }
    source->region = (struct snap_region){.start_addr = sp,
                                          .end_addr = sp + done,
                                          .map_end_addr = end > sp ? end : sp + done,
                                          .bytes = source->stack};
}

static void give_sample(struct rtos_source *source, struct snap_event *event)
{
    const struct rtos_task *task = &source->tasks.tasks[source->index];
    struct snap_sample *sample = &event->sample;
    const struct arch *arch = source->base.arch;

    *event = (struct snap_event){.type = SNAP_SAMPLE,
                                 .sample = {.pid = source->pid,
                                            .tid = source->tids[source->index],
                                            .time_ns = source->time_ns,
                                            .regs = task->regs}};
    tell(source, source->index, sample);
    sample->no_context = !regs_has(&task->regs, arch->pc) || !regs_has(&task->regs, arch->sp);
    if (sample->no_context)
        return;
    read_stack(source, task, task->regs.value[arch->sp]);
    sample->regions = &source->region;
    sample->region_count = source->region.end_addr > source->region.start_addr ? 1 : 0;
    sample->stack_map_addr = task->told.stack_start_addr;
}

/* Finds the next task that is no context of the dump. False: no more. */
static bool find_task(struct rtos_source *source)
{
    while (source->index < source->tasks.count && source->is_given[source->index])
        source->index++;
    return source->index < source->tasks.count;
}

static enum status next(struct snap_source *base, struct snap_event *event, struct diag *diag)
{
    struct rtos_source *source = (struct rtos_source *)base;
    enum status status;

    if (source->stage == STAGE_INNER) {
        status = snap_source_next(source->inner, event, diag);
        if (status == STATUS_OK)
            status = take_event(source, event);
        copy_state(source);
        if (status != STATUS_END)
            return status;
        source->stage = STAGE_THREADS;
    }
    if (source->stage == STAGE_THREADS) {
        if (find_task(source)) {
            give_thread(source, event);
            source->index++;
            return STATUS_OK;
        }
        source->stage = STAGE_SAMPLES;
        source->index = 0;
    }
    if (!find_task(source))
        return STATUS_END;
    give_sample(source, event);
    source->index++;
    return STATUS_OK;
}

enum status rtos_source_wrap(struct snap_source **inout, const char *const *elf_files,
                             size_t elf_file_count, int64_t bias)
{
    static const struct source_ops ops = {.next = next, .read = read_memory, .destroy = destroy};
    struct snap_source *inner = *inout;
    struct rtos_source *source;

    if (!inner->ops->read || elf_file_count == 0)
        return STATUS_OK;
    source = calloc(1, sizeof(*source));
    if (!source)
        return STATUS_NO_MEMORY;
    source->inner = inner;
    source->elf_files = elf_files;
    source->elf_file_count = elf_file_count;
    source->bias = bias;
    source->base.ops = &ops;
    source->base.bundle = inner->bundle;
    inner->bundle = NULL;
    copy_state(source);
    *inout = &source->base;
    return STATUS_OK;
}
