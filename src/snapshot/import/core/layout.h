/*
 * Private to the core importer: where the notes of a Linux core hold what, one table entry per
 * architecture (struct elf_prstatus and struct elf_prpsinfo of <sys/procfs.h>, of the core's
 * machine).
 *
 * To add an architecture: a row in core_layout.c.
 */
#ifndef SNAPSHOT_IMPORT_CORE_LAYOUT_H
#define SNAPSHOT_IMPORT_CORE_LAYOUT_H

#include "arch/arch.h"

struct core_layout {
    enum arch_id arch;
    /* NT_PRSTATUS: pr_cursig, pr_pid, pr_reg; then how many words pr_reg has */
    uint8_t signal_off, tid_off, regs_off, words;
    uint8_t orig_word;    /* of pr_reg, what it was before the system call; == words: none */
    const uint8_t *order; /* index of the word of each register, in the order of arch/arch.h */
    /* NT_PRPSINFO: pr_sname, pr_pid, pr_ppid, pr_fname, pr_psargs */
    uint8_t state_off, pid_off, parent_off, name_off, args_off;
    /* A page of the kernel's that all processes have; 0: none */
    uint64_t special_addr;
    const char *special_name;
};

#define CORE_NAME_SIZE 16u /* of pr_fname */
#define CORE_ARGS_SIZE 80u /* of pr_psargs */

const struct core_layout *core_layout_get(const struct arch *arch);

/* `desc` has regs_off and `words` words at least. */
uint64_t core_layout_orig(const struct core_layout *layout, const uint8_t *desc);
void core_layout_regs(const struct core_layout *layout, const uint8_t *desc, struct regs *out);

#endif
