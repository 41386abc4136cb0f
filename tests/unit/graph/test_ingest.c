/* SPDX-License-Identifier: MIT */
/* A snapshot whose only file is not there: its chain comes from the code that it brings. */
#include "snapshot_fixture.h"

#include "graph/ingest.h"
#include "graph/quality.h"
#include "symbol/module_set.h"

#define CODE_START UINT64_C(0x7f0000000000)
#define RSP        7
#define RIP        16

/*
 * 00  endbr64
 * 04  call 0x10
 * 09  ret
 * 0a  nopw 0(%rax,%rax,1)
 * 10  sub $0x18,%rsp
 * 14  mov %rdi,%rax
 * 17  add $0x18,%rsp
 * 1b  ret
 */
static const uint8_t code[] = {0xf3, 0x0f, 0x1e, 0xfa, 0xe8, 0x07, 0x00, 0x00, 0x00, 0xc3,
                               0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00, 0x48, 0x83, 0xec, 0x18,
                               0x48, 0x89, 0xf8, 0x48, 0x83, 0xc4, 0x18, 0xc3};

static void put_map(struct snap_writer *w, uint8_t kind, const char *path)
{
    snap_writer_begin(w, SNAP_MAP, true);
    snap_writer_u32(w, PID);
    snap_writer_u8(w, kind);
    snap_writer_u8(w, 5);
    snap_writer_u8(w, 0);
    snap_writer_u8(w, 0);
    snap_writer_u64(w, CODE_START);
    snap_writer_u64(w, CODE_START + 0x10000);
    snap_writer_u64(w, 0x1000);
    snap_writer_u64(w, 0);
    snap_writer_u64(w, 0);
    snap_writer_str(w, path);
    put_end(w);
}

static void put_code(struct snap_writer *w, uint64_t addr, const uint8_t *bytes, uint32_t size)
{
    snap_writer_begin(w, SNAP_CODE, false);
    snap_writer_u32(w, PID);
    snap_writer_u64(w, addr);
    snap_writer_bytes(w, bytes, size);
    put_end(w);
}

/* In the second function, called by the first: 24 bytes of its own, and then the return address. */
static void put_moment(struct snap_writer *w, uint64_t time_ns)
{
    const uint64_t stack[] = {0, 0, 0, CODE_START + 9, 0, 0};

    snap_writer_begin(w, SNAP_SAMPLE, true);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, PID);
    snap_writer_u64(w, time_ns);
    snap_writer_u8(w, 'R');
    snap_writer_u8(w, 0);
    snap_writer_u16(w, 17);
    snap_writer_u64(w, 0);
    for (unsigned i = 0; i < 17; i++)
        snap_writer_u64(w, i == RSP ? STACK : i == RIP ? CODE_START + 0x14 : 0);
    snap_writer_u8(w, 1);
    put_region(w, STACK, STACK + sizeof(stack), STACK + sizeof(stack), 1);
    put_run(w, 0, stack, sizeof(stack));
    put_end(w);
}

struct seen {
    size_t counts[4]; /* frames of each sample */
    enum trust trust; /* of the last sample's second frame */
    unsigned samples;
    bool missing; /* the module is reported as not found */
};

static enum status see(void *context, const struct ingest_sample *sample)
{
    const struct chain *chain = sample->chain;
    struct seen *seen = context;

    assert_in_range(seen->samples, 0, 3);
    seen->counts[seen->samples++] = chain->count;
    if (chain->count > 1)
        seen->trust = chain->frames[1].trust;
    return STATUS_OK;
}

static struct seen ingest_stream(struct snap_writer *w, int fd)
{
    struct stream stream = stream_end(w, fd);
    const struct module_options options = {.sysroot = "/nonexistent"};
    const struct unwinder_options methods = {.methods = {TRUST_PROLOGUE}, .method_count = 1};
    struct seen seen = {.samples = 0};
    const struct ingest_sink sink = {.sample = see, .context = &seen};
    struct ingest ingest = {.modules = NULL};
    struct snap_source *source;
    struct diag diag;

    ingest_sinks_add(&ingest.sinks, sink);
    assert_int_equal(snapshot_source_open_read(stream_read, &stream, "memory", &source, &diag),
                     STATUS_OK);
    assert_int_equal(module_set_create(&options, &ingest.modules), STATUS_OK);
    assert_int_equal(unwinder_create(arch_get(ARCH_X86_64), ingest.modules, &methods,
                                     &ingest.unwinder),
                     STATUS_OK);
    assert_int_equal(profile_create(&ingest.profile), STATUS_OK);
    assert_int_equal(ingest_run(&ingest, source, &diag), STATUS_OK);
    /* Its code is here, its file is not. */
    assert_int_equal(module_set_at(ingest.modules, 0)->state, MODULE_MISSING);
    seen.missing = quality_module_missing(module_set_at(ingest.modules, 0));
    ingest_deinit(&ingest);
    profile_destroy(ingest.profile);
    unwinder_destroy(ingest.unwinder);
    module_set_destroy(ingest.modules);
    snap_source_close(source);
    free(stream.bytes);
    return seen;
}

static struct snap_writer *begin(int *fd, uint8_t kind, const char *path)
{
    struct snap_writer *w = stream_begin(fd);

    put_process(w, PID);
    put_map(w, kind, path);
    put_thread(w, PID, PID, "prog");
    return w;
}

TEST(ingest_code_that_comes_later_is_used_from_then_on)
{
    int fd;
    struct snap_writer *w = begin(&fd, 1, "/bin/prog");
    struct seen seen;

    put_moment(w, 100);
    put_code(w, CODE_START, code, sizeof(code));
    put_moment(w, 200);
    seen = ingest_stream(w, fd);
    assert_int_equal(seen.samples, 2);
    assert_int_equal(seen.counts[0], 1);
    assert_int_equal(seen.counts[1], 2);
    assert_int_equal(seen.trust, TRUST_PROLOGUE);
    assert_true(seen.missing); /* the file would have names */
}

TEST(ingest_anonymous_mapping_is_missed_only_without_its_code)
{
    for (unsigned given = 0; given < 2; given++) {
        int fd;
        struct snap_writer *w = begin(&fd, 3, "");
        struct seen seen;

        if (given)
            put_code(w, CODE_START, code, sizeof(code));
        put_moment(w, 100);
        seen = ingest_stream(w, fd);
        assert_int_equal(seen.counts[0], given ? 2 : 1);
        assert_int_equal(seen.missing, !given);
    }
}

TEST(ingest_code_of_an_anonymous_mapping_ends_with_it)
{
    int fd;
    struct snap_writer *w = begin(&fd, 3, "");
    struct seen seen;

    put_code(w, CODE_START, code, sizeof(code));
    put_moment(w, 100);
    put_map(w, 3, "");
    put_moment(w, 200);
    seen = ingest_stream(w, fd);
    assert_int_equal(seen.counts[0], 2);
    assert_int_equal(seen.counts[1], 1);
}

TEST(ingest_code_that_sticks_out_of_its_mapping_is_cut)
{
    static const uint8_t zeros[64];
    int fd;
    struct snap_writer *w = begin(&fd, 3, "");
    struct seen seen;

    put_code(w, CODE_START + 0x10000 - 8, zeros, sizeof(zeros));
    put_code(w, CODE_START + 0x20000, zeros, sizeof(zeros));
    put_code(w, CODE_START, code, sizeof(code));
    put_moment(w, 100);
    seen = ingest_stream(w, fd);
    assert_int_equal(seen.counts[0], 2);
}
