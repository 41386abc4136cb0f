#include "arch/insn/insn.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "arch/insn/private.h"

const struct insn_set *insn_set_for(const struct arch *arch, enum code_mode mode)
{
    static const struct insn_set *const sets[] = {&insn_set_x86_64, &insn_set_i386, &insn_set_a32,
                                                  &insn_set_t32, &insn_set_a64};

    for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
        if (sets[i]->arch == arch->id && sets[i]->mode == mode)
            return sets[i];
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

    if (!decoder)
        return STATUS_NO_MEMORY;
    decoder->set = set;
    decoder->capstone = capstone_calls();
    if (!decoder->capstone) {
        free(decoder);
        return STATUS_UNSUPPORTED;
    }
    if (decoder->capstone->open((cs_arch)set->capstone_arch, (cs_mode)set->capstone_mode,
                                &decoder->handle) != CS_ERR_OK) {
        free(decoder);
        return STATUS_UNSUPPORTED;
    }
    decoder->capstone->option(decoder->handle, CS_OPT_DETAIL, CS_OPT_ON);
    decoder->insn = decoder->capstone->malloc(decoder->handle);
    if (!decoder->insn) {
        decoder_destroy(decoder);
        return STATUS_NO_MEMORY;
    }
    *out = decoder;
    return STATUS_OK;
}

void decoder_destroy(struct decoder *decoder)
{
    if (!decoder)
        return;
    if (decoder->insn)
        decoder->capstone->free(decoder->insn, 1);
    decoder->capstone->close(&decoder->handle);
    free(decoder);
}

/*
 * Nothing of the effect can come from where the instruction stands: it has no address of anything.
 */
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

static bool set_ends_thread(const struct insn_set *set, const uint8_t *bytes, uint64_t at,
                            uint64_t size)
{
    if (at > size)
        return false;
    for (uint64_t i = at % set->alignment; i + START_CODE_SIZE <= at; i += set->alignment)
        if (memcmp(bytes + i, set->start_code, START_CODE_SIZE) == 0)
            return true;
    if (set->system_call(bytes + at, size - at) != set->exit_call)
        return false;
    for (uint64_t i = at % set->alignment; i < at; i += set->alignment)
        if (set->system_call(bytes + i, size - i) == set->clone_call)
            return true;
    return false;
}

bool insn_ends_thread(const struct arch *arch, const uint8_t *bytes, uint64_t at, uint64_t size)
{
    for (unsigned mode = CODE_DEFAULT; mode <= CODE_T32; mode++) {
        const struct insn_set *set = insn_set_for(arch, (enum code_mode)mode);

        if (set && set->system_call && set_ends_thread(set, bytes, at, size))
            return true;
    }
    return false;
}

static unsigned system_call_size(const struct arch *arch, const uint8_t *bytes, uint64_t size)
{
    static const struct {
        enum arch_id arch;
        uint8_t size;
        uint8_t bytes[4];
    } calls[] = {
        {ARCH_X86_64, 2, {0x0f, 0x05}},              /* syscall */
        {ARCH_I386, 2, {0xcd, 0x80}},                /* int $0x80 */
        {ARCH_AARCH64, 4, {0x01, 0x00, 0x00, 0xd4}}, /* svc #0 */
        {ARCH_ARM, 4, {0x00, 0x00, 0x00, 0xef}},     /* svc 0 */
        {ARCH_ARM, 2, {0x00, 0xdf}},                 /* svc 0, T32 */
    };

    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        if (calls[i].arch == arch->id && size >= calls[i].size &&
            memcmp(bytes + size - calls[i].size, calls[i].bytes, calls[i].size) == 0)
            return calls[i].size;
    return 0;
}

/* Bytes at the end that are: test %rax,%rax, and may be jl and je. */
static unsigned checks_size(const struct arch *arch, const uint8_t *bytes, uint64_t size)
{
    static const uint8_t test[] = {0x48, 0x85, 0xc0};
    uint64_t at = size;

    if (arch->id != ARCH_X86_64)
        return 0;
    for (unsigned i = 0; i < 2 && at >= 2 && (bytes[at - 2] == 0x7c || bytes[at - 2] == 0x74); i++)
        at -= 2;
    if (at < sizeof(test) || memcmp(bytes + at - sizeof(test), test, sizeof(test)) != 0)
        return 0;
    return (unsigned)(size - at + sizeof(test));
}

unsigned insn_behind_call(const struct arch *arch, const uint8_t *bytes, uint64_t size)
{
    unsigned checks = checks_size(arch, bytes, size);
    unsigned call = system_call_size(arch, bytes, size - checks);

    return call ? call + checks : 0;
}

enum status decoder_decode(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                           uint64_t vaddr, uint8_t context, struct insn *out)
{
    enum status status;

    memset(out, 0, offsetof(struct insn, ops)); /* the operations are many, and counted */
    out->vaddr = vaddr;
    out->jump_reg = REG_NONE;
    out->context = context;
    status = decoder->set->decode(decoder, bytes, size, vaddr, out);
    if (!decoder->set->tells_anywhere)
        out->anywhere = has_no_address(out);
    return status;
}
