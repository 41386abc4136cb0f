/* SPDX-License-Identifier: MIT */
#include "base/mapped.h"
#include "golden_fixture.h"
#include "perf_fixture.h"

#include <zstd.h>

#include "output/gzip.h"
#include "snapshot/import/perf/tasks.h"

static const uint8_t id[20] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                               11, 12, 13, 14, 15, 16, 17, 18, 19, 20};

TEST_OF(perf_sample_comes_after_its_process_maps_and_thread, perf_file, f, ARCH_X86_64)
{
    struct opened o;
    const struct snap_map *map;
    const struct snap_sample *sample;

    put_comm(f, 7, 7, "main", 10, true);
    put_mmap2(f, 7, 0x400000, 0x2000, "/bin/x", id, PROT_READ | PROT_EXEC, 11);
    put_mmap2(f, 7, 0x600000, 0x2000, "/bin/x", id, PROT_READ, 12);
    put_sample(f, 7, 7, 20, "stack");
    open_file(&o, f);
    assert_string_equal(next(&o, SNAP_PROCESS)->process.exe, "/bin/x");
    assert_string_equal(o.event.process.host, "host");
    assert_string_equal(o.event.process.kernel, "6.1.0");
    map = &next(&o, SNAP_MAP)->map;
    assert_string_equal(map->path, "/bin/x");
    assert_int_equal(map->kind, SNAP_MAP_FILE);
    assert_int_equal(map->start_addr, 0x400000);
    assert_int_equal(map->end_addr, 0x402000);
    assert_int_equal(map->file_off, 0x1000);
    assert_int_equal(map->build_id_size, 20);
    assert_memory_equal(map->build_id, id, 20);
    assert_string_equal(next(&o, SNAP_THREAD)->thread.name, "main");
    sample = &next(&o, SNAP_SAMPLE)->sample;
    assert_int_equal(sample->time_ns, 20);
    assert_int_equal(sample->cpu_ns, 1000);
    assert_int_equal(sample->state, 'R');
    assert_false(sample->no_context);
    assert_int_equal(sample->region_count, 1);
    assert_int_equal(sample->regions[0].start_addr, 0x7000); /* perf's number of SP is 7 */
    assert_int_equal(sample->regions[0].end_addr, 0x7005);
    assert_int_equal(sample->regions[0].map_end_addr, 0x7005);
    assert_memory_equal(sample->regions[0].bytes, "stack", 5);
    expect_end(&o);
    assert_int_equal(o.source->note_count, 0);
    close_source(&o);
}

static void expect_regs(enum arch_id arch, const uint8_t *numbers, size_t count)
{
    struct perf_file f;
    struct opened o;
    const struct snap_sample *sample;

    perf_file_init(&f, arch);
    put_sample(&f, 7, 7, 20, "");
    open_file(&o, &f);
    assert_ptr_equal(o.source->arch, arch_get(arch));
    sample = next_sample(&o);
    for (unsigned reg = 0; reg < count; reg++) {
        assert_int_equal(regs_has(&sample->regs, reg), numbers[reg] != REG_NONE);
        if (numbers[reg] == REG_NONE)
            continue;
        assert_int_equal(sample->regs.value[reg], 0x1000 * numbers[reg]);
    }
    close_source(&o);
    perf_file_deinit(&f);
}

/* The records' begin and size, and the features, in a file's header. */
#define HEADER_DATA     40
#define HEADER_FEATURES 72

/* Behind `before` bytes of its records the file has a gap, and no features. */
static int open_parted(struct bytes *b, uint64_t before, uint64_t gap)
{
    uint64_t data[2], first;
    int fd = memfd_create("perf.data", 0);

    memcpy(data, b->at + HEADER_DATA, sizeof(data));
    first = data[0] + before;
    data[1] += gap;
    memcpy(b->at + HEADER_DATA, data, sizeof(data));
    memset(b->at + HEADER_FEATURES, 0, 32);
    assert_int_equal(pwrite(fd, b->at, first, 0), first);
    assert_int_equal(pwrite(fd, b->at + first, data[0] + data[1] - gap - first,
                            (off_t)(first + gap)),
                     data[0] + data[1] - gap - first);
    return fd;
}

