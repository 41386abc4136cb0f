/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/jit_helper.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/keyed_hash.h"
#include "base/map.h"
#include "base/pass_fd.h"
#include "base/root_file.h"
#include "base/vec.h"
#include "runtime/jit/capture/elf_symbol.h"
#include "runtime/jit/capture/registered.h"
#include "capture/ptrace/proc_maps.h"
#include "capture/target/backend.h"

/* Larger files, and more bytes or files of a process, are left out. */
#define FILE_BYTES_MAX    (UINT64_C(64) << 20)
#define PROCESS_BYTES_MAX (UINT64_C(256) << 20)
#define FILES_MAX         65536u
#define DESCRIPTORS_MAX   8u
#define COPY_BYTES        (UINT32_C(256) << 10)
/* In one look; the rest is for the next. For each copied file the list may be read again. */
#define LOOK_BYTES_MAX FILE_BYTES_MAX
#define LOOK_LISTS_MAX 64u

/* proc_pid_pagemap(5): a word for each page, which is in memory or swapped out. */
#define PAGE_PRESENT (UINT64_C(3) << 62)
#define PAGES_MAX    64u /* asked for at once */

/* A __jit_debug_descriptor of a process, as of when its whole list was last looked at. */
struct watched {
    uint64_t addr;
    struct jit_layout layout;
    struct jit_descriptor seen;
    uint64_t first_print, relevant_print; /* prints of these two entries' files */
};

/* A mapped file that exports no descriptor: its own symbol table is to be searched. */
struct unread {
    struct exec_map map;
    struct elf_mapped file;
};

struct jit_program {
    pid_t pid, tid;
    uint32_t number;
    int memory_fd, pagemap_fd;
    struct maps maps;
    struct map modules;    /* hashes of mapped files that were looked at */
    struct unread *unread; /* owned */
    size_t unread_count, unread_cap;
    struct watched watched[DESCRIPTORS_MAX];
    size_t watched_count;
    struct map known; /* hash of an entry -> print of its file, which was copied or cannot be */
    struct jit_entries entries;
    uint64_t copied; /* bytes */
};

struct jit_helper {
    int socket;
    struct jit_program *programs; /* owned */
    size_t count, cap;
    uint8_t *buffer; /* COPY_BYTES */
    /* Of the present look: */
    uint64_t left;  /* bytes that may be copied */
    unsigned lists; /* lists read again */
};

static bool read_fd(void *context, uint64_t at, void *buffer, size_t size)
{
    const int *fd = context;

    return at <= INT64_MAX && pread(*fd, buffer, size, (off_t)at) == (ssize_t)size;
}

static struct target_bytes bytes_of(int *fd)
{
    return (struct target_bytes){.read = read_fd, .context = fd};
}

/* Is the memory private? Reading shared memory may have effects, if it is a device's. */
static bool is_own(const struct jit_program *program, uint64_t addr, uint64_t size)
{
    while (size) {
        const struct map_range *range = maps_find(&program->maps, addr);
        uint64_t part;

        if (!range || range->is_shared)
            return false;
        part = range->end_addr - addr < size ? range->end_addr - addr : size;
        addr += part;
        size -= part;
    }
    return true;
}

/*
 * Is the memory present? Reading absent memory has the kernel load it, which blocks the program's
 * address space meanwhile: if a file server does not answer, the program would wait, too. What the
 * program has written itself, as a list and its files, is present.
 */
static bool is_there(const struct jit_program *program, uint64_t addr, uint64_t size)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    const uint64_t end = (addr + size - 1) / page + 1;
    uint64_t words[PAGES_MAX];

    for (uint64_t i = addr / page; i < end;) {
        const size_t count = (size_t)(end - i < PAGES_MAX ? end - i : PAGES_MAX);
        int fd = program->pagemap_fd;

        if (!read_fd(&fd, i * sizeof(*words), words, count * sizeof(*words)))
            return false;
        for (size_t k = 0; k < count; k++)
            if (!(words[k] & PAGE_PRESENT))
                return false;
        i += count;
    }
    return true;
}

