/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/cpu_clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "arch/capture.h"
#include "capture/ptrace/tracees.h"

/*
 * Bytes of a CPU's ring: room for the ticks with whole stacks (64 KiB) of a hundredth of a second
 * and more, up to what unprivileged users may have at least (kernel.perf_event_mlock_kb), or 2 MiB
 * with privileges. Less for many CPUs; half, as for stacks, on 32-bit machines.
 */
#define RING_SIZE_MIN ((size_t)256 << 10)
#define RING_SIZE     ((size_t)512 << 10)
#define RING_SIZE_MAX ((size_t)2 << 20)
#define RINGS_MAX     ((size_t)64 << 20)
#define SELDOM_NS     UINT64_C(8000000)
#define OFTEN_NS      UINT64_C(4000000)

/* A record, registers included, has a u16 size; the kernel copies less stack if it must. */
#define STACK_SIZE_MAX 65528u
#define RECORD_MAX     65536u
#define CPUS_MAX       4096u
#define MAPPED_MAX     256u

/*
 * As in linux/perf_event.h, which agents are built without: struct perf_event_attr as of
 * PERF_ATTR_SIZE_VER3 (Linux 4.1 gave its last word a meaning), and offsets of a ring's ends in its
 * first page (struct perf_event_mmap_page).
 */
struct event_attributes {
    uint32_t type, size;
    uint64_t config, period, sample_type, read_format, flags;
    uint32_t wakeup_events, breakpoint_type;
    uint64_t config1, config2, branch_type, regs_user;
    uint32_t stack_user;
    int32_t clock_id;
};
#define TYPE_SOFTWARE     1u
#define CONFIG_CPU_CLOCK  0u
#define SAMPLE_TID        (UINT64_C(1) << 1)
#define SAMPLE_TIME       (UINT64_C(1) << 2)
#define SAMPLE_REGS_USER  (UINT64_C(1) << 12)
#define SAMPLE_STACK_USER (UINT64_C(1) << 13)
#define FLAG_DISABLED     (UINT64_C(1) << 0)
#define FLAG_EXCLUDE_IDLE (UINT64_C(1) << 7)
#define FLAG_MMAP         (UINT64_C(1) << 8)
#define FLAG_ID_ALL       (UINT64_C(1) << 18)
#define FLAG_MMAP2        (UINT64_C(1) << 23)
#define FLAG_USE_CLOCK_ID (UINT64_C(1) << 25)
#define OPEN_CLOEXEC      8ul
#define IOCTL_ENABLE      _IO('$', 0)
#define IOCTL_DISABLE     _IO('$', 1)
#define IOCTL_PERIOD      _IOW('$', 4, uint64_t)
#define HEAD_OFF          1024u
#define TAIL_OFF          1032u

#define RECORD_LOST   2u
#define RECORD_SAMPLE 9u
#define RECORD_MMAP2  10u
#define ABI_NONE      0u

/*
 * PERF_RECORD_MMAP2: u32 pid, u32 tid, u64 address, u64 length, u64 offset, 24 bytes of the file's
 * identity, u32 protection, u32 flags, the path; at the end u32 pid, u32 tid, u64 time.
 */
#define MMAP2_PATH  72u
#define MMAP2_LEAST (MMAP2_PATH + 8 + 16)

struct record_head {
    uint32_t type;
    uint16_t misc, size;
};

struct ring {
    int fd;
    uint8_t *base;       /* a page for its ends, then the data */
    uint64_t head, tail; /* read up to `tail`; `head` as last seen */
    uint64_t looked;     /* looked at up to here for what was mapped */
};

struct cpu_clock {
    struct ring *rings; /* owned */
    unsigned count, next;
    struct cpu_mapped mapped[MAPPED_MAX]; /* the first `mapped_taken` of them are taken */
    unsigned mapped_len, mapped_taken;
    bool mapped_lost;       /* there were more */
    size_t page_size, size; /* bytes of the first page; of the data, a power of two */
    unsigned shift;         /* 1: of 32-bit programs */
    uint64_t regs_user;     /* mask of the registers in samples, by perf's numbers */
    uint64_t period_ns, lost;
    uint8_t *record; /* owned: a record that wraps around a ring's end */
};

static size_t ring_size(uint64_t period_ns, unsigned shift)
{
    const size_t share = RINGS_MAX / (size_t)sysconf(_SC_NPROCESSORS_CONF);
    size_t size = period_ns < OFTEN_NS    ? RING_SIZE_MAX
                  : period_ns < SELDOM_NS ? RING_SIZE
                                          : RING_SIZE_MIN;

    while (size > RING_SIZE_MIN && size > share)
        size /= 2;
    return size >> shift;
}

