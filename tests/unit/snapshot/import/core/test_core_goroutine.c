/* SPDX-License-Identifier: MIT */
/* Threads of Go programs in ELF cores: the goroutine, and stacks that share a segment. */
#include "core_fixture.h"

#include "unwind/row/memory.h"

#define PAGE    4096
#define PROGRAM UINT64_C(0x400000)
#define LIBRARY UINT64_C(0x500000)
/* A segment: the runtime's structures, the goroutine's stack, others, that of g0, others. */
#define HEAP     UINT64_C(0x700000)
#define HEAP_END UINT64_C(0x706000)
#define G        (HEAP + 0x100)
#define G0       (HEAP + 0x200)
#define M        (HEAP + 0x300)
#define SLOT     (HEAP + 0x600)
#define STACK_G  (HEAP + 1 * PAGE)
#define STACK_G0 (HEAP + 3 * PAGE)
#define LEFT_SP  (STACK_G + 0x800)
#define SP       (STACK_G0 + 0x800)

enum { WORD_LOW, WORD_END, WORD_GUARD, WORD_M = 6, WORD_SP, WORD_PC, WORD_SELF, WORD_LR = 12 };

struct go_core {
    struct core core;
    uint8_t heap[HEAP_END - HEAP];
    uint8_t program[PAGE];
};

static void put(struct go_core *go, uint64_t addr, unsigned index, uint64_t value)
{
    size_t size = go->core.arch->word_size;

    core_put(go->heap + (addr - HEAP) + index * size, value, size);
}

static void put_g(struct go_core *go, uint64_t g, uint64_t stack)
{
    put(go, g, WORD_LOW, stack);
    put(go, g, WORD_END, stack + PAGE);
    put(go, g, WORD_GUARD, stack + 928);
    put(go, g, WORD_M, M);
    put(go, g, WORD_SP, stack + 0x800);
    put(go, g, WORD_PC, PROGRAM + 0x1234);
    put(go, g, WORD_SELF, g);
    put(go, g, WORD_LR, PROGRAM + 0x1300);
}

/* The program's first page, with a build-id of Go's where it `is_go`. */
static void make_program(struct go_core *go, bool is_go)
{
    const struct core *core = &go->core;
    size_t head = core->arch->word_size == 8 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
    size_t entry = core->arch->word_size == 8 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    struct core_load code = {.off = PAGE, .filesz = PAGE, .memsz = PAGE, .flags = PF_R | PF_X};
    struct core_load note = {.off = 1024, .filesz = 20};
    struct core_load data = {
        .off = 2 * PAGE, .vaddr = 2 * PAGE, .filesz = PAGE, .memsz = PAGE, .flags = PF_R | PF_W};

    core_head(core, go->program, 3);
    core_phdr(core, go->program + head, PT_LOAD, &code);
    core_phdr(core, go->program + head + entry, PT_NOTE, &note);
    core_phdr(core, go->program + head + 2 * entry, PT_LOAD, &data);
    memcpy(go->program + 1024,
           is_go ? "\4\0\0\0\4\0\0\0\4\0\0\0Go\0\0abcd" : "\4\0\0\0\4\0\0\0\3\0\0\0GNU\0abcd", 20);
}

static void begin(struct go_core *go, enum arch_id arch, bool is_go)
{
    static const struct core_file_line files[] = {{PROGRAM, PROGRAM + PAGE, 0, "/bin/app"},
                                                  {PROGRAM + PAGE, PROGRAM + 2 * PAGE, 1,
                                                   "/bin/app"}};

    memset(go, 0, sizeof(*go));
    core_init(&go->core, arch);
    make_program(go, is_go);
    for (size_t i = 0; i < sizeof(go->heap); i++)
        go->heap[i] = (uint8_t)(i / 256 + 1);
    memset(go->heap, 0, PAGE);
    put_g(go, G, STACK_G);
    put_g(go, G0, STACK_G0);
    put(go, M, 0, G0);
    put(go, M, 24, G);
    put(go, SLOT, 0, G0);
    core_files(&go->core, files, 2);
}

