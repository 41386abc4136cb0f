/* SPDX-License-Identifier: MIT */
/* The program's own files, in its own memory. */
#include "runtime/jit/capture/elf_symbol.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit_test.h"

static volatile char a_variable_of_this_test[37];
static int memory_fd, file_fd;
static uint64_t spoiled_addr; /* one byte there is read as another; UINT64_MAX: none is */

static bool read_fd(void *context, uint64_t at, void *buffer, size_t size)
{
    const int *fd = context;

    if (pread(*fd, buffer, size, (off_t)at) != (ssize_t)size)
        return false;
    if (spoiled_addr >= at && spoiled_addr - at < size)
        ((uint8_t *)buffer)[spoiled_addr - at] ^= 0xff;
    return true;
}

static const struct target_bytes memory = {.read = read_fd, .context = &memory_fd};
static const struct target_bytes file = {.read = read_fd, .context = &file_fd};

static int set_up(void **state)
{
    (void)state;
    spoiled_addr = UINT64_MAX;
    memory_fd = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    file_fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    return memory_fd < 0 || file_fd < 0;
}

static int tear_down(void **state)
{
    (void)state;
    close(memory_fd);
    close(file_fd);
    return 0;
}

struct wanted {
    const char *name;
    uint64_t head_addr;
};

static int take_module(struct dl_phdr_info *info, size_t size, void *context)
{
    struct wanted *wanted = context;

    (void)size;
    if (wanted->name ? strstr(info->dlpi_name, wanted->name) != NULL : !info->dlpi_name[0])
        for (unsigned i = 0; i < info->dlpi_phnum && !wanted->head_addr; i++)
            if (info->dlpi_phdr[i].p_type == PT_LOAD)
                wanted->head_addr =
                    info->dlpi_addr + info->dlpi_phdr[i].p_vaddr - info->dlpi_phdr[i].p_offset;
    return 0;
}

/* NULL: the program itself. */
static struct elf_mapped mapped(const char *name)
{
    struct wanted wanted = {.name = name};
    struct elf_mapped out;

    dl_iterate_phdr(take_module, &wanted);
    assert_int_equal(elf_mapped_find(&memory, wanted.head_addr, &out), STATUS_OK);
    return out;
}

TEST_WITH(elf_symbol_is_found_in_memory, set_up, tear_down)
{
    const struct elf_mapped libc = mapped("libc.so.6");
    void *handle = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    uint64_t addr = 0;

    assert_non_null(handle);
    assert_int_equal(elf_symbol_in_memory(&memory, &libc, "_IO_2_1_stdout_", &addr), STATUS_OK);
    assert_true(addr == (uintptr_t)dlsym(handle, "_IO_2_1_stdout_"));
    dlclose(handle);
}

TEST_WITH(elf_symbol_that_is_no_variable_is_not_found, set_up, tear_down)
{
    const struct elf_mapped libc = mapped("libc.so.6");
    uint64_t addr;

    assert_int_equal(elf_symbol_in_memory(&memory, &libc, "printf", &addr), STATUS_NOT_FOUND);
    assert_int_equal(elf_symbol_in_memory(&memory, &libc, "no_such_variable", &addr),
                     STATUS_NOT_FOUND);
}

TEST_WITH(elf_symbol_is_found_in_the_file, set_up, tear_down)
{
    const struct elf_mapped own = mapped(NULL);
    uint64_t vaddr;

    assert_int_equal(elf_symbol_in_file(&file, UINT64_MAX, "a_variable_of_this_test",
                                        sizeof(a_variable_of_this_test), &vaddr),
                     STATUS_OK);
    assert_true(own.bias + vaddr == (uintptr_t)a_variable_of_this_test);
    assert_int_equal(elf_symbol_in_file(&file, UINT64_MAX, "a_variable_of_this_test", 8, &vaddr),
                     STATUS_NOT_FOUND);
}

TEST_WITH(elf_symbol_tables_that_are_damaged_lead_nowhere, set_up, tear_down)
{
    const struct elf_mapped libc = mapped("libc.so.6");
    struct elf_mapped damaged;
    uint64_t addr;

    for (uint64_t i = 0; i < libc.dynamic_size; i++) {
        spoiled_addr = libc.dynamic_addr + i;
        (void)!elf_symbol_in_memory(&memory, &libc, "_IO_2_1_stdout_", &addr);
    }
    for (uint64_t i = 0; i < 0x400; i++) {
        spoiled_addr = libc.bias + i;
        (void)!elf_mapped_find(&memory, libc.bias, &damaged);
    }
    for (uint64_t i = 1; i < 64; i++) {
        spoiled_addr = i;
        (void)!elf_symbol_in_file(&file, UINT64_MAX, "a_variable_of_this_test", 37, &addr);
    }
    spoiled_addr = libc.bias;
    assert_int_equal(elf_mapped_find(&memory, libc.bias, &damaged), STATUS_NOT_FOUND);
    assert_int_equal(elf_mapped_find(&memory, 8, &damaged), STATUS_FAULT);
}

/* A file in memory, and how many of its bytes were read. */
struct counted_file {
    uint8_t *bytes;
    size_t size, read;
};

static bool read_counted(void *context, uint64_t at, void *buffer, size_t size)
{
    struct counted_file *from = context;

    if (at > from->size || size > from->size - at)
        return false;
    memcpy(buffer, from->bytes + at, size);
    from->read += size;
    return true;
}

/*
 *     header | symbols | 1,000 section headers, each of which says that it is of these symbols
 */
TEST(elf_symbol_one_table_of_many_sections_is_not_read_for_each)
{
    enum { SECTIONS = 1000, SYMBOLS = 2000 };
    const Elf64_Shdr section = {.sh_type = SHT_SYMTAB,
                                .sh_offset = sizeof(Elf64_Ehdr),
                                .sh_size = SYMBOLS * sizeof(Elf64_Sym)};
    const size_t sections_off = sizeof(Elf64_Ehdr) + SYMBOLS * sizeof(Elf64_Sym);
    const Elf64_Ehdr head = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
                                         ELFDATA2LSB, EV_CURRENT},
                             .e_type = ET_DYN,
                             .e_machine = EM_X86_64,
                             .e_version = EV_CURRENT,
                             .e_shoff = sections_off,
                             .e_ehsize = sizeof(Elf64_Ehdr),
                             .e_phentsize = sizeof(Elf64_Phdr),
                             .e_shentsize = sizeof(Elf64_Shdr),
                             .e_shnum = SECTIONS};
    struct counted_file counted = {.size = sections_off + SECTIONS * sizeof(section)};
    const struct target_bytes from = {.read = read_counted, .context = &counted};
    uint64_t vaddr;

    counted.bytes = calloc(1, counted.size);
    assert_non_null(counted.bytes);
    memcpy(counted.bytes, &head, sizeof(head));
    for (size_t i = 0; i < SECTIONS; i++)
        memcpy(counted.bytes + sections_off + i * sizeof(section), &section, sizeof(section));
    assert_int_equal(elf_symbol_in_file(&from, counted.size, "x", 8, &vaddr), STATUS_NOT_FOUND);
    assert_in_range(counted.read, sections_off, 4 * counted.size);
    free(counted.bytes);
}
