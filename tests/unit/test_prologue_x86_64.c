/*
 * Prologue analysis of x86-64 code: a function's bytes, their disassembly, and the row before every
 * instruction.
 *
 * A row reads "rsp+16 rbx=c-16": the CFA, then where the caller's registers are that are not in
 * place any more (c is the CFA; [rbp-8] a saved word; r11 another register; u lost). The return
 * address is at c-8 unless told. "u" alone: no row.
 *
 * The bytes are GNU as's for code at 0x401000; CALLEE returns, NORETURN does not, and OTHER is
 * another function.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unwind/prologue.h"
#include "unwind/row_print.h"

#define START    UINT64_C(0x401000)
#define NORETURN UINT64_C(0x500000)
#define OTHER    UINT64_C(0x600000)

enum { RBX = 3, RBP = 6, RSP = 7, RIP = 16 };

struct line {
    const char *bytes;
    uint8_t size;
    const char *row;
};

static const struct line PLAIN[] = {
    {"\x53", 1, "rsp+8"},                  /* push rbx */
    {"\x48\x83\xec\x10", 4, "rsp+16"},     /* sub rsp, 0x10 */
    {"\xe8\xf6\x0f\x00\x00", 5, "rsp+32"}, /* call callee */
    {"\x48\x83\xc4\x10", 4, "rsp+32"},     /* add rsp, 0x10 */
    {"\x5b", 1, "rsp+16"},                 /* pop rbx */
    {"\xc3", 1, "rsp+8"},                  /* ret */
};

static const struct line FRAME_POINTER[] = {
    {"\x55", 1, "rsp+8"},                                    /* push rbp */
    {"\x48\x89\xe5", 3, "rsp+16"},                           /* mov rbp, rsp */
    {"\x53", 1, "rsp+16 rbp=c-16"},                          /* push rbx */
    {"\x48\x83\xec\x08", 4, "rsp+24 rbp=c-16"},              /* sub rsp, 0x8 */
    {"\x89\xfb", 2, "rsp+32 rbp=c-16"},                      /* mov ebx, edi */
    {"\xe8\xf0\x0f\x00\x00", 5, "rsp+32 rbx=c-24 rbp=c-16"}, /* call callee */
    {"\x48\x8b\x5d\xf8", 4, "rsp+32 rbx=c-24 rbp=c-16"},     /* mov rbx, qword [rbp-0x8] */
    {"\xc9", 1, "rsp+32 rbp=c-16"},                          /* leave */
    {"\xc3", 1, "rsp+8"},                                    /* ret */
};

/* What follows the first ret has the state of the branch, not of the line above. */
static const struct line EPILOGUE_IN_THE_MIDDLE[] = {
    {"\x41\x54", 2, "rsp+8"},                       /* push r12 */
    {"\x53", 1, "rsp+16"},                          /* push rbx */
    {"\x89\xfb", 2, "rsp+24"},                      /* mov ebx, edi */
    {"\x85\xff", 2, "rsp+24 rbx=c-24"},             /* test edi, edi */
    {"\x74\x04", 2, "rsp+24 rbx=c-24"},             /* je +13 */
    {"\x5b", 1, "rsp+24 rbx=c-24"},                 /* pop rbx */
    {"\x41\x5c", 2, "rsp+16"},                      /* pop r12 */
    {"\xc3", 1, "rsp+8"},                           /* ret */
    {"\xe8\xee\x0f\x00\x00", 5, "rsp+24 rbx=c-24"}, /* call callee */
    {"\x5b", 1, "rsp+24 rbx=c-24"},                 /* pop rbx */
    {"\x41\x5c", 2, "rsp+16"},                      /* pop r12 */
    {"\xc3", 1, "rsp+8"},                           /* ret */
};

/* The prologue comes after an early return. */
static const struct line SHRINK_WRAPPED[] = {
    {"\x85\xff", 2, "rsp+8"},                       /* test edi, edi */
    {"\x75\x03", 2, "rsp+8"},                       /* jne +7 */
    {"\x31\xc0", 2, "rsp+8"},                       /* xor eax, eax */
    {"\xc3", 1, "rsp+8"},                           /* ret */
    {"\x55", 1, "rsp+8"},                           /* push rbp */
    {"\x89\xf5", 2, "rsp+16"},                      /* mov ebp, esi */
    {"\x48\x83\xec\x10", 4, "rsp+16 rbp=c-16"},     /* sub rsp, 0x10 */
    {"\xe8\xed\x0f\x00\x00", 5, "rsp+32 rbp=c-16"}, /* call callee */
    {"\x48\x83\xc4\x10", 4, "rsp+32 rbp=c-16"},     /* add rsp, 0x10 */
    {"\x5d", 1, "rsp+16 rbp=c-16"},                 /* pop rbp */
    {"\xc3", 1, "rsp+8"},                           /* ret */
};

/* gcc's frame for vectors: the CFA is in r10, then in the frame. Behind the call r10 is lost. */
static const struct line REALIGNED_THROUGH_R10[] = {
    {"\x4c\x8d\x54\x24\x08", 5, "rsp+8"},                 /* lea r10, [rsp+0x8] */
    {"\x48\x83\xe4\xe0", 4, "rsp+8"},                     /* and rsp, -0x20 */
    {"\x41\xff\x72\xf8", 4, "r10+0"},                     /* push qword [r10-0x8] */
    {"\x55", 1, "r10+0"},                                 /* push rbp */
    {"\x48\x89\xe5", 3, "r10+0"},                         /* mov rbp, rsp */
    {"\x41\x52", 2, "r10+0 rbp=[rbp+0]"},                 /* push r10 */
    {"\x53", 1, "[rbp-8]+0 rbp=[rbp+0]"},                 /* push rbx */
    {"\x48\x83\xec\x30", 4, "[rbp-8]+0 rbp=[rbp+0]"},     /* sub rsp, 0x30 */
    {"\xe8\xe3\x0f\x00\x00", 5, "[rbp-8]+0 rbp=[rbp+0]"}, /* call callee */
    {"\x48\x83\xc4\x30", 4, "[rbp-8]+0 rbp=[rbp+0]"},     /* add rsp, 0x30 */
    {"\x5b", 1, "[rbp-8]+0 rbp=[rbp+0]"},                 /* pop rbx */
    {"\x41\x5a", 2, "[rbp-8]+0 rbp=[rbp+0]"},             /* pop r10 */
    {"\x5d", 1, "r10+0 rbp=[rbp+0]"},                     /* pop rbp */
    {"\x49\x8d\x62\xf8", 4, "r10+0"},                     /* lea rsp, [r10-0x8] */
    {"\xc3", 1, "rsp+8"},                                 /* ret */
};

