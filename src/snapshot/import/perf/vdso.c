/* SPDX-License-Identifier: MIT */
/* The vDSO is in no file, but this machine's kernel maps the same one into this process. */
#include <elf.h>
#include <string.h>
#include <sys/auxv.h>

#include "snapshot/import/perf/source.h"

#define VDSO_MAX (UINT64_C(1) << 20)

#if UINTPTR_MAX == UINT64_MAX
typedef Elf64_Ehdr vdso_ehdr;
typedef Elf64_Phdr vdso_phdr;
#else
typedef Elf32_Ehdr vdso_ehdr;
typedef Elf32_Phdr vdso_phdr;
#endif

/* Returns whether the segment's build-id is the module's. The kernel's notes are well-formed. */
static bool notes_hold(const uint8_t *notes, uint64_t size, const struct perf_module *module)
{
    while (size >= sizeof(Elf64_Nhdr)) {
        Elf64_Nhdr note; /* the same in both classes */
        uint64_t name_size, desc_size;

        memcpy(&note, notes, sizeof(note));
        name_size = ((uint64_t)note.n_namesz + 3) & ~UINT64_C(3);
        desc_size = ((uint64_t)note.n_descsz + 3) & ~UINT64_C(3);
        if (name_size + desc_size > size - sizeof(note))
            return false;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            memcmp(notes + sizeof(note), "GNU", 4) == 0)
            return note.n_descsz == module->build_id_size &&
                   memcmp(notes + sizeof(note) + name_size, module->build_id, note.n_descsz) == 0;
        notes += sizeof(note) + name_size + desc_size;
        size -= sizeof(note) + name_size + desc_size;
    }
    return false;
}

static bool has_build_id(const uint8_t *image, const vdso_ehdr *head,
                         const struct perf_module *module)
{
    for (unsigned i = 0; i < head->e_phnum; i++) {
        vdso_phdr segment;

        memcpy(&segment, image + head->e_phoff + i * sizeof(segment), sizeof(segment));
        if (segment.p_type == PT_NOTE &&
            notes_hold(image + segment.p_offset, segment.p_filesz, module))
            return true;
    }
    return false;
}

const uint8_t *perf_vdso_bytes(const struct perf_module *module, bool same_kernel, uint64_t *size)
{
    const uint8_t *image = (const uint8_t *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
    vdso_ehdr head;

    if (!image)
        return NULL;
    memcpy(&head, image, sizeof(head));
    if (module->build_id_size > 0 ? !has_build_id(image, &head, module) : !same_kernel)
        return NULL;
    /* The section headers are the last thing in the file. */
    *size = head.e_shoff + (uint64_t)head.e_shnum * head.e_shentsize;
    return *size <= VDSO_MAX ? image : NULL;
}
