/* SPDX-License-Identifier: MIT */
/*
 * One frame outwards: the row sources are asked in order; a row is executed on the frame's
 * registers and the sample's memory, and the caller it gives must be plausible, or the next source
 * is tried. Private to the unwinder.
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
    uint64_t kept; /* registers that a caller has as its callee has them, where no rule says else */
    struct module_set *modules;
    struct unwinder_options options;
    bool by_request;           /* options.methods are the user's */
    bool searches;             /* one of them needs functions that only code tells of */
    struct module_rows **rows; /* by module id */
    size_t row_count, row_cap;
    struct module *kernel;     /* of kernel frames; may be NULL */
    struct code_stores *codes; /* NULL: no instruction set for the architecture */
    struct step_cache cache;
    uint32_t codes_given; /* calls of unwinder_code */
    struct chain walked;  /* memory for the walk */
};

/* What the candidates for the row of one frame came to. */
enum walk_note {
    WALK_HAD_ROW = 1,    /* a table or the analysis of code had one */
    WALK_HAD_FAULT = 2,  /* one needs memory that was not captured: fault_cfa */
    WALK_HAD_ZERO = 4,   /* CFI gave 0 for the return address: makecontext ends chains so */
    WALK_RA_LOST = 8,    /* the analysis of code says that the return address is nowhere */
    WALK_NO_RECORD = 16, /* ... that the frame pointer is a caller's */
    WALK_GUESSED = 32,   /* a source that goes by registers and memory was asked */
    WALK_AT_CALL = 64,   /* what the row is depends on the result of the call before the PC */
    /* An exception was taken on a stack of which nothing was captured, or not known where it is. */
    WALK_LOST_STACK = 128,
};

/* One walk over a sample's stack. */
struct unwind_walk {
    struct unwinder *u;
    struct address_space *space;
    uint64_t stamp; /* of the space */
    struct suffix_match match;
    struct memory memory;
    struct regs regs;           /* of the frame at hand */
    const struct regs *context; /* of the innermost frame */
    const struct snap_sample *sample;
    const struct snap_goroutine *goroutine;
    bool goroutine_used;  /* the walk has come back to it */
    bool is_trial;        /* whether it leads to the thread's start is all that is asked */
    unsigned trial_steps; /* in all trials of this walk so far */
    struct frame *frame;  /* the one at hand; before it in its array lie `inner_count` inner ones */
    size_t inner_count;
    struct mapping *mapping;
    uint64_t code_vaddr;      /* mapping_vaddr's, of where the frame's code is looked up */
    struct module_rows *rows; /* NULL: no module */
    unsigned notes;           /* enum walk_note, of the frame at hand */
    uint64_t fault_cfa;       /* of the first row of the frame that came to a fault */
    bool has_cfa;             /* of the frame at hand, by the row that led to its caller */
    uint8_t cfa_reg;          /* as in struct frame_regs */
    uint64_t cfa;
    struct {
        bool is_there;
        uint64_t return_addr, cfa;
    } refused;        /* what the first row of the frame led to, where that can be no caller */
    uint64_t flat_sp; /* SP of the last caller whose frame has no size; 0: none yet */
    /* Of a board whose processor saves what exceptions interrupt; NULL: of another target. */
    const struct exception_arch *exceptions;
    struct regs banked; /* those that no row tells of (struct exception_arch); not in `regs` */
    bool
        has_just_jumped; /* of the frame at hand nothing was executed: the jump to it was a fault */
    /* Of the last caller that was called by another register than LR, with LR as it was; 0: none */
    uint64_t lr_kept_pc;
    bool out_of_memory;
    /* What the last step came to: */
    struct row row;        /* by which the caller was found, or by which there is none */
    bool only_row;         /* no other row was tried before it */
    uint64_t return_addr;  /* as it was stored, with what else it holds */
    bool has_left_handler; /* to what the exception of this number had interrupted: */
    unsigned left_number;  /* 0: not known */
    bool has_left_trap;    /* by rows: software saved what some frame before had interrupted */
};

/* The module's rows, made when first asked for; NULL: no memory. */
struct module_rows *walk_rows_of(struct unwinder *u, struct module *module);

/*
 * What a return address or a saved PC holds besides an address: the instruction set (ARM's bit 0),
 * the authentication code (AArch64). Addresses of user space have no bit of that code set.
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
 * Makes the frame frames[inner_count], of which the PC and is_call are filled, the one at hand, and
 * fills where its code is. Those before it are the inner ones, from the innermost that the walk may
 * look at. All stay where they are until the step from it is done.
 */
void walk_locate(struct unwind_walk *w, struct frame *frames, size_t inner_count);

/* The n-th frame inside of the one at hand, 1: what it had called. NULL: the walk knows none. */
static inline const struct frame *walk_inner(const struct unwind_walk *w, size_t n)
{
    return n <= w->inner_count ? w->frame - n : NULL;
}

/*
 * Of the caller of a frame with a frame record: where that may be anywhere in the frame, its end
 * bounds SP and no more.
 */
static inline void walk_forget_sp(const struct arch *arch, struct regs *caller)
{
    if (arch->frame_cfa_off == FRAME_CFA_VARIES)
        regs_forget(caller, arch->sp);
}

/* Is `ra` where a call could return to, whatever source says so? */
bool walk_returns_to(struct unwind_walk *w, uint64_t ra);

/* One frame outwards: true with *next filled and w->regs the caller's, or false with *stop. */
bool walk_step(struct unwind_walk *w, struct frame *next, enum stop_reason *stop);

/* At the begin of a walk, `regs` being the sample's: is the target such a board? */
void walk_begin_exceptions(struct unwind_walk *w);

