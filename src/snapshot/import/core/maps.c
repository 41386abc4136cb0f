/* SPDX-License-Identifier: MIT */
#include "snapshot/import/core/maps.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "runtime/go/memory/go_version.h"
#include "snapshot/import/core/goroutine.h"

struct piece { /* a part of the address space in a segment, a file, or both */
    uint64_t start_addr, end_addr;
    const struct core_segment *segment;
    const struct core_mapped_file *file;
};

void core_maps_free(struct core_maps *maps)
{
    free(maps->bytes);
    *maps = (struct core_maps){0};
}

/* Moves to the next piece; false: the end. */
static bool next_piece(struct core_maps *maps, const struct core_image *image,
                       const struct core_notes *notes, struct piece *out)
{
    const struct core_segment *segment;
    const struct core_mapped_file *file;
    uint64_t start = UINT64_MAX;

    while (maps->segment < image->count && image->segments[maps->segment].end_addr <= maps->addr)
        maps->segment++;
    while (maps->file < notes->file_count && notes->files[maps->file].end_addr <= maps->addr)
        maps->file++;
    segment = maps->segment < image->count ? &image->segments[maps->segment] : NULL;
    file = maps->file < notes->file_count ? &notes->files[maps->file] : NULL;
    if (!segment && !file)
        return false;
    if (segment)
        start = segment->start_addr;
    if (file && file->start_addr < start)
        start = file->start_addr;
    if (start < maps->addr)
        start = maps->addr;
    *out = (struct piece){.start_addr = start, .end_addr = UINT64_MAX};
    if (segment && segment->start_addr <= start) {
        out->segment = segment;
        out->end_addr = segment->end_addr;
    } else if (segment) {
        out->end_addr = segment->start_addr;
    }
    if (file && file->start_addr <= start) {
        out->file = file;
        if (file->end_addr < out->end_addr)
            out->end_addr = file->end_addr;
    } else if (file && file->start_addr < out->end_addr) {
        out->end_addr = file->start_addr;
    }
    maps->addr = out->end_addr;
    return true;
}

/* A file's beginning in memory, with its first page read at once, which kernel and gdb keep. */
struct head {
    const struct core_image *image;
    uint64_t addr;
    size_t size;
    uint8_t bytes[4096];
};

static bool read_head(void *context, uint64_t off, void *buffer, size_t size)
{
    const struct head *head = context;
    uint64_t addr;

    if (off <= head->size && size <= head->size - off) {
        memcpy(buffer, head->bytes + off, size);
        return true;
    }
    return !__builtin_add_overflow(head->addr, off, &addr) &&
           core_image_read(head->image, addr, buffer, size);
}

static void find_code(struct core_module *module, struct head *head)
{
    uint8_t bytes[ELF_HEAD_MAX];
    struct elf_head elf;
    struct elf_phdr phdr;

    if (!read_head(head, 0, bytes, sizeof(bytes)) ||
        elf_head_parse(bytes, sizeof(bytes), &elf) != STATUS_OK)
        return;
    for (unsigned i = 0; i < elf.phnum && i < BUILD_ID_PHDR_MAX; i++) {
        if (!read_head(head, elf.phoff + (uint64_t)i * elf.phentsize, bytes, elf_phdr_size(&elf)))
            return;
        elf_phdr_parse(bytes, &elf, &phdr);
        if (phdr.type != PT_LOAD || !(phdr.flags & PF_X))
            continue;
        if (module->code_count == CORE_CODE_RANGES)
            return;
        module->code[module->code_count++] = (struct core_range){phdr.off, phdr.filesz};
    }
    module->head_addr = head->addr;
    module->has_head = true;
}

/* Finds the addresses of the file's first writable part; false: none. */
static bool find_data(struct head *head, struct core_range *out)
{
    uint8_t bytes[ELF_HEAD_MAX];
    struct elf_head elf;
    struct elf_phdr phdr;
    uint64_t first_vaddr = 0; /* of the PT_LOAD at offset 0 */

    if (!read_head(head, 0, bytes, sizeof(bytes)) ||
        elf_head_parse(bytes, sizeof(bytes), &elf) != STATUS_OK)
        return false;
    for (unsigned i = 0; i < elf.phnum && i < BUILD_ID_PHDR_MAX; i++) {
        if (!read_head(head, elf.phoff + (uint64_t)i * elf.phentsize, bytes, elf_phdr_size(&elf)))
            return false;
        elf_phdr_parse(bytes, &elf, &phdr);
        if (phdr.type != PT_LOAD)
            continue;
        if (phdr.off == 0)
            first_vaddr = phdr.vaddr;
        if (phdr.flags & PF_W) {
            *out = (struct core_range){head->addr + (phdr.vaddr - first_vaddr), phdr.filesz};
            return true;
        }
    }
    return false;
}

/* Skips what the dynamic linker made read-only: constants, which may be large. */
static void skip_constants(const struct core_image *image, struct core_range *data)
{
    const struct core_segment *segment;
    uint64_t end = data->off + data->size;

    while (data->off < end && (segment = core_image_segment(image, data->off)) &&
           !(segment->flags & PF_W))
        data->off = segment->end_addr;
    data->size = data->off < end ? end - data->off : 0;
}

