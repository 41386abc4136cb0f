/* SPDX-License-Identifier: MIT */
/* Core dumps of Zephyr, as files and in logs. */
#include "dump_fixture.h"

#define RAM UINT64_C(0x20000000)

enum { CORTEX_M = 3, RISC_V = 4, XTENSA = 5 };
enum { BITS_32 = 5, BITS_64 = 6 };
enum { SP = 13, PC = 15, XPSR = 16 };

/* r0 to r3, r12, lr, pc, xpsr, sp, r4 to r11 */
static const uint64_t arm_words[] = {1,  2,  3,  4,  12, 0x1235, 0x1456, 0x01000000, RAM + 0x100,
                                     44, 45, 46, 47, 48, 49,     50,     51};

static struct bytes dump, log_text;
static uint8_t ram[0x400];

static void make_arm(uint16_t version)
{
    memset(ram, 0, sizeof(ram));
    memcpy(ram + 0x200, "stack", 5);
    zephyr_head(&dump, CORTEX_M, BITS_32, 3);
    zephyr_arch(&dump, version, 4, arm_words, version == 1 ? 9 : 17);
    put_bytes(&dump, "T", 1); /* struct z_kernel */
    put(&dump, 1, 2);
    put(&dump, 8, 2);
    put(&dump, 0, 8);
    zephyr_memory(&dump, 4, RAM, ram, sizeof(ram));
}

static void check_arm(struct snap_source *source, bool has_all)
{
    struct snap_event event;
    uint8_t bytes[5];

    assert_int_equal(source->kind, SOURCE_CORE);
    next_of(source, SNAP_PROCESS, &event);
    assert_non_null(strstr(event.process.kernel, "kernel oops"));
    next_of(source, SNAP_BOARD, &event);
    assert_int_equal(event.board.profile, SNAP_PROFILE_ARM_M);
    next_of(source, SNAP_SAMPLE, &event);
    assert_int_equal(event.sample.regs.value[SP], RAM + 0x100);
    assert_int_equal(event.sample.regs.value[PC], 0x1456);
    assert_int_equal(event.sample.regs.value[XPSR], 0x01000000);
    assert_int_equal(event.sample.regs.value[3], 4);
    assert_int_equal(regs_has(&event.sample.regs, 4), has_all);
    assert_int_equal(regs_has(&event.sample.regs, 11), has_all);
    if (has_all)
        assert_int_equal(event.sample.regs.value[11], 51);
    assert_int_equal(event.sample.region_count, 1);
    assert_int_equal(event.sample.regions[0].start_addr, RAM);
    assert_int_equal(event.sample.regions[0].map_end_addr, RAM + sizeof(ram));
    assert_true(snap_source_memory(source, RAM + 0x200, bytes, sizeof(bytes)));
    assert_memory_equal(bytes, "stack", 5);
    assert_false(snap_source_memory(source, RAM + sizeof(ram) - 4, bytes, sizeof(bytes)));
    assert_int_equal(snap_source_next(source, &event, &(struct diag){0}), STATUS_END);
}

TEST(zephyr_cortex_m_gives_registers_and_memory)
{
    for (uint16_t version = 1; version <= 2; version++) {
        struct snap_source *source;

        make_arm(version);
        source = dump_source(&dump);
        check_arm(source, version == 2);
        assert_false(source->cut_short);
        dump_close(&dump, source);
    }
}

TEST(zephyr_log_is_read_as_the_file_that_it_stands_for)
{
    struct snap_source *source;

    make_arm(2);
    zephyr_log(&log_text, &dump, true);
    source = dump_source(&log_text);
    check_arm(source, true);
    assert_false(source->cut_short);
    assert_string_equal(source->format, "dump of Zephyr, in a log");
    dump_close(&log_text, source);
}

TEST(zephyr_log_without_end_is_used_and_cut_short)
{
    struct snap_source *source;

    make_arm(2);
    zephyr_log(&log_text, &dump, false);
    source = dump_source(&log_text);
    check_arm(source, true);
    assert_true(source->cut_short);
    dump_close(&log_text, source);
}

TEST(zephyr_log_takes_the_dump_of_the_last_begin)
{
    static const char again[] = "#CD:BEGIN#\n";
    struct snap_source *source;
    uint8_t first[200];

    make_arm(2);
    zephyr_log(&log_text, &dump, true);
    memcpy(first, log_text.data, sizeof(first)); /* which broke off within a line */
    memmove(log_text.data + sizeof(first) + sizeof(again), log_text.data, log_text.size);
    memcpy(log_text.data, first, sizeof(first));
    log_text.data[sizeof(first)] = '\n';
    memcpy(log_text.data + sizeof(first) + 1, again, sizeof(again) - 1);
    log_text.size += sizeof(first) + sizeof(again);
    source = dump_source(&log_text);
    check_arm(source, true);
    dump_close(&log_text, source);
}

