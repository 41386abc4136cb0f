/* SPDX-License-Identifier: MIT */
/*
 * Code that was made at run time, of which a symbol file tells by GDB's JIT interface (the GDB
 * manual, "JIT Compilation Interface"). The file, registered_code.c, was linked at its address.
 *
 * usage: registered SECONDS FILE [WAY]
 *   plain    the file is registered, as without WAY
 *   loop     the list leads back to its first entry
 *   lies     before it are entries of memory that is not there, not all there, and no ELF file
 *   damaged  the file's symbols are beyond its end
 *   churn    while it runs, other copies are registered, taken back, and overwritten
 *   anew     the file is copied, and registered, again and again, by the same entry
 *   hung     the list goes on in memory that whoever reads it waits for, for ever
 *   none     nothing is registered
 *
 * Chains of running threads are, inner to outer:
 *
 *     busy < made_inner < made_outer < enter < main
 */
#include <elf.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "now.h"

#if __SIZEOF_POINTER__ == 8
typedef Elf64_Ehdr elf_head;
typedef Elf64_Phdr elf_segment;
typedef Elf64_Shdr elf_section;
typedef Elf64_Sym elf_symbol;
#else
typedef Elf32_Ehdr elf_head;
typedef Elf32_Phdr elf_segment;
typedef Elf32_Shdr elf_section;
typedef Elf32_Sym elf_symbol;
#endif

enum { NOTHING, REGISTER, UNREGISTER };

struct jit_code_entry {
    struct jit_code_entry *next, *prev;
    const void *symfile_addr;
    uint64_t symfile_size;
};

struct jit_descriptor {
    uint32_t version, action_flag;
    struct jit_code_entry *relevant_entry, *first_entry;
};

void __jit_debug_register_code(void);
extern struct jit_descriptor __jit_debug_descriptor;

__attribute__((noinline)) void __jit_debug_register_code(void)
{
    __asm__ volatile("" ::: "memory");
}

struct jit_descriptor __jit_debug_descriptor = {.version = 1};

typedef unsigned work_fn(unsigned n);
typedef unsigned outer_fn(work_fn *work, unsigned n);

static outer_fn *made_outer;

static __attribute__((noinline)) unsigned busy(unsigned n)
{
    for (volatile unsigned i = 0; i < 100000; i++)
        n += i;
    return n;
}

static __attribute__((noinline)) unsigned enter(unsigned n)
{
    return made_outer(busy, n) + 1;
}

static void put_in_front(struct jit_code_entry *entry, const void *file, uint64_t size)
{
    struct jit_code_entry *first = __jit_debug_descriptor.first_entry;

    *entry = (struct jit_code_entry){.next = first, .symfile_addr = file, .symfile_size = size};
    if (first)
        first->prev = entry;
    __jit_debug_descriptor.first_entry = __jit_debug_descriptor.relevant_entry = entry;
    __jit_debug_descriptor.action_flag = REGISTER;
    __jit_debug_register_code();
}

static void take_first(void)
{
    struct jit_code_entry *first = __jit_debug_descriptor.first_entry;

    __jit_debug_descriptor.first_entry = first->next;
    if (first->next)
        first->next->prev = NULL;
    __jit_debug_descriptor.relevant_entry = first;
    __jit_debug_descriptor.action_flag = UNREGISTER;
    __jit_debug_register_code();
}

static char *read_file(const char *path, size_t *size)
{
    const int fd = open(path, O_RDONLY);
    struct stat st;
    char *bytes;

    if (fd < 0 || fstat(fd, &st) != 0)
        exit(1);
    *size = (size_t)st.st_size;
    bytes = malloc(*size);
    if (!bytes || read(fd, bytes, *size) != (ssize_t)*size)
        exit(1);
    close(fd);
    return bytes;
}

