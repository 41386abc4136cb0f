/* SPDX-License-Identifier: MIT */
#include "capture/mappings.h"

#include <time.h>

#include "base/clock.h"
#include "capture/code_stamps.h"
#include "capture/remapped.h"
#include "runtime/go/capture/go_program.h"

/* Readings may take this share of the time: 0.5 %, */
#define SHARE 200u
/* with up to this saved up; half of it is for what cannot wait: code that comes and goes. */
#define CREDIT_NS INT64_C(50000000)
/* A thread is not held for a reading that takes longer. */
#define HOLD_NS UINT64_C(5000000)
/* Mappings can change without changing the address space's size: look now and then. */
#define READ_INTERVAL_NS UINT64_C(2000000000)
/* For this time after code came or went (or after the first look) more changes are expected. */
#define CHURN_NS UINT64_C(2000000000)
/* A file that did not answer in time is asked for again after so long. */
#define ASK_NS UINT64_C(1000000000)

/* Changes when mappings come or go, unless they replace others of the same size. */
static uint64_t size_now(const struct capture *cap, struct process *process, pid_t tid,
                         uint64_t unknown)
{
    const struct target *target = &cap->target;

    return target->backend->maps_size(target->state, &process->target, tid, unknown);
}

/* A size that was not known at the last reading has changed, as soon as it is known. */
static bool size_has_changed(const struct capture *cap, struct process *process, pid_t tid)
{
    return size_now(cap, process, tid, process->maps_size) != process->maps_size;
}

/* CPU time of this thread: on a busy machine a reading lasts longer, and costs the same. */
static uint64_t cpu_now(void)
{
    struct timespec used;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
}

/* CPU time that readings may cost now. */
static int64_t credit(const struct process *process, uint64_t now)
{
    uint64_t saved = (now - process->maps_read_ns) / SHARE;

    if (!process->maps_read_ns || saved >= (uint64_t)(CREDIT_NS - process->maps_credit_ns))
        return CREDIT_NS;
    return process->maps_credit_ns + (int64_t)saved;
}

static bool same_code(const struct maps *a, const struct maps *b)
{
    for (size_t i = 0; i < a->exec_len && a->exec_len == b->exec_len; i++)
        if (!exec_map_same(&a->execs[i], &b->execs[i]))
            return false;
    return a->exec_len == b->exec_len;
}

/* `stamps`: whether to take them, too, which may wait for files. */
static void read_now(struct capture *cap, struct process *process, pid_t tid, bool stamps)
{
    const struct target *target = &cap->target;
    uint64_t now = clock_now_ns(), begin = cpu_now();
    int64_t before = credit(process, now);
    struct maps maps = {0};

    process->maps_size = size_now(cap, process, tid, 0);
    if (target->backend->read_maps(target->state, &process->target, tid, &maps) == STATUS_OK) {
        const struct maps old = process->maps;
        const bool changed = !same_code(&old, &maps); /* also the first time */

        process->maps_known_ns = now;
        if (changed) {
            process->maps_changed_ns = now;
            remapped_note_changes(cap, process, &maps);
        }
        process->maps = maps;
        process->maps_unwritten = true;
        if (changed && stamps)
            code_stamps_take(cap, process, &old, tid);
        else if (changed)
            code_stamps_deinit(&process->stamps);
        maps = old;
    } else {
        process->maps_size = 0; /* it is not that of the mappings that are known */
    }
    maps_deinit(&maps);
    process->maps_stale = false;
    process->maps_read_ns = now;
    process->maps_cost_ns = cpu_now() - begin;
    process->maps_credit_ns = before - (int64_t)process->maps_cost_ns;
}

void mappings_read(struct capture *cap, struct process *process, pid_t tid)
{
    read_now(cap, process, tid, true);
}

bool mappings_renew(struct capture *cap, struct process *process, pid_t tid)
{
    if (credit(process, clock_now_ns()) <= 0)
        return false;
    mappings_read(cap, process, tid);
    return process->maps_known_ns == process->maps_read_ns;
}

bool mappings_renew_held(struct capture *cap, struct process *process, pid_t tid)
{
    return process->maps_cost_ns <= HOLD_NS && mappings_renew(cap, process, tid);
}

