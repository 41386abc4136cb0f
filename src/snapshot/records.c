/* SPDX-License-Identifier: MIT */
#include "snapshot/records.h"

#include <stdlib.h>
#include <string.h>

#define THREADS_MAX   65536
#define PROCESSES_MAX 65536 /* in the whole stream */
#define KEPT_MAX      (UINT64_C(1) << 30)

void snap_records_deinit(struct snap_records *r)
{
    thread_table_deinit(&r->threads);
    stack_image_deinit(&r->spare);
    for (size_t i = 0; i < sizeof(r->strings) / sizeof(r->strings[0]); i++)
        free(r->strings[i]);
    map_deinit(&r->processes);
}

/* Copies a str field to a NUL-terminated string in `slot`; it ends at an embedded NUL. */
static bool read_str(struct snap_records *r, struct cursor *c, unsigned slot, const char **out)
{
    const uint8_t *bytes;
    uint16_t len;
    char *copy;

    if (!cursor_u16(c, &len) || !cursor_bytes(c, len, &bytes))
        return false;
    copy = realloc(r->strings[slot], (size_t)len + 1);
    if (!copy)
        return false;
    memcpy(copy, bytes, len);
    copy[len] = '\0';
    r->strings[slot] = copy;
    *out = copy;
    return true;
}

static bool read_bytes(struct cursor *c, const uint8_t **bytes, uint32_t *size)
{
    return cursor_u32(c, size) && cursor_bytes(c, *size, bytes);
}

static enum status on_process(struct snap_records *r, struct cursor *c, struct snap_process *p,
                              const char **what)
{
    uint8_t flags = 0;
    uint64_t *known;

    *what = "process record is too short";
    if (!cursor_u32(c, &p->pid) || !cursor_u32(c, &p->parent_pid) || !cursor_u64(c, &p->time_ns) ||
        !cursor_u32(c, &p->page_size) || !cursor_u32(c, &p->word_size) ||
        !cursor_u64(c, &p->pac_mask) || !read_str(r, c, 0, &p->exe) ||
        !read_bytes(c, &p->command_line, &p->command_line_size) ||
        !read_bytes(c, &p->auxv, &p->auxv_size) || !read_str(r, c, 1, &p->host) ||
        !read_str(r, c, 2, &p->kernel))
        return STATUS_BAD_DATA;
    (void)!cursor_u8(c, &flags); /* version 1.0 had none */
    p->whole = flags & SNAP_PROCESS_WHOLE;
    p->tells_ready = flags & SNAP_PROCESS_READY;
    p->has_ticks = flags & SNAP_PROCESS_TICKS;
    r->tells_ready |= p->tells_ready;
    known = map_get(&r->processes, p->pid);
    p->exec = known != NULL;
    if (!known) {
        *what = "more processes than a reader has to follow";
        if (map_len(&r->processes) >= PROCESSES_MAX)
            return STATUS_BAD_DATA;
        if (!map_put(&r->processes, p->pid, 1))
            return STATUS_NO_MEMORY;
    }
    thread_table_end_process(&r->threads, p->pid);
    return STATUS_OK;
}

static enum status on_map(struct snap_records *r, struct cursor *c, struct snap_map *m,
                          const char **what)
{
    m->kernel = NULL;
    m->anchor = SNAP_ANCHOR_OFFSET;
    m->is_executable = false;
    *what = "map record is too short";
    if (!cursor_u32(c, &m->pid) || !cursor_u8(c, &m->kind) || !cursor_u8(c, &m->prot) ||
        !cursor_u8(c, &m->flags) || !cursor_u8(c, &m->build_id_size) ||
        !cursor_bytes(c, m->build_id_size, &m->build_id) || !cursor_u64(c, &m->start_addr) ||
        !cursor_u64(c, &m->end_addr) || !cursor_u64(c, &m->file_off) || !cursor_u64(c, &m->dev) ||
        !cursor_u64(c, &m->inode) || !read_str(r, c, 0, &m->path))
        return STATUS_BAD_DATA;
    if (m->start_addr >= m->end_addr || m->build_id_size > SNAP_BUILD_ID_MAX || m->kind < 1 ||
        m->kind > SNAP_MAP_SPECIAL) {
        *what = "map record is inconsistent";
        return STATUS_BAD_DATA;
    }
    return STATUS_OK;
}

