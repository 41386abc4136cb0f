/* SPDX-License-Identifier: MIT */
#include "boards/gdb/modules.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/vec.h"
#include "boards/gdb/link.h"
#include "boards/gdb/link_map.h"
#include "boards/gdb/memory.h"

#define PAGE             UINT64_C(4096)
#define REFRESH_LEAST_NS UINT64_C(50000000)
#define REFRESH_MOST_NS  UINT64_C(5000000000)
#define PHDRS_MAX        64u
/* Code without file and memory map: so much around known addresses of it. */
#define GUESS_AROUND (UINT64_C(1) << 20)

/* A source of an ELF file's bytes: the file, or the target's memory that it is mapped to. */
struct source {
    struct gdb_state *st; /* NULL: */
    int fd;
    uint64_t base_addr; /* address of the file's offset 0 */
};

static bool read_source(void *context, uint64_t off, void *buffer, size_t size)
{
    const struct source *source = context;

    if (source->st)
        return gdb_memory_read(source->st, source->base_addr + off, buffer, size) == size;
    return off <= INT64_MAX && pread(source->fd, buffer, size, (off_t)off) == (ssize_t)size;
}

struct elf_program {
    struct elf_head head;
    struct elf_phdr phdrs[PHDRS_MAX];
    unsigned count;
};

static enum status read_program(struct source *source, struct elf_program *out)
{
    uint8_t bytes[ELF_HEAD_MAX];
    enum status status;

    out->count = 0;
    if (!read_source(source, 0, bytes, 52))
        return STATUS_NOT_FOUND;
    if (bytes[EI_CLASS] == ELFCLASS64 && !read_source(source, 0, bytes, sizeof(bytes)))
        return STATUS_NOT_FOUND;
    status = elf_head_parse(bytes, bytes[EI_CLASS] == ELFCLASS64 ? 64 : 52, &out->head);
    if (status != STATUS_OK)
        return status;
    while (out->count < out->head.phnum && out->count < PHDRS_MAX) {
        if (!read_source(source, out->head.phoff + out->count * out->head.phentsize, bytes,
                         elf_phdr_size(&out->head)))
            return STATUS_BAD_DATA;
        elf_phdr_parse(bytes, &out->head, &out->phdrs[out->count++]);
    }
    return STATUS_OK;
}

bool gdb_modules_has(const struct gdb_state *st, uint64_t addr)
{
    for (size_t i = 0; i < st->modules.count; i++)
        if (addr >= st->modules.items[i].map.start_addr && addr < st->modules.items[i].map.end_addr)
            return true;
    return false;
}

static bool overlaps(const struct gdb_modules *modules, const struct exec_map *map)
{
    for (size_t i = 0; i < modules->count; i++)
        if (map->start_addr < modules->items[i].map.end_addr &&
            map->end_addr > modules->items[i].map.start_addr)
            return true;
    return false;
}

/* Adds a module in order; drops it if it overlaps another, or there are too many. */
static void add(struct gdb_modules *modules, const struct gdb_module *module, const char *path)
{
    char *copy = strdup(path);
    size_t at;

    if (!copy || modules->count == GDB_MODULES_MAX || overlaps(modules, &module->map) ||
        vec_reserve(&modules->items, &modules->cap, modules->count + 1, sizeof(*modules->items)) !=
            STATUS_OK) {
        free(copy);
        return;
    }
    for (at = modules->count;
         at > 0 && modules->items[at - 1].map.start_addr > module->map.start_addr; at--)
        modules->items[at] = modules->items[at - 1];
    modules->items[at] = *module;
    modules->items[at].path = copy;
    modules->count++;
}

static uint64_t truncate_addr(const struct elf_program *program, uint64_t addr)
{
    return program->head.is_64 ? addr : addr & UINT32_MAX;
}

