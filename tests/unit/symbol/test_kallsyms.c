/* SPDX-License-Identifier: MIT */
#include "elf_fixture.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "symbol/kallsyms.h"

#define LIST                                                                                       \
    "0000000000000000 A fixed_percpu_data\n"                                                       \
    "ffffffff81000000 T _stext\n"                                                                  \
    "ffffffff81000000 T _text\n"                                                                   \
    "ffffffff81000100 t helper\n"                                                                  \
    "ffffffff81000200 T alias\n"                                                                   \
    "ffffffff81000200 W do_it\n"                                                                   \
    "ffffffff81000300 T _etext\n"                                                                  \
    "ffffffff81001000 D some_data\n"                                                               \
    "ffffffffc0000010 t in_module\t[mod]\n"                                                        \
    "ffffffffc0000000 t first_in_module\t[mod]\n"

/* A file with these bytes, by a path that lasts as long as its descriptor. */
struct file {
    int fd;
    char path[64];
};

static struct file file_with(const char *text)
{
    struct file file = {.fd = memfd_create("kallsyms", 0)};

    assert_int_equal(write(file.fd, text, strlen(text)), strlen(text));
    snprintf(file.path, sizeof(file.path), "/proc/self/fd/%d", file.fd);
    return file;
}

static struct kallsyms *read_list(const char *text, const struct kernel_facts *kernel)
{
    struct file file = file_with(text);
    struct kallsyms *k;
    struct diag diag;

    assert_int_equal(kallsyms_read(file.path, kernel, &k, &diag), STATUS_OK);
    close(file.fd);
    return k;
}

static void expect(const struct kallsyms *k, uint64_t addr, const char *name, uint64_t start)
{
    uint64_t start_addr = 0;
    const char *found = kallsyms_find(k, addr, &start_addr);

    if (!name) {
        assert_null(found);
        return;
    }
    assert_non_null(found);
    assert_string_equal(found, name);
    assert_int_equal(start_addr, start);
}

TEST(kallsyms_address_is_of_the_function_before_it)
{
    const struct kernel_facts kernel = {.build_id_size = 0};
    struct kallsyms *k = read_list(LIST, &kernel);

    expect(k, 0xffffffff81000000, "_text", 0xffffffff81000000);
    expect(k, 0xffffffff810001ff, "helper", 0xffffffff81000100);
    expect(k, 0xffffffff8100020f, "do_it", 0xffffffff81000200); /* the last one of an address */
    expect(k, 0xffffffff81001000, NULL, 0);                     /* data */
    expect(k, 0xffffffffbfffffff, NULL, 0);
    expect(k, 0xffffffffc0000004, "first_in_module", 0xffffffffc0000000); /* not sorted */
    expect(k, 0xffffffffc0000014, "in_module", 0xffffffffc0000010);
    expect(k, 0xffffffffc0200010, NULL, 0); /* too far behind */
    expect(k, 0x1000, NULL, 0);
    kallsyms_destroy(k);
}

TEST(kallsyms_of_another_boot_is_moved)
{
    const struct kernel_facts kernel = {.symbol = "_text", .symbol_addr = 0xffffffff91000000};
    struct kallsyms *k = read_list(LIST, &kernel);

    expect(k, 0xffffffff91000110, "helper", 0xffffffff91000100);
    expect(k, 0xffffffff81000110, NULL, 0);
    /* Modules are loaded elsewhere at each boot. */
    expect(k, 0xffffffffd0000014, NULL, 0);
    expect(k, 0xffffffffc0000014, NULL, 0);
    kallsyms_destroy(k);
}

TEST(kallsyms_odd_line_and_missing_newline_lose_no_function)
{
    const struct kernel_facts kernel = {.build_id_size = 0};
    struct kallsyms *k = read_list("# of a target\nffffffff81000000 T first\n\n"
                                   "ffffffff81000100 T last",
                                   &kernel);

    expect(k, 0xffffffff81000000, "first", 0xffffffff81000000);
    expect(k, 0xffffffff81000100, "last", 0xffffffff81000100);
    kallsyms_destroy(k);
}