static enum status on_range(struct cursor *c, struct snap_range *range, bool code,
                            const char **what)
{
    uint32_t size;

    *what = "address range record is too short";
    if (!cursor_u32(c, &range->pid) || !cursor_u64(c, &range->start_addr))
        return STATUS_BAD_DATA;
    if (code) {
        if (!read_bytes(c, &range->bytes, &size))
            return STATUS_BAD_DATA;
        if (__builtin_add_overflow(range->start_addr, size, &range->end_addr)) {
            *what = "code record wraps around the address space";
            return STATUS_BAD_DATA;
        }
        return STATUS_OK;
    }
    range->bytes = NULL;
    if (!cursor_u64(c, &range->end_addr))
        return STATUS_BAD_DATA;
    *what = "address range record is reversed or empty";
    return range->start_addr < range->end_addr ? STATUS_OK : STATUS_BAD_DATA;
}

static enum status on_thread(struct snap_records *r, struct cursor *c, struct snap_thread *t,
                             bool end, const char **what)
{
    struct thread_slot *thread;

    *what = "thread record is too short";
    t->name = NULL;
    if (!cursor_u32(c, &t->pid) || !cursor_u32(c, &t->tid) || !cursor_u64(c, &t->time_ns))
        return STATUS_BAD_DATA;
    if (end) {
        thread = thread_table_find_in(&r->threads, t->pid, t->tid);
        if (thread)
            thread_table_end(&r->threads, thread);
        return STATUS_OK;
    }
    if (!cursor_u64(c, &t->start_ticks) || !read_str(r, c, 0, &t->name))
        return STATUS_BAD_DATA;
    if (!cursor_u32(c, &t->inner_tid)) /* version 1.0 had no more */
        t->inner_tid = 0;
    *what = "thread of a process that was not announced";
    if (!map_get(&r->processes, t->pid))
        return STATUS_BAD_DATA;
    *what = "more live threads than a reader has to follow";
    if (r->threads.live.live_count >= THREADS_MAX && !thread_table_find(&r->threads, t->tid))
        return STATUS_BAD_DATA;
    return thread_table_add(&r->threads, t->pid, t->tid) ? STATUS_OK : STATUS_NO_MEMORY;
}

static bool read_regs(const struct snap_records *r, struct cursor *c, unsigned count,
                      struct regs *regs)
{
    uint64_t value;

    for (unsigned i = 0; i < count; i++) {
        if (!cursor_u64(c, &value))
            return false;
        if (i < r->arch->all_regs)
            regs_set(regs, i, value);
    }
    return true;
}

static bool read_sample_head(struct snap_records *r, struct cursor *c, struct snap_sample *s,
                             uint16_t *reg_count)
{
    uint8_t state;

    if (!cursor_u32(c, &s->pid) || !cursor_u32(c, &s->tid) || !cursor_u64(c, &s->time_ns) ||
        !cursor_u8(c, &state) || !cursor_u8(c, &s->flags) || !cursor_u16(c, reg_count) ||
        !cursor_u64(c, &s->cpu_ns))
        return false;
    s->state = (char)state;
    if (s->state == 'R' && s->flags & SNAP_SAMPLE_READY)
        s->state = SNAP_STATE_READY;
    s->has_syscall = s->flags & SNAP_SAMPLE_SYSCALL;
    s->held = s->flags & SNAP_SAMPLE_HELD;
    if (s->has_syscall) {
        if (!cursor_i64(c, &s->syscall))
            return false;
        for (int i = 0; i < 6; i++)
            if (!cursor_u64(c, &s->syscall_args[i]))
                return false;
    }
    return read_regs(r, c, *reg_count, &s->regs);
}