/* Adds a file's executable segments with the load bias `bias_addr`; returns how many. */
static unsigned add_segments(struct gdb_modules *modules, struct source *source,
                             const struct elf_program *program, uint64_t bias_addr,
                             const char *path)
{
    struct gdb_module module = {.kind = SNAP_MAP_FILE};
    struct stat about = {0};
    unsigned count = 0;

    if (build_id_find(read_source, source, &module.id) != STATUS_OK)
        module.id = (struct build_id){.size = 0};
    if (!source->st && fstat(source->fd, &about) == 0) {
        module.map.dev = about.st_dev;
        module.map.inode = about.st_ino;
    }
    if (!module.map.inode) /* another machine's file: identified by its path */
        module.map.inode = hash_bytes(1, path, strlen(path)) | 1;
    for (unsigned i = 0; i < program->count; i++) {
        const struct elf_phdr *phdr = &program->phdrs[i];
        const uint64_t start = truncate_addr(program, phdr->vaddr + bias_addr);
        const uint64_t size = source->st ? phdr->memsz : phdr->filesz;

        if (phdr->type != PT_LOAD || !(phdr->flags & PF_X) || !size || start > UINT64_MAX - size ||
            phdr->off > UINT64_MAX - size)
            continue;
        module.map.start_addr = start;
        module.map.end_addr = start + size;
        module.map.file_off = phdr->off;
        if (source->st && start % PAGE == phdr->off % PAGE) { /* as the kernel has mapped it */
            module.map.start_addr -= start % PAGE;
            module.map.file_off -= start % PAGE;
        }
        module.map.prot = MAP_PROT_READ | MAP_PROT_EXEC;
        module.may_change = phdr->flags & PF_W;
        add(modules, &module, path);
        count++;
    }
    return count;
}

static enum status open_file(const char *path, struct source *source, struct elf_program *program,
                             struct diag *diag)
{
    enum status status;

    *source = (struct source){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (source->fd < 0) {
        diag_set(diag, path, "cannot open: %s", strerror(errno));
        return STATUS_IO;
    }
    status = read_program(source, program);
    if (status == STATUS_OK)
        return STATUS_OK;
    diag_set(diag, path,
             status == STATUS_UNSUPPORTED ? "is a big-endian ELF file"
                                          : "is no ELF file, or not a whole one");
    close(source->fd);
    return STATUS_BAD_DATA;
}

const struct arch *gdb_modules_arch(const char *path, struct diag *diag)
{
    const struct arch *arch;
    struct source source;
    struct elf_program program;

    if (open_file(path, &source, &program, diag) != STATUS_OK)
        return NULL;
    close(source.fd);
    arch = arch_by_elf(program.head.machine, program.head.is_64 ? 8 : 4);
    if (!arch)
        diag_set(diag, path, "is of an architecture that is not known here");
    return arch;
}

bool gdb_modules_auxv(const struct gdb_state *st, uint64_t type, uint64_t *out)
{
    const size_t word = st->arch->word_size;

    for (size_t off = 0; off + 2 * word <= st->auxv_size; off += 2 * word) {
        uint64_t key = 0, value = 0;

        memcpy(&key, st->auxv + off, word);
        memcpy(&value, st->auxv + off + word, word);
        if (key == type) {
            *out = value;
            return true;
        }
    }
    return false;
}

/* Returns the load bias; a position-independent program's by its entry. */
static uint64_t bias_of(const struct gdb_state *st, const struct elf_program *program,
                        const struct capture_firmware *file)
{
    uint64_t entry_addr;

    if (file->bias || !st->is_linux || program->head.type != ET_DYN ||
        !gdb_modules_auxv(st, AT_ENTRY, &entry_addr))
        return (uint64_t)file->bias;
    return entry_addr - program->head.entry_vaddr;
}

/* A file for another machine than the target is of no use. */
static bool is_of_target(const struct gdb_state *st, const struct elf_program *program,
                         const char *path, struct diag *diag)
{
    const struct arch *arch = arch_by_elf(program->head.machine, program->head.is_64 ? 8 : 4);

    if (arch == st->arch)
        return true;
    diag_set(diag, path, "is for %s, the target is %s",
             arch ? arch->name : "an architecture that is not known here", st->arch->name);
    return false;
}

static enum status add_file(const struct gdb_state *st, struct gdb_modules *modules,
                            const struct capture_firmware *file, struct diag *diag)
{
    struct source source;
    struct elf_program program;
    char path[PATH_MAX];
    enum status status = open_file(file->path, &source, &program, diag);
    unsigned count;

    if (status != STATUS_OK)
        return status;
    if (!is_of_target(st, &program, file->path, diag)) {
        close(source.fd);
        return STATUS_BAD_DATA;
    }
    count = add_segments(modules, &source, &program, bias_of(st, &program, file),
                         realpath(file->path, path) ? path : file->path);
    close(source.fd);
    if (count)
        return STATUS_OK;
    diag_set(diag, file->path, "has no segment of code");
    diag_hint(diag, "give the firmware as it was linked, an ELF file with program headers");
    return STATUS_BAD_DATA;
}

enum status gdb_modules_add_firmware(struct gdb_state *st, struct diag *diag)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < st->options->firmware_count && status == STATUS_OK; i++)
        status = add_file(st, &st->modules, &st->options->firmware[i], diag);
    return status;
}

