/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/build_id.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "unit_test.h"

/* An ELF file in memory: header, program headers, notes. */
struct image {
    uint8_t bytes[1024];
    size_t size;
};

static bool read_image(void *context, uint64_t off, void *buffer, size_t size)
{
    const struct image *image = context;

    if (off > image->size || size > image->size - off)
        return false;
    memcpy(buffer, image->bytes + off, size);
    return true;
}

static void put_note(uint8_t *at, uint32_t type, uint32_t desc_size)
{
    const uint32_t head[3] = {4, desc_size, type};

    memcpy(at, head, sizeof(head));
    memcpy(at + 12, "GNU", 4);
    for (uint32_t i = 0; i < desc_size; i++)
        at[16 + i] = (uint8_t)(0xa0 + i);
}

/* Two PT_NOTE segments: an ABI tag, then a build-id after another note. */
static struct image make_64(void)
{
    struct image image = {.size = sizeof(image.bytes)};
    Elf64_Ehdr head = {.e_phoff = 64, .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 3};
    Elf64_Phdr phdr[3] = {{.p_type = PT_LOAD, .p_filesz = 1024},
                          {.p_type = PT_NOTE, .p_offset = 256, .p_filesz = 32},
                          {.p_type = PT_NOTE, .p_offset = 320, .p_filesz = 32 + 36}};

    memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_ident[EI_DATA] = ELFDATA2LSB;
    memcpy(image.bytes, &head, sizeof(head));
    memcpy(image.bytes + 64, phdr, sizeof(phdr));
    put_note(image.bytes + 256, NT_GNU_ABI_TAG, 16);
    put_note(image.bytes + 320, NT_GNU_PROPERTY_TYPE_0, 13);
    put_note(image.bytes + 352, NT_GNU_BUILD_ID, 20);
    return image;
}

TEST(build_id_in_the_second_segment_is_found)
{
    struct image image = make_64();
    struct build_id id;

    assert_int_equal(build_id_find(read_image, &image, &id), STATUS_OK);
    assert_int_equal(id.size, 20);
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(id.bytes[i], 0xa0 + i);
}

TEST(build_id_of_a_32_bit_file_is_found)
{
    struct image image = {.size = sizeof(image.bytes)};
    Elf32_Ehdr head = {.e_phoff = 52, .e_phentsize = sizeof(Elf32_Phdr), .e_phnum = 1};
    Elf32_Phdr phdr = {.p_type = PT_NOTE, .p_offset = 256, .p_filesz = 24};
    struct build_id id;

    memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS32;
    head.e_ident[EI_DATA] = ELFDATA2LSB;
    memcpy(image.bytes, &head, sizeof(head));
    memcpy(image.bytes + 52, &phdr, sizeof(phdr));
    put_note(image.bytes + 256, NT_GNU_BUILD_ID, 8);
    assert_int_equal(build_id_find(read_image, &image, &id), STATUS_OK);
    assert_int_equal(id.size, 8);
}

TEST(build_id_absent_is_not_found)
{
    struct image image = make_64();
    struct build_id id;

    put_note(image.bytes + 352, NT_GNU_HWCAP, 20);
    assert_int_equal(build_id_find(read_image, &image, &id), STATUS_NOT_FOUND);
    assert_int_equal(id.size, 0);
}

/* In another segment than GNU's, before or behind it, and where that is none. */
TEST(note_of_go_is_found_beside_the_build_id)
{
    struct image image = make_64();
    struct build_id id;

    assert_int_equal(build_id_find(read_image, &image, &id), STATUS_OK);
    assert_false(id.is_go);
    put_note(image.bytes + 256, 4, 16);
    assert_int_equal(build_id_find(read_image, &image, &id), STATUS_OK);
    assert_false(id.is_go); /* GNU's of that type */
    memcpy(image.bytes + 268, "Go\0", 4);
    assert_int_equal(build_id_find(read_image, &image, &id), STATUS_OK);
    assert_int_equal(id.size, 20);
    assert_true(id.is_go);
    put_note(image.bytes + 352, NT_GNU_HWCAP, 20);
    assert_int_equal(build_id_find(read_image, &image, &id), STATUS_NOT_FOUND);
    assert_true(id.is_go);
    image = make_64();
    put_note(image.bytes + 256, NT_GNU_BUILD_ID, 16);
    put_note(image.bytes + 352, 4, 20);
    memcpy(image.bytes + 364, "Go\0", 4);
    assert_int_equal(build_id_find(read_image, &image, &id), STATUS_OK);
    assert_int_equal(id.size, 16);
    assert_true(id.is_go);
}

TEST(build_id_of_no_elf_file_is_bad_data)
{
    struct image image = {.size = 1024};
    struct build_id id;

    assert_int_equal(build_id_find(read_image, &image, &id), STATUS_BAD_DATA);
    image.size = 10;
    assert_int_equal(build_id_find(read_image, &image, &id), STATUS_FAULT);
}

/* Whatever a byte is changed to, the answer is bounded and nothing is read outside. */
TEST(build_id_damaged_files_are_survived)
{
    static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};

    for (size_t at = 0; at < 420; at++)
        for (size_t v = 0; v < sizeof(values); v++) {
            struct image image = make_64();
            struct build_id id;
            enum status status;
            image.bytes[at] = values[v];
            status = build_id_find(read_image, &image, &id);
            assert_true(status != STATUS_OK || (id.size && id.size <= SNAP_BUILD_ID_MAX));
        }
}

TEST(build_id_from_memory_and_file_agree)
{
    uint64_t vdso = getauxval(AT_SYSINFO_EHDR);
    struct build_id memory, file;
    int fd = open("/proc/self/exe", O_RDONLY);
    enum status status = build_id_from_fd(fd, &file);
    uint64_t phdr = getauxval(AT_PHDR);

    close(fd);
    /* The program headers follow the ELF header, which the file's first mapping begins with. */
    assert_int_equal(build_id_from_memory(getpid(), phdr - sizeof(ElfW(Ehdr)), &memory), status);
    assert_int_equal(memory.size, file.size);
    assert_memory_equal(memory.bytes, file.bytes, file.size);
    if (vdso)
        assert_int_equal(build_id_from_memory(getpid(), vdso, &memory), STATUS_OK);
    assert_int_equal(build_id_from_memory(getpid(), 16, &memory), STATUS_FAULT);
}
