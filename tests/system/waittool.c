/* SPDX-License-Identifier: MIT */
/*
 * What src/threads/waits/wait.c recognises in a snapshot or core, one line a sample that is no
 * repeat, its fields separated by tabs: tid, thread's name, kind, how that is known, object's name,
 * its detail, its address, owner, how that is known, readers, doubt. For
 * tests/system/waits_known.py.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "graph/ingest.h"
#include "symbol/module_set.h"
#include "threads/waits/wait.h"
#include "threads/waits/wait_calls.h"

struct seen { /* names of objects may become known later: all is printed at the end */
    uint32_t tid, wait;
    char name[16];
};

struct tool {
    struct module_set *modules;
    struct symbolizer *symbolizer;
    struct unwinder *unwinder;
    struct names *names;
    struct profile *profile;
    struct waits *waits;
    struct seen *seen;
    size_t count, cap;
};

static enum status on_thread(void *context, const struct snap_thread *thread)
{
    struct tool *tool = context;

    return waits_thread(tool->waits, thread);
}

static enum status on_thread_end(void *context, const struct snap_thread *thread)
{
    struct tool *tool = context;

    waits_thread_ended(tool->waits, thread->pid, thread->tid);
    return STATUS_OK;
}

static const char *evidence(enum wait_evidence how)
{
    return how == WAIT_READ_OFF ? "read" : "inferred";
}

static enum status on_sample(void *context, const struct ingest_sample *given)
{
    struct tool *tool = context;
    struct seen *seen;
    struct wait_now now;
    uint32_t wait;
    enum status status = waits_find(tool->waits, given, &wait, &now);

    if (status != STATUS_OK || given->sample->repeat)
        return status;
    status = vec_reserve(&tool->seen, &tool->cap, tool->count + 1, sizeof(*tool->seen));
    if (status != STATUS_OK)
        return status;
    seen = &tool->seen[tool->count++];
    *seen = (struct seen){.tid = given->sample->tid, .wait = wait};
    snprintf(seen->name, sizeof(seen->name), "%s", given->thread_name);
    return STATUS_OK;
}

static void print(const struct tool *tool, const struct seen *seen)
{
    const struct wait_object *object;
    const struct wait *wait;

    printf("%" PRIu32 "\t%s", seen->tid, seen->name);
    if (seen->wait == WAIT_NONE) {
        printf("\tnone\n");
        return;
    }
    wait = &tool->waits->list[seen->wait];
    object = wait->object == WAIT_NONE ? NULL : &tool->waits->objects[wait->object];
    printf("\t%s\t%s\t%s\t%s\t0x%" PRIx64 "\t%" PRIu32 "\t%s\t%" PRIu32 "\t%s\n",
           wait_kind_name(wait->kind), evidence(wait->kind_evidence), object ? object->name : "-",
           object ? object->detail : "", object ? object->addr : 0, wait->owner_tid,
           evidence(wait->owner_evidence), wait->readers, wait->doubt ? wait->doubt : "");
}

static enum status open_tool(struct tool *tool, const struct arch *arch, const char *const *elf,
                             size_t elf_count)
{
    static struct module_options module_options;
    static const struct unwinder_options unwinder_options;
    enum status status;

    module_options =
        (struct module_options){.elf_files = elf, .elf_file_count = elf_count, .arch = arch};
    status = module_set_create(&module_options, &tool->modules);
    if (status == STATUS_OK)
        status = symbolizer_create(tool->modules, false, false, &tool->symbolizer);
    if (status == STATUS_OK)
        status = unwinder_create(arch, tool->modules, &unwinder_options, &tool->unwinder);
    if (status == STATUS_OK)
        status = names_create(tool->symbolizer, tool->unwinder, &tool->names);
    if (status == STATUS_OK)
        status = profile_create(&tool->profile);
    if (status == STATUS_OK)
        status = waits_create(arch, tool->modules, tool->names, &tool->waits);
    return status;
}

static void close_tool(struct tool *tool)
{
    waits_destroy(tool->waits);
    profile_destroy(tool->profile);
    names_destroy(tool->names);
    unwinder_destroy(tool->unwinder);
    symbolizer_destroy(tool->symbolizer);
    module_set_destroy(tool->modules);
}

/* The system calls: name, then the number on each architecture. */
static void print_calls(void)
{
    static const char *const names[CALL_COUNT] = {
#define NAME(id, name, form, flags) name,
        SYSCALL_LIST(NAME)
#undef NAME
    };

    for (unsigned call = 0; call < CALL_COUNT; call++) {
        printf("%s", names[call]);
        for (unsigned arch = 0; arch < ARCH_COUNT; arch++)
            printf("\t%d",
                   syscall_number(arch_get((enum arch_id)arch)->syscalls, (enum syscall)call));
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    struct tool tool = {0};
    struct ingest_sink sink = {.thread = on_thread,
                               .thread_end = on_thread_end,
                               .sample = on_sample,
                               .context = &tool};
    struct snap_source *source = NULL;
    struct ingest ingest = {.modules = NULL};
    struct diag diag;
    char text[512];
    enum status status;

    if (argc < 2) {
        fprintf(stderr, "usage: waittool FILE [ELF...] | --calls\n");
        return 2;
    }
    if (strcmp(argv[1], "--calls") == 0) {
        print_calls();
        return 0;
    }
    status = snap_source_open(open(argv[1], O_RDONLY | O_CLOEXEC), argv[1], &source, &diag);
    if (status == STATUS_OK)
        status = open_tool(&tool, source->arch, (const char *const *)argv + 2, (size_t)argc - 2);
    ingest_sinks_add(&ingest.sinks, sink);
    ingest.modules = tool.modules;
    ingest.unwinder = tool.unwinder;
    ingest.profile = tool.profile;
    if (status == STATUS_OK)
        status = ingest_run(&ingest, source, &diag);
    if (status != STATUS_OK)
        fprintf(stderr, "waittool: %s\n", diag_format(&diag, text, sizeof(text)));
    for (size_t i = 0; i < tool.count; i++)
        print(&tool, &tool.seen[i]);
    free(tool.seen);
    ingest_deinit(&ingest);
    snap_source_close(source);
    close_tool(&tool);
    return status != STATUS_OK;
}
