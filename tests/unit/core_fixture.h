/* SPDX-License-Identifier: MIT */
/*
 * ELF core files of any architecture, made in memory:
 *
 *     struct core core;
 *     core_begin(&core, ARCH_ARM);
 *     core_thread(&core, 7, 11, values);      a thread's registers, in the kernel's order
 *     core_load(&core, 0x1000, 0x2000, PF_R | PF_W, bytes, 0x1000);
 *     core_end(&core);                        now it is core.bytes, core.size
 *     source = core_open(&core, core.size);
 */
#ifndef TESTS_CORE_FIXTURE_H
#define TESTS_CORE_FIXTURE_H

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "snapshot/import/source.h"

#define CORE_LOADS 16

struct core_load {
    uint64_t vaddr, memsz, filesz, off;
    uint32_t flags;
    const uint8_t *bytes;
};

struct core {
    const struct arch *arch;
    uint8_t notes[16384];
    size_t note_size;
    struct core_load loads[CORE_LOADS];
    size_t load_count;
    uint8_t bytes[131072];
    size_t size, notes_off;
    int fd;
};

static inline void core_begin(struct core *core, enum arch_id arch)
{
    memset(core, 0, sizeof(*core));
    core->arch = arch_get(arch);
    core->fd = -1;
}

static inline void core_put(uint8_t *at, uint64_t value, size_t size)
{
    memcpy(at, &value, size);
}

static inline void core_note(struct core *core, const char *name, uint32_t type, const void *desc,
                             size_t size)
{
    uint8_t *at = core->notes + core->note_size;
    size_t name_size = strlen(name) + 1;

    core_put(at, name_size, 4);
    core_put(at + 4, size, 4);
    core_put(at + 8, type, 4);
    memcpy(at + 12, name, name_size);
    memcpy(at + 12 + ((name_size + 3) & ~3u), desc, size);
    core->note_size += 12 + ((name_size + 3) & ~3u) + ((size + 3) & ~3u);
    assert_true(core->note_size <= sizeof(core->notes));
}

static inline size_t core_words(const struct core *core)
{
    static const size_t words[] = {[ARCH_X86_64] = 27,  [ARCH_I386] = 17,    [ARCH_ARM] = 18,
                                   [ARCH_AARCH64] = 34, [ARCH_RISCV64] = 32, [ARCH_RISCV32] = 32};

    return words[core->arch->id];
}

/* struct elf_prstatus that ends behind the first `count` words of pr_reg. */
static inline void core_thread_cut(struct core *core, uint32_t tid, const uint64_t *words,
                                   size_t count)
{
    bool is_64 = core->arch->word_size == 8;
    size_t regs = is_64 ? 112 : 72;
    uint8_t desc[400] = {0};

    core_put(desc + (is_64 ? 32 : 24), tid, 4);
    for (size_t i = 0; i < count; i++)
        core_put(desc + regs + i * core->arch->word_size, words[i], core->arch->word_size);
    core_note(core, "CORE", NT_PRSTATUS, desc, regs + count * core->arch->word_size);
}

/* struct elf_prstatus; `words`: pr_reg. */
static inline void core_thread(struct core *core, uint32_t tid, uint16_t signal,
                               const uint64_t *words)
{
    bool is_64 = core->arch->word_size == 8;
    size_t regs = is_64 ? 112 : 72, size = regs + core_words(core) * core->arch->word_size + 4;
    uint8_t desc[400] = {0};

    core_put(desc + 12, signal, 2);
    core_put(desc + (is_64 ? 32 : 24), tid, 4);
    for (size_t i = 0; i < core_words(core); i++)
        core_put(desc + regs + i * core->arch->word_size, words[i], core->arch->word_size);
    core_note(core, "CORE", NT_PRSTATUS, desc, is_64 ? size + 4 : size);
}

/* A thread of which only the stack pointer is not 0. */
static inline void core_thread_at(struct core *core, uint32_t tid, uint16_t signal, uint64_t sp)
{
    static const size_t sp_word[] = {[ARCH_X86_64] = 19,  [ARCH_I386] = 15,   [ARCH_ARM] = 13,
                                     [ARCH_AARCH64] = 31, [ARCH_RISCV64] = 2, [ARCH_RISCV32] = 2};
    uint64_t words[34] = {0};

    words[sp_word[core->arch->id]] = sp;
    core_thread(core, tid, signal, words);
}

/* struct elf_prpsinfo. */
static inline void core_info(struct core *core, uint32_t pid, const char *name, const char *args)
{
    bool is_64 = core->arch->word_size == 8;
    uint8_t desc[136] = {0};

    desc[1] = 'R';
    core_put(desc + (is_64 ? 24 : 12), pid, 4);
    core_put(desc + (is_64 ? 28 : 16), 1, 4);
    memcpy(desc + (is_64 ? 40 : 28), name, strlen(name));
    memcpy(desc + (is_64 ? 56 : 44), args, strlen(args));
    core_note(core, "CORE", NT_PRPSINFO, desc, is_64 ? 136 : 124);
}

