/* SPDX-License-Identifier: MIT */
#include "symbol/elf/plt.h"

#include <string.h>

#include "arch/analysis/analysis.h"
#include "base/map.h"
#include "symbol/elf/got.h"
#include "symbol/elf/relocs.h"
#include "symbol/elf/symbol_read.h"

#define PLT_STUBS_MAX 262144 /* of one section */
#define PLT_FIRST_MAX 64     /* bytes of the resolver's entry */

static const char *const section_names[PLT_SECTIONS] = {".plt", ".plt.sec", ".plt.got", ".plt.bnd",
                                                        ".iplt"};

size_t plt_sections(struct elf_image *image, struct vaddr_range out[PLT_SECTIONS])
{
    struct elf_section section;
    size_t count = 0;

    for (size_t i = 0; i < PLT_SECTIONS; i++)
        if (elf_image_section(image, section_names[i], &section) == STATUS_OK &&
            section.size <= UINT64_MAX - section.vaddr)
            out[count++] = (struct vaddr_range){section.vaddr, section.vaddr + section.size};
    return count;
}

bool plt_holds(struct elf_image *image, uint64_t vaddr)
{
    struct vaddr_range ranges[PLT_SECTIONS];
    size_t count = plt_sections(image, ranges);

    for (size_t i = 0; i < count; i++)
        if (vaddr >= ranges[i].start_vaddr && vaddr < ranges[i].end_vaddr)
            return true;
    return false;
}

struct plt {
    struct symbol_table symbols;
    struct map by_got;         /* address of a GOT word → symbol index */
    struct reloc_table relocs; /* of the stubs; count 0 when there is none */
    bool named;                /* some stub has a symbol */
    plt_report_fn *report;
    void *context;
};

typedef bool stub_fn(void *context, uint64_t vaddr, const struct plt_stub *stub);

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

static bool report_stub(void *context, uint64_t vaddr, const struct plt_stub *stub)
{
    struct plt *plt = context;
    uint64_t index = stub_symbol(plt, stub);
    struct symbol_entry symbol;

    if (index == 0 || index >= plt->symbols.count)
        return true;
    symbol_table_read(&plt->symbols, (size_t)index, &symbol);
    plt->named = true;
    return !symbol.name[0] ||
           plt->report(plt->context, vaddr, vaddr + stub->size, symbol_name(&symbol), stub->thumb);
}

/* `within`: sections that do not reach into it are left out; NULL: none are. */
static bool each_in_section(struct elf_image *image, const char *name,
                            const struct vaddr_range *within, uint64_t got, stub_fn *report,
                            void *context)
{
    const struct plt_shape *arch = &arch_analysis(elf_image_arch(image))->plt;
    size_t step = strcmp(name, ".plt.got") == 0 ? arch->got_step : arch->step;
    struct elf_section section;
    struct plt_stub stub;
    size_t size, pos = 0;

    if (elf_image_section(image, name, &section) != STATUS_OK || !section.bytes ||
        (within && (section.vaddr >= within->end_vaddr ||
                    section.vaddr + section.size <= within->start_vaddr)))
        return true;
    size = (size_t)section.size;
    for (unsigned stubs = 0; pos < size && stubs < PLT_STUBS_MAX;) {
        struct plt_code code = {.bytes = section.bytes + pos,
                                .size = size - pos,
                                .vaddr = section.vaddr + pos,
                                .got_vaddr = got};

        if (!arch->decode(&code, &stub)) {
            size_t skipped = pos == 0 && strcmp(name, ".plt") == 0 ? arch->first : step;

            pos += skipped < size - pos ? skipped : size - pos;
            continue;
        }
        if (!report(context, code.vaddr, &stub))
            return false;
        pos += stub.size;
        stubs++;
    }
    return true;
}

/* All stubs of the file. `got`: _GLOBAL_OFFSET_TABLE_ */
static void each_stub(struct elf_image *image, const struct vaddr_range *within, uint64_t got,
                      stub_fn *report, void *context)
{
    for (size_t i = 0; i < PLT_SECTIONS; i++)
        if (!each_in_section(image, section_names[i], within, got, report, context))
            return;
}

void plt_each(struct elf_image *image, plt_report_fn *report, void *context)
{
    struct plt plt = {.report = report, .context = context};
    struct elf_section got;

    if (symbol_table_open(image, ".dynsym", &plt.symbols) != STATUS_OK)
        return;
    map_init(&plt.by_got);
    if (reloc_table_open(image, RELOCS_PLT, &plt.relocs) != STATUS_OK)
        plt.relocs.count = 0;
    if (got_symbols(image, GOT_ALL, &plt.by_got) == STATUS_OK)
        each_stub(image, NULL, got_base_vaddr(image), report_stub, &plt);
    /* mold 1 on i386: %ebx is the beginning of .got */
    if (!plt.named && elf_image_section(image, ".got", &got) == STATUS_OK)
        each_stub(image, NULL, got.vaddr, report_stub, &plt);
    map_deinit(&plt.by_got);
}

struct plt_ranges {
    struct elf_section plt; /* empty: there is none */
    bool first_known;       /* where the resolver's entry ends, or that there is none */
    plt_range_fn *report;
    void *context;
};

static bool report_range(void *context, uint64_t vaddr, const struct plt_stub *stub)
{
    struct plt_ranges *ranges = context;
    uint64_t first_vaddr = ranges->plt.vaddr, thunk_vaddr = stub->thunk_vaddr, end_vaddr;
    bool has_thunk = thunk_vaddr > first_vaddr && thunk_vaddr < vaddr;

    if (!ranges->first_known) {
        ranges->first_known = true;
        if (vaddr > first_vaddr && vaddr - first_vaddr <= PLT_FIRST_MAX &&
            vaddr - first_vaddr < ranges->plt.size &&
            !ranges->report(ranges->context, first_vaddr, has_thunk ? thunk_vaddr : vaddr,
                            stub->all_thumb))
            return false;
    }
    end_vaddr = vaddr + (stub->lazy_off ? stub->lazy_off : stub->size);
    return ranges->report(ranges->context, vaddr, end_vaddr, stub->thumb) &&
           (!stub->lazy_off ||
            ranges->report(ranges->context, end_vaddr, vaddr + stub->size, stub->thumb));
}

void plt_each_range(struct elf_image *image, const struct vaddr_range *within, plt_range_fn *report,
                    void *context)
{
    struct plt_ranges ranges = {.report = report, .context = context};

    ranges.first_known = elf_image_section(image, ".plt", &ranges.plt) != STATUS_OK;
    each_stub(image, within, got_base_vaddr(image), report_range, &ranges);
}
