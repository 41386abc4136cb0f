/* SPDX-License-Identifier: MIT */
/* Registers as a text, and memory as files of nothing but its bytes. */
#include "dump_fixture.h"

#include "boards/dump/raw.h"
#include "boards/dump/registers.h"

static struct regs read_text(enum arch_id arch, const char *text)
{
    struct regs regs;
    struct dump_system system;
    struct diag diag;
    enum status status =
        registers_read(text, strlen(text), arch_get(arch), "regs", &regs, &system, &diag);

    if (status != STATUS_OK)
        print_message("%s\n", diag.what);
    assert_int_equal(status, STATUS_OK);
    return regs;
}

static void refused(enum arch_id arch, const char *text, const char *what)
{
    struct regs regs;
    struct dump_system system;
    struct diag diag;

    assert_int_equal(registers_read(text, strlen(text), arch_get(arch), "regs", &regs, &system,
                                    &diag),
                     STATUS_BAD_DATA);
    assert_non_null(strstr(diag.what, what));
}

TEST(registers_as_gdb_prints_them_are_read)
{
    const struct regs regs =
        read_text(ARCH_ARM, "r0             0x2                 2\n"
                            "r12            0xffffffff          -1\n"
                            "sp             0x20001fd8          0x20001fd8\n"
                            "lr             0x181               385\n"
                            "pc             0xc0                0xc0 <fib+0x4>\n"
                            "xpsr           0x61000003          1627389955\n"
                            "msp            0x20001fd8          0x20001fd8\n"
                            "fpscr          0x0                 0\n");

    assert_int_equal(regs.value[0], 2);
    assert_int_equal(regs.value[12], 0xffffffff);
    assert_int_equal(regs.value[13], 0x20001fd8);
    assert_int_equal(regs.value[14], 0x181);
    assert_int_equal(regs.value[15], 0xc0);
    assert_int_equal(regs.value[16], 0x61000003);
    assert_int_equal(regs.value[17], 0x20001fd8);
    assert_false(regs_has(&regs, 1));
    assert_false(regs_has(&regs, 18));
}

TEST(registers_as_others_print_them_are_read)
{
    struct regs regs = read_text(ARCH_ARM, "===== arm v7m registers\n"
                                           "(0) r0 (/32): 0x00000007\n"
                                           "(13) sp (/32): 0x20000ff0\n"
                                           "(15) pc (/32): 0x0000012a\n");

    assert_int_equal(regs.value[0], 7);
    assert_int_equal(regs.value[13], 0x20000ff0);
    assert_int_equal(regs.value[15], 0x12a);
    regs = read_text(ARCH_ARM, "R0=5\r\nR13 = 20000ff0\r\nR15 = 0800012A\r\nPSR: 0x01000000\r\n");
    assert_int_equal(regs.value[0], 5);
    assert_int_equal(regs.value[13], 0x20000ff0);
    assert_int_equal(regs.value[15], 0x0800012a);
    assert_int_equal(regs.value[16], 0x01000000);
}

TEST(registers_of_riscv_have_both_names)
{
    struct regs regs = read_text(ARCH_RISCV64, "pc 0x80000000\nsp 0x80001000\nfp 0x80001010\n"
                                               "x1 0x80000004\na0 -1\n");

    assert_int_equal(regs.value[32], 0x80000000);
    assert_int_equal(regs.value[2], 0x80001000);
    assert_int_equal(regs.value[8], 0x80001010);
    assert_int_equal(regs.value[1], 0x80000004);
    regs = read_text(ARCH_RISCV32, "pc=0x80000000\nx2=0x80001000\nx31=31\n");
    assert_int_equal(regs.value[31], 31);
}

TEST(registers_without_pc_or_sp_are_refused)
{
    refused(ARCH_ARM, "", "pc");
    refused(ARCH_ARM, "pc 0x100\n", "sp");
    refused(ARCH_ARM, "sp 0x20000000\n", "pc");
    refused(ARCH_ARM, "pc\nsp\n", "pc");
    refused(ARCH_ARM, "pc 0x100000000\nsp 0\n", "32 bits");
}

TEST(registers_that_come_twice_have_the_first_value)
{
    const struct regs regs = read_text(ARCH_ARM, "pc 1\nsp 2\npc 3\n");

    assert_int_equal(regs.value[15], 1);
}

static int file_of(const void *bytes, size_t size)
{
    const int fd = memfd_create("file", 0);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, size), (ssize_t)size);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

