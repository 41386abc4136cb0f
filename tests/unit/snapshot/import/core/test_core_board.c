/* SPDX-License-Identifier: MIT */
/* ELF cores of boards without Linux. */
#include "core_fixture.h"

#define RAM UINT64_C(0x20000000)

enum { LR = 14, PC = 15, XPSR = 16, MSP = 17, PSP = 18, ARM_WORDS = 18 };

static struct core core;
static uint8_t ram[0x400];
static uint32_t flash[64];

static void arm_thread(uint32_t tid, uint64_t sp, uint64_t xpsr)
{
    uint64_t words[ARM_WORDS] = {0};

    words[13] = sp;
    words[LR] = 0x185;
    words[PC] = 0x144;
    words[XPSR] = xpsr;
    core_thread(&core, tid, 0, words);
}

static void next_of(struct snap_source *source, enum snap_type type, struct snap_event *event)
{
    struct diag diag;

    do
        assert_int_equal(snap_source_next(source, event, &diag), STATUS_OK);
    while (event->type != type);
}

static bool is_board(struct snap_source *source, struct snap_event *event)
{
    struct diag diag;

    while (snap_source_next(source, event, &diag) == STATUS_OK)
        if (event->type == SNAP_BOARD)
            return true;
    return false;
}

/* A core of a Cortex-M: flash without any flag of code, RAM in two segments. */
static struct snap_source *open_arm(uint64_t xpsr)
{
    flash[0] = RAM + 0x400;
    flash[1] = 0x101;
    flash[2] = flash[3] = 0x105;
    core_init(&core, ARCH_ARM);
    arm_thread(1, RAM + 0x80, xpsr);
    core_load(&core, RAM, 0x100, PF_R | PF_W, ram, 0x100);
    core_load(&core, RAM + 0x100, 0x300, PF_R | PF_W, ram + 0x100, 0x300);
    core_load(&core, 0x100, sizeof(flash), PF_R, (const uint8_t *)flash, sizeof(flash));
    return core_end_open(&core);
}

TEST(core_of_cortex_m_is_a_board_with_code_where_it_ran)
{
    struct snap_source *source = open_arm(0x01000000);
    struct snap_event event;
    uint32_t word;

    assert_string_equal(source->format, "core of a board");
    next_of(source, SNAP_BOARD, &event);
    assert_int_equal(event.board.profile, SNAP_PROFILE_ARM_M);
    assert_int_equal(event.board.vectors_addr, 0x100);
    assert_int_equal(event.board.initial_sp, RAM + 0x400);
    assert_int_equal(event.board.reset_addr, 0x101);
    next_of(source, SNAP_MAP, &event);
    assert_int_equal(event.map.kind, SNAP_MAP_ANON);
    assert_int_equal(event.map.start_addr, 0x100);
    next_of(source, SNAP_CODE, &event);
    assert_int_equal(event.range.start_addr, 0x100);
    next_of(source, SNAP_THREAD, &event);
    assert_string_equal(event.thread.name, "firmware");
    next_of(source, SNAP_SAMPLE, &event);
    assert_false(regs_has(&event.sample.regs, MSP));
    assert_int_equal(event.sample.regions[0].map_end_addr, RAM + 0x400); /* of both segments */
    assert_true(snap_source_memory(source, 0x104, &word, sizeof(word)));
    assert_int_equal(word, 0x101);
    core_close(&core, source);
}

TEST(core_of_a_linux_program_is_no_board)
{
    struct snap_source *source = open_arm(0x60000010); /* user mode */
    struct snap_event event;

    assert_null(source->format);
    assert_false(is_board(source, &event));
    core_close(&core, source);
}

TEST(core_with_a_list_of_files_is_no_board)
{
    const struct core_file_line line = {0x10000, 0x11000, 0, "/bin/app"};
    struct snap_source *source;
    struct snap_event event;

    core_init(&core, ARCH_ARM);
    arm_thread(1, RAM + 0x80, 0x01000000);
    core_files(&core, &line, 1);
    core_load(&core, RAM, 0x100, PF_R | PF_W, ram, 0x100);
    source = core_end_open(&core);
    assert_false(is_board(source, &event));
    core_close(&core, source);
}