TEST(kallsyms_module_does_not_tell_where_the_kernel_is)
{
    const struct kernel_facts kernel = {.symbol = "_text", .symbol_addr = 0xffffffff91000000};
    struct kallsyms *k = read_list(LIST "ffffffffc0000000 t _text\t[mod]\n"
                                        "ffffffffc0000000 t _stext\t[mod]\n"
                                        "ffffffffc0000000 t _etext\t[mod]\n"
                                        "ffffffffc0000000 t _text\n",
                                   &kernel);

    expect(k, 0xffffffff91000110, "helper", 0xffffffff91000100);
    expect(k, 0xffffffffd0000014, NULL, 0);
    kallsyms_destroy(k);
}

TEST(kallsyms_without_the_kernels_symbol_is_refused)
{
    const struct kernel_facts kernel = {.symbol = "_text", .symbol_addr = 0xffffffff91000000};
    struct file file = file_with("ffffffff81000000 T _stext\nffffffffc0000000 t _text\t[mod]\n");
    struct kallsyms *k;
    struct diag diag;

    assert_int_equal(kallsyms_read(file.path, &kernel, &k, &diag), STATUS_BAD_DATA);
    assert_non_null(strstr(diag.what, "does not have _text"));
    assert_true(diag.hint[0] != '\0');
    close(file.fd);
}

/* As of `--kallsyms <(ssh board cat /proc/kallsyms)`. */
TEST(kallsyms_from_a_pipe_is_waited_for)
{
    const struct kernel_facts kernel = {.build_id_size = 0};
    struct kallsyms *k;
    struct diag diag;
    char path[64];
    int fds[2];
    pid_t child;

    assert_int_equal(pipe(fds), 0);
    child = fork();
    if (child == 0) {
        usleep(100000);
        _exit(write(fds[1], LIST, strlen(LIST)) < 0);
    }
    close(fds[1]);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
    assert_int_equal(kallsyms_read(path, &kernel, &k, &diag), STATUS_OK);
    expect(k, 0xffffffff81000110, "helper", 0xffffffff81000100);
    kallsyms_destroy(k);
    close(fds[0]);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void expect_bad(const char *text, const char *what)
{
    const struct kernel_facts kernel = {.build_id_size = 0};
    struct file file = file_with(text);
    struct kallsyms *k;
    struct diag diag;

    assert_int_equal(kallsyms_read(file.path, &kernel, &k, &diag), STATUS_BAD_DATA);
    assert_non_null(strstr(diag.what, what));
    assert_true(diag.hint[0] != '\0');
    close(file.fd);
}

TEST(kallsyms_file_of_another_kind_is_refused)
{
    char *line = malloc(100001);

    expect_bad("", "no list");
    expect_bad("root:x:0:0\n", "no list");
    expect_bad("ffffffff81000000\n", "no list");
    expect_bad("0123456789abcdef01 T too_long\n", "no list");
    assert_non_null(line);
    memset(line, '0', 100000);
    line[100000] = '\0';
    expect_bad(line, "no list");
    free(line);
}

TEST(kallsyms_without_addresses_is_refused)
{
    expect_bad("0000000000000000 T _stext\n0000000000000000 T other\n", "no addresses");
}

TEST(kallsyms_of_an_unknown_kernel_is_not_guessed)
{
    const uint8_t id[20] = {1};
    const struct kernel_facts kernel = {.build_id = id, .build_id_size = 20, .is_this = true};
    struct kallsyms *k;
    struct diag diag;

    assert_int_equal(kallsyms_open(NULL, NULL, &kernel, &k, &diag), STATUS_NOT_FOUND);
    assert_non_null(strstr(diag.hint, "--kallsyms"));
}

TEST(kallsyms_given_goes_before_cached)
{
    const struct kernel_facts kernel = {.build_id_size = 0};
    struct file given = file_with("ffffffff81000000 T given\n");
    struct file cached = file_with("ffffffff81000000 T cached\n");
    struct kallsyms *k;
    struct diag diag;

    assert_int_equal(kallsyms_open(given.path, cached.path, &kernel, &k, &diag), STATUS_OK);
    expect(k, 0xffffffff81000000, "given", 0xffffffff81000000);
    kallsyms_destroy(k);
    assert_int_equal(lseek(cached.fd, 0, SEEK_SET), 0);
    assert_int_equal(kallsyms_open(NULL, cached.path, &kernel, &k, &diag), STATUS_OK);
    expect(k, 0xffffffff81000000, "cached", 0xffffffff81000000);
    kallsyms_destroy(k);
    close(given.fd);
    close(cached.fd);
}

/* What is told before anything else is read. */
TEST(kallsyms_that_cannot_be_used_is_told_beforehand)
{
    static const char *const bad[] = {"", "root:x:0:0\n", "0000000000000000 T _stext\n"};
    static char late[1 << 20];
    struct diag diag;
    struct file file;
    int fds[2];

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        file = file_with(bad[i]);
        assert_int_equal(kallsyms_check(file.path, &diag), STATUS_BAD_DATA);
        assert_string_equal(diag.file, file.path);
        close(file.fd);
    }
    assert_int_equal(kallsyms_check("/nonexistent", &diag), STATUS_IO);
    assert_int_equal(kallsyms_check("/", &diag), STATUS_IO);
    file = file_with(LIST);
    assert_int_equal(kallsyms_check(file.path, &diag), STATUS_OK);
    close(file.fd);
    /* Addresses that come after many lines without. */
    for (size_t len = 0; len + 1000 < sizeof(late);)
        len += (size_t)snprintf(late + len, 1000, "%s",
                                len + 2000 < sizeof(late) ? "0000000000000000 A percpu\n" : LIST);
    file = file_with(late);
    assert_int_equal(kallsyms_check(file.path, &diag), STATUS_OK);
    close(file.fd);
    /* A pipe is not read from: what it gives is needed later. */
    assert_int_equal(pipe(fds), 0);
    snprintf(file.path, sizeof(file.path), "/proc/self/fd/%d", fds[0]);
    assert_int_equal(kallsyms_check(file.path, &diag), STATUS_OK);
    close(fds[0]);
    close(fds[1]);
}

