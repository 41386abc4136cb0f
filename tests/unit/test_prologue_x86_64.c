/* Prologue analysis of x86-64 code; the bytes are GNU as's. See prologue_fixture.h. */
#include "prologue_fixture.h"

enum { RBX = 3, RBP = 6, RSP = 7, RIP = 16 };

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
    {"\x53", 1, "rbp+16 rbp=c-16"},                          /* push rbx */
    {"\x48\x83\xec\x08", 4, "rbp+16 rbp=c-16"},              /* sub rsp, 0x8 */
    {"\x89\xfb", 2, "rbp+16 rbp=c-16"},                      /* mov ebx, edi */
    {"\xe8\xf0\x0f\x00\x00", 5, "rbp+16 rbx=c-24 rbp=c-16"}, /* call callee */
    {"\x48\x8b\x5d\xf8", 4, "rbp+16 rbx=c-24 rbp=c-16"},     /* mov rbx, qword [rbp-0x8] */
    {"\xc9", 1, "rbp+16 rbp=c-16"},                          /* leave */
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

/*
 * gcc's frame for vectors: the CFA is in r10, then in the frame. Behind the call r10 is lost. What was popped is still in
 * the red zone.
 */
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
    {"\x5d", 1, "[rbp-8]+0 rbp=[rbp+0]"},                 /* pop rbp */
    {"\x49\x8d\x62\xf8", 4, "[rsp-16]+0"},                /* lea rsp, [r10-0x8] */
    {"\xc3", 1, "rsp+8"},                                 /* ret */
};

static const struct line ALIGNED_LOCALS[] = {
    {"\x55", 1, "rsp+8"},                                   /* push rbp */
    {"\x48\x89\xe5", 3, "rsp+16"},                          /* mov rbp, rsp */
    {"\x53", 1, "rbp+16 rbp=c-16"},                         /* push rbx */
    {"\x48\x83\xe4\xc0", 4, "rbp+16 rbp=c-16"},             /* and rsp, -0x40 */
    {"\x48\x81\xec\x80\x00\x00\x00", 7, "rbp+16 rbp=c-16"}, /* sub rsp, 0x80 */
    {"\xe8\xeb\x0f\x00\x00", 5, "rbp+16 rbp=c-16"},         /* call callee */
    {"\x48\x8b\x5d\xf8", 4, "rbp+16 rbp=c-16"},             /* mov rbx, qword [rbp-0x8] */
    {"\xc9", 1, "rbp+16 rbp=c-16"},                         /* leave */
    {"\xc3", 1, "rsp+8"},                                   /* ret */
};