static void end(struct go_core *go)
{
    core_load(&go->core, PROGRAM, PAGE, PF_R, go->program, PAGE);
    core_load(&go->core, HEAP, sizeof(go->heap), PF_R | PF_W, go->heap, sizeof(go->heap));
    for (uint64_t i = 1; i < 4; i++)
        core_load(&go->core, HEAP_END + i * PAGE, PAGE, PF_R | PF_W, go->heap, PAGE);
    core_end(&go->core);
}

/* A thread with this SP, and this in a word of pr_reg. */
static void add_thread(struct go_core *go, uint32_t tid, uint64_t sp, unsigned word, uint64_t value)
{
    static const size_t sp_word[] = {
        [ARCH_X86_64] = 19, [ARCH_I386] = 15, [ARCH_ARM] = 13, [ARCH_AARCH64] = 31};
    uint64_t words[34] = {0};

    words[word] = value;
    words[sp_word[go->core.arch->id]] = sp;
    core_thread(&go->core, tid, 0, words);
}

static const struct snap_sample *next_sample(struct snap_source *source)
{
    static struct snap_event event;
    struct diag diag;

    do
        assert_int_equal(snap_source_next(source, &event, &diag), STATUS_OK);
    while (event.type != SNAP_SAMPLE);
    return &event.sample;
}

/* All of the heap is there, byte by byte, in regions that are apart and sorted. */
static void expect_bytes(const struct go_core *go, const struct snap_sample *sample)
{
    struct memory memory = {.regions = sample->regions, .count = sample->region_count};

    assert_true(sample->region_count > SNAP_REGION_MAX);
    for (uint64_t addr = HEAP; addr < HEAP_END; addr++) {
        uint64_t value;

        assert_int_equal(memory_read(&memory, addr, 1, &value), STATUS_OK);
        assert_int_equal(value, go->heap[addr - HEAP]);
    }
    for (uint32_t i = 2; i < sample->region_count; i++)
        assert_true(sample->regions[i - 1].map_end_addr <= sample->regions[i].start_addr);
}

static void expect_left(const struct go_core *go, const struct snap_sample *sample)
{
    struct memory memory = {.regions = sample->regions, .count = sample->region_count};
    const struct snap_region *stack = memory_region(&memory, LEFT_SP);

    assert_int_equal(sample->goroutine.state, SNAP_GOROUTINE_LEFT);
    assert_int_equal(sample->goroutine.sp, LEFT_SP);
    assert_int_equal(sample->goroutine.pc, PROGRAM + 0x1234);
    assert_int_equal(sample->goroutine.lr, go->core.arch->lr == REG_NONE ? 0 : PROGRAM + 0x1300);
    assert_int_equal(stack->start_addr, STACK_G);
    assert_int_equal(stack->map_end_addr, STACK_G + PAGE);
    assert_int_equal(sample->regions[0].end_addr, STACK_G0 + PAGE);
    assert_int_equal(sample->regions[0].map_end_addr, STACK_G0 + PAGE);
    assert_int_equal(sample->stack_map_addr, 0);
    expect_bytes(go, sample);
}

static void expect_unknown(const struct go_core *go, const struct snap_sample *sample)
{
    assert_int_equal(sample->goroutine.state, SNAP_GOROUTINE_UNKNOWN);
    assert_int_equal(sample->regions[0].map_end_addr, HEAP_END);
    expect_bytes(go, sample);
}

static const uint8_t goroutine_word[] = {
    [ARCH_X86_64] = 1 /* r14 */, [ARCH_ARM] = 10, [ARCH_AARCH64] = 28};

TEST(core_goroutine_is_found_by_its_register)
{
    static const enum arch_id archs[] = {ARCH_X86_64, ARCH_ARM, ARCH_AARCH64};
    static struct go_core go;

    for (unsigned i = 0; i < 3; i++) {
        struct snap_source *source;

        begin(&go, archs[i], true);
        add_thread(&go, 7, SP, goroutine_word[archs[i]], G);
        end(&go);
        source = core_open(&go.core, go.core.size);
        expect_left(&go, next_sample(source));
        core_close(&go.core, source);
    }
}

