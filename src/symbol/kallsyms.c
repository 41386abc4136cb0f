/* SPDX-License-Identifier: MIT */
#include "symbol/kallsyms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cursor.h"
#include "base/search.h"
#include "base/shortage.h"
#include "base/vec.h"
#include "symbol/elf/symbol_read.h"

#define PROC_KALLSYMS "/proc/kallsyms"
#define KERNEL_NOTES  "/sys/kernel/notes"
#define NOTES_MAX     4096
#define READ_SIZE     (256u << 10)
#define TEXT_MAX      (1u << 30) /* bytes of a list; the rest is not read */
/* bytes from a function's start; beyond, an address has no name */
#define FUNCTION_MAX   (1u << 20)
#define NT_GNU_BUILDID 3

enum symbol_rank {             /* of several symbols at one address the highest counts */
                   RANK_END,   /* data, or a function's end: what follows has no name */
                   RANK_LABEL, /* of an ELF file, without type */
                   RANK_FUNCTION,
};

struct kernel_symbol {
    uint64_t addr;
    uint32_t name_off; /* in text: the last of several of one rank counts, as for perf */
    enum symbol_rank rank;
};

struct kallsyms {
    char *text;                    /* the list; a NUL ends each function's name */
    size_t len, text_cap, max;     /* max: bytes that are read */
    struct kernel_symbol *symbols; /* sorted */
    size_t count, cap;
    bool is_sorted;
    bool has_addrs;                          /* some address is not zero */
    bool has_stext, has_etext, has_landmark; /* landmark: the symbol of kernel_facts */
    /* A look-up of `addr` searches addr - moved, within [text_addr, text_end_addr). */
    uint64_t moved, text_addr, text_end_addr;
};

void kallsyms_destroy(struct kallsyms *k)
{
    if (!k)
        return;
    free(k->symbols);
    free(k->text);
    free(k);
}

static int compare(const void *a, const void *b)
{
    const struct kernel_symbol *x = a, *y = b;

    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->name_off < y->name_off ? -1 : x->name_off > y->name_off;
}