static unsigned find_version(const struct core_image *image, struct head *head)
{
    const struct goroutine_memory memory = core_goroutine_memory(image);
    struct core_range data;

    if (!find_data(head, &data) || data.size > UINT64_MAX - data.off)
        return 0;
    skip_constants(image, &data);
    return go_version_find(&memory, data.off, data.off + data.size);
}

/*
 * Returns whether the module is this known one. A process may map its file again, to read it: there
 * it has no data, and so no version.
 */
static bool is_known(const struct core_go_module *known, const struct core_module *module,
                     unsigned version)
{
    return known->id.size == module->id.size &&
           memcmp(known->id.bytes, module->id.bytes, known->id.size) == 0 &&
           strcmp(known->path, module->path) == 0 &&
           (!version || !known->version || version == known->version);
}

static void add_go(struct core_go *go, const struct core_module *module,
                   const struct core_image *image, struct head *head)
{
    const unsigned version = go->looks++ < CORE_GO_LOOKS ? find_version(image, head) : 0;

    for (unsigned i = 0; i < go->count && i < CORE_GO_MODULES; i++)
        if (is_known(&go->list[i], module, version)) {
            if (version)
                go->list[i].version = version;
            return;
        }
    if (go->count++ < CORE_GO_MODULES)
        go->list[go->count - 1] =
            (struct core_go_module){.path = module->path, .id = module->id, .version = version};
}

/* With several versions in one process it is not known which one a goroutine belongs to. */
unsigned core_go_version(const struct core_go *go)
{
    for (unsigned i = 1; i < go->count; i++)
        if (i >= CORE_GO_MODULES || go->list[i].version != go->list[0].version)
            return 0;
    return go->count ? go->list[0].version : 0;
}

static void look_at(struct core_maps *maps, const struct core_image *image, uint64_t addr)
{
    struct core_module *module = &maps->module;
    struct head head = {.image = image, .addr = addr};

    if (core_image_read(image, addr, head.bytes, sizeof(head.bytes)))
        head.size = sizeof(head.bytes);
    (void)!build_id_find(read_head, &head, &module->id);
    find_code(module, &head);
    if (module->id.is_go && module->path)
        add_go(&maps->go, module, image, &head);
}

/* Enters a piece of `file`; reads the file's head where its first page is. */
static void enter_file(struct core_maps *maps, const struct core_image *image,
                       const struct core_mapped_file *file)
{
    bool same = maps->module.path && strcmp(maps->module.path, file->path) == 0;

    if (same && (file->file_off || file->path == maps->module.path))
        return;
    maps->module = (struct core_module){.path = file->path,
                                        .deleted = file->deleted,
                                        .is_executable = file->is_executable};
    if (file->anchor == SNAP_ANCHOR_OFFSET && file->file_off == 0 &&
        maps->modules++ < CORE_MODULES_MAX)
        look_at(maps, image, file->start_addr);
    if (maps->module.has_head)
        maps->last = maps->module;
}

/*
 * Returns whether a piece without a segment has code, by the file's program headers; true if these
 * are not known.
 */
static bool holds_code(const struct core_module *module, uint64_t off, uint64_t size)
{
    for (size_t i = 0; i < module->code_count; i++) {
        const struct core_range *code = &module->code[i];

        if (off >= code->off ? off - code->off < code->size : code->off - off < size)
            return true;
    }
    return !module->has_head;
}

static uint8_t protection(uint32_t flags)
{
    return (uint8_t)((flags & PF_R ? 1 : 0) | (flags & PF_W ? 2 : 0) | (flags & PF_X ? 4 : 0));
}

static void module_map(const struct core_module *module, uint64_t file_off, struct snap_map *map)
{
    map->kind = SNAP_MAP_FILE;
    map->path = module->path;
    map->flags = module->deleted ? SNAP_MAP_DELETED : 0;
    map->file_off = file_off;
    map->build_id = module->id.bytes;
    map->build_id_size = module->id.size;
    map->is_executable = module->is_executable;
}

static void file_map(const struct core_maps *maps, const struct piece *piece, struct snap_map *map)
{
    module_map(&maps->module, piece->file->file_off + (piece->start_addr - piece->file->start_addr),
               map);
    map->anchor = piece->file->anchor;
    map->anchor_addr = piece->file->anchor_addr;
}

/*
 * Makes `map` one of the last file with a first page, if its program headers have code there: some
 * programs copy their text into memory without a file, or into a memfd. Compares no bytes.
 */
static void find_moved(struct core_maps *maps, const struct core_image *image,
                       const struct core_notes *notes, struct snap_map *map)
{
    struct core_head *head = &maps->last_head;

    if (!maps->last.has_head)
        return;
    if (head->addr != maps->last.head_addr &&
        !core_head_read(image, maps->last.head_addr, core_notes_page_size(notes, image->arch),
                        head))
        head->load_count = 0;
    for (size_t i = 0; i < head->load_count; i++) {
        const struct core_head_load *load = &head->loads[i];

        if (load->is_code && map->start_addr >= load->start_addr && map->end_addr <= load->end_addr)
            module_map(&maps->last, load->file_off + (map->start_addr - load->start_addr), map);
    }
}