static const struct line ALIGNED_LOCALS[] = {
    {"\x55", 1, "rsp+8"},                                   /* push rbp */
    {"\x48\x89\xe5", 3, "rsp+16"},                          /* mov rbp, rsp */
    {"\x53", 1, "rsp+16 rbp=c-16"},                         /* push rbx */
    {"\x48\x83\xe4\xc0", 4, "rsp+24 rbp=c-16"},             /* and rsp, -0x40 */
    {"\x48\x81\xec\x80\x00\x00\x00", 7, "rbp+16 rbp=c-16"}, /* sub rsp, 0x80 */
    {"\xe8\xeb\x0f\x00\x00", 5, "rbp+16 rbp=c-16"},         /* call callee */
    {"\x48\x8b\x5d\xf8", 4, "rbp+16 rbp=c-16"},             /* mov rbx, qword [rbp-0x8] */
    {"\xc9", 1, "rbp+16 rbp=c-16"},                         /* leave */
    {"\xc3", 1, "rsp+8"},                                   /* ret */
};

static const struct line ALLOCA[] = {
    {"\x55", 1, "rsp+8"},                           /* push rbp */
    {"\x48\x89\xe5", 3, "rsp+16"},                  /* mov rbp, rsp */
    {"\x53", 1, "rsp+16 rbp=c-16"},                 /* push rbx */
    {"\x48\x83\xec\x08", 4, "rsp+24 rbp=c-16"},     /* sub rsp, 0x8 */
    {"\x48\x29\xfc", 3, "rsp+32 rbp=c-16"},         /* sub rsp, rdi */
    {"\x48\x89\xe7", 3, "rbp+16 rbp=c-16"},         /* mov rdi, rsp */
    {"\xe8\xec\x0f\x00\x00", 5, "rbp+16 rbp=c-16"}, /* call callee */
    {"\x48\x8d\x65\xf8", 4, "rbp+16 rbp=c-16"},     /* lea rsp, [rbp-0x8] */
    {"\x5b", 1, "rsp+24 rbp=c-16"},                 /* pop rbx */
    {"\x5d", 1, "rsp+16 rbp=c-16"},                 /* pop rbp */
    {"\xc3", 1, "rsp+8"},                           /* ret */
};

static const struct line PUSHED_ARGUMENTS[] = {
    {"\x48\x83\xec\x08", 4, "rsp+8"},      /* sub rsp, 0x8 */
    {"\x6a\x08", 2, "rsp+16"},             /* push 0x8 */
    {"\x6a\x07", 2, "rsp+24"},             /* push 0x7 */
    {"\xe8\xf3\x0f\x00\x00", 5, "rsp+32"}, /* call callee */
    {"\x48\x83\xc4\x18", 4, "rsp+32"},     /* add rsp, 0x18 */
    {"\xc3", 1, "rsp+8"},                  /* ret */
};

/* The call is of a function that does not return, as the depth of the branch shows. */
static const struct line CALL_THEN_TARGET_OF_ANOTHER_DEPTH[] = {
    {"\x53", 1, "rsp+8"},                  /* push rbx */
    {"\x85\xff", 2, "rsp+16"},             /* test edi, edi */
    {"\x74\x0f", 2, "rsp+16"},             /* je +20 */
    {"\x85\xf6", 2, "rsp+16"},             /* test esi, esi */
    {"\x75\x02", 2, "rsp+16"},             /* jne +11 */
    {"\x5b", 1, "rsp+16"},                 /* pop rbx */
    {"\xc3", 1, "rsp+8"},                  /* ret */
    {"\x48\x83\xec\x10", 4, "rsp+16"},     /* sub rsp, 0x10 */
    {"\xe8\xec\x0f\x00\x00", 5, "rsp+32"}, /* call callee */
    {"\x5b", 1, "rsp+16"},                 /* pop rbx */
    {"\xc3", 1, "rsp+8"},                  /* ret */
};

/* What follows it belongs to nobody here; it is guessed to be entered from the calls. */
static const struct line KNOWN_NORETURN_CALL[] = {
    {"\x48\x83\xec\x08", 4, "rsp+8"},      /* sub rsp, 0x8 */
    {"\x85\xff", 2, "rsp+16"},             /* test edi, edi */
    {"\x74\x05", 2, "rsp+16"},             /* je +13 */
    {"\x48\x83\xc4\x08", 4, "rsp+16"},     /* add rsp, 0x8 */
    {"\xc3", 1, "rsp+8"},                  /* ret */
    {"\xbf\x03\x00\x00\x00", 5, "rsp+16"}, /* mov edi, 0x3 */
    {"\xe8\xe9\xef\x0f\x00", 5, "rsp+16"}, /* call noreturn */
    {"\x53", 1, "rsp+16"},                 /* push rbx */
    {"\xc3", 1, "rsp+24"},                 /* ret */
};

