#include "symbol/plt.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "symbol/symbol_read.h"

#define PLT_ENTRIES_MAX 262144 /* of one section */
#define PLT_RELOCS_MAX  1048576

typedef bool plt_decode_fn(const uint8_t *bytes, size_t size, uint64_t vaddr, struct plt_stub *out);

static plt_decode_fn *const decoders[ARCH_COUNT] = {
    [ARCH_X86_64] = plt_x86_64_decode,
};

static const struct plt_section sections[] = {
    {.name = ".plt", .entry_size = 16, .header = true},
    {.name = ".plt.sec", .entry_size = 16, .header = false},
    {.name = ".plt.got", .entry_size = 8, .header = false},
};

struct plt {
    struct elf_image *image;
    struct symbol_table symbols;
    struct map by_got;         /* address of a GOT word → symbol index */
    struct elf_section relocs; /* .rela.plt, no bytes when there is none */
    plt_decode_fn *decode;
    plt_report_fn *report;
    void *context;
};

/* Notes which symbol each GOT word will hold. */
static enum status read_relocs(struct plt *plt, const struct elf_section *relocs)
{
    size_t count = (size_t)relocs->size / sizeof(Elf64_Rela);
    Elf64_Rela rela;

    for (size_t i = 0; i < count && i < PLT_RELOCS_MAX; i++) {
        memcpy(&rela, relocs->bytes + i * sizeof(rela), sizeof(rela));
        if (ELF64_R_SYM(rela.r_info) != 0 && rela.r_addend == 0 &&
            !map_put(&plt->by_got, rela.r_offset, ELF64_R_SYM(rela.r_info)))
            return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

/* The symbol index behind a stub, 0 when not known. */
static uint64_t stub_symbol(const struct plt *plt, const struct plt_stub *stub)
{
    const uint64_t *index;
    Elf64_Rela rela;

    if (!stub->by_index) {
        index = map_get(&plt->by_got, stub->got_vaddr);
        return index ? *index : 0;
    }
    if (!plt->relocs.bytes || stub->reloc >= plt->relocs.size / sizeof(rela))
        return 0;
    memcpy(&rela, plt->relocs.bytes + stub->reloc * sizeof(rela), sizeof(rela));
    return ELF64_R_SYM(rela.r_info);
}

/*
 * The size of an entry: .plt.got's are 8 bytes, or 16 when they begin with endbr64, and the section
 * header's sh_entsize cannot be relied on for either.
 */
static size_t entry_size(const struct plt_section *kind, const struct elf_section *section)
{
    if (kind->entry_size == 8 && section->size >= 16 && section->bytes[0] == 0xf3)
        return 16;
    return kind->entry_size;
}

static bool report_section(struct plt *plt, const struct plt_section *kind)
{
    struct elf_section section;
    struct symbol_entry symbol;
    struct plt_stub stub;
    size_t size, count;

    if (elf_image_section(plt->image, kind->name, &section) != STATUS_OK || !section.bytes)
        return true;
    size = entry_size(kind, &section);
    count = (size_t)section.size / size;
    for (size_t i = kind->header ? 1 : 0; i < count && i < PLT_ENTRIES_MAX; i++) {
        uint64_t vaddr = section.vaddr + i * size, index;

        if (!plt->decode(section.bytes + i * size, size, vaddr, &stub))
            continue;
        index = stub_symbol(plt, &stub);
        if (index == 0 || index >= plt->symbols.count)
            continue;
        symbol_table_read(&plt->symbols, (size_t)index, &symbol);
        if (symbol.name[0] && !plt->report(plt->context, vaddr, vaddr + size, symbol.name))
            return false;
    }
    return true;
}

void plt_each(struct elf_image *image, plt_report_fn *report, void *context)
{
    struct plt plt = {.image = image,
                      .decode = decoders[elf_image_arch(image)->id],
                      .report = report,
                      .context = context};
    struct elf_section dyn;
    enum status status = STATUS_OK;
    bool more = true;

    if (!plt.decode || symbol_table_open(image, ".dynsym", &plt.symbols) != STATUS_OK)
        return;
    map_init(&plt.by_got);
    if (elf_image_section(image, ".rela.plt", &plt.relocs) != STATUS_OK)
        plt.relocs.bytes = NULL;
    if (plt.relocs.bytes)
        status = read_relocs(&plt, &plt.relocs);
    if (status == STATUS_OK && elf_image_section(image, ".rela.dyn", &dyn) == STATUS_OK &&
        dyn.bytes)
        status = read_relocs(&plt, &dyn);
    for (size_t i = 0; more && status == STATUS_OK && i < sizeof(sections) / sizeof(*sections); i++)
        more = report_section(&plt, &sections[i]);
    map_deinit(&plt.by_got);
}
