/* SPDX-License-Identifier: MIT */
/* Prologue analysis of x86-64 code; the bytes are GNU as's. See prologue_fixture.h. */
#include "prologue_fixture.h"

static const struct line CASES[] = {
    FUNCTION(PLAIN),
    {"\x53", 1, "rsp+8"},                  /* push rbx */
    {"\x48\x83\xec\x10", 4, "rsp+16"},     /* sub rsp, 0x10 */
    {"\xe8\xf6\x0f\x00\x00", 5, "rsp+32"}, /* call callee */
    {"\x48\x83\xc4\x10", 4, "rsp+32"},     /* add rsp, 0x10 */
    {"\x5b", 1, "rsp+16"},                 /* pop rbx */
    {"\xc3", 1, "rsp+8"},                  /* ret */
    FUNCTION(FRAME_POINTER),
    {"\x55", 1, "rsp+8"},                                    /* push rbp */
    {"\x48\x89\xe5", 3, "rsp+16"},                           /* mov rbp, rsp */
    {"\x53", 1, "rbp+16 rbp=c-16"},                          /* push rbx */
    {"\x48\x83\xec\x08", 4, "rbp+16 rbp=c-16"},              /* sub rsp, 0x8 */
    {"\x89\xfb", 2, "rbp+16 rbp=c-16"},                      /* mov ebx, edi */
    {"\xe8\xf0\x0f\x00\x00", 5, "rbp+16 rbx=c-24 rbp=c-16"}, /* call callee */
    {"\x48\x8b\x5d\xf8", 4, "rbp+16 rbx=c-24 rbp=c-16"},     /* mov rbx, qword [rbp-0x8] */
    {"\xc9", 1, "rbp+16 rbp=c-16"},                          /* leave */
    {"\xc3", 1, "rsp+8"},                                    /* ret */
    /* What follows the first ret has the state of the branch, not of the line above. */
    FUNCTION(EPILOGUE_IN_THE_MIDDLE),
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
    /* The prologue comes after an early return. */
    FUNCTION(SHRINK_WRAPPED),
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
    /*
     * gcc's frame for vectors: the CFA is in r10, then in the frame. Behind the call r10 is lost.
     * What was popped is still in the red zone.
     */
    FUNCTION(REALIGNED_THROUGH_R10),
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
    FUNCTION(ALIGNED_LOCALS),
    {"\x55", 1, "rsp+8"},                                   /* push rbp */
    {"\x48\x89\xe5", 3, "rsp+16"},                          /* mov rbp, rsp */
    {"\x53", 1, "rbp+16 rbp=c-16"},                         /* push rbx */
    {"\x48\x83\xe4\xc0", 4, "rbp+16 rbp=c-16"},             /* and rsp, -0x40 */
    {"\x48\x81\xec\x80\x00\x00\x00", 7, "rbp+16 rbp=c-16"}, /* sub rsp, 0x80 */
    {"\xe8\xeb\x0f\x00\x00", 5, "rbp+16 rbp=c-16"},         /* call callee */
    {"\x48\x8b\x5d\xf8", 4, "rbp+16 rbp=c-16"},             /* mov rbx, qword [rbp-0x8] */
    {"\xc9", 1, "rbp+16 rbp=c-16"},                         /* leave */
    {"\xc3", 1, "rsp+8"},                                   /* ret */
    FUNCTION(ALLOCA),
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
    FUNCTION(PUSHED_ARGUMENTS),
    {"\x48\x83\xec\x08", 4, "rsp+8"},      /* sub rsp, 0x8 */
    {"\x6a\x08", 2, "rsp+16"},             /* push 0x8 */
    {"\x6a\x07", 2, "rsp+24"},             /* push 0x7 */
    {"\xe8\xf3\x0f\x00\x00", 5, "rsp+32"}, /* call callee */
    {"\x48\x83\xc4\x18", 4, "rsp+32"},     /* add rsp, 0x18 */
    {"\xc3", 1, "rsp+8"},                  /* ret */
    /* The call is of a function that does not return, as the depth of the branch shows. */
    FUNCTION(CALL_THEN_TARGET_OF_ANOTHER_DEPTH),
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
    /* What follows it belongs to nobody here; it is guessed to be entered from the calls. */
    FUNCTION(KNOWN_NORETURN_CALL),
    {"\x48\x83\xec\x08", 4, "rsp+8"},      /* sub rsp, 0x8 */
    {"\x85\xff", 2, "rsp+16"},             /* test edi, edi */
    {"\x74\x05", 2, "rsp+16"},             /* je +13 */
    {"\x48\x83\xc4\x08", 4, "rsp+16"},     /* add rsp, 0x8 */
    {"\xc3", 1, "rsp+8"},                  /* ret */
    {"\xbf\x03\x00\x00\x00", 5, "rsp+16"}, /* mov edi, 0x3 */
    {"\xe8\xe9\xef\x0f\x00", 5, "rsp+16"}, /* call noreturn */
    {"\x53", 1, "rsp+16"},                 /* push rbx */
    {"\xc3", 1, "rsp+24"},                 /* ret */
    /* The second case is reached through the table only. */
    FUNCTION(JUMP_TABLE),
    {"\x53", 1, "rsp+8"},                          /* push rbx */
    {"\x48\x83\xec\x10", 4, "rsp+16"},             /* sub rsp, 0x10 */
    {"\x89\xf8", 2, "rsp+32"},                     /* mov eax, edi */
    {"\xff\x24\xc5\x00\x20\x40\x00", 7, "rsp+32"}, /* jmp qword [rax*8+0x402000] */
    {"\xe8\xed\x0f\x00\x00", 5, "rsp+32"},         /* call callee */
    {"\x48\x83\xc4\x10", 4, "rsp+32"},             /* add rsp, 0x10 */
    {"\x5b", 1, "rsp+16"},                         /* pop rbx */
    {"\xc3", 1, "rsp+8"},                          /* ret */
    {"\x90", 1, "rsp+32"},                         /* nop: as what it aligns */
    {"\x31\xff", 2, "rsp+32"},                     /* xor edi, edi */
    {"\xe8\xdf\x0f\x00\x00", 5, "rsp+32"},         /* call callee */
    {"\xeb\xf0", 2, "rsp+32"},                     /* jmp +19 */
    /* The nop is where the call would return to, with what it was given still on the stack. */
    FUNCTION(PADDING_BEHIND_A_NORETURN_CALL),
    {"\x50", 1, "rsp+8"},                  /* push rax */
    {"\x85\xff", 2, "rsp+16"},             /* test edi, edi */
    {"\x75\x08", 2, "rsp+16"},             /* jne +d */
    {"\x6a\x01", 2, "rsp+16"},             /* push 1 */
    {"\xe8\xf4\xef\x0f\x00", 5, "rsp+24"}, /* call noreturn */
    {"\x90", 1, "u"},                      /* nop */
    {"\x58", 1, "rsp+16"},                 /* pop rax */
    {"\xc3", 1, "rsp+8"},                  /* ret */
    /* Nobody knows which of them leads to the code behind. */
    FUNCTION(JUMP_TABLES_OF_TWO_DEPTHS),
    {"\x53", 1, "rsp+8"},      /* push rbx */
    {"\x85\xff", 2, "rsp+16"}, /* test edi, edi */
    {"\x74\x04", 2, "rsp+16"}, /* je +9 */
    {"\x41\x54", 2, "rsp+16"}, /* push r12 */
    {"\xff\xe0", 2, "rsp+24"}, /* jmp rax */
    {"\xff\xe2", 2, "rsp+16"}, /* jmp rdx */
    {"\x5b", 1, "u"},          /* pop rbx */
    {"\xc3", 1, "u"},          /* ret */
    /* The jump from the entry state leaves the function; the other one does not. */
    FUNCTION(INDIRECT_TAIL_CALL_BESIDE_A_JUMP_TABLE),
    {"\x85\xff", 2, "rsp+8"},  /* test edi, edi */
    {"\x74\x03", 2, "rsp+8"},  /* je +7 */
    {"\x53", 1, "rsp+8"},      /* push rbx */
    {"\xff\xe0", 2, "rsp+16"}, /* jmp rax */
    {"\xff\xe2", 2, "rsp+8"},  /* jmp rdx */
    {"\x5b", 1, "rsp+16"},     /* pop rbx */
    {"\xc3", 1, "rsp+8"},      /* ret */
    FUNCTION(TAIL_CALL),
    {"\x53", 1, "rsp+8"},                           /* push rbx */
    {"\x89\xfb", 2, "rsp+16"},                      /* mov ebx, edi */
    {"\xe8\xf8\x0f\x00\x00", 5, "rsp+16 rbx=c-16"}, /* call callee */
    {"\x5b", 1, "rsp+16 rbx=c-16"},                 /* pop rbx */
    {"\xe9\xf2\xef\x1f\x00", 5, "rsp+8"},           /* jmp other */
    FUNCTION(CONDITIONAL_TAIL_CALL),
    {"\x48\x85\xff", 3, "rsp+8"},             /* test rdi, rdi */
    {"\x0f\x85\xf7\xef\x1f\x00", 6, "rsp+8"}, /* jne other */
    {"\x48\x83\xec\x08", 4, "rsp+8"},         /* sub rsp, 0x8 */
    {"\xe8\xee\x0f\x00\x00", 5, "rsp+16"},    /* call callee */
    {"\x48\x83\xc4\x08", 4, "rsp+16"},        /* add rsp, 0x8 */
    {"\xff\x25\x00\x01\x00\x00", 6, "rsp+8"}, /* jmp qword [rip+0x100] */
    /* The psABI marks the outermost frame by a zero rbp. */
    FUNCTION(PROCESS_START),
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
    /* Where rbp is kept the zero is plain arithmetic; the return address is popped, and kept. */
    FUNCTION(POPS_RETURN_ADDRESS),
    {"\x41\x5b", 2, "rsp+8"},                    /* pop r11 */
    {"\x49\x89\xea", 3, "rsp+0 ra=r11"},         /* mov r10, rbp */
    {"\x31\xed", 2, "rsp+0 ra=r11"},             /* xor ebp, ebp */
    {"\x90", 1, "rsp+0 rbp=r10 ra=r11"},         /* nop */
    {"\x4c\x89\xd5", 3, "rsp+0 rbp=r10 ra=r11"}, /* mov rbp, r10 */
    {"\x41\xff\xe3", 3, "rsp+0 ra=r11"},         /* jmp r11 */
    FUNCTION(ENTER_AND_LEAVE),
    {"\xc8\x20\x00\x00", 4, "rsp+8"},               /* enter 0x20, 0x0 */
    {"\xe8\xf7\x0f\x00\x00", 5, "rbp+16 rbp=c-16"}, /* call callee */
    {"\xc9", 1, "rbp+16 rbp=c-16"},                 /* leave */
    {"\xc3", 1, "rsp+8"},                           /* ret */
    FUNCTION(SHADOW_STACK),
    {"\xf3\x0f\x1e\xfa", 4, "rsp+8"},     /* endbr64 */
    {"\xf3\x48\x0f\x1e\xc8", 5, "rsp+8"}, /* rdsspq rax */
    {"\x48\x89\x07", 3, "rsp+8"},         /* mov qword [rdi], rax */
    {"\x31\xc0", 2, "rsp+8"},             /* xor eax, eax */
    {"\xc3", 1, "rsp+8"},                 /* ret */
    FUNCTION(LARGE_FRAME),
    {"\x55", 1, "rsp+8"},                             /* push rbp */
    {"\xb8\x40\x23\x01\x00", 5, "rsp+16"},            /* mov eax, 0x12340 */
    {"\x48\x29\xc4", 3, "rsp+16"},                    /* sub rsp, rax */
    {"\xe8\xf2\x0f\x00\x00", 5, "rsp+74576"},         /* call callee */
    {"\x48\x81\xc4\x40\x23\x01\x00", 7, "rsp+74576"}, /* add rsp, 0x12340 */
    {"\x5d", 1, "rsp+16"},                            /* pop rbp */
    {"\xc3", 1, "rsp+8"},                             /* ret */
    /*
     * The loop's depth is not known, but r11 still tells the CFA; where the loop ends rsp is r11.
     */
    FUNCTION(PROBED_FRAME),
    {"\x4c\x8d\x9c\x24\x00\xc0\xff\xff", 8, "rsp+8"}, /* lea r11, [rsp-0x4000] */
    {"\x48\x81\xec\x00\x10\x00\x00", 7, "r11+16392"}, /* sub rsp, 0x1000 */
    {"\x48\x83\x0c\x24\x00", 5, "r11+16392"},         /* or qword [rsp], 0x0 */
    {"\x4c\x39\xdc", 3, "r11+16392"},                 /* cmp rsp, r11 */
    {"\x75\xef", 2, "r11+16392"},                     /* jne +8 */
    {"\xe8\xe2\x0f\x00\x00", 5, "rsp+16392"},         /* call callee */
    {"\xc3", 1, "rsp+16392"},                         /* ret */
    FUNCTION(RED_ZONE),
    {"\x48\x89\x5c\x24\xf8", 5, "rsp+8"},          /* mov qword [rsp-0x8], rbx */
    {"\x89\xfb", 2, "rsp+8"},                      /* mov ebx, edi */
    {"\x8d\x04\x1b", 3, "rsp+8 rbx=c-16"},         /* lea eax, [rbx+rbx*1] */
    {"\x48\x8b\x5c\x24\xf8", 5, "rsp+8 rbx=c-16"}, /* mov rbx, qword [rsp-0x8] */
    {"\xc3", 1, "rsp+8"},                          /* ret */
    FUNCTION(SAVED_BY_MOVES),
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
    FUNCTION(LOOP_THAT_PUSHES),
    {"\x53", 1, "rsp+8"}, /* push rbx */
    {"\x50", 1, "u"},     /* push rax */
    {"\xff\xcf", 2, "u"}, /* dec edi */
    {"\x75\xfb", 2, "u"}, /* jne +1 */
    {"\xc3", 1, "u"},     /* ret */
    FUNCTION(LOOP_THAT_POPS_WHAT_IT_PUSHED),
    {"\x53", 1, "rsp+8"},                           /* push rbx */
    {"\x89\xfb", 2, "rsp+16"},                      /* mov ebx, edi */
    {"\x53", 1, "rsp+16 rbx=c-16"},                 /* push rbx */
    {"\xe8\xf7\x0f\x00\x00", 5, "rsp+24 rbx=c-16"}, /* call callee */
    {"\x58", 1, "rsp+24 rbx=c-16"},                 /* pop rax */
    {"\xff\xcb", 2, "rsp+16 rbx=c-16"},             /* dec ebx */
    {"\x75\xf5", 2, "rsp+16 rbx=c-16"},             /* jne +3 */
    {"\x5b", 1, "rsp+16 rbx=c-16"},                 /* pop rbx */
    {"\xc3", 1, "rsp+8"},                           /* ret */
    FUNCTION(RBP_AS_A_PLAIN_REGISTER),
    {"\x55", 1, "rsp+8"},                           /* push rbp */
    {"\x48\x95", 2, "rsp+16"},                      /* xchg rbp, rax */
    {"\x48\x8d\x6c\x85\x00", 5, "rsp+16 rbp=c-16"}, /* lea rbp, [rbp+rax*4] */
    {"\xe8\xf3\x0f\x00\x00", 5, "rsp+16 rbp=c-16"}, /* call callee */
    {"\x5d", 1, "rsp+16 rbp=c-16"},                 /* pop rbp */
    {"\xc3", 1, "rsp+8"},                           /* ret */
    /* Overwritten without having been saved: it cannot be had. */
    FUNCTION(RBP_LOST),
    {"\x89\xfd", 2, "rsp+8"},                   /* mov ebp, edi */
    {"\xe8\xf9\x0f\x00\x00", 5, "rsp+8 rbp=u"}, /* call callee */
    {"\xc3", 1, "rsp+8 rbp=u"},                 /* ret */
    /* Half of the saved word is overwritten. */
    FUNCTION(OVERWRITTEN_SLOT),
    {"\x53", 1, "rsp+8"},                        /* push rbx */
    {"\x89\xfb", 2, "rsp+16"},                   /* mov ebx, edi */
    {"\x89\x04\x24", 3, "rsp+16 rbx=c-16"},      /* mov dword [rsp], eax */
    {"\xe8\xf5\x0f\x00\x00", 5, "rsp+16 rbx=u"}, /* call callee */
    {"\x48\x89\x1c\x24", 4, "rsp+16 rbx=u"},     /* mov qword [rsp], rbx */
    {"\x48\x83\xc4\x08", 4, "rsp+16 rbx=u"},     /* add rsp, 0x8 */
    {"\xc3", 1, "rsp+8 rbx=u"},                  /* ret */
    FUNCTION(KEPT_IN_ANOTHER_REGISTER),
    {"\x49\x89\xdb", 3, "rsp+8"},         /* mov r11, rbx */
    {"\x89\xfb", 2, "rsp+8"},             /* mov ebx, edi */
    {"\x8d\x04\x1b", 3, "rsp+8 rbx=r11"}, /* lea eax, [rbx+rbx*1] */
    {"\x4c\x89\xdb", 3, "rsp+8 rbx=r11"}, /* mov rbx, r11 */
    {"\xc3", 1, "rsp+8"},                 /* ret */
    FUNCTION(SAVED_ON_ONE_PATH),
    {"\x85\xff", 2, "rsp+8"},                       /* test edi, edi */
    {"\x74\x09", 2, "rsp+8"},                       /* je +13 */
    {"\x53", 1, "rsp+8"},                           /* push rbx */
    {"\x89\xfb", 2, "rsp+16"},                      /* mov ebx, edi */
    {"\xe8\xf4\x0f\x00\x00", 5, "rsp+16 rbx=c-16"}, /* call callee */
    {"\x5b", 1, "rsp+16 rbx=c-16"},                 /* pop rbx */
    {"\xc3", 1, "rsp+8"},                           /* ret */
    /* Capstone 4 takes movups to memory for a load. */
    FUNCTION(VECTOR_STORE_OVER_A_SLOT),
    {"\x48\x83\xec\x18", 4, "rsp+8"},            /* sub rsp, 0x18 */
    {"\x48\x89\x5c\x24\x08", 5, "rsp+32"},       /* mov qword [rsp+0x8], rbx */
    {"\x89\xfb", 2, "rsp+32"},                   /* mov ebx, edi */
    {"\x0f\x11\x04\x24", 4, "rsp+32 rbx=c-24"},  /* movups xmmword [rsp], xmm0 */
    {"\x48\x8b\x5c\x24\x08", 5, "rsp+32 rbx=u"}, /* mov rbx, qword [rsp+0x8] */
    {"\x48\x83\xc4\x18", 4, "rsp+32 rbx=u"},     /* add rsp, 0x18 */
    {"\xc3", 1, "rsp+8 rbx=u"},                  /* ret */
    /* No path leads to it: it is entered with the frame of a call. */
    FUNCTION(LANDING_PAD),
    {"\x53", 1, "rsp+8"},                  /* push rbx */
    {"\x48\x83\xec\x10", 4, "rsp+16"},     /* sub rsp, 0x10 */
    {"\xe8\xf6\x0f\x00\x00", 5, "rsp+32"}, /* call callee */
    {"\x48\x83\xc4\x10", 4, "rsp+32"},     /* add rsp, 0x10 */
    {"\x5b", 1, "rsp+16"},                 /* pop rbx */
    {"\xc3", 1, "rsp+8"},                  /* ret */
    {"\x48\x89\xc7", 3, "rsp+32"},         /* mov rdi, rax */
    {"\xe8\xe8\x0f\x00\x00", 5, "rsp+32"}, /* call callee */
    {"\xeb\xf0", 2, "rsp+32"},             /* jmp +10 */
    FUNCTION(UNDECODABLE),
    {"\x53", 1, "rsp+8"}, /* push rbx */
    {"\x06", 1, "u"},     /* (bad) */
    {"\x5b", 1, "u"},     /* pop rbx */
    {"\xc3", 1, "u"},     /* ret */
    FUNCTION(JUMP_INTO_AN_INSTRUCTION),
    {"\x53", 1, "rsp+8"},      /* push rbx */
    {"\xeb\x01", 2, "rsp+16"}, /* jmp +4 */
    {"\xe8", 1, "u"},          /* .byte 0xe8 */
    {"\x5b", 1, "rsp+16"},     /* pop rbx */
    {"\xc3", 1, "rsp+8"},      /* ret */
    FUNCTION(LEAVE_OF_HALF_A_WORD),
    {"\x55", 1, "rsp+8"},               /* push rbp */
    {"\x48\x89\xe5", 3, "rsp+16"},      /* mov rbp, rsp */
    {"\x66\xc9", 2, "rbp+16 rbp=c-16"}, /* leavew */
    {"\xc3", 1, "u"},                   /* ret */
    FUNCTION(STACK_SWITCH),
    {"\x53", 1, "rsp+8"},          /* push rbx */
    {"\x48\x89\x27", 3, "rsp+16"}, /* mov qword [rdi], rsp */
    {"\x48\x8b\x26", 3, "rsp+16"}, /* mov rsp, qword [rsi] */
    {"\x5b", 1, "u"},              /* pop rbx */
    {"\xc3", 1, "u"},              /* ret */
    FUNCTION(CALLEE_THAT_POPS),
    {"\xc2\x10\x00", 3, "rsp+8"}, /* ret 0x10 */
    FUNCTION(XMM_SAVES),
    {"\x53", 1, "rsp+8"},                  /* push rbx */
    {"\x48\x83\xec\x20", 4, "rsp+16"},     /* sub rsp, 0x20 */
    {"\x0f\x29\x34\x24", 4, "rsp+48"},     /* movaps xmmword [rsp], xmm6 */
    {"\x0f\x29\x7c\x24\x10", 5, "rsp+48"}, /* movaps xmmword [rsp+0x10], xmm7 */
    {"\xe8\xed\x0f\x00\x00", 5, "rsp+48"}, /* call callee */
    {"\x48\x83\xc4\x20", 4, "rsp+48"},     /* add rsp, 0x20 */
    {"\x5b", 1, "rsp+16"},                 /* pop rbx */
    {"\xc3", 1, "rsp+8"},                  /* ret */
    /* Hand-written code has subroutines under one symbol: this one is called by the code above. */
    FUNCTION(SUBROUTINE_INSIDE),
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
    /* Nothing returns to the call: its return address is popped. */
    FUNCTION(CALL_THAT_READS_THE_PC),
    {"\x53", 1, "rsp+8"},                   /* push rbx */
    {"\xe8\x00\x00\x00\x00", 5, "rsp+16"},  /* call +6 */
    {"\x5b", 1, "rsp+24"},                  /* pop rbx */
    {"\x48\x89\xd8", 3, "rsp+16 rbx=c-16"}, /* mov rax, rbx */
    {"\x5b", 1, "rsp+16 rbx=c-16"},         /* pop rbx */
    {"\xc3", 1, "rsp+8"},                   /* ret */
    /* Capstone 4 does not decode these three. */
    FUNCTION(MASK_REGISTER_MOVES),
    {"\x53", 1, "rsp+8"},              /* push rbx */
    {"\xc5\xfb\x93\xd9", 4, "rsp+16"}, /* kmovd ebx, k1 */
    {"\x62\xf1\x75\x28\x74\x47\x01", 7,
     "rsp+16 rbx=c-16"},                            /* vpcmpeqb k0, ymm1, YMMWORD [rdi+0x20] */
    {"\xc4\xe1\xf9\x98\xc0", 5, "rsp+16 rbx=c-16"}, /* kortestd k0, k0 */
    {"\x5b", 1, "rsp+16 rbx=c-16"},                 /* pop rbx */
    {"\xc3", 1, "rsp+8"},                           /* ret */
    /* A thunk to return through: gcc's -mfunction-return=thunk. */
    FUNCTION(RETURN_THUNK),
    {"\xe8\x07\x00\x00\x00", 5, "rsp+8"},  /* call +0xc */
    {"\xf3\x90", 2, "u"},                  /* pause */
    {"\x0f\xae\xe8", 3, "u"},              /* lfence */
    {"\xeb\xf9", 2, "u"},                  /* jmp +0x5 */
    {"\x48\x8d\x64\x24\x08", 5, "rsp+16"}, /* lea rsp, [rsp+0x8] */
    {"\xc3", 1, "rsp+8"},                  /* ret */
    /* gcc's -mindirect-branch=thunk-inline: the jump's own call is entered as a subroutine. */
    FUNCTION(INLINE_THUNK),
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
    /* clang's speculative load hardening puts what it knows into SP's upper bits. */
    FUNCTION(HARDENED_LOADS),
    {"\x53", 1, "rsp+8"},                  /* push rbx */
    {"\x48\x89\xe0", 3, "rsp+16"},         /* mov rax, rsp */
    {"\x48\xc1\xf8\x3f", 4, "rsp+16"},     /* sar rax, 0x3f */
    {"\x48\xc1\xe0\x2f", 4, "rsp+16"},     /* shl rax, 0x2f */
    {"\x48\x09\xc4", 3, "rsp+16"},         /* or rsp, rax */
    {"\xe8\xec\x0f\x00\x00", 5, "rsp+16"}, /* call callee */
    {"\x5b", 1, "rsp+16"},                 /* pop rbx */
    {"\xc3", 1, "rsp+8"},                  /* ret */
};

TEST(prologue_every_instruction_has_its_row)
{
    CHECK_FUNCTIONS(ARCH_X86_64, CODE_DEFAULT, CASES);
}

TEST(prologue_code_cut_anywhere_is_survived)
{
    CHECK_PREFIXES(ARCH_X86_64, CODE_DEFAULT, CASES);
}
