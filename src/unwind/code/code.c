/* SPDX-License-Identifier: MIT */
#include "unwind/code/code.h"

#include <stdlib.h>
#include <string.h>

#include "arch/analysis/ops.h"
#include "base/vec.h"
#include "unwind/code/decode_cache.h"

#define FUNCTION_ALIGNMENT 16
#define LOOP_INSNS         1000 /* instructions in which a loop jumps back to its head */
#define TRAMPOLINE_MAX     48   /* bytes */
#define CODE_PAGES_KEPT    128  /* that keep their memory after code_trim */
#define A32_WORDS          4    /* words compared to recognize A32 */
#define A32_UNCONDITIONAL  3    /* least number of them with the condition "always", and … */
#define A32_PLAIN          2    /* … that move or compute; T32 has other highest bits there */
#define T32_WORDS          8    /* words compared to recognize T32, and … */
#define T32_UNCONDITIONAL  1    /* … most of them that may look like A32 */
#define A32_VECTORS        0xf2 /* highest bytes of A32's vector instructions */
#define A32_VECTORS_LAST   0xf4
#define STUB_INSNS         4 /* instructions of a PLT stub */
#define CONTINUES_INSNS    8 /* instructions that code_continues looks at */
#define START_INSNS        8 /* instructions before a function saves LR */

_Static_assert(CODE_INSNS_CACHED >= 2 * CODE_MEMO_ITEMS,
               "forgetting must not be needed again at once");

static enum status choose_sets(struct code *code)
{
    for (unsigned mode = CODE_DEFAULT; mode <= CODE_T32; mode++) {
        const struct insn_set *set = insn_set_for(code->arch, (enum code_mode)mode);

        if (!set)
            continue;
        if (code->unit == 0 || set->alignment < code->unit)
            code->unit = set->alignment;
        code->unit_shift = (uint8_t)__builtin_ctz(code->unit);
        code->sets[mode] = set;
    }
    return code->sets[CODE_DEFAULT] ? STATUS_OK : STATUS_UNSUPPORTED;
}

void code_prepare(const struct code *code, struct decoder *decoder)
{
    decoder->elf_flags = code->elf_flags;
    decoder->isa = code->isa;
}

/* Returns the decoder, made when first needed. UNSUPPORTED: none (insn_problem). */
static enum status decoder_for(struct code *code, enum code_mode mode, struct decoder **out)
{
    enum status status = STATUS_OK;

    if (!code->decoders[mode]) {
        status = decoder_create(code->sets[mode], &code->decoders[mode]);
        if (status == STATUS_OK)
            code_prepare(code, code->decoders[mode]);
    }
    *out = code->decoders[mode];
    return status;
}

enum status code_create(const struct arch *arch, code_bytes_fn *bytes_at, code_bytes_fn *data_at,
                        const void *context, struct code **out)
{
    struct code *code = calloc(1, sizeof(*code));
    enum status status;

    if (!code)
        return STATUS_NO_MEMORY;
    code->arch = arch;
    code->bytes_at = bytes_at;
    code->data_at = data_at;
    code->context = context;
    code->last_page_vaddr = UINT64_MAX;
    code->insn_count = 1;
    code->memo = calloc(1, sizeof(*code->memo));
    if (!code->memo) {
        code_destroy(code);
        return STATUS_NO_MEMORY;
    }
    status = vec_reserve(&code->ops, &code->op_cap, 1, sizeof(*code->ops));
    if (status == STATUS_OK)
        status =
            vec_reserve(&code->insns, &code->insn_cap, CODE_INSNS_CACHED, sizeof(*code->insns));
    if (status == STATUS_OK) {
        memset(&code->insns[0], 0, sizeof(code->insns[0]));
        status = choose_sets(code);
    }
    if (status != STATUS_OK) {
        code_destroy(code);
        return status;
    }
    *out = code;
    return STATUS_OK;
}

static void drop_pages(struct code *code)
{
    while (code->page_kept > CODE_PAGES_KEPT)
        free(code->page_list[--code->page_kept]);
    code->page_count = 0;
    map_clear(&code->pages);
    code->last_page = NULL;
    code->last_page_vaddr = UINT64_MAX;
}

