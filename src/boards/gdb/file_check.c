/* SPDX-License-Identifier: MIT */
#include "boards/gdb/file_check.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "boards/gdb/memory.h"
#include "boards/gdb/registers.h"

#define PIECE    UINT64_C(256)
#define WORDS    (PIECE / sizeof(uint32_t))
#define ELF_HEAD UINT64_C(64)
/* Words that may differ in one piece: a breakpoint, a checksum that a tool wrote to flash. */
#define WORDS_CHANGED_MAX 1u

/* Is the word as of memory without code, or of a file whose signature is filled in later? */
static bool is_blank(uint32_t word)
{
    return word == 0 || word == UINT32_MAX;
}

/* Does memory from `addr` on differ from the file? *differs_addr: the first such word. */
static bool differs(struct gdb_state *st, const struct gdb_module *module, int fd, uint64_t addr,
                    uint64_t *differs_addr)
{
    const uint64_t rest = module->map.end_addr - addr;
    const size_t size = (size_t)(rest < PIECE ? rest : PIECE);
    const uint64_t off = module->map.file_off + (addr - module->map.start_addr);
    uint32_t in_file[WORDS] = {0}, in_memory[WORDS] = {0};
    unsigned count = 0;

    if (off > INT64_MAX || pread(fd, in_file, size, (off_t)off) != (ssize_t)size ||
        gdb_memory_read(st, addr, in_memory, size) != size)
        return false;
    for (size_t i = 0; i < size / sizeof(uint32_t); i++)
        if (in_file[i] != in_memory[i] && !is_blank(in_file[i]) && !is_blank(in_memory[i]) &&
            count++ == 0)
            *differs_addr = addr + i * sizeof(uint32_t);
    return count > WORDS_CHANGED_MAX;
}

/*
 * Does the module differ from memory? A writable segment has variables among its code: there only
 * the executed code is compared.
 */
static bool module_differs(struct gdb_state *st, const struct gdb_module *module, uint64_t pc,
                           uint64_t *addr)
{
    const uint64_t start = module->map.start_addr, end = module->map.end_addr;
    const bool has_pc = pc >= start && pc < end, has_all = !module->may_change;
    const int fd = open(module->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool found;

    if (fd < 0)
        return false;
    /* The ELF header may be loaded, too, and strip changes it. */
    found = (has_all && module->map.file_off >= ELF_HEAD && differs(st, module, fd, start, addr)) ||
            (has_pc && differs(st, module, fd, pc & ~UINT64_C(3), addr)) ||
            (has_all && end - start > PIECE &&
             differs(st, module, fd, (end - PIECE) & ~UINT64_C(3), addr));
    close(fd);
    return found;
}

void gdb_file_check(struct gdb_state *st, struct diag *diag)
{
    struct gdb_registers regs;
    uint64_t addr;

    if (gdb_registers_read(st, &regs) != STATUS_OK)
        return;
    for (size_t i = 0; i < st->modules.count; i++) {
        const struct gdb_module *module = &st->modules.items[i];

        if (module->kind != SNAP_MAP_FILE ||
            !module_differs(st, module, regs.values[st->arch->pc], &addr))
            continue;
        diag_set(diag, module->path,
                 "is not the program on the board: its code differs, at 0x%" PRIx64, addr);
        diag_hint(diag, "pass the right file with -e, or leave it out for --with-code");
        return;
    }
}