/* vmlinux, of which another place is told: by a symbol that is in both. */
TEST(kallsyms_of_vmlinux_are_its_functions_moved)
{
    const uint64_t moved = 0xffffffff91000000 - FIXTURE_FIRST;
    struct kernel_facts kernel = {.symbol = "_text", .symbol_addr = moved + FIXTURE_FIRST};
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct symbol_fixture symbols;
    struct elf_image *image;
    struct kallsyms *k;
    struct diag diag;

    symbols_init(&symbols);
    symbols_add(&symbols, "second", STB_LOCAL, STT_FUNC, FIXTURE_FIRST + 16, 16);
    symbols_add(&symbols, "first", STB_GLOBAL, STT_FUNC, FIXTURE_FIRST, 16);
    symbols_add(&symbols, "_text", STB_GLOBAL, STT_NOTYPE, FIXTURE_FIRST, 0);
    symbols_add(&symbols, "_stext", STB_GLOBAL, STT_NOTYPE, FIXTURE_FIRST, 0);
    symbols_add(&symbols, "label", STB_LOCAL, STT_NOTYPE, FIXTURE_FIRST + 48, 0);
    symbols_add(&symbols, "_etext", STB_GLOBAL, STT_NOTYPE, FIXTURE_FIRST + 64, 0);
    fixture_text(elf, 64);
    fixture_symbols(elf, &symbols, false);
    fixture_finish(elf);
    assert_int_equal(elf_image_open_bytes(elf->bytes, elf->size, "vmlinux", &image, NULL),
                     STATUS_OK);
    assert_int_equal(kallsyms_read_elf(image, &kernel, &k, &diag), STATUS_OK);
    expect(k, moved + FIXTURE_FIRST + 4, "first", moved + FIXTURE_FIRST);
    expect(k, moved + FIXTURE_FIRST + 31, "second", moved + FIXTURE_FIRST + 16);
    expect(k, moved + FIXTURE_FIRST + 32, NULL, 0); /* padding */
    expect(k, moved + FIXTURE_FIRST + 50, "label", moved + FIXTURE_FIRST + 48);
    expect(k, moved + FIXTURE_FIRST + 64, NULL, 0);
    expect(k, FIXTURE_FIRST + 4, NULL, 0);
    kallsyms_destroy(k);
    kernel.symbol = "_head";
    assert_int_equal(kallsyms_read_elf(image, &kernel, &k, &diag), STATUS_BAD_DATA);
    assert_non_null(strstr(diag.what, "does not have _head"));
    assert_non_null(strstr(diag.hint, "vmlinux"));
    kernel.symbol = "";
    assert_int_equal(kallsyms_read_elf(image, &kernel, &k, &diag), STATUS_BAD_DATA);
    assert_non_null(strstr(diag.what, "does not tell where the kernel was"));
    assert_non_null(strstr(diag.hint, "--kallsyms"));
    elf_image_close(image);
    free(elf);
}
