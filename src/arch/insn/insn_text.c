/* Instructions as people read them. */
#include <stdio.h>
#include <string.h>

#include "arch/insn/private.h"

/*
 * T32's `it` changes how Capstone reads what follows, whichever instruction that is: it begins anew.
 */
static enum status forget_conditions(struct decoder *decoder)
{
    const struct capstone_calls *capstone = decoder->capstone;

    if (decoder->set->mode != CODE_T32 || strncmp(decoder->insn->mnemonic, "it", 2) != 0)
        return STATUS_OK;
    capstone->close(&decoder->handle);
    if (capstone->open((cs_arch)decoder->set->capstone_arch, (cs_mode)decoder->set->capstone_mode,
                       &decoder->handle) != CS_ERR_OK)
        return STATUS_NO_MEMORY;
    capstone->option(decoder->handle, CS_OPT_DETAIL, CS_OPT_ON);
    return STATUS_OK;
}

enum status decoder_text(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                         uint64_t vaddr, uint8_t context, struct insn_text *out)
{
    const struct cs_insn *read = decoder->insn;
    struct insn insn;
    uint64_t next = vaddr;
    size_t left = size < INSN_SIZE_MAX ? (size_t)size : INSN_SIZE_MAX;
    enum status status, renewed = STATUS_OK;

    *out = (struct insn_text){.by_mask = false};
    decoder->insn->size = 0; /* stays so where Capstone is not asked */
    status = decoder_decode(decoder, bytes, size, vaddr, context, &insn);
    out->by_mask = status == STATUS_OK && read->size == 0;
    if (decoder->capstone->disasm_iter(decoder->handle, &bytes, &left, &next, decoder->insn)) {
        snprintf(out->text, sizeof(out->text), "%s%s%s", read->mnemonic, read->op_str[0] ? " " : "",
                 read->op_str);
        renewed = forget_conditions(decoder);
    }
    return renewed == STATUS_OK ? status : renewed;
}
