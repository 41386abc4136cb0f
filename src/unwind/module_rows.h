/* SPDX-License-Identifier: MIT */
/*
 * The rows of one module by each source. CFI indexes and analysed functions are made when first
 * needed and cached. Predicates are false, unless they say otherwise, where the module's code or
 * function is not known.
 */
#ifndef UNWIND_MODULE_ROWS_H
#define UNWIND_MODULE_ROWS_H

#include <stdint.h>

#include "arch/analysis/insn.h"
#include "base/status.h"
#include "symbol/module.h"
#include "unwind/row/row.h"

struct module_rows;

/* Borrows `set` and `module`, which outlive the rows. Only NO_MEMORY fails. */
MUST_CHECK enum status module_rows_create(struct module_set *set, struct module *module,
                                          struct module_rows **out);
/* Pieces of the code of a module without file. */
struct code_islands {
    struct elf_image *image;  /* owned; a segment for each piece, which may begin in mid-function */
    uint64_t boundary_vaddr;  /* start of the mapping: a piece that starts here cuts no function */
    struct vaddr_range *made; /* owned; known functions */
    size_t made_count;
};

/* As module_rows_create, for pieces of code. Takes over what `islands` owns, also on failure. */
MUST_CHECK enum status module_rows_create_islands(struct module_set *set, struct module *module,
                                                  const struct code_islands *islands,
                                                  struct module_rows **out);
void module_rows_destroy(struct module_rows *rows);

/* The next three settings come before the first look-up. */

/* Makes functions be found as if the file had no unwind tables and no symbols but .dynsym. */
void module_rows_set_code_only(struct module_rows *rows);

/* Limits module_rows_function to tables and symbols; module_rows_functions still searches. */
void module_rows_set_no_search(struct module_rows *rows);

/* Makes searches of code use results of earlier runs from `cache`, which is borrowed. */
struct cache;
void module_rows_set_cache(struct module_rows *rows, struct cache *cache);
/* Stores results of searches in the cache, if one is set. */
void module_rows_keep(struct module_rows *rows);

/*
 * Returns the row of one source (DEBUG_FRAME, EH_FRAME, EXIDX, GOPCLNTAB, PROLOGUE) for `vaddr`,
 * borrowed until the next call. NOT_FOUND, BAD_DATA, UNSUPPORTED: the source has no row there;
 * NO_MEMORY. CFI is NOT_FOUND in exception handlers whose code was analysed, since it describes
 * them like functions.
 */
MUST_CHECK enum status module_rows_find(struct module_rows *rows, enum trust source, uint64_t vaddr,
                                        const struct row **out);

/*
 * Returns the range of the function that holds `vaddr`, by tables, symbols and search of the code.
 * NOT_FOUND: no function; UNSUPPORTED: as module_rows_code; NO_MEMORY. The functions below that
 * name no errors fail in the same way.
 */
MUST_CHECK enum status module_rows_function(struct module_rows *rows, uint64_t vaddr,
                                            uint64_t *start_vaddr, uint64_t *end_vaddr);

/* As module_rows_function, without a search of the code. */
MUST_CHECK enum status module_rows_known_function(struct module_rows *rows, uint64_t vaddr,
                                                  uint64_t *start_vaddr, uint64_t *end_vaddr);

/* Returns the rows by analysis of the function that holds `vaddr`; see prologue_source_rows. */
struct row_table;
MUST_CHECK enum status module_rows_analyse(struct module_rows *rows, uint64_t vaddr,
                                           const struct row_table **out);

/* Returns the analysis of the function that holds `vaddr`; see prologue_source_analyse. */
struct prologue;
MUST_CHECK enum status module_rows_prologue(struct module_rows *rows, uint64_t vaddr,
                                            const struct prologue **out);

/* Analyses the function and keeps the inputs, too; see prologue_source_record. */
struct recorded_analysis;
MUST_CHECK enum status module_rows_record(struct module_rows *rows, uint64_t vaddr,
                                          struct recorded_analysis *out);

/*
 * Returns the module's decoded code, owned by the rows. UNSUPPORTED: no code, or no instruction set
 * for it; NO_MEMORY.
 */
struct code;
MUST_CHECK enum status module_rows_code(struct module_rows *rows, struct code **out);

/* Returns all functions that can be found, borrowed until the next call. */
struct functions;
MUST_CHECK enum status module_rows_functions(struct module_rows *rows,
                                             const struct functions **out);

