/* SPDX-License-Identifier: MIT */
#include "core_fixture.h"

#include <fcntl.h>
#include <stdio.h>

#include "unwind/row/memory.h"

#define STACK      UINT64_C(0x7ff000)
#define STACK_SIZE 0x2000
#define PAGE       4096

static uint8_t stack[STACK_SIZE];
static uint8_t page[PAGE];

/* Before any test. */
__attribute__((constructor)) static void fill_bytes(void)
{
    for (size_t i = 0; i < sizeof(stack); i++)
        stack[i] = (uint8_t)(i * 7 + i / 256);
    for (size_t i = 0; i < sizeof(page); i++)
        page[i] = (uint8_t)(i * 5 + 1);
}

static const struct snap_event *next_any(struct snap_source *source)
{
    static struct snap_event event;
    struct diag diag;

    assert_int_equal(snap_source_next(source, &event, &diag), STATUS_OK);
    return &event;
}

static const struct snap_event *next(struct snap_source *source, enum snap_type type)
{
    const struct snap_event *event = next_any(source);

    assert_int_equal(event->type, type);
    return event;
}

static void expect_end(struct snap_source *source)
{
    struct snap_event event;
    struct diag diag;

    assert_int_equal(snap_source_next(source, &event, &diag), STATUS_END);
    assert_int_equal(snap_source_next(source, &event, &diag), STATUS_END);
}

/* Of the threads, all of which come before. */
static const struct snap_sample *next_sample(struct snap_source *source)
{
    const struct snap_event *event;

    do
        event = next_any(source);
    while (event->type == SNAP_THREAD);
    assert_int_equal(event->type, SNAP_SAMPLE);
    return &event->sample;
}

/* ------------------------------------------------------------------ registers */

/* The kernel's order of pr_reg, by name; those that DWARF does not number have names of no use. */
static const char *const x86_64_words[] = {"r15", "r14", "r13", "r12", "rbp", "rbx", "r11",
                                           "r10", "r9",  "r8",  "rax", "rcx", "rdx", "rsi",
                                           "rdi", "-",   "rip", "-",   "-",   "rsp", "-",
                                           "-",   "-",   "-",   "-",   "-",   "-",   NULL};
static const char *const i386_words[] = {"ebx", "ecx", "edx", "esi", "edi", "ebp",
                                         "eax", "-",   "-",   "-",   "-",   "-",
                                         "eip", "-",   "-",   "esp", "-",   NULL};
static const char *const arm_words[] = {"r0", "r1", "r2",   "r3",  "r4",  "r5",  "r6",
                                        "r7", "r8", "r9",   "r10", "r11", "r12", "sp",
                                        "lr", "pc", "cpsr", "-",   NULL};
static const char *const aarch64_words[] = {"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",
                                            "x7",  "x8",  "x9",  "x10", "x11", "x12", "x13",
                                            "x14", "x15", "x16", "x17", "x18", "x19", "x20",
                                            "x21", "x22", "x23", "x24", "x25", "x26", "x27",
                                            "x28", "x29", "x30", "sp",  "pc",  "-",   NULL};
/* x0, "zero", is not in it. */
static const char *const riscv_words[] = {"pc",  "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0",
                                          "s1",  "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7",
                                          "s2",  "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10",
                                          "s11", "t3", "t4", "t5", "t6", NULL};

/* That a system was there, which cores of boards do not show. */
static const uint64_t linux_auxv[] = {AT_PAGESZ, 4096};

static void check_registers(enum arch_id id, const char *const *names)
{
    static struct core core;
    uint64_t words[34];
    const struct snap_sample *sample;
    struct snap_source *source;

    core_init(&core, id);
    assert_null(names[core_words(&core)]);
    for (size_t i = 0; i < core_words(&core); i++)
        words[i] = UINT64_C(0x8000000080000000) + 0x1111 * i;
    core_auxv(&core, linux_auxv, 1);
    core_thread(&core, 77, 11, words);
    source = core_end_open(&core);
    assert_ptr_equal(source->arch, core.arch);
    assert_int_equal(next(source, SNAP_PROCESS)->process.pid, 77);
    sample = next_sample(source);
    assert_int_equal(sample->tid, 77);
    assert_int_equal(sample->signal, 11);
    for (unsigned reg = 0; reg < core.arch->reg_count; reg++) {
        size_t i = 0;
        assert_true(regs_has(&sample->regs, reg));
        if (strcmp(arch_reg_names(core.arch)[reg], "zero") == 0) {
            assert_int_equal(sample->regs.value[reg], 0);
            continue;
        }
        while (strcmp(names[i], arch_reg_names(core.arch)[reg]) != 0)
            i++;
        assert_int_equal(sample->regs.value[reg],
                         core.arch->word_size == 8 ? words[i] : words[i] & UINT32_MAX);
    }
    expect_end(source);
    core_close(&core, source);
}

