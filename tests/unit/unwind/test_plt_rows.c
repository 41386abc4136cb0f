/* SPDX-License-Identifier: MIT */
/* The rows of PLT stubs, at every instruction of a file's PLT sections. */
#include "cfi_fixture.h"
#include "elf32_fixture.h"
#include "module_fixture.h"

#include "symbol/module_set.h"
#include "unwind/module_rows.h"
#include "unwind/row/row_print.h"

/*
 * "CFA RA": the return address is in lr, or at CFA minus something. "u": no row; NULL: nothing is
 * expected.
 */
struct line {
    const char *bytes;
    uint8_t size;
    const char *row;
};

#define LINE(bytes, row)                                                                           \
    {                                                                                              \
        bytes, sizeof(bytes) - 1, row                                                              \
    }

struct section {
    const char *name;
    const struct line *lines;
    size_t count;
};

#define SECTION(name, lines)                                                                       \
    {                                                                                              \
        name, lines, sizeof(lines) / sizeof((lines)[0])                                            \
    }

static const char *row_text(const struct arch *arch, const struct row *row, char *text, size_t size)
{
    char cfa[32];

    row_format_cfa(row, arch, cfa, sizeof(cfa));
    if (row->ra.kind == RULE_AT_CFA)
        snprintf(text, size, "%s c%d", cfa, row->ra.off);
    else
        snprintf(text, size, "%s %s", cfa, row->ra.kind == RULE_SAME ? "lr" : "?");
    return text;
}

static void check_section(struct module_rows *rows, const struct arch *arch, uint64_t vaddr,
                          const struct section *section)
{
    for (size_t i = 0; i < section->count; vaddr += section->lines[i++].size) {
        const struct row *row;
        char text[64] = "u";

        if (!section->lines[i].row)
            continue;
        if (module_rows_find(rows, TRUST_PROLOGUE, vaddr, &row) == STATUS_OK)
            row_text(arch, row, text, sizeof(text));
        if (strcmp(text, section->lines[i].row) != 0)
            fail_msg("%s: line %zu: %s instead of %s", section->name, i, text,
                     section->lines[i].row);
    }
}

/*
 * The sections, the first of them at FIXTURE_FIRST. An FDE of a linker covers that one as a whole
 * where there are tables.
 */
static void check(uint16_t machine, const struct section *sections, size_t count, bool code_only)
{
    static const struct module_options options = {.sysroot = NULL};
    struct elf_fixture *elf = fixture_create(machine);
    struct asm_section cfi = asm_begin(false);
    uint64_t vaddrs[4], size = 0;
    struct module_set *set;
    struct module *module;
    struct module_rows *rows;
    size_t cie;

    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[256];
        unsigned index;

        size = 0;
        for (size_t k = 0; k < sections[i].count; size += sections[i].lines[k++].size)
            memcpy(bytes + size, sections[i].lines[k].bytes, sections[i].lines[k].size);
        index = fixture_section(elf, sections[i].name, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
                                bytes, size);
        vaddrs[i] = elf->sections[index].sh_addr;
        if (i == 0 && !code_only && machine == EM_X86_64) {
            cie = asm_gcc_cie(&cfi);
            asm_fde(&cfi, cie, vaddrs[0], size, NO_PROGRAM);
        }
    }
    fixture_section(elf, ".got.plt", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, "", 1);
    if (cfi.size > 0)
        fixture_section(elf, ".debug_frame", SHT_PROGBITS, 0, cfi.bytes, cfi.size);
    fixture_finish_any(elf);
    assert_int_equal(module_set_create(&options, &set), STATUS_OK);
    module = fixture_module(set, elf);
    assert_int_equal(module_open(set, module), STATUS_OK);
    assert_int_equal(module_rows_create(set, module, &rows), STATUS_OK);
    if (code_only)
        module_rows_set_code_only(rows);
    for (size_t i = 0; i < count; i++)
        check_section(rows, elf_image_arch(module->image), vaddrs[i], &sections[i]);
    module_rows_destroy(rows);
    module_set_destroy(set);
}

#define CHECK(machine, sections, code_only)                                                        \
    check(machine, sections, sizeof(sections) / sizeof((sections)[0]), code_only)