TEST_OF(perf_file_too_large_to_be_mapped_is_read_in_the_order_of_time, perf_file, f, ARCH_X86_64)
{
    /* More than there are addresses for; qemu-user maps no more than 4 GiB of 32 bits. */
    const uint64_t gap = sizeof(void *) == 8 ? UINT64_C(1) << 55 : UINT64_C(3) << 30;
    struct opened o = {.diag.what = ""};
    struct bytes b;
    size_t before;

    put_sample(f, 7, 7, 30, "late");
    begin_record(f, PERF_AUXTRACE, 0);
    put_u64(&f->records, gap);
    end_record(f);
    before = f->records.len;
    put_sample(f, 7, 7, 20, "early");
    b = file_image(f);
    o.fd = open_parted(&b, before, gap);
    assert_int_equal(snap_source_open(o.fd, "perf.data", &o.source, &o.diag), STATUS_OK);
    assert_memory_equal(next_sample(&o)->regions[0].bytes, "early", 5);
    assert_memory_equal(next_sample(&o)->regions[0].bytes, "late", 4);
    expect_end(&o);
    close_source(&o);
    free(b.at);
}

/* By the DWARF number of a register: perf's. */
TEST(perf_registers_are_numbered_as_dwarf_does)
{
    static const uint8_t x86_64[] = {0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8};
    static const uint8_t i386[] = {0, 2, 3, 1, 7, 6, 4, 5, 8};
    uint8_t same[33], riscv[33];

    for (uint8_t i = 0; i < sizeof(same); i++)
        riscv[i] = same[i] = i;
    riscv[0] = REG_NONE; /* zero has no number there, PC its number */
    riscv[32] = 0;
    expect_regs(ARCH_X86_64, x86_64, sizeof(x86_64));
    expect_regs(ARCH_I386, i386, sizeof(i386));
    expect_regs(ARCH_ARM, same, 16);
    expect_regs(ARCH_AARCH64, same, 33);
    expect_regs(ARCH_RISCV64, riscv, 33);
    expect_regs(ARCH_RISCV32, riscv, 33);
}

TEST_OF(perf_stack_that_fills_its_room_may_go_on, perf_file, f, ARCH_X86_64)
{
    struct opened o;
    char full[STACK_LIMIT + 1] = {0};

    memset(full, 'x', STACK_LIMIT);
    put_sample(f, 7, 7, 20, full);
    open_file(&o, f);
    assert_int_equal(next_sample(&o)->regions[0].end_addr, 0x7000 + STACK_LIMIT);
    assert_int_equal(o.event.sample.regions[0].map_end_addr, UINT64_MAX);
    close_source(&o);
}

TEST_OF(perf_chain_is_parted_by_its_markers, perf_file, f, ARCH_X86_64)
{
    const uint64_t chain[] = {(uint64_t)PERF_CONTEXT_KERNEL, 0xffff800000000010, 0xffff800000000020,
                              (uint64_t)PERF_CONTEXT_USER,   0x401000,           0x402000};
    struct opened o;
    const struct snap_sample *sample;

    f->attrs[0].sample_type =
        SAMPLE_TYPE & ~(uint64_t)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
    begin_sample(f, 7, 7, 20, PERF_RECORD_MISC_KERNEL);
    put_chain(f, 6, chain);
    end_record(f);
    open_file(&o, f);
    next(&o, SNAP_PROCESS);
    assert_int_equal(next(&o, SNAP_MAP)->map.kind, SNAP_MAP_KERNEL);
    next(&o, SNAP_THREAD);
    sample = &next(&o, SNAP_SAMPLE)->sample;
    assert_true(sample->no_context);
    assert_int_equal(sample->kernel_count, 2);
    assert_memory_equal(sample->kernel_chain, chain + 1, 16);
    assert_int_equal(sample->user_count, 2);
    assert_memory_equal(sample->user_chain, chain + 4, 16);
    close_source(&o);
}

