/* SPDX-License-Identifier: MIT */
#include "elf_fixture.h"

#include <sys/stat.h>
#include <unistd.h>

#include "symbol/elf/symtab.h"
#include "symbol/module_set.h"

/* A scratch directory and what is passed to module_set_create. */
struct place {
    char root[64];
    char given[128]; /* ROOT/given/lib.so, for --elf */
    char path[128];  /* ROOT/lib.so, the module's path */
    const char *elf_files[2];
    const struct elf_fixture *headers; /* the process's memory has those of it; NULL: nothing */
    struct module_options options;
    struct module_set *set;
};

static void place_init(struct place *place)
{
    char dir[128];

    *place = (struct place){0};
    strcpy(place->root, "/tmp/module_XXXXXX");
    assert_non_null(mkdtemp(place->root));
    snprintf(dir, sizeof(dir), "%s/given", place->root);
    assert_int_equal(mkdir(dir, 0700), 0);
    snprintf(place->given, sizeof(place->given), "%s/given/lib.so", place->root);
    snprintf(place->path, sizeof(place->path), "%s/lib.so", place->root);
    place->elf_files[0] = place->given;
}

static void place_deinit(struct place *place)
{
    char command[128];

    module_set_destroy(place->set);
    snprintf(command, sizeof(command), "rm -rf '%s'", place->root);
    assert_int_equal(system(command), 0);
}

