/* SPDX-License-Identifier: MIT */
#include "unwind/explain/explain_origin.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "runtime/go/gopclntab.h"
#include "symbol/elf/got.h"
#include "symbol/elf/symtab.h"
#include "unwind/code/code.h"
#include "unwind/sources/cfi.h"
#include "unwind/sources/exidx.h"

#define SOURCES_SHOWN     4                   /* of each kind */
#define POINTER_BYTES_MAX (UINT64_C(1) << 28) /* bytes of data that are searched */

/* Describes the decision. */
static const char *origin_text(enum function_origin origin)
{
    switch (origin) {
    case FUNCTION_PLT:
        return "it is a PLT section";
    case FUNCTION_FDE:
        return "an FDE begins there";
    case FUNCTION_EXIDX:
        return "an entry of .ARM.exidx begins there";
    case FUNCTION_SYMTAB:
    case FUNCTION_DYNSYM:
    case FUNCTION_DEBUG_FILE:
    case FUNCTION_MINI_DEBUGINFO:
        return "a symbol begins there";
    case FUNCTION_MADE:
        return "the compiler that made it at run time says so";
    case FUNCTION_GOPCLNTAB:
        return "Go's own tables say so";
    case FUNCTION_ENTRY:
        return "it is the file's entry point";
    case FUNCTION_VECTOR:
        return "the vector table leads there";
    case FUNCTION_INIT:
        return "it is an initialiser or finaliser";
    case FUNCTION_CALL:
        return "code that is a function calls it";
    case FUNCTION_JUMP:
        return "code that is a function jumps there with nothing of its frame left";
    case FUNCTION_POINTER:
        return "data points there, and the code behaves like a function";
    case FUNCTION_CONSTANT:
        return "a number in the data is its address, and the code behaves like a function";
    case FUNCTION_PATTERN:
        return "code between functions that behaves and begins like one";
    case FUNCTION_GAP:
        return "code between functions that behaves like one";
    case FUNCTION_FRAGMENT:
        return "code that another function jumps to in mid-frame";
    }
    return "?";
}

static void write_title(FILE *out, const char *title)
{
    fprintf(out, "  %-12s ", title);
}

static void write_cfi(const struct origin_request *r, enum trust source, FILE *out)
{
    struct cfi *cfi = module_rows_cfi(r->rows, source);
    uint64_t start_vaddr, end_vaddr;

    if (!cfi || cfi_function(cfi, r->function->start_vaddr, &start_vaddr, &end_vaddr) != STATUS_OK)
        return;
    write_title(out, trust_name(source));
    fprintf(out, "an FDE is [%" PRIx64 ", %" PRIx64 ")\n", start_vaddr, end_vaddr);
}

static void write_exidx(const struct origin_request *r, FILE *out)
{
    const struct exidx *exidx = module_rows_exidx(r->rows);
    uint64_t start_vaddr, end_vaddr;

    if (!exidx ||
        exidx_function(exidx, r->function->start_vaddr, &start_vaddr, &end_vaddr) != STATUS_OK)
        return;
    write_title(out, "exidx");
    fprintf(out, "an entry is [%" PRIx64 ", %" PRIx64 ")\n", start_vaddr, end_vaddr);
}

static void write_go(const struct origin_request *r, FILE *out)
{
    const struct gopclntab *table = module_rows_go(r->rows);
    struct go_function function;

    if (!table || gopclntab_find(table, r->function->start_vaddr, &function) != STATUS_OK)
        return;
    write_title(out, "gopclntab");
    fprintf(out, "a function is [%" PRIx64 ", %" PRIx64 ")\n", function.start_vaddr,
            function.end_vaddr);
}

static void write_symbol(const struct origin_request *r, FILE *out)
{
    static const char *const tables[] = {".symtab", "the debug file's .symtab", ".dynsym",
                                         ".gnu_debugdata"};
    const struct symtab *symtab = module_symtab(r->set, r->module);
    struct symbol symbol;

    if (!symtab || symtab_find(symtab, r->function->start_vaddr, &symbol) != STATUS_OK)
        return;
    write_title(out, "symbol");
    fprintf(out, "one of %s is [%" PRIx64 ", %" PRIx64 ")%s\n", tables[symbol.source],
            symbol.start_vaddr, symbol.end_vaddr,
            symbol.sized ? "" : ", whose end is the next one's start");
}

enum source_kind {
    SOURCE_CALL,
    SOURCE_JUMP,      /* from outside of the function */
    SOURCE_JUMP_INTO, /* the same, to a place behind the start */
    SOURCE_POINTER,
};