static void close_rings(struct cpu_clock *clock)
{
    for (; clock->count; clock->count--) {
        const struct ring *ring = &clock->rings[clock->count - 1];
        munmap(ring->base, clock->page_size + clock->size);
        close(ring->fd);
    }
}

void cpu_clock_stop(void *state)
{
    struct ptrace_state *st = state;
    struct cpu_clock *clock = st->clock;

    st->clock = NULL;
    if (!clock)
        return;
    close_rings(clock);
    free(clock->rings);
    free(clock->record);
    free(clock);
}

/* Mask of the registers of an architecture's programs, as perf numbers them. */
static uint64_t regs_mask(const struct arch *arch)
{
    uint64_t mask = 0;

    for (unsigned bit = 0; bit < arch->perf_reg_count; bit++)
        if (arch->perf_regs[bit] != REG_NONE)
            mask |= UINT64_C(1) << bit;
    return mask;
}

/* Maps an event's ring, and takes the event over. False, with errno. */
static bool add_ring(struct cpu_clock *clock, int fd)
{
    struct ring *rings = realloc(clock->rings, (clock->count + 1) * sizeof(*rings));
    void *base = MAP_FAILED;

    if (rings) {
        clock->rings = rings;
        base =
            mmap(NULL, clock->page_size + clock->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    }
    if (base == MAP_FAILED)
        return false;
    clock->rings[clock->count++] = (struct ring){.fd = fd, .base = base};
    return true;
}

/* Opens an event and a ring for each CPU that is on. False, with errno. */
static bool open_rings(struct cpu_clock *clock, uint32_t stack_size)
{
    const uint32_t most = STACK_SIZE_MAX >> clock->shift;
    struct event_attributes attributes = {
        .type = TYPE_SOFTWARE,
        .size = sizeof(attributes),
        .config = CONFIG_CPU_CLOCK,
        .period = clock->period_ns,
        .sample_type = SAMPLE_TID | SAMPLE_TIME | SAMPLE_REGS_USER | SAMPLE_STACK_USER,
        .flags = FLAG_DISABLED | FLAG_EXCLUDE_IDLE | FLAG_USE_CLOCK_ID | FLAG_MMAP | FLAG_MMAP2 |
                 FLAG_ID_ALL,
        .regs_user = clock->regs_user,
        .stack_user = (stack_size < most ? stack_size + 7 : most) & ~7u,
        .clock_id = CLOCK_MONOTONIC,
    };

    for (unsigned cpu = 0; cpu < CPUS_MAX; cpu++) {
        int fd = (int)syscall(SYS_perf_event_open, &attributes, -1, (int)cpu, -1, OPEN_CLOEXEC);
        if (fd < 0 && errno == ENODEV)
            continue; /* it is off */
        if (fd < 0)
            return errno == EINVAL && clock->count; /* there is no such CPU */
        if (!add_ring(clock, fd)) {
            close(fd);
            return false;
        }
    }
    return clock->count;
}

static void explain(struct diag *diag, int error)
{
    diag_set(diag, NULL, "no perf events of CPUs: %s", strerror(error));
    diag_hint(diag, error == EACCES || error == EPERM
                        ? "they take root, or memory (ulimit -l) and CAP_PERFMON or "
                          "kernel.perf_event_paranoid=0; --clock ptrace does without"
                        : "--clock ptrace does without");
}

enum status cpu_clock_start(void *state, uint64_t period_ns, uint32_t stack_size, struct diag *diag)
{
    struct ptrace_state *st = state;
    struct cpu_clock *clock = st->clock = calloc(1, sizeof(*clock));
    bool opened;

    errno = ENOMEM;
    if (clock && (clock->record = malloc(RECORD_MAX))) {
        clock->page_size = (size_t)sysconf(_SC_PAGESIZE);
        clock->shift = st->regs->arch->word_size == 4;
        clock->size = ring_size(period_ns, clock->shift);
        clock->regs_user = regs_mask(arch_capture_host()->arch);
        clock->period_ns = period_ns;
        while (!(opened = open_rings(clock, stack_size)) && errno == EPERM &&
               clock->size > RING_SIZE) {
            close_rings(clock);
            clock->size /= 2;
        }
        if (opened)
            return STATUS_OK;
    }
    explain(diag, errno);
    cpu_clock_stop(st);
    return STATUS_UNSUPPORTED;
}

void cpu_clock_run(void *state, bool run)
{
    const struct ptrace_state *st = state;

    for (unsigned i = 0; i < st->clock->count; i++)
        ioctl(st->clock->rings[i].fd, run ? IOCTL_ENABLE : IOCTL_DISABLE, 0);
}

void cpu_clock_set_period(void *state, uint64_t period_ns)
{
    const struct ptrace_state *st = state;

    if (period_ns == st->clock->period_ns)
        return;
    st->clock->period_ns = period_ns;
    for (unsigned i = 0; i < st->clock->count; i++)
        ioctl(st->clock->rings[i].fd, IOCTL_PERIOD, &period_ns);
}

uint64_t cpu_clock_lost(void *state)
{
    const struct ptrace_state *st = state;
    uint64_t lost = st->clock->lost;

    st->clock->lost = 0;
    return lost;
}

static uint64_t word(const uint8_t *bytes, size_t index)
{
    uint64_t value;

    memcpy(&value, bytes + 8 * index, 8);
    return value;
}

/* Copies what may wrap around the ring's end. */
static void copy_out(const struct cpu_clock *clock, const struct ring *ring, uint64_t from,
                     void *to, size_t size)
{
    const uint8_t *data = ring->base + clock->page_size;
    const size_t at = (size_t)from & (clock->size - 1);
    const size_t first = size < clock->size - at ? size : clock->size - at;

    memcpy(to, data + at, first);
    memcpy((uint8_t *)to + first, data, size - first);
}

/* Reads a record at `from`. False: it tells of no file. */
static bool read_mapped(const struct cpu_clock *clock, const struct ring *ring, uint64_t from,
                        const struct record_head *head, struct cpu_mapped *out)
{
    uint8_t record[MMAP2_PATH + 2];
    uint32_t pid;

    if (head->type != RECORD_MMAP2 || head->size < MMAP2_LEAST)
        return false;
    copy_out(clock, ring, from, record, sizeof(record));
    memcpy(&pid, record + 8, 4);
    *out = (struct cpu_mapped){.pid = (pid_t)pid};
    copy_out(clock, ring, from + head->size - 8, &out->time_ns, 8);
    out->start_addr = word(record, 2);
    out->end_addr = out->start_addr + word(record, 3);
    out->file_off = word(record, 4);
    out->inode = word(record, 6);
    /* pid 0: a program that this namespace does not see */
    return pid && record[MMAP2_PATH] == '/' &&
           record[MMAP2_PATH + 1] != '/'; /* "//anon" is no file */
}

static void keep_mapped(struct cpu_clock *clock, const struct cpu_mapped *mapped)
{
    if (clock->mapped_len < MAPPED_MAX)
        clock->mapped[clock->mapped_len++] = *mapped;
    else
        clock->mapped_lost = true;
}

/* Keeps what the records tell of mapped files, also of those that were not read yet. */
static void look_ahead(struct cpu_clock *clock, struct ring *ring)
{
    const uint64_t end =
        __atomic_load_n((const uint64_t *)(void *)(ring->base + HEAD_OFF), __ATOMIC_ACQUIRE);
    struct cpu_mapped mapped;
    struct record_head head;

    while (end - ring->looked >= sizeof(head)) {
        const uint64_t from = ring->looked;

        copy_out(clock, ring, from, &head, sizeof(head));
        if (head.size < sizeof(head) || head.size > end - from) {
            ring->looked = end;
            return;
        }
        ring->looked += head.size;
        if (head.type == RECORD_LOST)
            clock->mapped_lost = true;
        else if (read_mapped(clock, ring, from, &head, &mapped))
            keep_mapped(clock, &mapped);
    }
}

/* Returns the ring's next record, whole, and gives back the one before; NULL: none. */
static const uint8_t *next_record(struct cpu_clock *clock, struct ring *ring)
{
    const uint8_t *data = ring->base + clock->page_size;
    const size_t at = (size_t)ring->tail & (clock->size - 1);
    struct record_head head;

    look_ahead(clock, ring); /* what is given back is gone */
    __atomic_store_n((uint64_t *)(void *)(ring->base + TAIL_OFF), ring->tail, __ATOMIC_RELEASE);
    if (ring->tail == ring->head)
        ring->head =
            __atomic_load_n((const uint64_t *)(void *)(ring->base + HEAD_OFF), __ATOMIC_ACQUIRE);
    if (ring->head - ring->tail < sizeof(head))
        return NULL;
    memcpy(&head, data + at, sizeof(head)); /* records begin at multiples of 8 bytes */
    if (head.size < sizeof(head) || head.size > ring->head - ring->tail) {
        ring->tail = ring->head;
        return NULL;
    }
    ring->tail += head.size;
    if (head.size <= clock->size - at)
        return data + at;
    memcpy(clock->record, data + at, clock->size - at);
    memcpy(clock->record + (clock->size - at), data, head.size - (clock->size - at));
    return clock->record;
}

/* Index of the register `reg` of a program like this one among the sample's words. */
static unsigned word_of(const struct cpu_clock *clock, unsigned reg)
{
    const struct arch *arch = arch_capture_host()->arch;
    unsigned at = 0;

    for (unsigned bit = 0; bit < arch->perf_reg_count && arch->perf_regs[bit] != reg; bit++)
        at += (unsigned)(clock->regs_user >> bit & 1);
    return at;
}

/*
 * Reads a program's registers. A 32-bit program's are where a 64-bit kernel has its own, the PC
 * always. Registers that perf lacks (ARM's cpsr) come last, and are left out.
 */
static void read_regs(const struct cpu_clock *clock, const struct arch *arch, const uint8_t *words,
                      struct cpu_tick *out)
{
    unsigned at = 0;

    out->reg_count = 0;
    for (unsigned bit = 0; bit < arch->perf_reg_count; bit++) {
        uint8_t reg = arch->perf_regs[bit];
        if (!(clock->regs_user >> bit & 1))
            continue;
        if (reg != REG_NONE) {
            uint64_t value = word(words, at);
            if (reg == arch->pc)
                value = word(words, word_of(clock, arch_capture_host()->arch->pc));
            out->regs[reg] = arch->word_size == 4 ? (uint32_t)value : value;
            if (reg >= out->reg_count)
                out->reg_count = reg + 1u;
        }
        at++;
    }
}

/*
 * Reads a sample. False: a kernel thread's, or malformed.
 *
 *     u32 pid, u32 tid    u64 time    u64 ABI    [registers, if ABI is not none]
 *     u64 size of the stack    [bytes, u64 how many of them were copied]
 */
static bool read_sample(const struct ptrace_state *st, const uint8_t *record, size_t size,
                        struct cpu_tick *out)
{
    const struct cpu_clock *clock = st->clock;
    const unsigned count = (unsigned)__builtin_popcountll(clock->regs_user);
    uint32_t pid, tid;
    uint64_t stack_size;
    size_t at;

    if (size < 8 * (4 + count + 1) || word(record, 3) == ABI_NONE)
        return false;
    memcpy(&pid, record + 8, 4);
    memcpy(&tid, record + 12, 4);
    out->pid = (pid_t)pid;
    out->tid = (pid_t)tid;
    out->time_ns = word(record, 2);
    out->cpu_ns = clock->period_ns;
    read_regs(clock, st->regs->arch, record + 8 * 4, out);
    at = 4 + count;
    stack_size = word(record, at++);
    if (!stack_size || stack_size > size - 8 * at || size - 8 * at - stack_size < 8)
        return false;
    out->stack = record + 8 * at;
    memcpy(&out->stack_size, out->stack + stack_size, 8);
    return out->stack_size <= stack_size;
}

bool cpu_clock_next(void *state, struct cpu_tick *out)
{
    struct ptrace_state *st = state;
    struct cpu_clock *clock = st->clock;

    while (clock->next < clock->count) {
        struct ring *ring = &clock->rings[clock->next];
        const uint8_t *record = next_record(clock, ring);
        struct record_head head;
        if (!record) {
            clock->next++;
            continue;
        }
        memcpy(&head, record, sizeof(head));
        if (head.type == RECORD_SAMPLE && read_sample(st, record, head.size, out))
            return true;
        if (head.type == RECORD_LOST && head.size >= 8 * 3) /* u64 id, u64 count */
            clock->lost += word(record, 2);
    }
    clock->next = 0;
    return false;
}

bool cpu_clock_mapped(void *state, struct cpu_mapped *out)
{
    const struct ptrace_state *st = state;
    struct cpu_clock *clock = st->clock;

    for (unsigned i = 0; i < clock->count; i++)
        look_ahead(clock, &clock->rings[i]);
    if (clock->mapped_taken < clock->mapped_len) {
        *out = clock->mapped[clock->mapped_taken++];
        return true;
    }
    clock->mapped_len = clock->mapped_taken = 0;
    if (!clock->mapped_lost)
        return false;
    clock->mapped_lost = false;
    *out = (struct cpu_mapped){.pid = 0};
    return true;
}
