/* SPDX-License-Identifier: MIT */
#include "unwind/step_cache.h"

#include <stdlib.h>
#include <string.h>

#define STEPS_FIRST 512
#define WORDS_MAX   0xfe /* from base to the highest saved word */

_Static_assert(sizeof(struct step) <= 64, "a step is a cache line");

void step_cache_deinit(struct step_cache *cache)
{
    free(cache->steps);
    *cache = (struct step_cache){0};
}

void step_cache_clear(struct step_cache *cache)
{
    if (cache->cap)
        memset(cache->steps, 0, cache->cap * sizeof(*cache->steps));
    cache->len = 0;
}

static struct step *free_place(const struct step_cache *cache, uint64_t addr, uint32_t tag)
{
    uint32_t i = step_place(addr, tag, cache->cap);

    while (cache->steps[i].tag)
        i = (i + 1) & (cache->cap - 1);
    return &cache->steps[i];
}

static enum status grow(struct step_cache *cache)
{
    struct step_cache bigger = {.cap = cache->cap ? cache->cap * 4 : STEPS_FIRST,
                                .len = cache->len};

    if (posix_memalign((void **)&bigger.steps, 64, bigger.cap * sizeof(*bigger.steps)) != 0)
        return STATUS_NO_MEMORY;
    memset(bigger.steps, 0, bigger.cap * sizeof(*bigger.steps));
    for (uint32_t i = 0; i < cache->cap; i++)
        if (cache->steps[i].tag)
            *free_place(&bigger, cache->steps[i].addr, cache->steps[i].tag) = cache->steps[i];
    free(cache->steps);
    *cache = bigger;
    return STATUS_OK;
}

struct step *step_cache_put(struct step_cache *cache, uint64_t addr, uint32_t tag)
{
    struct step *step = step_cache_find(cache, addr, tag);

    if (step)
        return step;
    if (cache->len == STEPS_MAX)
        step_cache_clear(cache);
    if (cache->len >= cache->cap / 2 && grow(cache) != STATUS_OK)
        return NULL;
    step = free_place(cache, addr, tag);
    *step = (struct step){.addr = addr, .tag = tag};
    cache->len++;
    return step;
}

struct step_span { /* of saved words, in words from the CFA */
    int32_t low, high;
    bool any;
};

/* Widens the span by the rule's word; false: the rule has none. */
static bool widen(struct step_span *span, const struct rule *rule, const struct arch *arch)
{
    int32_t word = rule->off / arch->word_size;

    if (rule->kind != RULE_AT_CFA || rule->off % arch->word_size != 0)
        return false;
    if (!span->any || word < span->low)
        span->low = word;
    if (!span->any || word > span->high)
        span->high = word;
    span->any = true;
    return true;
}

/* Does the rule give the default: the callee-saved register's value, or unknown? */
static bool is_default(const struct rule *rule, unsigned reg, const struct arch *arch)
{
    return rule->kind == RULE_UNSPECIFIED ||
           (rule->kind == RULE_SAME && (arch->callee_saved >> reg & 1));
}

/* Is LR saved where the return address is? PC gets the value; LR is not needed. */
static bool is_ra(const struct rule *rule, unsigned reg, const struct row *row,
                  const struct arch *arch)
{
    return reg == arch->lr && rule->kind == RULE_AT_CFA && row->ra.kind == RULE_AT_CFA &&
           rule->off == row->ra.off;
}

static bool find_span(const struct row *row, const struct arch *arch, struct step_span *span)
{
    unsigned count = 0;

    for (unsigned reg = 0; reg < arch->reg_count; reg++) {
        const struct rule *rule = &row->regs[reg];

        if (reg == arch->pc || is_default(rule, reg, arch) || is_ra(rule, reg, row, arch))
            continue;
        if (reg == arch->sp || count++ == STEP_SAVED_MAX ||
            (rule->kind != RULE_UNDEFINED && !widen(span, rule, arch)))
            return false;
    }
    if (arch->lr != REG_NONE && (row->ra.kind == RULE_SAME || row->ra.kind == RULE_UNSPECIFIED))
        return true;
    return widen(span, &row->ra, arch);
}

static uint8_t word_at(const struct rule *rule, const struct step_span *span,
                       const struct arch *arch)
{
    if (rule->kind == RULE_UNDEFINED)
        return STEP_FORGOTTEN;
    return (uint8_t)(rule->off / arch->word_size - span->low);
}

void step_pack(struct step *step, const struct row *row, const struct arch *arch)
{
    struct step_span span = {.any = false};
    unsigned count = 0;

    step->flags |= STEP_UNPACKED;
    if (row->cfa.kind != CFA_REG || row->signal_frame || row->has_returned ||
        row_drops_link(row, arch) || !find_span(row, arch, &span) || span.low < INT16_MIN ||
        span.low > INT16_MAX || span.high - span.low > WORDS_MAX)
        return;
    step->cfa_reg = row->cfa.reg;
    step->cfa_off = row->cfa.off;
    step->base = (int16_t)span.low;
    step->top = span.any ? (uint8_t)(span.high - span.low + 1) : 0;
    step->ra_at = row->ra.kind == RULE_AT_CFA ? word_at(&row->ra, &span, arch) : STEP_RA_IN_LR;
    step->trust = row->source & 0xf;
    for (unsigned reg = 0; reg < arch->reg_count; reg++) {
        const struct rule *rule = &row->regs[reg];

        if (reg == arch->pc || is_default(rule, reg, arch) || is_ra(rule, reg, row, arch))
            continue;
        step->saved[count].reg = (uint8_t)reg;
        step->saved[count++].at = word_at(rule, &span, arch);
    }
    step->count = count & 0xf;
    step->flags = (uint8_t)((step->flags & ~STEP_UNPACKED) | STEP_ROW);
}
