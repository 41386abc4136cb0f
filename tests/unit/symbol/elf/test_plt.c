/* SPDX-License-Identifier: MIT */
#include "elf32_fixture.h"

#include "arch/analysis/plt.h"
#include "symbol/elf/plt.h"
#include "symbol/elf/symtab.h"

struct stub_case {
    const char *what;
    size_t size;
    uint8_t bytes[32];
    struct plt_stub stub; /* without a size: it is not understood */
};

#define CODE_VADDR 0x1020
#define GOT_BASE   0x4000

static void check_cases(plt_decode_fn *decode, const struct stub_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct plt_stub *want = &cases[i].stub;
        struct plt_code code = {.bytes = cases[i].bytes,
                                .size = cases[i].size,
                                .vaddr = CODE_VADDR,
                                .got_vaddr = GOT_BASE};
        struct plt_stub stub = {0};
        bool understood = decode(&code, &stub);

        if (understood != (want->size > 0) ||
            (understood &&
             (stub.got_vaddr != want->got_vaddr || stub.reloc != want->reloc ||
              stub.by_index != want->by_index || stub.size != want->size ||
              stub.thumb != want->thumb || stub.all_thumb != want->all_thumb ||
              stub.lazy_off != want->lazy_off || stub.thunk_vaddr != want->thunk_vaddr)))
            fail_msg("%s: got %#lx, reloc %u, size %u", cases[i].what,
                     (unsigned long)stub.got_vaddr, stub.reloc, stub.size);
    }
}

#define CHECK_CASES(decode, cases) check_cases(decode, cases, sizeof(cases) / sizeof(*(cases)))

TEST(plt_x86_64_stubs_are_decoded)
{
    static const struct stub_case cases[] = {
        {.what = "jmp *0x2fe2(%rip); push $0; jmp PLT0 (lazy .plt)",
         .size = 24,
         .bytes = {0xff, 0x25, 0xe2, 0x2f, 0, 0, 0x68, 0, 0, 0, 0, 0xe9, 0xe0, 0xff, 0xff, 0xff},
         .stub = {.got_vaddr = 0x1020 + 6 + 0x2fe2, .lazy_off = 6, .size = 16}},
        {.what = "jmp *-0x10(%rip); xchg (.plt.got)",
         .size = 16,
         .bytes = {0xff, 0x25, 0xf0, 0xff, 0xff, 0xff, 0x66, 0x90},
         .stub = {.got_vaddr = 0x1020 + 6 - 0x10, .size = 8}},
        {.what = "endbr64; bnd jmp *0x2f75(%rip) (.plt.sec)",
         .size = 24,
         .bytes = {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0x75, 0x2f, 0, 0},
         .stub = {.got_vaddr = 0x1020 + 11 + 0x2f75, .size = 16}},
        {.what = "endbr64; jmp *0x2f76(%rip) (.plt.sec without MPX)",
         .size = 16,
         .bytes = {0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 0x76, 0x2f, 0, 0},
         .stub = {.got_vaddr = 0x1020 + 10 + 0x2f76, .size = 16}},
        {.what = "endbr64; push $3; bnd jmp PLT0 (.plt beside .plt.sec)",
         .size = 16,
         .bytes = {0xf3, 0x0f, 0x1e, 0xfa, 0x68, 3, 0, 0, 0, 0xf2, 0xe9, 0xe1, 0xff, 0xff, 0xff},
         .stub = {.reloc = 3, .by_index = true, .size = 16}},
        {.what = "mov 0x2249(%rip), %r11; call 1010; jmp 1002; push $1; jmp PLT0 (lld, retpolines)",
         .size = 32,
         .bytes = {0x4c, 0x8b, 0x1d, 0x49, 0x22, 0,    0,    0xe8, 0xe4, 0xff, 0xff,
                   0xff, 0xe9, 0xd1, 0xff, 0xff, 0xff, 0x68, 1,    0,    0,    0,
                   0xe9, 0xb5, 0xff, 0xff, 0xff, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc},
         .stub = {.got_vaddr = 0x1027 + 0x2249, .lazy_off = 17, .size = 32, .thunk_vaddr = 0x1010}},
        {.what = "mov 0x1229(%rip), %r11; jmp 1000; int3 (the same with -z now)",
         .size = 16,
         .bytes = {0x4c, 0x8b, 0x1d, 0x29, 0x12, 0, 0, 0xe9, 0xd4, 0xff, 0xff, 0xff, 0xcc, 0xcc,
                   0xcc, 0xcc},
         .stub = {.got_vaddr = 0x1027 + 0x1229, .size = 16}},
        {.what = "endbr64; mov $1, %r11d; jmp *0x2478(%rip) (mold)",
         .size = 16,
         .bytes = {0xf3, 0x0f, 0x1e, 0xfa, 0x41, 0xbb, 1, 0, 0, 0, 0xff, 0x25, 0x78, 0x24, 0, 0},
         .stub = {.got_vaddr = 0x1030 + 0x2478, .size = 16}},
        {.what = "endbr64; push %r11; push 0x248c(%rip); jmp *0x248e(%rip) (mold's PLT0)",
         .size = 18,
         .bytes = {0xf3, 0x0f, 0x1e, 0xfa, 0x41, 0x53, 0xff, 0x35, 0x8c, 0x24, 0, 0, 0xff, 0x25,
                   0x8e, 0x24, 0, 0}},
        {.what = "mov 0x1229(%rip), %r11; int3",
         .size = 8,
         .bytes = {0x4c, 0x8b, 0x1d, 0x29, 0x12, 0, 0, 0xcc}},
        {.what = "jmp PLT0, of no word",
         .size = 8,
         .bytes = {0xe9, 0xe0, 0xff, 0xff, 0xff, 0xcc, 0xcc, 0xcc}},
        {.what = "push 0x2fe2(%rip); jmp *0x2fe4(%rip) (PLT0)",
         .size = 16,
         .bytes = {0xff, 0x35, 0xe2, 0x2f, 0, 0, 0xff, 0x25, 0xe4, 0x2f, 0, 0, 0x0f, 0x1f, 0x40,
                   0}},
        {.what = "jmp *(%rip) cut short", .size = 5, .bytes = {0xff, 0x25, 0, 0, 0}},
        {.what = "jmp *(%rip) at the end",
         .size = 6,
         .bytes = {0xff, 0x25, 0, 0, 0, 0},
         .stub = {.got_vaddr = 0x1026, .size = 6}},
        {.what = "nops", .size = 8, .bytes = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90}},
        {.what = "nothing", .size = 0, .bytes = {0}},
    };

    CHECK_CASES(plt_x86_64_decode, cases);
}