/* Reads memory that is private and present, as a list and its files are. */
static bool read_own(void *context, uint64_t addr, void *buffer, size_t size)
{
    struct jit_program *program = context;

    return size && size <= UINT64_MAX - addr && is_own(program, addr, size) &&
           is_there(program, addr, size) && read_fd(&program->memory_fd, addr, buffer, size);
}

static struct target_bytes memory_of(struct jit_program *program)
{
    return (struct target_bytes){.read = read_own, .context = program};
}

static void program_deinit(struct jit_program *program)
{
    close(program->memory_fd);
    if (program->pagemap_fd >= 0)
        close(program->pagemap_fd);
    maps_deinit(&program->maps);
    map_deinit(&program->modules);
    map_deinit(&program->known);
    jit_entries_deinit(&program->entries);
    free(program->unread);
}

static void watch(struct jit_program *program, uint64_t addr, const struct elf_mapped *file)
{
    if (program->watched_count < DESCRIPTORS_MAX)
        program->watched[program->watched_count++] =
            (struct watched){.addr = addr, .layout = jit_layout_of(&file->head)};
}

/* Looks at a new mapped file: does it export a descriptor? */
static void look_at_module(struct jit_program *program, const struct exec_map *map)
{
    const struct target_bytes memory = memory_of(program);
    const uint64_t key = keyed_words(keyed_words(map->head_addr, map->inode), map->dev);
    struct unread unread = {.map = *map};
    uint64_t addr;

    if (map_get(&program->modules, key) || !map_put(&program->modules, key, 0) ||
        elf_mapped_find(&memory, map->head_addr, &unread.file) != STATUS_OK)
        return;
    if (elf_symbol_in_memory(&memory, &unread.file, JIT_DESCRIPTOR_NAME, &addr) == STATUS_OK)
        watch(program, addr, &unread.file);
    else if (vec_reserve(&program->unread, &program->unread_cap, program->unread_count + 1,
                         sizeof(unread)) == STATUS_OK)
        program->unread[program->unread_count++] = unread;
}

