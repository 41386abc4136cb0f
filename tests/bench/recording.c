/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/map.h"
#include "base/vec.h"
#include "snapshot/import/source.h"

uint64_t bench_cpu_ns(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void bench_die(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fputs("bench: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

void *bench_alloc(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);

    if (!memory)
        bench_die("out of memory");
    return memory;
}

static void *copy(const void *data, size_t size)
{
    void *memory = bench_alloc(size, 1);

    if (size)
        memcpy(memory, data, size);
    return memory;
}

static void free_map(struct snap_event *event)
{
    if (event->type == SNAP_MAP) {
        free((void *)(uintptr_t)event->map.build_id);
        free((void *)(uintptr_t)event->map.path);
    } else if (event->type == SNAP_CODE) {
        free((void *)(uintptr_t)event->range.bytes);
    }
}

static void free_sample(struct recorded *recorded)
{
    for (uint32_t i = 0; i < recorded->sample.region_count; i++)
        free((void *)(uintptr_t)recorded->sample.regions[i].bytes);
    free((void *)(uintptr_t)recorded->sample.regions);
}

static void add_map(struct recording *recording, const struct snap_event *event)
{
    struct snap_event *kept;

    if (vec_reserve(&recording->maps, &recording->map_cap, recording->map_count + 1,
                    sizeof(*recording->maps)) != STATUS_OK)
        bench_die("out of memory");
    kept = &recording->maps[recording->map_count++];
    *kept = *event;
    if (event->type == SNAP_MAP) {
        kept->map.build_id = copy(event->map.build_id, event->map.build_id_size);
        kept->map.path = copy(event->map.path, strlen(event->map.path) + 1);
    } else if (event->type == SNAP_CODE) {
        kept->range.bytes =
            copy(event->range.bytes, (size_t)(event->range.end_addr - event->range.start_addr));
    }
}

static void add_sample(struct recording *recording, const struct snap_sample *sample)
{
    struct recorded *kept;
    struct snap_region *regions;

    if (vec_reserve(&recording->samples, &recording->sample_cap, recording->sample_count + 1,
                    sizeof(*recording->samples)) != STATUS_OK)
        bench_die("out of memory");
    kept = &recording->samples[recording->sample_count++];
    *kept = (struct recorded){.sample = *sample};
    kept->sample.kernel_count = kept->sample.user_count = 0;
    regions = copy(sample->regions, sample->region_count * sizeof(*regions));
    kept->sample.regions = regions;
    for (uint32_t i = 0; i < sample->region_count; i++)
        regions[i].bytes =
            copy(regions[i].bytes, (size_t)(regions[i].end_addr - regions[i].start_addr));
}

static uint32_t map_pid(const struct snap_event *event)
{
    return event->type == SNAP_MAP ? event->map.pid : event->range.pid;
}

/* Keeps those of `pid`, or with `not` all others. */
static void keep(struct recording *recording, uint32_t pid, bool not )
{
    size_t count = 0;

    for (size_t i = 0; i < recording->map_count; i++) {
        if ((map_pid(&recording->maps[i]) == pid) != not )
            recording->maps[count++] = recording->maps[i];
        else
            free_map(&recording->maps[i]);
    }
    recording->map_count = count;
    count = 0;
    for (size_t i = 0; i < recording->sample_count; i++) {
        if ((recording->samples[i].sample.pid == pid) != not )
            recording->samples[count++] = recording->samples[i];
        else
            free_sample(&recording->samples[i]);
    }
    recording->sample_count = count;
}

static void on_process(struct recording *recording, const struct snap_process *process)
{
    keep(recording, process->pid, true);
    if (!recording->pid) {
        recording->pid = process->pid;
        recording->process = (struct snap_process){.pid = process->pid,
                                                   .page_size = process->page_size,
                                                   .word_size = process->word_size,
                                                   .pac_mask = process->pac_mask,
                                                   .exe = "bench",
                                                   .host = "bench",
                                                   .kernel = "bench"};
    }
}

static void on_event(struct recording *recording, const struct snap_event *event)
{
    switch (event->type) {
    case SNAP_PROCESS:
        on_process(recording, &event->process);
        return;
    case SNAP_MAP:
        if (event->map.kind == SNAP_MAP_KERNEL)
            return;
        add_map(recording, event);
        return;
    case SNAP_UNMAP:
    case SNAP_CODE:
        add_map(recording, event);
        return;
    case SNAP_SAMPLE:
        if (!event->sample.repeat && !event->sample.no_context)
            add_sample(recording, &event->sample);
        return;
    case SNAP_THREAD:
    case SNAP_THREAD_END:
    case SNAP_REPEAT:
    case SNAP_IDLE:
    case SNAP_LOSS:
    case SNAP_SUMMARY:
        return;
    }
}

/* The process with most samples, and numbers for its threads. */
static void choose(struct recording *recording)
{
    struct map counts, threads;
    uint64_t most = 0;

    map_init(&counts);
    map_init(&threads);
    for (size_t i = 0; i < recording->sample_count; i++) {
        uint64_t *count = map_put(&counts, recording->samples[i].sample.pid, 0);

        if (!count)
            bench_die("out of memory");
        if (++*count > most) {
            most = *count;
            recording->pid = recording->samples[i].sample.pid;
        }
    }
    keep(recording, recording->pid, false);
    for (size_t i = 0; i < recording->sample_count; i++) {
        uint64_t *index =
            map_put(&threads, recording->samples[i].sample.tid, recording->thread_count);

        if (!index)
            bench_die("out of memory");
        if (*index == recording->thread_count) {
            recording->thread_count++;
            recording->samples[i].sample.unchanged_addr = 0; /* passes go round */
        }
        recording->samples[i].thread = (size_t)*index;
    }
    map_deinit(&counts);
    map_deinit(&threads);
}

void recording_read(struct recording *recording, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct snap_source *source = NULL;
    struct snap_event event;
    struct diag diag = {0};
    char line[1024];
    enum status status;

    *recording = (struct recording){0};
    if (fd < 0)
        bench_die("%s: %s", path, strerror(errno));
    status = snap_source_open(fd, path, &source, &diag);
    while (status == STATUS_OK) {
        status = snap_source_next(source, &event, &diag);
        if (status == STATUS_OK)
            on_event(recording, &event);
    }
    if (status != STATUS_END)
        bench_die("%s", diag_format(&diag, line, sizeof(line)));
    recording->arch = source->arch;
    snap_source_close(source);
    close(fd);
    choose(recording);
    if (!recording->sample_count)
        bench_die("%s: no samples", path);
}

void recording_free(struct recording *recording)
{
    for (size_t i = 0; i < recording->map_count; i++)
        free_map(&recording->maps[i]);
    for (size_t i = 0; i < recording->sample_count; i++)
        free_sample(&recording->samples[i]);
    free(recording->maps);
    free(recording->samples);
    *recording = (struct recording){0};
}

static enum status apply(struct module_set *set, struct address_space *space,
                         const struct snap_event *event)
{
    static const enum module_kind kinds[] = {MODULE_FILE, MODULE_FILE, MODULE_VDSO, MODULE_ANON,
                                             MODULE_SPECIAL};
    const struct snap_map *map = &event->map;
    const struct snap_range *range = &event->range;
    struct mapping *mapping;
    struct module *module;
    enum status status;

    if (event->type == SNAP_UNMAP)
        return address_space_remove(space, range->start_addr, range->end_addr);
    if (event->type == SNAP_CODE) {
        mapping = address_space_find(space, range->start_addr);
        return mapping && mapping->module->kind == MODULE_VDSO &&
                       mapping->start_addr == range->start_addr
                   ? module_set_code(mapping->module, range->bytes,
                                     (size_t)(range->end_addr - range->start_addr))
                   : STATUS_OK;
    }
    status = module_set_get(set, kinds[map->kind],
                            kinds[map->kind] == MODULE_ANON ? "[anon]" : map->path, map->build_id,
                            map->build_id_size, map->flags & SNAP_MAP_DELETED, &module);
    if (status == STATUS_OK)
        status = address_space_add(space, map->start_addr, map->end_addr, map->file_off, module);
    return status;
}

void recording_space(const struct recording *recording, struct module_set *set,
                     struct address_space *space)
{
    address_space_init(space);
    space->pac_mask = recording->process.pac_mask;
    for (size_t i = 0; i < recording->map_count; i++)
        if (apply(set, space, &recording->maps[i]) != STATUS_OK)
            bench_die("a mapping is refused");
}

bool recording_seen(const struct address_space *space, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (space->mappings[i].module == space->mappings[index].module)
            return true;
    return false;
}
