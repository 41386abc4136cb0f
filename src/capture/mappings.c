#include "capture/mappings.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Reading again may begin this many times its cost after the last: 0.5 % of the time. */
#define COST_FACTOR 200u
/* Mappings can change without changing the address space's size: look now and then. */
#define READ_INTERVAL_NS UINT64_C(2000000000)

static uint64_t vm_pages(struct process *process, pid_t tid)
{
    char path[32], text[64];
    ssize_t n;

    if (process->statm_fd < 0) {
        snprintf(path, sizeof(path), "%d/statm", (int)tid);
        process->statm_fd = openat(process->task_fd, path, O_RDONLY | O_CLOEXEC);
    }
    n = process->statm_fd < 0 ? -1 : pread(process->statm_fd, text, sizeof(text) - 1, 0);
    if (n <= 0) {
        /* The thread whose file it was may have ended: another's will be opened next time. */
        if (process->statm_fd >= 0)
            close(process->statm_fd);
        process->statm_fd = -1;
        return process->vm_pages;
    }
    text[n] = '\0';
    return strtoull(text, NULL, 10);
}

void mappings_read(struct capture *cap, struct process *process, pid_t tid)
{
    uint64_t begin = session_now(), end;
    struct maps maps = {0};
    char path[32];
    int fd;

    (void)cap;
    snprintf(path, sizeof(path), "%d/maps", (int)tid);
    fd = openat(process->task_fd, path, O_RDONLY | O_CLOEXEC);
    process->vm_pages = vm_pages(process, tid);
    if (fd >= 0 && maps_read(&maps, fd) == STATUS_OK) {
        maps_deinit(&process->maps);
        process->maps = maps;
        process->maps_unwritten = true;
    } else {
        maps_deinit(&maps);
    }
    if (fd >= 0)
        close(fd);
    end = session_now();
    process->maps_stale = false;
    process->maps_read_ns = end;
    process->maps_allowed_ns = end + (end - begin) * COST_FACTOR;
}

void mappings_check(struct capture *cap, struct process *process, pid_t tid)
{
    uint64_t now = session_now();

    if (now < process->maps_allowed_ns)
        return;
    if (process->maps_stale || now - process->maps_read_ns >= READ_INTERVAL_NS ||
        vm_pages(process, tid) != process->vm_pages)
        mappings_read(cap, process, tid);
}

void mappings_explain(struct capture *cap, struct process *process, pid_t tid, uint64_t pc)
{
    uint64_t page = pc & ~(cap->page_size - 1);

    if (maps_find_exec(&process->maps, pc))
        return;
    /* A PC that no reading explains (a wild jump) must not make us read at every sample. */
    if (page == process->unknown_pc_page && session_now() < process->maps_allowed_ns)
        return;
    mappings_read(cap, process, tid);
    process->unknown_pc_page = maps_find_exec(&process->maps, pc) ? 0 : page;
}

enum status mappings_write(struct capture *cap, struct process *process, pid_t tid)
{
    enum status status;

    if (!process->maps_unwritten)
        return STATUS_OK;
    status = modules_update(&process->modules, process->pid, tid, &process->maps, cap->writer);
    /* Out of memory: what was written stays known, and this is tried again with the next sample. */
    if (status == STATUS_OK && cap->options.with_code &&
        code_update(&process->code, &process->maps) != STATUS_OK)
        return STATUS_NO_MEMORY;
    maps_drop_paths(&process->maps);
    process->maps_unwritten = false;
    return status;
}