/* The second case is reached through the table only. */
static const struct line JUMP_TABLE[] = {
    {"\x53", 1, "rsp+8"},                          /* push rbx */
    {"\x48\x83\xec\x10", 4, "rsp+16"},             /* sub rsp, 0x10 */
    {"\x89\xf8", 2, "rsp+32"},                     /* mov eax, edi */
    {"\xff\x24\xc5\x00\x20\x40\x00", 7, "rsp+32"}, /* jmp qword [rax*8+0x402000] */
    {"\xe8\xed\x0f\x00\x00", 5, "rsp+32"},         /* call callee */
    {"\x48\x83\xc4\x10", 4, "rsp+32"},             /* add rsp, 0x10 */
    {"\x5b", 1, "rsp+16"},                         /* pop rbx */
    {"\xc3", 1, "rsp+8"},                          /* ret */
    {"\x90", 1, "u"},                              /* nop */
    {"\x31\xff", 2, "rsp+32"},                     /* xor edi, edi */
    {"\xe8\xdf\x0f\x00\x00", 5, "rsp+32"},         /* call callee */
    {"\xeb\xf0", 2, "rsp+32"},                     /* jmp +19 */
};

/* Nobody knows which of them leads to the code behind. */
static const struct line JUMP_TABLES_OF_TWO_DEPTHS[] = {
    {"\x53", 1, "rsp+8"},      /* push rbx */
    {"\x85\xff", 2, "rsp+16"}, /* test edi, edi */
    {"\x74\x04", 2, "rsp+16"}, /* je +9 */
    {"\x41\x54", 2, "rsp+16"}, /* push r12 */
    {"\xff\xe0", 2, "rsp+24"}, /* jmp rax */
    {"\xff\xe2", 2, "rsp+16"}, /* jmp rdx */
    {"\x5b", 1, "u"},          /* pop rbx */
    {"\xc3", 1, "u"},          /* ret */
};

/* The jump from the entry state leaves the function; the other one does not. */
static const struct line INDIRECT_TAIL_CALL_BESIDE_A_JUMP_TABLE[] = {
    {"\x85\xff", 2, "rsp+8"},  /* test edi, edi */
    {"\x74\x03", 2, "rsp+8"},  /* je +7 */
    {"\x53", 1, "rsp+8"},      /* push rbx */
    {"\xff\xe0", 2, "rsp+16"}, /* jmp rax */
    {"\xff\xe2", 2, "rsp+8"},  /* jmp rdx */
    {"\x5b", 1, "rsp+16"},     /* pop rbx */
    {"\xc3", 1, "rsp+8"},      /* ret */
};

static const struct line TAIL_CALL[] = {
    {"\x53", 1, "rsp+8"},                           /* push rbx */
    {"\x89\xfb", 2, "rsp+16"},                      /* mov ebx, edi */
    {"\xe8\xf8\x0f\x00\x00", 5, "rsp+16 rbx=c-16"}, /* call callee */
    {"\x5b", 1, "rsp+16 rbx=c-16"},                 /* pop rbx */
    {"\xe9\xf2\xef\x1f\x00", 5, "rsp+8"},           /* jmp other */
};

static const struct line CONDITIONAL_TAIL_CALL[] = {
    {"\x48\x85\xff", 3, "rsp+8"},             /* test rdi, rdi */
    {"\x0f\x85\xf7\xef\x1f\x00", 6, "rsp+8"}, /* jne other */
    {"\x48\x83\xec\x08", 4, "rsp+8"},         /* sub rsp, 0x8 */
    {"\xe8\xee\x0f\x00\x00", 5, "rsp+16"},    /* call callee */
    {"\x48\x83\xc4\x08", 4, "rsp+16"},        /* add rsp, 0x8 */
    {"\xff\x25\x00\x01\x00\x00", 6, "rsp+8"}, /* jmp qword [rip+0x100] */
};

/* The psABI marks the outermost frame by a zero rbp. */
static const struct line PROCESS_START[] = {
    {"\xf3\x0f\x1e\xfa", 4, "rsp+8"},              /* endbr64 */
    {"\x31\xed", 2, "rsp+8"},                      /* xor ebp, ebp */
    {"\x49\x89\xd1", 3, "rsp+8 ra=u"},             /* mov r9, rdx */
    {"\x5e", 1, "rsp+8 ra=u"},                     /* pop rsi */
    {"\x48\x89\xe2", 3, "rsp+0 ra=u"},             /* mov rdx, rsp */
    {"\x48\x83\xe4\xf0", 4, "rsp+0 ra=u"},         /* and rsp, -0x10 */
    {"\x50", 1, "rdx+0 ra=u"},                     /* push rax */
    {"\x54", 1, "rdx+0 ra=u"},                     /* push rsp */
    {"\xff\x15\x00\x20\x00\x00", 6, "rdx+0 ra=u"}, /* call qword [rip+0x2000] */
    {"\xf4", 1, "u ra=u"},                         /* hlt */
};

static const struct line ENTER_AND_LEAVE[] = {
    {"\xc8\x20\x00\x00", 4, "rsp+8"},               /* enter 0x20, 0x0 */
    {"\xe8\xf7\x0f\x00\x00", 5, "rsp+48 rbp=c-16"}, /* call callee */
    {"\xc9", 1, "rsp+48 rbp=c-16"},                 /* leave */
    {"\xc3", 1, "rsp+8"},                           /* ret */
};

static const struct line SHADOW_STACK[] = {
    {"\xf3\x0f\x1e\xfa", 4, "rsp+8"},     /* endbr64 */
    {"\xf3\x48\x0f\x1e\xc8", 5, "rsp+8"}, /* rdsspq rax */
    {"\x48\x89\x07", 3, "rsp+8"},         /* mov qword [rdi], rax */
    {"\x31\xc0", 2, "rsp+8"},             /* xor eax, eax */
    {"\xc3", 1, "rsp+8"},                 /* ret */
};

