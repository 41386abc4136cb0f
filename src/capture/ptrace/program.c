/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/program.h"

#include <dirent.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/procfs.h"

#define AUXV_MAX 1024

static uint64_t word_at(const void *bytes, size_t index, unsigned word_size)
{
    uint64_t word = 0;

    memcpy(&word, (const uint8_t *)bytes + index * word_size, word_size);
    return word;
}

unsigned program_auxv_word_size(const void *auxv, size_t size, uint64_t page_size)
{
    for (unsigned word_size = 4; word_size <= 8; word_size += 4)
        for (size_t i = 0; (i + 2) * word_size <= size; i += 2)
            if (word_at(auxv, i, word_size) == AT_PAGESZ &&
                word_at(auxv, i + 1, word_size) == page_size)
                return word_size;
    return 0;
}

unsigned program_word_size(pid_t tid)
{
    uint8_t auxv[AUXV_MAX];
    ssize_t n = proc_readf(auxv, sizeof(auxv), "/proc/%d/auxv", (int)tid);

    return n > 0 ? program_auxv_word_size(auxv, (size_t)n, (uint64_t)sysconf(_SC_PAGESIZE)) : 0;
}

/* Reads only members of the file's header that are at the same place in all ELF files. */
static bool read_one(pid_t tid, struct program *out)
{
    Elf32_Ehdr head;
    ssize_t n = proc_readf(&head, sizeof(head), "/proc/%d/exe", (int)tid);

    if (n == (ssize_t)sizeof(head) && memcmp(head.e_ident, ELFMAG, SELFMAG) == 0) {
        out->machine = head.e_machine;
        out->word_size = head.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
        return true;
    }
    out->machine = 0;
    out->word_size = program_word_size(tid);
    return out->word_size != 0;
}

bool program_read(pid_t pid, struct program *out)
{
    struct dirent *entry;
    char path[32];
    bool ok = read_one(pid, out);
    DIR *dir;

    if (ok || !program_has_ended(pid))
        return ok;
    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    dir = opendir(path);
    while (dir && !ok && (entry = readdir(dir))) {
        pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);
        ok = tid > 0 && tid != pid && read_one(tid, out);
    }
    if (dir)
        closedir(dir);
    return ok;
}

const struct arch_capture *program_backend(const struct program *program)
{
    return program->machine ? arch_capture_find(program->machine, program->word_size)
                            : arch_capture_of_size(program->word_size);
}

bool program_has_ended(pid_t tid)
{
    return proc_status(tid, "VmSize", 0) == 0;
}
