/* SPDX-License-Identifier: MIT */
#include "unwind/unwinder.h"

#include <stdlib.h>
#include <string.h>

#include "arch/analysis/insn.h"
#include "base/vec.h"
#include "symbol/module_set.h"
#include "unwind/step.h"

#define STAMP_MAX     (UINT32_MAX >> 1)
#define STEP_LEADS_ON (STEP_KNOWN | STEP_RETURNED)

enum status unwinder_create(const struct arch *arch, struct module_set *modules,
                            const struct unwinder_options *options, struct unwinder **out)
{
    static const enum trust designed[] = {TRUST_DEBUG_FRAME, TRUST_EH_FRAME, TRUST_EXIDX,
                                          TRUST_GOPCLNTAB,   TRUST_PROLOGUE, TRUST_FP,
                                          TRUST_LR};
    struct unwinder *u = calloc(1, sizeof(*u));

    if (!u)
        return STATUS_NO_MEMORY;
    u->arch = arch;
    u->kept = arch->callee_saved;
    if (arch->trap_pc != REG_NONE)
        u->kept |= UINT64_C(1) << arch->trap_pc;
    u->modules = modules;
    u->options = *options;
    u->by_request = u->options.method_count > 0;
    if (!u->by_request) {
        memcpy(u->options.methods, designed, sizeof(designed));
        u->options.method_count = sizeof(designed) / sizeof(designed[0]);
    }
    for (size_t i = 0; i < u->options.method_count; i++)
        u->searches = u->searches || u->options.methods[i] == TRUST_PROLOGUE ||
                      u->options.methods[i] == TRUST_LR;
    if (code_stores_create(modules, arch, &u->codes) == STATUS_NO_MEMORY) {
        free(u);
        return STATUS_NO_MEMORY;
    }
    *out = u;
    return STATUS_OK;
}

/* Results of a search without a decoder are not complete. */
void unwinder_keep(struct unwinder *u)
{
    if (insn_problem())
        return;
    for (size_t i = 0; i < u->row_count; i++)
        if (u->rows[i])
            module_rows_keep(u->rows[i]);
}

void unwinder_destroy(struct unwinder *u)
{
    if (!u)
        return;
    for (size_t i = 0; i < u->row_count; i++)
        module_rows_destroy(u->rows[i]);
    free(u->rows);
    code_stores_destroy(u->codes);
    step_cache_deinit(&u->cache);
    chain_deinit(&u->walked);
    free(u);
}

const struct arch *unwinder_arch(const struct unwinder *u)
{
    return u->arch;
}

void unwinder_set_kernel(struct unwinder *u, struct module *kernel)
{
    u->kernel = kernel;
}

enum status unwinder_code(struct unwinder *u, struct mapping *mapping, uint64_t start_addr,
                          const uint8_t *bytes, uint64_t size)
{
    /* With more code cached steps may change. */
    step_cache_clear(&u->cache);
    u->codes_given++;
    return u->codes ? code_stores_add(u->codes, mapping, start_addr, bytes, size) : STATUS_OK;
}

void unwinder_names(struct unwinder *u)
{
    step_cache_clear(&u->cache);
    u->codes_given++;
    if (u->codes)
        code_stores_ask_again(u->codes);
}

enum status unwinder_function(struct unwinder *u, struct module *module, uint64_t vaddr,
                              uint64_t *start_vaddr, uint64_t *end_vaddr)
{
    struct module_rows *rows = walk_rows_of(u, module);

    return rows ? module_rows_function(rows, vaddr, start_vaddr, end_vaddr) : STATUS_NO_MEMORY;
}

bool unwinder_argument_holds(struct unwinder *u, struct module *module, uint64_t return_vaddr,
                             uint8_t reg, uint64_t parts)
{
    struct module_rows *rows = walk_rows_of(u, module);

    return rows && module_rows_argument_holds(rows, return_vaddr, reg, parts);
}

#define DEPTH_ROWS_MAX 4096 /* rows of a function that are looked at */

static bool is_by_sp(const struct unwinder *u, const struct row *row)
{
    return row->cfa.kind == CFA_REG && row->cfa.reg == u->arch->sp && row->cfa.off >= 0;
}

