/* SPDX-License-Identifier: MIT */
#include "unwind/code/code_window.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

void code_window_deinit(struct code_window *window)
{
    free(window->pieces);
    free(window->bytes);
    *window = (struct code_window){0};
}

enum status code_window_add(struct code_window *window, uint64_t vaddr, const uint8_t *bytes,
                            size_t size)
{
    struct code_piece *last;

    if (size == 0)
        return STATUS_OK;
    if (vec_reserve(&window->pieces, &window->piece_cap, window->piece_count + 1,
                    sizeof(*window->pieces)) != STATUS_OK ||
        vec_reserve(&window->bytes, &window->cap, window->size + size, 1) != STATUS_OK)
        return STATUS_NO_MEMORY;
    memcpy(window->bytes + window->size, bytes, size);
    window->size += size;
    last = window->piece_count ? &window->pieces[window->piece_count - 1] : NULL;
    if (last && vaddr == last->vaddr + last->size)
        last->size += size;
    else
        window->pieces[window->piece_count++] = (struct code_piece){.vaddr = vaddr, .size = size};
    return STATUS_OK;
}

/* Writes `size` bytes of `value`, little-endian; returns the end. */
static uint8_t *put(uint8_t *at, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        *at++ = (uint8_t)(value >> 8 * i);
    return at;
}

static uint8_t *put_header(uint8_t *at, const struct arch *arch, size_t piece_count)
{
    static const uint8_t ident[] = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3};
    unsigned word = arch->word_size;
    bool wide = word == 8;
    uint8_t *start = at;

    memcpy(at, ident, sizeof(ident));
    at[EI_CLASS] = wide ? ELFCLASS64 : ELFCLASS32;
    at[EI_DATA] = ELFDATA2LSB;
    at[EI_VERSION] = EV_CURRENT;
    at = put(start + EI_NIDENT, ET_DYN, 2);
    at = put(at, arch->elf_machine, 2);
    at = put(at, EV_CURRENT, 4);
    at = put(at, UINT64_MAX, word); /* no entry point: 0 may be an address of code */
    at = put(at, wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr), word);
    at = put(at, 0, word);
    at = put(at, 0, 4);
    at = put(at, wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr), 2);
    at = put(at, wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr), 2);
    at = put(at, piece_count, 2);
    return put(at, 0, 6);
}

static uint8_t *put_segment(uint8_t *at, const struct arch *arch, const struct code_piece *piece,
                            uint64_t off)
{
    unsigned word = arch->word_size;

    at = put(at, PT_LOAD, 4);
    if (word == 8)
        at = put(at, PF_R | PF_X, 4);
    at = put(at, off, word);
    at = put(at, piece->vaddr, word);
    at = put(at, piece->vaddr, word);
    at = put(at, piece->size, word);
    at = put(at, piece->size, word);
    if (word == 4)
        at = put(at, PF_R | PF_X, 4);
    return put(at, 1, word);
}

enum status code_window_image(const struct code_window *window, const struct arch *arch,
                              const char *name, struct elf_image **out)
{
    bool wide = arch->word_size == 8;
    size_t head = (wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)) +
                  window->piece_count * (wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));
    const struct code_piece *last;
    uint64_t off = head;
    uint8_t *file, *at;
    enum status status;

    if (window->piece_count == 0 || window->piece_count >= PN_XNUM)
        return STATUS_UNSUPPORTED;
    last = &window->pieces[window->piece_count - 1];
    if (!wide && last->vaddr + last->size > UINT32_MAX)
        return STATUS_UNSUPPORTED;
    file = calloc(1, head + window->size);
    if (!file)
        return STATUS_NO_MEMORY;
    at = put_header(file, arch, window->piece_count);
    for (size_t i = 0; i < window->piece_count; i++) {
        at = put_segment(at, arch, &window->pieces[i], off);
        off += window->pieces[i].size;
    }
    memcpy(at, window->bytes, window->size);
    status = elf_image_open_bytes(file, head + window->size, name, out, NULL);
    free(file);
    return status == STATUS_BAD_DATA ? STATUS_UNSUPPORTED : status;
}