static const struct line ALLOCA[] = {
    {"\x55", 1, "rsp+8"},                           /* push rbp */
    {"\x48\x89\xe5", 3, "rsp+16"},                  /* mov rbp, rsp */
    {"\x53", 1, "rbp+16 rbp=c-16"},                 /* push rbx */
    {"\x48\x83\xec\x08", 4, "rbp+16 rbp=c-16"},     /* sub rsp, 0x8 */
    {"\x48\x29\xfc", 3, "rbp+16 rbp=c-16"},         /* sub rsp, rdi */
    {"\x48\x89\xe7", 3, "rbp+16 rbp=c-16"},         /* mov rdi, rsp */
    {"\xe8\xec\x0f\x00\x00", 5, "rbp+16 rbp=c-16"}, /* call callee */
    {"\x48\x8d\x65\xf8", 4, "rbp+16 rbp=c-16"},     /* lea rsp, [rbp-0x8] */
    {"\x5b", 1, "rbp+16 rbp=c-16"},                 /* pop rbx */
    {"\x5d", 1, "rbp+16 rbp=c-16"},                 /* pop rbp */
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
    {"\xe8\xf7\x0f\x00\x00", 5, "rbp+16 rbp=c-16"}, /* call callee */
    {"\xc9", 1, "rbp+16 rbp=c-16"},                 /* leave */
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

/* The loop's depth is not known, but r11 still tells the CFA; where the loop ends rsp is r11. */
static const struct line PROBED_FRAME[] = {
    {"\x4c\x8d\x9c\x24\x00\xc0\xff\xff", 8, "rsp+8"}, /* lea r11, [rsp-0x4000] */
    {"\x48\x81\xec\x00\x10\x00\x00", 7, "r11+16392"}, /* sub rsp, 0x1000 */
    {"\x48\x83\x0c\x24\x00", 5, "r11+16392"},         /* or qword [rsp], 0x0 */
    {"\x4c\x39\xdc", 3, "r11+16392"},                 /* cmp rsp, r11 */
    {"\x75\xef", 2, "r11+16392"},                     /* jne +8 */
    {"\xe8\xe2\x0f\x00\x00", 5, "rsp+16392"},         /* call callee */
    {"\xc3", 1, "rsp+16392"},                         /* ret */
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
    {"\x66\xc9", 2, "rbp+16 rbp=c-16"}, /* leavew */
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

/* A thunk to return through: gcc's -mfunction-return=thunk. */
static const struct line RETURN_THUNK[] = {
    {"\xe8\x07\x00\x00\x00", 5, "rsp+8"},  /* call +0xc */
    {"\xf3\x90", 2, "u"},                  /* pause */
    {"\x0f\xae\xe8", 3, "u"},              /* lfence */
    {"\xeb\xf9", 2, "u"},                  /* jmp +0x5 */
    {"\x48\x8d\x64\x24\x08", 5, "rsp+16"}, /* lea rsp, [rsp+0x8] */
    {"\xc3", 1, "rsp+8"},                  /* ret */
};

/* gcc's -mindirect-branch=thunk-inline: the jump's own call is entered as a subroutine. */
static const struct line INLINE_THUNK[] = {
    {"\x53", 1, "rsp+8"},                  /* push rbx */
    {"\xeb\x11", 2, "rsp+16"},             /* jmp +0x14 */
    {"\xe8\x07\x00\x00\x00", 5, "rsp+8"},  /* call +0xf */
    {"\xf3\x90", 2, NULL},                 /* pause */
    {"\x0f\xae\xe8", 3, NULL},             /* lfence */
    {"\xeb\xf9", 2, NULL},                 /* jmp +0x8 */
    {"\x48\x89\x04\x24\xc3", 5, "rsp+16"}, /* mov qword [rsp], rax; ret */
    {"\xe8\xea\xff\xff\xff", 5, "rsp+16"}, /* call +0x3 */
    {"\x5b", 1, "rsp+16"},                 /* pop rbx */
    {"\xc3", 1, "rsp+8"},                  /* ret */
};

/* clang's speculative load hardening puts what it knows into SP's upper bits. */
static const struct line HARDENED_LOADS[] = {
    {"\x53", 1, "rsp+8"},                  /* push rbx */
    {"\x48\x89\xe0", 3, "rsp+16"},         /* mov rax, rsp */
    {"\x48\xc1\xf8\x3f", 4, "rsp+16"},     /* sar rax, 0x3f */
    {"\x48\xc1\xe0\x2f", 4, "rsp+16"},     /* shl rax, 0x2f */
    {"\x48\x09\xc4", 3, "rsp+16"},         /* or rsp, rax */
    {"\xe8\xec\x0f\x00\x00", 5, "rsp+16"}, /* call callee */
    {"\x5b", 1, "rsp+16"},                 /* pop rbx */
    {"\xc3", 1, "rsp+8"},                  /* ret */
};

static const struct prologue_case CASES[] = {
    CASE(RETURN_THUNK),
    CASE(INLINE_THUNK),
    CASE(HARDENED_LOADS),
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

static void expect_row(const struct row_table *table, uint64_t vaddr, const char *expected)
{
    char text[256];

    assert_string_equal(row_text(arch_get(ARCH_X86_64),
                                 row_table_find(table, vaddr, &(struct row){0}), text,
                                 sizeof(text)),
                        expected);
}

static void prologue_every_instruction_has_its_row(void **state)
{
    (void)state;
    check_cases(ARCH_X86_64, CODE_DEFAULT, CASES, sizeof(CASES) / sizeof(CASES[0]));
}

static void prologue_code_cut_anywhere_is_survived(void **state)
{
    (void)state;
    check_prefixes(ARCH_X86_64, CODE_DEFAULT, CASES, sizeof(CASES) / sizeof(CASES[0]));
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
    begin(&f, ARCH_X86_64, CODE_DEFAULT);
    f.input.not_entered = true;
    add(&f, "\xe8\xfb\x0f\x00\x00", 5); /* call CALLEE */
    add(&f, "\x5b\xc3", 2);             /* pop rbx; ret */
    assert_int_equal(analyse_rows(&f.input, &table), STATUS_OK);
    expect_row(&table, START, "u"); /* nothing is known of how it is entered */
    row_table_deinit(&table);

    f.input.arrivals = &arrival;
    f.input.arrival_count = 1;
    assert_int_equal(analyse_rows(&f.input, &table), STATUS_OK);
    expect_row(&table, START, "rsp+16 rbx=c-16");
    expect_row(&table, START + 5, "rsp+16 rbx=c-16");
    expect_row(&table, START + 6, "rsp+8");
    row_table_deinit(&table);

    /* Entered at its start as well: the two depths do not agree. */
    f.input.not_entered = false;
    assert_int_equal(analyse_rows(&f.input, &table), STATUS_OK);
    expect_row(&table, START, "u");
    row_table_deinit(&table);
    end(&f);
}

static void prologue_own_path_outweighs_what_arrives_behind_the_start(void **state)
{
    struct prologue_arrival arrival = {.vaddr = START + 1};
    struct function f;
    struct row_table table;

    (void)state;
    state_init_entry(&arrival.state, arch_get(ARCH_X86_64)); /* not the depth behind push */
    begin(&f, ARCH_X86_64, CODE_DEFAULT);
    add(&f, "\x53", 1);                 /* push rbx */
    add(&f, "\xe8\xfa\x0f\x00\x00", 5); /* call CALLEE */
    add(&f, "\x5b\xc3", 2);             /* pop rbx; ret */
    add(&f, "\xe8\xf3\x0f\x00\x00", 5); /* call CALLEE: reached from elsewhere alone */
    add(&f, "\xc3", 1);                 /* ret */
    f.input.arrivals = &arrival;
    f.input.arrival_count = 1;
    assert_int_equal(analyse_rows(&f.input, &table), STATUS_OK);
    expect_row(&table, START + 1, "rsp+16");
    row_table_deinit(&table);

    arrival.vaddr = START + 8;
    assert_int_equal(analyse_rows(&f.input, &table), STATUS_OK);
    expect_row(&table, START + 8, "rsp+8");
    row_table_deinit(&table);
    end(&f);
}

/* Two calls of different depths, and what is entered when they throw. */
static void add_throwing_calls(struct function *f)
{
    add(f, "\x53", 1);                 /* +0 push rbx */
    add(f, "\x89\xfb", 2);             /* +1 mov ebx, edi */
    add(f, "\x48\x83\xec\x10", 4);     /* +3 sub rsp, 0x10 */
    add(f, "\xe8\xf4\x0f\x00\x00", 5); /* +7 call CALLEE       rsp+32 */
    add(f, "\x50\x50", 2);             /* +c push rax; push rax */
    add(f, "\xe8\xed\x0f\x00\x00", 5); /* +e call CALLEE       rsp+48 */
    add(f, "\x48\x83\xc4\x20", 4);     /* +13 add rsp, 0x20 */
    add(f, "\x5b\xc3", 2);             /* +17 pop rbx; ret */
    add(f, "\x48\x83\xc4\x10", 4);     /* +19 add rsp, 0x10 */
    add(f, "\x48\x89\xc7", 3);         /* +1d mov rdi, rax */
    add(f, "\xe8\xdb\xef\x0f\x00", 5); /* +20 call NORETURN */
}

static void prologue_landing_pad_is_entered_with_the_frame_of_its_calls(void **state)
{
    static const struct landing_pad pads[] = {{START + 0x7, START + 0xc, START + 0x1d, 0},
                                              {START + 0xe, START + 0x13, START + 0x19, 0}};
    struct function f;
    struct row_table table;

    (void)state;
    begin(&f, ARCH_X86_64, CODE_DEFAULT);
    add_throwing_calls(&f);
    f.input.reached_only = true; /* nothing is guessed */
    f.input.pads = pads;
    f.input.pad_count = 2;
    assert_int_equal(analyse_rows(&f.input, &table), STATUS_OK);
    expect_row(&table, START + 0x19, "rsp+48 rbx=c-16");
    expect_row(&table, START + 0x1d, "rsp+32 rbx=c-16");
    expect_row(&table, START + 0x20, "rsp+32 rbx=c-16");
    row_table_deinit(&table);

    f.input.pad_count = 0;
    assert_int_equal(analyse_rows(&f.input, &table), STATUS_OK);
    assert_null(row_table_find(&table, START + 0x19, &(struct row){0}));
    assert_null(row_table_find(&table, START + 0x1d, &(struct row){0}));
    row_table_deinit(&table);
    end(&f);
}

/* A range may take in calls that cannot throw: of what was pushed for these no table tells. */
static void
prologue_landing_pad_of_calls_that_disagree_has_the_frame_of_the_shallowest(void **state)
{
    static const struct landing_pad pads[] = {{START + 0x7, START + 0x13, START + 0x19, 0}};
    struct function f;
    struct row_table table;

    (void)state;
    begin(&f, ARCH_X86_64, CODE_DEFAULT);
    add_throwing_calls(&f);
    f.input.pads = pads;
    f.input.pad_count = 1;
    assert_int_equal(analyse_rows(&f.input, &table), STATUS_OK);
    expect_row(&table, START + 0x13, "rsp+48 rbx=c-16");
    expect_row(&table, START + 0x19, "rsp+32 rbx=c-16");
    expect_row(&table, START + 0x1d, "rsp+16 rbx=c-16");
    row_table_deinit(&table);
    end(&f);
}

static void prologue_landing_pad_finds_pushed_arguments_popped(void **state)
{
    static const struct landing_pad pads[] = {{START + 0x7, START + 0xc, START + 0x1d, 0},
                                              {START + 0xe, START + 0x13, START + 0x1d, 16}};
    struct function f;
    struct row_table table;

    (void)state;
    begin(&f, ARCH_X86_64, CODE_DEFAULT);
    add_throwing_calls(&f);
    f.input.reached_only = true;
    f.input.pads = pads + 1; /* of the deeper call alone */
    f.input.pad_count = 1;
    assert_int_equal(analyse_rows(&f.input, &table), STATUS_OK);
    expect_row(&table, START + 0x1d, "rsp+32 rbx=c-16");
    row_table_deinit(&table);

    f.input.pads = pads;
    f.input.pad_count = 2;
    assert_int_equal(analyse_rows(&f.input, &table), STATUS_OK);
    expect_row(&table, START + 0x1d, "rsp+32 rbx=c-16");
    row_table_deinit(&table);
    end(&f);
}

/* Stack depths that cannot be compared (alloca): the frame pointer tells. */
static void prologue_landing_pad_without_a_known_depth_has_the_frame_pointer(void **state)
{
    static const struct landing_pad pads[] = {{START + 0x4, START + 0x11, START + 0x13, 0}};
    struct function f;
    struct row_table table;

    (void)state;
    begin(&f, ARCH_X86_64, CODE_DEFAULT);
    add(&f, "\x55", 1);                 /* +0 push rbp */
    add(&f, "\x48\x89\xe5", 3);         /* +1 mov rbp, rsp */
    add(&f, "\xe8\xf7\x0f\x00\x00", 5); /* +4 call CALLEE */
    add(&f, "\x48\x29\xc4", 3);         /* +9 sub rsp, rax */
    add(&f, "\xe8\xef\x0f\x00\x00", 5); /* +c call CALLEE */
    add(&f, "\xc9\xc3", 2);             /* +11 leave; ret */
    add(&f, "\x48\x89\xc7", 3);         /* +13 mov rdi, rax */
    add(&f, "\xe8\xe5\xef\x0f\x00", 5); /* +16 call NORETURN */
    f.input.reached_only = true;
    f.input.pads = pads;
    f.input.pad_count = 1;
    assert_int_equal(analyse_rows(&f.input, &table), STATUS_OK);
    expect_row(&table, START + 0x13, "rbp+16 rbp=c-16");
    expect_row(&table, START + 0x16, "rbp+16 rbp=c-16");
    row_table_deinit(&table);
    end(&f);
}

static void prologue_state_at_a_pad_outside_is_that_of_its_calls(void **state)
{
    static const struct landing_pad pad = {START + 0xe, START + 0x13, OTHER, 16};
    static const struct landing_pad elsewhere = {START + 0x13, START + 0x17, OTHER, 0};
    struct function f;
    struct prologue *prologue;
    struct state at_pad;

    (void)state;
    begin(&f, ARCH_X86_64, CODE_DEFAULT);
    add_throwing_calls(&f);
    assert_int_equal(prologue_create(&f.input, &prologue), STATUS_OK);
    assert_int_equal(prologue_state_at_pad(prologue, &pad, &at_pad), STATUS_OK);
    assert_int_equal(at_pad.regs[RSP].kind, VALUE_ENTRY);
    assert_int_equal(at_pad.regs[RSP].k, -24);
    assert_int_equal(prologue_state_at_pad(prologue, &elsewhere, &at_pad), STATUS_NOT_FOUND);
    prologue_destroy(prologue);
    end(&f);
}

static void prologue_cases_outside_the_function_are_told_with_their_state(void **state)
{
    struct function f;
    struct prologue *prologue;
    struct prologue_arrival arrivals[4];

    (void)state;
    begin(&f, ARCH_X86_64, CODE_DEFAULT);
    add(&f, "\x53", 1);                         /* +0 push rbx */
    add(&f, "\x83\xff\x01", 3);                 /* +1 cmp edi, 1 */
    add(&f, "\x77\x12", 2);                     /* +4 ja +18 */
    add(&f, "\x48\x8d\x15\x0d\x00\x00\x00", 7); /* +6 lea rdx, [rip + 0xd]  TABLE = +1a */
    add(&f, "\x48\x63\x04\xba", 4);             /* +d movsxd rax, [rdx + rdi*4] */
    add(&f, "\x48\x01\xd0", 3);                 /* +11 add rax, rdx */
    add(&f, "\xff\xe0", 2);                     /* +14 jmp rax */
    add(&f, "\x90\x90", 2);                     /* +16 */
    add(&f, "\x5b\xc3", 2);                     /* +18 pop rbx; ret */
    add(&f, "\xfe\xff\xff\xff", 4);             /* +1a case 0: +18 */
    add(&f, "\xe6\xef\x1f\x00", 4);             /* +1e case 1: OTHER */
    assert_int_equal(prologue_create(&f.input, &prologue), STATUS_OK);
    assert_int_equal(prologue_outer_cases(prologue, OTHER, OTHER + 1, arrivals, 4), 1);
    assert_int_equal(arrivals[0].vaddr, OTHER);
    assert_int_equal(arrivals[0].state.regs[RSP].k, -8);
    assert_int_equal(prologue_outer_cases(prologue, OTHER, OTHER + 1, arrivals, 0), 0);
    assert_int_equal(prologue_outer_cases(prologue, OTHER + 1, OTHER + 9, arrivals, 4), 0);
    prologue_destroy(prologue);
    end(&f);
}

/* What an LSDA says is not trusted to lie inside the function, nor to begin an instruction. */
static void prologue_landing_pad_elsewhere_changes_nothing(void **state)
{
    static const struct landing_pad pads[] = {{START, START + 5, START + 0x17, 0},
                                              {START + 0x7, START + 0xc, OTHER, 0},
                                              {START + 0x7, START + 0xc, START - 1, 0},
                                              {START + 0x13, START + 0xe, START + 0x17, 0},
                                              {START + 0x13, OTHER, START + 0x17, 0}};
    struct function f;
    struct row_table table;

    (void)state;
    begin(&f, ARCH_X86_64, CODE_DEFAULT);
    add_throwing_calls(&f);
    f.input.pads = pads;
    f.input.pad_count = sizeof(pads) / sizeof(pads[0]);
    assert_int_equal(analyse_rows(&f.input, &table), STATUS_OK);
    expect_row(&table, START + 0x7, "rsp+32 rbx=c-16");
    expect_row(&table, START + 0x13, "rsp+48 rbx=c-16");
    expect_row(&table, START + 0x17, "rsp+16 rbx=c-16");
    expect_row(&table, START + 0x18, "rsp+8");
    row_table_deinit(&table);
    end(&f);
}

static void prologue_state_at_a_jump_is_that_before_it(void **state)
{
    struct function f;
    struct prologue *prologue;
    struct state at_jump;

    (void)state;
    begin(&f, ARCH_X86_64, CODE_DEFAULT);
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
    begin(&f, ARCH_X86_64, CODE_DEFAULT);
    add(&f, "\x48\xb8\xff\xff\xff\xff\xff\xff\xff\x7f", 10); /* movabs rax, INT64_MAX */
    add(&f, "\x48\x01\xc4", 3);                              /* add rsp, rax */
    add(&f, "\x53", 1);                                      /* push rbx */
    add(&f, "\x48\x89\x84\x24\x00\x00\x00\x80", 8);          /* mov [rsp - 2^31], rax */
    add(&f, "\x48\x83\xe4\xf0", 4);                          /* and rsp, -16 */
    add(&f, "\x48\x01\xc4", 3);                              /* add rsp, rax */
    add(&f, "\xe8\x00\x00\x00\x00\xc3", 6);                  /* call; ret */
    assert_int_equal(analyse_rows(&f.input, &table), STATUS_OK);
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
    begin(&f, ARCH_X86_64, CODE_DEFAULT);
    f.bytes = bytes;
    f.input.end_vaddr = START + size;
    status = analyse_rows(&f.input, &table);
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
    begin(&f, ARCH_X86_64, CODE_DEFAULT);
    assert_int_equal(analyse_rows(&f.input, &table), STATUS_UNSUPPORTED);
    f.input.end_vaddr = START - 1;
    assert_int_equal(analyse_rows(&f.input, &table), STATUS_UNSUPPORTED);
    assert_null(row_table_find(&table, START, &(struct row){0}));
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prologue_every_instruction_has_its_row),
        cmocka_unit_test(prologue_code_cut_anywhere_is_survived),
        cmocka_unit_test(prologue_fragment_begins_with_the_state_that_arrives),
        cmocka_unit_test(prologue_own_path_outweighs_what_arrives_behind_the_start),
        cmocka_unit_test(prologue_landing_pad_is_entered_with_the_frame_of_its_calls),
        cmocka_unit_test(
            prologue_landing_pad_of_calls_that_disagree_has_the_frame_of_the_shallowest),
        cmocka_unit_test(prologue_landing_pad_finds_pushed_arguments_popped),
        cmocka_unit_test(prologue_landing_pad_without_a_known_depth_has_the_frame_pointer),
        cmocka_unit_test(prologue_state_at_a_pad_outside_is_that_of_its_calls),
        cmocka_unit_test(prologue_cases_outside_the_function_are_told_with_their_state),
        cmocka_unit_test(prologue_landing_pad_elsewhere_changes_nothing),
        cmocka_unit_test(prologue_state_at_a_jump_is_that_before_it),
        cmocka_unit_test(prologue_extreme_constants_give_no_row),
        cmocka_unit_test(prologue_hostile_functions_are_bounded),
        cmocka_unit_test(prologue_empty_or_reversed_function_is_unsupported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