TEST(plt_i386_stubs_are_decoded)
{
    static const struct stub_case cases[] = {
        {.what = "jmp *0xc(%ebx); push $0; jmp PLT0 (lazy .plt, PIC)",
         .size = 24,
         .bytes = {0xff, 0xa3, 0x0c, 0, 0, 0, 0x68, 0, 0, 0, 0, 0xe9, 0xe0, 0xff, 0xff, 0xff},
         .stub = {.got_vaddr = GOT_BASE + 0xc, .lazy_off = 6, .size = 16}},
        {.what = "jmp *0x804c000; push $0; jmp PLT0 (lazy .plt)",
         .size = 24,
         .bytes = {0xff, 0x25, 0x00, 0xc0, 0x04, 0x08, 0x68, 0, 0, 0, 0, 0xe9, 0xe0, 0xff, 0xff,
                   0xff},
         .stub = {.got_vaddr = 0x804c000, .lazy_off = 6, .size = 16}},
        {.what = "push %eax; mov 0xc(%ebx), %eax; call 1010; jmp 1002; push $8; jmp PLT0 (lld, "
                 "retpolines, PIC)",
         .size = 32,
         .bytes = {0x50, 0x8b, 0x83, 0x0c, 0,    0,    0,    0xe8, 0xe4, 0xff, 0xff,
                   0xff, 0xe9, 0xd1, 0xff, 0xff, 0xff, 0x68, 8,    0,    0,    0,
                   0xe9, 0xb5, 0xff, 0xff, 0xff, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc},
         .stub = {.got_vaddr = GOT_BASE + 0xc, .lazy_off = 17, .size = 32, .thunk_vaddr = 0x1010}},
        {.what = "push %eax; mov 0x4028b4, %eax; call 1010; jmp 1001; push $0; jmp PLT0 (the same)",
         .size = 32,
         .bytes = {0x50, 0xa1, 0xb4, 0x28, 0x40, 0,    0xe8, 0xe5, 0xff, 0xff, 0xff,
                   0xe9, 0xd1, 0xff, 0xff, 0xff, 0x68, 0,    0,    0,    0,    0xe9,
                   0xb6, 0xff, 0xff, 0xff, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc},
         .stub = {.got_vaddr = 0x4028b4, .lazy_off = 16, .size = 32, .thunk_vaddr = 0x1010}},
        {.what = "endbr32; mov $8, %ecx; jmp *0x102c(%ebx); int3 (mold)",
         .size = 16,
         .bytes = {0xf3, 0x0f, 0x1e, 0xfb, 0xb9, 8, 0, 0, 0, 0xff, 0xa3, 0x2c, 0x10, 0, 0, 0xcc},
         .stub = {.got_vaddr = GOT_BASE + 0x102c, .size = 16}},
        {.what = "jmp *-0x14(%ebx); xchg (.plt.got, PIC)",
         .size = 16,
         .bytes = {0xff, 0xa3, 0xec, 0xff, 0xff, 0xff, 0x66, 0x90},
         .stub = {.got_vaddr = GOT_BASE - 0x14, .size = 8}},
        {.what = "endbr32; jmp *0x804bff0; nopw (.plt.got with IBT)",
         .size = 24,
         .bytes = {0xf3, 0x0f, 0x1e, 0xfb, 0xff, 0x25, 0xf0, 0xbf, 0x04, 0x08, 0x66, 0x0f, 0x1f,
                   0x44},
         .stub = {.got_vaddr = 0x804bff0, .size = 16}},
        {.what = "endbr32; jmp *0x10(%ebx); nopw (.plt.sec, PIC)",
         .size = 24,
         .bytes = {0xf3, 0x0f, 0x1e, 0xfb, 0xff, 0xa3, 0x10, 0, 0, 0, 0x66, 0x0f, 0x1f, 0x44},
         .stub = {.got_vaddr = GOT_BASE + 0x10, .size = 16}},
        {.what = "endbr32; push $0x18; jmp PLT0; xchg (.plt beside .plt.sec)",
         .size = 16,
         .bytes = {0xf3, 0x0f, 0x1e, 0xfb, 0x68, 0x18, 0, 0, 0, 0xe9, 0xb2, 0xff, 0xff, 0xff, 0x66,
                   0x90},
         .stub = {.reloc = 3, .by_index = true, .size = 16}},
        {.what = "push 4(%ebx); jmp *8(%ebx) (PLT0)",
         .size = 16,
         .bytes = {0xff, 0xb3, 4, 0, 0, 0, 0xff, 0xa3, 8, 0, 0, 0}},
        {.what = "endbr32; push $0x19: no multiple of a record",
         .size = 16,
         .bytes = {0xf3, 0x0f, 0x1e, 0xfb, 0x68, 0x19, 0, 0, 0, 0xe9, 0xb2, 0xff, 0xff, 0xff, 0x66,
                   0x90}},
        {.what = "endbr32; jmp cut short",
         .size = 7,
         .bytes = {0xf3, 0x0f, 0x1e, 0xfb, 0xff, 0x25, 0}},
    };

    CHECK_CASES(plt_i386_decode, cases);
}