static const struct line LARGE_FRAME[] = {
    {"\x55", 1, "rsp+8"},                             /* push rbp */
    {"\xb8\x40\x23\x01\x00", 5, "rsp+16"},            /* mov eax, 0x12340 */
    {"\x48\x29\xc4", 3, "rsp+16"},                    /* sub rsp, rax */
    {"\xe8\xf2\x0f\x00\x00", 5, "rsp+74576"},         /* call callee */
    {"\x48\x81\xc4\x40\x23\x01\x00", 7, "rsp+74576"}, /* add rsp, 0x12340 */
    {"\x5d", 1, "rsp+16"},                            /* pop rbp */
    {"\xc3", 1, "rsp+8"},                             /* ret */
};

/* The loop's depth is not known, but r11 still tells the CFA; the call takes it away. */
static const struct line PROBED_FRAME[] = {
    {"\x4c\x8d\x9c\x24\x00\xc0\xff\xff", 8, "rsp+8"}, /* lea r11, [rsp-0x4000] */
    {"\x48\x81\xec\x00\x10\x00\x00", 7, "r11+16392"}, /* sub rsp, 0x1000 */
    {"\x48\x83\x0c\x24\x00", 5, "r11+16392"},         /* or qword [rsp], 0x0 */
    {"\x4c\x39\xdc", 3, "r11+16392"},                 /* cmp rsp, r11 */
    {"\x75\xef", 2, "r11+16392"},                     /* jne +8 */
    {"\xe8\xe2\x0f\x00\x00", 5, "r11+16392"},         /* call callee */
    {"\xc3", 1, "u"},                                 /* ret */
};

static const struct line RED_ZONE[] = {
    {"\x48\x89\x5c\x24\xf8", 5, "rsp+8"},          /* mov qword [rsp-0x8], rbx */
    {"\x89\xfb", 2, "rsp+8"},                      /* mov ebx, edi */
    {"\x8d\x04\x1b", 3, "rsp+8 rbx=c-16"},         /* lea eax, [rbx+rbx*1] */
    {"\x48\x8b\x5c\x24\xf8", 5, "rsp+8 rbx=c-16"}, /* mov rbx, qword [rsp-0x8] */
    {"\xc3", 1, "rsp+8"},                          /* ret */
};

static const struct line SAVED_BY_MOVES[] = {
    {"\x48\x83\xec\x18", 4, "rsp+8"},                        /* sub rsp, 0x18 */
    {"\x48\x89\x5c\x24\x08", 5, "rsp+32"},                   /* mov qword [rsp+0x8], rbx */
    {"\x48\x89\x6c\x24\x10", 5, "rsp+32"},                   /* mov qword [rsp+0x10], rbp */
    {"\x89\xfb", 2, "rsp+32"},                               /* mov ebx, edi */
    {"\x89\xf5", 2, "rsp+32 rbx=c-24"},                      /* mov ebp, esi */
    {"\xe8\xe9\x0f\x00\x00", 5, "rsp+32 rbx=c-24 rbp=c-16"}, /* call callee */
    {"\x48\x8b\x5c\x24\x08", 5, "rsp+32 rbx=c-24 rbp=c-16"}, /* mov rbx, qword [rsp+0x8] */
    {"\x48\x8b\x6c\x24\x10", 5, "rsp+32 rbp=c-16"},          /* mov rbp, qword [rsp+0x10] */
    {"\x48\x83\xc4\x18", 4, "rsp+32"},                       /* add rsp, 0x18 */
    {"\xc3", 1, "rsp+8"},                                    /* ret */
};

static const struct line LOOP_THAT_PUSHES[] = {
    {"\x53", 1, "rsp+8"}, /* push rbx */
    {"\x50", 1, "u"},     /* push rax */
    {"\xff\xcf", 2, "u"}, /* dec edi */
    {"\x75\xfb", 2, "u"}, /* jne +1 */
    {"\xc3", 1, "u"},     /* ret */
};

static const struct line LOOP_THAT_POPS_WHAT_IT_PUSHED[] = {
    {"\x53", 1, "rsp+8"},                           /* push rbx */
    {"\x89\xfb", 2, "rsp+16"},                      /* mov ebx, edi */
    {"\x53", 1, "rsp+16 rbx=c-16"},                 /* push rbx */
    {"\xe8\xf7\x0f\x00\x00", 5, "rsp+24 rbx=c-16"}, /* call callee */
    {"\x58", 1, "rsp+24 rbx=c-16"},                 /* pop rax */
    {"\xff\xcb", 2, "rsp+16 rbx=c-16"},             /* dec ebx */
    {"\x75\xf5", 2, "rsp+16 rbx=c-16"},             /* jne +3 */
    {"\x5b", 1, "rsp+16 rbx=c-16"},                 /* pop rbx */
    {"\xc3", 1, "rsp+8"},                           /* ret */
};

static const struct line RBP_AS_A_PLAIN_REGISTER[] = {
    {"\x55", 1, "rsp+8"},                           /* push rbp */
    {"\x48\x95", 2, "rsp+16"},                      /* xchg rbp, rax */
    {"\x48\x8d\x6c\x85\x00", 5, "rsp+16 rbp=c-16"}, /* lea rbp, [rbp+rax*4] */
    {"\xe8\xf3\x0f\x00\x00", 5, "rsp+16 rbp=c-16"}, /* call callee */
    {"\x5d", 1, "rsp+16 rbp=c-16"},                 /* pop rbp */
    {"\xc3", 1, "rsp+8"},                           /* ret */
};

/* Overwritten without having been saved: it cannot be had. */
static const struct line RBP_LOST[] = {
    {"\x89\xfd", 2, "rsp+8"},                   /* mov ebp, edi */
    {"\xe8\xf9\x0f\x00\x00", 5, "rsp+8 rbp=u"}, /* call callee */
    {"\xc3", 1, "rsp+8 rbp=u"},                 /* ret */
};

