/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/moved_text.h"

#include <elf.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/search.h"
#include "capture/ptrace/build_id.h"

#define PIECES_LEAST 16 /* a page has 32 */

static bool read_memory(pid_t tid, uint64_t addr, void *buffer, size_t size)
{
    struct iovec local = {.iov_base = buffer, .iov_len = size};
    struct iovec remote = {.iov_base = (void *)(uintptr_t)addr, .iov_len = size};

    return process_vm_readv(tid, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

/*
 * Finds the file offset of the text that the program headers at `head_addr` map at `map`:
 *
 *     load bias = head_addr - page of the first segment's vaddr, whose file offset is 0
 */
static bool find_off(pid_t tid, uint64_t head_addr, const struct exec_map *map, uint64_t *off)
{
    const uint64_t in_page = (uint64_t)sysconf(_SC_PAGESIZE) - 1;
    uint8_t bytes[ELF_HEAD_MAX];
    struct elf_head head;
    uint64_t bias = 0;
    bool has_bias = false;

    if (!read_memory(tid, head_addr, bytes, sizeof(bytes)) ||
        elf_head_parse(bytes, sizeof(bytes), &head) != STATUS_OK)
        return false;
    for (unsigned i = 0; i < head.phnum && i < BUILD_ID_PHDR_MAX; i++) {
        struct elf_phdr phdr;
        uint64_t start_addr, size;

        if (!read_memory(tid, head_addr + head.phoff + (uint64_t)i * head.phentsize, bytes,
                         elf_phdr_size(&head)))
            return false;
        elf_phdr_parse(bytes, &head, &phdr);
        if (phdr.type != PT_LOAD)
            continue;
        if (!has_bias && phdr.off > in_page)
            return false;
        if (!has_bias)
            bias = head_addr - (phdr.vaddr & ~in_page);
        has_bias = true;
        start_addr = bias + (phdr.vaddr & ~in_page);
        size = ((phdr.vaddr & in_page) + phdr.filesz + in_page) & ~in_page;
        if (!(phdr.flags & PF_X) || map->start_addr < start_addr ||
            map->start_addr - start_addr >= size ||
            map->end_addr - map->start_addr > size - (map->start_addr - start_addr))
            continue;
        *off = (phdr.off & ~in_page) + (map->start_addr - start_addr);
        return true;
    }
    return false;
}

/* Does the memory at `map` have the pieces of the file, of which it begins at `off`? */
static bool has_pieces(pid_t tid, const struct exec_map *map, uint64_t off,
                       const struct file_pieces *pieces)
{
    uint8_t bytes[FILE_PIECES][FILE_PIECE_SIZE];
    struct iovec local = {.iov_base = bytes, .iov_len = pieces->count * FILE_PIECE_SIZE};
    struct iovec remote[FILE_PIECES];

    for (unsigned i = 0; i < pieces->count; i++)
        remote[i] = (struct iovec){.iov_base = (void *)(uintptr_t)(map->start_addr +
                                                                   (pieces->off[i] - off)),
                                   .iov_len = FILE_PIECE_SIZE};
    return pieces->count >= PIECES_LEAST &&
           process_vm_readv(tid, &local, 1, remote, pieces->count, 0) == (ssize_t)local.iov_len &&
           memcmp(bytes, pieces->bytes, local.iov_len) == 0;
}

static bool is_same(const struct build_id *a, const struct build_id *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static bool is_text_of(struct files *files, pid_t tid, const struct maps *maps,
                       const struct map_beside *beside, struct map_facts *facts)
{
    const struct exec_map *map = &maps->execs[beside->exec];
    const char *path = maps->paths + beside->path_off;
    struct exec_map text = *map;
    struct file_facts file;
    struct build_id id;

    if (!find_off(tid, beside->head_addr, map, &text.file_off))
        return false;
    text.dev = beside->dev;
    text.inode = beside->inode;
    if (!files_ask(files, tid, &text, path, FILE_WANTS_PIECES, &file)) {
        facts->is_unanswered = true;
        return false;
    }
    if (!has_pieces(tid, map, text.file_off, &file.pieces) ||
        (build_id_from_memory(tid, beside->head_addr, &id) == STATUS_OK && !is_same(&id, &file.id)))
        return false;
    (void)maps_copy_path(facts->path, sizeof(facts->path), path, file.reading);
    facts->kind = SNAP_MAP_FILE;
    facts->deleted = file.is_replaced;
    facts->file_off = text.file_off;
    facts->dev = text.dev;
    facts->inode = text.inode;
    facts->id = file.id;
    facts->pieces = file.pieces;
    if (file.id.size)
        facts->pieces.count = 0;
    return true;
}

bool moved_text_find(struct files *files, pid_t tid, const struct maps *maps, size_t exec,
                     struct map_facts *facts)
{
    facts->is_unanswered = false;
    for (size_t i = SEARCH_FIRST(k, 0, maps->beside_len, maps->besides[k].exec < exec);
         i < maps->beside_len && maps->besides[i].exec == exec; i++)
        if (is_text_of(files, tid, maps, &maps->besides[i], facts))
            return true;
    return false;
}