TEST(core_registers_of_each_architecture_land_in_their_dwarf_numbers)
{
    check_registers(ARCH_X86_64, x86_64_words);
    check_registers(ARCH_I386, i386_words);
    check_registers(ARCH_ARM, arm_words);
    check_registers(ARCH_AARCH64, aarch64_words);
    check_registers(ARCH_RISCV64, riscv_words);
    check_registers(ARCH_RISCV32, riscv_words);
}

/* ------------------------------------------------------------------ system calls */

#define NOWHERE UINT64_MAX

struct blocked {
    enum arch_id arch;
    uint64_t orig;           /* in orig_rax, orig_eax, orig_r0 */
    uint64_t result, number; /* in the registers of the result and, of arm's, of the number */
    uint64_t svc;            /* where the call's instruction is, from PC on; NOWHERE: nowhere */
    bool is_blocked;
    uint64_t first; /* argument; the others are 0xa1, 0xa2 … */
};

/* By number of arch/arch.h. */
static const uint8_t argument_regs[ARCH_COUNT][6] = {
    [ARCH_X86_64] = {5, 4, 1, 10, 8, 9},       [ARCH_I386] = {3, 1, 2, 6, 7, 5},
    [ARCH_ARM] = {0, 1, 2, 3, 4, 5},           [ARCH_AARCH64] = {0, 1, 2, 3, 4, 5},
    [ARCH_RISCV64] = {10, 11, 12, 13, 14, 15},
};

