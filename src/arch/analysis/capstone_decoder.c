#include "arch/analysis/capstone_decoder.h"

#include <stdlib.h>

static void close_state(struct decoder *decoder)
{
    struct capstone_state *state = decoder->state;

    if (state->insn)
        state->calls->free(state->insn, 1);
    state->calls->close(&state->handle);
    free(state);
}

static enum status open_state(struct decoder *decoder)
{
    struct capstone_state *state = calloc(1, sizeof(*state));

    if (!state)
        return STATUS_NO_MEMORY;
    state->calls = capstone_calls();
    if (!state->calls ||
        state->calls->open((cs_arch)decoder->set->decoder_arch, (cs_mode)decoder->set->decoder_mode,
                           &state->handle) != CS_ERR_OK) {
        free(state);
        return STATUS_UNSUPPORTED;
    }
    decoder->state = state;
    state->calls->option(state->handle, CS_OPT_DETAIL, CS_OPT_ON);
    state->insn = state->calls->malloc(state->handle);
    if (!state->insn) {
        close_state(decoder);
        return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

const struct decoder_kind capstone_decoder = {.open = open_state,
                                              .close = close_state,
                                              .problem = capstone_problem};