static uint64_t elapsed(const struct thread_slot *thread, uint64_t now)
{
    return thread->sampled && now > thread->last_ns ? now - thread->last_ns : 0;
}

/* Restores the stack in place if possible, else by a copy. */
static enum status restore_stack(struct snap_records *r, struct thread_slot *thread,
                                 struct cursor *c, uint64_t *unchanged_addr, const char **what)
{
    struct stack_image last;
    enum status status = stack_image_update(&thread->image, c, unchanged_addr, what);

    if (status != STATUS_NOT_FOUND)
        return status;
    *unchanged_addr = UINT64_MAX;
    status = stack_image_restore(&r->spare, &thread->image, c, what);
    if (status != STATUS_OK)
        return status;
    last = thread->image;
    thread->image = r->spare;
    r->spare = last;
    return STATUS_OK;
}

static void set_waits(const struct thread_slot *thread, struct snap_sample *s)
{
    s->waits = thread->waits.waits;
    s->wait_count = thread->waits.count;
}

/* Sets the pointees of the SAMPLE at sample_ns, for it or its repeat. */
static void set_pointees(const struct thread_slot *thread, uint64_t sample_ns,
                         struct snap_sample *s)
{
    const bool are_its = thread->pointees.time_ns == sample_ns;

    s->pointees = are_its ? thread->pointees.pieces : NULL;
    s->pointee_count = are_its ? thread->pointees.count : 0;
}

/*
 * Reads the goroutine: none before version 1.4, without number before 1.6. A malformed one, or one
 * of an unknown state, counts as none.
 */
static void read_goroutine(struct cursor *c, struct snap_sample *s)
{
    struct snap_goroutine g = {.state = SNAP_GOROUTINE_UNKNOWN};

    if (!cursor_u8(c, &g.state) || g.state > SNAP_GOROUTINE_LEFT ||
        (g.state == SNAP_GOROUTINE_LEFT &&
         (!cursor_u64(c, &g.sp) || !cursor_u64(c, &g.pc) || !cursor_u64(c, &g.lr))))
        return;
    s->goroutine = g;
    if (!cursor_u64(c, &s->goroutine_id))
        s->goroutine_id = 0;
}

/* Reads the mask of unknown registers; before version 1.8 all were known. */
static void read_unknown_regs(const struct snap_records *r, struct cursor *c, struct regs *regs)
{
    const uint64_t needed = UINT64_C(1) << r->arch->pc | UINT64_C(1) << r->arch->sp;
    uint64_t unknown;

    if (cursor_u64(c, &unknown))
        regs->known &= ~(unknown & ~needed);
}

static enum status on_sample(struct snap_records *r, struct cursor *c, struct snap_sample *s,
                             const char **what)
{
    struct thread_slot *thread;
    uint16_t reg_count;
    enum status status;

    *what = "sample record is too short";
    *s = (struct snap_sample){0};
    if (!read_sample_head(r, c, s, &reg_count))
        return STATUS_BAD_DATA;
    *what = "sample has too few registers for its architecture";
    if (reg_count < r->arch->reg_count)
        return STATUS_BAD_DATA;
    *what = "sample of a thread that was not announced";
    thread = thread_table_find_in(&r->threads, s->pid, s->tid);
    if (!thread)
        return STATUS_BAD_DATA;
    r->threads.kept -= thread->image.cap;
    status = restore_stack(r, thread, c, &s->unchanged_addr, what);
    r->threads.kept += thread->image.cap;
    if (status != STATUS_OK)
        return status;
    /* Version 1.0 had nothing behind the regions. */
    if (!cursor_u64(c, &s->stack_map_addr) ||
        s->stack_map_addr > thread->image.regions[0].start_addr)
        s->stack_map_addr = 0;
    if (!cursor_u64(c, &s->delay_ns)) /* nor had version 1.1 this */
        s->delay_ns = 0;
    read_goroutine(c, s);
    read_unknown_regs(r, c, &s->regs);
    *what = "the stacks of all threads together are larger than a reader has to keep";
    if (r->threads.kept > KEPT_MAX)
        return STATUS_BAD_DATA;
    thread_table_settle_waits(&r->threads, thread, false);
    set_waits(thread, s);
    set_pointees(thread, s->time_ns, s);
    board_facts_settle(thread->board);
    board_facts_give(thread->board, s->time_ns, s);
    s->slot = thread_table_slot(&r->threads, thread);
    s->region_count = thread->image.region_count;
    s->regions = thread->image.regions;
    s->wall_ns = elapsed(thread, s->time_ns);
    thread->sample = *s;
    thread->sampled = true;
    thread->last_ns = s->time_ns;
    return STATUS_OK;
}