TEST(plt_i386_relative_stub_without_known_got_is_not_decoded)
{
    static const uint8_t bytes[] = {0xff, 0xa3, 0x0c, 0, 0, 0, 0x66, 0x90};
    struct plt_code code = {.bytes = bytes, .size = sizeof(bytes), .vaddr = CODE_VADDR};
    struct plt_stub stub;

    assert_false(plt_i386_decode(&code, &stub));
}

#define W(word)                                                                                    \
    (uint8_t)((word)&0xff), (uint8_t)((word) >> 8 & 0xff), (uint8_t)((word) >> 16 & 0xff),         \
        (uint8_t)((word) >> 24)

TEST(plt_arm_stubs_are_decoded)
{
    static const struct stub_case cases[] = {
        {.what = "add ip, pc, #0, 12; add ip, ip, #0xa7000; ldr pc, [ip, #0xb24]!",
         .size = 24,
         .bytes = {W(0xe28fc600), W(0xe28ccaa7), W(0xe5bcfb24), W(0xe28fc600)},
         .stub = {.got_vaddr = 0x1028 + 0xa7000 + 0xb24, .size = 12}},
        {.what = "the same behind bx pc; nop",
         .size = 16,
         .bytes = {W(0x46c04778), W(0xe28fc600), W(0xe28ccaa7), W(0xe5bcfb24)},
         .stub = {.got_vaddr = 0x102c + 0xa7000 + 0xb24, .size = 16, .thumb = true}},
        {.what = "the same behind bx pc; b .-2",
         .size = 16,
         .bytes = {W(0xe7fd4778), W(0xe28fc600), W(0xe28ccaa7), W(0xe5bcfb24)},
         .stub = {.got_vaddr = 0x102c + 0xa7000 + 0xb24, .size = 16, .thumb = true}},
        {.what = "add ip, pc, #0x10000000; add ip, ip, #0x200000; add ip, ip, #0x1000; ldr pc, "
                 "[ip, #8]!",
         .size = 16,
         .bytes = {W(0xe28fc201), W(0xe28cc602), W(0xe28cca01), W(0xe5bcf008)},
         .stub = {.got_vaddr = 0x1028 + 0x10201008, .size = 16}},
        {.what = "add ip, pc, #0xf0000000: the GOT lies below",
         .size = 16,
         .bytes = {W(0xe28fc20f), W(0xe28cc6ff), W(0xe28ccaff), W(0xe5bcffff)},
         .stub = {.got_vaddr = 0x1027, .size = 16}},
        {.what = "ldr ip, 2f; 1: add ip, ip, pc; ldr pc, [ip]; 2: .word 0x20000",
         .size = 16,
         .bytes = {W(0xe59fc004), W(0xe08cc00f), W(0xe59cf000), W(0x00020000)},
         .stub = {.got_vaddr = 0x102c + 0x20000, .size = 16}},
        {.what = "movw ip, #0x1e5c; movt ip, #1; add ip, pc; ldr.w pc, [ip]; b .-4 (T32 only)",
         .size = 20,
         .bytes = {W(0x6c5cf641), W(0x0c01f2c0), W(0xf8dc44fc), W(0xe7fcf000), W(0x6c50f641)},
         .stub = {.got_vaddr = 0x102c + 0x11e5c, .size = 16, .thumb = true, .all_thumb = true}},
        {.what = "movw ip; movt ip; add ip, pc; ldr.w pc, [ip, #4]",
         .size = 16,
         .bytes = {W(0x6c5cf641), W(0x0c01f2c0), W(0xf8dc44fc), W(0xe7fcf004)}},
        {.what = "push {lr}; ldr lr, [pc, #4]; add lr, pc, lr; ldr pc, [lr, #8]! (PLT0)",
         .size = 20,
         .bytes = {W(0xe52de004), W(0xe59fe004), W(0xe08fe00e), W(0xe5bef008), W(0x000a7b24)}},
        {.what = "its word of data that looks like add ip, pc",
         .size = 20,
         .bytes = {W(0xe28fc600), W(0xe28fc600), W(0xe28ccaa7), W(0xe5bcfb24)}},
        {.what = "add ip, pc; ldr pc",
         .size = 12,
         .bytes = {W(0xe28fc600), W(0xe5bcfb24), W(0xe5bcfb24)}},
        {.what = "four adds",
         .size = 20,
         .bytes = {W(0xe28fc201), W(0xe28cc602), W(0xe28cca01), W(0xe28cca01), W(0xe5bcf008)}},
        {.what = "cut before the ldr",
         .size = 11,
         .bytes = {W(0xe28fc600), W(0xe28ccaa7), W(0xe5bcfb24)}},
        {.what = "cut behind the thunk",
         .size = 12,
         .bytes = {W(0x46c04778), W(0xe28fc600), W(0xe28ccaa7)}},
        {.what = "trap padding",
         .size = 16,
         .bytes = {W(0xd4d4d4d4), W(0xd4d4d4d4), W(0xd4d4d4d4)}},
    };

    CHECK_CASES(plt_arm_decode, cases);
}