void mappings_check(struct capture *cap, struct process *process, pid_t tid)
{
    uint64_t now = clock_now_ns();

    if (credit(process, now) < CREDIT_NS / 2)
        return;
    if (process->maps_stale || now - process->maps_read_ns >= READ_INTERVAL_NS ||
        size_has_changed(cap, process, tid))
        mappings_read(cap, process, tid);
}

static void explain(struct capture *cap, struct process *process, pid_t tid, uint64_t pc,
                    bool stamps)
{
    uint64_t page = pc & ~(cap->target.machine.page_size - 1);

    if (maps_find_exec(&process->maps, pc))
        return;
    /* A PC that no reading explains (a wild jump) must not make us read at every sample. */
    if (page == process->unknown_pc_page &&
        clock_now_ns() - process->maps_read_ns < READ_INTERVAL_NS &&
        !size_has_changed(cap, process, tid))
        return;
    read_now(cap, process, tid, stamps);
    process->unknown_pc_page = maps_find_exec(&process->maps, pc) ? 0 : page;
}

void mappings_explain(struct capture *cap, struct process *process, pid_t tid, uint64_t pc)
{
    explain(cap, process, tid, pc, true);
}

void mappings_explain_held(struct capture *cap, struct process *process, pid_t tid, uint64_t pc)
{
    const uint64_t now = clock_now_ns();
    const bool stamps = code_stamps_churn(process); /* else when the thread runs again */

    if (process->maps_cost_ns > HOLD_NS || credit(process, now) <= 0)
        return;
    /* Callers may be in new code, too. */
    if (now - process->maps_changed_ns < CHURN_NS && size_has_changed(cap, process, tid))
        read_now(cap, process, tid, stamps);
    explain(cap, process, tid, pc, stamps);
}

void mappings_find_go(struct capture *cap, struct process *process, pid_t tid)
{
    const struct maps *maps = &process->maps;
    struct map_facts facts;

    /* The program itself lies lowest. */
    for (size_t i = 0; i < maps->exec_len; i++) {
        if (!maps->execs[i].inode)
            continue;
        cap->target.backend->describe_map(cap->target.state, tid, maps, i, &facts);
        process->is_go = facts.id.is_go;
        if (process->is_go)
            process->go_version = go_program_version(&cap->target, tid, maps, &maps->execs[i]);
        return;
    }
}

enum status mappings_write(struct capture *cap, struct process *process, pid_t tid)
{
    const uint64_t unanswered = cap->result.unanswered;
    enum status status;

    if (!process->maps_unwritten)
        return STATUS_OK;
    status = modules_update(&process->modules, &cap->target, process->target.pid, tid,
                            &process->maps, cap->writer, &cap->result.unanswered);
    process->is_go |= process->modules.has_go;
    if (process->modules.has_gos)
        process->go_version = 0;
    if (status == STATUS_NO_MEMORY)
        return status;
    /* For a reader code belongs to the mapping before. */
    if (cap->result.unanswered < unanswered || process->is_code_stale)
        code_deinit(&process->code);
    process->is_code_stale = false;
    /* Out of memory: what was written stays known, and the next sample tries this again. */
    if (status == STATUS_OK && (cap->options.with_code || !cap->options.no_jit) &&
        code_update(&process->code, &process->maps, cap->options.with_code) != STATUS_OK)
        return STATUS_NO_MEMORY;
    maps_drop_paths(&process->maps);
    process->maps_unwritten = false;
    return status;
}

static bool is_unanswered(const struct modules *modules)
{
    for (size_t i = 0; i < modules->len; i++)
        if (modules->maps[i].is_unanswered)
            return true;
    return false;
}

void mappings_ask_due(struct capture *cap, uint64_t now)
{
    for (size_t i = 0; cap->result.unanswered && i < cap->process_len; i++) {
        struct process *process = cap->processes[i];
        const pid_t tid = process_live_tid(process);

        if (now >= process->maps_read_ns + ASK_NS && is_unanswered(&process->modules) &&
            mappings_renew(cap, process, tid))
            (void)!mappings_write(cap, process, tid); /* the writer keeps its error */
    }
}