static enum status add_symbol(struct kallsyms *k, uint64_t addr, enum symbol_rank rank,
                              uint32_t name_off)
{
    const struct kernel_symbol *last = k->count ? &k->symbols[k->count - 1] : NULL;
    const struct kernel_symbol symbol = {addr, name_off, rank};

    /* An end only ends the function before it. */
    if (rank == RANK_END && (!last || last->rank == RANK_END || last->addr >= addr))
        return STATUS_OK;
    if (last && compare(last, &symbol) > 0)
        k->is_sorted = false;
    k->has_addrs = k->has_addrs || addr != 0;
    if (vec_reserve(&k->symbols, &k->cap, k->count + 1, sizeof(*k->symbols)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    k->symbols[k->count++] = symbol;
    return STATUS_OK;
}

static bool is_name(const char *name, size_t size, const char *wanted)
{
    return name[0] == wanted[0] && strncmp(name, wanted, size) == 0 && wanted[size] == '\0';
}

static bool has_symbol(const struct kernel_facts *kernel)
{
    return kernel->symbol && kernel->symbol[0];
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Notes the kernel proper's symbols that show where it was: the first of each name. */
static void use_landmark(struct kallsyms *k, const struct kernel_facts *kernel, uint64_t addr,
                         const char *name, size_t size)
{
    if (!k->has_landmark && has_symbol(kernel) && is_name(name, size, kernel->symbol)) {
        k->moved = kernel->symbol_addr - addr;
        k->has_landmark = true;
    }
    if (!k->has_stext && is_name(name, size, "_stext")) {
        k->text_addr = addr;
        k->has_stext = true;
    }
    if (!k->has_etext && is_name(name, size, "_etext")) {
        k->text_end_addr = addr;
        k->has_etext = true;
    }
}

/* Reads the line in text at `start`, with its newline at `end`. BAD_DATA: not a list's line. */
static enum status add_line(struct kallsyms *k, const struct kernel_facts *kernel, size_t start,
                            size_t end)
{
    char *line = k->text + start, *name, type;
    size_t size = end - start, pos = 0, name_size;
    const char *tab = NULL;
    uint64_t addr = 0;
    int digit;

    for (; pos < size && (digit = hex_digit(line[pos])) >= 0; pos++)
        addr = addr << 4 | (uint64_t)digit;
    if (pos == 0 || pos > 16 || size - pos < 4 || line[pos] != ' ' || line[pos + 2] != ' ')
        return STATUS_BAD_DATA;
    type = (char)(line[pos + 1] | 0x20);
    name = line + pos + 3;
    name_size = size - pos - 3;
    if (name[name_size - 1] == ']') { /* a module follows */
        tab = memchr(name, '\t', name_size);
        name_size = tab ? (size_t)(tab - name) : name_size;
    }
    if (!tab && (name[0] == '_' || (kernel->symbol && name[0] == kernel->symbol[0])))
        use_landmark(k, kernel, addr, name, name_size);
    name[name_size] = '\0';
    return add_symbol(k, addr, type == 't' || type == 'w' ? RANK_FUNCTION : RANK_END,
                      (uint32_t)(name - k->text));
}

static enum status not_a_list(const char *path, struct diag *diag)
{
    diag_set(diag, path, "is no list of kernel symbols");
    diag_hint(diag, "give a copy of the target's " PROC_KALLSYMS);
    return STATUS_BAD_DATA;
}

static enum status read_text(struct kallsyms *k, int fd, const char *path, struct diag *diag)
{
    while (k->len < k->max) {
        ssize_t n;

        if (vec_reserve(&k->text, &k->text_cap, k->len + READ_SIZE, 1) != STATUS_OK)
            return STATUS_NO_MEMORY;
        n = read(fd, k->text + k->len, READ_SIZE);
        if (n == 0)
            break;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            shortage_note(path, errno);
            diag_set(diag, path, "%s", strerror(errno));
            return STATUS_IO;
        }
        k->len += (size_t)n;
    }
    return STATUS_OK;
}

/* Reads all lines; skips those that are not a list's. */
static enum status read_lines(struct kallsyms *k, const struct kernel_facts *kernel)
{
    enum status status = STATUS_OK;
    const char *newline;
    size_t pos = 0, end;

    while (status != STATUS_NO_MEMORY && pos < k->len) {
        newline = memchr(k->text + pos, '\n', k->len - pos);
        if (!newline && k->len >= k->max)
            break; /* cut short; else there is room behind the last line, to end its name */
        end = newline ? (size_t)(newline - k->text) : k->len;
        status = add_line(k, kernel, pos, end);
        pos = end + 1;
    }
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

/* Sorts the list and gives it to *out, or destroys it if it does not show where the kernel was. */
static enum status finish(struct kallsyms *k, enum status status, const char *path,
                          const struct kernel_facts *kernel, const char *whole,
                          struct kallsyms **out, struct diag *diag)
{
    if (status == STATUS_OK && has_symbol(kernel) && !k->has_landmark) {
        diag_set(diag, path, "does not have %s, by which the kernel's place is known",
                 kernel->symbol);
        diag_hint(diag, "give %s", whole);
        status = STATUS_BAD_DATA;
    }
    if (status != STATUS_OK) {
        kallsyms_destroy(k);
        return status;
    }
    if (!k->is_sorted)
        qsort(k->symbols, k->count, sizeof(*k->symbols), compare);
    *out = k;
    return STATUS_OK;
}

static enum status read_list(const char *path, const struct kernel_facts *kernel, size_t max,
                             struct kallsyms **out, struct diag *diag)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct kallsyms *k;
    enum status status;

    if (fd < 0) {
        shortage_note_open(path, errno);
        diag_set(diag, path, "%s", strerror(errno));
        return STATUS_IO;
    }
    k = calloc(1, sizeof(*k));
    if (!k) {
        close(fd);
        return STATUS_NO_MEMORY;
    }
    /* Opening did not wait for a writer; reading waits for a slow one. */
    fcntl(fd, F_SETFL, 0);
    k->is_sorted = true;
    k->max = max;
    status = read_text(k, fd, path, diag);
    close(fd);
    if (status == STATUS_OK)
        status = read_lines(k, kernel);
    if (status == STATUS_OK && k->count == 0)
        status = not_a_list(path, diag);
    if (status == STATUS_OK && !k->has_addrs) {
        diag_set(diag, path, "tells no addresses");
        diag_hint(diag, "read it as root, or set kernel.kptr_restrict to 0");
        status = STATUS_BAD_DATA;
    }
    return finish(k, status, path, kernel, "a whole copy of the target's " PROC_KALLSYMS, out,
                  diag);
}

/*
 * Adds a function of the file, while there is room for names, and its end; of other symbols notes
 * those that show where the kernel was.
 */
static enum status add_elf_symbol(struct kallsyms *k, const struct kernel_facts *kernel,
                                  struct elf_image *image, const struct symbol_entry *entry)
{
    const uint64_t addr = entry->value & symbol_code_bits(elf_image_arch(image));
    const char *name = symbol_name(entry);
    const size_t size = strlen(name);
    const bool is_label = entry->type == STT_NOTYPE;
    enum status status;

    if (size == 0 || entry->section == SHN_UNDEF)
        return STATUS_OK;
    use_landmark(k, kernel, addr, name, size);
    if (!symbol_is_function(entry) || !elf_image_is_code_section(image, entry->section) ||
        size >= TEXT_MAX - k->len)
        return STATUS_OK;
    if (vec_reserve(&k->text, &k->text_cap, k->len + size + 1, 1) != STATUS_OK)
        return STATUS_NO_MEMORY;
    memcpy(k->text + k->len, name, size + 1);
    k->len += size + 1;
    status =
        add_symbol(k, addr, is_label ? RANK_LABEL : RANK_FUNCTION, (uint32_t)(k->len - size - 1));
    /* Padding, and code that the kernel has freed, do not belong to the function before. */
    if (status == STATUS_OK && !is_label && entry->size > 0)
        status = add_symbol(k, addr + entry->size, RANK_END, 0);
    return status;
}

enum status kallsyms_read_elf(struct elf_image *image, const struct kernel_facts *kernel,
                              struct kallsyms **out, struct diag *diag)
{
    struct symbol_table table = {.count = 0};
    struct symbol_entry entry;
    struct kallsyms *k;
    enum status status;

    if (!has_symbol(kernel)) {
        diag_set(diag, elf_image_path(image),
                 "is of no use: the recording does not tell where the kernel was");
        diag_hint(diag, "use --kallsyms with a copy of the target's " PROC_KALLSYMS);
        return STATUS_BAD_DATA;
    }
    k = calloc(1, sizeof(*k));
    if (!k)
        return STATUS_NO_MEMORY;
    k->is_sorted = true;
    status = symbol_table_open(image, ".symtab", &table);
    for (size_t i = 0; status == STATUS_OK && i < table.count; i++) {
        symbol_table_read(&table, i, &entry);
        status = add_elf_symbol(k, kernel, image, &entry);
    }
    if (status != STATUS_NO_MEMORY && k->count == 0) {
        diag_set(diag, elf_image_path(image), "has no symbols of the kernel's functions");
        diag_hint(diag, "give vmlinux as it was built, or its debug file");
        status = STATUS_BAD_DATA;
    }
    return finish(k, status, elf_image_path(image), kernel, "vmlinux of the target's kernel", out,
                  diag);
}

enum status kallsyms_read(const char *path, const struct kernel_facts *kernel,
                          struct kallsyms **out, struct diag *diag)
{
    return read_list(path, kernel, TEXT_MAX, out, diag);
}

enum status kallsyms_check(const char *path, struct diag *diag)
{
    const struct kernel_facts unknown = {.build_id_size = 0};
    struct kallsyms *k = NULL;
    enum status status;
    struct stat st;

    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return STATUS_OK;
    /* A list that begins with addresses is good; otherwise all of it must be read. */
    status = read_list(path, &unknown, READ_SIZE, &k, diag);
    if (status == STATUS_BAD_DATA)
        status = read_list(path, &unknown, TEXT_MAX, &k, diag);
    kallsyms_destroy(k);
    return status;
}

/* Is the build-id among the notes of the kernel that runs? */
static bool runs_here(const struct kernel_facts *kernel)
{
    uint8_t notes[NOTES_MAX];
    int fd = open(KERNEL_NOTES, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd >= 0 ? read(fd, notes, sizeof(notes)) : -1;
    struct cursor c = cursor_init(notes, size > 0 ? (size_t)size : 0);
    uint32_t name_size, desc_size, type;
    const uint8_t *name, *desc;

    if (fd >= 0)
        close(fd);
    while (cursor_u32(&c, &name_size) && cursor_u32(&c, &desc_size) && cursor_u32(&c, &type) &&
           cursor_bytes(&c, ((uint64_t)name_size + 3) & ~UINT64_C(3), &name) &&
           cursor_bytes(&c, ((uint64_t)desc_size + 3) & ~UINT64_C(3), &desc))
        if (type == NT_GNU_BUILDID && name_size == 4 && memcmp(name, "GNU", 4) == 0)
            return desc_size == kernel->build_id_size &&
                   memcmp(desc, kernel->build_id, desc_size) == 0;
    return false;
}

enum status kallsyms_open(const char *given, const char *cached, const struct kernel_facts *kernel,
                          struct kallsyms **out, struct diag *diag)
{
    enum status status;

    if (given)
        return kallsyms_read(given, kernel, out, diag);
    if (cached && access(cached, R_OK) == 0) {
        status = kallsyms_read(cached, kernel, out, diag);
        if (status == STATUS_OK || status == STATUS_NO_MEMORY)
            return status;
    }
    if (kernel->build_id_size > 0 ? runs_here(kernel) : kernel->is_this)
        return kallsyms_read(PROC_KALLSYMS, kernel, out, diag);
    diag_set(diag, "[kernel]", "the names of its functions are not known here");
    diag_hint(diag, "give a copy of the target's " PROC_KALLSYMS " with --kallsyms");
    return STATUS_NOT_FOUND;
}

const char *kallsyms_find(const struct kallsyms *k, uint64_t addr, uint64_t *start_addr)
{
    uint64_t at = addr - k->moved;
    size_t low;

    if (k->moved != 0 && (at < k->text_addr || at >= k->text_end_addr))
        return NULL;
    low = SEARCH_FIRST(i, 0, k->count, k->symbols[i].addr <= at);
    if (low == 0 || k->symbols[low - 1].rank == RANK_END ||
        at - k->symbols[low - 1].addr >= FUNCTION_MAX)
        return NULL;
    *start_addr = k->symbols[low - 1].addr + k->moved;
    return k->text + k->symbols[low - 1].name_off;
}