/* Each thread's own: segments are cut for one, and whole again for the next. */
TEST(core_goroutine_of_one_thread_is_none_of_another_s)
{
    static struct go_core go;
    struct snap_source *source;

    begin(&go, ARCH_X86_64, true);
    for (uint32_t tid = 1; tid < 6; tid++)
        add_thread(&go, tid, SP, goroutine_word[ARCH_X86_64], tid % 2 ? G : 0);
    end(&go);
    source = core_open(&go.core, go.core.size);
    for (uint32_t tid = 1; tid < 6; tid++) {
        const struct snap_sample *sample = next_sample(source);

        assert_int_equal(sample->tid, tid);
        (tid % 2 ? expect_left : expect_unknown)(&go, sample);
    }
    core_close(&go.core, source);
}

TEST(core_goroutine_is_found_by_the_thread_pointer)
{
    static const uint32_t areas[3][4] = {{12, 0, 0, 0}, {13, SLOT + 4, 0, 0}, {14, HEAP, 0, 0}};
    static const uint64_t pointer = SLOT - 16;
    static struct go_core go;
    struct snap_source *source;

    begin(&go, ARCH_X86_64, true);
    add_thread(&go, 7, SP, 21, SLOT + 8); /* fs_base */
    end(&go);
    source = core_open(&go.core, go.core.size);
    expect_left(&go, next_sample(source));
    core_close(&go.core, source);

    begin(&go, ARCH_AARCH64, true);
    add_thread(&go, 6, SP, goroutine_word[ARCH_AARCH64], 0);
    add_thread(&go, 7, SP, goroutine_word[ARCH_AARCH64], 0);
    core_note(&go.core, "LINUX", 0x401, &pointer, sizeof(pointer));
    end(&go);
    source = core_open(&go.core, go.core.size);
    expect_unknown(&go, next_sample(source)); /* the note is the other one's */
    expect_left(&go, next_sample(source));
    core_close(&go.core, source);

    begin(&go, ARCH_I386, true);
    core_note(&go.core, "LINUX", 0x200, areas, sizeof(areas)); /* of no thread */
    add_thread(&go, 7, SP, 10, 13 << 3 | 3);                   /* gs */
    core_note(&go.core, "LINUX", 0x200, areas, sizeof(areas));
    add_thread(&go, 8, SP, 10, 11 << 3 | 3);
    core_note(&go.core, "LINUX", 0x200, areas, sizeof(areas) - 1);
    end(&go);
    source = core_open(&go.core, go.core.size);
    expect_left(&go, next_sample(source));
    expect_unknown(&go, next_sample(source));
    core_close(&go.core, source);
}

TEST(core_goroutine_is_looked_for_in_go_programs_only)
{
    static struct go_core go;
    struct snap_source *source;

    begin(&go, ARCH_X86_64, false);
    add_thread(&go, 7, SP, goroutine_word[ARCH_X86_64], G);
    end(&go);
    source = core_open(&go.core, go.core.size);
    expect_unknown(&go, next_sample(source));
    core_close(&go.core, source);
}

static void put_version(uint8_t *data, const char *version)
{
    memcpy(data + 32, "\xff Go buildinf:\x08\x02", 16);
    data[64] = (uint8_t)strlen(version);
    memcpy(data + 65, version, strlen(version));
}

/* Of a program of this version, which may have another Go file mapped, of that version. */
static uint64_t number_with(const char *version, const char *path, const char *library)
{
    const struct core_file_line files[] = {{PROGRAM, PROGRAM + PAGE, 0, "/bin/app"},
                                           {PROGRAM + 2 * PAGE, PROGRAM + 3 * PAGE, 2, "/bin/app"},
                                           {LIBRARY, LIBRARY + PAGE, 0, path}};
    static struct go_core go;
    static uint8_t data[2][PAGE];
    struct snap_source *source;
    uint64_t number;

    begin(&go, ARCH_X86_64, true);
    go.core.note_size = 0;
    core_files(&go.core, files, library ? 3 : 2);
    add_thread(&go, 7, SP, goroutine_word[ARCH_X86_64], G);
    core_put(go.heap + (G - HEAP) + 144, 2, 8); /* running */
    core_put(go.heap + (G - HEAP) + 152, 4711, 8);
    put_version(data[0], version);
    put_version(data[1], library ? library : "");
    core_load(&go.core, PROGRAM + 2 * PAGE, PAGE, PF_R | PF_W, data[0], PAGE);
    if (library) {
        core_load(&go.core, LIBRARY, PAGE, PF_R, go.program, PAGE);
        core_load(&go.core, LIBRARY + 2 * PAGE, PAGE, PF_R | PF_W, data[1], PAGE);
    }
    end(&go);
    source = core_open(&go.core, go.core.size);
    number = next_sample(source)->goroutine_id;
    core_close(&go.core, source);
    return number;
}

