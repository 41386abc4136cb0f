/* SPDX-License-Identifier: MIT */
/* Answers: what is asked for (debug_info.h), written to reader->answer as decode.h reads it. */
#ifndef VARIABLES_DWARF_READER_SCOPES_H
#define VARIABLES_DWARF_READER_SCOPES_H

#include "variables/dwarf/reader/reader.h"

enum wire_result scope_answer(struct debug_reader *reader, uint64_t vaddr);
enum wire_result variable_answer(struct debug_reader *reader, die_ref ref, uint64_t vaddr);
enum wire_result call_site_answer(struct debug_reader *reader, uint64_t vaddr);
enum wire_result type_answer(struct debug_reader *reader, die_ref ref);

#endif
