/* SPDX-License-Identifier: MIT */
/*
 * The rows of one module by each source: CFI indexes and analysed functions, made when first needed
 * and cached.
 */
#ifndef UNWIND_MODULE_ROWS_H
#define UNWIND_MODULE_ROWS_H

#include <stdint.h>

#include "arch/analysis/insn.h"
#include "base/status.h"
#include "symbol/module.h"
#include "unwind/row/row.h"

struct module_rows;

/* `set` and `module` are borrowed and outlive the rows. */
MUST_CHECK enum status module_rows_create(struct module_set *set, struct module *module,
                                          struct module_rows **out);
/*
 * What of a module without file is there: `image` is made of pieces of its code, which may begin
 * anywhere in a function, but for one that begins at `boundary_vaddr`. `made`: functions that are
 * known to be there.
 */
struct code_islands {
    struct elf_image *image;
    uint64_t boundary_vaddr;
    struct vaddr_range *made;
    size_t made_count;
};

/* The rows of such a module. Takes over what `islands` owns, also on failure. */
MUST_CHECK enum status module_rows_create_islands(struct module_set *set, struct module *module,
                                                  const struct code_islands *islands,
                                                  struct module_rows **out);
void module_rows_destroy(struct module_rows *rows);

/*
 * From now on functions are found as if the file had no unwind tables and no symbols but .dynsym.
 * To be said before anything is asked for.
 */
void module_rows_set_code_only(struct module_rows *rows);

/*
 * From now on no code is searched for functions: where tables and symbols do not tell there is
 * none. To be said before anything is asked for.
 */
void module_rows_set_no_search(struct module_rows *rows);

/*
 * From now on searches of code use what earlier runs have found and the cache has, and the other
 * way round (module_rows_keep). To be said before anything is asked for. `cache` is borrowed.
 */
struct cache;
void module_rows_set_cache(struct module_rows *rows, struct cache *cache);
void module_rows_keep(struct module_rows *rows);

/*
 * The row of one source (DEBUG_FRAME, EH_FRAME, EXIDX, GOPCLNTAB, PROLOGUE) at `vaddr`. NOT_FOUND,
 * BAD_DATA, UNSUPPORTED: the source has no answer; NO_MEMORY. The row is borrowed until the next
 * call. CFI has none of an exception's handler whose code is understood: it does not know what that
 * returns to.
 */
MUST_CHECK enum status module_rows_find(struct module_rows *rows, enum trust source, uint64_t vaddr,
                                        const struct row **out);

/* The function that holds `vaddr`, from symbols, FDEs and the code. NOT_FOUND. */
MUST_CHECK enum status module_rows_function(struct module_rows *rows, uint64_t vaddr,
                                            uint64_t *start_vaddr, uint64_t *end_vaddr);

/* The same without a search of the code: NOT_FOUND where tables and symbols do not tell. */
MUST_CHECK enum status module_rows_known_function(struct module_rows *rows, uint64_t vaddr,
                                                  uint64_t *start_vaddr, uint64_t *end_vaddr);

/* The analysed rows of the function that holds `vaddr`, for printing. */
struct row_table;
MUST_CHECK enum status module_rows_analyse(struct module_rows *rows, uint64_t vaddr,
                                           const struct row_table **out);

/* The analysis of that function, to be visited. As prologue_source_analyse. */
struct prologue;
MUST_CHECK enum status module_rows_prologue(struct module_rows *rows, uint64_t vaddr,
                                            const struct prologue **out);

/* That analysis with what it began with. As prologue_source_record. */
struct recorded_analysis;
MUST_CHECK enum status module_rows_record(struct module_rows *rows, uint64_t vaddr,
                                          struct recorded_analysis *out);

/*
 * The module's instructions. UNSUPPORTED: there is no code, or no instruction set for it. Owned by
 * the rows.
 */
struct code;
MUST_CHECK enum status module_rows_code(struct module_rows *rows, struct code **out);

/* All functions that can be found. Borrowed until the next call. */
struct functions;
MUST_CHECK enum status module_rows_functions(struct module_rows *rows,
                                             const struct functions **out);

