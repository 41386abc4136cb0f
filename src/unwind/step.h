/* SPDX-License-Identifier: MIT */
/*
 * Steps one frame outwards: asks the row sources in order, executes a row on the frame's registers
 * and the sample's memory, and tries the next source unless the resulting caller is plausible.
 * Private to the unwinder.
 */
#ifndef UNWIND_STEP_H
#define UNWIND_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/chain.h"
#include "unwind/code_store.h"
#include "unwind/module_rows.h"
#include "unwind/row/memory.h"
#include "unwind/row/row.h"
#include "unwind/step_cache.h"
#include "unwind/suffix_cache.h"
#include "unwind/unwinder.h"

struct unwinder {
    const struct arch *arch;
    /* mask of registers whose value in the caller is the frame's if no rule names them */
    uint64_t kept;
    struct module_set *modules;
    struct unwinder_options options;
    bool by_request;           /* the sources in options.methods are the user's choice */
    bool searches;             /* some method needs functions that only a search of code finds */
    struct module_rows **rows; /* rows of each module, by module id; NULL: not made yet; owned */
    size_t row_count, row_cap;
    struct module *kernel;     /* the module of frames in the kernel; borrowed; NULL: none */
    struct code_stores *codes; /* owned; NULL: the architecture has no instruction set here */
    struct step_cache cache;
    uint32_t codes_given; /* number of calls of unwinder_code and unwinder_names */
    struct chain walked;  /* memory for the frames of a walk, which later walks use again */
};

/* Findings about the current frame while its row was looked for: bits of walk_pos.notes. */
enum walk_note {
    WALK_HAD_ROW = 1,    /* a table or the analysis of code had a row */
    WALK_HAD_FAULT = 2,  /* a row needs memory that was not captured; fault_cfa is set */
    WALK_HAD_ZERO = 4,   /* CFI gave the return address 0, with which makecontext ends chains */
    WALK_RA_LOST = 8,    /* analysis of code: the return address is in no known place */
    WALK_NO_RECORD = 16, /* analysis of code: the frame pointer leads to a caller's record */
    /* a source was asked that guesses from registers and memory, without a row */
    WALK_GUESSED = 32,
    WALK_AT_CALL = 64,     /* the step depends on the result of the system call before the PC */
    WALK_LOST_STACK = 128, /* the stack of an exception was not captured, or is not known */
};

/* The part of a walk over a sample's stack that nobody changes. */
struct walk_env {
    struct unwinder *u;
    struct address_space *space;
    uint64_t stamp; /* stamp of the space as it is now (step_cache.h) */
    const struct snap_sample *sample;
    struct memory memory;       /* the sample's memory */
    const struct regs *context; /* registers of the innermost frame */
    /* the sample's goroutine (its state says whether there is one) */
    const struct snap_goroutine *goroutine;
    /* only for a board whose processor saves what exceptions interrupt; else NULL */
    const struct exception_arch *exceptions;
    bool is_trial; /* the walk only finds out whether it reaches the thread's start */
};

/*
 * The current frame. walk_sample and walk_go_on set regs and has_just_jumped, walk_locate all from
 * frame to rows; walk_step resets and sets the rest.
 */
struct walk_pos {
    struct regs regs;
    /* the inner_count frames inside of it are right before it in memory */
    struct frame *frame;
    size_t inner_count;
    struct mapping *mapping;
    uint64_t code_vaddr;      /* what mapping_vaddr gives for the frame's look-up address */
    struct module_rows *rows; /* rows of the module of the frame's code; NULL: PC is in no module */
    bool begins_chain;        /* the callee returns to the frame, which has called nothing */
    /* the call or jump to the frame faulted, so that it has executed nothing */
    bool has_just_jumped;
    unsigned notes;     /* enum walk_note, ORed */
    uint64_t fault_cfa; /* CFA by the first row whose execution returned FAULT */
    bool has_cfa;       /* cfa and cfa_reg are valid */
    uint8_t cfa_reg;    /* cfa_reg of struct frame_regs */
    uint64_t cfa;
    struct {
        bool is_there; /* a row of a table or of the analysis gave an implausible caller */
        uint64_t return_addr, cfa; /* by the first such row */
    } refused;
};