static const struct line x86_64_lazy[] = {
    LINE("\xff\x35\xca\x3f\x00\x00", "rsp+16 c-8"), /* +00 push [rip+0x3fca] */
    LINE("\xff\x25\xcc\x3f\x00\x00", "rsp+24 c-8"), /* +06 jmp [rip+0x3fcc] */
    LINE("\x0f\x1f\x40\x00", NULL),                 /* +0c nop */
    LINE("\xff\x25\xca\x3f\x00\x00", "rsp+8 c-8"),  /* +10 jmp [rip+0x3fca] */
    LINE("\x68\x00\x00\x00\x00", "rsp+8 c-8"),      /* +16 push 0 */
    LINE("\xe9\xe0\xff\xff\xff", "rsp+16 c-8"),     /* +1b jmp +00 */
    LINE("\xff\x25\xc2\x3f\x00\x00", "rsp+8 c-8"),  /* +20 jmp [rip+0x3fc2] */
    LINE("\x68\x01\x00\x00\x00", "rsp+8 c-8"),      /* +26 push 1 */
    LINE("\xe9\xd0\xff\xff\xff", "rsp+16 c-8"),     /* +2b jmp +00 */
};

static const struct line x86_64_got[] = {
    LINE("\xff\x25\xf2\x3d\x00\x00", "rsp+8 c-8"), /* +00 jmp [rip+0x3df2] */
    LINE("\x66\x90", NULL),                        /* +06 nop */
    LINE("\xff\x25\xea\x3d\x00\x00", "rsp+8 c-8"), /* +08 jmp [rip+0x3dea] */
    LINE("\x66\x90", NULL),                        /* +0e nop */
};

TEST(plt_rows_of_x86_64_are_each_stubs_own)
{
    static const struct section sections[] = {SECTION(".plt", x86_64_lazy),
                                              SECTION(".plt.got", x86_64_got)};

    CHECK(EM_X86_64, sections, false);
    CHECK(EM_X86_64, sections, true);
}

TEST(plt_rows_of_x86_64_with_branch_tracking_follow_the_push)
{
    static const struct line plt[] = {
        LINE("\xff\x35\xca\x2f\x00\x00", "rsp+16 c-8"),     /* +00 push [rip+0x2fca] */
        LINE("\xf2\xff\x25\xcb\x2f\x00\x00", "rsp+24 c-8"), /* +06 bnd jmp [rip+0x2fcb] */
        LINE("\x0f\x1f\x00", NULL),                         /* +0d nop */
        LINE("\xf3\x0f\x1e\xfa", "rsp+8 c-8"),              /* +10 endbr64 */
        LINE("\x68\x00\x00\x00\x00", "rsp+8 c-8"),          /* +14 push 0 */
        LINE("\xf2\xe9\xe1\xff\xff\xff", "rsp+16 c-8"),     /* +19 bnd jmp +00 */
        LINE("\x90", NULL),                                 /* +1f nop */
    };
    static const struct line sec[] = {
        LINE("\xf3\x0f\x1e\xfa", "rsp+8 c-8"),             /* +00 endbr64 */
        LINE("\xf2\xff\x25\x75\x2f\x00\x00", "rsp+8 c-8"), /* +04 bnd jmp [rip+0x2f75] */
        LINE("\x0f\x1f\x44\x00\x00", NULL),                /* +0b nop */
    };
    static const struct section sections[] = {SECTION(".plt", plt), SECTION(".plt.sec", sec)};

    CHECK(EM_X86_64, sections, false);
    CHECK(EM_X86_64, sections, true);
}

TEST(plt_rows_of_x86_64_without_a_first_entry_are_the_stubs)
{
    static const struct section sections[] = {SECTION(".plt", x86_64_got)};

    CHECK(EM_X86_64, sections, true);
}

TEST(plt_rows_of_code_that_is_no_known_stub_are_unknown)
{
    static const struct line plt[] = {
        LINE("\xff\x35\xca\x3f\x00\x00", "u"), /* +00 push [rip+0x3fca] */
        LINE("\xff\x25\xcc\x3f\x00\x00", "u"), /* +06 jmp [rip+0x3fcc] */
        LINE("\x0f\x1f\x40\x00", NULL),        /* +0c nop */
    };
    static const struct section sections[] = {SECTION(".plt", plt),
                                              SECTION(".plt.got", x86_64_got)};

    CHECK(EM_X86_64, sections, true);
}

