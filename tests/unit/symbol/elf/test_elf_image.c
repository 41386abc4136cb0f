/* SPDX-License-Identifier: MIT */
#include "elf_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

static enum status open_bytes(const void *bytes, size_t size, struct diag *diag)
{
    struct elf_image *image = NULL;
    enum status status = elf_image_open_bytes(bytes, size, "x.so", &image, diag);

    if (status == STATUS_OK)
        elf_image_close(image);
    return status;
}

static struct elf_fixture *plain_elf(uint16_t machine)
{
    struct elf_fixture *elf = fixture_create(machine);

    fixture_text(elf, 256);
    fixture_build_id(elf, 0x10);
    fixture_finish(elf);
    return elf;
}

TEST(elf_image_of_no_elf_is_bad_data)
{
    struct diag diag;

    assert_int_equal(open_bytes("#!/bin/sh\n", 10, &diag), STATUS_BAD_DATA);
    assert_string_equal(diag.file, "x.so");
    assert_string_equal(diag.what, "not an ELF file");
    assert_int_equal(open_bytes("", 0, &diag), STATUS_BAD_DATA);
}

TEST(elf_image_of_other_machines_is_unsupported)
{
    struct elf_fixture *elf = plain_elf(EM_X86_64);
    struct diag diag;

    elf->bytes[18] = EM_SPARC;
    assert_int_equal(open_bytes(elf->bytes, elf->size, &diag), STATUS_UNSUPPORTED);
    elf->bytes[18] = EM_386; /* 64-bit headers and a 32-bit machine */
    assert_int_equal(open_bytes(elf->bytes, elf->size, &diag), STATUS_UNSUPPORTED);
    elf->bytes[18] = EM_X86_64;
    elf->bytes[EI_DATA] = ELFDATA2MSB;
    assert_int_equal(open_bytes(elf->bytes, elf->size, &diag), STATUS_UNSUPPORTED);
    free(elf);
}

TEST(elf_image_cut_anywhere_opens_or_is_refused)
{
    struct elf_fixture *elf = plain_elf(EM_X86_64);
    struct elf_image *image;
    struct elf_section section;
    struct diag diag;

    for (size_t size = 0; size < elf->size; size++) {
        uint8_t *copy = malloc(size + 1); /* of that size, so that ASan sees what lies beyond */

        assert_non_null(copy);
        memcpy(copy, elf->bytes, size);
        if (elf_image_open_bytes(copy, size, "cut", &image, &diag) == STATUS_OK) {
            if (elf_image_section(image, ".text", &section) == STATUS_OK)
                assert_true(section.size == 256 && section.bytes[255] == 0x90);
            elf_image_close(image);
        }
        free(copy);
    }
    free(elf);
}

TEST(elf_image_special_files_are_refused_at_once)
{
    char dir[] = "/tmp/elf_image_XXXXXX", fifo[64];
    struct elf_image *image;
    struct diag diag;

    assert_non_null(mkdtemp(dir));
    snprintf(fifo, sizeof(fifo), "%s/fifo", dir);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(elf_image_open(fifo, &image, &diag), STATUS_BAD_DATA);
    assert_int_equal(elf_image_open(dir, &image, &diag), STATUS_BAD_DATA);
    assert_int_equal(unlink(fifo), 0);
    assert_int_equal(elf_image_open(fifo, &image, &diag), STATUS_IO);
    assert_int_equal(rmdir(dir), 0);
}

TEST(elf_image_facts_are_read)
{
    struct elf_image *image = fixture_open(plain_elf(EM_AARCH64));
    const uint8_t *id;
    size_t size, count;
    uint64_t start, end;

    assert_int_equal(elf_image_arch(image)->id, ARCH_AARCH64);
    assert_int_equal(elf_image_type(image), ET_DYN);
    assert_int_equal(elf_image_entry_vaddr(image), FIXTURE_FIRST);
    id = elf_image_build_id(image, &size);
    assert_int_equal(size, 20);
    assert_int_equal(id[0], 0x10);
    assert_int_equal(id[19], 0x23);
    assert_int_equal(elf_image_segments(image, &count)[0].vaddr, FIXTURE_BASE);
    assert_int_equal(count, 1);
    assert_int_equal(elf_image_exec_range(image, FIXTURE_FIRST + 255, &start, &end), STATUS_OK);
    assert_int_equal(start, FIXTURE_FIRST);
    assert_int_equal(end, FIXTURE_FIRST + 256);
    assert_int_equal(elf_image_exec_range(image, end, &start, &end), STATUS_NOT_FOUND);
    assert_false(elf_image_is_debug_only(image));
    elf_image_close(image);
}