static void repeat_sample(struct snap_records *r, struct thread_slot *thread, uint64_t time_ns,
                          struct snap_sample *s)
{
    bool same_waits = !thread->new_waits.count;

    thread_table_settle_waits(&r->threads, thread, true);
    *s = thread->sample;
    set_waits(thread, s);
    set_pointees(thread, thread->sample.time_ns, s);
    board_facts_settle(thread->board);
    board_facts_give(thread->board, thread->sample.time_ns, s);
    s->repeat = true;
    s->held = false; /* nobody was stopped for it */
    s->same_waits = same_waits;
    s->regions = thread->image.regions; /* the slots may have moved */
    s->cpu_ns = s->delay_ns = 0;
    if (s->state == 'R' && r->tells_ready) /* it has not run, so it had no CPU */
        s->state = SNAP_STATE_READY;
    s->wall_ns = elapsed(thread, time_ns);
    s->time_ns = time_ns;
    thread->last_ns = time_ns;
}

static enum status on_repeat(struct snap_records *r, struct cursor *c, struct snap_sample *s,
                             const char **what)
{
    struct thread_slot *thread;
    uint64_t time_ns;
    uint32_t tid;

    *what = "repeat record is too short";
    if (!cursor_u32(c, &tid) || !cursor_u64(c, &time_ns))
        return STATUS_BAD_DATA;
    *what = "repeat of a thread that has no sample";
    thread = thread_table_find(&r->threads, tid);
    if (!thread || !thread->sampled)
        return STATUS_BAD_DATA;
    repeat_sample(r, thread, time_ns, s);
    return STATUS_OK;
}

static enum status on_idle(struct snap_records *r, struct cursor *c, const char **what)
{
    uint32_t pid, count, tid;

    *what = "idle record is too short";
    if (!cursor_u32(c, &pid) || !cursor_u64(c, &r->idle_ns) || !cursor_u32(c, &count))
        return STATUS_BAD_DATA;
    r->idle_serial++;
    for (uint32_t i = 0; i < count; i++) {
        struct thread_slot *thread;

        if (!cursor_u32(c, &tid))
            return STATUS_BAD_DATA;
        thread = thread_table_find(&r->threads, tid);
        if (thread)
            thread->idle_exception = r->idle_serial;
    }
    r->idle_next = live_threads_of(&r->threads.live, pid) + 1; /* LIVE_NONE + 1 is 0 */
    return STATUS_OK;
}

/* Restores into `spare`: the maker's image stays as the base of its next sample. */
static enum status on_creation(struct snap_records *r, struct cursor *c, struct snap_creation *made,
                               const char **what)
{
    struct snap_sample *maker = &made->maker;
    const struct thread_slot *thread;
    uint16_t reg_count;
    enum status status;

    *what = "creation record is too short";
    *made = (struct snap_creation){0};
    if (!cursor_u32(c, &maker->pid) || !cursor_u32(c, &maker->tid) ||
        !cursor_u64(c, &maker->time_ns) || !cursor_u32(c, &made->new_pid) ||
        !cursor_u32(c, &made->new_tid) || !cursor_u16(c, &reg_count) ||
        !read_regs(r, c, reg_count, &maker->regs))
        return STATUS_BAD_DATA;
    *what = "creation has too few registers for its architecture";
    if (reg_count < r->arch->reg_count)
        return STATUS_BAD_DATA;
    *what = "creation by or of a thread that was not announced";
    thread = thread_table_find_in(&r->threads, maker->pid, maker->tid);
    if (!thread || !thread_table_find_in(&r->threads, made->new_pid, made->new_tid))
        return STATUS_BAD_DATA;
    status = stack_image_restore(&r->spare, &thread->image, c, what);
    maker->state = 'R';
    maker->regions = r->spare.regions;
    maker->region_count = r->spare.region_count;
    return status;
}