/* Writes an ELF file of that build-id (0: none); `code` false makes it a debug file. */
static void write_elf(const char *path, uint16_t machine, uint8_t build_id, bool code)
{
    struct elf_fixture *elf = fixture_create(machine);
    struct symbol_fixture symbols;

    symbols_init(&symbols);
    symbols_add(&symbols, code ? "code" : "debug", STB_GLOBAL, STT_FUNC,
                FIXTURE_FIRST + (code ? 0 : 16), 16);
    if (code)
        fixture_text(elf, 64);
    else
        fixture_section(elf, ".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, NULL, 64);
    fixture_section(elf, ".interp", SHT_PROGBITS, SHF_ALLOC, "", 1);
    fixture_symbols(elf, &symbols, false);
    if (build_id)
        fixture_build_id(elf, build_id);
    fixture_finish(elf);
    fixture_write(elf, path);
    free(elf);
}

static void use_given(struct place *place)
{
    place->options.elf_files = place->elf_files;
    place->options.elf_file_count = 1;
}

/* The module of `path` with that build-id (0: none), in a new set. */
static struct module *get(struct place *place, const char *path, uint8_t build_id, bool deleted)
{
    struct module *module;
    uint8_t id[20];

    for (uint8_t i = 0; i < 20; i++)
        id[i] = (uint8_t)(build_id + i);
    if (!place->set)
        assert_int_equal(module_set_create(&place->options, &place->set), STATUS_OK);
    assert_int_equal(module_set_get(place->set, MODULE_FILE, path, id, build_id ? 20 : 0, deleted,
                                    &module),
                     STATUS_OK);
    return module;
}

static const char *problem(const struct module *module)
{
    static char text[600];

    return diag_format(&module->problem, text, sizeof(text));
}

TEST_OF(module_set_same_path_and_build_id_is_one_module, place, place)
{
    struct module *first = get(place, "/a", 1, false);

    assert_ptr_equal(get(place, "/a", 1, false), first);
    assert_ptr_equal(get(place, "/a", 1, true), first);
    assert_ptr_not_equal(get(place, "/a", 2, false), first);
    assert_ptr_not_equal(get(place, "/b", 1, false), first);
    assert_ptr_not_equal(get(place, "/a", 0, false), first);
    assert_ptr_not_equal(get(place, "/a", 0, false), get(place, "/a", 0, true));
    assert_int_equal(module_set_count(place->set), 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(module_set_at(place->set, i)->id, i);
}

TEST_OF(module_open_takes_the_path_of_the_same_build_id, place, place)
{
    struct module *module;

    write_elf(place->path, EM_X86_64, 1, true);
    module = get(place, place->path, 1, false);
    assert_int_equal(module_open(place->set, module), STATUS_OK);
    assert_int_equal(module->state, MODULE_OPEN);
    assert_string_equal(elf_image_path(module->image), place->path);
    assert_int_equal(module->problem.what[0], '\0');
    module = get(place, place->path, 1, true);
    assert_int_equal(module_open(place->set, module), STATUS_OK);
}

TEST_OF(module_open_refuses_the_path_of_another_build_id, place, place)
{
    struct module *module;
    char want[512];

    write_elf(place->path, EM_X86_64, 2, true);
    module = get(place, place->path, 1, false);
    assert_int_equal(module_open(place->set, module), STATUS_NOT_FOUND);
    assert_int_equal(module->state, MODULE_REFUSED);
    assert_null(module->image);
    snprintf(want, sizeof(want),
             "%s: build-id 02030405060708090a0b0c0d0e0f101112131415 differs from the snapshot's "
             "0102030405060708090a0b0c0d0e0f1011121314; pass the right file with --elf",
             place->path);
    assert_string_equal(problem(module), want);
    assert_int_equal(module_open(place->set, module), STATUS_NOT_FOUND);
}

TEST_OF(module_open_refuses_a_file_without_build_id_for_one_that_had_it, place, place)
{
    struct module *module;

    write_elf(place->path, EM_X86_64, 0, true);
    module = get(place, place->path, 1, false);
    assert_int_equal(module_open(place->set, module), STATUS_NOT_FOUND);
    assert_int_equal(module->state, MODULE_REFUSED);
    assert_non_null(strstr(problem(module), "has no build-id, the snapshot's file has 0102"));
}

TEST_OF(module_open_without_build_id_takes_the_path_unless_deleted, place, place)
{
    struct module *module, *deleted;

    write_elf(place->path, EM_X86_64, 5, true);
    module = get(place, place->path, 0, false);
    assert_int_equal(module_open(place->set, module), STATUS_OK);
    deleted = get(place, place->path, 0, true);
    assert_int_equal(module_open(place->set, deleted), STATUS_NOT_FOUND);
    assert_int_equal(deleted->state, MODULE_MISSING);
    assert_non_null(strstr(problem(deleted), "was deleted on the target"));
}

TEST_OF(module_open_of_what_is_not_here_says_what_to_fetch, place, place)
{
    struct module *module = get(place, "/no/such/lib.so", 1, false);

    assert_int_equal(module_open(place->set, module), STATUS_NOT_FOUND);
    assert_int_equal(module->state, MODULE_MISSING);
    assert_string_equal(problem(module),
                        "/no/such/lib.so: not found here (build-id "
                        "0102030405060708090a0b0c0d0e0f1011121314); pass it with --elf, or the "
                        "target's files with --sysroot; cgsnap --bundle brings them");
}

TEST_OF(module_open_refuses_another_architecture, place, place)
{
    struct module *module;

    place->options.arch = arch_get(ARCH_X86_64);
    write_elf(place->path, EM_AARCH64, 1, true);
    module = get(place, place->path, 1, false);
    assert_int_equal(module_open(place->set, module), STATUS_NOT_FOUND);
    assert_int_equal(module->state, MODULE_REFUSED);
    assert_non_null(strstr(problem(module), "is for aarch64, the snapshot is from x86_64"));
}

TEST_OF(module_open_refuses_a_damaged_file, place, place)
{
    struct module *module;
    FILE *file = fopen(place->path, "w");

    assert_non_null(file);
    fputs("not an ELF file at all", file);
    fclose(file);
    module = get(place, place->path, 0, false);
    assert_int_equal(module_open(place->set, module), STATUS_NOT_FOUND);
    assert_int_equal(module->state, MODULE_REFUSED);
    assert_non_null(strstr(problem(module), "not an ELF file"));
}

TEST_OF(module_given_file_is_matched_by_build_id_whatever_its_name, place, place)
{
    struct module *module;

    use_given(place);
    write_elf(place->given, EM_X86_64, 1, true);
    module = get(place, "/usr/lib/other-name.so.3", 1, true);
    assert_string_equal(module_set_unused_elf(place->set, 0, NULL), place->given);
    assert_int_equal(module_open(place->set, module), STATUS_OK);
    assert_string_equal(elf_image_path(module->image), place->given);
    assert_null(module_set_unused_elf(place->set, 0, NULL));
}

TEST_OF(module_given_file_is_matched_by_name_without_build_id, place, place)
{
    struct module *module;

    use_given(place);
    write_elf(place->given, EM_X86_64, 7, true);
    module = get(place, "/usr/lib/lib.so", 0, false);
    assert_int_equal(module_open(place->set, module), STATUS_OK);
    assert_string_equal(elf_image_path(module->image), place->given);
}

TEST_OF(module_given_file_of_the_name_but_another_build_id_is_refused, place, place)
{
    struct module *missing, *present;

    use_given(place);
    write_elf(place->given, EM_X86_64, 2, true);
    missing = get(place, "/usr/none/lib.so", 1, false);
    assert_int_equal(module_open(place->set, missing), STATUS_NOT_FOUND);
    assert_int_equal(missing->state, MODULE_REFUSED);
    assert_non_null(strstr(problem(missing), place->given));
    /* The right file is there as well: it is used, and the warning stays. */
    write_elf(place->path, EM_X86_64, 1, true);
    present = get(place, place->path, 1, false);
    assert_int_equal(module_open(place->set, present), STATUS_OK);
    assert_int_equal(present->state, MODULE_OPEN);
    assert_string_equal(elf_image_path(present->image), place->path);
    assert_non_null(strstr(problem(present), "differs from the snapshot's"));
}

TEST_OF(module_given_file_that_cannot_be_read_is_reported_as_unused, place, place)
{
    struct diag why;

    use_given(place);
    get(place, "/usr/lib/x.so", 1, false);
    assert_string_equal(module_set_unused_elf(place->set, 0, &why), place->given);
    assert_non_null(strstr(why.what, "cannot be opened"));
    assert_null(module_set_unused_elf(place->set, 1, NULL));
}

TEST_OF(module_given_debug_file_adds_its_symbols, place, place)
{
    const struct symtab *symtab;
    struct module *module;
    struct symbol symbol;

    use_given(place);
    write_elf(place->given, EM_X86_64, 1, false);
    write_elf(place->path, EM_X86_64, 1, true);
    module = get(place, place->path, 1, false);
    symtab = module_symtab(place->set, module);
    assert_non_null(symtab);
    assert_string_equal(elf_image_path(module->image), place->path);
    assert_int_equal(symtab_find(symtab, FIXTURE_FIRST, &symbol), STATUS_OK);
    assert_string_equal(symbol.name, "code");
    assert_int_equal(symtab_find(symtab, FIXTURE_FIRST + 16, &symbol), STATUS_OK);
    assert_string_equal(symbol.name, "debug");
}

TEST_OF(module_below_the_sysroot_is_taken_and_none_outside, place, place)
{
    struct module *inside, *outside;

    write_elf(place->path, EM_X86_64, 1, true);
    place->options.sysroot = place->root;
    inside = get(place, "/lib.so", 1, false);
    outside = get(place, place->path, 1, false);
    assert_int_equal(module_open(place->set, inside), STATUS_OK);
    assert_int_equal(module_open(place->set, outside), STATUS_NOT_FOUND);
}

TEST_OF(module_vdso_is_opened_from_its_bytes, place, place)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct module *vdso;

    fixture_text(elf, 64);
    fixture_finish(elf);
    assert_int_equal(module_set_create(&place->options, &place->set), STATUS_OK);
    assert_int_equal(module_set_get(place->set, MODULE_VDSO, "[vdso]", NULL, 0, false, &vdso),
                     STATUS_OK);
    assert_int_equal(module_open(place->set, vdso), STATUS_NOT_FOUND);
    assert_int_equal(vdso->state, MODULE_MISSING);
    assert_int_equal(module_set_code(vdso, elf->bytes, elf->size), STATUS_OK);
    assert_int_equal(module_set_code(vdso, (const uint8_t *)"x", 1),
                     STATUS_OK); /* the first one wins */
    assert_int_equal(module_open(place->set, vdso), STATUS_OK);
    assert_null(module_debug_image(place->set, vdso));
    free(elf);
}

TEST_OF(module_anonymous_code_has_no_file, place, place)
{
    struct module *anon;

    assert_int_equal(module_set_create(&place->options, &place->set), STATUS_OK);
    assert_int_equal(module_set_get(place->set, MODULE_ANON, "[anon]", NULL, 0, false, &anon),
                     STATUS_OK);
    assert_int_equal(module_open(place->set, anon), STATUS_NOT_FOUND);
    assert_int_equal(anon->state, MODULE_MISSING);
    assert_null(module_symtab(place->set, anon));
    assert_null(module_lines(place->set, anon));
}

#define PROCESS_ADDR UINT64_C(0x10000000)

/* A process's memory that has nothing, but for where its entry point was. */
static bool read_nothing(const void *context, uint64_t addr, void *buffer, size_t size)
{
    (void)context, (void)addr, (void)buffer, (void)size;
    return false;
}

/* A process's memory that has a file's headers. */
static bool read_headers(const void *context, uint64_t addr, void *buffer, size_t size)
{
    const struct elf_fixture *elf = context;
    const uint64_t at = addr - (PROCESS_ADDR + FIXTURE_BASE);

    if (at >= FIXTURE_HEADERS || size > FIXTURE_HEADERS - at)
        return false;
    memcpy(buffer, elf->bytes + at, size);
    return true;
}

/* The executable `path` without build-id of another process; opened. */
static struct module *open_in_process(struct place *place, uint64_t entry_addr)
{
    const struct file_identity file = {.path = place->path};
    const uint64_t start_addr = PROCESS_ADDR;
    struct mapping mapping = {.start_addr = start_addr,
                              .end_addr = start_addr + 0x1000000,
                              .anchor = MAPPING_BIAS,
                              .anchor_addr = start_addr};

    if (!place->set)
        assert_int_equal(module_set_create(&place->options, &place->set), STATUS_OK);
    module_set_memory(place->set,
                      &(struct process_memory){.read = place->headers ? read_headers : read_nothing,
                                               .context = place->headers,
                                               .entry_addr = start_addr + entry_addr,
                                               .phdr_addr = start_addr + FIXTURE_BASE + 64,
                                               .phdr_count = 1});
    assert_int_equal(module_set_get_mapped(place->set, MODULE_FILE, &file, &mapping.module),
                     STATUS_OK);
    module_set_place(place->set, &mapping, true);
    (void)!module_open(place->set, mapping.module);
    return mapping.module;
}

TEST_OF(module_of_each_process_with_memory_is_found_to_be_the_file_or_not, place, place)
{
    struct module *right, *same, *other;

    write_elf(place->path, EM_X86_64, 0, true);
    other = open_in_process(place, FIXTURE_FIRST + 0x1000);
    right = open_in_process(place, FIXTURE_FIRST);
    same = open_in_process(place, FIXTURE_FIRST);
    assert_int_equal(other->state, MODULE_REFUSED);
    assert_int_equal(right->state, MODULE_OPEN);
    assert_ptr_equal(module_told(right), right);
    assert_ptr_not_equal(same, right);
    assert_ptr_equal(module_told(same), right);
    assert_ptr_equal(module_told(other), other);
    assert_ptr_equal(module_told(open_in_process(place, FIXTURE_FIRST + 0x1000)), other);
}

/* Of another name it is noted. */
TEST_OF(module_given_program_that_is_told_by_its_place_alone_is_noted, place, place)
{
    struct module *module;

    write_elf(place->given, EM_X86_64, 0, true);
    use_given(place);
    module = open_in_process(place, FIXTURE_FIRST);
    assert_int_equal(module->state, MODULE_OPEN);
    assert_int_equal(module->problem.what[0], 0);
    strcpy(place->path + strlen(place->path) - strlen("lib.so"), "app");
    module = open_in_process(place, FIXTURE_FIRST);
    assert_int_equal(module->state, MODULE_OPEN);
    assert_non_null(strstr(module->problem.what, "place of its code alone"));
    module = open_in_process(place, FIXTURE_FIRST + 16);
    assert_int_equal(module->state, MODULE_REFUSED);
}

/* Copies the ELF file `from`, but for its entry point. */
static void copy_with_entry(const char *from, const char *path, uint64_t entry_vaddr)
{
    char command[300];
    FILE *file;

    snprintf(command, sizeof(command), "cp '%s' '%s'", from, path);
    assert_int_equal(system(command), 0);
    file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, offsetof(Elf64_Ehdr, e_entry), SEEK_SET), 0);
    assert_int_equal(fwrite(&entry_vaddr, sizeof(entry_vaddr), 1, file), 1);
    assert_int_equal(fclose(file), 0);
}