TEST(elf_image_bytes_at_end_with_the_segment)
{
    struct elf_image *image = fixture_open(plain_elf(EM_X86_64));
    uint64_t avail;
    size_t size;
    const uint8_t *bytes = elf_image_file_bytes(image, &size);

    assert_ptr_equal(elf_image_bytes_at(image, FIXTURE_FIRST, &avail), bytes + FIXTURE_HEADERS);
    assert_true(avail > 256 && avail <= size - FIXTURE_HEADERS);
    assert_null(elf_image_bytes_at(image, FIXTURE_BASE - 1, &avail));
    assert_null(elf_image_bytes_at(image, FIXTURE_BASE + size, &avail));
    elf_image_close(image);
}

TEST(elf_image_may_change_where_it_is_writable_but_for_relro)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct elf_image *image;

    fixture_text(elf, 16);
    fixture_segment(elf, PT_LOAD, PF_R | PF_W, FIXTURE_HEADERS, 0x600000, 16)->p_memsz = 0x100;
    fixture_segment(elf, PT_GNU_RELRO, PF_R, FIXTURE_HEADERS, 0x600000, 8);
    fixture_finish(elf);
    image = fixture_open(elf);
    assert_false(elf_image_may_change(image, FIXTURE_FIRST));
    assert_false(elf_image_may_change(image, 0x600007));
    assert_true(elf_image_may_change(image, 0x600008));
    assert_true(elf_image_may_change(image, 0x6000ff)); /* .bss */
    assert_false(elf_image_may_change(image, 0x600100));
    elf_image_close(image);
}

TEST(elf_image_section_beyond_the_file_is_bad_data)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct elf_section section;
    struct elf_image *image;

    fixture_text(elf, 256);
    fixture_section(elf, ".far", SHT_PROGBITS, 0, "x", 1);
    elf->sections[2].sh_size = UINT64_MAX - 16;
    fixture_section(elf, ".bss", SHT_NOBITS, SHF_ALLOC, NULL, 64);
    elf->sections[3].sh_size = UINT64_C(1) << 40;
    fixture_finish(elf);
    image = fixture_open(elf);
    assert_int_equal(elf_image_section(image, ".far", &section), STATUS_BAD_DATA);
    assert_int_equal(elf_image_section(image, ".bss", &section), STATUS_OK);
    assert_null(section.bytes);
    assert_int_equal(elf_image_section(image, ".none", &section), STATUS_NOT_FOUND);
    elf_image_close(image);
}

TEST(elf_image_compressed_section_is_inflated_once)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    uint8_t packed[256], plain[1000] = {1, 2, 3};
    Elf64_Chdr header = {.ch_type = ELFCOMPRESS_ZLIB, .ch_size = sizeof(plain), .ch_addralign = 1};
    uLongf size = sizeof(packed) - sizeof(header);
    struct elf_section first, second;
    struct elf_image *image;

    memcpy(packed, &header, sizeof(header));
    assert_int_equal(compress(packed + sizeof(header), &size, plain, sizeof(plain)), Z_OK);
    fixture_text(elf, 16);
    fixture_section(elf, ".debug_info", SHT_PROGBITS, SHF_COMPRESSED, packed,
                    sizeof(header) + size);
    fixture_section(elf, ".debug_line", SHT_PROGBITS, SHF_COMPRESSED, packed,
                    sizeof(header) + size / 2);
    fixture_finish(elf);
    image = fixture_open(elf);
    assert_int_equal(elf_image_section(image, ".debug_info", &first), STATUS_OK);
    assert_int_equal(first.size, sizeof(plain));
    assert_memory_equal(first.bytes, plain, sizeof(plain));
    assert_int_equal(elf_image_section(image, ".debug_info", &second), STATUS_OK);
    assert_ptr_equal(first.bytes, second.bytes);
    assert_int_equal(elf_image_section(image, ".debug_line", &first), STATUS_BAD_DATA);
    elf_image_close(image);
}

TEST(elf_image_zdebug_section_has_two_names)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    uint8_t packed[256] = {'Z', 'L', 'I', 'B', [11] = 100}, plain[100] = {5};
    uLongf size = sizeof(packed) - 12;
    struct elf_section section;
    struct elf_image *image;

    assert_int_equal(compress(packed + 12, &size, plain, sizeof(plain)), Z_OK);
    fixture_section(elf, ".zdebug_info", SHT_PROGBITS, 0, packed, 12 + size);
    fixture_finish(elf);
    image = fixture_open(elf);
    assert_int_equal(elf_image_section(image, ".debug_info", &section), STATUS_OK);
    assert_int_equal(section.size, 100);
    assert_int_equal(section.bytes[0], 5);
    elf_image_close(image);
}

