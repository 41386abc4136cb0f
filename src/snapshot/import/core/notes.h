/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: what the notes of a Linux core tell (fs/binfmt_elf.c of the kernel,
 * which gdb's gcore follows). A thread is kept as the place of its note, so that thousands of them
 * cost little; a process has one of the other notes each.
 */
#ifndef SNAPSHOT_IMPORT_CORE_NOTES_H
#define SNAPSHOT_IMPORT_CORE_NOTES_H

#include "base/arena.h"
#include "snapshot/event.h"
#include "snapshot/import/core/image.h"
#include "snapshot/import/core/layout.h"

/* What is beyond is left out, with a note. */
#define CORE_THREADS_MAX   65536
#define CORE_FILE_NOTE_MAX (64u << 20) /* bytes of NT_FILE; the kernel stops at 4 MiB */
#define CORE_AUXV_MAX      4096
#define CORE_POINTER_MAX   64 /* bytes of a note with a thread pointer */

struct core_mapped_file { /* a line of NT_FILE, or what modules.h makes of other things */
    uint64_t start_addr, end_addr, file_off;
    const char *path; /* without " (deleted)" */
    bool deleted;
    bool is_executable; /* as modules.h has found */
    enum snap_anchor anchor;
    uint64_t anchor_addr;
    size_t order; /* private: where it was in the list */
};

struct core_thread_notes { /* where descriptions are */
    uint64_t status_off;   /* of NT_PRSTATUS, */
    uint32_t status_size;  /* without what is behind the registers */
    uint64_t pointer_off;  /* of the note with the thread pointer (arch/analysis/core.h) */
    uint32_t pointer_size; /* 0: there is none */
};

struct core_notes {
    struct core_thread_notes *threads;
    size_t thread_count, thread_cap;
    bool has_short; /* some NT_PRSTATUS lacks registers; the first that does: */
    uint64_t short_off;
    uint32_t short_size;
    bool has_info; /* NT_PRPSINFO: */
    char state;
    uint32_t pid, parent_pid;
    char name[CORE_NAME_SIZE + 1], args[CORE_ARGS_SIZE + 1];
    uint8_t auxv[CORE_AUXV_MAX];
    uint32_t auxv_size;
    struct core_mapped_file *files; /* sorted by address, disjoint */
    size_t file_count;
    char *file_text;              /* what the paths of NT_FILE are in */
    struct arena names;           /* and those of the others */
    uint64_t pac_mask, vdso_addr; /* 0: none */
    uint32_t signal;              /* of the first NT_SIGINFO, 0: none */
    /* Of boards (board.h): */
    bool has_stacks, is_esp;
    bool numbers_threads;         /* 1, 2, …: their own numbers do not tell them apart */
    uint32_t main_sp, process_sp; /* valid with has_stacks: of the first thread */
    uint64_t crashed_addr;        /* the control block of the task that crashed; 0: not known */
    uint64_t unread_at;           /* a damaged note; valid when is_damaged */
    bool is_damaged;
};

/* `source` is for notes. Only NO_MEMORY fails; `out` is to be freed in any case. */
MUST_CHECK enum status core_notes_read(struct core_image *image, struct snap_source *source,
                                       struct core_notes *out);
void core_notes_free(struct core_notes *notes);

/*
 * Sorts the files by address; of those that overlap the first one stays, and of the others what
 * is behind it, or with `drops` nothing.
 */
void core_notes_arrange_files(struct core_notes *notes, bool drops);

struct core_thread {
    uint32_t tid;
    uint8_t signal;
    struct regs regs;
    uint64_t thread_pointer; /* 0: it is not known */
    uint64_t orig;           /* what a register was before the system call: syscall.h */
};

/* The thread of this index. False: the file has become too short for it. */
bool core_notes_thread(const struct core_notes *notes, struct core_image *image, size_t index,
                       struct core_thread *out);

/*
 * Leaves out the threads whose notes lack registers, with a note each: of Linux, which writes none
 * such. gdb does of boards: NT_PRSTATUS of RV32 ends behind a7 (gdb 13).
 */
void core_notes_drop_short(struct core_notes *notes, const struct core_image *image,
                           struct snap_source *source);

/* What is mapped at the address, or NULL. O(log n). */
const struct core_mapped_file *core_notes_file(const struct core_notes *notes, uint64_t addr);

/* The value of an entry of the auxiliary vector; 0 when it is not there. */
uint64_t core_notes_auxv(const struct core_notes *notes, const struct arch *arch, uint64_t type);

#endif