static void own_map(struct core_maps *maps, const struct core_image *image,
                    const struct piece *piece, struct snap_map *map)
{
    const struct core_layout *layout = core_layout_get(image->arch);

    map->kind = SNAP_MAP_ANON;
    map->path = "";
    if (piece->start_addr == maps->vdso_addr && maps->vdso_addr) {
        maps->module = (struct core_module){0};
        look_at(maps, image, piece->start_addr);
        map->kind = SNAP_MAP_VDSO;
        map->path = "[vdso]";
        map->build_id = maps->module.id.bytes;
        map->build_id_size = maps->module.id.size;
    } else if (piece->start_addr == layout->special_addr && layout->special_addr) {
        map->kind = SNAP_MAP_SPECIAL;
        map->path = layout->special_name;
    }
}

/* Plans the CODE events of a piece. */
static void plan_code(struct core_maps *maps, const struct core_image *image,
                      const struct piece *piece, const struct snap_map *map)
{
    uint64_t end = piece->segment ? core_segment_captured(image, piece->segment) : 0;

    maps->code_of_file = map->kind == SNAP_MAP_FILE;
    maps->code_addr = piece->start_addr;
    maps->code_end = end < piece->end_addr ? end : piece->end_addr;
    /* The vDSO is an ELF file: all of it or nothing. */
    if (map->kind == SNAP_MAP_VDSO &&
        (end < piece->end_addr || piece->end_addr - piece->start_addr > CORE_VDSO_MAX))
        maps->code_end = 0;
}

/*
 * Returns how many bytes may still be given: never more than the file has, as segments may share
 * its bytes.
 */
static uint64_t code_left(const struct core_maps *maps, const struct core_image *image)
{
    const uint64_t of_kind = maps->code_of_file ? CORE_FILE_CODE_MAX - maps->file_code
                                                : CORE_ANON_CODE_MAX - maps->anon_code;
    const uint64_t given = maps->file_code + maps->anon_code;
    const uint64_t of_all = image->file.size > given ? image->file.size - given : 0;

    return of_kind < of_all ? of_kind : of_all;
}

static enum status next_code(struct core_maps *maps, const struct core_image *image, uint32_t pid,
                             struct snap_event *event)
{
    const struct core_segment *segment = core_image_segment(image, maps->code_addr);
    const uint64_t left = code_left(maps, image);
    uint64_t size = maps->code_end - maps->code_addr;

    maps->left_out = maps->left_out || size > left;
    if (size > left)
        size = left;
    if (size > CORE_CODE_PIECE)
        size = CORE_CODE_PIECE;
    if (vec_reserve(&maps->bytes, &maps->cap, CORE_CODE_PIECE, 1) != STATUS_OK)
        return STATUS_NO_MEMORY;
    size = core_file_read(&image->file, segment->off + (maps->code_addr - segment->start_addr),
                          maps->bytes, (size_t)size);
    if (size == 0) {
        maps->code_end = 0;
        return STATUS_NOT_FOUND;
    }
    *event = (struct snap_event){.type = SNAP_CODE,
                                 .range = {.pid = pid,
                                           .start_addr = maps->code_addr,
                                           .end_addr = maps->code_addr + size,
                                           .bytes = maps->bytes}};
    maps->code_addr += size;
    *(maps->code_of_file ? &maps->file_code : &maps->anon_code) += size;
    return STATUS_OK;
}

enum status core_maps_next(struct core_maps *maps, const struct core_image *image,
                           const struct core_notes *notes, uint32_t pid, struct snap_event *event)
{
    struct piece piece;

    while (maps->code_addr < maps->code_end) {
        enum status status = next_code(maps, image, pid, event);
        if (status != STATUS_NOT_FOUND)
            return status;
    }
    while (next_piece(maps, image, notes, &piece)) {
        struct snap_map map = {.pid = pid,
                               .start_addr = piece.start_addr,
                               .end_addr = piece.end_addr,
                               .prot = piece.segment ? protection(piece.segment->flags) : 5};

        if (piece.file)
            enter_file(maps, image, piece.file);
        if (piece.segment
                ? !(piece.segment->flags & PF_X)
                : !holds_code(&maps->module,
                              piece.file->file_off + (piece.start_addr - piece.file->start_addr),
                              piece.end_addr - piece.start_addr))
            continue;
        if (piece.file)
            file_map(maps, &piece, &map);
        else
            own_map(maps, image, &piece, &map);
        if (piece.file ? !maps->module.has_head : map.kind == SNAP_MAP_ANON)
            find_moved(maps, image, notes, &map);
        plan_code(maps, image, &piece, &map);
        *event = (struct snap_event){.type = SNAP_MAP, .map = map};
        return STATUS_OK;
    }
    return STATUS_END;
}