TEST(plt_rows_of_i386_are_each_stubs_own)
{
    static const struct line plt[] = {
        LINE("\xff\x35\xf8\xbf\x04\x08", "esp+8 c-4"),  /* +00 push [0x804bff8] */
        LINE("\xff\x25\xfc\xbf\x04\x08", "esp+12 c-4"), /* +06 jmp [0x804bffc] */
        LINE("\x00\x00\x00\x00", NULL),                 /* +0c */
        LINE("\xff\x25\x00\xc0\x04\x08", "esp+4 c-4"),  /* +10 jmp [0x804c000] */
        LINE("\x68\x00\x00\x00\x00", "esp+4 c-4"),      /* +16 push 0 */
        LINE("\xe9\xe0\xff\xff\xff", "esp+8 c-4"),      /* +1b jmp +00 */
    };
    static const struct section sections[] = {SECTION(".plt", plt)};

    CHECK(EM_386, sections, true);
}

TEST(plt_rows_of_position_independent_i386_are_each_stubs_own)
{
    static const struct line plt[] = {
        LINE("\xff\xb3\x04\x00\x00\x00", "esp+8 c-4"),  /* +00 push [ebx+4] */
        LINE("\xff\xa3\x08\x00\x00\x00", "esp+12 c-4"), /* +06 jmp [ebx+8] */
        LINE("\x00\x00\x00\x00", NULL),                 /* +0c */
        LINE("\xff\xa3\x0c\x00\x00\x00", "esp+4 c-4"),  /* +10 jmp [ebx+0xc] */
        LINE("\x68\x00\x00\x00\x00", "esp+4 c-4"),      /* +16 push 0 */
        LINE("\xe9\xe0\xff\xff\xff", "esp+8 c-4"),      /* +1b jmp +00 */
    };
    static const struct line got[] = {
        LINE("\xff\xa3\xec\xff\xff\xff", "esp+4 c-4"), /* +00 jmp [ebx-0x14] */
        LINE("\x66\x90", NULL),                        /* +06 nop */
    };
    static const struct section sections[] = {SECTION(".plt", plt), SECTION(".plt.got", got)};

    CHECK(EM_386, sections, true);
}

/* lld -z retpolineplt: stubs and the first entry reach +20 with different stacks. */
TEST(plt_rows_of_i386_retpolines_end_at_the_thunk)
{
    static const struct line plt[] = {
        LINE("\xff\x35\xac\x28\x40\x00", "esp+8 c-4"),  /* +00 push [0x4028ac] */
        LINE("\x50", "esp+12 c-4"),                     /* +06 push eax */
        LINE("\xa1\xb0\x28\x40\x00", "esp+16 c-4"),     /* +07 mov eax, [0x4028b0] */
        LINE("\xe8\x0f\x00\x00\x00", "esp+16 c-4"),     /* +0c call +20 */
        LINE("\xf3\x90\x0f\xae\xe8\xeb\xf9", NULL),     /* +11 pause; lfence; jmp +11 */
        LINE("\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc", NULL), /* +18 int3 */
        LINE("\x89\x0c\x24", "u"),                      /* +20 mov [esp], ecx */
        LINE("\x8b\x4c\x24\x04", "u"),                  /* +23 mov ecx, [esp+4] */
        LINE("\x89\x44\x24\x04", "u"),                  /* +27 mov [esp+4], eax */
        LINE("\x89\xc8", "u"),                          /* +2b mov eax, ecx */
        LINE("\x59", "u"),                              /* +2d pop ecx */
        LINE("\xc3", "u"),                              /* +2e ret */
        LINE("\xcc", NULL),                             /* +2f int3 */
        LINE("\x50", "esp+4 c-4"),                      /* +30 push eax */
        LINE("\xa1\xb4\x28\x40\x00", "esp+8 c-4"),      /* +31 mov eax, [0x4028b4] */
        LINE("\xe8\xe5\xff\xff\xff", "esp+8 c-4"),      /* +36 call +20 */
        LINE("\xe9\xd1\xff\xff\xff", NULL),             /* +3b jmp +11 */
        LINE("\x68\x00\x00\x00\x00", "esp+4 c-4"),      /* +40 push 0 */
        LINE("\xe9\xb6\xff\xff\xff", "esp+8 c-4"),      /* +45 jmp +00 */
        LINE("\xcc\xcc\xcc\xcc\xcc\xcc", NULL),         /* +4a int3 */
    };
    static const struct section sections[] = {SECTION(".plt", plt)};

    CHECK(EM_386, sections, true);
}

