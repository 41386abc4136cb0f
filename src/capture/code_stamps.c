/* SPDX-License-Identifier: MIT */
#include "capture/code_stamps.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/search.h"
#include "capture/mappings.h"
#include "capture/process.h"
#include "capture/remapped.h"
#include "capture/thread.h"

/* For this time after code was replaced more of it is expected. */
#define CHURN_NS    UINT64_C(2000000000)
#define HEAD_SIZE   1024u
#define TEXT_SIZE   4096u /* of a small library all functions */
#define STAMP_WORDS ((HEAD_SIZE + TEXT_SIZE) / sizeof(uint32_t))
/* modules of one sample that are looked at, from the innermost frame on */
#define REFERRED_MAX 64u
#define STAMPED_MAX  512u /* mappings of a process with stamps, the first */

void code_stamps_deinit(struct code_stamps *stamps)
{
    free(stamps->values);
    *stamps = (struct code_stamps){0};
}

/* Returns 0 for what is no ELF file, as code that is made at run time. */
static uint32_t stamp_of(const uint32_t words[STAMP_WORDS])
{
    uint32_t hash = 0;

    if (memcmp(words, ELFMAG, SELFMAG) != 0)
        return 0;
    for (size_t i = 0; i < STAMP_WORDS; i++) {
        hash = (hash ^ words[i]) * 0x9e3779b1u;
        hash ^= hash >> 15;
    }
    return hash | 1;
}

/* Reads the stamp of an executable mapping. False: it has none, or cannot be read. */
static bool read_stamp(const struct capture *cap, const struct process *process, size_t exec,
                       pid_t tid, uint32_t *out)
{
    const struct target *target = &cap->target;
    const struct exec_map *map = &process->maps.execs[exec];
    const struct target_memory pieces[] = {{map->head_addr, HEAD_SIZE},
                                           {map->start_addr, TEXT_SIZE}};
    uint32_t words[STAMP_WORDS];
    size_t done;

    if (exec >= STAMPED_MAX || !map->inode || !map->head_addr || map->prot & MAP_PROT_WRITE ||
        target->backend->memory(target->state, tid, pieces, 2, words, &done) != STATUS_OK)
        return false;
    *out = stamp_of(words);
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

/* Returns the stamp of the same piece of the same file in the mappings before; 0: none. */
static uint32_t stamp_before(const struct code_stamps *before, const struct maps *maps,
                             const struct exec_map *map)
{
    const struct exec_map *old = before->taken_ns ? maps_find_exec(maps, map->start_addr) : NULL;

    return old && before->count == maps->exec_len && exec_map_continues(old, map)
               ? before->values[old - maps->execs]
               : 0;
}

void code_stamps_take(struct capture *cap, struct process *process, const struct maps *maps,
                      pid_t tid)
{
    struct code_stamps before = process->stamps;
    const size_t count = process->maps.exec_len;

    if (!is_needed(cap))
        return;
    process->stamps = (struct code_stamps){.values = malloc((count + 1) * sizeof(uint32_t))};
    for (size_t i = 0; process->stamps.values && i < count; i++) {
        const uint32_t old = stamp_before(&before, maps, &process->maps.execs[i]);
        uint32_t stamp = old;

        if (read_stamp(cap, process, i, tid, &stamp) && old && stamp != old)
            remapped_note_replaced(process, &process->maps.execs[i]);
        process->stamps.values[i] = stamp;
    }
    code_stamps_deinit(&before);
    process->stamps.count = count;
    process->stamps.taken_ns = process->stamps.values ? clock_now_ns() : 0;
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
    uint32_t stamp;
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
    return read_stamp(references->cap, process, exec, references->tid, &stamp) &&
           stamp != process->stamps.values[exec];
}

static bool is_replaced(const struct capture *cap, const struct pending_sample *sample, pid_t tid)
{
    struct code_references references = {.cap = cap, .sample = sample, .tid = tid};

    return pending_sample_refers(cap, sample, is_in_replaced, &references);
}

bool code_stamps_churn(const struct process *process)
{
    return process->replaced_ns && clock_now_ns() - process->replaced_ns < CHURN_NS;
}

/* Looks what has taken its place. False: there is no credit for that. */
static bool look_again(struct capture *cap, struct process *process, pid_t tid, bool held)
{
    process->replaced_ns = clock_now_ns();
    if (held ? !mappings_renew_held(cap, process, tid) : !mappings_renew(cap, process, tid))
        return false;
    if (are_taken(process)) /* the mappings are the same: their files are not */
        code_stamps_take(cap, process, &process->maps, tid);
    return true;
}

bool code_stamps_check_held(struct capture *cap, struct pending_sample *sample, uint64_t held_ns)
{
    struct process *process = sample->thread->process;
    const pid_t tid = sample->thread->target.tid;

    if (process->maps_known_ns >= held_ns)
        sample->mapped_ns = process->maps_known_ns;
    if (!is_needed(cap))
        return true;
    if (!sample->mapped_ns)
        sample->mapped_ns = held_ns;
    if (!code_stamps_churn(process) || !are_taken(process))
        return true;
    if (is_replaced(cap, sample, tid) && !look_again(cap, process, tid, true))
        return false;
    sample->mapped_ns = clock_now_ns();
    sample->is_checked = true;
    return true;
}

bool code_stamps_check(struct capture *cap, struct pending_sample *sample)
{
    struct process *process = sample->thread->process;
    const pid_t tid = process_live_tid(process); /* the sample's may have ended */

    if (!is_needed(cap) || sample->is_checked)
        return true;
    if (!are_taken(process)) /* the mappings were read in a stop */
        code_stamps_take(cap, process, &process->maps, tid);
    if (!are_taken(process) || !is_replaced(cap, sample, tid))
        return true;
    (void)look_again(cap, process, tid, false);
    return false;
}
