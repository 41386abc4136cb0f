/* SPDX-License-Identifier: MIT */
#include "arch/analysis/insn.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "arch/analysis/analysis.h"

#define NUMBER_BEFORE 48 /* bytes in which a system call's number is looked for */

const struct insn_set *insn_set_for(const struct arch *arch, enum code_mode mode)
{
    return arch_analysis(arch)->insn_sets[mode];
}

const char *insn_problem(void)
{
    for (unsigned id = 0; id < ARCH_COUNT; id++)
        for (unsigned mode = 0; mode < CODE_MODE_COUNT; mode++) {
            const struct insn_set *set =
                insn_set_for(arch_get((enum arch_id)id), (enum code_mode)mode);
            const char *problem = set ? set->decoder->problem() : NULL;

            if (problem)
                return problem;
        }
    return NULL;
}

void insn_first_bytes(const char *bytes, bool first[256])
{
    memset(first, bytes == NULL, 256);
    for (; bytes && *bytes; bytes++)
        first[(uint8_t)*bytes] = true;
}

enum status decoder_create(const struct insn_set *set, struct decoder **out)
{
    struct decoder *decoder = calloc(1, sizeof(*decoder));
    enum status status;

    if (!decoder)
        return STATUS_NO_MEMORY;
    decoder->set = set;
    status = set->decoder->open(decoder);
    if (status != STATUS_OK) {
        free(decoder);
        return status;
    }
    *out = decoder;
    return STATUS_OK;
}

void decoder_destroy(struct decoder *decoder)
{
    if (!decoder)
        return;
    decoder->set->decoder->close(decoder);
    free(decoder);
}

/* Says whether the effect cannot depend on the instruction's address: it has no address. */
static bool has_no_address(const struct insn *insn)
{
    bool address = insn->has_target || insn->literal_vaddr != 0;

    for (unsigned i = 0; i < insn->op_count; i++) {
        uint8_t kind = insn->ops[i].kind;

        address = address || kind == OP_CONST || kind == OP_LITERAL || kind == OP_STRIDE ||
                  kind == OP_ELEMENT;
    }
    return !address;
}

static bool makes_call(const struct insn_set *set, enum syscall call, const uint8_t *bytes,
                       uint64_t size)
{
    unsigned number = set->system_call(bytes, size);

    return number && (int)number == syscall_number(set->arch->syscalls, call);
}

/* Says whether `bytes` call clone, or clone3, whose number is the same on all architectures. */
static bool makes_thread(const struct insn_set *set, const uint8_t *bytes, uint64_t size)
{
    return makes_call(set, CALL_CLONE, bytes, size) || set->system_call(bytes, size) == NR_CLONE3;
}

static bool set_ends_thread(const struct insn_set *set, const uint8_t *bytes, uint64_t at,
                            uint64_t size)
{
    if (at > size)
        return false;
    if (!makes_call(set, CALL_EXIT, bytes + at, size - at))
        return false;
    for (uint64_t i = at % set->alignment; i < at; i += set->alignment)
        if (makes_thread(set, bytes + i, size - i))
            return true;
    return false;
}

bool insn_ends_thread(const struct arch *arch, const uint8_t *bytes, uint64_t at, uint64_t size)
{
    for (unsigned mode = CODE_DEFAULT; mode < CODE_MODE_COUNT; mode++) {
        const struct insn_set *set = insn_set_for(arch, (enum code_mode)mode);

        if (set && set->system_call && set_ends_thread(set, bytes, at, size))
            return true;
    }
    return false;
}

/* Are there, in the bytes before bytes[at], the four of the number of clone or clone3? */
static bool has_clone_number(const struct arch *arch, const uint8_t *bytes, uint64_t at)
{
    for (uint64_t i = at > NUMBER_BEFORE ? at - NUMBER_BEFORE : 0; i + 4 <= at; i++) {
        const uint32_t number = bytes[i] | (uint32_t)bytes[i + 1] << 8 |
                                (uint32_t)bytes[i + 2] << 16 | (uint32_t)bytes[i + 3] << 24;

        if (number == NR_CLONE3 || (int)number == syscall_number(arch->syscalls, CALL_CLONE))
            return true;
    }
    return false;
}

static bool set_clones_before(const struct insn_set *set, const uint8_t *bytes, uint64_t at)
{
    for (uint64_t i = at % set->alignment; i < at; i += set->alignment)
        if (set->system_call ? makes_thread(set, bytes + i, at - i)
                             : syscall_insn_at(set->arch, bytes + i, at - i) &&
                                   has_clone_number(set->arch, bytes, i))
            return true;
    return false;
}

bool insn_clones_before(const struct arch *arch, const uint8_t *bytes, uint64_t at)
{
    for (unsigned mode = CODE_DEFAULT; mode < CODE_MODE_COUNT; mode++) {
        const struct insn_set *set = insn_set_for(arch, (enum code_mode)mode);

        if (set && set_clones_before(set, bytes, at))
            return true;
    }
    return false;
}

bool insn_is_behind_start(const struct arch *arch, const uint8_t *bytes, uint64_t at)
{
    for (unsigned mode = CODE_DEFAULT; mode < CODE_MODE_COUNT; mode++) {
        const struct insn_set *set = insn_set_for(arch, (enum code_mode)mode);

        for (uint64_t i = set ? at % set->alignment : at; i + START_CODE_SIZE <= at;
             i += set->alignment)
            if (memcmp(bytes + i, set->start_code, START_CODE_SIZE) == 0)
                return true;
    }
    return false;
}

bool insn_makes_thread(const struct arch *arch, const uint8_t *bytes, uint64_t size)
{
    for (unsigned mode = CODE_DEFAULT; mode < CODE_MODE_COUNT; mode++) {
        const struct insn_set *set = insn_set_for(arch, (enum code_mode)mode);
        unsigned most;

        if (!set || !set->system_call)
            continue;
        /* Two instructions; T32's move has 2 or 4 bytes, its call 2; RISC-V's have 4 each. */
        most = 2u * arch->syscall_size;
        most = 3u * set->alignment > most ? 3u * set->alignment : most;
        for (uint64_t code = 2u * set->alignment; code <= 8 && code <= most && code <= size;
             code += 2)
            if (makes_thread(set, bytes + size - code, code))
                return true;
    }
    return false;
}

unsigned insn_behind_call(const struct arch *arch, const uint8_t *bytes, uint64_t size)
{
    const struct arch_analysis *analysis = arch_analysis(arch);
    unsigned checks = analysis->result_checks ? analysis->result_checks(bytes, size) : 0;
    unsigned call = syscall_insn_before(arch, bytes, size - checks);

    return call ? call + checks : 0;
}

enum status decoder_decode(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                           uint64_t vaddr, uint8_t context, struct insn *out)
{
    enum status status;

    memset(out, 0, offsetof(struct insn, ops)); /* not the operations, which op_count bounds */
    out->vaddr = vaddr;
    out->jump_reg = REG_NONE;
    out->context = context;
    status = decoder->set->decode(decoder, bytes, size, vaddr, out);
    if (!decoder->set->tells_anywhere)
        out->anywhere = has_no_address(out);
    return status;
}

enum status decoder_text(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                         uint64_t vaddr, uint8_t context, struct insn_text *out)
{
    *out = (struct insn_text){.by_mask = false};
    return decoder->set->decoder->text(decoder, bytes, size, vaddr, context, out);
}