/* Half of the saved word is overwritten. */
static const struct line OVERWRITTEN_SLOT[] = {
    {"\x53", 1, "rsp+8"},                        /* push rbx */
    {"\x89\xfb", 2, "rsp+16"},                   /* mov ebx, edi */
    {"\x89\x04\x24", 3, "rsp+16 rbx=c-16"},      /* mov dword [rsp], eax */
    {"\xe8\xf5\x0f\x00\x00", 5, "rsp+16 rbx=u"}, /* call callee */
    {"\x48\x89\x1c\x24", 4, "rsp+16 rbx=u"},     /* mov qword [rsp], rbx */
    {"\x48\x83\xc4\x08", 4, "rsp+16 rbx=u"},     /* add rsp, 0x8 */
    {"\xc3", 1, "rsp+8 rbx=u"},                  /* ret */
};

static const struct line KEPT_IN_ANOTHER_REGISTER[] = {
    {"\x49\x89\xdb", 3, "rsp+8"},         /* mov r11, rbx */
    {"\x89\xfb", 2, "rsp+8"},             /* mov ebx, edi */
    {"\x8d\x04\x1b", 3, "rsp+8 rbx=r11"}, /* lea eax, [rbx+rbx*1] */
    {"\x4c\x89\xdb", 3, "rsp+8 rbx=r11"}, /* mov rbx, r11 */
    {"\xc3", 1, "rsp+8"},                 /* ret */
};

static const struct line SAVED_ON_ONE_PATH[] = {
    {"\x85\xff", 2, "rsp+8"},                       /* test edi, edi */
    {"\x74\x09", 2, "rsp+8"},                       /* je +13 */
    {"\x53", 1, "rsp+8"},                           /* push rbx */
    {"\x89\xfb", 2, "rsp+16"},                      /* mov ebx, edi */
    {"\xe8\xf4\x0f\x00\x00", 5, "rsp+16 rbx=c-16"}, /* call callee */
    {"\x5b", 1, "rsp+16 rbx=c-16"},                 /* pop rbx */
    {"\xc3", 1, "rsp+8"},                           /* ret */
};

/* Capstone 4 takes movups to memory for a load. */
static const struct line VECTOR_STORE_OVER_A_SLOT[] = {
    {"\x48\x83\xec\x18", 4, "rsp+8"},            /* sub rsp, 0x18 */
    {"\x48\x89\x5c\x24\x08", 5, "rsp+32"},       /* mov qword [rsp+0x8], rbx */
    {"\x89\xfb", 2, "rsp+32"},                   /* mov ebx, edi */
    {"\x0f\x11\x04\x24", 4, "rsp+32 rbx=c-24"},  /* movups xmmword [rsp], xmm0 */
    {"\x48\x8b\x5c\x24\x08", 5, "rsp+32 rbx=u"}, /* mov rbx, qword [rsp+0x8] */
    {"\x48\x83\xc4\x18", 4, "rsp+32 rbx=u"},     /* add rsp, 0x18 */
    {"\xc3", 1, "rsp+8 rbx=u"},                  /* ret */
};

/* No path leads to it: it is entered with the frame of a call. */
static const struct line LANDING_PAD[] = {
    {"\x53", 1, "rsp+8"},                  /* push rbx */
    {"\x48\x83\xec\x10", 4, "rsp+16"},     /* sub rsp, 0x10 */
    {"\xe8\xf6\x0f\x00\x00", 5, "rsp+32"}, /* call callee */
    {"\x48\x83\xc4\x10", 4, "rsp+32"},     /* add rsp, 0x10 */
    {"\x5b", 1, "rsp+16"},                 /* pop rbx */
    {"\xc3", 1, "rsp+8"},                  /* ret */
    {"\x48\x89\xc7", 3, "rsp+32"},         /* mov rdi, rax */
    {"\xe8\xe8\x0f\x00\x00", 5, "rsp+32"}, /* call callee */
    {"\xeb\xf0", 2, "rsp+32"},             /* jmp +10 */
};

static const struct line UNDECODABLE[] = {
    {"\x53", 1, "rsp+8"}, /* push rbx */
    {"\x06", 1, "u"},     /* (bad) */
    {"\x5b", 1, "u"},     /* pop rbx */
    {"\xc3", 1, "u"},     /* ret */
};

static const struct line JUMP_INTO_AN_INSTRUCTION[] = {
    {"\x53", 1, "rsp+8"},      /* push rbx */
    {"\xeb\x01", 2, "rsp+16"}, /* jmp +4 */
    {"\xe8", 1, "u"},          /* .byte 0xe8 */
    {"\x5b", 1, "rsp+16"},     /* pop rbx */
    {"\xc3", 1, "rsp+8"},      /* ret */
};

static const struct line LEAVE_OF_HALF_A_WORD[] = {
    {"\x55", 1, "rsp+8"},               /* push rbp */
    {"\x48\x89\xe5", 3, "rsp+16"},      /* mov rbp, rsp */
    {"\x66\xc9", 2, "rsp+16 rbp=c-16"}, /* leavew */
    {"\xc3", 1, "u"},                   /* ret */
};

static const struct line STACK_SWITCH[] = {
    {"\x53", 1, "rsp+8"},          /* push rbx */
    {"\x48\x89\x27", 3, "rsp+16"}, /* mov qword [rdi], rsp */
    {"\x48\x8b\x26", 3, "rsp+16"}, /* mov rsp, qword [rsi] */
    {"\x5b", 1, "u"},              /* pop rbx */
    {"\xc3", 1, "u"},              /* ret */
};

static const struct line CALLEE_THAT_POPS[] = {
    {"\xc2\x10\x00", 3, "rsp+8"}, /* ret 0x10 */
};