static enum status open_raw(const char *text, const struct raw_file *files, size_t count,
                            struct snap_source **out, struct diag *diag)
{
    const struct raw_dump raw = {
        .files = files,
        .file_count = count,
        .registers = {.fd = file_of(text, strlen(text)), .name = "regs"},
        .arch = arch_get(ARCH_ARM),
    };
    enum status status = raw_source_open(&raw, out, diag);

    close(raw.registers.fd);
    return status;
}

TEST(raw_memory_and_registers_are_a_board)
{
    static const uint8_t low[256] = {1}, high[256] = {2};
    const struct raw_file files[] = {
        {.fd = file_of(high, sizeof(high)), .name = "high", .addr = 0x20000100},
        {.fd = file_of(low, sizeof(low)), .name = "low", .addr = 0x20000000}};
    struct snap_source *source;
    struct snap_event event;
    struct diag diag;
    uint8_t byte;

    assert_int_equal(open_raw("pc 0x100\nsp 0x20000010\nxpsr 0x1000000\n", files, 2, &source,
                              &diag),
                     STATUS_OK);
    next_of(source, SNAP_BOARD, &event);
    assert_int_equal(event.board.profile, SNAP_PROFILE_ARM_M);
    next_of(source, SNAP_SAMPLE, &event);
    assert_int_equal(event.sample.region_count, 1);
    assert_int_equal(event.sample.regions[0].end_addr, 0x20000200);
    assert_true(snap_source_memory(source, 0x20000100, &byte, 1));
    assert_int_equal(byte, 2);
    snap_source_close(source);
    close(files[0].fd);
    close(files[1].fd);
}

/* gdb: `info registers`, then `info registers mepc mcause mtval mstatus`. */
TEST(registers_of_the_system_are_the_samples)
{
    const char text[] = "pc             0x8000014e          0x8000014e <busy+38>\n"
                        "sp             0x80004380          0x80004380\n"
                        "mepc           0x8000021c          -2147483108\n"
                        "mcause         0x5                 5\n"
                        "mcause         0x7                 7\n"
                        "mstatus        0x1880              SD:0 VM:00 MPP:3 MIE:0\n";
    struct dump_system system;
    struct regs regs;
    struct diag diag;

    assert_int_equal(registers_read(text, strlen(text), arch_get(ARCH_RISCV32), "regs", &regs,
                                    &system, &diag),
                     STATUS_OK);
    assert_int_equal(system.count, 3);
    assert_int_equal(system.list[0].number, 0x341);
    assert_int_equal(system.list[0].value, 0x8000021c);
    assert_int_equal(system.list[1].number, 0x342);
    assert_int_equal(system.list[1].value, 5);
    assert_int_equal(system.list[2].number, 0x300);
    assert_int_equal(system.list[2].value, 0x1880);
    assert_int_equal(regs.value[33], 0x8000021c);
    assert_true(regs_has(&regs, 33));
}

TEST(raw_memory_has_the_registers_of_the_system)
{
    static const uint8_t bytes[256];
    const struct raw_file file = {.fd = file_of(bytes, sizeof(bytes)),
                                  .name = "ram",
                                  .addr = 0x20000000};
    struct snap_source *source;
    struct snap_event event;
    struct diag diag;

    assert_int_equal(open_raw("pc 0x100\nsp 0x20000010\nxpsr 0x1000003\ncfsr 0x2000000\n", &file, 1,
                              &source, &diag),
                     STATUS_OK);
    next_of(source, SNAP_SAMPLE, &event);
    assert_int_equal(event.sample.system_count, 1);
    assert_int_equal(event.sample.system[0].number, 0xe000ed28);
    assert_int_equal(event.sample.system[0].value, 0x2000000);
    snap_source_close(source);
    close(file.fd);
}

TEST(raw_memory_that_does_not_fit_is_refused)
{
    static const uint8_t bytes[256];
    struct raw_file file = {.name = "ram", .addr = 0xffffff80};
    struct snap_source *source;
    struct diag diag;

    file.fd = file_of(bytes, sizeof(bytes));
    assert_int_equal(open_raw("pc 1\nsp 2\n", &file, 1, &source, &diag), STATUS_BAD_DATA);
    assert_non_null(strstr(diag.what, "does not fit"));
    close(file.fd);
    file = (struct raw_file){.fd = file_of(bytes, 0), .name = "ram"};
    assert_int_equal(open_raw("pc 1\nsp 2\n", &file, 1, &source, &diag), STATUS_BAD_DATA);
    assert_non_null(strstr(diag.what, "is empty"));
    close(file.fd);
}