/* Both return a table, owned by the rows; NULL: the module has none that is usable. */
struct exidx;
const struct exidx *module_rows_exidx(struct module_rows *rows);
struct cfi;
struct cfi *module_rows_cfi(struct module_rows *rows, enum trust source);

/* Returns the tables of Go's runtime, borrowed; NULL: the module has none that can be read. */
struct gopclntab;
const struct gopclntab *module_rows_go(struct module_rows *rows);

/* Does a signal trampoline begin at `vaddr`? Fills *row with its row then. */
bool module_rows_is_sigreturn(struct module_rows *rows, uint64_t vaddr, struct row *row);

/* Returns leaf_changes of the function that holds `vaddr`; all registers: no such function. */
uint64_t module_rows_leaf_changes(struct module_rows *rows, uint64_t vaddr);

/*
 * Returns leaf_changes of the function that the call before `vaddr` calls. All registers: the call
 * is not a direct one of 4 bytes, or calls push the return address (x86).
 */
uint64_t module_rows_callee_changes(struct module_rows *rows, uint64_t vaddr);

/* Returns argument_holds for the call that returns to `vaddr`. */
bool module_rows_argument_holds(struct module_rows *rows, uint64_t vaddr, uint8_t reg,
                                uint64_t parts);

/* Returns insn_behind_call for the code before `vaddr`; 0: there is no such code. */
unsigned module_rows_behind_call(struct module_rows *rows, uint64_t vaddr);

/* Does the code before `vaddr` end with the system call that makes a thread? */
bool module_rows_makes_thread(struct module_rows *rows, uint64_t vaddr);

/* Does the code at `vaddr` end a thread, so that its frame has no caller (insn_ends_thread)? */
bool module_rows_ends_thread(struct module_rows *rows, uint64_t vaddr);

/*
 * Does control fall through from `vaddr` to `end_vaddr`: over no jump, return, stop or padding?
 * Calls are taken to return, branches to be not taken.
 */
bool module_rows_goes_on(struct module_rows *rows, uint64_t vaddr, uint64_t end_vaddr,
                         enum code_mode mode);

/*
 * Does one of the next 16 instructions from `vaddr` on write one of `registers` (a mask), before
 * any jump, branch, call or return?
 */
bool module_rows_writes_ahead(struct module_rows *rows, uint64_t vaddr, enum code_mode mode,
                              uint64_t registers);

/* Can the bytes before `vaddr` be a call? True also when the module's code cannot be read. */
bool module_rows_after_call(struct module_rows *rows, uint64_t vaddr, enum code_mode mode);

/* Is the code before `vaddr` absent (code/absent.h)? */
bool module_rows_is_absent(struct module_rows *rows, uint64_t vaddr);

/*
 * Is `vaddr` the address to which the first function of each goroutine returns? Go's goexit is a
 * nop and a call; it is entered at the call, without having been called (gostartcall).
 */
bool module_rows_is_goexit(struct module_rows *rows, uint64_t vaddr, enum code_mode mode);

/*
 * Is there a direct call before `vaddr` to a function of this module that makes no tail call?
 * *start_vaddr is the start of that function, behind thunks; 0: there is no such call.
 */
bool module_rows_called_before(struct module_rows *rows, uint64_t vaddr, enum code_mode mode,
                               uint64_t *start_vaddr);

/*
 * Is there, at most 512 bytes (of a table behind it) before `vaddr`, a direct call to
 * `start_vaddr`? *return_vaddr is the end of the nearest one.
 */
bool module_rows_call_before(struct module_rows *rows, uint64_t vaddr, enum code_mode mode,
                             uint64_t start_vaddr, uint64_t *return_vaddr);

/* Does the function that holds `vaddr` have a jump or branch to `target_vaddr`, as analysed? */
bool module_rows_jumps_to(struct module_rows *rows, uint64_t vaddr, uint64_t target_vaddr);

/* Does a direct call in the module lead to `vaddr`? Other bytes may look like one by chance. */
bool module_rows_is_called(struct module_rows *rows, uint64_t vaddr);

/*
 * May the call before `vaddr` have led to code outside of all files? True for an indirect call, and
 * for a direct one to a function of this module that may jump elsewhere; false through a PLT.
 */
bool module_rows_calls_anything(struct module_rows *rows, uint64_t vaddr, enum code_mode mode);

#endif