static const struct line XMM_SAVES[] = {
    {"\x53", 1, "rsp+8"},                  /* push rbx */
    {"\x48\x83\xec\x20", 4, "rsp+16"},     /* sub rsp, 0x20 */
    {"\x0f\x29\x34\x24", 4, "rsp+48"},     /* movaps xmmword [rsp], xmm6 */
    {"\x0f\x29\x7c\x24\x10", 5, "rsp+48"}, /* movaps xmmword [rsp+0x10], xmm7 */
    {"\xe8\xed\x0f\x00\x00", 5, "rsp+48"}, /* call callee */
    {"\x48\x83\xc4\x20", 4, "rsp+48"},     /* add rsp, 0x20 */
    {"\x5b", 1, "rsp+16"},                 /* pop rbx */
    {"\xc3", 1, "rsp+8"},                  /* ret */
};

/* Hand-written code has subroutines under one symbol: this one is called by the code above. */
static const struct line SUBROUTINE_INSIDE[] = {
    {"\x53", 1, "rsp+8"},                  /* push rbx */
    {"\x48\x83\xec\x10", 4, "rsp+16"},     /* sub rsp, 0x10 */
    {"\xe8\x06\x00\x00\x00", 5, "rsp+32"}, /* call +16 */
    {"\x48\x83\xc4\x10", 4, "rsp+32"},     /* add rsp, 0x10 */
    {"\x5b", 1, "rsp+16"},                 /* pop rbx */
    {"\xc3", 1, "rsp+8"},                  /* ret */
    {"\x55", 1, "rsp+8"},                  /* push rbp */
    {"\x89\xfd", 2, "rsp+16"},             /* mov ebp, edi */
    {"\x5d", 1, "rsp+16 rbp=c-16"},        /* pop rbp */
    {"\xc3", 1, "rsp+8"},                  /* ret */
};

/* Nothing returns to the call: its return address is popped. */
static const struct line CALL_THAT_READS_THE_PC[] = {
    {"\x53", 1, "rsp+8"},                   /* push rbx */
    {"\xe8\x00\x00\x00\x00", 5, "rsp+16"},  /* call +6 */
    {"\x5b", 1, "rsp+24"},                  /* pop rbx */
    {"\x48\x89\xd8", 3, "rsp+16 rbx=c-16"}, /* mov rax, rbx */
    {"\x5b", 1, "rsp+16 rbx=c-16"},         /* pop rbx */
    {"\xc3", 1, "rsp+8"},                   /* ret */
};

/* Capstone 4 does not decode these three. */
static const struct line MASK_REGISTER_MOVES[] = {
    {"\x53", 1, "rsp+8"},              /* push rbx */
    {"\xc5\xfb\x93\xd9", 4, "rsp+16"}, /* kmovd ebx, k1 */
    {"\x62\xf1\x75\x28\x74\x47\x01", 7,
     "rsp+16 rbx=c-16"},                            /* vpcmpeqb k0, ymm1, YMMWORD [rdi+0x20] */
    {"\xc4\xe1\xf9\x98\xc0", 5, "rsp+16 rbx=c-16"}, /* kortestd k0, k0 */
    {"\x5b", 1, "rsp+16 rbx=c-16"},                 /* pop rbx */
    {"\xc3", 1, "rsp+8"},                           /* ret */
};

#define CASE(name)                                                                                 \
    {                                                                                              \
#name, name, sizeof(name) / sizeof(name[0])                                                \
    }

static const struct {
    const char *name;
    const struct line *lines;
    size_t count;
} CASES[] = {
    CASE(PLAIN),
    CASE(FRAME_POINTER),
    CASE(EPILOGUE_IN_THE_MIDDLE),
    CASE(SHRINK_WRAPPED),
    CASE(REALIGNED_THROUGH_R10),
    CASE(ALIGNED_LOCALS),
    CASE(ALLOCA),
    CASE(PUSHED_ARGUMENTS),
    CASE(CALL_THEN_TARGET_OF_ANOTHER_DEPTH),
    CASE(KNOWN_NORETURN_CALL),
    CASE(JUMP_TABLE),
    CASE(JUMP_TABLES_OF_TWO_DEPTHS),
    CASE(INDIRECT_TAIL_CALL_BESIDE_A_JUMP_TABLE),
    CASE(TAIL_CALL),
    CASE(CONDITIONAL_TAIL_CALL),
    CASE(PROCESS_START),
    CASE(ENTER_AND_LEAVE),
    CASE(SHADOW_STACK),
    CASE(LARGE_FRAME),
    CASE(PROBED_FRAME),
    CASE(RED_ZONE),
    CASE(SAVED_BY_MOVES),
    CASE(LOOP_THAT_PUSHES),
    CASE(LOOP_THAT_POPS_WHAT_IT_PUSHED),
    CASE(RBP_AS_A_PLAIN_REGISTER),
    CASE(RBP_LOST),
    CASE(OVERWRITTEN_SLOT),
    CASE(KEPT_IN_ANOTHER_REGISTER),
    CASE(SAVED_ON_ONE_PATH),
    CASE(VECTOR_STORE_OVER_A_SLOT),
    CASE(LANDING_PAD),
    CASE(UNDECODABLE),
    CASE(JUMP_INTO_AN_INSTRUCTION),
    CASE(LEAVE_OF_HALF_A_WORD),
    CASE(STACK_SWITCH),
    CASE(CALLEE_THAT_POPS),
    CASE(XMM_SAVES),
    CASE(SUBROUTINE_INSIDE),
    CASE(CALL_THAT_READS_THE_PC),
    CASE(MASK_REGISTER_MOVES),
};

static bool no_return(void *context, uint64_t vaddr)
{
    (void)context;
    return vaddr == NORETURN;
}

/* A function put together, to be analysed. */
struct function {
    uint8_t bytes[512];
    struct decoder *decoder;
    struct prologue_input input;
};