/* A library without DT_SONAME that can be run looks like a program. */
TEST_OF(module_given_program_is_told_from_a_library_that_looks_like_one, place, place)
{
    char library[160];
    struct module *module;

    write_elf(place->given, EM_X86_64, 0, true);
    snprintf(library, sizeof(library), "%s-other", place->given);
    copy_with_entry(place->given, library, FIXTURE_FIRST + 16);
    strcpy(place->path + strlen(place->path) - strlen("lib.so"), "app");
    use_given(place);
    place->options.elf_file_count = 2;
    for (int order = 0; order < 2; order++) {
        place->elf_files[order] = place->given;
        place->elf_files[!order] = library;
        module = open_in_process(place, FIXTURE_FIRST);
        assert_int_equal(module->state, MODULE_OPEN);
        assert_string_equal(elf_image_path(module->image), place->given);
        assert_string_equal(module_set_unused_elf(place->set, 0, NULL), library);
        module_set_destroy(place->set);
        place->set = NULL;
    }
}

/* Of two programs with the same headers neither is told from the other. */
TEST_OF(module_given_program_is_taken_by_its_headers_if_it_is_the_only_one, place, place)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct module *module;
    char copy[160];

    fixture_text(elf, 64);
    fixture_section(elf, ".interp", SHT_PROGBITS, SHF_ALLOC, "", 1);
    fixture_finish(elf);
    fixture_write(elf, place->given);
    snprintf(copy, sizeof(copy), "%s-copy", place->given);
    fixture_write(elf, copy);
    strcpy(place->path + strlen(place->path) - strlen("lib.so"), "app");
    use_given(place);
    place->elf_files[1] = copy;
    place->headers = elf;
    module = open_in_process(place, FIXTURE_FIRST);
    assert_int_equal(module->state, MODULE_OPEN);
    assert_int_equal(module->problem.what[0], 0);
    module_set_destroy(place->set);
    place->set = NULL;
    place->options.elf_file_count = 2;
    module = open_in_process(place, FIXTURE_FIRST);
    assert_int_not_equal(module->state, MODULE_OPEN);
    free(elf);
}