/* Restores into `spare`, like on_creation. */
static enum status on_tick(struct snap_records *r, struct cursor *c, struct snap_sample *s,
                           const char **what)
{
    const struct thread_slot *thread;
    uint16_t reg_count;
    enum status status;

    *what = "tick record is too short";
    *s = (struct snap_sample){.state = 'R', .unchanged_addr = UINT64_MAX};
    if (!cursor_u32(c, &s->pid) || !cursor_u32(c, &s->tid) || !cursor_u64(c, &s->time_ns) ||
        !cursor_u64(c, &s->cpu_ns) || !cursor_u16(c, &reg_count) ||
        !read_regs(r, c, reg_count, &s->regs))
        return STATUS_BAD_DATA;
    *what = "tick has too few registers for its architecture";
    if (!regs_has(&s->regs, r->arch->pc) || !regs_has(&s->regs, r->arch->sp))
        return STATUS_BAD_DATA;
    *what = "tick of a thread that was not announced";
    thread = thread_table_find_in(&r->threads, s->pid, s->tid);
    if (!thread)
        return STATUS_BAD_DATA;
    s->slot = thread_table_slot(&r->threads, thread);
    status = stack_image_restore(&r->spare, &thread->image, c, what);
    s->regions = r->spare.regions;
    s->region_count = r->spare.region_count;
    for (uint32_t i = 0; i < s->region_count && status == STATUS_OK; i++) {
        *what = "tick has more of a stack than there can be";
        if (s->regions[i].end_addr - s->regions[i].start_addr > SNAP_TICK_STACK_MAX)
            return STATUS_BAD_DATA;
    }
    return status;
}

/* Finds the thread of a record that precedes its sample; `unknown`: message if there is none. */
static enum status find_thread(struct snap_records *r, struct cursor *c, const char *unknown,
                               struct thread_slot **out, const char **what)
{
    uint32_t pid, tid;

    if (!cursor_u32(c, &pid) || !cursor_u32(c, &tid))
        return STATUS_BAD_DATA;
    *what = unknown;
    *out = thread_table_find_in(&r->threads, pid, tid);
    return *out ? STATUS_OK : STATUS_BAD_DATA;
}

/* Checks the limit of kept bytes; `too_much`: the message if it is exceeded. */
static enum status bound_kept(const struct snap_records *r, const char *too_much, const char **what)
{
    if (r->threads.kept <= KEPT_MAX)
        return STATUS_OK;
    *what = too_much;
    return STATUS_BAD_DATA;
}

static enum status on_wait(struct snap_records *r, struct cursor *c, const char **what)
{
    struct thread_slot *thread;
    enum status status;

    *what = "wait record is too short";
    status = find_thread(r, c, "wait of a thread that was not announced", &thread, what);
    if (status != STATUS_OK)
        return status;
    r->threads.kept -= thread->new_waits.size;
    status = wait_list_add(&thread->new_waits, c, what);
    r->threads.kept += thread->new_waits.size;
    return status == STATUS_OK
               ? bound_kept(r, "what all threads wait for is larger than a reader has to keep",
                            what)
               : status;
}

static enum status on_pointees(struct snap_records *r, struct cursor *c, const char **what)
{
    struct thread_slot *thread;
    enum status status;