/* How the last step was made. */
struct walk_last {
    struct row row; /* the row that gave the caller, or says that there is none */
    bool only_row;  /* the step depends on the address and `row` alone: unwinder.c may cache it */
    uint64_t return_addr;  /* return address as it was stored, with all bits */
    bool has_left_handler; /* the caller is the code that an exception interrupted */
    unsigned left_number;  /* if has_left_handler: number of the exception; 0: not known */
};

/* One walk over a sample's stack. The members after `last` are kept from frame to frame. */
struct unwind_walk {
    const struct walk_env *env;
    struct walk_pos pos;
    struct walk_last last;
    struct suffix_match match;
    bool goroutine_used;  /* the walk has returned to the goroutine */
    unsigned trial_steps; /* steps in all trials of this walk so far */
    uint64_t flat_sp;     /* SP of the last caller whose frame has size 0; 0: none yet */
    /* PC of the last caller whose call left LR alone, as it used another register; 0: none */
    uint64_t lr_kept_pc;
    /* registers that no row describes (struct exception_arch) and so are not in pos.regs */
    struct regs banked;
    /* some step of the walk left a handler by a row: software had saved the registers */
    bool has_left_trap;
    bool out_of_memory;
};

enum step_kind {
    STEP_UNDECIDED, /* no result yet: the next passage or source is to be asked */
    STEP_TO_CALLER, /* `next` is the caller; walk.pos.regs are the caller's registers */
    STEP_STOPS,     /* the chain ends in the current frame, because of `stop` */
};

struct step_result {
    enum step_kind kind;
    enum stop_reason stop;
    struct frame next;
};

static inline struct step_result step_undecided(void)
{
    return (struct step_result){.kind = STEP_UNDECIDED};
}

static inline struct step_result step_to(struct frame next)
{
    return (struct step_result){.kind = STEP_TO_CALLER, .next = next};
}

static inline struct step_result step_stops(enum stop_reason stop)
{
    return (struct step_result){.kind = STEP_STOPS, .stop = stop};
}

/* Returns the module's rows, made at the first call, owned by `u`; NULL: no memory. */
struct module_rows *walk_rows_of(struct unwinder *u, struct module *module);

/*
 * Returns `value`, a return address or saved PC, without the bits that are no address: the
 * instruction set's (ARM's bit 0) and the authentication code (AArch64), whose bits are 0 in all
 * user-space addresses.
 */
static inline uint64_t walk_code_address(const struct unwind_walk *w, uint64_t value)
{
    return value & ~(w->env->space->pac_mask | w->env->u->arch->isa_bit);
}

static inline enum code_mode walk_code_mode(const struct unwind_walk *w, uint64_t value)
{
    return value & w->env->u->arch->isa_bit ? CODE_T32 : CODE_DEFAULT;
}

/*
 * Makes frames[inner_count], whose pc_addr and is_call are set, the current frame; sets the frame's
 * module and look-up address, and the walk's mapping and rows. frames[0] to frames[inner_count - 1]
 * are the frames inside of it. `frames` must not move until the next step is done. Sets
 * w->out_of_memory without memory.
 */
void walk_locate(struct unwind_walk *w, struct frame *frames, size_t inner_count);

/*
 * Returns the frame that is `n` frames inside of the current one (1: its callee); NULL: not known.
 */
static inline const struct frame *walk_inner(const struct unwind_walk *w, size_t n)
{
    return n <= w->pos.inner_count ? w->pos.frame - n : NULL;
}

