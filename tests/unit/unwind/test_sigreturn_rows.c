/* SPDX-License-Identifier: MIT */
/* What a signal handler returns to has its row at every instruction, up to the system call. */
#include "elf32_fixture.h"
#include "module_fixture.h"

#include "symbol/module_set.h"
#include "unwind/module_rows.h"

struct file {
    struct module_set *set;
    struct module_rows *rows;
};

static void open_code(struct file *file, uint16_t machine, const char *code, size_t size)
{
    static const struct module_options options = {.sysroot = NULL};
    struct elf_fixture *elf = fixture_create(machine);
    struct module *module;

    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, size);
    fixture_finish_any(elf);
    assert_int_equal(module_set_create(&options, &file->set), STATUS_OK);
    module = fixture_module(file->set, elf);
    assert_int_equal(module_open(file->set, module), STATUS_OK);
    assert_int_equal(module_rows_create(file->set, module, &file->rows), STATUS_OK);
}

static void close_code(struct file *file)
{
    module_rows_destroy(file->rows);
    module_set_destroy(file->set);
}

/* Has the instruction at this offset the row of a signal trampoline? */
static bool is_trampoline(const struct file *file, size_t off)
{
    const struct row *row;

    return module_rows_find(file->rows, TRUST_PROLOGUE, FIXTURE_FIRST + off, &row) == STATUS_OK &&
           row->signal_frame;
}

/* Code of `size` bytes; `before`: of them, ahead of the system call. */
static void check(uint16_t machine, const char *code, size_t size, size_t before)
{
    struct file file;

    open_code(&file, machine, code, size);
    assert_true(is_trampoline(&file, 0));
    assert_true(is_trampoline(&file, before));
    assert_false(is_trampoline(&file, size - 2));
    close_code(&file);
}

#define CHECK(machine, code, before) check(machine, code, sizeof(code) - 1, before)

TEST(sigreturn_rows_of_x86)
{
    CHECK(EM_X86_64, "\x48\xc7\xc0\x0f\0\0\0\x0f\x05\x90\x90", 7); /* mov rax, 15; syscall; nops */
    /* movabs rax, 15; syscall */
    CHECK(EM_X86_64, "\x48\xb8\x0f\0\0\0\0\0\0\0\x0f\x05\x90\x90", 10);
    CHECK(EM_386, "\xb8\xad\0\0\0\xcd\x80\x90\x90", 5); /* mov eax, 173; int 0x80; nops */
}

TEST(sigreturn_rows_of_arm)
{
    CHECK(EM_AARCH64, "\x68\x11\x80\xd2\x01\0\0\xd4\xc0\x03\x5f\xd6",
          4);                                                       /* mov x8, 139; svc 0; ret */
    CHECK(EM_ARM, "\xad\x70\xa0\xe3\0\0\0\xef\x1e\xff\x2f\xe1", 4); /* mov r7, 173; svc 0; bx lr */
    CHECK(EM_ARM, "\x4f\xf0\xad\x07\0\xdf\x70\x47", 4); /* mov.w r7, 173; svc 0; bx lr */
    CHECK(EM_ARM, "\x77\x27\0\xdf\x70\x47", 2);         /* movs r7, 119; svc 0; bx lr */
}

/* The signal's number is popped first: the row holds before that only. */
TEST(sigreturn_rows_of_a_moving_stack_pointer_end)
{
    struct file file;

    /* pop eax; mov eax, 119; int 0x80 */
    open_code(&file, EM_386, "\x58\xb8\x77\0\0\0\xcd\x80", 8);
    assert_true(is_trampoline(&file, 0));
    assert_false(is_trampoline(&file, 1));
    assert_false(is_trampoline(&file, 6));
    close_code(&file);
}