static void begin(struct function *f)
{
    const struct arch *arch = arch_get(ARCH_X86_64);

    *f = (struct function){
        .input = {.arch = arch, .start_vaddr = START, .end_vaddr = START, .no_return = no_return}};
    assert_int_equal(decoder_create(insn_set_for(arch), &f->decoder), STATUS_OK);
    f->input.decoder = f->decoder;
    f->input.bytes = f->bytes;
}

static void add(struct function *f, const char *bytes, size_t size)
{
    size_t used = (size_t)(f->input.end_vaddr - START);

    assert_true(used + size <= sizeof(f->bytes));
    memcpy(f->bytes + used, bytes, size);
    f->input.end_vaddr += size;
}

static void end(struct function *f)
{
    decoder_destroy(f->decoder);
}

static size_t append(char *text, size_t len, size_t size, const char *separator, const char *value)
{
    int n = snprintf(text + len, size - len, "%s%s", separator, value);

    assert_true(n >= 0 && (size_t)n < size - len);
    return len + (size_t)n;
}

static bool in_place(uint8_t kind)
{
    return kind == RULE_UNSPECIFIED || kind == RULE_SAME;
}

static const char *row_text(const struct row *row, char *text, size_t size)
{
    const struct arch *arch = arch_get(ARCH_X86_64);
    char rule[64];
    size_t len = 0;

    if (!row || (row->cfa.kind == CFA_UNKNOWN && row->ra.kind != RULE_UNDEFINED))
        return "u";
    assert_int_equal(row->source, TRUST_PROLOGUE);
    len = append(text, len, size, "", row_format_cfa(row, arch, rule, sizeof(rule)));
    for (unsigned reg = 0; reg < RIP; reg++) {
        if (in_place(row->regs[reg].kind))
            continue;
        len = append(text, len, size, " ", arch->reg_names[reg]);
        len = append(text, len, size, "=", rule_format(&row->regs[reg], arch, rule, sizeof(rule)));
    }
    if (row->ra.kind != RULE_AT_CFA || row->ra.off != -8)
        append(text, len, size, " ra=", rule_format(&row->ra, arch, rule, sizeof(rule)));
    return text;
}

static void expect_row(const struct row_table *table, uint64_t vaddr, const char *expected)
{
    char text[256];

    assert_string_equal(row_text(row_table_find(table, vaddr), text, sizeof(text)), expected);
}

static void check_case(const char *name, const struct line *lines, size_t count)
{
    struct function f;
    struct row_table table;
    uint64_t vaddr = START;
    char text[256];

    begin(&f);
    for (size_t i = 0; i < count; i++)
        add(&f, lines[i].bytes, lines[i].size);
    assert_int_equal(prologue_analyse(&f.input, &table), STATUS_OK);
    for (size_t i = 0; i < count; vaddr += lines[i++].size) {
        const char *row = row_text(row_table_find(&table, vaddr), text, sizeof(text));

        if (strcmp(row, lines[i].row) != 0)
            fail_msg("%s, line %zu: %s instead of %s", name, i, row, lines[i].row);
        /* The row holds up to the instruction's last byte. */
        row = row_text(row_table_find(&table, vaddr + lines[i].size - 1), text, sizeof(text));
        assert_string_equal(row, lines[i].row);
    }
    assert_null(row_table_find(&table, vaddr));
    assert_null(row_table_find(&table, START - 1));
    row_table_deinit(&table);
    end(&f);
}

static void prologue_every_instruction_has_its_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++)
        check_case(CASES[i].name, CASES[i].lines, CASES[i].count);
}

static void prologue_code_cut_anywhere_is_survived(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
        struct function f;
        uint64_t whole;

        begin(&f);
        for (size_t k = 0; k < CASES[i].count; k++)
            add(&f, CASES[i].lines[k].bytes, CASES[i].lines[k].size);
        whole = f.input.end_vaddr - START;
        for (uint64_t size = 1; size < whole; size++) {
            uint8_t *bytes = test_malloc(size);
            struct row_table table;

            memcpy(bytes, f.bytes, size);
            f.input.bytes = bytes;
            f.input.end_vaddr = START + size;
            assert_int_equal(prologue_analyse(&f.input, &table), STATUS_OK);
            if (size >= CASES[i].lines[0].size)
                expect_row(&table, START, "rsp+8");
            row_table_deinit(&table);
            test_free(bytes);
        }
        end(&f);
    }
}

static void prologue_fragment_begins_with_the_state_that_arrives(void **state)
{
    struct prologue_arrival arrival = {.vaddr = START};
    struct function f;
    struct row_table table;
    struct op push[] = {{.kind = OP_ADD, .dst = RSP, .src = RSP, .imm = -8},
                        {.kind = OP_STORE, .dst = RSP, .src = RBX, .size = 8},
                        {.kind = OP_CONST, .dst = RBX}};

    (void)state;
    state_init_entry(&arrival.state, arch_get(ARCH_X86_64));
    state_execute(&arrival.state, arch_get(ARCH_X86_64), push, 3, 0);
    begin(&f);
    f.input.not_entered = true;
    add(&f, "\xe8\xfb\x0f\x00\x00", 5); /* call CALLEE */
    add(&f, "\x5b\xc3", 2);             /* pop rbx; ret */
    assert_int_equal(prologue_analyse(&f.input, &table), STATUS_OK);
    expect_row(&table, START, "u"); /* nothing is known of how it is entered */
    row_table_deinit(&table);

    f.input.arrivals = &arrival;
    f.input.arrival_count = 1;
    assert_int_equal(prologue_analyse(&f.input, &table), STATUS_OK);
    expect_row(&table, START, "rsp+16 rbx=c-16");
    expect_row(&table, START + 5, "rsp+16 rbx=c-16");
    expect_row(&table, START + 6, "rsp+8");
    row_table_deinit(&table);

    /* Entered at its start as well: the two depths do not agree. */
    f.input.not_entered = false;
    assert_int_equal(prologue_analyse(&f.input, &table), STATUS_OK);
    expect_row(&table, START, "u");
    row_table_deinit(&table);
    end(&f);
}