/* The tables of a file without section headers, found through PT_GNU_EH_FRAME. */
TEST(elf_image_without_sections_finds_eh_frame_by_its_header)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    uint8_t hdr[12] = {1, 0x1b, 0x03, 0x3b}, frames[64] = {0x14};
    struct elf_section section;
    struct elf_image *image;
    unsigned index;

    fixture_text(elf, 64);
    index = fixture_section(elf, ".eh_frame_hdr", SHT_PROGBITS, SHF_ALLOC, hdr, sizeof(hdr));
    fixture_section(elf, ".eh_frame", SHT_PROGBITS, SHF_ALLOC, frames, sizeof(frames));
    /*
     * .eh_frame follows at the next multiple of 16: 16 bytes from the header's start, 12 from the
     * pointer.
     */
    elf->bytes[elf->sections[index].sh_offset + 4] = 12;
    fixture_segment_of(elf, PT_GNU_EH_FRAME, index);
    fixture_build_id(elf, 0x30);
    fixture_segment_of(elf, PT_NOTE, index + 2);
    fixture_finish_stripped(elf);
    image = fixture_open(elf);
    assert_int_equal(elf_image_section(image, ".eh_frame_hdr", &section), STATUS_OK);
    assert_int_equal(section.size, 12);
    assert_int_equal(elf_image_section(image, ".eh_frame", &section), STATUS_OK);
    assert_int_equal(section.vaddr, FIXTURE_FIRST + 64 + 16);
    assert_int_equal(section.bytes[0], 0x14);
    assert_int_equal(elf_image_section(image, ".text", &section), STATUS_NOT_FOUND);
    assert_int_equal(elf_image_build_id(image, &(size_t){0})[0], 0x30);
    elf_image_close(image);
}

TEST(elf_image_with_absent_code_is_debug_only)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct elf_image *image;

    fixture_section(elf, ".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, NULL, 64);
    fixture_finish(elf);
    image = fixture_open(elf);
    assert_true(elf_image_is_debug_only(image));
    elf_image_close(image);
}

/* Each page of code costs for each address that it is loaded to. */
TEST(elf_image_that_loads_its_bytes_many_times_is_refused)
{
    for (unsigned more = 1; more <= 2; more++) { /* finishing adds one that loads all */
        struct elf_fixture *elf = fixture_create(EM_X86_64);
        struct elf_image *image = NULL;
        struct diag diag;

        fixture_text(elf, 16384);
        for (unsigned i = 0; i < more; i++)
            fixture_segment(elf, PT_LOAD, PF_R | PF_X, 0, 0x10000000 * (i + 1), elf->size);
        fixture_finish(elf);
        assert_int_equal(elf_image_open_bytes(elf->bytes, elf->size, "many", &image, &diag),
                         more == 1 ? STATUS_OK : STATUS_BAD_DATA);
        if (more == 1)
            elf_image_close(image);
        else
            assert_non_null(strstr(diag.what, "again and again"));
        free(elf);
    }
}

TEST(elf_image_with_more_segments_than_any_program_is_refused)
{
    const size_t count = 1025;
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    Elf64_Ehdr *ehdr = (Elf64_Ehdr *)elf->bytes;
    struct elf_image *image = NULL;
    struct diag diag;

    fixture_text(elf, 256);
    fixture_finish(elf);
    ehdr->e_phoff = elf->size;
    ehdr->e_phnum = (Elf64_Half)count;
    for (size_t i = 0; i < count; i++) {
        const Elf64_Phdr segment = {.p_type = PT_LOAD, .p_flags = PF_X, .p_vaddr = 4096 * i};

        memcpy(elf->bytes + elf->size, &segment, sizeof(segment));
        elf->size += sizeof(segment);
    }
    assert_int_equal(elf_image_open_bytes(elf->bytes, elf->size, "many", &image, &diag),
                     STATUS_BAD_DATA);
    assert_non_null(strstr(diag.what, "1025 segments"));
    ehdr->e_phnum--;
    assert_int_equal(elf_image_open_bytes(elf->bytes, elf->size, "many", &image, &diag), STATUS_OK);
    elf_image_close(image);
    free(elf);
}
