#include "snapshot/reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc32.h"
#include "base/cursor.h"
#include "base/map.h"
#include "base/vec.h"
#include "snapshot/stack_image.h"
#include "snapshot/thread_table.h"
#include "snapshot/wait_list.h"

#define THREADS_MAX   65536
#define PROCESSES_MAX 4096
#define KEPT_MAX      (UINT64_C(1) << 30)
#define READ_CHUNK    65536

struct snap_reader {
    snap_read_fn *read;
    void *context;
    char *name;
    const struct arch *arch;
    uint64_t clock_offset;

    uint8_t *buffer; /* bytes read ahead: [pos, len) are not consumed */
    size_t pos, len, cap;
    uint64_t off; /* file offset of buffer[pos] */
    bool ended, complete;
    enum status error; /* repeated once it happened */
    struct diag error_diag;

    struct map processes; /* pid -> 1 */
    struct thread_table threads;
    struct stack_image spare;
    char *strings[3]; /* NUL-terminated copies for the event being delivered */

    uint64_t idle_serial;
    bool idle; /* an IDLE record is being delivered, thread by thread */
    uint32_t idle_pid;
    uint64_t idle_ns;
    size_t idle_next;
};

static enum status fail(struct snap_reader *r, uint64_t off, const char *what)
{
    diag_set_at(&r->error_diag, r->name, off, "%s", what);
    diag_hint(&r->error_diag, "the records before it were used");
    return r->error = STATUS_BAD_DATA;
}

/* Reads until `want` bytes are buffered, in chunks, so that a false length allocates nothing. */
static enum status fill(struct snap_reader *r, size_t want)
{
    while (r->len - r->pos < want) {
        int64_t n;

        if (r->ended)
            return STATUS_END;
        if (r->pos > 0) {
            memmove(r->buffer, r->buffer + r->pos, r->len - r->pos);
            r->len -= r->pos;
            r->pos = 0;
        }
        if (vec_reserve(&r->buffer, &r->cap, r->len + READ_CHUNK, 1) != STATUS_OK)
            return r->error = STATUS_NO_MEMORY;
        n = r->read(r->context, r->buffer + r->len, r->cap - r->len);
        if (n < 0) {
            diag_set_at(&r->error_diag, r->name, r->off + r->len, "cannot read: %s",
                        strerror((int)-n));
            return r->error = STATUS_IO;
        }
        if (n == 0)
            r->ended = true;
        r->len += (size_t)n;
    }
    return STATUS_OK;
}

static enum status read_header(struct snap_reader *r, struct diag *diag)
{
    enum status status = fill(r, SNAP_HEADER_SIZE);
    struct cursor c = cursor_init(r->buffer, r->len);
    uint16_t major, minor, machine;
    uint8_t order, word;
    uint32_t zero, crc;

    if (status != STATUS_OK && status != STATUS_END) {
        *diag = r->error_diag;
        return status;
    }
    if (status == STATUS_END && r->len >= SNAP_MAGIC_SIZE &&
        memcmp(r->buffer, SNAP_MAGIC, SNAP_MAGIC_SIZE) == 0) {
        diag_set_at(diag, r->name, r->len, "is cut short inside its file header");
        diag_hint(diag, "capture again");
        return STATUS_BAD_DATA;
    }
    if (status == STATUS_END || memcmp(r->buffer, SNAP_MAGIC, SNAP_MAGIC_SIZE) != 0) {
        diag_set(diag, r->name, r->len == 0 ? "is empty" : "is not a snapshot");
        diag_hint(
            diag,
            "give a file that cgsnap wrote, an ELF core or a perf.data, none of them compressed");
        return STATUS_BAD_DATA;
    }
    if (!cursor_skip(&c, SNAP_MAGIC_SIZE) || !cursor_u16(&c, &major) || !cursor_u16(&c, &minor) ||
        !cursor_u8(&c, &order) || !cursor_u8(&c, &word) || !cursor_u16(&c, &machine) ||
        !cursor_u64(&c, &r->clock_offset) || !cursor_u32(&c, &zero) || !cursor_u32(&c, &crc) ||
        crc != crc32_update(0, r->buffer, SNAP_HEADER_SIZE - 4)) {
        diag_set_at(diag, r->name, 0, "the file header is damaged (checksum)");
        return STATUS_BAD_DATA;
    }
    r->arch = arch_by_machine(machine);
    if (major != SNAP_MAJOR) {
        diag_set_at(diag, r->name, 8, "snapshot format %u.%u, this program reads %d", major, minor,
                    SNAP_MAJOR);
        diag_hint(diag, "use the cgunwind that came with that cgsnap");
        return STATUS_UNSUPPORTED;
    }
    if (order != 1 || !r->arch || r->arch->word_size != word) {
        diag_set_at(diag, r->name, 12, "unsupported target (machine %u, byte order %u)", machine,
                    order);
        return STATUS_UNSUPPORTED;
    }
    r->pos = SNAP_HEADER_SIZE;
    r->off = SNAP_HEADER_SIZE;
    return STATUS_OK;
}

