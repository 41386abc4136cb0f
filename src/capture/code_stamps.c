/* SPDX-License-Identifier: MIT */
#include "capture/code_stamps.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/search.h"
#include "base/vec.h"
#include "capture/mappings.h"
#include "capture/process.h"
#include "capture/remapped.h"
#include "capture/thread.h"

/* For this time after code was replaced more of it is expected. */
#define CHURN_NS  UINT64_C(2000000000)
#define HEAD_SIZE 1024u
#define TEXT_SIZE 512u
/* modules of one sample that are looked at, from the innermost frame on */
#define REFERRED_MAX 64u
#define STAMPED_MAX  512u /* mappings of a process with stamps, the first */

void code_stamps_deinit(struct code_stamps *stamps)
{
    free(stamps->values);
    *stamps = (struct code_stamps){0};
}

/* Returns 0 for what is no ELF file, as code that is made at run time. */
static uint64_t stamp_of(const uint8_t bytes[HEAD_SIZE + TEXT_SIZE])
{
    uint64_t hash = 1;

    if (memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return 0;
    for (size_t off = 0; off < HEAD_SIZE + TEXT_SIZE; off += sizeof(uint64_t)) {
        uint64_t word;

        memcpy(&word, bytes + off, sizeof(word));
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash | 1;
}

/* Reads the stamp of an executable mapping. False: it has none, or cannot be read. */
static bool read_stamp(const struct capture *cap, const struct exec_map *map, pid_t tid,
                       uint64_t *out)
{
    const struct target *target = &cap->target;
    const struct target_memory pieces[] = {{map->head_addr, HEAD_SIZE},
                                           {map->start_addr, TEXT_SIZE}};
    uint8_t bytes[HEAD_SIZE + TEXT_SIZE];
    size_t done;

    if (!map->inode || !map->head_addr ||
        target->backend->memory(target->state, tid, pieces, 2, bytes, &done) != STATUS_OK)
        return false;
    *out = stamp_of(bytes);
    return true;
}

static bool is_needed(const struct capture *cap)
{
    return !remapped_is_told(cap) && target_can(&cap->target, BACKEND_STOPS_ONE_THREAD);
}

static bool are_taken(const struct process *process)
{
    return process->stamps.taken_ns && process->stamps.taken_ns >= process->maps_changed_ns &&
           process->stamps.count == process->maps.exec_len;
}

void code_stamps_take(struct capture *cap, struct process *process, pid_t tid)
{
    struct code_stamps *stamps = &process->stamps;
    const size_t count = process->maps.exec_len;
    const bool are_of_these = are_taken(process);

    stamps->taken_ns = 0;
    if (!is_needed(cap) ||
        vec_reserve(&stamps->values, &stamps->cap, count, sizeof(*stamps->values)) != STATUS_OK)
        return;
    for (size_t i = 0; i < count; i++) {
        const uint64_t before = are_of_these ? stamps->values[i] : 0;
        uint64_t stamp = 0;

        if (i < STAMPED_MAX && read_stamp(cap, &process->maps.execs[i], tid, &stamp) && before &&
            stamp != before)
            remapped_note_replaced(process, &process->maps.execs[i]);
        stamps->values[i] = stamp ? stamp : before;
    }
    stamps->count = count;
    stamps->taken_ns = clock_now_ns();
}

struct code_references {
    const struct capture *cap;
    const struct pending_sample *sample;
    pid_t tid;                     /* through which memory is read */
    uint64_t start_addr, end_addr; /* around the last address: the same answer */
    size_t execs[REFERRED_MAX];    /* mappings that were looked at */
    size_t count;
};

/* Is the address in a module that has another stamp than was taken? */
static bool is_in_replaced(void *context, uint64_t addr)
{
    struct code_references *references = context;
    const struct process *process = references->sample->thread->process;
    const struct exec_map *execs = process->maps.execs;
    const size_t count = process->maps.exec_len;
    uint64_t stamp;
    size_t exec;

    if (addr >= references->start_addr && addr < references->end_addr)
        return false;
    exec = SEARCH_FIRST(i, 0, count, execs[i].end_addr <= addr);
    if (exec == count || addr < execs[exec].start_addr) {
        references->start_addr = exec ? execs[exec - 1].end_addr : 0;
        references->end_addr = exec < count ? execs[exec].start_addr : UINT64_MAX;
        return false;
    }
    references->start_addr = execs[exec].start_addr;
    references->end_addr = execs[exec].end_addr;
    for (size_t i = 0; i < references->count; i++)
        if (references->execs[i] == exec)
            return false;
    if (!process->stamps.values[exec] || references->count == REFERRED_MAX)
        return false;
    references->execs[references->count++] = exec;
    /* What cannot be read, as its process has ended or unmapped it, is not replaced. */
    return read_stamp(references->cap, &execs[exec], references->tid, &stamp) &&
           stamp != process->stamps.values[exec];
}

/* A thread whose memory can be read: that of the sample may have ended meanwhile. */
static pid_t live_thread(const struct process *process, const struct thread *thread)
{
    for (size_t i = process->thread_len; thread_has_ended(thread) && i-- > 0;)
        if (!thread_has_ended(process->threads[i]))
            return process->threads[i]->target.tid;
    return thread->target.tid;
}

static bool is_replaced(const struct capture *cap, const struct pending_sample *sample, pid_t tid)
{
    struct code_references references = {.cap = cap, .sample = sample, .tid = tid};

    return pending_sample_refers(cap, sample, is_in_replaced, &references);
}

bool code_stamps_check_held(struct capture *cap, struct pending_sample *sample, uint64_t held_ns)
{
    struct process *process = sample->thread->process;
    const pid_t tid = sample->thread->target.tid;

    if (!is_needed(cap))
        return true;
    sample->mapped_ns = held_ns;
    if (process->maps_known_ns >= held_ns)
        sample->mapped_ns = process->maps_known_ns;
    if (!process->replaced_ns || held_ns - process->replaced_ns >= CHURN_NS || !are_taken(process))
        return true;
    if (is_replaced(cap, sample, tid)) {
        process->replaced_ns = clock_now_ns();
        if (!mappings_renew_held(cap, process, tid))
            return false;
        if (are_taken(process)) /* the mappings are the same: their files are not */
            code_stamps_take(cap, process, tid);
    }
    sample->mapped_ns = clock_now_ns();
    sample->is_checked = true;
    return true;
}

bool code_stamps_check(struct capture *cap, struct pending_sample *sample)
{
    struct process *process = sample->thread->process;
    const pid_t tid = live_thread(process, sample->thread);

    if (!is_needed(cap) || sample->is_checked || !are_taken(process) ||
        !is_replaced(cap, sample, tid))
        return true;
    process->replaced_ns = clock_now_ns();
    if (mappings_renew(cap, process, tid) && are_taken(process))
        code_stamps_take(cap, process, tid);
    return false;
}