TEST(plt_aarch64_stubs_are_decoded)
{
    static const struct stub_case cases[] = {
        {.what = "adrp x16, +0x11d; ldr x17, [x16, #1936]; add x16, x16, #1936; br x17; adrp …",
         .size = 20,
         .bytes = {W(0xb00008f0), W(0xf943ca11), W(0x911e4210), W(0xd61f0220), W(0xb00008f0)},
         .stub = {.got_vaddr = 0x1000 + 0x11d000 + 1936, .size = 16}},
        {.what = "adrp x16, -1 page",
         .size = 16,
         .bytes = {W(0xf0fffff0), W(0xf943ca11), W(0x911e4210), W(0xd61f0220)},
         .stub = {.got_vaddr = 1936, .size = 16}},
        {.what = "bti c; …; br x17; nop",
         .size = 24,
         .bytes = {W(0xd503245f), W(0x90000110), W(0xf9400211), W(0x91000210), W(0xd61f0220),
                   W(0xd503201f)},
         .stub = {.got_vaddr = 0x21000, .size = 24}},
        {.what = "…; autia1716; br x17; nop",
         .size = 24,
         .bytes = {W(0x90000110), W(0xf9400211), W(0x91000210), W(0xd503219f), W(0xd61f0220),
                   W(0xd503201f)},
         .stub = {.got_vaddr = 0x21000, .size = 24}},
        {.what = "bti c; …; autia1716; br x17",
         .size = 24,
         .bytes = {W(0xd503245f), W(0x90000110), W(0xf9400611), W(0x91002210), W(0xd503219f),
                   W(0xd61f0220)},
         .stub = {.got_vaddr = 0x21008, .size = 24}},
        {.what = "adrp x16; ldr x17; br x17; nop (mold's .plt.got)",
         .size = 16,
         .bytes = {W(0x90000110), W(0xf9400611), W(0xd61f0220), W(0xd503201f)},
         .stub = {.got_vaddr = 0x21008, .size = 16}},
        {.what = "stp x16, x30, [sp, #-16]! (PLT0)",
         .size = 20,
         .bytes = {W(0xa9bf7bf0), W(0xb00008f0), W(0xf943c611), W(0x911e2210), W(0xd61f0220)}},
        {.what = "br x16",
         .size = 16,
         .bytes = {W(0xb00008f0), W(0xf943ca11), W(0x911e4210), W(0xd61f0200)}},
        {.what = "cut before the br",
         .size = 15,
         .bytes = {W(0xb00008f0), W(0xf943ca11), W(0x911e4210)}},
        {.what = "cut behind bti c",
         .size = 16,
         .bytes = {W(0xd503245f), W(0x90000110), W(0xf9400211)}},
        {.what = "cut behind autia1716",
         .size = 16,
         .bytes = {W(0x90000110), W(0xf9400211), W(0x91000210), W(0xd503219f)}},
    };

    CHECK_CASES(plt_aarch64_decode, cases);
}

