/* SPDX-License-Identifier: MIT */
/*
 * Makes a large snapshot of a small one, to see how cost grows.
 *
 *     bench_grow IN OUT SAMPLES THREADS
 *
 * Writes so many samples, each one of IN's, taken at random, for the threads in turn. They are
 * perturbed: a part of the stack's words that are data (no address of code or of the stack) is
 * replaced, so that no two stacks are alike while the chains stay true. As a capture does, each
 * thread's stack is written as what changed in it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/delta.h"
#include "recording.h"
#include "snapshot/writer.h"
#include "symbol/address_space.h"
#include "symbol/module_set.h"

#define FIRST_TID   1000
#define INTERVAL_NS 10000000 /* of a thread's samples */

struct grow {
    const struct recording *recording;
    struct snap_writer *writer;
    struct address_space space;
    struct delta delta;
    struct delta_base *bases; /* of each thread */
    uint8_t *stack;           /* room for any sample's regions */
    size_t stack_cap;
    uint64_t random;
};

static uint64_t next_random(struct grow *grow)
{
    grow->random ^= grow->random << 13;
    grow->random ^= grow->random >> 7;
    grow->random ^= grow->random << 17;
    return grow->random;
}

static void end(struct grow *grow)
{
    if (snap_writer_end(grow->writer) != STATUS_OK ||
        snap_writer_relieve(grow->writer) != STATUS_OK)
        bench_die("cannot write");
}

static void put_map(struct grow *grow, const struct snap_map *map)
{
    snap_writer_begin(grow->writer, SNAP_MAP, true);
    snap_writer_u32(grow->writer, map->pid);
    snap_writer_u8(grow->writer, map->kind);
    snap_writer_u8(grow->writer, map->prot);
    snap_writer_u8(grow->writer, map->flags);
    snap_writer_u8(grow->writer, map->build_id_size);
    snap_writer_raw(grow->writer, map->build_id, map->build_id_size);
    snap_writer_u64(grow->writer, map->start_addr);
    snap_writer_u64(grow->writer, map->end_addr);
    snap_writer_u64(grow->writer, map->file_off);
    snap_writer_u64(grow->writer, map->dev);
    snap_writer_u64(grow->writer, map->inode);
    snap_writer_str(grow->writer, map->path);
    end(grow);
}

static void put_range(struct grow *grow, const struct snap_event *event)
{
    const struct snap_range *range = &event->range;

    snap_writer_begin(grow->writer, event->type, event->type == SNAP_UNMAP);
    snap_writer_u32(grow->writer, range->pid);
    snap_writer_u64(grow->writer, range->start_addr);
    if (event->type == SNAP_UNMAP)
        snap_writer_u64(grow->writer, range->end_addr);
    else
        snap_writer_bytes(grow->writer, range->bytes,
                          (size_t)(range->end_addr - range->start_addr));
    end(grow);
}

static void put_process(struct grow *grow, unsigned threads)
{
    const struct recording *recording = grow->recording;

    snap_writer_begin(grow->writer, SNAP_PROCESS, true);
    snap_writer_u32(grow->writer, recording->pid);
    snap_writer_u32(grow->writer, 1);
    snap_writer_u64(grow->writer, 0);
    snap_writer_u32(grow->writer, recording->process.page_size);
    snap_writer_u32(grow->writer, recording->process.word_size);
    snap_writer_u64(grow->writer, recording->process.pac_mask);
    snap_writer_str(grow->writer, "bench");
    snap_writer_bytes(grow->writer, NULL, 0);
    snap_writer_bytes(grow->writer, NULL, 0);
    snap_writer_str(grow->writer, "bench");
    snap_writer_str(grow->writer, "bench");
    end(grow);
    for (size_t i = 0; i < recording->map_count; i++) {
        if (recording->maps[i].type == SNAP_MAP)
            put_map(grow, &recording->maps[i].map);
        else
            put_range(grow, &recording->maps[i]);
    }
    for (unsigned i = 0; i < threads; i++) {
        snap_writer_begin(grow->writer, SNAP_THREAD, true);
        snap_writer_u32(grow->writer, recording->pid);
        snap_writer_u32(grow->writer, FIRST_TID + i);
        snap_writer_u64(grow->writer, 0);
        snap_writer_u64(grow->writer, 0);
        snap_writer_str(grow->writer, "grown");
        end(grow);
    }
}

/* Small numbers stay what they are: they may be lengths or states that make a frame what it is. */
static bool is_data(const struct grow *grow, const struct snap_sample *sample, uint64_t word)
{
    if (word < 4096 || address_space_find(&grow->space, word))
        return false;
    for (uint32_t i = 0; i < sample->region_count; i++)
        if (word >= sample->regions[i].start_addr && word < sample->regions[i].map_end_addr)
            return false;
    return true;
}