TEST(plt_rows_of_mold_follow_its_pushes)
{
    static const struct line plt[] = {
        LINE("\xf3\x0f\x1e\xfa", "rsp+8 c-8"),          /* +00 endbr64 */
        LINE("\x41\x53", "rsp+8 c-8"),                  /* +04 push r11 */
        LINE("\xff\x35\x8c\x24\x00\x00", "rsp+16 c-8"), /* +06 push [rip+0x248c] */
        LINE("\xff\x25\x8e\x24\x00\x00", "rsp+24 c-8"), /* +0c jmp [rip+0x248e] */
        LINE("\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc", NULL),
        LINE("\xf3\x0f\x1e\xfa", "rsp+8 c-8"),         /* +20 endbr64 */
        LINE("\x41\xbb\x00\x00\x00\x00", "rsp+8 c-8"), /* +24 mov r11d, 0 */
        LINE("\xff\x25\x78\x24\x00\x00", "rsp+8 c-8"), /* +2a jmp [rip+0x2478] */
    };
    static const struct section sections[] = {SECTION(".plt", plt)};

    CHECK(EM_X86_64, sections, true);
}

TEST(plt_rows_of_t32_only_arm_follow_lr)
{
    static const struct line plt[] = {
        LINE("\x00\xb5", "sp+0 lr"),          /* +00 push {lr} */
        LINE("\xdf\xf8\x08\xe0", "sp+4 c-4"), /* +02 ldr.w lr, [pc, #8] */
        LINE("\xfe\x44", "sp+4 c-4"),         /* +06 add lr, pc */
        LINE("\x5e\xf8\x08\xff", "sp+4 c-4"), /* +08 ldr.w pc, [lr, #8]! */
        LINE("\x60\x1e\x00\x00", NULL),       /* +0c .word */
        LINE("\x41\xf6\x5c\x6c", "sp+0 lr"),  /* +10 movw ip, #7772 */
        LINE("\xc0\xf2\x00\x0c", "sp+0 lr"),  /* +14 movt ip, #0 */
        LINE("\xfc\x44", "sp+0 lr"),          /* +18 add ip, pc */
        LINE("\xdc\xf8\x00\xf0", "sp+0 lr"),  /* +1a ldr.w pc, [ip] */
        LINE("\xfc\xe7", NULL),               /* +1e b .-4 */
    };
    static const struct section sections[] = {SECTION(".plt", plt)};

    CHECK(EM_ARM, sections, true);
}

TEST(plt_rows_of_arm_follow_lr)
{
    static const struct line plt[] = {
        LINE("\x04\xe0\x2d\xe5", "sp+0 lr"),  /* +00 push {lr} */
        LINE("\x04\xe0\x9f\xe5", "sp+4 c-4"), /* +04 ldr lr, [pc, #4] */
        LINE("\x0e\xe0\x8f\xe0", "sp+4 c-4"), /* +08 add lr, pc, lr */
        LINE("\x08\xf0\xbe\xe5", "sp+4 c-4"), /* +0c ldr pc, [lr, #8]! */
        LINE("\x88\x1b\x00\x00", NULL),       /* +10 .word */
        LINE("\x00\xc6\x8f\xe2", "sp+0 lr"),  /* +14 add ip, pc, #0, 12 */
        LINE("\x01\xca\x8c\xe2", "sp+0 lr"),  /* +18 add ip, ip, #4096 */
        LINE("\x88\xfb\xbc\xe5", "sp+0 lr"),  /* +1c ldr pc, [ip, #2952]! */
        LINE("\x78\x47", "sp+0 lr"),          /* +20 bx pc */
        LINE("\xc0\x46", NULL),               /* +22 nop */
        LINE("\x00\xc6\x8f\xe2", "sp+0 lr"),  /* +24 add ip, pc, #0, 12 */
        LINE("\x01\xca\x8c\xe2", "sp+0 lr"),  /* +28 add ip, ip, #4096 */
        LINE("\x80\xfb\xbc\xe5", "sp+0 lr"),  /* +2c ldr pc, [ip, #2944]! */
    };
    static const struct line iplt[] = {
        LINE("\x00\xc6\x8f\xe2", "sp+0 lr"), /* +00 add ip, pc, #0, 12 */
        LINE("\x57\xca\x8c\xe2", "sp+0 lr"), /* +04 add ip, ip, #356352 */
        LINE("\x88\xfe\xbc\xe5", "sp+0 lr"), /* +08 ldr pc, [ip, #3720]! */
    };
    static const struct section sections[] = {SECTION(".plt", plt), SECTION(".iplt", iplt)};

    CHECK(EM_ARM, sections, true);
}