TEST_OF(perf_kernel_map_has_symbol_and_build_id, perf_file, f, ARCH_X86_64)
{
    const uint64_t chain[] = {(uint64_t)PERF_CONTEXT_KERNEL, 0xffffffff81000010};
    struct opened o;
    const struct snap_map *map;

    begin_record(f, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
    put_u32(&f->records, (uint32_t)-1);
    put_u32(&f->records, 0);
    put_u64(&f->records, 0xffffffff81000000);
    put_u64(&f->records, 0x1000000);
    put_u64(&f->records, 0xffffffff81000000);
    put_text(&f->records, "[kernel.kallsyms]_stext");
    end_timed(f, (uint32_t)-1, 0, 0);
    put_build_id(f, "[kernel.kallsyms]", id);
    begin_sample(f, 0, 0, 20, PERF_RECORD_MISC_KERNEL);
    put_chain(f, 2, chain);
    put_regs(f, PERF_SAMPLE_REGS_ABI_NONE);
    put_u64(&f->records, 0);
    end_record(f);
    open_file(&o, f);
    next(&o, SNAP_PROCESS);
    map = &next(&o, SNAP_MAP)->map;
    assert_int_equal(map->kind, SNAP_MAP_KERNEL);
    assert_string_equal(map->path, "[kernel]");
    assert_memory_equal(map->build_id, id, 20);
    assert_string_equal(map->kernel->symbol, "_stext");
    assert_int_equal(map->kernel->symbol_addr, 0xffffffff81000000);
    assert_string_equal(next(&o, SNAP_THREAD)->thread.name, "swapper");
    assert_true(next(&o, SNAP_SAMPLE)->sample.no_context);
    close_source(&o);
}

/* Two CPUs' records, each in order: nothing of a round is out of order with what follows it. */
TEST_OF(perf_records_come_in_the_order_of_time, perf_file, f, ARCH_X86_64)
{
    static const uint64_t times[] = {10, 40, 20, 30, 0, 50, 70, 35, 60, 0, 80, 55};
    static const uint64_t expected[] = {10, 20, 30, 35, 40, 50, 55, 60, 70, 80};
    struct opened o;

    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
        if (times[i])
            put_sample(f, 7, 7, times[i], "s");
        else
            put_round(f);
    open_file(&o, f);
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
        assert_int_equal(next_sample(&o)->time_ns, expected[i]);
    expect_end(&o);
    assert_int_equal(o.source->note_count, 0);
    close_source(&o);
}

TEST_OF(perf_events_are_told_apart_by_id, perf_file, f, ARCH_X86_64)
{
    struct opened o;

    f->attr_count = 2;
    f->attrs[0].sample_type |= PERF_SAMPLE_IDENTIFIER;
    f->attrs[1] = f->attrs[0];
    f->attrs[1].type = PERF_TYPE_HARDWARE;
    f->attrs[1].sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
                              PERF_SAMPLE_TIME | PERF_SAMPLE_READ | PERF_SAMPLE_RAW |
                              PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER |
                              PERF_SAMPLE_STACK_USER;
    f->attrs[1].read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED;
    f->attrs[1].branch_sample_type = PERF_BRANCH_HW_INDEX;
    put_sample(f, 7, 7, 20, "first");
    begin_record(f, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
    put_u64(&f->records, f->ids[1]);
    put_u64(&f->records, 0x1234);
    put_u64(&f->records, (uint64_t)8 << 32 | 7);
    put_u64(&f->records, 30);
    put_u64(&f->records, 2); /* a group of two: enabled, then value and id of each */
    for (int i = 0; i < 5; i++)
        put_u64(&f->records, 99);
    put_u32(&f->records, 12); /* raw */
    put(&f->records, "twelve bytes", 12);
    put_u64(&f->records, 1); /* a branch */
    for (int i = 0; i < 4; i++)
        put_u64(&f->records, 98);
    put_regs(f, PERF_SAMPLE_REGS_ABI_64);
    put_stack(f, "second", 6);
    end_record(f);
    open_file(&o, f);
    assert_memory_equal(next_sample(&o)->regions[0].bytes, "first", 5);
    assert_int_equal(o.event.sample.cpu_ns, 1000);
    assert_memory_equal(next_sample(&o)->regions[0].bytes, "second", 6);
    assert_int_equal(o.event.sample.tid, 8);
    assert_int_equal(o.event.sample.cpu_ns, 0);
    expect_end(&o);
    assert_int_equal(o.source->note_count, 1); /* that events are added up */
    close_source(&o);
}

TEST_OF(perf_child_has_its_parents_maps_until_exec, perf_file, f, ARCH_X86_64)
{
    struct opened o;

    put_comm(f, 7, 7, "shell", 10, true);
    put_mmap(f, 7, 0x400000, 0x2000, "/bin/sh", 11);
    put_task(f, PERF_RECORD_FORK, 8, 7, 8, 7, 12);
    put_sample(f, 8, 8, 13, "child");
    put_comm(f, 8, 8, "ls", 14, true);
    put_mmap(f, 8, 0x500000, 0x2000, "/bin/ls (deleted)", 15);
    put_sample(f, 8, 8, 16, "exec");
    open_file(&o, f);
    assert_int_equal(next(&o, SNAP_PROCESS)->process.pid, 8);
    assert_int_equal(o.event.process.parent_pid, 7);
    assert_false(o.event.process.exec);
    assert_string_equal(next(&o, SNAP_MAP)->map.path, "/bin/sh");
    assert_string_equal(next(&o, SNAP_THREAD)->thread.name, "shell");
    next(&o, SNAP_SAMPLE);
    assert_true(next(&o, SNAP_PROCESS)->process.exec);
    assert_string_equal(o.event.process.exe, "/bin/ls");
    assert_string_equal(next(&o, SNAP_MAP)->map.path, "/bin/ls");
    assert_int_equal(o.event.map.flags, SNAP_MAP_DELETED);
    assert_string_equal(next(&o, SNAP_THREAD)->thread.name, "ls");
    next(&o, SNAP_SAMPLE);
    expect_end(&o);
    close_source(&o);
}

static void expect_map(struct opened *o, uint64_t start, uint64_t end, uint64_t off,
                       const char *path)
{
    const struct snap_map *map = &next(o, SNAP_MAP)->map;

    assert_int_equal(map->start_addr, start);
    assert_int_equal(map->end_addr, end);
    assert_int_equal(map->file_off, off);
    assert_string_equal(map->path, path);
}

/* In the order of addresses, the newest of what overlaps; all have 0x1000 as file offset. */
TEST_OF(perf_maps_are_told_as_they_lie, perf_file, f, ARCH_X86_64)
{
    struct opened o;

    put_mmap(f, 7, 0x900000, 0x1000, "/bin/program", 10);
    put_mmap(f, 7, 0x400000, 0x8000, "/lib/old", 11);
    put_mmap(f, 7, 0x402000, 0x1000, "/lib/hidden", 12);
    put_mmap(f, 7, 0x401000, 0x3000, "/lib/new", 13);
    put_mmap(f, 7, 0x407000, 0x2000, "/lib/newest", 14);
    put_mmap(f, 7, 0x100000, 0x1000, "/lib/low", 15);
    put_sample(f, 7, 7, 20, "s");
    put_mmap(f, 7, 0x200000, 0x1000, "/lib/late", 21);
    put_sample(f, 7, 7, 22, "s");
    open_file(&o, f);
    assert_string_equal(next(&o, SNAP_PROCESS)->process.exe, "/bin/program");
    expect_map(&o, 0x100000, 0x101000, 0x1000, "/lib/low");
    expect_map(&o, 0x400000, 0x401000, 0x1000, "/lib/old");
    expect_map(&o, 0x401000, 0x404000, 0x1000, "/lib/new");
    expect_map(&o, 0x404000, 0x407000, 0x5000, "/lib/old");
    expect_map(&o, 0x407000, 0x409000, 0x1000, "/lib/newest");
    expect_map(&o, 0x900000, 0x901000, 0x1000, "/bin/program");
    next(&o, SNAP_THREAD);
    next(&o, SNAP_SAMPLE);
    expect_map(&o, 0x200000, 0x201000, 0x1000, "/lib/late");
    next(&o, SNAP_SAMPLE);
    expect_end(&o);
    close_source(&o);
}

/* The square of what the file has would be told otherwise. */
TEST_OF(perf_maps_of_many_forks_are_told_within_limits, perf_file, f, ARCH_X86_64)
{
    const uint32_t maps = 7000, forks = 400;
    struct opened o;
    unsigned told = 0, samples = 0;

    for (uint32_t i = 0; i < maps; i++)
        put_mmap(f, 7, 0x1000 + UINT64_C(0x2000) * i, 0x1000, "/a", 1);
    for (uint32_t i = 0; i < forks; i++) {
        put_task(f, PERF_RECORD_FORK, 100 + i, 7, 100 + i, 7, 2);
        put_sample(f, 100 + i, 100 + i, 3, "s");
    }
    open_file(&o, f);
    while (snap_source_next(o.source, &o.event, &o.diag) == STATUS_OK) {
        told += o.event.type == SNAP_MAP;
        samples += o.event.type == SNAP_SAMPLE;
    }
    assert_int_equal(samples, forks);
    assert_in_range(told, 1000000, 1400000);
    assert_int_equal(o.source->note_count, 1);
    assert_non_null(strstr(o.source->notes[0].what, "mappings were not told"));
    close_source(&o);
}

TEST(perf_tasks_lists_of_maps_have_a_limit_together)
{
    struct perf_tasks tasks = {.module_count = 0};
    const struct perf_module module = {.path = (char[]){"/a"}};
    struct perf_map map = {.end_addr = 0x1000};

    assert_int_equal(perf_tasks_module(&tasks, &module, &map.module), STATUS_OK);
    for (uint32_t i = 0; i < PERF_MAPS_MAX; i++)
        assert_int_equal(perf_tasks_map(&tasks, 7, 7, &map), STATUS_OK);
    for (uint32_t i = 100; i < 200; i++) {
        assert_int_equal(perf_tasks_fork(&tasks, i, i, 7, 7, true), STATUS_OK);
        assert_int_equal(perf_tasks_map(&tasks, i, i, &map), STATUS_OK);
        assert_true(tasks.map_total <= PERF_MAPS_TOTAL_MAX);
    }
    assert_true(tasks.maps_forgotten >= UINT64_C(80) * PERF_MAPS_MAX);
    /* One child after the other: they hold little at a time, and are copied all the same. */
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(perf_tasks_fork(&tasks, 100, 100, 7, 7, true), STATUS_OK);
        assert_int_equal(perf_tasks_map(&tasks, 100, 100, &map), STATUS_OK);
    }
    assert_true(tasks.maps_copied <=
                PERF_MAPS_COPIED + PERF_MAPS_COPIED_EACH * (PERF_MAPS_MAX + UINT64_C(1100)));
    perf_tasks_deinit(&tasks);
}

TEST_OF(perf_process_whose_last_thread_is_another_ones_has_ended, perf_file, f, ARCH_X86_64)
{
    struct opened o;

    put_sample(f, 7, 9, 10, "s");
    put_comm(f, 8, 9, "again", 11, false);
    put_sample(f, 8, 9, 12, "s");
    open_file(&o, f);
    next_sample(&o);
    assert_int_equal(next(&o, SNAP_UNMAP)->range.pid, 7);
    assert_int_equal(next(&o, SNAP_PROCESS)->process.pid, 8);
    assert_int_equal(next_sample(&o)->pid, 8);
    expect_end(&o);
    close_source(&o);
}

TEST_OF(perf_ended_threads_are_told_of_in_time, perf_file, f, ARCH_X86_64)
{
    struct opened o;
    unsigned threads = 0, ends = 0, unmaps = 0;

    for (uint32_t i = 1; i <= 600; i++) {
        put_sample(f, i, i, 10 * i, "s");
        put_task(f, PERF_RECORD_EXIT, i, 1, i, 1, 10 * i + 1);
    }
    open_file(&o, f);
    while (snap_source_next(o.source, &o.event, &o.diag) == STATUS_OK) {
        threads += o.event.type == SNAP_THREAD;
        ends += o.event.type == SNAP_THREAD_END;
        unmaps += o.event.type == SNAP_UNMAP;
    }
    assert_int_equal(threads, 600);
    assert_true(ends >= 300);
    assert_int_equal(unmaps, ends);
    close_source(&o);
}

TEST_OF(perf_pipe_gives_the_same_samples, perf_file, f, ARCH_AARCH64)
{
    struct opened o;

    /* More than a chunk of the reader's. */
    for (uint64_t i = 1; i <= 1500; i++) {
        put_sample(f, 7, 7, i, "stack");
        if (i % 100 == 0)
            put_round(f);
    }
    open_pipe(&o, f);
    assert_ptr_equal(o.source->arch, arch_get(ARCH_AARCH64));
    for (uint64_t i = 1; i <= 1500; i++) {
        assert_int_equal(next_sample(&o)->time_ns, i);
        assert_memory_equal(o.event.sample.regions[0].bytes, "stack", 5);
    }
    expect_end(&o);
    close_source(&o);
}

/* Compresses what `f` has so far, as one stream in records of `part` bytes. */
static void compress_records(struct perf_file *f, size_t part, bool second_kind)
{
    struct bytes plain = f->records, packed = {.at = malloc(PERF_FILE_MAX)};
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    ZSTD_inBuffer in = {plain.at, plain.len, 0};
    ZSTD_outBuffer out = {packed.at, PERF_FILE_MAX, 0};

    assert_int_equal(ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_flush), 0);
    ZSTD_freeCCtx(zstd);
    f->records = (struct bytes){.at = malloc(PERF_FILE_MAX)};
    for (size_t pos = 0; pos < out.pos; pos += part) {
        size_t size = part < out.pos - pos ? part : out.pos - pos;

        begin_record(f, second_kind ? PERF_COMPRESSED2 : PERF_COMPRESSED, 0);
        if (second_kind)
            put_u64(&f->records, size);
        put(&f->records, packed.at + pos, size);
        while (second_kind && f->records.len % 8)
            put(&f->records, "", 1);
        end_record(f);
    }
    free(plain.at);
    free(packed.at);
}