/*
 * The number of the trap that interrupted the code at `pc_addr`, which a row of its handler has led
 * to; 0: not known, as of all but the innermost one.
 */
unsigned walk_trap_number(const struct unwind_walk *w, uint64_t pc_addr);

/* Is it what the handler of an exception has in place of a return address? */
bool walk_is_exception_return(const struct unwind_walk *w, uint64_t value);

/*
 * From the handler with that value and, in *caller, the registers with which it was entered, to
 * what it had interrupted: *caller, and `banked`. False: that is not to be had, with nothing
 * changed but `notes`.
 */
bool walk_leave_handler(struct unwind_walk *w, uint64_t value, struct regs *caller);

/* The same of the innermost frame when it is that value itself to which a handler has returned. */
bool walk_at_exception_return(struct unwind_walk *w, struct regs *caller);

/*
 * As walk_leave_handler, by a value that is in LR where the analysis of code does not tell whose it
 * is: when the handler is about to write the stack pointer of threads, LR and what calls preserve
 * are the next thread's, and what it stored of the one that it interrupted counts.
 */
bool walk_leave_by_lr(struct unwind_walk *w, uint64_t value, struct regs *caller);

/*
 * The same of a handler of which no row tells where the value is, as of those that go from one
 * thread to another: when LR has it, and the stack is as it was.
 */
bool walk_returns_by_lr(struct unwind_walk *w, struct regs *caller);

enum go_step { GO_STEP_NONE, GO_STEP_FOUND, GO_STEP_END };

/*
 * The frame is in Go's runtime, where it goes from one stack to another, or begins one: as
 * walk_step. NONE: it is not.
 */
enum go_step walk_go(struct unwind_walk *w, struct frame *next, enum stop_reason *stop);

/*
 * In the midst of a switch between a goroutine's stack and another no row may hold any more, or
 * yet; but the goroutine is where it was left, or is to go on. False: it is no such place.
 */
bool walk_go_between(struct unwind_walk *w, struct frame *next);

/* Has the frame left a goroutine's stack, of which the sample may say nothing? */
bool walk_go_left(struct unwind_walk *w);

/*
 * Has the frame gone from the goroutine's stack to another by setting SP, to call C code there
 * (runtime.nanotime1), and does `cfa` lead back? No more than once in a walk.
 */
bool walk_go_returns(struct unwind_walk *w, uint64_t cfa);

/* Is the frame's code in no file? */
bool walk_is_made(const struct unwind_walk *w);

/*
 * HotSpot's interpreter (src/hotspot/cpu/.../frame_*.hpp of OpenJDK) is called by jumps, with a
 * return address that no call has stored. Its frames have records, and below what SP is in the
 * caller, whose frame may end elsewhere, as its arguments are taken over:
 *
 *     | return address | saved FP | caller's SP | ...
 *                      ^ FP
 *
 * Adds the rule of SP to the row of such a frame; false: it is none.
 */
bool walk_interpreter_row(const struct unwind_walk *w, struct row *row);

/* May control return to that address though no call is before it? */
bool walk_returns_to_made(const struct unwind_walk *w, uint64_t addr);

/* Is the frame where a process of Erlang's ends, which has a stack of its own? */
bool walk_ends_made(const struct unwind_walk *w);

/*
 * No source knows the frame, whose code was made at run time. The nearest word above SP to which a
 * call in a file's code returns, and from which on rows lead to the thread's start, is where its
 * compiler's code was entered: callers between that are made code, too, are left out.
 */
bool walk_over_made(struct unwind_walk *w, struct frame *next);

/*
 * Such a frame has a frame pointer that leads to a frame record. Is that record a caller's, whose
 * call returns to a word below it?
 */
bool walk_made_record_is_callers(struct unwind_walk *w);

/*
 * Has the innermost frame just come out of the system call of the C library's clone, which the new
 * thread comes out of, too? Its end, the thread's, is near.
 */
bool walk_makes_thread(struct unwind_walk *w);

/* Is the frame where a goroutine ends? Its stack is another than the thread's. */
bool walk_ends_goroutine(struct unwind_walk *w);

/* Is the frame in the function that begins there, in its module's file? */
bool walk_in_function_at(const struct unwind_walk *w, uint64_t entry_vaddr);

/* The rows have led to no caller: is that because a board, or one of its threads, began here? */
bool walk_began_board(struct unwind_walk *w, enum stop_reason *stop);

/* A frame without caller: is it where the thread began? */
bool walk_in_thread_start(struct unwind_walk *w);

/*
 * Behind the system call that makes a thread tables tend to end (glibc's clone): what follows is
 * the new thread's code as well. The instruction before the call gives it its number and leaves the
 * frame alone: its row is the maker's. An address in that instruction, of the one behind the call,
 * which has `size` bytes.
 */
static inline uint64_t walk_before_call(uint64_t behind_call, unsigned size)
{
    return behind_call - size - 1;
}

/*
 * Has the innermost frame just come out of a system call behind which there are no rows, but before
 * which there are? `is_new`: as the new thread or process, to which the result is 0.
 */
bool walk_made_thread(struct unwind_walk *w, bool is_new, enum trust source,
                      const struct row **out);

/* All sources failed: what the user should know. */
enum stop_reason walk_failure(struct unwind_walk *w);

/*
 * The row by one of the sources that read code or tables of it. Without the file code is all that
 * there may be. In a thread that comes out of the call that has made another it may be the row from
 * before (see walk_before_call): in the maker nothing has changed but the result.
 */
MUST_CHECK enum status walk_find_row(struct unwind_walk *w, enum trust source,
                                     const struct row **out);

#endif
