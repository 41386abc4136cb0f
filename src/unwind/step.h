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
    uint64_t kept; /* mask of registers that keep their value in the caller if no rule names them */
    struct module_set *modules;
    struct unwinder_options options;
    bool by_request;           /* options.methods are the user's */
    bool searches;             /* a method needs functions that only a search of code finds */
    struct module_rows **rows; /* owned; by module id */
    size_t row_count, row_cap;
    struct module *kernel;     /* of kernel frames; NULL: none */
    struct code_stores *codes; /* NULL: no instruction set for the architecture */
    struct step_cache cache;
    uint32_t codes_given; /* calls of unwinder_code and unwinder_names */
    struct chain walked;  /* memory for the walk */
};

/* Results of the candidates for the row of one frame. */
enum walk_note {
    WALK_HAD_ROW = 1,      /* a table or the analysis of code had a row */
    WALK_HAD_FAULT = 2,    /* a row needs memory that was not captured: fault_cfa */
    WALK_HAD_ZERO = 4,     /* CFI gave the return address 0, with which makecontext ends chains */
    WALK_RA_LOST = 8,      /* analysis of code: the return address is in no place */
    WALK_NO_RECORD = 16,   /* analysis of code: the frame pointer leads to a caller's record */
    WALK_GUESSED = 32,     /* a source that uses registers and memory without a row was asked */
    WALK_AT_CALL = 64,     /* the step depends on the result of the system call before the PC */
    WALK_LOST_STACK = 128, /* the stack of an exception was not captured, or is not known */
};

/* One walk over a sample's stack. */
struct unwind_walk {
    struct unwinder *u;
    struct address_space *space;
    uint64_t stamp; /* of the space as it is now; see step_cache.h */
    struct suffix_match match;
    struct memory memory;
    struct regs regs;           /* of the current frame */
    const struct regs *context; /* registers of the innermost frame */
    const struct snap_sample *sample;
    const struct snap_goroutine *goroutine; /* the sample's */
    bool goroutine_used;                    /* the walk has returned to the goroutine */
    bool is_trial;        /* the walk only finds out whether it reaches the thread's start */
    unsigned trial_steps; /* in all trials of this walk so far */
    struct frame *frame;  /* the current frame; `inner_count` inner ones lie before it */
    size_t inner_count;
    struct mapping *mapping;
    uint64_t code_vaddr;      /* mapping_vaddr of the frame's look-up address */
    struct module_rows *rows; /* NULL: no module */
    unsigned notes;           /* enum walk_note, of the current frame */
    uint64_t fault_cfa;       /* CFA by the frame's first row with a FAULT */
    bool has_cfa;             /* cfa and cfa_reg are the current frame's */
    uint8_t cfa_reg;          /* as in struct frame_regs */
    uint64_t cfa;
    struct {
        bool is_there;
        uint64_t return_addr, cfa;
    } refused;        /* implausible result of the frame's first such row of a table or analysis */
    uint64_t flat_sp; /* SP of the last caller whose frame has no size; 0: none yet */
    /* for a board whose processor saves what exceptions interrupt; NULL: another target */
    const struct exception_arch *exceptions;
    struct regs banked;   /* registers that no row describes (struct exception_arch), not in regs */
    bool has_just_jumped; /* the jump to the current frame faulted: it has executed nothing */
    /* PC of the last caller that kept LR, since its call used another register; 0: none */
    uint64_t lr_kept_pc;
    bool out_of_memory;
    /* Results of the last step: */
    struct row row;        /* gave the caller, or says that there is none */
    bool only_row;         /* no other row or guess was tried before `row` */
    uint64_t return_addr;  /* as it was stored, with all bits */
    bool has_left_handler; /* the caller is the code that an exception interrupted */
    unsigned left_number;  /* of that exception; 0: not known */
    bool has_left_trap;    /* some step so far left a handler by a row: software saved registers */
};