static void expect_compressed(bool second_kind, bool from_pipe)
{
    struct perf_file f;
    struct opened o;

    perf_file_init(&f, ARCH_X86_64);
    for (uint64_t i = 1; i <= 2000; i++)
        put_sample(&f, 7, 7, i, i % 2 ? "odd" : "even");
    compress_records(&f, 333, second_kind);
    if (from_pipe)
        open_pipe(&o, &f);
    else
        open_file(&o, &f);
    for (uint64_t i = 1; i <= 2000; i++) {
        assert_int_equal(next_sample(&o)->time_ns, i);
        assert_memory_equal(o.event.sample.regions[0].bytes, i % 2 ? "odd" : "even", 3);
    }
    expect_end(&o);
    close_source(&o);
    perf_file_deinit(&f);
}

TEST(perf_compressed_records_are_one_stream)
{
    expect_compressed(false, false);
    expect_compressed(true, false);
    expect_compressed(false, true);
}

TEST_OF(perf_auxtrace_data_is_passed_over, perf_file, f, ARCH_X86_64)
{
    struct opened o;

    begin_record(f, PERF_AUXTRACE, 0);
    put_u64(&f->records, 24);
    for (int i = 0; i < 4; i++)
        put_u64(&f->records, 0);
    end_record(f);
    for (int i = 0; i < 3; i++)
        put_u64(&f->records, UINT64_MAX);
    begin_record(f, 200, 0); /* of a type to come */
    end_record(f);
    put_sample(f, 7, 7, 20, "after");
    open_file(&o, f);
    assert_memory_equal(next_sample(&o)->regions[0].bytes, "after", 5);
    close_source(&o);
}