TEST(plt_riscv_stubs_are_decoded)
{
    static const struct stub_case of_64[] = {
        {.what = "auipc t3, 0x2; ld t3, -1568(t3); jalr t1, t3; nop; auipc …",
         .size = 20,
         .bytes = {W(0x00002e17), W(0x9e0e3e03), W(0x000e0367), W(0x00000013), W(0x00002e17)},
         .stub = {.got_vaddr = 0x1020 + 0x2000 - 1568, .size = 16}},
        {.what = "auipc t3, -1 page; ld t3, 8(t3)",
         .size = 16,
         .bytes = {W(0xfffffe17), W(0x008e3e03), W(0x000e0367), W(0x00000013)},
         .stub = {.got_vaddr = 0x1020 - 0x1000 + 8, .size = 16}},
        {.what = "auipc t2; sub t1, t1, t3 (PLT0)",
         .size = 16,
         .bytes = {W(0x00002397), W(0x41c30333), W(0x9f03be03), W(0xfd430313)}},
        {.what = "lw in place of ld",
         .size = 16,
         .bytes = {W(0x00002e17), W(0x9e0e2e03), W(0x000e0367)}},
        {.what = "jalr zero, t3",
         .size = 16,
         .bytes = {W(0x00002e17), W(0x9e0e3e03), W(0x000e0067)}},
        {.what = "cut behind jalr",
         .size = 12,
         .bytes = {W(0x00002e17), W(0x9e0e3e03), W(0x000e0367)}},
    };
    static const struct stub_case of_32[] = {
        {.what = "auipc t3, 0x2; lw t3, -1568(t3); jalr t1, t3; nop",
         .size = 16,
         .bytes = {W(0x00002e17), W(0x9e0e2e03), W(0x000e0367), W(0x00000013)},
         .stub = {.got_vaddr = 0x1020 + 0x2000 - 1568, .size = 16}},
        {.what = "auipc t3, -2 pages: below 0, which is above all else",
         .size = 16,
         .bytes = {W(0xffffee17), W(0x000e2e03), W(0x000e0367), W(0x00000013)},
         .stub = {.got_vaddr = 0xfffff020, .size = 16}},
        {.what = "ld in place of lw",
         .size = 16,
         .bytes = {W(0x00002e17), W(0x9e0e3e03), W(0x000e0367)}},
    };

    CHECK_CASES(plt_riscv64_decode, of_64);
    CHECK_CASES(plt_riscv32_decode, of_32);
}