void code_destroy(struct code *code)
{
    if (!code)
        return;
    while (code->page_kept > 0)
        free(code->page_list[--code->page_kept]);
    map_deinit(&code->pages);
    map_deinit(&code->leaves);
    map_deinit(&code->kinds);
    free(code->page_list);
    free(code->memo);
    free(code->insns);
    free(code->ops);
    for (size_t i = 0; i < sizeof(code->decoders) / sizeof(code->decoders[0]); i++)
        decoder_destroy(code->decoders[i]);
    free(code);
}

uint32_t code_new_walk(struct code *code)
{
    return ++code->walks;
}

/*
 * Drops all instructions but one for each item of the memo; moves these and their operations to the
 * front, in their order.
 */
static void keep_remembered(struct code *code)
{
    /* By instruction: the number of the item that remembers it, plus 1; 0: none. */
    _Static_assert(CODE_MEMO_ITEMS <= UINT16_MAX, "an item's number fits");
    uint16_t *item_of = calloc(code->insn_count, sizeof(*item_of));
    size_t insn_count = 1, op_count = 0;

    if (!item_of)
        memset(code->memo, 0, sizeof(*code->memo));
    for (size_t i = 0; item_of && i < CODE_MEMO_ITEMS; i++)
        if (code->memo->items[i].insn)
            item_of[code->memo->items[i].insn] = (uint16_t)(i + 1);
    for (size_t i = 1; item_of && i < code->insn_count; i++) {
        struct code_insn *insn = &code->insns[insn_count];

        if (!item_of[i])
            continue;
        *insn = code->insns[i];
        if (insn->op_count)
            memmove(code->ops + op_count, code_ops(code, insn),
                    insn->op_count * sizeof(*code->ops));
        insn->first_op = (uint32_t)op_count;
        op_count += insn->op_count;
        code->memo->items[item_of[i] - 1].insn = (uint32_t)insn_count++;
    }
    code->insn_count = insn_count;
    code->op_count = op_count;
    free(item_of);
}

void code_trim(struct code *code, size_t max)
{
    if (code->insn_count <= max)
        return;
    drop_pages(code);
    keep_remembered(code);
    code->generation++;
}

uint32_t *code_find_page(struct code *code, uint64_t page_vaddr)
{
    uint64_t *index;

    if (page_vaddr == code->last_page_vaddr)
        return code->last_page;
    index = map_get(&code->pages, page_vaddr);
    if (!index)
        return NULL;
    code->last_page_vaddr = page_vaddr;
    code->last_page = code->page_list[*index];
    return code->last_page;
}

/* Returns an empty page, with memory of a dropped one if there is any. */
static uint32_t *make_page(struct code *code)
{
    const size_t count = CODE_PAGE_BYTES / code->unit;
    uint32_t *page;

    if (code->page_count < code->page_kept)
        return memset(code->page_list[code->page_count], 0, count * sizeof(*page));
    if (vec_reserve(&code->page_list, &code->page_cap, code->page_count + 1, sizeof(page)) !=
        STATUS_OK)
        return NULL;
    page = calloc(count, sizeof(*page));
    if (page)
        code->page_list[code->page_kept++] = page;
    return page;
}

static uint32_t *add_page(struct code *code, uint64_t page_vaddr)
{
    uint32_t *page = make_page(code);

    if (!page || !map_put(&code->pages, page_vaddr, code->page_count))
        return NULL;
    code->page_count++;
    return page;
}

bool code_read_data(const struct code *code, uint64_t vaddr, unsigned size, uint64_t *out)
{
    uint64_t avail;
    const uint8_t *bytes = code->data_at(code->context, vaddr, &avail);

    *out = 0;
    if (!bytes || avail < size)
        return false;
    for (unsigned i = 0; i < size; i++) /* every architecture here is little-endian */
        *out |= (uint64_t)bytes[i] << 8 * i;
    /* The file has 0 in a word that a relocation fills. */
    if (*out == 0 && size == code->arch->word_size && code->loaded_word)
        (void)code->loaded_word(code->loaded_context, vaddr, out);
    return true;
}

/* Turns literals into constants, and notes the first one's address. */
static void resolve_literals(const struct code *code, struct insn *insn)
{
    for (unsigned i = 0; i < insn->op_count; i++) {
        struct op *op = &insn->ops[i];
        uint64_t word;

        if (op->kind != OP_LITERAL)
            continue;
        if (insn->literal_vaddr == 0) {
            insn->literal_vaddr = (uint64_t)op->imm;
            insn->literal_size = code->arch->word_size;
        }
        if (!(code->may_change && code->may_change(code->loaded_context, (uint64_t)op->imm)) &&
            code_read_data(code, (uint64_t)op->imm, code->arch->word_size, &word))
            *op = (struct op){.kind = OP_CONST, .dst = op->dst, .imm = (int64_t)word};
    }
}