/* The snapshot's pieces of its code tell which file it is. */
TEST_OF(module_given_file_of_another_name_is_taken_by_its_code, place, place)
{
    enum { PIECES = 4, AT = 2048, CODE = AT + 2 * PIECES * FILE_PIECE_SIZE };
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct mapping mapping = {.end_addr = UINT64_MAX};
    uint8_t code[CODE], other[FILE_PIECE_SIZE] = {0};
    uint64_t code_off;
    char copy[160];

    for (int i = 0; i < CODE; i++)
        code[i] = (uint8_t)(i * i + 3 * i);
    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, CODE);
    fixture_finish(elf);
    fixture_write(elf, place->given);
    snprintf(copy, sizeof(copy), "%s-copy", place->given);
    fixture_write(elf, copy);
    place->elf_files[1] = copy;
    code_off = (uint64_t)((uint8_t *)memmem(elf->bytes, elf->size, code, CODE) - elf->bytes);
    free(elf);
    use_given(place);
    for (int round = 0; round < 3; round++) { /* the code; other code; the code, of two files */
        if (round == 2) {
            module_set_destroy(place->set);
            place->set = NULL;
            place->options.elf_file_count = 2;
        }
        mapping.module = get(place, round == 1 ? "/usr/lib/b" : "/usr/lib/a", 0, false);
        for (unsigned i = 0; i < PIECES; i++) {
            const uint64_t at = AT + 2 * i * FILE_PIECE_SIZE;
            const uint8_t *bytes = round == 1 && i == 2 ? other : code + at;

            assert_int_equal(module_add_piece(&mapping, code_off + at, bytes, FILE_PIECE_SIZE),
                             STATUS_OK);
        }
        assert_int_equal(module_open(place->set, mapping.module),
                         round > 0 ? STATUS_NOT_FOUND : STATUS_OK);
    }
}

