/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/serve.h"

#include <unistd.h>

#include "variables/dwarf/child_memory.h"
#include "variables/dwarf/pipes.h"
#include "variables/dwarf/reader/reader.h"
#include "variables/dwarf/reader/scopes.h"

bool serve_is_possible(struct diag *why)
{
    if (libdwarf_calls())
        return true;
    diag_set(why, NULL, "variables cannot be told: %s", libdwarf_problem());
    diag_hint(why, "install libdwarf");
    return false;
}

static enum wire_result answer(struct debug_reader *reader, const struct wire_question *question)
{
    switch ((enum wire_kind)question->kind) {
    case WIRE_SCOPE:
        return scope_answer(reader, question->vaddr);
    case WIRE_TYPE:
        return type_answer(reader, question->ref);
    case WIRE_CALL_SITE:
        return call_site_answer(reader, question->vaddr);
    case WIRE_VARIABLE:
        return variable_answer(reader, question->ref, question->vaddr);
    }
    _exit(CHILD_EXIT_CONFUSED);
}

static void add_files(struct debug_reader *reader, const struct serve_context *context)
{
    for (size_t i = 0; i < context->file_count && i < DEBUG_FILES_MAX; i++) {
        reader->sources[i] = child_alloc(sizeof(*reader->sources[i]));
        reader->sources[i]->file = context->files[i];
    }
    reader->source_count = context->file_count;
}

void serve_questions(void *from_parent, const struct child *parent, int in, int out)
{
    const struct serve_context *context = from_parent;
    struct debug_reader *reader = child_alloc(sizeof(*reader));

    reader->dw = libdwarf_calls();
    reader->in = in;
    reader->out = out;
    reader->notes = parent->notes;
    reader->pc_mask = context->pc_mask;
    reader->bad_units = context->bad_units;
    reader->bad_unit_count = context->bad_unit_count;
    reader->search_ms = (int64_t)context->seconds * 500;
    add_files(reader, context);
    /* Else libdwarf keeps a list of all its allocations, to free them at the end. */
    reader->dw->set_de_alloc_flag(0);
    for (;;) {
        struct wire_question question;
        struct wire_head head;

        pipe_read_or_exit(in, &question, sizeof(question));
        reader->notes->asked_unit = 0;
        wire_reset(&reader->answer);
        head.result = answer(reader, &question);
        if (reader->answer.is_over)
            head.result = WIRE_DAMAGED;
        head.damage = reader->damage;
        head.size = head.result == WIRE_FOUND ? (uint32_t)reader->answer.len : 0;
        pipe_write_or_exit(out, &head, sizeof(head));
        pipe_write_or_exit(out, reader->answer.bytes, head.size);
    }
}