/*
 * Makes SP in `caller`, which was found by a frame record, unknown on architectures where the
 * record may be anywhere in a frame, so that its end is only a bound of SP.
 */
static inline void walk_forget_sp(const struct arch *arch, struct regs *caller)
{
    if (arch->frame_cfa_off == FRAME_CFA_VARIES)
        regs_forget(caller, arch->sp);
}

/*
 * Whether no code is at the PC of an interrupted frame: it is in no mapping with code, or at an
 * address where the instruction set has no instruction. Then a call or jump there has faulted.
 */
bool walk_is_nowhere(const struct unwind_walk *w, uint64_t pc_addr);

/*
 * Does SP in `regs` point to the kernel's frame of a signal, of which a trampoline at PC would make
 * *interrupted? passage_signal.c.
 */
bool walk_fits_signal_frame(struct unwind_walk *w, const struct regs *regs,
                            struct regs *interrupted);

/* Whether `ra`, as stored, can be the return address of a call; also if any word may be `ra`. */
bool walk_returns_to(struct unwind_walk *w, uint64_t ra);
bool walk_guess_returns_to(struct unwind_walk *w, uint64_t ra);
/* Whether the user, or the default, has `source` among the methods. */
bool walk_is_asked(const struct unwind_walk *w, enum trust source);

/* Steps one frame outwards from the current frame. The result is never UNDECIDED. */
struct step_result walk_step(struct unwind_walk *w);

/*
 * Steps to the return address where a call puts it, in LR or on top of the stack, for a frame that
 * has executed nothing; UNDECIDED: that is no plausible caller, or TRUST_LR is none of the methods.
 */
struct step_result walk_by_lr(struct unwind_walk *w);

/*
 * Returns a step to the caller with the registers *caller, which become the walk's. `source`: what
 * led there; `signal_frame`: by a signal trampoline's row.
 */
struct step_result walk_go_on(struct unwind_walk *w, const struct regs *caller, enum trust source,
                              bool signal_frame);

/* Returns env.exceptions for a walk in this space: NULL unless a board's processor saves them. */
const struct exception_arch *walk_exceptions(const struct unwinder *u,
                                             const struct address_space *space);

/* With env->exceptions: moves the banked registers from pos.regs, the sample's, to w->banked. */
void walk_bank_registers(struct unwind_walk *w);

/*
 * Returns the number of the trap that interrupted the code at `pc_addr`, where a row of the trap's
 * handler led; 0: not known, as for all but the innermost trap.
 */
unsigned walk_trap_number(const struct unwind_walk *w, uint64_t pc_addr);

/* Whether `value` is what an exception handler has in place of a return address (EXC_RETURN). */
bool walk_is_exception_return(const struct unwind_walk *w, uint64_t value);

/*
 * Steps from an exception handler to the interrupted code. `value`: the handler's EXC_RETURN;
 * *caller: the handler's registers at entry. *caller and w->banked become the interrupted code's.
 * False: not possible, and nothing but w->pos.notes changes.
 */
bool walk_leave_handler(struct unwind_walk *w, uint64_t value, struct regs *caller);

/*
 * As walk_leave_handler, for a `value` in LR where no analysis of code says that LR belongs to the
 * interrupted thread. If the handler is about to write the stack pointer of threads, LR and the
 * callee-saved registers are the next thread's already: the registers that the handler stored are
 * used instead.
 */
bool walk_leave_by_lr(struct unwind_walk *w, uint64_t value, struct regs *caller);

/*
 * Whether the current frame has left a goroutine's stack, perhaps for a stack that the sample does
 * not have.
 */
bool walk_go_left(struct unwind_walk *w);

/*
 * Whether the current frame has gone from the goroutine's stack to another by setting SP, to call C
 * code (runtime.nanotime1), and `cfa` is on another captured stack than SP. True at most once in a
 * walk.
 */
bool walk_go_returns(struct unwind_walk *w, uint64_t cfa);