/* NULL: the module has none. */
struct exidx;
const struct exidx *module_rows_exidx(struct module_rows *rows);
struct cfi;
struct cfi *module_rows_cfi(struct module_rows *rows, enum trust source);

/* The tables of Go's runtime; NULL: the module has none that can be read. */
struct gopclntab;
const struct gopclntab *module_rows_go(struct module_rows *rows);

/* Does a signal trampoline begin at `vaddr`? Then its row by code analysis goes to *row. */
bool module_rows_is_sigreturn(struct module_rows *rows, uint64_t vaddr, struct row *row);

/* Of the function at `vaddr`: see leaf_changes. All registers: there is none. */
uint64_t module_rows_leaf_changes(struct module_rows *rows, uint64_t vaddr);

/*
 * The same of what the call before `vaddr` calls, on ARM and AArch64. All: it is no direct one.
 */
uint64_t module_rows_callee_changes(struct module_rows *rows, uint64_t vaddr);

/* See argument_holds, of the call that returns to `vaddr`. */
bool module_rows_argument_holds(struct module_rows *rows, uint64_t vaddr, uint8_t reg,
                                uint64_t parts);

/* See insn_behind_call. */
unsigned module_rows_behind_call(struct module_rows *rows, uint64_t vaddr);

/* Does the code before `vaddr` end with the system call that makes a thread? */
bool module_rows_makes_thread(struct module_rows *rows, uint64_t vaddr);

/* Does `vaddr` begin the end of a thread? See insn_ends_thread. */
bool module_rows_ends_thread(struct module_rows *rows, uint64_t vaddr);

/*
 * Does the code at `vaddr` go on to `end_vaddr`, the calls in it returning, past no jump, return or
 * stop, and nothing that fills up between functions?
 */
bool module_rows_goes_on(struct module_rows *rows, uint64_t vaddr, uint64_t end_vaddr,
                         enum code_mode mode);

/*
 * Does the code from `vaddr` on come to an instruction that writes one of `registers` (a mask)
 * before it jumps, calls or returns?
 */
bool module_rows_writes_ahead(struct module_rows *rows, uint64_t vaddr, enum code_mode mode,
                              uint64_t registers);

/* Can the bytes before `vaddr` be a call? True also when the module's code is not at hand. */
bool module_rows_after_call(struct module_rows *rows, uint64_t vaddr, enum code_mode mode);

/* Is the code absent there (code/absent.h)? */
bool module_rows_is_absent(struct module_rows *rows, uint64_t vaddr);

/*
 * Is `vaddr` what Go's runtime has the first function of each goroutine return to? Its goexit is
 * a nop and a call, and is entered at the call, without having been called (gostartcall).
 */
bool module_rows_is_goexit(struct module_rows *rows, uint64_t vaddr, enum code_mode mode);

/*
 * Is there a direct call before `vaddr` to a function of this module that ends
 * with no other's work? *start_vaddr: where it begins, behind thunks.
 */
bool module_rows_called_before(struct module_rows *rows, uint64_t vaddr, enum code_mode mode,
                               uint64_t *start_vaddr);

/*
 * Is there, not further before `vaddr` than a table behind the call may have bytes, a direct call
 * of the function that begins at `start_vaddr`? *return_vaddr: behind the nearest.
 */
bool module_rows_call_before(struct module_rows *rows, uint64_t vaddr, enum code_mode mode,
                             uint64_t start_vaddr, uint64_t *return_vaddr);

/* Does the function at `vaddr` jump, as far as its code tells, to that address? */
bool module_rows_jumps_to(struct module_rows *rows, uint64_t vaddr, uint64_t target_vaddr);

/* Does a direct call in the module lead there? By chance other bytes may look like one. */
bool module_rows_is_called(struct module_rows *rows, uint64_t vaddr);

/*
 * May the call before `vaddr` have led to code outside of all files? So may an indirect one, and
 * one of a function of this module that may jump to where nothing tells; not one through a PLT.
 */
bool module_rows_calls_anything(struct module_rows *rows, uint64_t vaddr, enum code_mode mode);

#endif
