/* SPDX-License-Identifier: MIT */
#include "arch/analysis/capstone_decoder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void close_state(struct decoder *decoder)
{
    struct capstone_state *state = decoder->state;

    if (state->insn)
        state->calls->free(state->insn, 1);
    state->calls->close(&state->handle);
    free(state);
}

static bool open_handle(const struct insn_set *set, struct capstone_state *state)
{
    if (state->calls->open((cs_arch)set->decoder_arch, (cs_mode)set->decoder_mode,
                           &state->handle) != CS_ERR_OK)
        return false;
    state->calls->option(state->handle, CS_OPT_DETAIL, CS_OPT_ON);
    return true;
}

static enum status open_state(struct decoder *decoder)
{
    struct capstone_state *state = calloc(1, sizeof(*state));

    if (!state)
        return STATUS_NO_MEMORY;
    state->calls = capstone_calls();
    if (!state->calls || !open_handle(decoder->set, state)) {
        free(state);
        return STATUS_UNSUPPORTED;
    }
    decoder->state = state;
    state->insn = state->calls->malloc(state->handle);
    if (!state->insn) {
        close_state(decoder);
        return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

/*
 * After T32's `it` Capstone reads the next instruction as conditional, whichever that is: opens the
 * handle anew. False: that failed.
 */
static bool forget_conditions(const struct insn_set *set, struct capstone_state *state)
{
    if (set->mode != CODE_T32 || strncmp(state->insn->mnemonic, "it", 2) != 0)
        return true;
    state->calls->close(&state->handle);
    return open_handle(set, state);
}

static enum status text(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                        uint64_t vaddr, uint8_t context, struct insn_text *out)
{
    struct capstone_state *state = decoder->state;
    const cs_insn *read = state->insn;
    struct insn insn;
    uint64_t next = vaddr;
    size_t left = size < INSN_SIZE_MAX ? (size_t)size : INSN_SIZE_MAX;
    enum status status;

    state->insn->size = 0; /* stays 0 if Capstone is not asked */
    status = decoder_decode(decoder, bytes, size, vaddr, context, &insn);
    out->by_mask = status == STATUS_OK && read->size == 0;
    if (!capstone_next(decoder, &bytes, &left, &next))
        return status;
    snprintf(out->text, sizeof(out->text), "%s%s%s", read->mnemonic, read->op_str[0] ? " " : "",
             read->op_str);
    return forget_conditions(decoder->set, state) ? status : STATUS_NO_MEMORY;
}

const struct decoder_kind capstone_decoder = {.open = open_state,
                                              .close = close_state,
                                              .problem = capstone_problem,
                                              .text = text};
