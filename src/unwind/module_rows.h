/* SPDX-License-Identifier: MIT */
/*
 * Finds the rows of one module by each source, and answers questions about places in its code. CFI
 * indexes and analysed functions are made when first needed and cached. Functions that return a
 * bool return false, unless they say otherwise, also where the module's code or function is not
 * known. All `vaddr` are addresses in the module's file.
 */
#ifndef UNWIND_MODULE_ROWS_H
#define UNWIND_MODULE_ROWS_H

#include <stdint.h>

#include "arch/analysis/insn.h"
#include "base/status.h"
#include "symbol/module.h"
#include "unwind/row/row.h"

struct module_rows;

/*
 * Prepares the rows of `module`; *out is the caller's, and borrows `set` and `module`, which must
 * outlive it. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status module_rows_create(struct module_set *set, struct module *module,
                                          struct module_rows **out);
/* Pieces of the code of a module that has no file. */
struct code_islands {
    /* owned; has a segment for each piece, which may begin in mid-function */
    struct elf_image *image;
    uint64_t boundary_vaddr;  /* start of the mapping: a piece that starts there cuts no function */
    struct vaddr_range *made; /* owned; ranges of functions made at run time */
    size_t made_count;
};

/*
 * As module_rows_create, but the code is that of `islands` instead of the module's file. Takes
 * ownership of what `islands` owns, even if it fails.
 */
MUST_CHECK enum status module_rows_create_islands(struct module_set *set, struct module *module,
                                                  const struct code_islands *islands,
                                                  struct module_rows **out);
void module_rows_destroy(struct module_rows *rows);

/*
 * The next three functions set up what was made: call them before the first look-up of a row or
 * function.
 */

/* Makes functions be found as if the file had no unwind tables, and no symbols except .dynsym. */
void module_rows_set_code_only(struct module_rows *rows);

/*
 * Makes module_rows_function use tables and symbols only, without a search of the code;
 * module_rows_functions still searches.
 */
void module_rows_set_no_search(struct module_rows *rows);

/* Makes searches of code use results of earlier runs from `cache`, which is borrowed. */
struct cache;
void module_rows_set_cache(struct module_rows *rows, struct cache *cache);
/* Stores results of searches in the cache of module_rows_set_cache; does nothing without one. */
void module_rows_keep(struct module_rows *rows);

/*
 * Sets *out to the row of one source (DEBUG_FRAME, EH_FRAME, EXIDX, GOPCLNTAB, PROLOGUE) for
 * `vaddr`; owned by `rows`, valid until the next call. NOT_FOUND, BAD_DATA, UNSUPPORTED: the source
 * has no row there; NO_MEMORY. NOT_FOUND for the two CFI sources also in exception handlers that
 * the analysis has rows for, since CFI describes handlers like functions.
 */
MUST_CHECK enum status module_rows_find(struct module_rows *rows, enum trust source, uint64_t vaddr,
                                        const struct row **out);

/*
 * Sets *start_vaddr and *end_vaddr to the range of the function that holds `vaddr`, by tables,
 * symbols and search of the code. NOT_FOUND: no function; UNSUPPORTED: as module_rows_code;
 * NO_MEMORY. Functions below whose comments name no errors fail in the same way.
 */
MUST_CHECK enum status module_rows_function(struct module_rows *rows, uint64_t vaddr,
                                            uint64_t *start_vaddr, uint64_t *end_vaddr);

/* As module_rows_function, but without a new search of the code. */
MUST_CHECK enum status module_rows_known_function(struct module_rows *rows, uint64_t vaddr,
                                                  uint64_t *start_vaddr, uint64_t *end_vaddr);

/* Sets *out to the rows by analysis of the function that holds `vaddr`, as prologue_source_rows. */
struct row_table;
MUST_CHECK enum status module_rows_analyse(struct module_rows *rows, uint64_t vaddr,
                                           const struct row_table **out);

/* Sets *out to the analysis of the function that holds `vaddr`, as prologue_source_analyse. */
struct prologue;
MUST_CHECK enum status module_rows_prologue(struct module_rows *rows, uint64_t vaddr,
                                            const struct prologue **out);