/* The segments, where the file says. */
static void load(const char *file)
{
    const elf_head *head = (const elf_head *)file;
    const elf_segment *segments = (const elf_segment *)(file + head->e_phoff);
    const uintptr_t page = 4095;

    for (unsigned i = 0; i < head->e_phnum; i++) {
        const elf_segment *s = &segments[i];
        const uintptr_t start = (uintptr_t)s->p_vaddr & ~page;

        if (s->p_type != PT_LOAD)
            continue;
        if (mmap((void *)start, (uintptr_t)s->p_vaddr - start + s->p_memsz,
                 PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                 0) == MAP_FAILED)
            exit(1);
        memcpy((void *)(uintptr_t)s->p_vaddr, file + s->p_offset, s->p_filesz);
    }
    made_outer = (outer_fn *)(uintptr_t)head->e_entry;
}

static void damage(char *file)
{
    const elf_head *head = (const elf_head *)file;
    elf_section *sections = (elf_section *)(file + head->e_shoff);

    for (unsigned i = 0; i < head->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB)
            sections[i].sh_offset = 0x7fffff00;
}

/* Memory of which no page is ever brought; NULL: it is not to be had. */
static void *hanging(void)
{
    const int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
    struct uffdio_api api = {.api = UFFD_API};
    struct uffdio_register range = {.mode = UFFDIO_REGISTER_MODE_MISSING};
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    range.range.start = (uintptr_t)memory;
    range.range.len = 4096;
    return fd >= 0 && memory != MAP_FAILED && ioctl(fd, UFFDIO_API, &api) == 0 &&
                   ioctl(fd, UFFDIO_REGISTER, &range) == 0
               ? memory
               : NULL;
}

static void lie(const char *file, size_t size)
{
    static const char text[] =
        "This is no ELF file, and has the length of one that could be.......";
    static struct jit_code_entry entries[4];

    put_in_front(&entries[0], file, UINT64_C(1) << 62);
    put_in_front(&entries[1], file, size + (UINT64_C(60) << 20)); /* more than is mapped there */
    put_in_front(&entries[2], text, sizeof(text));
    put_in_front(&entries[3], (const void *)8, size);
}

static char *copy_of(const char *file, size_t size)
{
    char *copy = malloc(size);

    if (!copy)
        exit(1);
    memcpy(copy, file, size);
    return copy;
}

/* A file comes, and goes, and something else is where it was. */
static void churn(const char *file, size_t size)
{
    struct jit_code_entry *entry = malloc(sizeof(*entry));
    char *copy = copy_of(file, size);

    if (!entry)
        exit(1);
    put_in_front(entry, copy, size);
    usleep(500);
    take_first();
    memset(copy, 0xff, size);
    memset(entry, 0xff, sizeof(*entry));
    free(copy);
    free(entry);
}

/* The names are others each time: the first letter of each changes. */
static void register_anew(struct jit_code_entry *entry, char *file, size_t size)
{
    static char letter = 'a';

    take_first();
    for (size_t i = 0; i + 10 < size; i++)
        if (memcmp(file + i + 1, "ade_outer", 9) == 0 || memcmp(file + i + 1, "ade_inner", 9) == 0)
            file[i] = letter;
    letter = letter == 'z' ? 'a' : (char)(letter + 1);
    put_in_front(entry, file, size);
}

int main(int argc, char **argv)
{
    const char *way = argc > 3 ? argv[3] : "plain";
    static struct jit_code_entry entry, second;
    double begin = now(), changed = begin;
    unsigned n = 0;
    size_t size;
    char *file;

    if (argc < 3)
        return 1;
    file = read_file(argv[2], &size);
    load(file);
    if (strcmp(way, "damaged") == 0)
        damage(file);
    if (strcmp(way, "none") != 0)
        put_in_front(&entry, file, size);
    if (strcmp(way, "loop") == 0) {
        put_in_front(&second, copy_of(file, size), size);
        entry.next = &second;
    } else if (strcmp(way, "lies") == 0) {
        lie(file, size);
    } else if (strcmp(way, "hung") == 0 && !(entry.next = hanging())) {
        puts("no userfaultfd");
        return 0;
    }
    puts("ready");
    fflush(stdout);
    while (now() < begin + atof(argv[1])) {
        n = enter(n);
        if (strcmp(way, "churn") == 0 && now() > changed + 0.02) {
            changed = now();
            churn(file, size);
        }
        if (strcmp(way, "anew") == 0 && now() > changed + 0.2) {
            changed = now();
            register_anew(&entry, file, size);
        }
    }
    return n == 1;
}
