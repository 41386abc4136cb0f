#include "symbol/plt.h"

#include <elf.h>

#include "base/map.h"
#include "symbol/dynamic.h"
#include "symbol/relocs.h"
#include "symbol/symbol_read.h"

#define PLT_STUBS_MAX 262144 /* of one section */

/*
 * What to try next where no stub is: x86 code cannot be entered in the middle of an entry, the fixed
 * instruction sets are looked at word by word.
 */
static const struct plt_arch {
    plt_decode_fn *decode;
    uint8_t step, got_step; /* in .plt and .plt.sec; in .plt.got */
} arches[ARCH_COUNT] = {
    [ARCH_X86_64] = {plt_x86_64_decode, 16, 8},
    [ARCH_I386] = {plt_i386_decode, 16, 8},
    [ARCH_ARM] = {plt_arm_decode, 4, 4},
    [ARCH_AARCH64] = {plt_aarch64_decode, 4, 4},
};

struct plt {
    struct elf_image *image;
    struct symbol_table symbols;
    struct map by_got;         /* address of a GOT word → symbol index */
    struct reloc_table relocs; /* of the stubs; count 0 when there is none */
    uint64_t got_vaddr;        /* _GLOBAL_OFFSET_TABLE_; 0: not known */
    plt_report_fn *report;
    void *context;
};

/* Notes which symbol each GOT word will hold. */
static enum status read_relocs(struct plt *plt, const struct reloc_table *relocs)
{
    struct reloc reloc;

    for (size_t i = 0; i < relocs->count; i++) {
        reloc_table_read(relocs, i, &reloc);
        /* A REL record's word in the file is no addend: it leads to the resolver's entry. */
        if ((reloc.kind == RELOC_JUMP_SLOT || reloc.kind == RELOC_GLOB_DAT) && reloc.symbol != 0 &&
            (!relocs->rela || reloc.addend == 0) &&
            !map_put(&plt->by_got, reloc.vaddr, reloc.symbol))
            return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

/* The symbol index behind a stub, 0 when not known. */
static uint64_t stub_symbol(const struct plt *plt, const struct plt_stub *stub)
{
    const uint64_t *index;
    struct reloc reloc;

    if (!stub->by_index) {
        index = map_get(&plt->by_got, stub->got_vaddr);
        return index ? *index : 0;
    }
    if (stub->reloc >= plt->relocs.count)
        return 0;
    reloc_table_read(&plt->relocs, stub->reloc, &reloc);
    return reloc.symbol;
}

static bool report_stub(struct plt *plt, uint64_t vaddr, const struct plt_stub *stub)
{
    uint64_t index = stub_symbol(plt, stub);
    struct symbol_entry symbol;

    if (index == 0 || index >= plt->symbols.count)
        return true;
    symbol_table_read(&plt->symbols, (size_t)index, &symbol);
    return !symbol.name[0] ||
           plt->report(plt->context, vaddr, vaddr + stub->size, symbol.name, stub->thumb);
}

static bool report_section(struct plt *plt, const char *name, size_t step)
{
    plt_decode_fn *decode = arches[elf_image_arch(plt->image)->id].decode;
    struct elf_section section;
    struct plt_stub stub;
    size_t size, pos = 0;

    if (elf_image_section(plt->image, name, &section) != STATUS_OK || !section.bytes)
        return true;
    size = (size_t)section.size;
    for (unsigned stubs = 0; pos < size && stubs < PLT_STUBS_MAX;) {
        struct plt_code code = {.bytes = section.bytes + pos,
                                .size = size - pos,
                                .vaddr = section.vaddr + pos,
                                .got_vaddr = plt->got_vaddr};

        if (!decode(&code, &stub)) {
            pos += step < size - pos ? step : size - pos;
            continue;
        }
        if (!report_stub(plt, code.vaddr, &stub))
            return false;
        pos += stub.size;
        stubs++;
    }
    return true;
}

static uint64_t got_vaddr(struct elf_image *image)
{
    struct elf_section got;
    uint64_t vaddr;

    if (dynamic_value(image, DT_PLTGOT, &vaddr) == STATUS_OK)
        return vaddr;
    return elf_image_section(image, ".got.plt", &got) == STATUS_OK ? got.vaddr : 0;
}

void plt_each(struct elf_image *image, plt_report_fn *report, void *context)
{
    const struct plt_arch *arch = &arches[elf_image_arch(image)->id];
    struct plt plt = {.image = image, .report = report, .context = context};
    struct reloc_table dyn;
    enum status status = STATUS_OK;

    if (symbol_table_open(image, ".dynsym", &plt.symbols) != STATUS_OK)
        return;
    map_init(&plt.by_got);
    plt.got_vaddr = got_vaddr(image);
    if (reloc_table_open(image, RELOCS_PLT, &plt.relocs) == STATUS_OK)
        status = read_relocs(&plt, &plt.relocs);
    else
        plt.relocs.count = 0;
    if (status == STATUS_OK && reloc_table_open(image, RELOCS_DYN, &dyn) == STATUS_OK)
        status = read_relocs(&plt, &dyn);
    if (status == STATUS_OK && report_section(&plt, ".plt", arch->step) &&
        report_section(&plt, ".plt.sec", arch->step))
        (void)report_section(&plt, ".plt.got", arch->got_step);
    map_deinit(&plt.by_got);
}