/* Instructions or words of data that lead to the function. */
struct sources {
    const struct origin_request *request;
    enum source_kind kind;
    struct code *code;
    struct {
        uint64_t vaddr, target_vaddr;
    } shown[SOURCES_SHOWN];
    uint64_t count;
};

static void add_source(struct sources *sources, uint64_t vaddr, uint64_t target_vaddr)
{
    if (sources->count < SOURCES_SHOWN) {
        sources->shown[sources->count].vaddr = vaddr;
        sources->shown[sources->count].target_vaddr = target_vaddr;
    }
    sources->count++;
}

static void write_sources(const struct sources *sources, const char *title, FILE *out)
{
    if (sources->count == 0)
        return;
    write_title(out, title);
    for (uint64_t i = 0; i < sources->count && i < SOURCES_SHOWN; i++) {
        fprintf(out, "%s%" PRIx64, i ? ", " : "", sources->shown[i].vaddr);
        if (sources->request->write_name)
            sources->request->write_name(sources->request->context, out, sources->shown[i].vaddr);
        if (sources->kind == SOURCE_JUMP_INTO)
            fprintf(out, " to %" PRIx64, sources->shown[i].target_vaddr);
    }
    if (sources->count > SOURCES_SHOWN)
        fprintf(out, ", and %" PRIu64 " more", sources->count - SOURCES_SHOWN);
    putc('\n', out);
}

/* Does an instruction at `vaddr` with this target count? */
static bool is_wanted(const struct sources *sources, uint64_t vaddr, uint64_t target_vaddr)
{
    const struct code_function *function = sources->request->function;
    const bool inside = vaddr >= function->start_vaddr && vaddr < function->end_vaddr;

    if (sources->kind == SOURCE_JUMP_INTO)
        return !inside && target_vaddr > function->start_vaddr &&
               target_vaddr < function->end_vaddr;
    return target_vaddr == function->start_vaddr && (sources->kind == SOURCE_CALL || !inside);
}

/* Decodes what looks like a call or jump. It may lie within another instruction. */
static bool leads_there(const struct sources *sources, uint64_t vaddr, enum code_mode mode,
                        uint64_t target_vaddr)
{
    const struct code_insn *insn;
    uint32_t index;

    if (code_get(sources->code, vaddr, mode, 0, &index) != STATUS_OK)
        return false;
    insn = code_insn(sources->code, index);
    return insn->has_target && insn->target_vaddr == target_vaddr &&
           (sources->kind == SOURCE_CALL ? insn->flow == FLOW_CALL
                                         : insn->flow == FLOW_JUMP || insn->flow == FLOW_BRANCH);
}

static void scan_range(struct sources *sources, const struct vaddr_range *range,
                       enum code_mode mode)
{
    const struct insn_set *set = code_set(sources->code, mode);
    const bool call = sources->kind == SOURCE_CALL;
    uint64_t size;
    const uint8_t *bytes =
        elf_image_bytes_at(sources->request->module->image, range->start_vaddr, &size);
    bool first[256];

    insn_first_bytes(call ? set->call_bytes : set->jump_bytes, first);
    if (bytes && size > range->end_vaddr - range->start_vaddr)
        size = range->end_vaddr - range->start_vaddr;
    for (uint64_t off = 0; bytes && off < size; off += set->alignment) {
        uint64_t vaddr = range->start_vaddr + off, target;

        if (!first[bytes[off]])
            continue;
        target = (call ? set->call_target : set->jump_target)(bytes + off, size - off, vaddr);
        if (is_wanted(sources, vaddr, target) && leads_there(sources, vaddr, mode, target))
            add_source(sources, vaddr, target);
    }
}

static void write_code_sources(const struct origin_request *r, struct code *code,
                               enum source_kind kind, const char *title, FILE *out)
{
    struct sources sources = {.request = r, .kind = kind, .code = code};
    size_t count;
    const struct vaddr_range *ranges = elf_image_exec_ranges(r->module->image, &count);

    for (unsigned mode = CODE_DEFAULT; mode <= CODE_T32; mode++)
        for (size_t i = 0; code->sets[mode] && i < count; i++)
            scan_range(&sources, &ranges[i], (enum code_mode)mode);
    write_sources(&sources, title, out);
}

/*
 * Finds words of a segment that hold the start's address in the file. Looks at *left bytes at most,
 * and subtracts them.
 */