/*
 * Finds the word through which the instruction calls, when the GOT is known. EBX may as well lead
 * to another table of pointers to functions.
 */
static void resolve_slot(const struct code *code, struct insn *insn)
{
    if (insn->slot != SLOT_IN_GOT)
        return;
    insn->target_vaddr = (uint32_t)(insn->target_vaddr + code->got_vaddr);
    insn->slot = code->got_vaddr && code->is_got_word &&
                         code->is_got_word(code->loaded_context, insn->target_vaddr)
                     ? SLOT_AT
                     : SLOT_NONE;
}

static bool has_room(struct code *code)
{
    return code->insn_count < UINT32_MAX &&
           vec_reserve(&code->insns, &code->insn_cap, code->insn_count + 1, sizeof(*code->insns)) ==
               STATUS_OK;
}

static enum status keep_recalled(struct code *code, uint32_t recalled, uint64_t vaddr,
                                 uint32_t *out)
{
    struct code_insn *kept;

    if (!has_room(code))
        return STATUS_NO_MEMORY;
    kept = &code->insns[code->insn_count];
    *kept = code->insns[recalled];
    kept->vaddr = vaddr;
    kept->taken_by = kept->visited_by = 0;
    *out = (uint32_t)code->insn_count++;
    return STATUS_OK;
}

static enum status keep(struct code *code, struct insn *insn, enum code_mode mode, uint32_t *out)
{
    struct code_insn *kept;