static int open_own(const struct jit_program *program, const char *name)
{
    char path[48];

    snprintf(path, sizeof(path), "/proc/%d/%s", (int)program->tid, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static bool read_maps(struct jit_program *program)
{
    const int fd = open_own(program, "maps");
    const bool done = fd >= 0 && maps_read(&program->maps, fd) == STATUS_OK;

    if (fd >= 0)
        close(fd);
    return done;
}

static void look_at_modules(struct jit_program *program)
{
    program->unread_count = 0;
    for (size_t i = 0; i < program->maps.exec_len; i++)
        if (program->maps.execs[i].inode && program->maps.execs[i].head_addr)
            look_at_module(program, &program->maps.execs[i]);
}

/* Opens the mapped file, if its path still leads to it; else -1. */
static int open_module(const struct jit_program *program, const struct exec_map *map,
                       uint64_t *size)
{
    const int root = root_open(program->tid);
    char name[PATH_MAX];
    struct stat st = {0};
    int fd;

    maps_copy_path(name, sizeof(name), program->maps.paths + map->path_off, MAPS_USUAL);
    fd = root < 0 ? -1 : root_file_open(root, name);
    if (root >= 0)
        close(root);
    if (fd >= 0 && (fstat(fd, &st) != 0 || st.st_ino != map->inode || st.st_dev != map->dev)) {
        close(fd);
        fd = -1;
    }
    *size = (uint64_t)st.st_size;
    return fd;
}

/* Looks at the file's own symbol table, which may be large, and on a slow file system. */
static void look_at_file(struct jit_program *program, const struct unread *unread)
{
    const struct jit_layout layout = jit_layout_of(&unread->file.head);
    uint64_t file_size, vaddr;
    int fd = open_module(program, &unread->map, &file_size);
    const struct target_bytes file = bytes_of(&fd);

    if (fd < 0)
        return;
    if (elf_symbol_in_file(&file, file_size, JIT_DESCRIPTOR_NAME, jit_descriptor_size(&layout),
                           &vaddr) == STATUS_OK)
        watch(program, unread->file.bias + vaddr, &unread->file);
    close(fd);
}

static uint64_t key_of(const struct jit_entry *entry)
{
    return keyed_words(keyed_words(entry->addr, entry->file_addr), entry->file_size);
}

/* Copies it to a memfd; -1: unreadable, or no room. */
static int copy(struct jit_helper *helper, struct jit_program *program,
                const struct jit_entry *entry)
{
    const struct target_bytes memory = memory_of(program);
    const int fd = memfd_create("symbol-file", MFD_CLOEXEC);
    uint64_t done = 0;

    while (fd >= 0 && done < entry->file_size) {
        const uint64_t left = entry->file_size - done;
        const size_t n = (size_t)(left < COPY_BYTES ? left : COPY_BYTES);

        if (!target_bytes_read(&memory, entry->file_addr + done, helper->buffer, n) ||
            write(fd, helper->buffer, n) != (ssize_t)n)
            break;
        done += n;
    }
    if (fd >= 0 && done == entry->file_size)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Is the entry in the list now, with the same file? */
static bool is_registered(struct jit_helper *helper, struct jit_program *program,
                          const struct watched *watched, const struct jit_entry *entry,
                          uint64_t print, const struct jit_descriptor *read_at)
{
    const struct target_bytes memory = memory_of(program);
    struct jit_entries entries = {.count = 0};
    struct jit_descriptor now;
    struct jit_entry again;
    bool is_in_list;

    if (!jit_descriptor_read(&memory, &watched->layout, watched->addr, &now) ||
        !jit_entry_read(&memory, &watched->layout, entry->addr, &again) ||
        key_of(&again) != key_of(entry) ||
        jit_file_print(&memory, &watched->layout, entry) != print)
        return false;
    if (jit_descriptor_same(&now, read_at))
        return true;
    if (++helper->lists > LOOK_LISTS_MAX)
        return false;
    is_in_list =
        jit_entries_read(&memory, &watched->layout, now.first_addr, &entries) == STATUS_OK &&
        jit_entries_have(&entries, entry);
    jit_entries_deinit(&entries);
    return is_in_list;
}

/* Copies the file unless it was copied. False: it has changed meanwhile: look again. */
static bool take(struct jit_helper *helper, struct jit_program *program,
                 const struct watched *watched, const struct jit_entry *entry,
                 const struct jit_descriptor *read_at)
{
    const struct target_bytes memory = memory_of(program);
    const uint64_t print = jit_file_print(&memory, &watched->layout, entry);
    uint64_t *known = map_get(&program->known, key_of(entry));
    struct jit_answer answer = {.pid = program->pid,
                                .program = program->number,
                                .addr = entry->file_addr,
                                .size = entry->file_size};
    int fd;

    if (!print || (known && *known == print) || map_len(&program->known) >= FILES_MAX ||
        entry->file_size > FILE_BYTES_MAX || entry->file_size > PROCESS_BYTES_MAX - program->copied)
        return true;
    if (entry->file_size > helper->left || helper->lists > LOOK_LISTS_MAX)
        return false;
    helper->left -= entry->file_size;
    fd = copy(helper, program, entry);
    if (!is_registered(helper, program, watched, entry, print, read_at)) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    known = map_put(&program->known, key_of(entry), 0);
    if (known)
        *known = print; /* also for a file with a wrong size */
    if (fd < 0)
        return true;
    program->copied += entry->file_size;
    answer.time_ns = clock_now_ns();
    (void)pass_send(helper->socket, &answer, sizeof(answer), fd, 0);
    close(fd);
    return true;
}

/* Returns the print of the file of the entry at `addr`; 0: none. */
static uint64_t print_at(const struct target_bytes *memory, const struct jit_layout *layout,
                         uint64_t addr)
{
    struct jit_entry entry;

    return addr && jit_entry_read(memory, layout, addr, &entry)
               ? keyed_words(key_of(&entry), jit_file_print(memory, layout, &entry))
               : 0;
}

/*
 * Looks at a list if its descriptor has changed, as each change of the list changes it; if an entry
 * was removed and added again it looks the same, except for its file.
 */
static void look_at_list(struct jit_helper *helper, struct jit_program *program,
                         struct watched *watched)
{
    const struct target_bytes memory = memory_of(program);
    struct jit_descriptor now = {.first_addr = 0};
    uint64_t first, relevant;
    bool is_whole = true;

    if (!jit_descriptor_read(&memory, &watched->layout, watched->addr, &now))
        return;
    first = print_at(&memory, &watched->layout, now.first_addr);
    relevant = print_at(&memory, &watched->layout, now.relevant_addr);
    if (jit_descriptor_same(&now, &watched->seen) && first == watched->first_print &&
        relevant == watched->relevant_print)
        return;
    if (!read_maps(program))
        return;
    watched->seen = now;
    watched->first_print = first;
    watched->relevant_print = relevant;
    if (jit_entries_read(&memory, &watched->layout, now.first_addr, &program->entries) != STATUS_OK)
        return;
    /* New entries are in front: copy the oldest first, as the last file at an address counts. */
    for (size_t i = program->entries.count; i-- > 0;)
        is_whole &= take(helper, program, watched, &program->entries.list[i], &now);
    if (!is_whole)
        watched->first_print = 0;
}

static void look(struct jit_helper *helper, struct jit_program *program, bool maps_too)
{
    helper->left = LOOK_BYTES_MAX;
    helper->lists = 0;
    if (maps_too && read_maps(program))
        look_at_modules(program);
    for (size_t i = 0; i < program->watched_count; i++)
        look_at_list(helper, program, &program->watched[i]);
    for (size_t i = 0; i < program->unread_count; i++) {
        const size_t before = program->watched_count;

        look_at_file(program, &program->unread[i]);
        if (program->watched_count > before)
            look_at_list(helper, program, &program->watched[before]);
    }
    program->unread_count = 0;
}

static void forget(struct jit_helper *helper, pid_t pid)
{
    for (size_t i = helper->count; i-- > 0;)
        if (helper->programs[i].pid == pid) {
            program_deinit(&helper->programs[i]);
            helper->programs[i] = helper->programs[--helper->count];
        }
}

/* Returns the program that is asked for; takes over `memory_fd`. NULL: not known. */
static struct jit_program *program_of(struct jit_helper *helper,
                                      const struct jit_question *question, int memory_fd)
{
    if (question->kind == JIT_BEGIN || question->kind == JIT_FORGET)
        forget(helper, question->pid);
    if (question->kind == JIT_BEGIN && memory_fd >= 0 &&
        vec_reserve(&helper->programs, &helper->cap, helper->count + 1,
                    sizeof(*helper->programs)) == STATUS_OK) {
        helper->programs[helper->count++] = (struct jit_program){.pid = question->pid,
                                                                 .number = question->program,
                                                                 .tid = question->tid,
                                                                 .memory_fd = memory_fd};
        helper->programs[helper->count - 1].pagemap_fd =
            open_own(&helper->programs[helper->count - 1], "pagemap");
        memory_fd = -1;
    }
    if (memory_fd >= 0)
        close(memory_fd);
    for (size_t i = 0; i < helper->count; i++)
        if (helper->programs[i].pid == question->pid)
            return &helper->programs[i];
    return NULL;
}

void jit_helper_run(void *unused, int socket)
{
    struct jit_helper helper = {.socket = socket, .buffer = malloc(COPY_BYTES)};
    struct jit_question question;
    int fd;

    (void)unused;
    (void)!nice(10); /* nothing waits for it */
    while (helper.buffer &&
           pass_receive(socket, &question, sizeof(question), 0, &fd) == sizeof(question)) {
        const uint64_t begin_ns = clock_now_ns();
        struct jit_program *program = program_of(&helper, &question, fd);
        struct jit_answer answer = {.pid = question.pid, .program = question.program, .is_done = 1};

        if (question.kind == JIT_FORGET)
            continue;
        if (program) {
            program->tid = question.tid;
            look(&helper, program, question.kind != JIT_AGAIN);
            answer.watched = (uint32_t)program->watched_count;
        }
        answer.cost_ns = clock_now_ns() - begin_ns;
        if (!pass_send(socket, &answer, sizeof(answer), -1, 0))
            break;
    }
}