static void set_word(uint64_t *words, const char *const *names, const char *name, uint64_t value)
{
    for (size_t i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            words[i] = value;
}

static void check_blocked(const struct blocked *want)
{
    static const char *const *const names[] = {[ARCH_X86_64] = x86_64_words,
                                               [ARCH_I386] = i386_words,
                                               [ARCH_ARM] = arm_words,
                                               [ARCH_AARCH64] = aarch64_words,
                                               [ARCH_RISCV64] = riscv_words};
    static const char *const results[] = {"rax", "eax", "r0", "x0", "a0"};
    static const unsigned orig_words[] = {15, 11, 17, 33, 33};
    static struct core core;
    uint8_t code[PAGE] = {0};
    uint64_t words[34] = {0};
    const struct snap_sample *sample;
    struct snap_source *source;

    core_init(&core, want->arch);
    for (unsigned i = 0; i < 6; i++)
        set_word(words, names[want->arch], arch_reg_names(core.arch)[argument_regs[want->arch][i]],
                 i ? 0xa0 + i : want->first);
    set_word(words, names[want->arch], results[want->arch], want->result);
    words[orig_words[want->arch]] = want->orig;
    set_word(words, names[want->arch], "r7", want->number);
    if (want->arch == ARCH_AARCH64)
        set_word(words, names[want->arch], "x8", want->number);
    set_word(words, names[want->arch], "a7", want->number);
    set_word(words, names[want->arch], arch_reg_names(core.arch)[core.arch->pc], 0x401010);
    if (want->svc != NOWHERE)
        core_put(code + 0x10 + want->svc, want->arch == ARCH_RISCV64 ? 0x73 : 0xd4000001, 4);
    core_auxv(&core, linux_auxv, 1);
    core_thread(&core, 5, 0, words);
    core_load(&core, 0x401000, 0x402000, PF_R | PF_X, code, PAGE);
    source = core_end_open(&core);
    next(source, SNAP_PROCESS);
    while (next_any(source)->type != SNAP_THREAD)
        ;
    sample = &next(source, SNAP_SAMPLE)->sample;
    assert_int_equal(sample->has_syscall, want->is_blocked);
    for (unsigned i = 0; want->is_blocked && i < 6; i++)
        assert_int_equal(sample->syscall_args[i], i ? 0xa0 + i : want->first);
    if (want->is_blocked)
        assert_int_equal(sample->syscall, 0x61);
    core_close(&core, source);
}

TEST(core_tells_in_which_system_call_a_thread_was_blocked)
{
    static const struct blocked cases[] = {
        {ARCH_X86_64, 0x61, (uint64_t)-512, 0, NOWHERE, true, 0xa0},
        {ARCH_X86_64, 0x61, (uint64_t)-516, 0, NOWHERE, true, 0xa0},
        {ARCH_X86_64, 0x61, (uint64_t)-4, 0, NOWHERE, true, 0xa0},
        {ARCH_X86_64, 0x61, 0, 0, NOWHERE, false, 0xa0},
        {ARCH_X86_64, (uint64_t)-1, (uint64_t)-512, 0, NOWHERE, false, 0xa0},
        {ARCH_I386, 0x61, (uint32_t)-514, 0, NOWHERE, true, 0xa0},
        {ARCH_I386, (uint32_t)-1, (uint32_t)-514, 0, NOWHERE, false, 0xa0},
        {ARCH_ARM, 0xa0, 0xa0, 0x61, NOWHERE, true, 0xa0},
        {ARCH_ARM, 0xa0, (uint32_t)-4, 0x61, NOWHERE, true, 0xa0},
        {ARCH_ARM, (uint32_t)-1, (uint32_t)-1, 0x61, NOWHERE, false, 0xa0},
        {ARCH_ARM, 0xa0, 3, 0x61, NOWHERE, false, 0xa0},
        {ARCH_AARCH64, 0, 0xa0, 0x61, 0, true, 0xa0},
        {ARCH_AARCH64, 0, (uint64_t)-4, 0x61, (uint64_t)-4, true, UINT64_MAX},
        {ARCH_AARCH64, 0, 0xa0, 0x61, (uint64_t)-4, false, 0xa0},
        {ARCH_AARCH64, 0, 0xa0, 0x61, NOWHERE, false, 0xa0},
        {ARCH_RISCV64, 0, 0xa0, 0x61, 0, true, 0xa0},
        {ARCH_RISCV64, 0, (uint64_t)-4, 0x61, (uint64_t)-4, true, UINT64_MAX},
        {ARCH_RISCV64, 0, (uint64_t)-512, 0x61, (uint64_t)-4, true, UINT64_MAX}, /* before 6.6 */
        {ARCH_RISCV64, 0, 0xa0, 0x61, (uint64_t)-4, false, 0xa0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        check_blocked(&cases[i]);
}

/* ------------------------------------------------------------------ a whole core */

/* The first page of an ELF file of the core's class: one executable PT_LOAD, a build-id. */
static void make_module(const struct core *core, uint8_t *bytes, uint64_t code_off)
{
    size_t head = core->arch->word_size == 8 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
    size_t entry = core->arch->word_size == 8 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    struct core_load code = {.off = code_off, .filesz = PAGE, .memsz = PAGE, .flags = PF_R | PF_X};
    struct core_load note = {.off = 1024, .filesz = 20};

    memset(bytes, 0, PAGE);
    core_head(core, bytes, 2);
    core_phdr(core, bytes + head, PT_LOAD, &code);
    core_phdr(core, bytes + head + entry, PT_NOTE, &note);
    memcpy(bytes + 1024, "\4\0\0\0\4\0\0\0\3\0\0\0GNU\0\xaa\xbb\xcc\xdd", 20);
}

#define VDSO UINT64_C(0x780000)

/*
 * Two threads of a program with two modules: of the first the kernel has left out the code, of the
 * second gdb the segment.
 */
static void make_core(struct core *core, enum arch_id arch)
{
    static const struct core_file_line files[] = {{0x400000, 0x401000, 0, "/bin/app"},
                                                  {0x401000, 0x402000, 1, "/bin/app"},
                                                  {0x700000, 0x701000, 0, "/lib/old.so (deleted)"},
                                                  {0x701000, 0x702000, 1, "/lib/old.so (deleted)"},
                                                  {0x702000, 0x703000, 2, "/lib/old.so (deleted)"}};
    static const uint64_t auxv[] = {AT_PAGESZ, 4096, AT_PHDR, 0x400040, AT_SYSINFO_EHDR, VDSO};
    static uint8_t head[PAGE];

    core_init(core, arch);
    make_module(core, head, PAGE);
    core_thread_at(core, 40, 6, STACK + 0x1800);
    core_info(core, 40, "app", "app --fast ");
    core_auxv(core, auxv, 3);
    core_files(core, files, 5);
    core_thread_at(core, 41, 6, STACK + 0x1a00);
    core_load(core, 0x400000, PAGE, PF_R, head, PAGE);
    core_load(core, 0x401000, PAGE, PF_R | PF_X, NULL, 0);
    core_load(core, 0x600000, PAGE, PF_R | PF_W | PF_X, page, PAGE);
    core_load(core, 0x700000, PAGE, PF_R, head, PAGE);
    core_load(core, VDSO, PAGE, PF_R | PF_X, head, PAGE);
    core_load(core, STACK, STACK_SIZE, PF_R | PF_W, stack, STACK_SIZE);
    core_end(core);
}

static void expect_map(struct snap_source *source, enum snap_map_kind kind, uint64_t start,
                       uint64_t file_off, const char *path, bool deleted)
{
    const struct snap_map *map = &next(source, SNAP_MAP)->map;

    assert_int_equal(map->kind, kind);
    assert_int_equal(map->start_addr, start);
    assert_int_equal(map->end_addr, start + PAGE);
    assert_int_equal(map->file_off, file_off);
    assert_string_equal(map->path, path);
    assert_int_equal(map->flags, deleted ? SNAP_MAP_DELETED : 0);
    assert_true(map->prot & 4);
    if (kind == SNAP_MAP_ANON)
        return;
    assert_int_equal(map->build_id_size, 4);
    assert_memory_equal(map->build_id, "\xaa\xbb\xcc\xdd", 4);
}

static void expect_code(struct snap_source *source, uint64_t start, const uint8_t *bytes)
{
    const struct snap_range *range = &next(source, SNAP_CODE)->range;

    assert_int_equal(range->start_addr, start);
    assert_int_equal(range->end_addr, start + PAGE);
    assert_memory_equal(range->bytes, bytes, PAGE);
}

static void expect_stack(const struct snap_sample *sample, uint64_t sp, uint64_t end)
{
    const struct snap_region *region = &sample->regions[0];

    assert_true(region->start_addr <= sp && region->start_addr > sp - 2 * PAGE);
    assert_int_equal(region->end_addr, end);
    assert_int_equal(region->map_end_addr, STACK + STACK_SIZE);
    assert_int_equal(sample->stack_map_addr, STACK);
    assert_memory_equal(region->bytes, stack + (region->start_addr - STACK),
                        (size_t)(end - region->start_addr));
}

static void check_whole(enum arch_id arch)
{
    static struct core core;
    const struct snap_process *process;
    const struct snap_sample *sample;
    struct snap_source *source;
    uint8_t vdso[PAGE];

    make_core(&core, arch);
    make_module(&core, vdso, PAGE);
    source = core_open(&core, core.size);
    process = &next(source, SNAP_PROCESS)->process;
    assert_int_equal(process->pid, 40);
    assert_int_equal(process->parent_pid, 1);
    assert_int_equal(process->page_size, 4096);
    assert_int_equal(process->word_size, core.arch->word_size);
    assert_string_equal(process->exe, "/bin/app");
    assert_int_equal(process->command_line_size, strlen("app --fast"));
    expect_map(source, SNAP_MAP_FILE, 0x401000, 0x1000, "/bin/app", false);
    expect_map(source, SNAP_MAP_ANON, 0x600000, 0, "", false);
    expect_code(source, 0x600000, page);
    expect_map(source, SNAP_MAP_FILE, 0x701000, 0x1000, "/lib/old.so", true);
    expect_map(source, SNAP_MAP_VDSO, VDSO, 0, "[vdso]", false);
    expect_code(source, VDSO, vdso);
    assert_string_equal(next(source, SNAP_THREAD)->thread.name, "app");
    assert_int_equal(next(source, SNAP_THREAD)->thread.tid, 41);
    sample = &next(source, SNAP_SAMPLE)->sample;
    assert_int_equal(sample->tid, 40);
    assert_int_equal(sample->signal, 6);
    assert_int_equal(sample->state, 'R');
    expect_stack(sample, STACK + 0x1800, STACK + STACK_SIZE);
    sample = next_sample(source);
    assert_int_equal(sample->tid, 41);
    assert_int_equal(sample->signal, 0);
    assert_int_equal(sample->state, 0);
    expect_stack(sample, STACK + 0x1a00, STACK + STACK_SIZE);
    expect_end(source);
    assert_false(source->cut_short);
    assert_int_equal(source->note_count, 0);
    core_close(&core, source);
}

TEST(core_whole_gives_process_maps_code_and_threads)
{
    check_whole(ARCH_X86_64);
    check_whole(ARCH_I386);
    check_whole(ARCH_ARM);
    check_whole(ARCH_AARCH64);
}

TEST_OF(core_pointer_authentication_mask_is_that_of_instructions, core, core, ARCH_AARCH64)
{
    static const uint64_t masks[] = {0x7f000000000000, 0x7e000000000000};
    struct snap_source *source;

    core_thread_at(core, 1, 0, 0);
    core_note(core, "LINUX", NT_ARM_PAC_MASK, masks, sizeof(masks));
    source = core_end_open(core);
    assert_int_equal(next(source, SNAP_PROCESS)->process.pac_mask, masks[1]);
}

/* As qemu-user writes them: no note tells the mask. */
TEST_OF(core_without_pointer_authentication_mask_has_that_of_most_kernels, core, core, ARCH_AARCH64)
{
    struct snap_source *source;

    core_thread_at(core, 1, 0, 0);
    source = core_end_open(core);
    assert_int_equal(next(source, SNAP_PROCESS)->process.pac_mask, 0x7f000000000000);
}

TEST_OF(core_of_x86_has_no_pointer_authentication, core, core, ARCH_X86_64)
{
    struct snap_source *source;

    core_thread_at(core, 1, 0, 0);
    source = core_end_open(core);
    assert_int_equal(next(source, SNAP_PROCESS)->process.pac_mask, 0);
}

/* ------------------------------------------------------------------ memory */

TEST_OF(core_of_many_segments_gives_memory_that_is_found_everywhere, core, core, ARCH_X86_64)
{
    const struct snap_sample *sample;
    struct snap_source *source;
    struct memory memory;

    core_thread_at(core, 1, 0, 0x705400);
    for (uint64_t i = 0; i < 10; i++)
        core_load(core, 0x700000 + i * 2 * PAGE, PAGE + PAGE / 2, PF_R | PF_W, stack + i * 8,
                  PAGE + PAGE / 2);
    source = core_end_open(core);
    next(source, SNAP_PROCESS);
    sample = next_sample(source);
    memory = (struct memory){.regions = sample->regions, .count = sample->region_count};
    assert_true(sample->regions[0].start_addr <= 0x705400 &&
                0x705400 < sample->regions[0].end_addr);
    for (uint64_t i = 0; i < 10; i++) {
        uint64_t start = 0x700000 + i * 2 * PAGE, value, expected;

        for (uint64_t off = 0; off < PAGE + PAGE / 2; off += 8) {
            memcpy(&expected, stack + i * 8 + off, 8);
            /* what is below the red zone's page is another region, which no read crosses into */
            assert_int_equal(memory_read(&memory, start + off, 8, &value), STATUS_OK);
            assert_int_equal(value, expected);
        }
        assert_int_equal(memory_read(&memory, start + PAGE + PAGE / 2, 8, &value), STATUS_FAULT);
        assert_int_equal(memory_read(&memory, start + PAGE + PAGE / 2 - 4, 8, &value),
                         STATUS_FAULT);
        assert_int_equal(memory_read(&memory, start - 1, 1, &value), STATUS_FAULT);
    }
}

TEST_OF(core_segment_of_fewer_bytes_than_memory_ends_with_its_bytes, core, core, ARCH_AARCH64)
{
    const struct snap_sample *sample;
    struct snap_source *source;

    core_thread_at(core, 1, 0, STACK + 0x100);
    core_load(core, STACK, STACK_SIZE, PF_R | PF_W, stack, 0x1000);
    source = core_end_open(core);
    next(source, SNAP_PROCESS);
    sample = next_sample(source);
    assert_int_equal(sample->region_count, 2); /* below SP there is nothing */
    expect_stack(sample, STACK + 0x100, STACK + 0x1000);
    expect_end(source);
    assert_false(source->cut_short);
}

TEST_OF(core_that_shrinks_meanwhile_gives_no_more_than_is_left, core, core, ARCH_X86_64)
{
    const struct snap_sample *sample;
    struct snap_source *source;

    make_core(core, ARCH_X86_64);
    source = core_open(core, core->size);
    next(source, SNAP_PROCESS);
    for (int i = 0; i < 4; i++) {
        next(source, SNAP_MAP);
        if (i == 1 || i == 3)
            next(source, SNAP_CODE);
    }
    expect_stack(next_sample(source), STACK + 0x1800, STACK + STACK_SIZE);
    assert_int_equal(ftruncate(core->fd, (off_t)core->size - 0x400), 0);
    sample = next_sample(source);
    expect_stack(sample, STACK + 0x1a00, STACK + STACK_SIZE - 0x400);
    expect_end(source);
    assert_true(source->cut_short);
}

TEST_OF(core_too_large_to_be_mapped_has_its_memory_read, core, core, ARCH_X86_64)
{
    const struct snap_sample *sample;
    struct snap_source *source;
    struct memory memory;
    struct diag diag;
    uint64_t word;

    core_thread_at(core, 1, 0, STACK + 0x1800);
    core_load(core, 0x600000, PAGE, PF_R | PF_W, page, PAGE);
    core_load(core, STACK, STACK_SIZE, PF_R | PF_W, stack, STACK_SIZE);
    core_end(core);
    core->fd = memfd_create("core", 0);
    assert_int_equal(write(core->fd, core->bytes, core->size), (ssize_t)core->size);
    assert_int_equal(ftruncate(core->fd, (off_t)1 << 56), 0);
    assert_int_equal(snap_source_open(core->fd, "core", &source, &diag), STATUS_OK);
    next(source, SNAP_PROCESS);
    sample = next_sample(source);
    expect_stack(sample, STACK + 0x1800, STACK + STACK_SIZE);
    assert_null(sample->regions[1].bytes);
    memory = memory_of(sample);
    assert_int_equal(memory_read(&memory, 0x600010, 8, &word), STATUS_OK);
    assert_memory_equal(&word, page + 0x10, 8);
    assert_int_equal(memory_read(&memory, STACK + 0x100, 8, &word), STATUS_OK);
    assert_memory_equal(&word, stack + 0x100, 8);
    assert_int_equal(memory_read(&memory, 0x600000 + PAGE - 4, 8, &word), STATUS_FAULT);
    expect_end(source);
    assert_int_equal(source->note_count, 0);
    core_close(core, source);
}

/* ------------------------------------------------------------------ what is cut, or from a pipe */

/* Reads all events; each byte of each region and piece of code must be the whole core's. */
static unsigned read_cut(struct snap_source *source)
{
    struct snap_event event;
    struct diag diag;
    unsigned samples = 0;
    enum status status;

    while ((status = snap_source_next(source, &event, &diag)) == STATUS_OK) {
        if (event.type != SNAP_SAMPLE)
            continue;
        samples++;
        for (uint32_t i = 0; i < event.sample.region_count; i++) {
            const struct snap_region *region = &event.sample.regions[i];
            const uint8_t *bytes = region->start_addr >= STACK
                                       ? stack + (region->start_addr - STACK)
                                       : page + (region->start_addr - 0x600000);
            assert_memory_equal(region->bytes, bytes,
                                (size_t)(region->end_addr - region->start_addr));
        }
    }
    assert_int_equal(status, STATUS_END);
    return samples;
}

TEST_OF(core_cut_anywhere_gives_what_is_there, core, core, ARCH_X86_64)
{
    unsigned most = 0, opened = 0;

    make_core(core, ARCH_X86_64);
    for (size_t size = 0; size <= core->size;
         size += size < core->notes_off + core->note_size ? 1 : 97) {
        struct snap_source *source;
        struct diag diag = {0};
        unsigned samples;

        if (core_try(core, size, &source, &diag) != STATUS_OK) {
            assert_int_equal(opened, 0);
            assert_true(diag.what[0]);
            close(core->fd);
            continue;
        }
        opened++;
        samples = read_cut(source);
        assert_true(samples >= most && samples <= 2);
        most = samples;
        assert_int_equal(source->cut_short, size < core->size);
        if (source->cut_short)
            assert_int_equal(source->cut_off, size);
        core_close(core, source);
    }
    assert_int_equal(most, 2);
}

TEST_OF(core_from_a_pipe_is_read_like_a_file, core, core, ARCH_ARM)
{
    struct snap_source *source;
    struct diag diag;
    int ends[2];

    make_core(core, ARCH_ARM);
    assert_int_equal(pipe(ends), 0);
    assert_true(fcntl(ends[1], F_SETPIPE_SZ, sizeof(core->bytes)) >= (int)core->size);
    assert_int_equal(write(ends[1], core->bytes, core->size), (ssize_t)core->size);
    close(ends[1]);
    assert_int_equal(snap_source_open(ends[0], "pipe", &source, &diag), STATUS_OK);
    assert_int_equal(read_cut(source), 2);
    assert_false(source->cut_short);
    snap_source_close(source);
    close(ends[0]);
}

/* ------------------------------------------------------------------ refused, or damaged */

static void expect_refusal(struct core *core, const char *what)
{
    struct snap_source *source;
    struct diag diag;

    assert_int_not_equal(core_try(core, core->size, &source, &diag), STATUS_OK);
    assert_non_null(strstr(diag.what, what));
    close(core->fd);
}

TEST_OF(core_that_is_none_is_refused_with_a_reason, core, core, ARCH_X86_64)
{
    make_core(core, ARCH_X86_64);
    core->bytes[16] = ET_DYN;
    expect_refusal(core, "is a program or library, not a core");
    core->bytes[16] = ET_REL;
    expect_refusal(core, "not a core");
    core->bytes[16] = ET_CORE;
    core->bytes[18] = EM_PPC64;
    expect_refusal(core, "machine 21");
    core->bytes[18] = EM_ARM; /* of 64 bits */
    expect_refusal(core, "64-bit core of ELF machine 40");
    core->bytes[18] = EM_X86_64;
    core->bytes[EI_DATA] = ELFDATA2MSB;
    expect_refusal(core, "big-endian");
    core->bytes[EI_DATA] = 9;
    expect_refusal(core, "damaged");
}

TEST_OF(core_without_threads_is_refused, core, core, ARCH_I386)
{
    core_info(core, 1, "x", "x");
    core_load(core, STACK, STACK_SIZE, PF_R | PF_W, stack, STACK_SIZE);
    core_end(core);
    expect_refusal(core, "no thread's registers");
}

/* Of the first program header behind the notes'. */
static Elf64_Phdr *load_header(struct core *core, size_t index)
{
    return (Elf64_Phdr *)(core->bytes + sizeof(Elf64_Ehdr)) + 1 + index;
}

TEST_OF(core_segment_that_cannot_be_is_left_out, core, core, ARCH_X86_64)
{
    struct snap_source *source;

    make_core(core, ARCH_X86_64);
    load_header(core, 2)->p_offset = UINT64_MAX - 5;
    load_header(core, 3)->p_memsz = UINT64_MAX;
    source = core_open(core, core->size);
    assert_int_equal(read_cut(source), 2);
    assert_int_equal(source->note_count, 1);
}

TEST_OF(core_segments_that_overlap_are_cut, core, core, ARCH_X86_64)
{
    struct snap_source *source;
    const struct snap_sample *sample;

    core_thread_at(core, 1, 0, STACK + 0x1800);
    core_load(core, STACK + 0x1000, 0x1000, PF_R | PF_W, stack + 0x1000, 0x1000);
    core_load(core, STACK, 0x1800, PF_R | PF_W, stack, 0x1800);
    core_load(core, STACK + 0x400, 0x200, PF_R | PF_W, stack, 0x200);
    source = core_end_open(core);
    assert_int_equal(source->note_count, 1);
    next(source, SNAP_PROCESS);
    sample = next_sample(source);
    assert_int_equal(sample->region_count, 3); /* one is empty */
    assert_int_equal(sample->regions[0].start_addr, STACK + 0x1800);
    assert_memory_equal(sample->regions[0].bytes, stack + 0x1800, 0x800);
}

TEST_OF(core_segments_of_the_same_bytes_give_no_more_code_than_the_file_has, core, core,
        ARCH_X86_64)
{
    struct snap_source *source;
    struct snap_event event;
    struct diag diag = {0};
    uint64_t given = 0;

    core_thread_at(core, 1, 0, 0);
    for (uint64_t i = 0; i < 10; i++)
        core_load(core, 0x700000 + 0x10000 * i, STACK_SIZE, PF_R | PF_X, stack, i ? 8 : STACK_SIZE);
    core_end(core);
    for (size_t i = 1; i < 10; i++) {
        load_header(core, i)->p_offset = load_header(core, 0)->p_offset;
        load_header(core, i)->p_filesz = STACK_SIZE;
    }
    source = core_open(core, core->size);
    while (snap_source_next(source, &event, &diag) == STATUS_OK)
        if (event.type == SNAP_CODE)
            given += event.range.end_addr - event.range.start_addr;
    assert_int_equal(given, core->size);
    assert_int_equal(source->note_count, 1);
}

TEST_OF(core_note_that_lies_about_its_size_ends_the_notes, core, core, ARCH_X86_64)
{
    struct snap_source *source;
    size_t second;

    core_thread_at(core, 1, 0, 0);
    second = core->note_size;
    core_thread_at(core, 2, 0, 0);
    core_put(core->notes + second + 4, UINT32_MAX, 4);
    source = core_end_open(core);
    assert_int_equal(source->note_count, 1);
    assert_int_equal(source->notes[0].off, core->notes_off + second);
    assert_int_equal(read_cut(source), 1);
}

TEST_OF(core_short_status_note_loses_its_thread_only, core, core, ARCH_I386)
{
    struct snap_source *source;

    core_note(core, "CORE", NT_PRSTATUS, "abc", 3);
    core_thread_at(core, 2, 0, 0);
    source = core_end_open(core);
    assert_int_equal(source->note_count, 1);
    assert_int_equal(read_cut(source), 1);
}

TEST(core_list_of_files_that_lies_gives_what_it_has)
{
    static const uint64_t counts[] = {UINT64_MAX, UINT64_MAX / 24, 1000, 2};
    static const struct core_file_line files[] = {{0x400000, 0x401000, 0, "/bin/app"}};

    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        static struct core core;
        struct snap_source *source;
        uint8_t *desc;

        core_init(&core, ARCH_X86_64);
        core_files(&core, files, 1);
        desc = core.notes + 20;
        core_put(desc, counts[i], 8);
        core_thread_at(&core, 2, 0, 0);
        source = core_end_open(&core);
        assert_int_equal(source->note_count, 1);
        assert_int_equal(read_cut(source), 1);
        core_close(&core, source);
    }
}

TEST_OF(core_file_name_without_end_is_not_used, core, core, ARCH_X86_64)
{
    static const struct core_file_line files[] = {{0x400000, 0x401000, 0, "/a/b/c"},
                                                  {0x402000, 0x403000, 0, "/bin/appx"}};
    struct snap_source *source;

    core_files(core, files, 2);
    core_put(core->notes + 4, 16 + 48 + 16, 4); /* as if it ended with the second's last x */
    core->note_size = 20 + 16 + 48 + 16;
    core_thread_at(core, 2, 0, 0);
    source = core_end_open(core);
    assert_int_equal(source->note_count, 1);
    next(source, SNAP_PROCESS);
    assert_string_equal(next(source, SNAP_MAP)->map.path, "/a/b/c");
    next_sample(source);
    expect_end(source);
}

/* PN_XNUM: the number is in section header 0; where that is cut off, by where the notes begin. */
TEST_OF(core_of_many_headers_has_their_number_elsewhere, core, core, ARCH_X86_64)
{
    struct snap_source *source;
    Elf64_Ehdr *head = (Elf64_Ehdr *)core->bytes;
    Elf64_Shdr section = {0};

    make_core(core, ARCH_X86_64);
    section.sh_info = head->e_phnum;
    head->e_phnum = PN_XNUM;
    head->e_shoff = core->size;
    memcpy(core->bytes + core->size, &section, sizeof(section));
    source = core_open(core, core->size + sizeof(section));
    assert_int_equal(read_cut(source), 2);
    assert_false(source->cut_short);
    core_close(core, source);
    source = core_open(core, core->size - 1);
    assert_int_equal(read_cut(source), 2);
    assert_true(source->cut_short);
}
