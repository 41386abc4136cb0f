/* SPDX-License-Identifier: MIT */
/*
 * Traces of calls over any bytes, and what is made of them: view, graph, DOT and folded text.
 *
 * Input: a trace, of a program whose code is from CODE_START on. However it is cut into reads, the
 * same is found; each call that is counted has to be in the graph.
 */
#include "fuzz.h"

#include <stdio.h>

#include <elf.h>

#include "graph/calltrace.h"
#include "output/dot.h"
#include "output/folded.h"

#define CODE_START 0x400000
#define CODE_SIZE  0x10000

struct input {
    const uint8_t *data;
    size_t size, pos, chunk;
};

struct result {
    struct calltrace trace;
    uint64_t nodes, edges; /* calls there */
};

static int64_t read_input(void *context, void *buffer, uint64_t size)
{
    struct input *input = context;
    size_t n = input->size - input->pos;

    n = n < input->chunk ? n : input->chunk;
    n = n < size ? n : (size_t)size;
    if (n)
        memcpy(buffer, input->data + input->pos, n);
    input->pos += n;
    return (int64_t)n;
}

static struct elf_image *open_program(void)
{
    static struct {
        Elf64_Ehdr header;
        Elf64_Phdr segment;
        uint8_t code[CODE_SIZE];
    } file;
    static struct elf_image *image; /* opened once */

    if (image)
        return image;
    file.header =
        (Elf64_Ehdr){.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                     .e_type = ET_EXEC,
                     .e_machine = EM_X86_64,
                     .e_version = EV_CURRENT,
                     .e_phoff = sizeof(Elf64_Ehdr),
                     .e_ehsize = sizeof(Elf64_Ehdr),
                     .e_phentsize = sizeof(Elf64_Phdr),
                     .e_phnum = 1};
    file.segment = (Elf64_Phdr){.p_type = PT_LOAD,
                                .p_flags = PF_R | PF_X,
                                .p_vaddr = CODE_START,
                                .p_filesz = sizeof(file),
                                .p_memsz = sizeof(file)};
    if (elf_image_open_bytes(&file, sizeof(file), "program", &image, NULL) != STATUS_OK)
        abort();
    return image;
}

static void write_graph(const struct view *view, struct result *result)
{
    const struct callgraph_options all = {0}, trimmed = CALLGRAPH_DEFAULTS;
    const struct dot_options options = {.sequence = true, .label_calls = true};
    struct callgraph *graph;
    FILE *out = fopen("/dev/null", "w");

    if (!out || callgraph_create(view, &trimmed, &graph) != STATUS_OK ||
        dot_write(graph, &options, out) != STATUS_OK || folded_write(view, out) != STATUS_OK)
        abort();
    fclose(out);
    callgraph_destroy(graph);
    if (callgraph_create(view, &all, &graph) != STATUS_OK)
        abort();
    for (size_t i = 0; i < graph->node_count; i++)
        result->nodes += graph->nodes[i].self;
    for (size_t i = 0; i < graph->edge_count; i++)
        result->edges += graph->edges[i].calls;
    callgraph_destroy(graph);
}

static struct result run(const uint8_t *data, size_t size, size_t chunk)
{
    struct input input = {.data = data, .size = size, .chunk = chunk};
    struct module module = {.kind = MODULE_FILE,
                            .file.path = "/bin/program",
                            .image = open_program()};
    struct calltrace_options options = {.name = "input", .module = &module};
    const struct view_options how = {.weight = WEIGHT_CALLS};
    const struct names_source nothing = {NULL, NULL, NULL};
    struct result result = {.nodes = 0};
    struct profile *profile;
    struct names *names;
    struct view *view;
    struct diag diag;

    if (profile_create(&profile) != STATUS_OK || names_create_from(&nothing, &names) != STATUS_OK)
        abort();
    if (calltrace_read(read_input, &input, &options, profile, &result.trace, &diag) != STATUS_OK)
        fuzz_use_diag(&diag);
    fuzz_use(strlen(result.trace.bad.text) + strlen(result.trace.unpaired.text));
    if (profile_resolve(profile, names) != STATUS_OK ||
        view_create(profile, &how, &view) != STATUS_OK)
        abort();
    write_graph(view, &result);
    view_destroy(view);
    profile_destroy(profile);
    names_destroy(names);
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct result whole = run(data, size, size + 1);
    struct result parts = run(data, size, 3);

    fuzz_use(calltrace_begins(data, size < 64 ? size : 64));
    if (whole.nodes != whole.trace.calls - whole.trace.left_out || whole.edges > whole.nodes)
        abort();
    if (parts.nodes != whole.nodes || parts.edges != whole.edges ||
        parts.trace.bad.count != whole.trace.bad.count || parts.trace.lines != whole.trace.lines ||
        parts.trace.cut_short != whole.trace.cut_short)
        abort();
    return 0;
}