enum status snap_reader_create(snap_read_fn *read, void *context, const char *name,
                               struct snap_reader **out, struct diag *diag)
{
    struct snap_reader *r = calloc(1, sizeof(*r));
    enum status status;

    if (!r)
        return STATUS_NO_MEMORY;
    r->read = read;
    r->context = context;
    r->name = strdup(name);
    status = r->name ? read_header(r, diag) : STATUS_NO_MEMORY;
    if (status != STATUS_OK) {
        snap_reader_destroy(r);
        return status;
    }
    *out = r;
    return STATUS_OK;
}

void snap_reader_destroy(struct snap_reader *r)
{
    if (!r)
        return;
    thread_table_deinit(&r->threads);
    stack_image_deinit(&r->spare);
    for (size_t i = 0; i < sizeof(r->strings) / sizeof(r->strings[0]); i++)
        free(r->strings[i]);
    map_deinit(&r->processes);
    free(r->buffer);
    free(r->name);
    free(r);
}

const struct arch *snap_reader_arch(const struct snap_reader *reader)
{
    return reader->arch;
}

uint64_t snap_reader_clock_offset(const struct snap_reader *reader)
{
    return reader->clock_offset;
}

bool snap_reader_cut_short(const struct snap_reader *reader, uint64_t *off)
{
    *off = reader->off;
    return !reader->complete;
}

/* A str field as a NUL-terminated string in slot `slot`, cut at an embedded NUL. */
static bool read_str(struct snap_reader *r, struct cursor *c, unsigned slot, const char **out)
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

static enum status on_process(struct snap_reader *r, struct cursor *c, struct snap_process *p,
                              const char **what)
{
    uint64_t *known;
    uint8_t flags;

    *what = "process record is too short";
    if (!cursor_u32(c, &p->pid) || !cursor_u32(c, &p->parent_pid) || !cursor_u64(c, &p->time_ns) ||
        !cursor_u32(c, &p->page_size) || !cursor_u32(c, &p->word_size) ||
        !cursor_u64(c, &p->pac_mask) || !read_str(r, c, 0, &p->exe) ||
        !read_bytes(c, &p->command_line, &p->command_line_size) ||
        !read_bytes(c, &p->auxv, &p->auxv_size) || !read_str(r, c, 1, &p->host) ||
        !read_str(r, c, 2, &p->kernel))
        return STATUS_BAD_DATA;
    p->whole = cursor_u8(c, &flags) && flags & SNAP_PROCESS_WHOLE; /* version 1.0 had no flags */
    known = map_get(&r->processes, p->pid);
    p->exec = known != NULL;
    if (!known) {
        *what = "more processes than a reader has to follow";
        if (r->processes.len >= PROCESSES_MAX)
            return STATUS_BAD_DATA;
        if (!map_put(&r->processes, p->pid, 1))
            return STATUS_NO_MEMORY;
    }
    thread_table_end_process(&r->threads, p->pid);
    return STATUS_OK;
}

