/* SPDX-License-Identifier: MIT */
/*
 * How fast Capstone decodes a file's .text: the yardstick for tests/bench/rows.
 *
 *     decode FILE [detail|plain]
 *
 * One pass from the section's start to its end, with one reused instruction; a byte that begins
 * none is skipped. Prints the number of instructions. x86-64 and AArch64: where .text is one
 * instruction set without data.
 */
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <capstone/capstone.h>

static const Elf64_Shdr *find_text(const uint8_t *bytes)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(bytes + header->e_shoff);
    const char *names = (const char *)bytes + sections[header->e_shstrndx].sh_offset;

    for (unsigned i = 0; i < header->e_shnum; i++)
        if (strcmp(names + sections[i].sh_name, ".text") == 0)
            return &sections[i];
    return NULL;
}

static uint64_t decode(csh handle, cs_insn *insn, const uint8_t *bytes, size_t left, uint64_t vaddr,
                       unsigned unit)
{
    uint64_t count = 0;

    while (left >= unit) {
        if (cs_disasm_iter(handle, &bytes, &left, &vaddr, insn)) {
            count++;
            continue;
        }
        bytes += unit;
        vaddr += unit;
        left -= unit;
    }
    return count;
}

int main(int argc, char **argv)
{
    int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
    struct stat stat;
    const uint8_t *bytes;
    const Elf64_Shdr *text;
    bool a64;
    csh handle;

    if (fd < 0 || fstat(fd, &stat) != 0 || stat.st_size < (off_t)sizeof(Elf64_Ehdr))
        return 2;
    bytes = mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED || memcmp(bytes, ELFMAG, SELFMAG) != 0 ||
        bytes[EI_CLASS] != ELFCLASS64 || !(text = find_text(bytes)))
        return 2;
    a64 = ((const Elf64_Ehdr *)bytes)->e_machine == EM_AARCH64;
    if (cs_open(a64 ? CS_ARCH_ARM64 : CS_ARCH_X86, a64 ? CS_MODE_ARM : CS_MODE_64, &handle) !=
        CS_ERR_OK)
        return 1;
    if (argc < 3 || strcmp(argv[2], "plain") != 0)
        cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
    printf("%" PRIu64 "\n", decode(handle, cs_malloc(handle), bytes + text->sh_offset,
                                   text->sh_size, text->sh_addr, a64 ? 4 : 1));
    return 0;
}
