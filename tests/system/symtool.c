/* SPDX-License-Identifier: MIT */
/*
 * Answers like `addr2line -a -i -f -e ELF` from src/symbol: addresses of the ELF file, hexadecimal,
 * one a line on standard input. Tells on standard error of split files that were not found. For
 * tests/system/lines.sh.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "symbol/module_set.h"
#include "symbol/symbolize.h"

static void print_frames(uint64_t vaddr, const struct source_frames *frames)
{
    printf("0x%016" PRIx64 "\n", vaddr);
    for (size_t i = 0; i < frames->count; i++) {
        const struct source_frame *frame = &frames->frames[i];

        printf("%s\n", frame->raw_function ? frame->raw_function : "??");
        printf("%s:%" PRIu32 "\n", frame->file ? frame->file : "??", frame->line);
    }
}

static int answer(struct module_set *set, struct module *module)
{
    const struct source_frames *frames;
    struct symbolizer *symbolizer;
    struct diag problem;
    char line[64], text[512];
    int result = 0;

    if (symbolizer_create(set, true, true, &symbolizer) != STATUS_OK)
        return 1;
    while (result == 0 && fgets(line, sizeof(line), stdin)) {
        uint64_t vaddr = strtoull(line, NULL, 16);

        if (symbolizer_lookup(symbolizer, module, vaddr, &frames) == STATUS_OK)
            print_frames(vaddr, frames);
        else
            result = 1;
    }
    if (module_lines_problem(module, &problem))
        fprintf(stderr, "symtool: %s\n", diag_format(&problem, text, sizeof(text)));
    symbolizer_destroy(symbolizer);
    return result;
}

int main(int argc, char **argv)
{
    const char *const *files = (const char *const *)argv + 1;
    const char *const *debug_dirs = (const char *const *)argv + 2;
    struct module_options options = {.elf_files = files,
                                     .elf_file_count = 1,
                                     .debug_dirs = debug_dirs,
                                     .debug_dir_count = argc == 3};
    struct module_set *set;
    struct module *module;
    char text[512];
    int result = 1;

    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: symtool ELF [DEBUG-DIRECTORY] <addresses\n");
        return 2;
    }
    if (module_set_create(&options, &set) != STATUS_OK)
        return 1;
    if (module_set_get(set, MODULE_FILE, argv[1], NULL, 0, false, &module) != STATUS_OK)
        fprintf(stderr, "symtool: out of memory\n");
    else if (module_open(set, module) != STATUS_OK)
        fprintf(stderr, "symtool: %s\n", diag_format(&module->problem, text, sizeof(text)));
    else
        result = answer(set, module);
    module_set_destroy(set);
    return result;
}