static uint64_t number_of(const char *version, const char *library)
{
    return number_with(version, "/lib/go.so", library);
}

/* To read it, say; there is nothing of Go's runtime then, or the same. */
TEST(core_goroutine_has_its_number_if_its_file_is_mapped_again)
{
    assert_int_equal(number_with("go1.22.5", "/bin/app", ""), 4711);
    assert_int_equal(number_with("", "/bin/app", "go1.22.5"), 4711);
    assert_int_equal(number_with("go1.22.5", "/bin/app", "go1.22.5"), 4711);
    assert_int_equal(number_with("go1.22.5", "/bin/app", "go1.23.5"), 0);
    assert_int_equal(number_with("", "/bin/app", ""), 0);
    assert_int_equal(number_with("go1.22.5", "/lib/go.so", ""), 0);
}

TEST(core_goroutine_has_its_number_where_one_version_is_known)
{
    assert_int_equal(number_of("go1.22.5", NULL), 4711);
    assert_int_equal(number_of("go1.25", NULL), 4711);
    assert_int_equal(number_of("go1.24.1", NULL), 0); /* it is elsewhere */
    assert_int_equal(number_of("go1.27.1", NULL), 0);
    assert_int_equal(number_of("go1.22.5", "go1.22.5"), 4711);
    assert_int_equal(number_of("go1.22.5", "go1.23.5"), 0);
    assert_int_equal(number_of("go1.22.5", "devel"), 0);
}

/* The bytes of its end are no more in the file. */
TEST(core_goroutine_s_stack_may_be_cut_off)
{
    static struct go_core go;

    begin(&go, ARCH_X86_64, true);
    add_thread(&go, 7, SP, goroutine_word[ARCH_X86_64], G);
    end(&go);
    for (uint64_t addr = HEAP; addr < HEAP_END; addr += 0x400) {
        struct snap_source *source =
            core_open(&go.core, (size_t)(go.core.loads[1].off + (addr - HEAP)));
        const struct snap_sample *sample = next_sample(source);

        assert_int_equal(sample->goroutine.state == SNAP_GOROUTINE_LEFT, addr >= HEAP + 0x480);
        for (uint32_t i = 0; i < sample->region_count; i++)
            assert_true(sample->regions[i].start_addr <= sample->regions[i].end_addr &&
                        (sample->regions[i].end_addr <= addr ||
                         sample->regions[i].start_addr == sample->regions[i].end_addr));
        core_close(&go.core, source);
    }
}

/* Its stack is said to be across segments, in another thread's, or all there is. */
TEST(core_goroutine_may_say_anything_of_its_stack)
{
    static const uint64_t bounds[][2] = {{HEAP, HEAP_END},     {1, UINT64_MAX - 8},
                                         {SP - 8, SP + 8},     {SP, SP + 8},
                                         {STACK_G0, STACK_G},  {HEAP + 1, HEAP_END + 2 * PAGE},
                                         {SP + 3, SP + 5},     {HEAP_END - 1, HEAP_END},
                                         {SP - PAGE, SP + 16}, {STACK_G0 + PAGE, HEAP_END}};
    static struct go_core go;

    for (size_t i = 0; i < 2 * sizeof(bounds) / sizeof(*bounds); i++) {
        uint64_t g = i % 2 ? G : G0;
        const struct snap_sample *sample;
        struct snap_source *source;

        begin(&go, ARCH_X86_64, true);
        put(&go, g, WORD_LOW, bounds[i / 2][0]);
        put(&go, g, WORD_END, bounds[i / 2][1]);
        put(&go, g, WORD_GUARD, UINT64_MAX - 1313);
        add_thread(&go, 7, SP, goroutine_word[ARCH_X86_64], G);
        end(&go);
        source = core_open(&go.core, go.core.size);
        sample = next_sample(source);
        assert_true(sample->regions[0].start_addr <= SP && SP < sample->regions[0].end_addr);
        expect_bytes(&go, sample);
        core_close(&go.core, source);
    }
}