TEST_OF(perf_samples_of_another_word_size_are_counted, perf_file, f, ARCH_X86_64)
{
    struct opened o;

    begin_sample(f, 7, 7, 20, PERF_RECORD_MISC_USER);
    put_chain(f, 0, NULL);
    put_regs(f, PERF_SAMPLE_REGS_ABI_32);
    put_stack(f, "compat", 6);
    end_record(f);
    put_sample(f, 8, 8, 30, "ours");
    open_file(&o, f);
    assert_int_equal(next_sample(&o)->tid, 8);
    expect_end(&o);
    assert_int_equal(o.source->note_count, 1);
    assert_non_null(strstr(o.source->notes[0].what, "1 samples of processes of another word size"));
    close_source(&o);
}

TEST_OF(perf_losses_are_told, perf_file, f, ARCH_X86_64)
{
    struct opened o;

    begin_record(f, PERF_RECORD_LOST, 0);
    put_u64(&f->records, 100);
    put_u64(&f->records, 33);
    end_timed(f, 7, 7, 10);
    put_sample(f, 7, 7, 20, "s");
    open_file(&o, f);
    assert_int_equal(next(&o, SNAP_LOSS)->loss.count, 33);
    next_sample(&o);
    expect_end(&o);
    assert_int_equal(o.source->note_count, 1);
    close_source(&o);
}

