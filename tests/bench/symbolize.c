/* SPDX-License-Identifier: MIT */
/*
 * Names, lines and inlined functions from src/symbol, printed as `llvm-symbolizer` prints them: the
 * program that tests/bench/symbolize.py times against others.
 *
 *     symbolize ELF [DEBUG-DIRECTORY] <addresses     hexadecimal, of the ELF file, one a line
 *
 * For each address the frames, innermost first: a line with the function, a line FILE:LINE:0 (no
 * columns are read); then an empty line. "??" and 0 for what is not known.
 */
#include <stdio.h>
#include <stdlib.h>

#include "symbol/module_set.h"
#include "symbol/symbolize.h"

#define OUTPUT_SIZE ((size_t)1 << 16)

/* printf would take longer than the look-up. */
static void print_number(uint32_t number)
{
    char digits[10];
    size_t at = sizeof(digits);

    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    fwrite_unlocked(digits + at, 1, sizeof(digits) - at, stdout);
}

static void print_frames(const struct source_frames *frames)
{
    for (size_t i = 0; i < frames->count; i++) {
        const struct source_frame *frame = &frames->frames[i];

        fputs_unlocked(frame->function ? frame->function : "??", stdout);
        fputc_unlocked('\n', stdout);
        fputs_unlocked(frame->file ? frame->file : "??", stdout);
        fputc_unlocked(':', stdout);
        print_number(frame->line);
        fputs_unlocked(":0\n", stdout);
    }
    fputc_unlocked('\n', stdout);
}

static int answer(struct module_set *set, struct module *module)
{
    const struct source_frames *frames;
    struct symbolizer *symbolizer;
    char line[64];
    int result = 0;

    if (symbolizer_create(set, true, true, &symbolizer) != STATUS_OK)
        return 1;
    while (result == 0 && fgets_unlocked(line, sizeof(line), stdin)) {
        if (symbolizer_lookup(symbolizer, module, strtoull(line, NULL, 16), &frames) == STATUS_OK)
            print_frames(frames);
        else
            result = 1;
    }
    symbolizer_destroy(symbolizer);
    return result;
}

int main(int argc, char **argv)
{
    struct module_options options = {.elf_files = (const char *const *)argv + 1,
                                     .elf_file_count = 1,
                                     .debug_dirs = (const char *const *)argv + 2,
                                     .debug_dir_count = argc == 3};
    struct module_set *set;
    struct module *module;
    char text[512];
    int result = 1;

    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: symbolize ELF [DEBUG-DIRECTORY] <addresses\n");
        return 2;
    }
    setvbuf(stdout, NULL, _IOFBF, OUTPUT_SIZE);
    if (module_set_create(&options, &set) != STATUS_OK)
        return 1;
    if (module_set_get(set, MODULE_FILE, argv[1], NULL, 0, false, &module) != STATUS_OK)
        fprintf(stderr, "symbolize: out of memory\n");
    else if (module_open(set, module) != STATUS_OK)
        fprintf(stderr, "symbolize: %s\n", diag_format(&module->problem, text, sizeof(text)));
    else
        result = answer(set, module);
    module_set_destroy(set);
    return result;
}