/*
 * Analyses the function that holds `vaddr`, and fills *out with the analysis and its inputs, as
 * prologue_source_record.
 */
struct recorded_analysis;
MUST_CHECK enum status module_rows_record(struct module_rows *rows, uint64_t vaddr,
                                          struct recorded_analysis *out);

/*
 * Sets *out to the module's decoded code, owned by `rows`. UNSUPPORTED: the module has no code, or
 * its architecture no instruction set here; NO_MEMORY.
 */
struct code;
MUST_CHECK enum status module_rows_code(struct module_rows *rows, struct code **out);

/*
 * Sets *out to all functions that can be found, after a search of all code; owned by `rows`, valid
 * until the next call.
 */
struct functions;
MUST_CHECK enum status module_rows_functions(struct module_rows *rows,
                                             const struct functions **out);

/*
 * Return the module's .ARM.exidx, or its CFI of `source` (TRUST_DEBUG_FRAME or TRUST_EH_FRAME);
 * owned by `rows`; NULL: the module has no such table that can be used.
 */
struct exidx;
const struct exidx *module_rows_exidx(struct module_rows *rows);
struct cfi;
struct cfi *module_rows_cfi(struct module_rows *rows, enum trust source);

/* Returns the tables of Go's runtime, owned by the module; NULL: it has none that can be read. */
struct gopclntab;
const struct gopclntab *module_rows_go(struct module_rows *rows);

/*
 * Returns the entry point of the module's file (symbol/elf/entry_point.h); 0: it has none, or there
 * is no file.
 */
uint64_t module_rows_entry(struct module_rows *rows);

/* Whether a signal trampoline begins at `vaddr`; if so, fills *row with the trampoline's row. */
bool module_rows_is_sigreturn(struct module_rows *rows, uint64_t vaddr, struct row *row);
/* The same by other instructions that make rt_sigreturn, with SP as at `vaddr`; takes longer. */
bool module_rows_executes_sigreturn(struct module_rows *rows, uint64_t vaddr, struct row *row);
/* Whether the code at `vaddr` ends its thread (exit) before it calls or branches. */
bool module_rows_exits_ahead(struct module_rows *rows, uint64_t vaddr, enum code_mode mode);

/*
 * Returns leaf_changes (code/leaf.h) of the function that holds `vaddr`: a mask of the registers
 * that it may change; UINT64_MAX: there is no such function, or its registers are not known.
 */
uint64_t module_rows_leaf_changes(struct module_rows *rows, uint64_t vaddr);

/*
 * Returns leaf_changes (code/leaf.h) of the function that the call which ends at `vaddr` calls: a
 * mask of the registers that it may change. UINT64_MAX: not known, or the call is not a direct one
 * of 4 bytes, or calls push the return address (x86).
 */
uint64_t module_rows_callee_changes(struct module_rows *rows, uint64_t vaddr);

/*
 * Returns argument_holds (code/argument.h) for the call that returns to `vaddr`: whether argument
 * register `reg` was made of the registers `parts` (a mask), and these have not changed since.
 */
bool module_rows_argument_holds(struct module_rows *rows, uint64_t vaddr, uint8_t reg,
                                uint64_t parts);

/*
 * Returns how many bytes before `vaddr` a system call instruction begins, if the code since then
 * only looks at its result (insn_behind_call); 0: the code does not, or cannot be read.
 */
unsigned module_rows_behind_call(struct module_rows *rows, uint64_t vaddr);

/* Returns the target of the direct call that ends at `vaddr`; 0: none does, or it is not known. */
uint64_t module_rows_called_at(struct module_rows *rows, uint64_t vaddr, enum code_mode mode);

/* Whether a direct call of a PLT's stub ends at `vaddr`. */
bool module_rows_calls_stub(struct module_rows *rows, uint64_t vaddr, enum code_mode mode);

/* Whether the instruction at `vaddr` is a return. */
bool module_rows_returns_at(struct module_rows *rows, uint64_t vaddr);

/*
 * Whether the code before `vaddr` ends with the system call that makes a thread
 * (insn_makes_thread).
 */
