/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: the notes of a Linux core (fs/binfmt_elf.c of the kernel; gdb's
 * gcore writes the same). Of a thread only the file offset of its note is kept, so that thousands
 * of threads cost little; all other notes are one per process.
 */
#ifndef SNAPSHOT_IMPORT_CORE_NOTES_H
#define SNAPSHOT_IMPORT_CORE_NOTES_H

#include "base/arena.h"
#include "snapshot/event.h"
#include "snapshot/import/core/image.h"
#include "snapshot/import/core/layout.h"

#define CORE_THREADS_MAX   65536       /* most threads; others are left out, with a message */
#define CORE_FILE_NOTE_MAX (64u << 20) /* bytes of NT_FILE; the kernel stops at 4 MiB */
#define CORE_AUXV_MAX      4096        /* most bytes kept of NT_AUXV */
#define CORE_POINTER_MAX   64          /* bytes read of a note with a thread pointer */

struct core_mapped_file { /* a line of NT_FILE, or one made by modules.h */
    uint64_t start_addr, end_addr, file_off;
    const char *path; /* without " (deleted)" */
    bool deleted;
    bool is_executable;      /* the process's executable; set by modules.h only */
    enum snap_anchor anchor; /* anchor of struct snap_map */
    uint64_t anchor_addr;
    size_t order; /* private: index in the unsorted list */
};

struct core_thread_notes { /* file ranges of descriptions of notes */
    uint64_t status_off;   /* file offset of the description of NT_PRSTATUS */
    uint32_t status_size;  /* bytes up to the end of the registers, or less */
    uint64_t pointer_off;  /* the note with the thread pointer (arch/analysis/core.h) */
    uint32_t pointer_size; /* 0: none */
};

struct core_notes {
    struct core_thread_notes *threads;
    size_t thread_count, thread_cap;
    bool has_short; /* some NT_PRSTATUS lacks registers; file offset and size of the first one: */
    uint64_t short_off;
    uint32_t short_size;
    bool has_info; /* NT_PRPSINFO was found, whose contents are the next members */
    char state;
    uint32_t pid, parent_pid;
    char name[CORE_NAME_SIZE + 1], args[CORE_ARGS_SIZE + 1];
    uint8_t auxv[CORE_AUXV_MAX];
    uint32_t auxv_size;
    struct core_mapped_file *files; /* sorted by address, disjoint */
    size_t file_count;
    char *file_text;              /* owned: holds the paths of NT_FILE */
    struct arena names;           /* owned: holds other names */
    uint64_t pac_mask, vdso_addr; /* 0: none */
    uint32_t signal;              /* signal of the first NT_SIGINFO; 0: none */
    /* Cores of boards (board.h): */
    bool has_stacks, is_esp;      /* has the note CGSNAP; written by ESP-IDF */
    bool numbers_threads;         /* tids are 1, 2, ..., as the notes' are not distinct, or 0 */
    uint32_t main_sp, process_sp; /* valid if has_stacks: MSP and PSP of the first thread */
    uint64_t crashed_addr;        /* control block of the crashed task; 0: not known */
    uint64_t unread_at;           /* file offset of the first damaged note; valid if is_damaged */
    bool is_damaged;              /* notes from unread_at on were not read */
};

/*
 * Reads the notes; adds messages for the user to `source`. Fails only with NO_MEMORY;
 * core_notes_free is to be called then, too.
 */
MUST_CHECK enum status core_notes_read(struct core_image *image, struct snap_source *source,
                                       struct core_notes *out);
void core_notes_free(struct core_notes *notes);

/*
 * Sorts the files by address and makes them disjoint: of two that overlap the file with the lower
 * address stays; the other is cut to the part behind it or, with `drops`, removed.
 */
void core_notes_arrange_files(struct core_notes *notes, bool drops);

struct core_thread {
    uint32_t tid;
    uint8_t signal;
    struct regs regs;
    uint64_t thread_pointer; /* 0: not known */
    uint64_t orig;           /* result of core_layout_orig, for core_syscall_find */
};

/*
 * Sets *out to the thread with this index; its tid is index + 1 with numbers_threads. False: the
 * file has shrunk.
 */
bool core_notes_thread(const struct core_notes *notes, struct core_image *image, size_t index,
                       struct core_thread *out);

/*
 * Removes the threads whose notes lack registers, with a message to `source` each. For cores of
 * Linux, which writes all registers; gdb's cores of boards may lack some: NT_PRSTATUS of RV32 ends
 * behind a7 (gdb 13).
 */
void core_notes_drop_short(struct core_notes *notes, const struct core_image *image,
                           struct snap_source *source);

/* Returns the file mapped at the address; NULL: none. O(log n). */
const struct core_mapped_file *core_notes_file(const struct core_notes *notes, uint64_t addr);

/* Returns the value of an entry of the auxiliary vector; 0: no such entry. */
uint64_t core_notes_auxv(const struct core_notes *notes, const struct arch *arch, uint64_t type);

/* Returns the size of a page by the auxiliary vector; 4096, if that tells none that can be. */
uint64_t core_notes_page_size(const struct core_notes *notes, const struct arch *arch);

#endif