/* Adds a file that the target has mapped at `base_addr`. False: none there. */
static bool add_mapped(struct gdb_state *st, struct gdb_modules *modules, uint64_t base_addr,
                       uint64_t bias_addr, const char *path, struct elf_program *program)
{
    struct source source = {.st = st, .base_addr = base_addr};

    return read_program(&source, program) == STATUS_OK &&
           add_segments(modules, &source, program, bias_addr, path) > 0;
}

/* Context for adding libraries one by one. */
struct library_search {
    struct gdb_state *st;
    struct gdb_modules *modules;
    bool is_linked; /* the program has libraries, or needs none */
};

static void add_library(void *context, uint64_t bias_addr, const char *path)
{
    struct library_search *search = context;
    struct elf_program program;

    search->is_linked = true;
    (void)add_mapped(search->st, search->modules, bias_addr, bias_addr, path, &program);
}

static const struct elf_phdr *find_segment(const struct elf_program *program, uint32_t type)
{
    for (unsigned i = 0; i < program->count; i++)
        if (program->phdrs[i].type == type)
            return &program->phdrs[i];
    return NULL;
}

/* Adds the dynamic linker, and what it has linked. */
static void add_linked(struct library_search *search, const struct elf_program *program,
                       uint64_t bias_addr)
{
    struct gdb_state *st = search->st;
    const struct elf_phdr *interpreter = find_segment(program, PT_INTERP);
    const struct elf_phdr *dynamic = find_segment(program, PT_DYNAMIC);
    char path[GDB_LINK_NAME_MAX];
    uint64_t base_addr;

    if (dynamic && !st->offers.libraries)
        gdb_link_map_each(st, truncate_addr(program, dynamic->vaddr + bias_addr), add_library,
                          search);
    if (interpreter && gdb_modules_auxv(st, AT_BASE, &base_addr) && base_addr &&
        gdb_link_map_string(st, truncate_addr(program, interpreter->vaddr + bias_addr), path,
                            sizeof(path))) {
        const bool is_linked = search->is_linked; /* the linker itself is there before */

        add_library(search, base_addr, path);
        search->is_linked = is_linked;
    }
    search->is_linked |= !interpreter;
}

static void add_program(struct library_search *search)
{
    struct gdb_state *st = search->st;
    struct source source = {.st = st};
    struct elf_program program;
    uint64_t phdrs_addr, entry_addr, bias_addr;

    if (!gdb_modules_auxv(st, AT_PHDR, &phdrs_addr) ||
        !gdb_modules_auxv(st, AT_ENTRY, &entry_addr) || !st->exe)
        return;
    source.base_addr = phdrs_addr - phdrs_addr % PAGE;
    if (read_program(&source, &program) != STATUS_OK)
        return;
    bias_addr = entry_addr - program.head.entry_vaddr;
    (void)add_segments(search->modules, &source, &program, bias_addr, st->exe);
    add_linked(search, &program, bias_addr);
}