/* Copies a region to grow->stack from `used` on, perturbed. */
static void copy_region(struct grow *grow, const struct snap_sample *sample,
                        const struct snap_region *region, size_t used)
{
    size_t size = (size_t)(region->end_addr - region->start_addr);
    uint64_t word;

    memcpy(grow->stack + used, region->bytes, size);
    for (size_t i = 0; i + sizeof(word) <= size; i += sizeof(word)) {
        if (next_random(grow) % 4)
            continue;
        memcpy(&word, region->bytes + i, sizeof(word));
        if (!is_data(grow, sample, word))
            continue;
        word ^= next_random(grow) & 0xffffff; /* what it points to, if anything, stays data */
        if (is_data(grow, sample, word))
            memcpy(grow->stack + used + i, &word, sizeof(word));
    }
}

static void put_sample(struct grow *grow, uint64_t number, unsigned threads)
{
    const struct recording *recording = grow->recording;
    const struct snap_sample *sample =
        &recording->samples[next_random(grow) % recording->sample_count].sample;
    struct snap_region regions[SNAP_REGION_MAX];
    unsigned thread = (unsigned)(number % threads);
    uint32_t count =
        sample->region_count < SNAP_REGION_MAX ? sample->region_count : SNAP_REGION_MAX;
    size_t used = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct snap_region *region = &sample->regions[i];

        copy_region(grow, sample, region, used);
        regions[i] = (struct snap_region){region->start_addr, region->end_addr,
                                          region->map_end_addr, grow->stack + used};
        used += (size_t)(region->end_addr - region->start_addr);
    }
    snap_writer_begin(grow->writer, SNAP_SAMPLE, true);
    snap_writer_u32(grow->writer, recording->pid);
    snap_writer_u32(grow->writer, FIRST_TID + thread);
    snap_writer_u64(grow->writer, number / threads * INTERVAL_NS + thread);
    snap_writer_u8(grow->writer, 'R');
    snap_writer_u8(grow->writer, 0);
    snap_writer_u16(grow->writer, recording->arch->reg_count);
    snap_writer_u64(grow->writer, INTERVAL_NS);
    for (unsigned i = 0; i < recording->arch->reg_count; i++)
        snap_writer_u64(grow->writer, sample->regs.value[i]);
    if (delta_put(&grow->delta, &grow->bases[thread], regions, count, grow->writer) != STATUS_OK)
        bench_die("out of memory");
    end(grow);
    delta_commit(&grow->delta, &grow->bases[thread], regions, count);
}

static void put_summary(struct grow *grow, uint64_t samples)
{
    snap_writer_begin(grow->writer, SNAP_SUMMARY, false);
    snap_writer_u64(grow->writer, 0);
    snap_writer_u64(grow->writer, samples);
    for (unsigned i = 0; i < 8; i++)
        snap_writer_u64(grow->writer, 0);
    snap_writer_u32(grow->writer, SNAP_END_LIMIT);
    end(grow);
}

static void reserve_stack(struct grow *grow)
{
    for (size_t i = 0; i < grow->recording->sample_count; i++) {
        const struct snap_sample *sample = &grow->recording->samples[i].sample;
        size_t size = 0;

        for (uint32_t j = 0; j < sample->region_count; j++)
            size += (size_t)(sample->regions[j].end_addr - sample->regions[j].start_addr);
        if (size > grow->stack_cap)
            grow->stack_cap = size;
    }
    grow->stack = bench_alloc(grow->stack_cap, 1);
}

static void write_all(struct grow *grow, uint64_t samples, unsigned threads)
{
    const struct module_options options = {.arch = grow->recording->arch};
    struct module_set *set;

    if (module_set_create(&options, &set) != STATUS_OK)
        bench_die("out of memory");
    recording_space(grow->recording, set, &grow->space);
    delta_init(&grow->delta);
    grow->bases = bench_alloc(threads, sizeof(*grow->bases));
    reserve_stack(grow);
    put_process(grow, threads);
    for (uint64_t i = 0; i < samples; i++)
        put_sample(grow, i, threads);
    put_summary(grow, samples);
    if (snap_writer_finish(grow->writer) != STATUS_OK)
        bench_die("cannot write");
    for (unsigned i = 0; i < threads; i++)
        delta_base_deinit(&grow->bases[i]);
    free(grow->bases);
    free(grow->stack);
    delta_deinit(&grow->delta);
    address_space_deinit(&grow->space);
    module_set_destroy(set);
}

int main(int argc, char **argv)
{
    struct recording recording;
    struct grow grow = {.recording = &recording, .random = 88172645463325252u};
    uint64_t samples = argc == 5 ? strtoull(argv[3], NULL, 10) : 0;
    unsigned threads = argc == 5 ? (unsigned)strtoul(argv[4], NULL, 10) : 0;
    struct diag diag = {0};
    char line[1024];
    int fd;

    if (!samples || !threads)
        bench_die("usage: bench_grow IN OUT SAMPLES THREADS");
    recording_read(&recording, argv[1]);
    fd = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        bench_die("%s: %s", argv[2], strerror(errno));
    if (snap_writer_create(fd, argv[2], recording.arch, 0, &grow.writer, &diag) != STATUS_OK)
        bench_die("%s", diag_format(&diag, line, sizeof(line)));
    write_all(&grow, samples, threads);
    snap_writer_destroy(grow.writer);
    recording_free(&recording);
    return close(fd) == 0 ? 0 : 1;
}