TEST(zephyr_log_with_an_error_is_refused)
{
    static const char text[] = "#CD:BEGIN#\n#CD:5a45\n#CD:ERROR CANNOT DUMP#\n";

    log_text.size = 0;
    put_bytes(&log_text, text, sizeof(text) - 1);
    dump_refused(&log_text, STATUS_BAD_DATA, "could not dump");
}

TEST(text_without_a_dump_is_no_snapshot)
{
    log_text.size = 0;
    put_bytes(&log_text, "Just a text.\n", 13);
    dump_refused(&log_text, STATUS_BAD_DATA, "is not a snapshot");
}

/* Also in the midst of a number, of registers, of memory. */
TEST(zephyr_cut_at_any_length_is_refused_or_cut_short)
{
    struct snap_source *source;
    struct snap_event event;
    struct diag diag;
    size_t whole;

    make_arm(2);
    whole = dump.size;
    for (size_t size = 2; size < whole; size++) {
        dump.size = size;
        if (dump_try(&dump, &source, &diag) == STATUS_OK) {
            next_of(source, SNAP_SAMPLE, &event);
            if (size > 12 + 5 + 68 + 5 + 8 + 11) {
                assert_int_equal(event.sample.region_count, 1);
                assert_int_equal(event.sample.regions[0].map_end_addr, RAM + sizeof(ram));
                assert_true(event.sample.regions[0].end_addr < RAM + sizeof(ram));
                assert_true(source->cut_short);
            }
            snap_source_close(source);
        } else {
            assert_true(diag.what[0]);
            assert_true(size < 12 + 5 + 68);
        }
        close(dump.fd);
    }
}

TEST(zephyr_frame_below_sp_is_left)
{
    static const unsigned order[] = {0, 1, 2, 3, 4, 5, 6, 7};
    struct snap_source *source;
    struct snap_event event;

    for (unsigned pad = 0; pad < 2; pad++) {
        uint64_t words[17];

        memcpy(words, arm_words, sizeof(words));
        words[7] |= pad << 9; /* xPSR says that a word was left free */
        memset(ram, 0, sizeof(ram));
        for (unsigned i = 0; i < 8; i++)
            memcpy(ram + 0x100 + 4 * i, &words[order[i]], 4);
        zephyr_head(&dump, CORTEX_M, BITS_32, 0);
        zephyr_arch(&dump, 2, 4, words, 17);
        zephyr_memory(&dump, 4, RAM, ram, sizeof(ram));
        source = dump_source(&dump);
        next_of(source, SNAP_SAMPLE, &event);
        assert_int_equal(event.sample.regs.value[SP], RAM + 0x100 + 0x20 + 4 * pad);
        dump_close(&dump, source);
    }
}

TEST(zephyr_blocks_that_touch_are_one_region)
{
    struct snap_source *source;
    struct snap_event event;

    memset(ram, 7, sizeof(ram));
    zephyr_head(&dump, CORTEX_M, BITS_32, 0);
    zephyr_arch(&dump, 2, 4, arm_words, 17);
    zephyr_memory(&dump, 4, RAM + 0x180, ram, 0x80);
    zephyr_memory(&dump, 4, RAM + 0x1000, ram, 0x10);
    zephyr_memory(&dump, 4, RAM, ram, 0x180);
    zephyr_memory(&dump, 4, RAM + 0x40, ram, 0x20); /* a second time */
    source = dump_source(&dump);
    next_of(source, SNAP_SAMPLE, &event);
    assert_int_equal(event.sample.region_count, 2);
    assert_int_equal(event.sample.regions[0].start_addr, RAM);
    assert_int_equal(event.sample.regions[0].end_addr, RAM + 0x200);
    assert_int_equal(event.sample.regions[1].start_addr, RAM + 0x1000);
    assert_int_equal(source->note_count, 1);
    assert_non_null(strstr(source->notes[0].what, "overlap"));
    dump_close(&dump, source);
}

TEST(zephyr_memory_with_code_is_given_as_code)
{
    static const uint32_t flash[64] = {0x20002000, 0x101, 0x103, 0x105};
    struct snap_source *source;
    struct snap_event event;

    make_arm(2);
    zephyr_memory(&dump, 4, 0x1000, flash, sizeof(flash));
    source = dump_source(&dump);
    next_of(source, SNAP_BOARD, &event);
    assert_int_equal(event.board.vectors_addr, 0x1000);
    assert_int_equal(event.board.initial_sp, 0x20002000);
    assert_int_equal(event.board.reset_addr, 0x101);
    next_of(source, SNAP_MAP, &event);
    assert_int_equal(event.map.kind, SNAP_MAP_ANON);
    assert_int_equal(event.map.start_addr, 0x1000);
    next_of(source, SNAP_CODE, &event);
    assert_int_equal(event.range.end_addr, 0x1000 + sizeof(flash));
    assert_memory_equal(event.range.bytes, flash, sizeof(flash));
    dump_close(&dump, source);
}