/*
 * Whether the current frame's code is in anonymous memory or a deleted file, and so may be made at
 * run time.
 */
bool walk_is_made(const struct unwind_walk *w);

/*
 * Adds the rule of SP to `row`, a frame pointer row, if the current frame is of HotSpot's
 * interpreter; false: it is not. The interpreter (src/hotspot/cpu/.../frame_*.hpp of OpenJDK) is
 * entered by jumps, with a return address that no call has stored. Since the interpreter takes over
 * arguments, the caller's frame may end elsewhere than the frame record; a word below the record
 * has the caller's SP:
 *
 *     | return address | saved FP | caller's SP | ...
 *                      ^ FP
 */
bool walk_interpreter_row(const struct unwind_walk *w, struct row *row);

/*
 * Whether `addr` is in a function made at run time to which control returns without a call right
 * before `addr`.
 */
bool walk_returns_to_made(const struct unwind_walk *w, uint64_t addr);

/*
 * Whether the frame pointer of the current frame, whose code was made at run time, leads to the
 * frame record of a caller, as the return address of a call by that caller lies below the record.
 */
bool walk_made_record_is_callers(struct unwind_walk *w);

/*
 * Whether the current frame is in the function of its module that starts at `entry_vaddr` (with the
 * mode's bit).
 */
bool walk_in_function_at(const struct unwind_walk *w, uint64_t entry_vaddr);

/*
 * Whether a board, or one of its threads, began in the current frame, which has no caller by rows;
 * if so, sets *stop.
 */
bool walk_began_board(struct unwind_walk *w, enum stop_reason *stop);

/*
 * Whether functions with a return probe return to `pc`, in `mapping` (NULL: none). The kernel alone
 * knows whither it goes on.
 */
bool walk_is_return_probe(const struct mapping *mapping, uint64_t pc);

/* Whether the current frame is in the function at its file's entry point. */
bool walk_in_entry_function(const struct unwind_walk *w);

/*
 * Whether the code from the current frame's look-up address on soon ends the thread, by its system
 * call; false on x86, whose system calls are not looked for.
 */
bool walk_ends_thread_soon(const struct unwind_walk *w);

/* Whether the current frame, of a module, is where threads begin: the entry point, clone. */
bool walk_is_thread_start(const struct unwind_walk *w);

/* Whether the thread began in the current frame, which has no caller. */
bool walk_in_thread_start(struct unwind_walk *w);

/*
 * Returns an address in the instruction before a system call of `size` bytes that ends at
 * `behind_call`. Tables often have no rows after the call that makes a thread (glibc's clone),
 * since the new thread runs that code, too. The instruction before the call sets the call's number
 * and leaves the frame alone, so that its row is right for the thread that calls.
 */
static inline uint64_t walk_before_call(uint64_t behind_call, unsigned size)
{
    return behind_call - size - 1;
}

/*
 * Whether the current frame is the innermost one, right after a system call, and `source` has a row
 * for the instruction before the call (walk_before_call); if so, sets *out to that row. `is_new`:
 * the call's result must be 0, as in a new thread or process; false: it must not be, as in the one
 * that calls.
 */
bool walk_made_thread(struct unwind_walk *w, bool is_new, enum trust source,
                      const struct row **out);

/* Returns why the chain ends in the current frame, for when no source has led to a caller. */
enum stop_reason walk_failure(struct unwind_walk *w);

/*
 * Sets *out to the row of the current frame by `source`, a table or the analysis of code: of the
 * module's file, or without a file of registered tables (made_rows.h) and captured code
 * (code_store.h). For a thread that has just made another it may be the row from before the call
 * (walk_made_thread). NOT_FOUND: the frame has no module; else fails as module_rows_find,
 * made_rows_find or code_stores_find.
 */
MUST_CHECK enum status walk_find_row(struct unwind_walk *w, enum trust source,
                                     const struct row **out);

#endif