    resolve_literals(code, insn);
    resolve_slot(code, insn);
    if (!has_room(code) || code->op_count >= UINT32_MAX - INSN_OPS_MAX ||
        vec_reserve(&code->ops, &code->op_cap, code->op_count + insn->op_count,
                    sizeof(*code->ops)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    kept = &code->insns[code->insn_count];
    *kept = (struct code_insn){.vaddr = insn->vaddr,
                               .target_vaddr = insn->target_vaddr,
                               .literal_vaddr = insn->literal_vaddr,
                               .literal_size = insn->literal_size,
                               .first_op = (uint32_t)code->op_count,
                               .pops = insn->pops,
                               .size = insn->size,
                               .flow = insn->flow,
                               .op_count = insn->op_count,
                               .mode = (uint8_t)mode,
                               .context = insn->context,
                               .next_context = insn->next_context,
                               .predicate = insn->predicate,
                               .taken_when = insn->taken_when,
                               .jump_reg = insn->jump_reg,
                               .equal = insn->equal,
                               .slot = insn->slot,
                               .target_mode = insn->target_mode,
                               .has_target = insn->has_target,
                               .padding = insn->padding,
                               .writes_flags = insn->writes_flags,
                               .far = insn->far,
                               .trampoline = insn->trampoline};
    if (insn->op_count)
        memcpy(code->ops + code->op_count, insn->ops, insn->op_count * sizeof(insn->ops[0]));
    code->op_count += insn->op_count;
    *out = (uint32_t)code->insn_count++;
    return STATUS_OK;
}

/* As code_bytes_fn. */
static const uint8_t *bytes_at(struct code *code, uint64_t vaddr, uint64_t *avail)
{
    uint64_t off = vaddr - code->segment.start_vaddr;

    if (vaddr < code->segment.start_vaddr || off >= code->segment.size) {
        code->segment.bytes = code->bytes_at(code->context, vaddr, &code->segment.size);
        code->segment.start_vaddr = vaddr;
        if (!code->segment.bytes)
            code->segment.size = 0;
        off = 0;
    }
    *avail = code->segment.size - off;
    return *avail ? code->segment.bytes + off : NULL;
}

static void resolve_table_call(struct code *code, struct insn *insn)
{
    const struct insn_set *set =
        insn->flow == FLOW_CALL && insn->has_target ? code->sets[insn->target_mode] : NULL;
    const uint8_t *bytes;
    uint64_t avail;

    if (!set || !set->table_call)
        return;
    bytes = bytes_at(code, insn->target_vaddr, &avail);
    if (bytes)
        set->table_call(bytes, avail, insn);
}

/* Makes the call of nothing what it is: an instruction that sets LR. */
static void resolve_empty_call(const struct code *code, const uint8_t *bytes, uint64_t avail,
                               enum code_mode mode, struct insn *insn)
{
    const struct insn_set *set = code->sets[mode];

    if (!set->calls_nothing || insn->flow != FLOW_CALL || !insn->has_target ||
        insn->target_vaddr != insn->vaddr + insn->size || !set->calls_nothing(bytes, avail))
        return;
    insn->flow = FLOW_NEXT;
    insn->has_target = insn->anywhere = false;
    insn->op_count = 0;
    insn_push_op(insn, OP_CLOBBER)->mask = UINT64_C(1) << code->arch->lr;
}

uint64_t code_table_helper(const struct code *code, const struct code_insn *insn)
{
    const struct insn_set *set = code_set(code, (enum code_mode)insn->mode);
    const uint8_t *bytes;
    uint64_t avail;

    if (insn->flow != FLOW_INDIRECT || !set->table_call)
        return 0;
    bytes = code->bytes_at(code->context, insn->vaddr, &avail);
    return bytes ? set->call_target(bytes, avail, insn->vaddr) : 0;
}

enum status code_get(struct code *code, uint64_t vaddr, enum code_mode mode, uint8_t context,
                     uint32_t *out)
{
    uint64_t page_vaddr = vaddr & ~(CODE_PAGE_BYTES - 1), avail;
    uint32_t *page = code_find_page(code, page_vaddr), *slot;
    const uint8_t *bytes;
    uint64_t word;
    uint32_t recalled;
    struct decoder *decoder;
    struct insn insn;
    enum status status;

    slot = page ? &page[(vaddr & (CODE_PAGE_BYTES - 1)) >> code->unit_shift] : NULL;
    if (slot && *slot && code->insns[*slot].vaddr == vaddr && code->insns[*slot].mode == mode &&
        code->insns[*slot].context == context) {
        *out = *slot;
        return STATUS_OK;
    }
    if (!code->sets[mode])
        return STATUS_NOT_FOUND;
    bytes = bytes_at(code, vaddr, &avail);
    if (!bytes || vaddr % code_set(code, mode)->alignment != 0)
        return STATUS_NOT_FOUND;
    word = code_memo_word(bytes, avail);
    recalled = code_memo_recall(code->memo, word, avail, mode, context);
    if (!recalled) {
        status = decoder_for(code, mode, &decoder);
        if (status == STATUS_NO_MEMORY)
            return status;
        if (status != STATUS_OK ||
            decoder_decode(decoder, bytes, avail, vaddr, context, &insn) != STATUS_OK ||
            insn.size == 0)
            return STATUS_NOT_FOUND;
        resolve_table_call(code, &insn);
        resolve_empty_call(code, bytes, avail, mode, &insn);
    }
    if (!page && !(page = add_page(code, page_vaddr)))
        return STATUS_NO_MEMORY;
    status = recalled ? keep_recalled(code, recalled, vaddr, out) : keep(code, &insn, mode, out);
    /* At the file's end an instruction may be decoded as a shorter one. */
    if (status == STATUS_OK && !recalled && insn.anywhere && insn.size <= CODE_MEMO_BYTES &&
        avail >= INSN_SIZE_MAX)
        code_memo_remember(code->memo, word, insn.size, mode, context, *out);
    if (status == STATUS_OK) {
        slot = &page[(vaddr & (CODE_PAGE_BYTES - 1)) >> code->unit_shift];
        code->replaced += *slot != 0;
        *slot = *out;
    }
    return status;
}

const struct insn_set *code_set(const struct code *code, enum code_mode mode)
{
    return code->sets[mode];
}

uint64_t code_reads(struct code *code, uint64_t vaddr, enum code_mode mode)
{
    uint64_t avail;
    const uint8_t *bytes = code->bytes_at(code->context, vaddr, &avail);
    struct decoder *decoder;

    if (!bytes || decoder_for(code, mode, &decoder) != STATUS_OK)
        return 0;
    return code->sets[mode]->reads(decoder, bytes, avail, vaddr);
}

bool code_strong_start(const struct code *code, uint64_t vaddr, enum code_mode mode)
{
    uint64_t avail;
    const uint8_t *bytes = code->bytes_at(code->context, vaddr, &avail);

    return bytes && code_set(code, mode)->strong_start(bytes, avail);
}

#define KIND_BYTES 4096 /* bytes of code with one answer, whatever literals are in it */

static bool jumps_by_calls(const struct code *code, const struct insn_set *set, uint64_t vaddr)
{
    uint64_t avail;
    const uint8_t *bytes = code->bytes_at(code->context, vaddr, &avail);

    return bytes && set->jumps_by_calls(bytes, avail < KIND_BYTES ? avail : KIND_BYTES);
}

uint16_t code_far_jump(struct code *code, uint64_t vaddr, enum code_mode mode)
{
    const struct insn_set *set = code_set(code, mode);
    const uint64_t block_vaddr = vaddr & ~(uint64_t)(KIND_BYTES - 1);
    const uint64_t *known;
    uint64_t avail, *place;
    bool jumps;

    if (!set->jumps_by_calls)
        return 0;
    known = map_get(&code->kinds, block_vaddr);
    if (known)
        return *known ? set->far_jump : 0;
    if (!code->bytes_at(code->context, block_vaddr, &avail)) /* a segment begins in the block */
        return jumps_by_calls(code, set, vaddr) ? set->far_jump : 0;
    jumps = jumps_by_calls(code, set, block_vaddr);
    place = map_put(&code->kinds, block_vaddr, 0);
    if (place) /* else it is not cached */
        *place = jumps;
    return jumps ? set->far_jump : 0;
}

uint64_t code_writes(const struct code *code, const struct code_insn *insn)
{
    const struct op *ops = code_ops(code, insn);
    uint64_t regs = 0;

    for (unsigned i = 0; i < insn->op_count; i++)
        if (ops[i].kind == OP_CLOBBER)
            regs |= ops[i].mask;
        else if (ops[i].kind != OP_STORE && ops[i].dst < ARCH_REG_MAX)
            regs |= UINT64_C(1) << ops[i].dst;
    return regs;
}

bool code_continues(struct code *code, uint64_t vaddr, enum code_mode mode)
{
    uint64_t foreign = code->arch->callee_saved | code_set(code, mode)->undefined_at_entry;
    uint8_t context = 0;
    uint32_t index;

    for (unsigned i = 0;
         i < CONTINUES_INSNS && code_get(code, vaddr, mode, context, &index) == STATUS_OK; i++) {
        const struct code_insn insn = *code_insn(code, index);

        if (insn.flow != FLOW_NEXT || insn.predicate)
            return false;
        if (code_reads(code, vaddr, mode) & foreign)
            return true;
        foreign &= ~code_writes(code, &insn);
        vaddr += insn.size;
        context = insn.next_context;
    }
    return false;
}

unsigned code_filler(const struct code *code, uint64_t vaddr)
{
    unsigned size = 4 - (unsigned)(vaddr % 4);
    uint64_t word;

    return code_has_two_modes(code) && code_read_data(code, vaddr, size, &word) && word == 0 ? size
                                                                                             : 0;
}

bool code_start_is_behind(struct code *code, uint64_t vaddr, enum code_mode mode)
{
    uint8_t context = 0;

    if (code->arch->lr == REG_NONE) /* i386's functions may begin with a call (of a PC thunk) */
        return false;
    for (unsigned i = 0; i < LOOP_INSNS; i++) {
        unsigned size = code_filler(code, vaddr);
        uint32_t index;

        if (size == 0) {
            if (code_get(code, vaddr, mode, 0, &index) != STATUS_OK ||
                !code_insn(code, index)->padding)
                break;
            size = code_insn(code, index)->size;
        }
        vaddr += size;
    }
    for (unsigned i = 0; i < START_INSNS; i++) {
        const struct code_insn *insn;
        uint32_t index;

        if (code_strong_start(code, vaddr, mode))
            return true;
        if (code_get(code, vaddr, mode, context, &index) != STATUS_OK)
            return false;
        insn = code_insn(code, index);
        if (insn->flow != FLOW_NEXT || code_writes(code, insn) >> code->arch->lr & 1)
            return false;
        vaddr += insn->size;
        context = insn->next_context;
    }
    return false;
}

/* Does the instruction load LR from the stack? A function that was just entered has no LR there. */
static bool takes_lr_back(const struct code *code, const struct code_insn *insn)
{
    const struct op *ops = code_ops(code, insn);

    for (unsigned i = 0; code->arch->lr != REG_NONE && i < insn->op_count; i++)
        if (ops[i].kind == OP_LOAD && ops[i].dst == code->arch->lr && ops[i].src == code->arch->sp)
            return true;
    return false;
}

bool code_ends_function(struct code *code, uint64_t start_vaddr, uint64_t vaddr,
                        enum code_mode mode, uint64_t *looked_at)
{
    uint64_t head_vaddr = vaddr;
    uint8_t context = 0;
    uint32_t index;

    if (code_has_two_modes(code) && mode != CODE_T32)
        return false;
    while (code_get(code, head_vaddr, mode, 0, &index) == STATUS_OK &&
           code_insn(code, index)->padding) {
        head_vaddr += code_insn(code, index)->size;
        ++*looked_at;
    }
    if (head_vaddr == vaddr || head_vaddr % FUNCTION_ALIGNMENT != 0 ||
        (code->pads_with_traps && code->pads_with_traps(code->loaded_context)))
        return false;
    vaddr = head_vaddr;
    for (unsigned i = 0;
         i < LOOP_INSNS && code_get(code, vaddr, mode, context, &index) == STATUS_OK; i++) {
        const struct code_insn *insn = code_insn(code, index);

        ++*looked_at;
        if (i == 0 && takes_lr_back(code, insn))
            return false;
        if (insn->has_target && insn->flow != FLOW_CALL && insn->target_vaddr > start_vaddr &&
            insn->target_vaddr <= head_vaddr)
            return false;
        vaddr += insn->size;
        context = insn->next_context;
    }
    return true;
}

bool code_reads_pc(const struct code *code, const struct code_insn *insn)
{
    return code->arch->lr == REG_NONE && insn->flow == FLOW_CALL && insn->has_target &&
           insn->target_vaddr == insn->vaddr + insn->size &&
           !code_strong_start(code, insn->target_vaddr, (enum code_mode)insn->mode);
}

bool code_looks_like_a32(const struct code *code, uint64_t vaddr)
{
    unsigned unconditional = 0, plain = 0;
    uint64_t word;

    for (unsigned i = 0; i < A32_WORDS && code_read_data(code, vaddr + 4 * i, 4, &word); i++) {
        unconditional += word >> 28 == 0xe;
        plain += word >> 27 == 0x1c;
    }
    return unconditional >= A32_UNCONDITIONAL && plain >= A32_PLAIN;
}

bool code_looks_like_t32(const struct code *code, uint64_t vaddr)
{
    unsigned count = 0;
    uint64_t word;

    for (unsigned i = 0; i < T32_WORDS; i++) {
        if (!code_read_data(code, vaddr + 4 * i, 4, &word))
            return false;
        count += word >> 28 == 0xe || (word >> 24 >= A32_VECTORS && word >> 24 <= A32_VECTORS_LAST);
    }
    return count <= T32_UNCONDITIONAL;
}

/* Is the called code not there (a hole, or behind a PLT stub)? */
static bool is_hidden(struct code *code, uint64_t vaddr, enum code_mode mode)
{
    uint32_t index;

    for (unsigned i = 0; i < STUB_INSNS; i++) {
        const struct code_insn *insn;

        if (code_get(code, vaddr, mode, 0, &index) != STATUS_OK)
            return true;
        insn = code_insn(code, index);
        if (insn->flow != FLOW_NEXT)
            return insn->flow == FLOW_INDIRECT;
        vaddr += insn->size;
    }
    return false;
}

bool code_call_is_last(struct code *code, const struct code_insn *call)
{
    enum code_mode mode = (enum code_mode)call->mode;
    uint64_t vaddr = call->vaddr + call->size;
    struct code_insn insn = *call; /* decoding moves it */
    uint32_t index;

    if (!code->holes || !insn.has_target ||
        !is_hidden(code, insn.target_vaddr, (enum code_mode)insn.target_mode))
        return false;
    while (code_get(code, vaddr, mode, 0, &index) == STATUS_OK && code_insn(code, index)->padding)
        vaddr += code_insn(code, index)->size;
    return vaddr % FUNCTION_ALIGNMENT == 0 && !code_continues(code, vaddr, mode);
}

bool code_calls_trampoline(const struct code *code, const struct code_insn *insn)
{
    const struct insn_set *set = code_set(code, (enum code_mode)insn->mode);
    const uint8_t *bytes;
    uint64_t avail;

    if (!set->is_trampoline || insn->flow != FLOW_CALL || !insn->has_target ||
        insn->target_vaddr >= insn->vaddr || insn->vaddr - insn->target_vaddr > TRAMPOLINE_MAX)
        return false;
    bytes = code->bytes_at(code->context, insn->target_vaddr, &avail);
    return bytes && set->is_trampoline(bytes, avail);
}
