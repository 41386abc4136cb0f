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

/* Fails: this build cannot capture the program, or is of 32 bits and cannot tell. */
static enum status refuse(pid_t pid, struct diag *diag)
{
    struct program program;
    const struct arch *arch;

    if (!program_read(pid, &program)) {
        diag_set(diag, NULL,
                 "process %d may run a 64-bit program, which this %d-bit cgsnap cannot capture",
                 (int)pid, (int)sizeof(void *) * 8);
        diag_hint(diag, "neither its program file nor its /proc/%d/auxv can be read", (int)pid);
        return STATUS_UNSUPPORTED;
    }
    arch = program.machine ? arch_by_elf(program.machine, program.word_size) : NULL;
    diag_set(diag, NULL,
             "process %d runs a %u-bit program (%s), which this %d-bit cgsnap cannot capture",
             (int)pid, program.word_size * 8, arch ? arch->name : "of an unknown machine",
             (int)sizeof(void *) * 8);
    diag_hint(diag, "use a cgsnap that was built for %s", arch ? arch->name : "that machine");
    return STATUS_UNSUPPORTED;
}

bool program_fits(const struct ptrace_state *st, pid_t tid)
{
    unsigned word_size = program_word_size(tid);

    return word_size ? word_size == st->regs->arch->word_size
                     : sizeof(void *) == 8 || program_has_ended(tid);
}

enum status program_verify(const struct ptrace_state *st, pid_t tid, struct diag *diag)
{
    return program_fits(st, tid) ? STATUS_OK : refuse(tid, diag);
}

enum status program_choose(struct ptrace_state *st, pid_t pid, struct target_machine *machine,
                           struct diag *diag)
{
    const struct arch_capture *regs = arch_capture_host();
    struct program program;

    if (program_read(pid, &program))
        regs = program_backend(&program);
    if (!regs)
        return refuse(pid, diag);
    st->regs = regs;
    *machine = (struct target_machine){
        .tells_ready = st->has_schedstat,
        .can_leave = !regs->call_insn,
        .arch = regs->arch,
        .page_size = (uint64_t)sysconf(_SC_PAGESIZE),
        .addr_mask = regs->addr_mask,
        .pac_mask = regs->pac_mask ? regs->pac_mask() : 0,
        .red_zone = regs->arch->red_zone,
        .frame_stack_off = regs->frame_stack_off,
    };
    return STATUS_OK;
}