/* Maps /lib/p, all of whose pieces are of this byte, at one place; returns the module. */
static struct module *map_again(struct module_set *set, uint8_t first, uint8_t rest)
{
    const struct file_identity file = {.path = "/lib/p", .is_exact = true, .origin = {.inode = 7}};
    struct mapping mapping = {.start_addr = 0x5000, .end_addr = 0x6000, .file_off = 0x1000};
    uint8_t bytes[FILE_PIECE_SIZE];

    assert_int_equal(module_set_get_mapped(set, MODULE_FILE, &file, &mapping.module), STATUS_OK);
    for (unsigned i = 0; i < 4; i++) {
        memset(bytes, i == 0 ? first : rest, sizeof(bytes));
        assert_int_equal(module_set_add_piece(set, &mapping, 0x5000 + 2 * i * FILE_PIECE_SIZE,
                                              bytes, sizeof(bytes)),
                         STATUS_OK);
    }
    assert_int_equal(mapping.module->pieces->count, 4);
    return mapping.module;
}

TEST(module_of_other_code_at_one_place_is_another)
{
    const struct module_options options = {.elf_file_count = 0};
    struct module_set *set;
    struct module *a, *b, *c;

    assert_int_equal(module_set_create(&options, &set), STATUS_OK);
    a = map_again(set, 1, 2);
    b = map_again(set, 1, 3); /* equal at first */
    c = map_again(set, 4, 2);
    assert_ptr_not_equal(a, b);
    assert_ptr_not_equal(a, c);
    assert_ptr_not_equal(b, c);
    assert_ptr_equal(map_again(set, 1, 2), a);
    assert_ptr_equal(map_again(set, 1, 3), b);
    assert_ptr_equal(map_again(set, 4, 2), c);
    module_set_destroy(set);
}

