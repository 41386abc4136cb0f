/* SPDX-License-Identifier: MIT */
#include "symbol/elf/plt.h"
#include "unwind/passages.h"

/*
 * What a PLT has pushed, at most, where lld's retpolines on i386 call the resolver:
 *
 *     SP -> | return address in the PLT | %eax | link map | number | return address |
 */
#define WORDS_MAX 5
/* Number of a relocation, or on i386 its offset in bytes, at most. */
#define RELOCATION_MAX (UINT64_C(1) << 24)

static bool is_in_plt(const struct unwind_walk *w, uint64_t addr)
{
    struct mapping *mapping = address_space_find(w->env->space, addr);
    struct elf_image *image;
    uint64_t vaddr;

    if (!mapping || !mapping_vaddr(w->env->u->modules, mapping, addr, &vaddr))
        return false;
    image = mapping->module->image;
    return image && plt_holds(image, vaddr);
}

/*
 * Words that are no return address: numbers, addresses of data, the target, and those of calls in
 * the PLT. A `ret` in a PLT jumps to the target, on top of the stack.
 */
static struct step_result out_of_plt(struct unwind_walk *w)
{
    const struct arch *arch = w->env->u->arch;
    struct row *row = &w->last.row;
    const bool is_return = module_rows_returns_at(w->pos.rows, w->pos.frame->lookup_vaddr);
    uint64_t cfa, ra;
    struct regs caller;

    if (!walk_is_asked(w, TRUST_PROLOGUE))
        return step_undecided();
    suffix_match_spoil(&w->match); /* the rest depends on all words between */
    row_init(row, 0, UINT64_MAX, TRUST_SCAN);
    row->ra = (struct rule){.kind = RULE_AT_CFA, .off = -(int32_t)arch->word_size};
    for (int32_t i = is_return; i < WORDS_MAX; i++) {
        row->cfa =
            (struct rule){.kind = CFA_REG, .reg = arch->sp, .off = (i + 1) * arch->word_size};
        if (row_execute(row, arch, 0, &w->pos.regs, &w->env->memory, &caller, &cfa) != STATUS_OK)
            break;
        ra = caller.value[arch->pc];
        if (is_in_plt(w, ra) || !walk_guess_returns_to(w, ra))
            continue;
        w->last.only_row = false; /* the step depends on the words, too */
        w->last.return_addr = ra;
        return walk_go_on(w, &caller, TRUST_SCAN, false);
    }
    return step_undecided();
}

/* Is the call before the return address `ra` one of a stub? */
static bool has_called_stub(struct unwind_walk *w, uint64_t ra)
{
    struct mapping *mapping = address_space_find(w->env->space, ra - 1);
    struct module_rows *rows;
    uint64_t vaddr;

    if (!mapping || !mapping_vaddr(w->env->u->modules, mapping, ra, &vaddr))
        return false;
    rows = walk_rows_of(w->env->u, mapping->module);
    return rows && module_rows_calls_stub(rows, vaddr, CODE_DEFAULT);
}

/* Are the two words below the return address what a PLT pushes: an address of data, a number? */
static bool has_pushed_words(const struct unwind_walk *w, uint64_t cfa)
{
    const unsigned word = w->env->u->arch->word_size;
    uint64_t number, link_map;

    return memory_read(&w->env->memory, cfa - 2 * word, word, &number) == STATUS_OK &&
           memory_read(&w->env->memory, cfa - 3 * word, word, &link_map) == STATUS_OK &&
           number <= RELOCATION_MAX && link_map != 0 && link_map % word == 0 &&
           !address_space_find(w->env->space, link_map);
}

/*
 * The resolver (_dl_runtime_resolve) pops what the PLT has pushed, above its own frame, which the
 * analysis takes for a function's:
 *
 *     | frame | link map | number | return address |
 *                        ^ CFA by the analysis     ^ CFA
 */
static struct step_result out_of_resolver(struct unwind_walk *w)
{
    const struct arch *arch = w->env->u->arch;
    const int32_t pushed = 2 * arch->word_size;
    struct row row = w->last.row;
    struct regs caller;
    uint64_t cfa;

    if (__builtin_add_overflow(row.cfa.off, pushed, &row.cfa.off))
        return step_undecided();
    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        if (row.regs[reg].kind == RULE_AT_CFA &&
            __builtin_sub_overflow(row.regs[reg].off, pushed, &row.regs[reg].off))
            return step_undecided();
    if (row_execute(&row, arch, 0, &w->pos.regs, &w->env->memory, &caller, &cfa) != STATUS_OK ||
        !has_pushed_words(w, cfa) || !has_called_stub(w, caller.value[arch->pc]))
        return step_undecided();
    suffix_match_spoil(&w->match);
    w->last.only_row = false; /* the step depends on the words, too */
    w->last.row = row;
    w->last.return_addr = caller.value[arch->pc];
    return walk_go_on(w, &caller, TRUST_PROLOGUE, false);
}

struct step_result passage_plt(struct unwind_walk *w)
{
    if (w->env->u->arch->lr != REG_NONE || !w->pos.frame->vaddr_known || !w->pos.rows)
        return step_undecided();
    if (!w->pos.frame->is_call && is_in_plt(w, w->pos.frame->pc_addr))
        return out_of_plt(w);
    return w->pos.refused.is_there && w->last.row.source == TRUST_PROLOGUE &&
                   w->last.row.cfa.kind == CFA_REG
               ? out_of_resolver(w)
               : step_undecided();
}