enum step_kind {
    STEP_UNDECIDED, /* the next passage or source is to be asked */
    STEP_TO_CALLER, /* `next` is the caller; the walk's registers are its registers */
    STEP_STOPS,     /* the chain ends in the current frame: `stop` */
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

/* Returns the module's rows, made when first needed, owned by `u`; NULL: no memory. */
struct module_rows *walk_rows_of(struct unwinder *u, struct module *module);

/*
 * Removes from a return address or saved PC the bits that are no address: the instruction set's
 * (ARM's bit 0) and the authentication code (AArch64). No user-space address has a bit of the
 * latter set.
 */
static inline uint64_t walk_code_address(const struct unwind_walk *w, uint64_t value)
{
    return value & ~(w->space->pac_mask | w->u->arch->isa_bit);
}

static inline enum code_mode walk_code_mode(const struct unwind_walk *w, uint64_t value)
{
    return value & w->u->arch->isa_bit ? CODE_T32 : CODE_DEFAULT;
}

/*
 * Makes frames[inner_count], whose pc_addr and is_call are set, the current frame, and fills its
 * module and look-up address, and w's mapping and rows. frames[0] to frames[inner_count - 1] are
 * the frames inside of it. `frames` stays where it is until the next step is done.
 */
void walk_locate(struct unwind_walk *w, struct frame *frames, size_t inner_count);

/* Returns the n-th frame inside of the current one, 1: its callee. NULL: not known. */
static inline const struct frame *walk_inner(const struct unwind_walk *w, size_t n)
{
    return n <= w->inner_count ? w->frame - n : NULL;
}

/*
 * Makes the SP of a caller that was found by a frame record unknown, if the record may be anywhere
 * in the frame: its end is only a bound of SP then.
 */
static inline void walk_forget_sp(const struct arch *arch, struct regs *caller)
{
    if (arch->frame_cfa_off == FRAME_CFA_VARIES)
        regs_forget(caller, arch->sp);
}

/* Can a call return to `ra`? */
bool walk_returns_to(struct unwind_walk *w, uint64_t ra);

/* Steps one frame outwards; not UNDECIDED. */
struct step_result walk_step(struct unwind_walk *w);

/* Steps to the return address in LR, of a frame that has executed nothing; or UNDECIDED. */
struct step_result walk_by_lr(struct unwind_walk *w);

/*
 * Makes the caller with these registers the next frame. `source` led to it, by the row of a signal
 * frame or another.
 */
struct step_result walk_go_on(struct unwind_walk *w, const struct regs *caller, enum trust source,
                              bool signal_frame);

/*
 * Begins a walk whose w->regs are the sample's: if the target is a board whose processor saves what
 * exceptions interrupt, sets w->exceptions and moves the banked registers to w->banked.
 */
void walk_begin_exceptions(struct unwind_walk *w);

/*
 * Returns the number of the trap that interrupted the code at `pc_addr`, when a row of its handler
 * led there. 0: not known; only the innermost trap's is known.
 */
unsigned walk_trap_number(const struct unwind_walk *w, uint64_t pc_addr);

/* Is `value` what an exception handler has in place of a return address (EXC_RETURN)? */
bool walk_is_exception_return(const struct unwind_walk *w, uint64_t value);

/*
 * Steps from an exception handler to the interrupted code. `value` is the handler's EXC_RETURN and
 * *caller its registers at entry; *caller and w->banked become those of the interrupted code.
 * False: not possible; nothing changes but w->notes.
 */
bool walk_leave_handler(struct unwind_walk *w, uint64_t value, struct regs *caller);

/*
 * As walk_leave_handler, for a `value` in LR when no analysis of code says that LR belongs to the
 * interrupted thread. If the handler is about to write the stack pointer of threads, LR and the
 * callee-saved registers are the next thread's: those that it stored are used instead.
 */
bool walk_leave_by_lr(struct unwind_walk *w, uint64_t value, struct regs *caller);

/* Has the current frame left a goroutine's stack, perhaps for one that the sample lacks? */
bool walk_go_left(struct unwind_walk *w);

/*
 * Has the current frame, by setting SP, gone from the goroutine's stack to another to call C code
 * (runtime.nanotime1), and is `cfa` on another captured stack than SP? True at most once in a walk.
 */
bool walk_go_returns(struct unwind_walk *w, uint64_t cfa);

/* Is the current frame's code in anonymous memory or a deleted file? */
bool walk_is_made(const struct unwind_walk *w);

/*
 * Adds the rule of SP to `row`, a frame pointer row, if the current frame is of HotSpot's
 * interpreter; false: it is not. The interpreter (src/hotspot/cpu/.../frame_*.hpp of OpenJDK) is
 * entered by jumps, with a return address that no call has stored. Since it takes over arguments,
 * the caller's frame may end elsewhere than the record; the caller's SP is below the record:
 *
 *     | return address | saved FP | caller's SP | ...
 *                      ^ FP
 */
bool walk_interpreter_row(const struct unwind_walk *w, struct row *row);

/* Is `addr` in a function made at run time to which control returns without a call before it? */
bool walk_returns_to_made(const struct unwind_walk *w, uint64_t addr);

/*
 * Does the frame pointer of the current frame, whose code was made at run time, lead to the frame
 * record of a caller? Then a return address of that caller's call is below the record.
 */
bool walk_made_record_is_callers(struct unwind_walk *w);

/* Is the current frame in its module's function at `entry_vaddr` (with the mode's bit)? */
bool walk_in_function_at(const struct unwind_walk *w, uint64_t entry_vaddr);

/* Did a board, or one of its threads, begin in the current frame, which has no caller by rows? */
bool walk_began_board(struct unwind_walk *w, enum stop_reason *stop);

/* Did the thread begin in the current frame, which has no caller? */
bool walk_in_thread_start(struct unwind_walk *w);

/*
 * Returns an address in the instruction before a system call of `size` bytes that ends at
 * `behind_call`. Tables often end behind the call that makes a thread (glibc's clone), since the
 * new thread runs that code, too; the instruction before it sets the call's number and leaves the
 * frame alone, so that its row is right for the maker.
 */
static inline uint64_t walk_before_call(uint64_t behind_call, unsigned size)
{
    return behind_call - size - 1;
}

/*
 * Is the innermost frame right behind a system call, and has `source` a row from before the call
 * (walk_before_call), which goes to *out? `is_new` true: as the new thread or process, whose result
 * is 0; false: as the maker.
 */
bool walk_made_thread(struct unwind_walk *w, bool is_new, enum trust source,
                      const struct row **out);

/* Returns why the chain ends in the current frame, when all sources have failed. */
enum stop_reason walk_failure(struct unwind_walk *w);

/*
 * Finds the row of the current frame by a table or by the analysis of code: of the module's file,
 * or, without a file, of registered tables (made_rows.h) and captured code (code_store.h). For a
 * thread that has just made another it may be the row from before the call (walk_made_thread).
 */
MUST_CHECK enum status walk_find_row(struct unwind_walk *w, enum trust source,
                                     const struct row **out);

#endif