/* Returns the largest CFA - SP by the first DEPTH_ROWS_MAX rows of a function. */
static uint64_t find_deepest(const struct unwinder *u, struct module_rows *rows, enum trust source,
                             uint64_t start_vaddr, uint64_t end_vaddr)
{
    uint64_t vaddr = start_vaddr, deepest = 0;
    const struct row *row;

    for (unsigned i = 0; i < DEPTH_ROWS_MAX && vaddr < end_vaddr; i++) {
        if (module_rows_find(rows, source, vaddr, &row) != STATUS_OK || row->end_vaddr <= vaddr)
            break;
        if (is_by_sp(u, row) && (uint64_t)row->cfa.off > deepest)
            deepest = (uint64_t)row->cfa.off;
        vaddr = row->end_vaddr;
    }
    return deepest;
}

enum status unwinder_sp_depth(struct unwinder *u, struct module *module, uint64_t vaddr,
                              uint64_t *depth, uint64_t *deepest)
{
    struct module_rows *rows = walk_rows_of(u, module);
    uint64_t start_vaddr, end_vaddr;
    const struct row *row;

    if (!rows)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < u->options.method_count; i++) {
        enum trust source = u->options.methods[i];

        if (source > TRUST_PROLOGUE || module_rows_find(rows, source, vaddr, &row) != STATUS_OK)
            continue;
        if (!is_by_sp(u, row))
            return STATUS_NOT_FOUND;
        *depth = *deepest = (uint64_t)row->cfa.off;
        if (module_rows_function(rows, vaddr, &start_vaddr, &end_vaddr) == STATUS_OK)
            *deepest = find_deepest(u, rows, source, start_vaddr, end_vaddr);
        return STATUS_OK;
    }
    return STATUS_NOT_FOUND;
}

