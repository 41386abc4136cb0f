/* SPDX-License-Identifier: MIT */
/*
 * libunwind on recorded samples, as a remote address space with its global row cache, made large.
 * Its accessors read the sample's registers and stack, and the tables from the mapped ELF files.
 */
#include <elf.h>
#include <fcntl.h>
#include <libunwind.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"
#include "peer.h"
#include "symbol/address_space.h"
#include "symbol/module_set.h"

#define CACHE_ROWS 4096

/* Of .eh_frame_hdr, as every linker writes it: 4-byte entries relative to the header. */
#define HDR_TABLE     12
#define HDR_ENTRY     8
#define HDR_ENCODINGS "\x01\x1b\x03\x3b"

/* libunwind exports it for perf; no header declares it. */
int UNW_OBJ(dwarf_search_unwind_table)(unw_addr_space_t space, unw_word_t ip, unw_dyn_info_t *info,
                                       unw_proc_info_t *proc, int need_unwind_info, void *arg);

struct file { /* a mapped ELF file; where several are */
    const char *path;
    uint8_t *bytes;
    size_t size;
};

struct area { /* run-time addresses of a file's segment */
    uint64_t start_addr, end_addr;
    const uint8_t *bytes;
    uint64_t hdr_addr; /* of its file's .eh_frame_hdr; 0: none */
    uint32_t entries;
};

struct unwind {
    unw_addr_space_t space;
    struct file *files;
    size_t file_count, file_cap;
    struct area *areas; /* sorted by address */
    size_t area_count, area_cap;
    const struct snap_sample *sample;
};

static const struct area *find_area(const struct unwind *self, uint64_t addr)
{
    size_t low = 0, high = self->area_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (self->areas[middle].end_addr <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low < self->area_count && self->areas[low].start_addr <= addr ? &self->areas[low] : NULL;
}

static int find_proc_info(unw_addr_space_t space, unw_word_t ip, unw_proc_info_t *proc,
                          int need_unwind_info, void *arg)
{
    const struct area *area = find_area(arg, ip);
    unw_dyn_info_t info = {.format = UNW_INFO_FORMAT_REMOTE_TABLE};

    if (!area || !area->hdr_addr)
        return -UNW_ENOINFO;
    info.start_ip = area->start_addr;
    info.end_ip = area->end_addr;
    info.u.rti.segbase = area->hdr_addr;
    info.u.rti.table_data = area->hdr_addr + HDR_TABLE;
    info.u.rti.table_len = (unw_word_t)area->entries * HDR_ENTRY / sizeof(unw_word_t);
    return UNW_OBJ(dwarf_search_unwind_table)(space, ip, &info, proc, need_unwind_info, arg);
}

static void put_unwind_info(unw_addr_space_t space, unw_proc_info_t *proc, void *arg)
{
    (void)space, (void)proc, (void)arg;
}

static int get_dyn_info(unw_addr_space_t space, unw_word_t *list, void *arg)
{
    (void)space, (void)list, (void)arg;
    return -UNW_ENOINFO;
}

static int access_mem(unw_addr_space_t space, unw_word_t addr, unw_word_t *value, int write,
                      void *arg)
{
    const struct unwind *self = arg;
    const struct area *area;

    (void)space;
    if (write)
        return -UNW_EINVAL;
    if (sample_word(self->sample, addr, value))
        return 0;
    area = find_area(self, addr);
    if (!area || area->end_addr - addr < sizeof(*value))
        return -UNW_EINVAL;
    memcpy(value, area->bytes + (addr - area->start_addr), sizeof(*value));
    return 0;
}

static int access_reg(unw_addr_space_t space, unw_regnum_t reg, unw_word_t *value, int write,
                      void *arg)
{
    const struct unwind *self = arg;

    (void)space;
    if (write || reg < 0 || !regs_has(&self->sample->regs, (unsigned)reg))
        return -UNW_EBADREG;
    *value = self->sample->regs.value[reg];
    return 0;
}

static int access_fpreg(unw_addr_space_t space, unw_regnum_t reg, unw_fpreg_t *value, int write,
                        void *arg)
{
    (void)space, (void)reg, (void)value, (void)write, (void)arg;
    return -UNW_EBADREG;
}

static int resume(unw_addr_space_t space, unw_cursor_t *cursor, void *arg)
{
    (void)space, (void)cursor, (void)arg;
    return -UNW_EINVAL;
}

static int get_proc_name(unw_addr_space_t space, unw_word_t addr, char *name, size_t size,
                         unw_word_t *offset, void *arg)
{
    (void)space, (void)addr, (void)name, (void)size, (void)offset, (void)arg;
    return -UNW_ENOINFO;
}

static const struct file *map_file(struct unwind *self, const char *path)
{
    struct file *file;
    struct stat stat;
    int fd;

    for (size_t i = 0; i < self->file_count; i++)
        if (strcmp(self->files[i].path, path) == 0)
            return &self->files[i];
    if (vec_reserve(&self->files, &self->file_cap, self->file_count + 1, sizeof(*file)) !=
        STATUS_OK)
        bench_die("out of memory");
    file = &self->files[self->file_count];
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &stat) != 0 || stat.st_size < (off_t)sizeof(Elf64_Ehdr))
        bench_die("%s cannot be read", path);
    *file = (struct file){.path = path, .size = (size_t)stat.st_size};
    file->bytes = mmap(NULL, file->size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (file->bytes == MAP_FAILED || memcmp(file->bytes, ELFMAG, SELFMAG) != 0 ||
        file->bytes[EI_CLASS] != ELFCLASS64)
        bench_die("%s is no 64-bit ELF file", path);
    self->file_count++;
    return file;
}