static enum status on_map(struct snap_reader *r, struct cursor *c, struct snap_map *m,
                          const char **what)
{
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

static enum status on_thread(struct snap_reader *r, struct cursor *c, struct snap_thread *t,
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
    if (r->threads.live_count >= THREADS_MAX && !thread_table_find(&r->threads, t->tid))
        return STATUS_BAD_DATA;
    return thread_table_add(&r->threads, t->pid, t->tid) ? STATUS_OK : STATUS_NO_MEMORY;
}

static bool read_regs(const struct snap_reader *r, struct cursor *c, unsigned count,
                      struct regs *regs)
{
    uint64_t value;

    for (unsigned i = 0; i < count; i++) {
        if (!cursor_u64(c, &value))
            return false;
        if (i < r->arch->reg_count)
            regs_set(regs, i, value);
    }
    return true;
}

static bool read_sample_head(struct snap_reader *r, struct cursor *c, struct snap_sample *s,
                             uint16_t *reg_count)
{
    uint8_t state;

    if (!cursor_u32(c, &s->pid) || !cursor_u32(c, &s->tid) || !cursor_u64(c, &s->time_ns) ||
        !cursor_u8(c, &state) || !cursor_u8(c, &s->flags) || !cursor_u16(c, reg_count) ||
        !cursor_u64(c, &s->cpu_ns))
        return false;
    s->state = (char)state;
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

/* In place where that can be, else by a copy. */
static enum status restore_stack(struct snap_reader *r, struct thread_slot *thread,
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

static enum status on_sample(struct snap_reader *r, struct cursor *c, struct snap_sample *s,
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
    *what = "the stacks of all threads together are larger than a reader has to keep";
    if (r->threads.kept > KEPT_MAX)
        return STATUS_BAD_DATA;
    thread_table_settle_waits(&r->threads, thread, false);
    set_waits(thread, s);
    s->region_count = thread->image.region_count;
    s->regions = thread->image.regions;
    s->wall_ns = elapsed(thread, s->time_ns);
    thread->sample = *s;
    thread->sampled = true;
    thread->last_ns = s->time_ns;
    return STATUS_OK;
}

static void repeat_sample(struct snap_reader *r, struct thread_slot *thread, uint64_t time_ns,
                          struct snap_sample *s)
{
    bool same_waits = !thread->new_waits.count;

    thread_table_settle_waits(&r->threads, thread, true);
    *s = thread->sample;
    set_waits(thread, s);
    s->repeat = true;
    s->held = false; /* nobody was stopped for it */
    s->same_waits = same_waits;
    s->regions = thread->image.regions; /* the slots may have moved */
    s->cpu_ns = 0;
    s->wall_ns = elapsed(thread, time_ns);
    s->time_ns = time_ns;
    thread->last_ns = time_ns;
}

static enum status on_repeat(struct snap_reader *r, struct cursor *c, struct snap_sample *s,
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

static enum status on_idle(struct snap_reader *r, struct cursor *c, const char **what)
{
    uint32_t count, tid;

    *what = "idle record is too short";
    if (!cursor_u32(c, &r->idle_pid) || !cursor_u64(c, &r->idle_ns) || !cursor_u32(c, &count))
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
    r->idle = true;
    r->idle_next = 0;
    return STATUS_OK;
}

/* Restored beside the maker's stack, which the next sample is to be restored from. */
static enum status on_creation(struct snap_reader *r, struct cursor *c, struct snap_creation *made,
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

static enum status on_wait(struct snap_reader *r, struct cursor *c, const char **what)
{
    struct thread_slot *thread;
    enum status status;
    uint32_t pid, tid;

    *what = "wait record is too short";
    if (!cursor_u32(c, &pid) || !cursor_u32(c, &tid))
        return STATUS_BAD_DATA;
    *what = "wait of a thread that was not announced";
    thread = thread_table_find_in(&r->threads, pid, tid);
    if (!thread)
        return STATUS_BAD_DATA;
    r->threads.kept -= thread->new_waits.size;
    status = wait_list_add(&thread->new_waits, c, what);
    r->threads.kept += thread->new_waits.size;
    if (status == STATUS_OK && r->threads.kept > KEPT_MAX) {
        *what = "what all threads wait for is larger than a reader has to keep";
        return STATUS_BAD_DATA;
    }
    return status;
}

/* The locks of these threads were read again and are as they were told. */
static enum status on_unchanged(struct snap_reader *r, struct cursor *c, const char **what)
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

static enum status on_summary(struct snap_reader *r, struct cursor *c, struct snap_summary *s,
                              const char **what)
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
    if (!cursor_u32(c, &s->end))
        return STATUS_BAD_DATA;
    r->complete = true;
    return STATUS_OK;
}

/* Fills the event from a checked record. NOT_FOUND: there is nothing to deliver. */
static enum status dispatch(struct snap_reader *r, uint16_t type, uint16_t flags, struct cursor *c,
                            struct snap_event *event, const char **what)
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
    case SNAP_IDLE: {
        enum status status = on_idle(r, c, what);

        return status == STATUS_OK ? STATUS_NOT_FOUND : status;
    }
    case SNAP_LOSS:
        return on_loss(c, &event->loss, what);
    case SNAP_SUMMARY:
        return on_summary(r, c, &event->summary, what);
    case SNAP_CREATION:
        return on_creation(r, c, &event->creation, what);
    case SNAP_WAIT: {
        enum status status = on_wait(r, c, what);

        return status == STATUS_OK ? STATUS_NOT_FOUND : status;
    }
    case SNAP_UNCHANGED: {
        enum status status = on_unchanged(r, c, what);

        return status == STATUS_OK ? STATUS_NOT_FOUND : status;
    }
    }
    *what = "record of an unknown required type: the file comes from a newer cgsnap";
    return flags & SNAP_REQUIRED ? STATUS_BAD_DATA : STATUS_NOT_FOUND;
}

/* Delivers the next thread of an IDLE record; false when all had their turn. */
static bool next_idle(struct snap_reader *r, struct snap_event *event)
{
    while (r->idle && r->idle_next < r->threads.count) {
        struct thread_slot *thread = &r->threads.slots[r->idle_next++];

        if (thread->live && thread->sampled && thread->pid == r->idle_pid &&
            thread->last_ns < r->idle_ns && thread->idle_exception != r->idle_serial) {
            event->type = SNAP_SAMPLE;
            repeat_sample(r, thread, r->idle_ns, &event->sample);
            return true;
        }
    }
    r->idle = false;
    return false;
}

/* Buffers the next record and checks it: OK, END, or an error that is kept. */
static enum status load_record(struct snap_reader *r, uint16_t *type, uint16_t *flags,
                               struct cursor *payload)
{
    uint32_t len = 0, crc = 0;
    enum status status = fill(r, SNAP_RECORD_HEAD);
    struct cursor head;

    if (status != STATUS_OK)
        return status;
    head = cursor_init(r->buffer + r->pos, SNAP_RECORD_HEAD);
    if (!cursor_u16(&head, type) || !cursor_u16(&head, flags) || !cursor_u32(&head, &len) ||
        !cursor_u32(&head, &crc))
        return fail(r, r->off, "record header is damaged");
    if (len > SNAP_PAYLOAD_MAX)
        return fail(r, r->off, "record length is beyond the format's limit");
    status = fill(r, SNAP_RECORD_HEAD + (size_t)len);
    if (status != STATUS_OK)
        return status;
    if (crc32_update(crc32_update(0, r->buffer + r->pos, 8), r->buffer + r->pos + SNAP_RECORD_HEAD,
                     len) != crc)
        return fail(r, r->off, "record is damaged (checksum)");
    *payload = cursor_init(r->buffer + r->pos + SNAP_RECORD_HEAD, len);
    return STATUS_OK;
}

enum status snap_reader_next(struct snap_reader *r, struct snap_event *event, struct diag *diag)
{
    for (;;) {
        const char *what = NULL;
        uint16_t type, flags;
        struct cursor payload;
        enum status status;

        if (r->error != STATUS_OK) {
            *diag = r->error_diag;
            return r->error;
        }
        if (next_idle(r, event))
            return STATUS_OK;
        status = load_record(r, &type, &flags, &payload);
        if (status == STATUS_END) {
            r->complete = r->complete && r->pos == r->len; /* a part of a record may follow */
            return STATUS_END;
        }
        if (status != STATUS_OK)
            continue; /* kept in r->error */
        r->complete = false;
        status = dispatch(r, type, flags, &payload, event, &what);
        if (status == STATUS_NO_MEMORY) {
            diag_set_at(&r->error_diag, r->name, r->off, "out of memory");
            r->error = status;
            continue;
        }
        if (status == STATUS_BAD_DATA) {
            (void)fail(r, r->off, what);
            continue;
        }
        r->pos += SNAP_RECORD_HEAD + payload.size;
        r->off += SNAP_RECORD_HEAD + payload.size;
        if (status == STATUS_OK)
            return STATUS_OK;
    }
}
