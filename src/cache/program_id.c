/* SPDX-License-Identifier: MIT */
#include "cache/program_id.h"

#include <elf.h>
#include <link.h>
#include <string.h>

struct found_id {
    const uint8_t *bytes;
    size_t size;
};

static size_t padded(size_t size)
{
    return (size + 3) & ~(size_t)3;
}

static void look_at_notes(const uint8_t *notes, size_t size, struct found_id *found)
{
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        size_t name, desc;

        memcpy(&note, notes, sizeof(note));
        name = padded(note.n_namesz);
        desc = padded(note.n_descsz);
        notes += sizeof(note);
        size -= sizeof(note);
        if (name > size || desc > size - name)
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(notes, "GNU", 4) == 0) {
            *found = (struct found_id){notes + name, note.n_descsz};
            return;
        }
        notes += name + desc;
        size -= name + desc;
    }
}

/* The program itself comes first; 1 stops the iteration. */
static int look(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

        if (segment->p_type == PT_NOTE)
            look_at_notes((const uint8_t *)(info->dlpi_addr + segment->p_vaddr), segment->p_memsz,
                          context);
    }
    return 1;
}

const uint8_t *program_id(size_t *size)
{
    struct found_id found = {0};

    dl_iterate_phdr(look, &found);
    *size = found.size;
    return found.bytes;
}