static void riscv_few(unsigned bits, uint16_t version)
{
    const unsigned word = bits == BITS_64 ? 8 : 4;
    struct snap_source *source;
    struct snap_event event;
    uint64_t words[19];

    for (unsigned i = 0; i < 19; i++)
        words[i] = 0x100 + i;
    words[18] = 0x80000100; /* sp */
    zephyr_head(&dump, RISC_V, (uint8_t)bits, 4);
    zephyr_arch(&dump, version, word, words, 19);
    zephyr_memory(&dump, word, 0x80000000, ram, sizeof(ram));
    source = dump_source(&dump);
    assert_int_equal(source->arch->word_size, word);
    next_of(source, SNAP_BOARD, &event);
    assert_int_equal(event.board.profile, SNAP_PROFILE_RISCV);
    next_of(source, SNAP_SAMPLE, &event);
    assert_int_equal(event.sample.regs.value[1], 0x100);  /* ra */
    assert_int_equal(event.sample.regs.value[4], 0x101);  /* tp */
    assert_int_equal(event.sample.regs.value[10], 0x105); /* a0 */
    assert_int_equal(event.sample.regs.value[28], 0x10d); /* t3 */
    assert_int_equal(event.sample.regs.value[source->arch->pc], 0x111);
    assert_int_equal(event.sample.regs.value[2], 0x80000100);
    assert_false(regs_has(&event.sample.regs, 8)); /* s0 */
    dump_close(&dump, source);
}

TEST(zephyr_riscv_of_both_word_sizes_is_read)
{
    riscv_few(BITS_32, 1);
    riscv_few(BITS_64, 2);
}

static void riscv_all(unsigned bits, uint16_t version, bool has_saved)
{
    const unsigned word = bits == BITS_64 ? 8 : 4;
    struct snap_source *source;
    struct snap_event event;
    uint64_t words[33];

    for (unsigned i = 0; i < 33; i++)
        words[i] = i ? 0x80000000 + i : 0;
    for (unsigned i = 18; i <= 27 && !has_saved; i++)
        words[i] = 0;
    words[9] = has_saved ? 9 : 0;
    zephyr_head(&dump, RISC_V, (uint8_t)bits, 0);
    zephyr_arch(&dump, version, word, words, 33);
    zephyr_memory(&dump, word, 0x80000000, ram, sizeof(ram));
    source = dump_source(&dump);
    next_of(source, SNAP_SAMPLE, &event);
    assert_int_equal(event.sample.regs.value[8], 0x80000008);
    assert_int_equal(event.sample.regs.value[32], 0x80000020);
    assert_int_equal(regs_has(&event.sample.regs, 9), has_saved);
    assert_int_equal(regs_has(&event.sample.regs, 27), has_saved);
    assert_true(regs_has(&event.sample.regs, 28));
    dump_close(&dump, source);
}

TEST(zephyr_riscv_registers_that_are_all_0_are_not_known)
{
    riscv_all(BITS_32, 3, true);
    riscv_all(BITS_32, 3, false);
    riscv_all(BITS_64, 4, true);
    riscv_all(BITS_64, 4, false);
}

TEST(zephyr_of_what_is_not_known_is_refused)
{
    zephyr_head(&dump, XTENSA, BITS_32, 0);
    dump_refused(&dump, STATUS_UNSUPPORTED, "target 5");
    zephyr_head(&dump, CORTEX_M, BITS_64, 0);
    dump_refused(&dump, STATUS_UNSUPPORTED, "2^6 bits");
    make_arm(2);
    dump.data[2] = 3;
    dump_refused(&dump, STATUS_UNSUPPORTED, "version 3");
    zephyr_head(&dump, CORTEX_M, BITS_32, 0);
    zephyr_arch(&dump, 9, 4, arm_words, 17);
    dump_refused(&dump, STATUS_UNSUPPORTED, "version 9");
    zephyr_head(&dump, CORTEX_M, BITS_32, 0);
    zephyr_arch(&dump, 2, 4, arm_words, 16);
    dump_refused(&dump, STATUS_UNSUPPORTED, "64 bytes");
    zephyr_head(&dump, CORTEX_M, BITS_32, 0);
    zephyr_memory(&dump, 4, RAM, ram, sizeof(ram));
    dump_refused(&dump, STATUS_BAD_DATA, "no registers");
    make_arm(2);
    put_bytes(&dump, "x", 1);
    dump_refused(&dump, STATUS_BAD_DATA, "no block of a dump begins so");
    make_arm(2);
    put_bytes(&dump, "M\1\0\0\0\0\x20\0\0\0\x10", 11); /* its end is before its beginning */
    dump_refused(&dump, STATUS_BAD_DATA, "cannot be");
}