TEST(core_of_other_modes_than_users_is_a_board_of_no_profile)
{
    struct snap_source *source;
    struct snap_event event;
    uint64_t words[ARM_WORDS] = {[13] = 0x80000080, [PC] = 0x80001000, [XPSR] = 0x600001d3};

    core_init(&core, ARCH_ARM);
    core_thread(&core, 1, 0, words); /* supervisor mode */
    core_load(&core, 0x80000000, 0x100, PF_R | PF_W, ram, 0x100);
    source = core_end_open(&core);
    next_of(source, SNAP_BOARD, &event);
    assert_int_equal(event.board.profile, SNAP_PROFILE_NONE);
    core_close(&core, source);
}

TEST(core_note_gives_the_first_context_its_stack_pointers)
{
    const uint32_t stacks[] = {RAM + 0x3f0, RAM + 0x80};
    struct snap_source *source;
    struct snap_event event;

    core_init(&core, ARCH_ARM);
    arm_thread(0, RAM + 0x80, 0x01000000);
    arm_thread(0, RAM + 0x180, 0x01000000);
    core_note(&core, "CGSNAP", 0x4d53, stacks, sizeof(stacks));
    core_load(&core, RAM, 0x400, PF_R | PF_W, ram, 0x400);
    source = core_end_open(&core);
    next_of(source, SNAP_SAMPLE, &event);
    assert_int_equal(event.sample.tid, 1); /* as both had none of their own */
    assert_int_equal(event.sample.regs.value[MSP], RAM + 0x3f0);
    assert_int_equal(event.sample.regs.value[PSP], RAM + 0x80);
    assert_true(regs_has(&event.sample.regs, MSP) && regs_has(&event.sample.regs, PSP));
    next_of(source, SNAP_SAMPLE, &event);
    assert_int_equal(event.sample.tid, 2);
    assert_false(regs_has(&event.sample.regs, MSP));
    core_close(&core, source);
}

TEST(core_of_riscv_without_anything_of_linux_is_a_board)
{
    static const enum arch_id archs[] = {ARCH_RISCV32, ARCH_RISCV64};
    struct snap_event event;

    for (size_t i = 0; i < 2; i++) {
        struct snap_source *source;

        core_init(&core, archs[i]);
        core_thread_at(&core, 1, 0, 0x80000100);
        core_load(&core, 0x80000000, 0x400, PF_R | PF_W, ram, 0x400);
        source = core_end_open(&core);
        next_of(source, SNAP_BOARD, &event);
        assert_int_equal(event.board.profile, SNAP_PROFILE_RISCV);
        core_close(&core, source);
    }
}

/* gdb 13 cuts NT_PRSTATUS of RV32 off behind a7: pc, x1 to x17. */
TEST(core_of_a_board_with_a_cut_note_has_the_registers_that_are_there)
{
    const uint64_t words[] = {0x80000100, 0x80000200, 0x80000040, [17] = 17};
    struct snap_source *source;
    struct snap_event event;

    core_init(&core, ARCH_RISCV32);
    core_thread_cut(&core, 1, words, 18);
    core_note(&core, "CORE", NT_FPREGSET, ram, 8);
    core_load(&core, 0x80000000, 0x400, PF_R | PF_W, ram, 0x400);
    source = core_end_open(&core);
    assert_int_equal(source->note_count, 1);
    assert_non_null(strstr(source->notes[0].what, "has 144 bytes, not 200: registers are missing"));
    next_of(source, SNAP_SAMPLE, &event);
    assert_int_equal(event.sample.regs.value[32], 0x80000100);
    assert_int_equal(event.sample.regs.value[2], 0x80000040);
    assert_int_equal(event.sample.regs.value[17], 17);
    assert_true(regs_has(&event.sample.regs, 0) && regs_has(&event.sample.regs, 17) &&
                regs_has(&event.sample.regs, 32));
    for (unsigned reg = 18; reg < 32; reg++)
        assert_false(regs_has(&event.sample.regs, reg));
    core_close(&core, source);
}

static void expect_refused(const char *what, const char *hint)
{
    struct snap_source *source;
    struct diag diag;

    core_load(&core, 0x80000000, 0x400, PF_R | PF_W, ram, 0x400);
    core_end(&core);
    assert_int_equal(core_try(&core, core.size, &source, &diag), STATUS_BAD_DATA);
    assert_non_null(strstr(diag.what, what));
    assert_non_null(strstr(diag.hint, hint));
    close(core.fd);
}