bool module_rows_makes_thread(struct module_rows *rows, uint64_t vaddr);

/* Whether there is a system call shortly before `vaddr` that makes a thread, or may. */
bool module_rows_clones_before(struct module_rows *rows, uint64_t vaddr);

/* Whether the return address `vaddr` is in a thread's outermost function (insn_ends_thread). */
bool module_rows_ends_thread(struct module_rows *rows, uint64_t vaddr);

/*
 * Whether control falls through from `vaddr` to `end_vaddr`: calls return, no branch is taken, and
 * no jump, return, stop or padding lies between. False also if code between cannot be read.
 */
bool module_rows_goes_on(struct module_rows *rows, uint64_t vaddr, uint64_t end_vaddr,
                         enum code_mode mode);

/*
 * Whether one of the 16 instructions from `vaddr` on writes one of `registers` (a mask); those
 * after the first jump, branch, call or return do not count.
 */
bool module_rows_writes_ahead(struct module_rows *rows, uint64_t vaddr, enum code_mode mode,
                              uint64_t registers);

/* Whether the bytes before `vaddr` can be a call. True also if the module's code cannot be read. */
bool module_rows_after_call(struct module_rows *rows, uint64_t vaddr, enum code_mode mode);

/*
 * Whether a call that is written by hand returns to `vaddr`: the function jumps right before it,
 * and by the analysis of its code a register or a word of its stack has this address then, as after
 * "lea 1f(%rip), %rax; push %rax; jmp f; 1:" and "adr x30, 1f; b f; 1:". Not told beyond the
 * function's first 4 KiB.
 */
bool module_rows_called_by_hand(struct module_rows *rows, uint64_t vaddr);

/* Whether the bytes before `vaddr` stand for absent code (code/absent.h). */
bool module_rows_is_absent(struct module_rows *rows, uint64_t vaddr);

/*
 * Whether a function that returns to `vaddr` is the first of a context, for which makecontext made
 * the return address. No call ends there, but for one with which a function begins (RISC-V's), and
 * the code is a continuation (continuation_at); or, if `by_tables`, a function that never returns
 * and does not first of all make a system call, as what signal handlers return to does.
 * `by_tables`: tables say where the return address is.
 */
bool module_rows_begins_chain(struct module_rows *rows, uint64_t vaddr, bool by_tables);

/*
 * Whether `vaddr` is the address to which the first function of each goroutine returns: the call in
 * Go's goexit, which is a nop and a call. Nothing calls goexit: gostartcall makes the return
 * address.
 */
bool module_rows_is_goexit(struct module_rows *rows, uint64_t vaddr, enum code_mode mode);

/*
 * Whether a direct call that ends at `vaddr` calls a function of this module that makes no tail
 * call. Sets *start_vaddr to the start of the called function, after thunks, even if it may make
 * one; 0: there is no such call.
 */
bool module_rows_called_before(struct module_rows *rows, uint64_t vaddr, enum code_mode mode,
                               uint64_t *start_vaddr);

/*
 * Whether a direct call to `start_vaddr` ends at `vaddr` or at most 512 bytes before, as a table
 * may follow the call; if so, sets *return_vaddr to the end of the nearest such call.
 */
bool module_rows_call_before(struct module_rows *rows, uint64_t vaddr, enum code_mode mode,
                             uint64_t start_vaddr, uint64_t *return_vaddr);

/*
 * Whether the function that holds `vaddr` has a jump or branch to `target_vaddr`, by its analysis.
 */
bool module_rows_jumps_to(struct module_rows *rows, uint64_t vaddr, uint64_t target_vaddr);

/*
 * Whether a direct call in the module leads to `vaddr`. Bytes that are no call may look like one by
 * chance.
 */
bool module_rows_is_called(struct module_rows *rows, uint64_t vaddr);

/*
 * Whether the call that ends at `vaddr` may have led to code outside of all files: true for an
 * indirect call, and for a direct call of a function of this module that may jump elsewhere; false
 * for a call through a PLT.
 */
bool module_rows_calls_anything(struct module_rows *rows, uint64_t vaddr, enum code_mode mode);

#endif