static void add_area(struct unwind *self, struct area area)
{
    size_t at = self->area_count;

    if (vec_reserve(&self->areas, &self->area_cap, self->area_count + 1, sizeof(area)) != STATUS_OK)
        bench_die("out of memory");
    for (; at > 0 && self->areas[at - 1].start_addr > area.start_addr; at--)
        self->areas[at] = self->areas[at - 1];
    self->areas[at] = area;
    self->area_count++;
}

/* All segments of a file whose bytes lie in it, and where its search table is. */
static void add_file(struct unwind *self, const struct file *file, uint64_t bias)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file->bytes;
    const Elf64_Phdr *segments = (const Elf64_Phdr *)(file->bytes + header->e_phoff);
    uint64_t hdr_addr = 0;
    uint32_t entries = 0;

    if (header->e_phoff > file->size ||
        header->e_phnum > (file->size - header->e_phoff) / sizeof(*segments))
        bench_die("%s has no program headers", file->path);
    for (unsigned i = 0; i < header->e_phnum; i++) {
        const Elf64_Phdr *segment = &segments[i];

        if (segment->p_filesz > file->size || segment->p_offset > file->size - segment->p_filesz)
            bench_die("%s is cut short", file->path);
        if (segment->p_type != PT_GNU_EH_FRAME || segment->p_filesz < HDR_TABLE ||
            memcmp(file->bytes + segment->p_offset, HDR_ENCODINGS, 4) != 0)
            continue;
        hdr_addr = segment->p_vaddr + bias;
        memcpy(&entries, file->bytes + segment->p_offset + 8, sizeof(entries));
    }
    for (unsigned i = 0; i < header->e_phnum; i++)
        if (segments[i].p_type == PT_LOAD)
            add_area(self,
                     (struct area){.start_addr = segments[i].p_vaddr + bias,
                                   .end_addr = segments[i].p_vaddr + bias + segments[i].p_filesz,
                                   .bytes = file->bytes + segments[i].p_offset,
                                   .hdr_addr = hdr_addr,
                                   .entries = entries});
}

static void add_files(struct unwind *self, const struct recording *recording)
{
    const struct module_options options = {.arch = recording->arch};
    struct address_space space;
    struct module_set *set;
    uint64_t vaddr;

    if (module_set_create(&options, &set) != STATUS_OK)
        bench_die("out of memory");
    recording_space(recording, set, &space);
    for (size_t i = 0; i < space.count; i++) {
        struct mapping *mapping = &space.mappings[i];

        if (mapping->module->kind == MODULE_FILE && !recording_seen(&space, i) &&
            mapping_vaddr(set, mapping, mapping->start_addr, &vaddr)) {
            const struct file *file = map_file(self, mapping->module->file.path);

            add_file(self, file, mapping->start_addr - vaddr);
        }
    }
    for (size_t i = 0; i < self->file_count; i++)
        self->files[i].path = NULL; /* the set's */
    address_space_deinit(&space);
    module_set_destroy(set);
}

static void *create(const struct recording *recording)
{
    static unw_accessors_t accessors = {.find_proc_info = find_proc_info,
                                        .put_unwind_info = put_unwind_info,
                                        .get_dyn_info_list_addr = get_dyn_info,
                                        .access_mem = access_mem,
                                        .access_reg = access_reg,
                                        .access_fpreg = access_fpreg,
                                        .resume = resume,
                                        .get_proc_name = get_proc_name};
    struct unwind *self = bench_alloc(1, sizeof(*self));

    self->space = unw_create_addr_space(&accessors, 0);
    if (!self->space || unw_set_caching_policy(self->space, UNW_CACHE_GLOBAL) != 0 ||
        unw_set_cache_size(self->space, CACHE_ROWS, 0) != 0)
        bench_die("libunwind: cannot make an address space");
    add_files(self, recording);
    return self;
}

static void destroy(void *arg)
{
    struct unwind *self = arg;

    unw_destroy_addr_space(self->space);
    for (size_t i = 0; i < self->file_count; i++)
        munmap(self->files[i].bytes, self->files[i].size);
    free(self->files);
    free(self->areas);
    free(self);
}

static void unwind(void *arg, const struct recorded *recorded, enum peer_mode mode,
                   struct peer_chain *chain)
{
    struct unwind *self = arg;
    unw_cursor_t cursor;
    unw_word_t ip;

    (void)mode;
    self->sample = &recorded->sample;
    chain->count = 0;
    if (unw_init_remote(&cursor, self->space, self) != 0)
        return;
    do {
        if (unw_get_reg(&cursor, UNW_REG_IP, &ip) != 0 || !ip)
            return;
        if (chain->pcs)
            chain->pcs[chain->count] = ip;
        chain->count++;
    } while (chain->count < PEER_DEPTH_MAX && unw_step(&cursor) > 0);
}

const struct peer peer_libunwind = {.name = "libunwind",
                                    .create = create,
                                    .destroy = destroy,
                                    .unwind = unwind};