/* Writes a kernel's file, as write_elf. */
static void write_vmlinux(const char *path, bool has_build_id)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct symbol_fixture symbols;

    symbols_init(&symbols);
    symbols_add(&symbols, "code", STB_GLOBAL, STT_FUNC, FIXTURE_FIRST, 16);
    fixture_text(elf, 64);
    fixture_symbols(elf, &symbols, false);
    if (has_build_id)
        fixture_build_id(elf, 1);
    fixture_segment(elf, PT_LOAD, PF_R | PF_X, 0, UINT64_C(0xffffffff81000000), elf->size);
    fixture_finish(elf);
    fixture_write(elf, path);
    free(elf);
}

/* A vmlinux that cannot be told from another build's is used, and noted. */
TEST_OF(module_given_vmlinux_without_build_id_is_noted, place, place)
{
    struct module *kernel;
    uint8_t id[20] = {1};

    for (int has_id = 0; has_id < 2; has_id++) {
        write_vmlinux(place->given, has_id);
        use_given(place);
        assert_int_equal(module_set_create(&place->options, &place->set), STATUS_OK);
        assert_int_equal(module_set_get(place->set, MODULE_KERNEL, "[kernel]", id, has_id ? 0 : 20,
                                        false, &kernel),
                         STATUS_OK);
        assert_int_equal(module_set_kernel(kernel, "code", UINT64_C(0xffffffff81000000), false),
                         STATUS_OK);
        assert_non_null(module_kallsyms(place->set, kernel));
        assert_non_null(strstr(problem(kernel), "may be of another build"));
        assert_non_null(strstr(problem(kernel), has_id ? "the recording has" : "it has"));
        module_set_destroy(place->set);
        place->set = NULL;
    }
}