TEST(core_without_pc_and_sp_is_refused_with_what_to_try)
{
    const uint64_t words[] = {0x80000100, 0x80000200};

    core_init(&core, ARCH_RISCV32);
    core_thread_cut(&core, 1, words, 2);
    expect_refused("a thread's note has 80 bytes, not 200", "--ram");
    core_init(&core, ARCH_RISCV32);
    expect_refused("no thread's registers", "--ram");
}

TEST(core_of_linux_with_a_cut_note_leaves_the_thread_out)
{
    const uint64_t words[] = {0x80000100, 0x80000200, 0x80000040}, pairs[] = {AT_PAGESZ, 4096};
    struct snap_source *source;
    struct snap_event event;

    core_init(&core, ARCH_RISCV32);
    core_thread_cut(&core, 1, words, 3);
    core_thread_at(&core, 2, 0, 0x80000100);
    core_auxv(&core, pairs, 1);
    core_load(&core, 0x80000000, 0x400, PF_R | PF_W, ram, 0x400);
    source = core_end_open(&core);
    next_of(source, SNAP_SAMPLE, &event);
    assert_int_equal(event.sample.tid, 2);
    core_close(&core, source);
    core_init(&core, ARCH_RISCV32);
    core_thread_cut(&core, 1, words, 3);
    core_auxv(&core, pairs, 1);
    expect_refused("a thread's note has 84 bytes, not 200", "--ram");
}

TEST(core_of_riscv_with_an_auxiliary_vector_is_no_board)
{
    const uint64_t pairs[] = {AT_PAGESZ, 4096};
    struct snap_source *source;
    struct snap_event event;

    core_init(&core, ARCH_RISCV64);
    core_thread_at(&core, 1, 0, 0x80000100);
    core_auxv(&core, pairs, 1);
    core_load(&core, 0x80000000, 0x400, PF_R | PF_W, ram, 0x400);
    source = core_end_open(&core);
    assert_false(is_board(source, &event));
    core_close(&core, source);
}

/* As ESP-IDF's components/espcoredump writes it: a control block is at its task's pr_pid. */
TEST(core_of_esp_idf_names_tasks_and_begins_with_the_one_that_crashed)
{
    const uint32_t first = 0x40800000, second = 0x40800200, info[19] = {0x000d0102};
    const uint32_t extra[] = {second, 0};
    struct snap_source *source;
    struct snap_event event;

    memset(ram, 0, sizeof(ram));
    strcpy((char *)ram + 52, "IDLE");
    strcpy((char *)ram + 0x200 + 52, "main");
    core_init(&core, ARCH_RISCV32);
    core_thread_at(&core, first, 0, first + 0x100);
    core_thread_at(&core, second, 0, second + 0x100);
    core_thread_at(&core, 0x40900000, 0, 0x40900100); /* of its memory there is nothing */
    core_note(&core, "ESP_CORE_DUMP_INFO", 8266, info, sizeof(info));
    core_note(&core, "ESP_EXTRA_INFO", 677, extra, sizeof(extra));
    core_load(&core, first, 0x400, PF_R | PF_W, ram, 0x400);
    source = core_end_open(&core);
    assert_string_equal(source->format, "core of ESP-IDF");
    next_of(source, SNAP_THREAD, &event);
    assert_int_equal(event.thread.tid, second);
    assert_string_equal(event.thread.name, "main");
    next_of(source, SNAP_THREAD, &event);
    assert_int_equal(event.thread.tid, first);
    assert_string_equal(event.thread.name, "IDLE");
    next_of(source, SNAP_THREAD, &event);
    assert_string_equal(event.thread.name, "firmware");
    next_of(source, SNAP_SAMPLE, &event);
    assert_int_equal(event.sample.tid, second);
    core_close(&core, source);
}

TEST(core_of_xtensa_is_refused_in_one_line)
{
    struct snap_source *source;
    struct diag diag;

    core_init(&core, ARCH_RISCV32);
    core_end(&core);
    core_put(core.bytes + 18, EM_XTENSA, 2);
    assert_int_equal(core_try(&core, core.size, &source, &diag), STATUS_UNSUPPORTED);
    assert_non_null(strstr(diag.what, "Xtensa"));
    close(core.fd);
}