TEST(plt_rows_of_aarch64_follow_lr)
{
    static const struct line plt[] = {
        LINE("\xf0\x7b\xbf\xa9", "sp+0 lr"),   /* +00 stp x16, x30, [sp, #-16]! */
        LINE("\xf0\x00\x00\xf0", "sp+16 c-8"), /* +04 adrp x16 */
        LINE("\x11\xfe\x47\xf9", "sp+16 c-8"), /* +08 ldr x17, [x16, #4088] */
        LINE("\x10\xe2\x3f\x91", "sp+16 c-8"), /* +0c add x16, x16, #0xff8 */
        LINE("\x20\x02\x1f\xd6", "sp+16 c-8"), /* +10 br x17 */
        LINE("\x1f\x20\x03\xd5", NULL),        /* +14 nop */
        LINE("\x1f\x20\x03\xd5", NULL),        /* +18 nop */
        LINE("\x1f\x20\x03\xd5", NULL),        /* +1c nop */
        LINE("\x10\x01\x00\x90", "sp+0 lr"),   /* +20 adrp x16 */
        LINE("\x11\x02\x40\xf9", "sp+0 lr"),   /* +24 ldr x17, [x16] */
        LINE("\x10\x02\x00\x91", "sp+0 lr"),   /* +28 add x16, x16, #0 */
        LINE("\x20\x02\x1f\xd6", "sp+0 lr"),   /* +2c br x17 */
    };
    static const struct section sections[] = {SECTION(".plt", plt)};

    CHECK(EM_AARCH64, sections, true);
}

TEST(plt_rows_of_aarch64_with_branch_protection_follow_lr)
{
    static const struct line plt[] = {
        LINE("\x5f\x24\x03\xd5", "sp+0 lr"),   /* +00 bti c */
        LINE("\xf0\x7b\xbf\xa9", "sp+0 lr"),   /* +04 stp x16, x30, [sp, #-16]! */
        LINE("\xf0\x00\x00\xf0", "sp+16 c-8"), /* +08 adrp x16 */
        LINE("\x11\xfe\x47\xf9", "sp+16 c-8"), /* +0c ldr x17, [x16, #4088] */
        LINE("\x10\xe2\x3f\x91", "sp+16 c-8"), /* +10 add x16, x16, #0xff8 */
        LINE("\x20\x02\x1f\xd6", "sp+16 c-8"), /* +14 br x17 */
        LINE("\x1f\x20\x03\xd5", NULL),        /* +18 nop */
        LINE("\x1f\x20\x03\xd5", NULL),        /* +1c nop */
        LINE("\x5f\x24\x03\xd5", "sp+0 lr"),   /* +20 bti c */
        LINE("\x10\x01\x00\x90", "sp+0 lr"),   /* +24 adrp x16 */
        LINE("\x11\x02\x40\xf9", "sp+0 lr"),   /* +28 ldr x17, [x16] */
        LINE("\x10\x02\x00\x91", "sp+0 lr"),   /* +2c add x16, x16, #0 */
        LINE("\x9f\x21\x03\xd5", "sp+0 lr"),   /* +30 autia1716 */
        LINE("\x20\x02\x1f\xd6", "sp+0 lr"),   /* +34 br x17 */
    };
    static const struct section sections[] = {SECTION(".plt", plt)};

    CHECK(EM_AARCH64, sections, true);
}