TEST(perf_other_byte_order_is_refused)
{
    struct bytes b = {(uint8_t[]){"2ELIFREP\0\0\0\0\0\0\0\x68"}, 16};
    struct opened o;

    assert_int_equal(try_open(&o, &b, false), STATUS_UNSUPPORTED);
    assert_non_null(strstr(o.diag.what, "byte order"));
    close(o.fd);
}

TEST_OF(perf_file_may_come_through_a_pipe, perf_file, f, ARCH_X86_64)
{
    struct bytes b;
    struct opened o;

    put_sample(f, 7, 7, 20, "piped");
    b = file_image(f);
    assert_int_equal(try_open(&o, &b, true), STATUS_OK);
    assert_memory_equal(next_sample(&o)->regions[0].bytes, "piped", 5);
    expect_end(&o);
    assert_false(o.source->cut_short);
    close_source(&o);
    free(b.at);
}

static struct capture gzipped(const struct bytes *b)
{
    struct capture file;
    struct gzip *gzip;

    assert_int_equal(gzip_create(capture_begin(&file), &gzip), STATUS_OK);
    assert_int_equal(gzip_write(gzip, b->at, b->len), STATUS_OK);
    assert_int_equal(gzip_end(gzip), STATUS_OK);
    gzip_destroy(gzip);
    capture_end(&file);
    return file;
}

