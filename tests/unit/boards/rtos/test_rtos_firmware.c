/* SPDX-License-Identifier: MIT */
/* Firmware files made to be slow to look at: sections, symbols and names without an end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "unit_test.h"
#include <elf.h>

#include "denied.h"
#include "boards/rtos/debug/firmware.h"
#include "boards/rtos/debug/layout.h"

#define SECTIONS 60000u
#define SYMBOLS  200000u
#define NAMES    (4u << 20)

enum status __real_firmware_parse(struct firmware *firmware, const char *path, struct diag *diag);
enum status __wrap_firmware_parse(struct firmware *firmware, const char *path, struct diag *diag);

enum status __wrap_firmware_parse(struct firmware *firmware, const char *path, struct diag *diag)
{
    if (denied)
        denied_try();
    if (strcmp(path, "/proc/self/exe") == 0)
        _exit(3); /* as one would that dies of it */
    return __real_firmware_parse(firmware, path, diag);
}

/* Of an ARM program: header, sections, the last three of which are named, symbols, names. */
struct slow_file {
    Elf32_Ehdr head;
    Elf32_Shdr sections[SECTIONS];
    Elf32_Sym symbols[SYMBOLS];
    char names[NAMES];
};

static struct slow_file *make_file(void)
{
    struct slow_file *file = calloc(1, sizeof(*file));
    Elf32_Shdr *named;

    assert_non_null(file);
    named = &file->sections[SECTIONS - 3];
    file->head = (Elf32_Ehdr){.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32,
                                          ELFDATA2LSB, EV_CURRENT},
                              .e_type = ET_EXEC,
                              .e_machine = EM_ARM,
                              .e_version = EV_CURRENT,
                              .e_shoff = offsetof(struct slow_file, sections),
                              .e_ehsize = sizeof(Elf32_Ehdr),
                              .e_phentsize = sizeof(Elf32_Phdr),
                              .e_shentsize = sizeof(Elf32_Shdr),
                              .e_shnum = SECTIONS,
                              .e_shstrndx = SECTIONS - 1};
    memset(file->names, 'x', NAMES);
    strcpy(file->names + NAMES - 64, ".symtab");
    strcpy(file->names + NAMES - 56, ".strtab");
    strcpy(file->names + NAMES - 48, "sk_current");
    strcpy(file->names + NAMES - 1, "");
    named[0] = (Elf32_Shdr){.sh_name = NAMES - 64,
                            .sh_type = SHT_SYMTAB,
                            .sh_offset = offsetof(struct slow_file, symbols),
                            .sh_size = sizeof(file->symbols)};
    named[1] = (Elf32_Shdr){.sh_name = NAMES - 56,
                            .sh_type = SHT_STRTAB,
                            .sh_offset = offsetof(struct slow_file, names),
                            .sh_size = NAMES};
    named[2] = named[1];
    named[2].sh_name = 0;
    for (unsigned i = 0; i < SYMBOLS; i++)
        file->symbols[i].st_info = STT_OBJECT;
    /* So that the first of the symbols of a system is there, and all are looked for. */
    file->symbols[SYMBOLS - 1].st_name = NAMES - 48;
    return file;
}

TEST(layout_of_60000_sections_and_endless_names_is_refused_at_once)
{
    const int fd = memfd_create("firmware", MFD_CLOEXEC);
    const clock_t start = clock();
    struct slow_file *file = make_file();
    struct rtos_layout *layout;
    struct diag diag;
    char path[32];

    assert_int_equal(write(fd, file, sizeof(*file)), sizeof(*file));
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    alarm(60); /* where it is not done at once it is not done today */
    assert_int_equal(rtos_layout_load(path, 0, &layout, &diag), STATUS_NOT_FOUND);
    alarm(0);
    assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
    free(file);
    close(fd);
}

TEST(firmware_is_read_where_nothing_else_can_be_done)
{
    struct rtos_layout *layout;
    struct diag diag = {.has_off = false};

    denied_begin();
    assert_int_equal(rtos_layout_load_apart("/bin/true", 0, &layout, &diag), STATUS_NOT_FOUND);
    denied_check(1);
    denied = NULL;
    assert_null(layout);
    assert_string_equal(diag.file, "/bin/true");
}

TEST(firmware_that_its_reader_dies_of_is_told)
{
    struct rtos_layout *layout;
    struct diag diag = {.has_off = false};

    assert_int_equal(rtos_layout_load_apart("/proc/self/exe", 0, &layout, &diag),
                     STATUS_UNSUPPORTED);
    assert_null(layout);
    assert_non_null(strstr(diag.what, "has ended"));
    assert_string_not_equal(diag.hint, "");
}

TEST(layout_that_makes_no_sense_is_refused)
{
    static uint8_t flat[RTOS_LAYOUT_FLAT_MAX];
    static const struct rtos_object object = {.addr = 16, .name = "lock"};
    struct rtos_layout layout = {.system = &rtos_sample,
                                 .arch = arch_get(ARCH_ARM),
                                 .objects = &object,
                                 .object_count = 1};
    struct rtos_layout *out;
    size_t size;

    assert_int_equal(rtos_layout_restore(flat, rtos_layout_flatten(&layout, flat), &out),
                     STATUS_BAD_DATA); /* fields that it must have are not there */
    for (size_t i = 0; i < RTOS_FIELDS_MAX; i++)
        layout.fields[i].is_there = true;
    size = rtos_layout_flatten(&layout, flat);
    assert_int_equal(rtos_layout_restore(flat, size - 1, &out), STATUS_BAD_DATA);
    assert_int_equal(rtos_layout_restore(flat, size, &out), STATUS_OK);
    assert_string_equal(out->objects[0].name, "lock");
    rtos_layout_destroy(out);
    memset(flat, 0xff, size);
    assert_int_equal(rtos_layout_restore(flat, size, &out), STATUS_BAD_DATA);
    assert_null(out);
}