static void scan_segment(struct sources *sources, const struct elf_segment *segment,
                         uint64_t pointer, uint64_t *left)
{
    const unsigned word_size = sources->code->arch->word_size;
    const uint64_t skipped = (word_size - segment->vaddr % word_size) % word_size;
    uint64_t size, word;
    const uint8_t *bytes =
        elf_image_bytes_at(sources->request->module->image, segment->vaddr, &size);

    if (!bytes)
        return;
    if (size > segment->file_size)
        size = segment->file_size;
    if (size > *left)
        size = *left;
    *left -= size;
    for (uint64_t off = skipped; off < size && size - off >= word_size; off += word_size) {
        word = 0;
        memcpy(&word, bytes + off, word_size); /* every architecture here is little-endian */
        if (word == pointer)
            add_source(sources, segment->vaddr + off, pointer);
    }
}

static enum status write_pointers(const struct origin_request *r, struct code *code, FILE *out)
{
    const uint64_t pointer =
        r->function->start_vaddr | (code_has_two_modes(code) && r->function->mode == CODE_T32);
    struct sources sources = {.request = r, .kind = SOURCE_POINTER, .code = code};
    uint64_t left = POINTER_BYTES_MAX;
    struct map words = {0};
    struct map_pair *pairs;
    size_t count;
    const struct elf_segment *segments = elf_image_segments(r->module->image, &count);
    enum status status = got_pointers(r->module->image, &words);

    if (status != STATUS_OK) {
        map_deinit(&words);
        return status;
    }
    for (size_t i = 0; i < count; i++)
        if (!(segments[i].prot & 4) && map_len(&words) == 0)
            scan_segment(&sources, &segments[i], pointer, &left);
    pairs = calloc(map_len(&words) + 1, sizeof(*pairs));
    if (pairs)
        map_list(&words, pairs);
    for (size_t i = 0; pairs && i < map_len(&words); i++)
        if (pairs[i].value == pointer)
            add_source(&sources, pairs[i].key, pointer);
    status = pairs ? STATUS_OK : STATUS_NO_MEMORY;
    free(pairs);
    map_deinit(&words);
    if (status == STATUS_OK)
        write_sources(&sources, "pointers", out);
    return status;
}

/* Writes the function right before a function that was found by searching. */
static enum status write_neighbour(const struct origin_request *r, FILE *out)
{
    const struct functions *functions;
    const struct code_function *before = NULL;
    enum status status = module_rows_functions(r->rows, &functions);

    if (status != STATUS_OK)
        return status == STATUS_NO_MEMORY ? status : STATUS_OK;
    for (size_t i = 0;
         i < functions->count && functions->items[i].start_vaddr < r->function->start_vaddr; i++)
        before = &functions->items[i];
    if (!before)
        return STATUS_OK;
    write_title(out, "before it");
    fprintf(out, "the function [%" PRIx64 ", %" PRIx64 "), found as %s\n", before->start_vaddr,
            before->end_vaddr, function_origin_name((enum function_origin)before->origin));
    return STATUS_OK;
}

enum status explain_origin_write(const struct origin_request *r, FILE *out)
{
    const struct code_function *function = r->function;
    enum status status = STATUS_OK;
    struct code *code;

    fprintf(out, "function     [%" PRIx64 ", %" PRIx64 "), %" PRIu64 " byte%s",
            function->start_vaddr, function->end_vaddr, function->end_vaddr - function->start_vaddr,
            plural(function->end_vaddr - function->start_vaddr));
    if (r->write_name)
        r->write_name(r->context, out, function->start_vaddr);
    putc('\n', out);
    write_title(out, "origin");
    fprintf(out, "%s: %s\n", function_origin_name((enum function_origin)function->origin),
            origin_text((enum function_origin)function->origin));
    if (!r->code_only) {
        write_cfi(r, TRUST_DEBUG_FRAME, out);
        write_cfi(r, TRUST_EH_FRAME, out);
        write_exidx(r, out);
        write_go(r, out);
        write_symbol(r, out);
    }
    if (module_rows_code(r->rows, &code) != STATUS_OK)
        return STATUS_OK;
    if (code_has_two_modes(code)) {
        write_title(out, "mode");
        fputs(function->mode == CODE_T32 ? "T32\n" : "A32\n", out);
    }
    write_title(out, "begins");
    fprintf(out, "%s, at a multiple of %" PRIu64 "\n",
            code_strong_start(code, function->start_vaddr, (enum code_mode)function->mode)
                ? "like a function"
                : "as other code may, too",
            (function->start_vaddr & 15) ? function->start_vaddr & -function->start_vaddr : 16);
    write_code_sources(r, code, SOURCE_CALL, "calls", out);
    write_code_sources(r, code, SOURCE_JUMP, "jumps", out);
    write_code_sources(r, code, SOURCE_JUMP_INTO, "jumps into", out);
    status = write_pointers(r, code, out);
    if (status == STATUS_OK && function->origin >= FUNCTION_ENTRY)
        status = write_neighbour(r, out);
    return status;
}