/* As a file and as what perf writes to a pipe, each from a file and through a pipe. */
TEST_OF(perf_of_gzip_gives_the_same_samples, perf_file, f, ARCH_X86_64)
{
    put_sample(f, 7, 7, 20, "gzipped");
    for (int kind = 0; kind < 4; kind++) {
        struct bytes b = kind & 1 ? pipe_image(f) : file_image(f);
        struct capture file = gzipped(&b);
        struct bytes packed = {(uint8_t *)file.text, file.size};
        struct opened o;

        assert_int_equal(try_open(&o, &packed, kind & 2), STATUS_OK);
        assert_int_equal(o.source->kind, SOURCE_PERF);
        assert_memory_equal(next_sample(&o)->regions[0].bytes, "gzipped", 7);
        expect_end(&o);
        assert_false(o.source->cut_short);
        close_source(&o);
        free(b.at);
        free(file.text);
    }
}

TEST_OF(perf_of_damaged_gzip_says_so, perf_file, f, ARCH_X86_64)
{
    struct bytes b, packed;
    struct capture file;
    struct opened o;

    put_sample(f, 7, 7, 20, "gzipped");
    b = pipe_image(f);
    file = gzipped(&b);
    file.text[file.size - 6] ^= 1; /* of the checksum */
    packed = (struct bytes){(uint8_t *)file.text, file.size};
    assert_int_equal(try_open(&o, &packed, false), STATUS_OK);
    assert_memory_equal(next_sample(&o)->regions[0].bytes, "gzipped", 7);
    while (snap_source_next(o.source, &o.event, &o.diag) == STATUS_OK)
        continue;
    assert_non_null(strstr(o.diag.what, "compressed data is damaged"));
    close_source(&o);
    free(b.at);
    free(file.text);
}