    *what = "pointees record is too short";
    status = find_thread(r, c, "pointees of a thread that was not announced", &thread, what);
    if (status != STATUS_OK)
        return status;
    r->threads.kept -= thread->pointees.size;
    status = pointee_list_take(&thread->pointees, c, what);
    r->threads.kept += thread->pointees.size;
    return status == STATUS_OK
               ? bound_kept(r, "what all threads point to is larger than a reader has to keep",
                            what)
               : status;
}

static enum status on_system(struct snap_records *r, struct cursor *c, const char **what)
{
    struct thread_slot *thread;
    enum status status;

    *what = "system record is too short";
    status =
        find_thread(r, c, "system registers of a thread that was not announced", &thread, what);
    return status == STATUS_OK ? board_facts_take_system(&thread->board, c, what) : status;
}

static enum status on_task(struct snap_records *r, struct cursor *c, const char **what)
{
    struct thread_slot *thread;
    enum status status;

    *what = "task record is too short";
    status = find_thread(r, c, "task of a thread that was not announced", &thread, what);
    return status == STATUS_OK ? board_facts_take_task(&thread->board, c, what) : status;
}

static enum status on_board(struct snap_records *r, struct cursor *c, struct snap_board *board,
                            const char **what)
{
    *what = "board record is too short";
    return cursor_u32(c, &board->pid) && cursor_u64(c, &board->time_ns) &&
                   cursor_u8(c, &board->profile) && cursor_u64(c, &board->vectors_addr) &&
                   cursor_u64(c, &board->initial_sp) && cursor_u64(c, &board->reset_addr) &&
                   read_str(r, c, 0, &board->machine)
               ? STATUS_OK
               : STATUS_BAD_DATA;
}

/* Advances the waits of threads whose memory was read again and is unchanged. */
static enum status on_unchanged(struct snap_records *r, struct cursor *c, const char **what)
{
    uint32_t pid, tid, count;
    uint64_t time_ns;

    *what = "unchanged record is too short";
    if (!cursor_u32(c, &pid) || !cursor_u64(c, &time_ns) || !cursor_u32(c, &count))
        return STATUS_BAD_DATA;
    while (count--) {
        struct thread_slot *thread;

        if (!cursor_u32(c, &tid))
            return STATUS_BAD_DATA;
        thread = thread_table_find_in(&r->threads, pid, tid);
        if (thread)
            wait_list_unchanged(&thread->waits, time_ns);
    }
    return STATUS_OK;
}

static enum status on_loss(struct cursor *c, struct snap_loss_info *loss, const char **what)
{
    *what = "loss record is too short";
    return cursor_u32(c, &loss->pid) && cursor_u32(c, &loss->tid) &&
                   cursor_u64(c, &loss->time_ns) && cursor_u32(c, &loss->count) &&
                   cursor_u32(c, &loss->reason)
               ? STATUS_OK
               : STATUS_BAD_DATA;
}

static enum status on_usage(struct cursor *c, struct snap_usage *usage, const char **what)
{
    *what = "usage record is too short";
    return cursor_u32(c, &usage->pid) && cursor_u64(c, &usage->time_ns) &&
                   cursor_u64(c, &usage->cpu_ns) && cursor_u64(c, &usage->period_ns)
               ? STATUS_OK
               : STATUS_BAD_DATA;
}

static enum status on_summary(struct cursor *c, struct snap_summary *s, const char **what)
{
    uint64_t *fields[] = {&s->time_ns,          &s->samples,
                          &s->repeats,          &s->lost,
                          &s->rounds,           &s->rate_asked_mhz,
                          &s->rate_reached_mhz, &s->stopped_ns,
                          &s->stopped_max_ns,   &s->bytes_written};

    *what = "summary record is too short";
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        if (!cursor_u64(c, fields[i]))
            return STATUS_BAD_DATA;
    return cursor_u32(c, &s->end) ? STATUS_OK : STATUS_BAD_DATA;
}

static enum status on_names(struct cursor *c, struct snap_names *names, const char **what)
{
    *what = "names record is too short";
    names->is_ahead = false;
    return cursor_u32(c, &names->pid) && cursor_u64(c, &names->time_ns) &&
                   cursor_u64(c, &names->off) && read_bytes(c, &names->bytes, &names->size)
               ? STATUS_OK
               : STATUS_BAD_DATA;
}