static enum status append(struct chain *chain, const struct frame *frame)
{
    if (vec_reserve(&chain->frames, &chain->cap, chain->count + 1, sizeof(*chain->frames)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    chain->frames[chain->count++] = *frame;
    return STATUS_OK;
}

/* Stores the registers of the chain's last frame, if they are wanted. */
static enum status keep_regs(struct chain *chain, const struct regs *regs)
{
    if (!chain->wants_regs)
        return STATUS_OK;
    if (vec_reserve(&chain->regs, &chain->regs_cap, chain->count, sizeof(*chain->regs)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    chain->regs[chain->count - 1] = (struct frame_regs){.regs = *regs, .cfa_reg = REG_NONE};
    return STATUS_OK;
}

static void keep_cfa(struct chain *chain, uint64_t cfa, uint8_t reg)
{
    struct frame_regs *last = &chain->regs[chain->count - 1];

    last->cfa_known = true;
    last->cfa = cfa;
    last->cfa_reg = reg;
}

static inline void fill_known(struct frame *frame, const struct step *step)
{
    frame->lookup_vaddr = step->lookup_vaddr;
    frame->module = step->module;
    frame->vaddr_known = step->flags & STEP_VADDR;
    frame->is_call = step->flags & STEP_CALL;
}

/* Appends a frame from a cached step; false: no memory. */
static inline bool append_cached(struct chain *chain, const struct step *step, uint64_t pc_addr,
                                 enum trust trust)
{
    if (chain->count == chain->cap && vec_reserve(&chain->frames, &chain->cap, chain->count + 1,
                                                  sizeof(*chain->frames)) != STATUS_OK)
        return false;
    chain->frames[chain->count] = (struct frame){.pc_addr = pc_addr, .trust = trust};
    fill_known(&chain->frames[chain->count++], step);
    return true;
}

/* Appends frames that came with the sample: of user space (`user`) or of the kernel. */
static enum status append_given(struct unwind_walk *w, const uint64_t *addrs, uint32_t count,
                                bool user, struct chain *chain)
{
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < count && chain->count < CHAIN_DEPTH_MAX && status == STATUS_OK; i++) {
        struct frame frame = {.pc_addr = user ? walk_code_address(w, addrs[i]) : addrs[i],
                              .is_call = i > 0,
                              .trust = !user   ? TRUST_KERNEL
                                       : i > 0 ? TRUST_FP
                                               : TRUST_CONTEXT};

        if (user) {
            walk_locate(w, &frame, 0);
        } else {
            frame.lookup_vaddr = frame.pc_addr - frame.is_call;
            frame.module = w->env->u->kernel;
            frame.vaddr_known = frame.module != NULL;
        }
        status = w->out_of_memory ? STATUS_NO_MEMORY : append(chain, &frame);
        if (status == STATUS_OK)
            status = keep_regs(chain, &(struct regs){.known = 0});
    }
    return status;
}

/*
 * Returns the stamp of the space as it is now. When stamps run out nothing stays cached from one
 * sample to the next.
 */
static uint64_t stamp_of(struct unwinder *u, struct address_space *space)
{
    if (space->stamp == 0)
        space->stamp = module_set_stamp(u->modules);
    if (space->stamp < STAMP_MAX)
        return space->stamp;
    step_cache_clear(&u->cache);
    return STAMP_MAX;
}

/* Loads the word at `addr`, which is in the region. */
static inline uint64_t load(const struct snap_region *region, uint64_t addr, unsigned word)
{
    const uint8_t *bytes = region->bytes + (addr - region->start_addr);
    uint32_t half;
    uint64_t value;

    if (word == 4) {
        memcpy(&half, bytes, sizeof(half));
        return half;
    }
    memcpy(&value, bytes, sizeof(value));
    return value;
}

/* As plausible() in step.c. `low`: address of the lowest saved word, or of the record. */
static inline bool moves_outwards(const struct arch *arch, const struct step *step, uint64_t cfa,
                                  uint64_t low, uint64_t sp)
{
    if (step->trust == TRUST_FP && low < sp)
        return false;
    return cfa > sp || (cfa == sp && arch->lr != REG_NONE && !(step->flags & STEP_CALL));
}

/* Makes w->pos.regs the caller's, with SP `cfa`. `low`: address of the lowest saved word. */
static inline void recover(struct unwind_walk *w, const struct step *step,
                           const struct snap_region *region, uint64_t low, uint64_t cfa,
                           unsigned word)
{
    const struct arch *arch = w->env->u->arch;
    struct regs *regs = &w->pos.regs;
    uint64_t known = regs->known & w->env->u->kept;

    for (unsigned i = 0; i < step->count; i++) {
        if (step->saved[i].at == STEP_FORGOTTEN) {
            known &= ~(UINT64_C(1) << step->saved[i].reg);
            continue;
        }
        regs->value[step->saved[i].reg] =
            load(region, low + (uint64_t)step->saved[i].at * word, word);
        known |= UINT64_C(1) << step->saved[i].reg;
    }
    regs->value[arch->sp] = cfa;
    regs->known = known | UINT64_C(1) << arch->sp | UINT64_C(1) << arch->pc;
    if (step->trust == TRUST_FP)
        walk_forget_sp(w->env->u->arch, regs);
}

/*
 * Follows cached steps outwards from `step`; returns the first from which none leads on; NULL: no
 * memory. `word` is the word size, a constant where this is called.
 */
static inline __attribute__((always_inline)) struct step *
follow_words(struct unwind_walk *w, struct chain *chain, struct step *step, const unsigned word)
{
    const struct arch *arch = w->env->u->arch;
    const uint64_t wrap = word == 4 ? UINT32_MAX : UINT64_MAX;
    const uint64_t address_bits = ~w->env->space->pac_mask;
    const uint32_t tag = step_tag(w->env->stamp, true);
    const struct snap_region *region = NULL;
    struct regs *regs = &w->pos.regs;

    while (step->flags & STEP_ROW && chain->count < CHAIN_DEPTH_MAX) {
        uint64_t cfa = (regs->value[step->cfa_reg] + (uint64_t)(int64_t)step->cfa_off) & wrap;
        uint64_t low = (cfa + (uint64_t)((int64_t)step->base * word)) & wrap;
        uint64_t return_addr = arch->lr != REG_NONE ? regs->value[arch->lr] : 0;
        struct step *next;

        if (!regs_has(regs, step->cfa_reg) || cfa % word != 0 ||
            !moves_outwards(arch, step, cfa, low, regs->value[arch->sp]))
            break;
        if (!region || low < region->start_addr || low >= region->end_addr)
            region = memory_region(&w->env->memory, low);
        if (!region || !region->bytes || (uint64_t)step->top * word > region->end_addr - low)
            break;
        if (step->ra_at != STEP_RA_IN_LR)
            return_addr = load(region, low + (uint64_t)step->ra_at * word, word);
        else if (!regs_has(regs, arch->lr))
            break;
        next = step_cache_next(&w->env->u->cache, step, return_addr & address_bits, tag);
        if (!next || (next->flags & STEP_LEADS_ON) != STEP_LEADS_ON)
            break;
        if (chain->wants_regs && step->trust != TRUST_FP)
            keep_cfa(chain, cfa, step->cfa_reg);
        recover(w, step, region, low, cfa, word);
        regs->value[arch->pc] = next->addr & ~(uint64_t)arch->isa_bit;
        if (!append_cached(chain, next, regs->value[arch->pc], (enum trust)step->trust) ||
            keep_regs(chain, &w->pos.regs) != STATUS_OK)
            return NULL;
        step = next;
        if (suffix_match_due(&w->match, chain->count, cfa) &&
            suffix_match_at(&w->match, chain->count, regs, step->flags & STEP_CALL))
            break;
    }
    return step;
}

static struct step *follow(struct unwind_walk *w, struct chain *chain, struct step *step)
{
    return w->env->u->arch->word_size == 4 ? follow_words(w, chain, step, 4)
                                           : follow_words(w, chain, step, 8);
}

/* Caches what is known of the frame's address. */
static enum status cache_located(struct unwind_walk *w, uint64_t addr, bool returned_to)
{
    struct step *step =
        step_cache_put(&w->env->u->cache, addr, step_tag(w->env->stamp, returned_to));

    if (!step)
        return STATUS_NO_MEMORY;
    step->module = w->pos.frame->module;
    step->lookup_vaddr = w->pos.frame->lookup_vaddr;
    step->flags |= (uint8_t)(STEP_KNOWN | (w->pos.frame->vaddr_known ? STEP_VADDR : 0) |
                             (w->pos.frame->is_call ? STEP_CALL : 0));
    return STATUS_OK;
}

/* Caches the step from it, to a caller or to the end, `stop`. */
static enum status cache_step(struct unwind_walk *w, uint64_t addr, bool returned_to,
                              bool has_caller, enum stop_reason stop)
{
    struct step_cache *cache = &w->env->u->cache;
    uint64_t caller = w->last.return_addr & ~w->env->space->pac_mask;
    struct step *step = step_cache_find(cache, addr, step_tag(w->env->stamp, returned_to));

    if (step && w->last.only_row && !(step->flags & (STEP_ROW | STEP_END | STEP_UNPACKED))) {
        if (has_caller) {
            step_pack(step, &w->last.row, w->env->u->arch);
        } else if (w->last.row.ra.kind == RULE_UNDEFINED) {
            step->flags |= STEP_END;
            step->trust = stop & 0xf;
        }
    }
    if (!has_caller || w->pos.frame->signal_frame || w->last.has_left_handler)
        return STATUS_OK;
    step = step_cache_put(cache, caller, step_tag(w->env->stamp, true));
    if (step && !(step->flags & STEP_RETURNED) && walk_returns_to(w, w->last.return_addr))
        step->flags |= STEP_RETURNED;
    return step ? STATUS_OK : STATUS_NO_MEMORY;
}

/*
 * Walks from the chain's last frame to the thread's start: along cached steps where there are any,
 * else by the row sources. `addr` and `returned_to` are the key of the frame's step.
 */
static enum status walk_outwards(struct unwind_walk *w, struct chain *chain, uint64_t addr,
                                 bool returned_to)
{
    enum status status = STATUS_OK;

    for (;;) {
        struct step *step =
            w->pos.has_just_jumped
                ? NULL
                : step_cache_find(&w->env->u->cache, addr, step_tag(w->env->stamp, returned_to));
        struct step_result result;
        bool has_caller, is_end;

        if (step && step->flags & (STEP_ROW | STEP_END))
            fill_known(&chain->frames[chain->count - 1], step);
        if (step && step->flags & STEP_ROW) {
            size_t before = chain->count;

            step = follow(w, chain, step);
            if (!step)
                return STATUS_NO_MEMORY;
            addr = step->addr;
            returned_to = returned_to || chain->count > before;
            if (w->match.found)
                return STATUS_OK;
        }
        is_end = step && step->flags & STEP_END;
        if (!is_end) {
            walk_locate(w, chain->frames, chain->count - 1);
            status = w->out_of_memory ? STATUS_NO_MEMORY : cache_located(w, addr, returned_to);
        }
        if (status != STATUS_OK || chain->count >= CHAIN_DEPTH_MAX)
            return status;
        if (is_end) {
            chain->stop = (enum stop_reason)step->trust;
            return STATUS_OK;
        }
        result = walk_step(w);
        has_caller = result.kind == STEP_TO_CALLER;
        if (chain->wants_regs && w->pos.has_cfa)
            keep_cfa(chain, w->pos.cfa, w->pos.cfa_reg);
        status = w->out_of_memory ? STATUS_NO_MEMORY
                                  : cache_step(w, addr, returned_to, has_caller, result.stop);
        chain->stop = has_caller ? STOP_DEPTH : result.stop;
        if (status != STATUS_OK || !has_caller)
            return status;
        returned_to = result.next.is_call;
        addr = returned_to ? w->last.return_addr & ~w->env->space->pac_mask : result.next.pc_addr;
        if (w->pos.frame->signal_frame || w->last.has_left_handler || w->has_left_trap ||
            w->last.row.has_returned)
            suffix_match_spoil(&w->match);
        status = append(chain, &result.next);
        if (status == STATUS_OK)
            status = keep_regs(chain, &w->pos.regs);
        if (status != STATUS_OK)
            return status;
    }
}

/* Unwinds the whole chain, or up to the suffix shared with the last one. */
static enum status walk_sample(struct unwind_walk *w, const struct snap_sample *sample,
                               struct chain *chain)
{
    struct frame frame = {.trust = TRUST_CONTEXT};
    enum status status = append_given(w, sample->kernel_chain, sample->kernel_count, false, chain);

    if (sample->no_context) {
        chain->stop = STOP_NO_RULE;
        return status == STATUS_OK
                   ? append_given(w, sample->user_chain, sample->user_count, true, chain)
                   : status;
    }
    /* At the entry of a Thumb signal handler the kernel leaves the mode's bit in the PC. */
    frame.pc_addr = walk_code_address(w, sample->regs.value[w->env->u->arch->pc]);
    w->pos.regs.value[w->env->u->arch->pc] = frame.pc_addr;
    w->pos.has_just_jumped = walk_is_nowhere(w, frame.pc_addr);
    chain->stop = STOP_DEPTH;
    if (status == STATUS_OK)
        status = append(chain, &frame);
    if (status == STATUS_OK)
        status = keep_regs(chain, &w->pos.regs);
    if (status == STATUS_OK)
        status = walk_outwards(w, chain, frame.pc_addr, false);
    if (regs_has(&w->pos.regs, w->env->u->arch->sp))
        chain->outermost_sp = w->pos.regs.value[w->env->u->arch->sp];
    return status;
}

enum status unwinder_chain(struct unwinder *u, struct address_space *space,
                           const struct snap_sample *sample, struct chain *chain)
{
    const struct walk_env env = {.u = u,
                                 .space = space,
                                 .stamp = stamp_of(u, space),
                                 .sample = sample,
                                 .memory = memory_of(sample),
                                 .context = &sample->regs,
                                 .goroutine = &sample->goroutine,
                                 .exceptions = walk_exceptions(u, space)};
    struct unwind_walk w = {.env = &env, .pos = {.regs = sample->regs}};
    uint64_t unchanged_addr =
        sample->region_count == 1 && env.stamp < STAMP_MAX && !chain->wants_regs
            ? sample->unchanged_addr
            : 0;
    uint64_t stamp = (uint64_t)u->codes_given << 32 | env.stamp;
    enum status status = suffix_match_begin(&w.match, chain, u->arch, stamp, unchanged_addr);

    walk_bank_registers(&w);
    u->walked.count = 0;
    u->walked.outermost_sp = 0;
    u->walked.wants_regs = chain->wants_regs;
    if (status == STATUS_OK)
        status = walk_sample(&w, sample, &u->walked);
    return status == STATUS_OK ? suffix_match_end(&w.match, &u->walked, chain, stamp) : status;
}

/* Tries the smaller size first, if system calls have two. */
enum status unwinder_maker(struct unwinder *u, struct address_space *space,
                           const struct snap_sample *sample, struct chain *chain)
{
    const unsigned size = u->arch->syscall_size;
    const uint64_t pc = sample->regs.value[u->arch->pc];
    struct snap_sample maker = *sample;
    enum status status = STATUS_OK;

    for (unsigned i = 1; i <= 2 && status == STATUS_OK; i++) {
        if (pc > i * size)
            maker.regs.value[u->arch->pc] = walk_before_call(pc, i * size);
        status = unwinder_chain(u, space, &maker, chain);
        if (chain->count > 1)
            break;
    }
    return status;
}