static void add_libraries(struct library_search *search)
{
    struct gdb_libraries libraries = {.count = 0};
    struct gdb_xml_flat document = {.size = 0};

    if (search->st->offers.libraries &&
        gdb_link_read_xml(&search->st->client, "libraries-svr4", "", &document) == STATUS_OK)
        (void)!gdb_libraries_parse(&document, &libraries); /* what could be read */
    for (size_t i = 0; i < libraries.count; i++)
        if (libraries.items[i].bias_addr)
            add_library(search, libraries.items[i].bias_addr, libraries.items[i].path);
    gdb_libraries_deinit(&libraries);
    gdb_xml_free(&document);
}

static bool are_same(const struct gdb_modules *a, const struct gdb_modules *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->items[i].map.start_addr != b->items[i].map.start_addr ||
            a->items[i].map.end_addr != b->items[i].map.end_addr ||
            strcmp(a->items[i].path, b->items[i].path) != 0)
            return false;
    return true;
}

/* While libraries are being loaded. */
static uint64_t next_look(const struct gdb_state *st, bool is_changed, uint64_t cost_ns)
{
    uint64_t next_ns = is_changed ? REFRESH_LEAST_NS : 2 * st->refresh_ns;

    if (next_ns < REFRESH_LEAST_NS)
        next_ns = REFRESH_LEAST_NS;
    if (next_ns < 20 * cost_ns)
        next_ns = 20 * cost_ns;
    return next_ns < REFRESH_MOST_NS ? next_ns : REFRESH_MOST_NS;
}

void gdb_modules_refresh(struct gdb_state *st)
{
    struct gdb_modules now = {.count = 0};
    struct library_search search = {.st = st, .modules = &now};
    bool is_changed;

    st->refreshed_ns = clock_now_ns();
    if (!st->is_linux)
        return;
    for (size_t i = 0; i < st->options->firmware_count; i++)
        (void)!add_file(st, &now, &st->options->firmware[i], NULL);
    add_libraries(&search);
    add_program(&search);
    /* Unless the questions were cut short, keep what is found now. */
    is_changed = now.count && !st->client.has_failed && gdb_bound_may_ask(&st->bound) &&
                 !are_same(&now, &st->modules);
    st->refresh_ns = !is_changed && search.is_linked
                         ? REFRESH_MOST_NS
                         : next_look(st, is_changed, clock_now_ns() - st->refreshed_ns);
    if (is_changed) {
        gdb_modules_deinit(&st->modules);
        st->modules = now;
        st->generation++;
    } else {
        gdb_modules_deinit(&now);
    }
}

static void add_guess(struct gdb_state *st, uint64_t start, uint64_t end)
{
    const struct gdb_module module = {.kind = SNAP_MAP_ANON,
                                      .map = {.start_addr = start,
                                              .end_addr = end,
                                              .prot = MAP_PROT_READ | MAP_PROT_EXEC}};

    if (start < end)
        add(&st->modules, &module, "");
}

void gdb_modules_guess(struct gdb_state *st, uint64_t pc)
{
    const uint64_t reset = st->board.reset_addr ? st->board.reset_addr : pc;
    const uint64_t low = pc < reset ? pc : reset, high = pc < reset ? reset : pc;

    for (size_t i = 0; i < st->memory_map.count; i++)
        if (!st->memory_map.items[i].is_ram)
            add_guess(st, st->memory_map.items[i].start_addr,
                      st->memory_map.items[i].start_addr + st->memory_map.items[i].size);
    if (st->modules.count && gdb_modules_has(st, pc))
        return;
    if (high - low < 4 * GUESS_AROUND)
        add_guess(st, low - low % GUESS_AROUND, high - high % GUESS_AROUND + GUESS_AROUND);
    else
        add_guess(st, pc - pc % GUESS_AROUND, pc - pc % GUESS_AROUND + GUESS_AROUND);
}

void gdb_modules_deinit(struct gdb_modules *modules)
{
    for (size_t i = 0; i < modules->count; i++)
        free(modules->items[i].path);
    free(modules->items);
    *modules = (struct gdb_modules){.count = 0};
}