static enum status on_symbol_file(struct cursor *c, struct snap_symbol_file *file,
                                  const char **what)
{
    *what = "symbol file record is too short";
    file->is_ahead = false;
    return cursor_u32(c, &file->pid) && cursor_u64(c, &file->time_ns) &&
                   cursor_u64(c, &file->addr) && cursor_u64(c, &file->file_size) &&
                   cursor_u64(c, &file->off) && read_bytes(c, &file->bytes, &file->size)
               ? STATUS_OK
               : STATUS_BAD_DATA;
}

/* Maps the status of a record that delivers no event. */
static enum status nothing_to_deliver(enum status status)
{
    return status == STATUS_OK ? STATUS_NOT_FOUND : status;
}

enum status snap_records_take(struct snap_records *r, uint16_t type, uint16_t flags,
                              struct cursor *c, struct snap_event *event, const char **what)
{
    event->type = (enum snap_type)type;
    switch (event->type) {
    case SNAP_PROCESS:
        return on_process(r, c, &event->process, what);
    case SNAP_MAP:
        return on_map(r, c, &event->map, what);
    case SNAP_UNMAP:
        return on_range(c, &event->range, false, what);
    case SNAP_CODE:
        return on_range(c, &event->range, true, what);
    case SNAP_THREAD:
        return on_thread(r, c, &event->thread, false, what);
    case SNAP_THREAD_END:
        return on_thread(r, c, &event->thread, true, what);
    case SNAP_SAMPLE:
        return on_sample(r, c, &event->sample, what);
    case SNAP_REPEAT:
        event->type = SNAP_SAMPLE;
        return on_repeat(r, c, &event->sample, what);
    case SNAP_IDLE:
        return nothing_to_deliver(on_idle(r, c, what));
    case SNAP_LOSS:
        return on_loss(c, &event->loss, what);
    case SNAP_USAGE:
        return on_usage(c, &event->usage, what);
    case SNAP_SUMMARY:
        return on_summary(c, &event->summary, what);
    case SNAP_CREATION:
        return on_creation(r, c, &event->creation, what);
    case SNAP_TICK:
        return on_tick(r, c, &event->sample, what);
    case SNAP_NAMES:
        return on_names(c, &event->names, what);
    case SNAP_SYMBOL_FILE:
        return on_symbol_file(c, &event->symbol_file, what);
    case SNAP_FILE: /* import/bundle.h finds files */
    case SNAP_FILE_PART:
        return STATUS_NOT_FOUND;
    case SNAP_WAIT:
        return nothing_to_deliver(on_wait(r, c, what));
    case SNAP_UNCHANGED:
        return nothing_to_deliver(on_unchanged(r, c, what));
    case SNAP_POINTEES:
        return nothing_to_deliver(on_pointees(r, c, what));
    case SNAP_BOARD:
        return on_board(r, c, &event->board, what);
    case SNAP_SYSTEM:
        return nothing_to_deliver(on_system(r, c, what));
    case SNAP_TASK:
        return nothing_to_deliver(on_task(r, c, what));
    }
    *what = "record of an unknown required type: the file comes from a newer cgsnap";
    return flags & SNAP_REQUIRED ? STATUS_BAD_DATA : STATUS_NOT_FOUND;
}

bool snap_records_idle(struct snap_records *r, struct snap_event *event)
{
    while (r->idle_next) {
        struct thread_slot *thread = &r->threads.slots[r->idle_next - 1];

        r->idle_next = live_threads_next(&r->threads.live, r->idle_next - 1) + 1;
        if (thread->sampled && thread->last_ns < r->idle_ns &&
            thread->idle_exception != r->idle_serial) {
            event->type = SNAP_SAMPLE;
            repeat_sample(r, thread, r->idle_ns, &event->sample);
            return true;
        }
    }
    return false;
}
