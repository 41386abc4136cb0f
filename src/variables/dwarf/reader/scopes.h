/* SPDX-License-Identifier: MIT */
/*
 * Answers the questions of debug_info.h: writes the answer to reader->answer, for decode.h, and
 * returns how that went.
 */
#ifndef VARIABLES_DWARF_READER_SCOPES_H
#define VARIABLES_DWARF_READER_SCOPES_H

#include "variables/dwarf/reader/reader.h"

enum wire_result scope_answer(struct debug_reader *reader, uint64_t vaddr);
enum wire_result variable_answer(struct debug_reader *reader, die_ref ref, uint64_t vaddr);
enum wire_result call_site_answer(struct debug_reader *reader, uint64_t vaddr);
enum wire_result type_answer(struct debug_reader *reader, die_ref ref);

#endif