static void prologue_state_at_a_jump_is_that_before_it(void **state)
{
    struct function f;
    struct prologue *prologue;
    struct state at_jump;

    (void)state;
    begin(&f);
    add(&f, "\x53", 1);                         /* push rbx */
    add(&f, "\x48\x85\xff", 3);                 /* test rdi, rdi */
    add(&f, "\x0f\x85\xf6\xef\x1f\x00", 6);     /* jne OTHER */
    add(&f, "\x5b\xe9\xf0\xef\x1f\x00\xc3", 7); /* pop rbx; jmp OTHER; ret */
    assert_int_equal(prologue_create(&f.input, &prologue), STATUS_OK);
    assert_int_equal(prologue_state_at_jump(prologue, START + 4, OTHER, &at_jump), STATUS_OK);
    assert_int_equal(at_jump.regs[RSP].kind, VALUE_ENTRY);
    assert_int_equal(at_jump.regs[RSP].k, -8);
    assert_int_equal(prologue_state_at_jump(prologue, START + 11, OTHER, &at_jump), STATUS_OK);
    assert_int_equal(at_jump.regs[RSP].k, 0);
    /* No jump, not to there, not inside, not reached. */
    assert_int_equal(prologue_state_at_jump(prologue, START + 1, OTHER, &at_jump),
                     STATUS_NOT_FOUND);
    assert_int_equal(prologue_state_at_jump(prologue, START + 4, OTHER + 1, &at_jump),
                     STATUS_NOT_FOUND);
    assert_int_equal(prologue_state_at_jump(prologue, START - 1, OTHER, &at_jump),
                     STATUS_NOT_FOUND);
    assert_int_equal(prologue_state_at_jump(prologue, f.input.end_vaddr, OTHER, &at_jump),
                     STATUS_NOT_FOUND);
    prologue_destroy(prologue);
    end(&f);
}

static void prologue_extreme_constants_give_no_row(void **state)
{
    struct function f;
    struct row_table table;

    (void)state;
    begin(&f);
    add(&f, "\x48\xb8\xff\xff\xff\xff\xff\xff\xff\x7f", 10); /* movabs rax, INT64_MAX */
    add(&f, "\x48\x01\xc4", 3);                              /* add rsp, rax */
    add(&f, "\x53", 1);                                      /* push rbx */
    add(&f, "\x48\x89\x84\x24\x00\x00\x00\x80", 8);          /* mov [rsp - 2^31], rax */
    add(&f, "\x48\x83\xe4\xf0", 4);                          /* and rsp, -16 */
    add(&f, "\x48\x01\xc4", 3);                              /* add rsp, rax */
    add(&f, "\xe8\x00\x00\x00\x00\xc3", 6);                  /* call; ret */
    assert_int_equal(prologue_analyse(&f.input, &table), STATUS_OK);
    expect_row(&table, START + 10, "rsp+8");
    expect_row(&table, START + 13, "u"); /* does not fit an offset */
    row_table_deinit(&table);
    end(&f);
}

/* Analyses `size` bytes of a repeated pattern. */
static enum status analyse_pattern(const char *pattern, size_t pattern_size, size_t size)
{
    uint8_t *bytes = test_malloc(size);
    struct function f;
    struct row_table table;
    enum status status;

    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)pattern[i % pattern_size];
    begin(&f);
    f.input.bytes = bytes;
    f.input.end_vaddr = START + size;
    status = prologue_analyse(&f.input, &table);
    if (status == STATUS_OK)
        row_table_deinit(&table);
    end(&f);
    test_free(bytes);
    return status;
}

/* Each of these would take minutes or gigabytes without the caps. */
static void prologue_hostile_functions_are_bounded(void **state)
{
    (void)state;
    assert_int_equal(analyse_pattern("\x90", 1, PROLOGUE_FUNCTION_MAX + 1), STATUS_UNSUPPORTED);
    assert_int_equal(analyse_pattern("\x66", 1, PROLOGUE_FUNCTION_MAX), STATUS_OK); /* prefixes */
    assert_int_equal(analyse_pattern("\x06", 1, PROLOGUE_FUNCTION_MAX), STATUS_OK); /* no code */
    assert_int_equal(analyse_pattern("\x75\x00", 2, PROLOGUE_FUNCTION_MAX), STATUS_UNSUPPORTED);
    assert_int_equal(analyse_pattern("\x75\x00", 2, 40000), STATUS_OK);
    assert_int_equal(analyse_pattern("\x53\x5b", 2, 200000), STATUS_OK);    /* a row each */
    assert_int_equal(analyse_pattern("\xff\xe0\x53", 3, 30000), STATUS_OK); /* gaps */
    assert_int_equal(analyse_pattern("\xe8\x00\x00\x00\x00\x0f\x85\x01\x80\xff\xff\x53", 12, 60000),
                     STATUS_OK);
}

static void prologue_empty_or_reversed_function_is_unsupported(void **state)
{
    struct function f;
    struct row_table table;

    (void)state;
    begin(&f);
    assert_int_equal(prologue_analyse(&f.input, &table), STATUS_UNSUPPORTED);
    f.input.end_vaddr = START - 1;
    assert_int_equal(prologue_analyse(&f.input, &table), STATUS_UNSUPPORTED);
    assert_null(row_table_find(&table, START));
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prologue_every_instruction_has_its_row),
        cmocka_unit_test(prologue_code_cut_anywhere_is_survived),
        cmocka_unit_test(prologue_fragment_begins_with_the_state_that_arrives),
        cmocka_unit_test(prologue_state_at_a_jump_is_that_before_it),
        cmocka_unit_test(prologue_extreme_constants_give_no_row),
        cmocka_unit_test(prologue_hostile_functions_are_bounded),
        cmocka_unit_test(prologue_empty_or_reversed_function_is_unsupported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