/* Reads to the end; the samples before what is wrong are those of the whole file. */
static void read_cut(const struct bytes *whole, size_t size, unsigned samples, bool *complete)
{
    struct bytes b = {whole->at, size};
    struct opened o;
    unsigned count = 0;
    enum status status = try_open(&o, &b, false);

    if (status == STATUS_OK) {
        while ((status = snap_source_next(o.source, &o.event, &o.diag)) == STATUS_OK)
            count += o.event.type == SNAP_SAMPLE;
        assert_true(count <= samples);
        assert_int_equal(status, STATUS_END);
        *complete = !o.source->cut_short;
        snap_source_close(o.source);
    } else {
        assert_true(o.diag.what[0] != '\0');
        *complete = false;
    }
    close(o.fd);
}

TEST_OF(perf_file_cut_anywhere_ends_with_what_is_whole, perf_file, f, ARCH_X86_64)
{
    struct bytes b;
    bool complete;

    put_comm(f, 7, 7, "main", 10, true);
    put_mmap2(f, 7, 0x400000, 0x2000, "/bin/x", id, PROT_EXEC, 11);
    for (uint64_t i = 0; i < 3; i++)
        put_sample(f, 7, 7, 20 + i, "stack");
    b = file_image(f);
    for (size_t size = 0; size < b.len; size++) {
        size_t data_end =
            PERF_FILE_HEADER_SIZE + 8 + sizeof(struct perf_event_attr) + 16 + f->records.len;

        /* Shorter than that it is not known for a perf.data. */
        if (size < 16)
            continue;
        read_cut(&b, size, 3, &complete);
        assert_int_equal(complete, size >= data_end);
    }
    free(b.at);
}

TEST_OF(perf_file_that_shrinks_while_it_is_read_is_cut_short, perf_file, f, ARCH_X86_64)
{
    struct opened o;
    enum status status;
    uint64_t count = 0;

    for (uint64_t i = 1; i <= 1000; i++)
        put_sample(f, 7, 7, i, "stack");
    mapped_guard();
    open_file(&o, f);
    assert_int_equal(ftruncate(o.fd, (off_t)f->records.len / 4), 0);
    while ((status = snap_source_next(o.source, &o.event, &o.diag)) == STATUS_OK)
        count += o.event.type == SNAP_SAMPLE;
    assert_int_equal(status, STATUS_END);
    assert_in_range(count, 200, 250);
    assert_true(o.source->cut_short);
    close_source(&o);
}

TEST_OF(perf_damaged_record_ends_the_file_after_what_was_before, perf_file, f, ARCH_X86_64)
{
    struct opened o;

    put_sample(f, 7, 7, 20, "before");
    begin_record(f, PERF_RECORD_SAMPLE, 0); /* of no size */
    open_file(&o, f);
    assert_memory_equal(next_sample(&o)->regions[0].bytes, "before", 6);
    assert_int_equal(snap_source_next(o.source, &o.event, &o.diag), STATUS_BAD_DATA);
    assert_true(o.diag.has_off);
    assert_int_equal(snap_source_next(o.source, &o.event, &o.diag), STATUS_BAD_DATA);
    close_source(&o);
}