/* Pairs of type and value. */
static inline void core_auxv(struct core *core, const uint64_t *pairs, size_t count)
{
    uint8_t desc[256] = {0};

    for (size_t i = 0; i < 2 * count; i++)
        core_put(desc + i * core->arch->word_size, pairs[i], core->arch->word_size);
    core_note(core, "CORE", NT_AUXV, desc, 2 * (count + 1) * core->arch->word_size);
}

struct core_file_line {
    uint64_t start, end, page;
    const char *path;
};

static inline void core_files(struct core *core, const struct core_file_line *lines, size_t count)
{
    size_t word = core->arch->word_size, size = 2 * word;
    uint8_t desc[2048] = {0};

    core_put(desc, count, word);
    core_put(desc + word, 4096, word);
    for (size_t i = 0; i < count; i++) {
        core_put(desc + size, lines[i].start, word);
        core_put(desc + size + word, lines[i].end, word);
        core_put(desc + size + 2 * word, lines[i].page, word);
        size += 3 * word;
    }
    for (size_t i = 0; i < count; i++) {
        strcpy((char *)desc + size, lines[i].path);
        size += strlen(lines[i].path) + 1;
    }
    core_note(core, "CORE", NT_FILE, desc, size);
}

static inline void core_load(struct core *core, uint64_t vaddr, uint64_t memsz, uint32_t flags,
                             const uint8_t *bytes, uint64_t filesz)
{
    assert_true(core->load_count < CORE_LOADS);
    core->loads[core->load_count++] = (struct core_load){
        .vaddr = vaddr, .memsz = memsz, .filesz = filesz, .flags = flags, .bytes = bytes};
}

static inline void core_phdr(const struct core *core, uint8_t *at, uint32_t type,
                             const struct core_load *load)
{
    if (core->arch->word_size == 8) {
        Elf64_Phdr phdr = {.p_type = type,
                           .p_flags = load->flags,
                           .p_offset = load->off,
                           .p_vaddr = load->vaddr,
                           .p_filesz = load->filesz,
                           .p_memsz = load->memsz};
        memcpy(at, &phdr, sizeof(phdr));
    } else {
        Elf32_Phdr phdr = {.p_type = type,
                           .p_flags = load->flags,
                           .p_offset = (uint32_t)load->off,
                           .p_vaddr = (uint32_t)load->vaddr,
                           .p_filesz = (uint32_t)load->filesz,
                           .p_memsz = (uint32_t)load->memsz};
        memcpy(at, &phdr, sizeof(phdr));
    }
}

static inline void core_head(const struct core *core, uint8_t *at, uint16_t phnum)
{
    Elf64_Ehdr *head = (Elf64_Ehdr *)at;
    bool is_64 = core->arch->word_size == 8;

    memcpy(at, ELFMAG, SELFMAG);
    at[EI_CLASS] = is_64 ? ELFCLASS64 : ELFCLASS32;
    at[EI_DATA] = ELFDATA2LSB;
    at[EI_VERSION] = EV_CURRENT;
    head->e_type = ET_CORE;
    head->e_machine = core->arch->elf_machine;
    if (is_64) {
        head->e_phoff = sizeof(Elf64_Ehdr);
        head->e_phentsize = sizeof(Elf64_Phdr);
        head->e_phnum = phnum;
    } else {
        Elf32_Ehdr *head32 = (Elf32_Ehdr *)at;
        head32->e_phoff = sizeof(Elf32_Ehdr);
        head32->e_phentsize = sizeof(Elf32_Phdr);
        head32->e_phnum = phnum;
    }
}

/* Header, program headers, notes, then the segments: as the kernel does it. */
static inline void core_end(struct core *core)
{
    bool is_64 = core->arch->word_size == 8;
    size_t head = is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
    size_t entry = is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    struct core_load note = {.filesz = core->note_size};
    size_t off = core->notes_off = head + (core->load_count + 1) * entry;

    core_head(core, core->bytes, (uint16_t)(core->load_count + 1));
    note.off = off;
    core_phdr(core, core->bytes + head, PT_NOTE, &note);
    memcpy(core->bytes + off, core->notes, core->note_size);
    off += core->note_size;
    for (size_t i = 0; i < core->load_count; i++) {
        struct core_load *load = &core->loads[i];
        load->off = off;
        core_phdr(core, core->bytes + head + (i + 1) * entry, PT_LOAD, load);
        assert_true(off + load->filesz <= sizeof(core->bytes));
        if (load->filesz)
            memcpy(core->bytes + off, load->bytes, (size_t)load->filesz);
        off += (size_t)load->filesz;
    }
    core->size = off;
}

/* The first `size` bytes of it, as a file. */
static inline enum status core_try(struct core *core, size_t size, struct snap_source **out,
                                   struct diag *diag)
{
    core->fd = memfd_create("core", 0);
    assert_true(core->fd >= 0);
    assert_int_equal(write(core->fd, core->bytes, size), (ssize_t)size);
    return snap_source_open(core->fd, "core", out, diag);
}

static inline struct snap_source *core_open(struct core *core, size_t size)
{
    struct snap_source *source;
    struct diag diag;

    assert_int_equal(core_try(core, size, &source, &diag), STATUS_OK);
    return source;
}

static inline void core_close(struct core *core, struct snap_source *source)
{
    snap_source_close(source);
    close(core->fd);
    core->fd = -1;
}

#endif