#define GOT_VADDR UINT64_C(0x600000)

/*
 * A file with `size` bytes of .plt at PLT_VADDR, and the JUMP_SLOT relocations `relocs` for the
 * symbols puts (1) and exit (2).
 */
#define PLT_VADDR (FIXTURE_FIRST + 64)

static struct elf_fixture *plt_fixture(uint16_t machine, const void *plt, size_t size,
                                       const char *relocs_name, const void *relocs,
                                       size_t relocs_size)
{
    struct elf_fixture *elf = fixture_create(machine);
    struct symbol_fixture symbols;

    symbols_init(&symbols);
    symbols_add(&symbols, "puts", STB_GLOBAL, STT_FUNC, 0, 0);
    symbols_add(&symbols, "exit", STB_GLOBAL, STT_FUNC, 0, 0);
    symbols.symbols[1].st_shndx = symbols.symbols[2].st_shndx = SHN_UNDEF;
    fixture_text(elf, 64);
    fixture_section(elf, ".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, plt, size);
    fixture_symbols(elf, &symbols, true);
    fixture_section(elf, relocs_name, SHT_REL, SHF_ALLOC, relocs, relocs_size);
    return elf;
}

/* Closes the image. `at` … `end` is all that is called `name`. */
struct expected_stub {
    uint64_t at, end; /* from the beginning of .plt */
    const char *name;
    bool thumb;
};

static void check_stubs(struct elf_image *image, const struct expected_stub *stubs, size_t count)
{
    struct symtab *symtab;
    struct symbol symbol;

    assert_int_equal(symtab_create(image, NULL, &symtab), STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(symtab_find(symtab, PLT_VADDR + stubs[i].at, &symbol), STATUS_OK);
        assert_string_equal(symbol.name, stubs[i].name);
        assert_int_equal(symbol.start_vaddr, PLT_VADDR + stubs[i].at);
        assert_int_equal(symbol.end_vaddr, PLT_VADDR + stubs[i].end);
        assert_int_equal(symbol.thumb, stubs[i].thumb);
    }
    if (stubs[0].at > 0)
        assert_int_equal(symtab_find(symtab, PLT_VADDR + stubs[0].at - 1, &symbol),
                         STATUS_NOT_FOUND);
    symtab_destroy(symtab);
    elf_image_close(image);
}

TEST(plt_stub_is_named_after_its_symbol)
{
    static const struct expected_stub expected[] = {{16, 32, "puts@plt", false},
                                                    {32, 48, "exit@plt", false}};
    uint8_t stubs[48] = {0xff, 0x35};
    Elf64_Rela relocs[2];
    struct elf_fixture *elf;

    for (uint64_t i = 0; i < 2; i++) {
        uint8_t *stub = stubs + 16 + 16 * i;
        uint32_t disp = (uint32_t)(GOT_VADDR + 8 * i - (PLT_VADDR + 16 + 16 * i + 6));

        stub[0] = 0xff;
        stub[1] = 0x25;
        memcpy(stub + 2, &disp, 4);
        stub[6] = 0x68;
        relocs[i] = (Elf64_Rela){.r_offset = GOT_VADDR + 8 * i,
                                 .r_info = ELF64_R_INFO(i + 1, R_X86_64_JUMP_SLOT)};
    }
    elf = plt_fixture(EM_X86_64, stubs, sizeof(stubs), ".rela.plt", relocs, sizeof(relocs));
    fixture_finish(elf);
    check_stubs(fixture_open(elf), expected, 2);
}

TEST(plt_stub_is_found_by_rel_records_and_dt_pltgot)
{
    static const struct expected_stub expected[] = {{16, 32, "puts@plt", false},
                                                    {32, 48, "exit@plt", false}};
    static const uint8_t stubs[48] = {
        0xff, 0xb3, 4,  0, 0, 0, 0xff, 0xa3, 8, 0, 0, 0,    0, 0, 0, 0,
        0xff, 0xa3, 12, 0, 0, 0, 0x68, 0,    0, 0, 0, 0xe9, 0, 0, 0, 0,
        0xff, 0xa3, 16, 0, 0, 0, 0x68, 8,    0, 0, 0, 0xe9, 0, 0, 0, 0,
    };
    static const Elf32_Rel relocs[] = {{GOT_VADDR + 12, ELF32_R_INFO(1, R_386_JMP_SLOT)},
                                       {GOT_VADDR + 16, ELF32_R_INFO(2, R_386_JMP_SLOT)}};
    static const Elf32_Dyn dynamic[] = {{.d_tag = DT_PLTGOT, .d_un.d_ptr = GOT_VADDR},
                                        {.d_tag = DT_NULL}};
    struct elf_fixture *elf =
        plt_fixture(EM_386, stubs, sizeof(stubs), ".rel.plt", relocs, sizeof(relocs));

    fixture_section(elf, ".dynamic", SHT_DYNAMIC, SHF_ALLOC, dynamic, sizeof(dynamic));
    fixture_finish32(elf);
    check_stubs(fixture_open(elf), expected, 2);
}

TEST(plt_arm_section_of_uneven_stubs_is_read_word_by_word)
{
    static const struct expected_stub expected[] = {{20, 36, "puts@plt", true},
                                                    {36, 48, "exit@plt", false}};
    static const uint8_t stubs[48] = {
        W(0xe52de004), W(0xe59fe004), W(0xe08fe00e), W(0xe5bef008), W(0xe28fc600), /* PLT0 */
        W(0x46c04778), W(0xe28fc602), W(0xe28ccc00), W(0xe5bcf008), W(0xe28fc602),
        W(0xe28ccc00), W(0xe5bcf00c),
    };
    static const Elf32_Rel relocs[] = {{PLT_VADDR + 24 + 8 + 0x200000 + 8,
                                        ELF32_R_INFO(1, R_ARM_JUMP_SLOT)},
                                       {PLT_VADDR + 36 + 8 + 0x200000 + 12,
                                        ELF32_R_INFO(2, R_ARM_JUMP_SLOT)}};
    struct elf_fixture *elf =
        plt_fixture(EM_ARM, stubs, sizeof(stubs), ".rel.plt", relocs, sizeof(relocs));

    fixture_finish32(elf);
    check_stubs(fixture_open(elf), expected, 2);
}

TEST(plt_aarch64_stubs_behind_the_resolvers_entry_are_named)
{
    static const struct expected_stub expected[] = {{32, 48, "exit@plt", false},
                                                    {48, 64, "puts@plt", false}};
    static const uint8_t stubs[64] = {
        W(0xa9bf7bf0), W(0x90001010), W(0xf9400a11), W(0x91004210), /* PLT0 */
        W(0xd61f0220), W(0xd503201f), W(0xd503201f), W(0xd503201f), W(0x90001010), W(0xf9400e11),
        W(0x91006210), W(0xd61f0220), W(0x90001010), W(0xf9401211), W(0x91008210), W(0xd61f0220),
    };
    static const Elf64_Rela relocs[] = {{GOT_VADDR + 0x20, ELF64_R_INFO(1, R_AARCH64_JUMP_SLOT), 0},
                                        {GOT_VADDR + 0x18, ELF64_R_INFO(2, R_AARCH64_JUMP_SLOT),
                                         0}};
    struct elf_fixture *elf =
        plt_fixture(EM_AARCH64, stubs, sizeof(stubs), ".rela.plt", relocs, sizeof(relocs));

    fixture_finish(elf);
    check_stubs(fixture_open(elf), expected, 2);
}

TEST(plt_relocation_without_symbol_names_no_stub)
{
    static const uint8_t stubs[16] = {W(0x90001010), W(0xf9400e11), W(0x91006210), W(0xd61f0220)};
    static const Elf64_Rela relocs[] = {
        {GOT_VADDR + 0x18, ELF64_R_INFO(0, R_AARCH64_IRELATIVE), FIXTURE_FIRST}};
    struct elf_fixture *elf =
        plt_fixture(EM_AARCH64, stubs, sizeof(stubs), ".rela.plt", relocs, sizeof(relocs));
    struct elf_image *image;
    struct symtab *symtab;
    struct symbol symbol;

    fixture_finish(elf);
    image = fixture_open(elf);
    assert_int_equal(symtab_create(image, NULL, &symtab), STATUS_OK);
    assert_int_equal(symtab_find(symtab, PLT_VADDR, &symbol), STATUS_NOT_FOUND);
    symtab_destroy(symtab);
    elf_image_close(image);
}
