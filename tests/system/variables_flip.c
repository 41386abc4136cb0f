/* SPDX-License-Identifier: MIT */
/*
 * Damages the debug information of an ELF file again and again, and asks for what it tells of
 * variables: for variables_damage.py.
 *
 * usage: variables_flip ELF DIRECTORY FLIPS SEED
 *
 * Each copy, in DIRECTORY, has from 1 to a thousand bytes of its .debug_* sections changed, until
 * FLIPS were. Of each is asked what is in scope at addresses all over its code, the types of what
 * is there, and calls. Prints how it went, and fails when an answer took longer than the limit
 * allows, a child is left behind, or a status is none of those that are promised.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "symbol/module_set.h"
#include "variables/dwarf/debug_info.h"

#define SECONDS    2 /* of an answer */
#define PLACES     24
#define TYPE_DEPTH 8
#define COPY_MAX   1000 /* bytes changed of one copy */

struct damage {
    uint8_t *bytes; /* the sound file */
    size_t size;
    struct {
        uint64_t off, size;
    } sections[64];
    size_t section_count;
    uint64_t section_bytes;
    uint64_t state; /* of random numbers */
    uint64_t vaddrs[PLACES];
    char path[4096];
};

struct tally {
    uint64_t flips, copies, asked, found, not_found, bad, problems, deaths;
    double longest;
};

static uint64_t random_number(struct damage *damage)
{
    damage->state ^= damage->state << 13;
    damage->state ^= damage->state >> 7;
    damage->state ^= damage->state << 17;
    return damage->state;
}

static void fail(const char *what)
{
    fprintf(stderr, "variables_flip: %s\n", what);
    exit(1);
}

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void read_sound(struct damage *damage, const char *path)
{
    static const char *const names[] = {".debug_info",     ".debug_abbrev",   ".debug_str",
                                        ".debug_line",     ".debug_line_str", ".debug_loc",
                                        ".debug_loclists", ".debug_ranges",   ".debug_rnglists",
                                        ".debug_addr",     ".debug_types",    ".debug_str_offsets"};
    const struct vaddr_range *ranges;
    struct elf_image *image;
    const uint8_t *bytes;
    size_t count;

    if (elf_image_open(path, &image, NULL) != STATUS_OK)
        fail("no ELF file");
    bytes = elf_image_file_bytes(image, &damage->size);
    damage->bytes = malloc(damage->size);
    if (!damage->bytes)
        fail("no memory");
    memcpy(damage->bytes, bytes, damage->size);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct elf_section section;

        if (elf_image_section(image, names[i], &section) != STATUS_OK || !section.bytes ||
            section.size == 0 || section.bytes != bytes + section.file_off)
            continue;
        damage->sections[damage->section_count].off = section.file_off;
        damage->sections[damage->section_count++].size = section.size;
        damage->section_bytes += section.size;
    }
    ranges = elf_image_exec_ranges(image, &count);
    for (size_t i = 0; i < PLACES && count > 0; i++) {
        /* The largest is .text. */
        size_t largest = 0;
        uint64_t size;

        for (size_t j = 1; j < count; j++)
            if (ranges[j].end_vaddr - ranges[j].start_vaddr >
                ranges[largest].end_vaddr - ranges[largest].start_vaddr)
                largest = j;
        size = ranges[largest].end_vaddr - ranges[largest].start_vaddr;
        damage->vaddrs[i] = ranges[largest].start_vaddr + size * i / PLACES;
    }
    elf_image_close(image);
    if (damage->section_bytes == 0)
        fail("no debug information that is not compressed");
}

/* Sections all alike, as the small ones are tables on which much depends. */
static uint64_t flip(struct damage *damage, uint8_t *copy, uint64_t most)
{
    uint64_t count = UINT64_C(1) << random_number(damage) % 10;

    count += random_number(damage) % count;
    if (count > COPY_MAX)
        count = COPY_MAX;
    if (count > most)
        count = most;
    for (uint64_t i = 0; i < count; i++) {
        const size_t s = random_number(damage) % damage->section_count;
        const uint64_t off =
            damage->sections[s].off + random_number(damage) % damage->sections[s].size;

        copy[off] ^= (uint8_t)(1 + random_number(damage) % 255);
    }
    return count;
}

static void write_copy(const struct damage *damage, const uint8_t *copy)
{
    FILE *file = fopen(damage->path, "w");

    if (!file || fwrite(copy, damage->size, 1, file) != 1 || fclose(file) != 0)
        fail("the copy cannot be written");
}

static void note(struct tally *tally, enum status status, double began)
{
    const double took = seconds_now() - began;

    tally->asked++;
    tally->found += status == STATUS_OK;
    tally->not_found += status == STATUS_NOT_FOUND;
    tally->bad += status == STATUS_BAD_DATA;
    if (status != STATUS_OK && status != STATUS_NOT_FOUND && status != STATUS_BAD_DATA)
        fail("a status that is not promised");
    if (took > tally->longest)
        tally->longest = took;
}

static void ask_type(struct debug_info *info, die_ref ref, int depth, struct tally *tally)
{
    const double began = seconds_now();
    const struct type *type;
    enum status status;

    if (ref == 0 || depth >= TYPE_DEPTH)
        return;
    status = debug_info_type(info, ref, &type);
    note(tally, status, began);
    if (status != STATUS_OK)
        fail("a type that is not even unknown");
    ask_type(info, type->target, depth + 1, tally);
    for (size_t i = 0; i < type->member_count && i < 8; i++)
        ask_type(info, type->members[i].type, depth + 4, tally);
}

static void ask_scope(struct debug_info *info, uint64_t vaddr, struct tally *tally)
{
    const struct pc_scope *scope;
    const struct call_site *site;
    double began = seconds_now();
    enum status status = debug_info_scope(info, vaddr, &scope);

    note(tally, status, began);
    for (size_t i = 0; status == STATUS_OK && i < scope->count; i++)
        for (size_t j = 0; j < scope->levels[i].count; j++)
            ask_type(info, scope->levels[i].variables[j].type, 0, tally);
    began = seconds_now();
    note(tally, debug_info_call_site(info, vaddr + 1, &site), began);
}

static void ask_copy(struct damage *damage, struct tally *tally)
{
    static const struct debug_info_limits limits = {.seconds = SECONDS,
                                                    .memory = UINT64_C(256) << 20};
    static const struct module_options options;
    struct module_set *set;
    struct module *module;
    struct debug_info *info;
    struct diag problem;
    unsigned deaths;

    if (module_set_create(&options, &set) != STATUS_OK ||
        module_set_get(set, MODULE_FILE, damage->path, NULL, 0, false, &module) != STATUS_OK ||
        module_open(set, module) != STATUS_OK ||
        debug_info_create(set, module, &limits, &info, &problem) != STATUS_OK)
        fail("the copy cannot be opened");
    for (size_t i = 0; i < PLACES; i++)
        ask_scope(info, damage->vaddrs[i], tally);
    debug_info_problem(info, &problem);
    tally->problems += problem.what[0] != '\0';
    if (sscanf(problem.what, "its debug information is damaged: reading failed %u", &deaths) == 1)
        tally->deaths += deaths;
    debug_info_destroy(info);
    module_set_destroy(set);
    if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD)
        fail("a child is left");
}

int main(int argc, char **argv)
{
    struct damage damage = {.section_count = 0};
    struct tally tally = {0};
    uint64_t most;
    uint8_t *copy;

    if (argc != 5)
        return 2;
    most = strtoull(argv[3], NULL, 10);
    damage.state = strtoull(argv[4], NULL, 10) * 2 + 1;
    snprintf(damage.path, sizeof(damage.path), "%s/copy", argv[2]);
    read_sound(&damage, argv[1]);
    copy = malloc(damage.size);
    if (!copy)
        fail("no memory");
    while (tally.flips < most) {
        memcpy(copy, damage.bytes, damage.size);
        tally.flips += flip(&damage, copy, most - tally.flips);
        write_copy(&damage, copy);
        ask_copy(&damage, &tally);
        tally.copies++;
    }
    printf("flips %" PRIu64 " copies %" PRIu64 " asked %" PRIu64 " found %" PRIu64
           " not-found %" PRIu64 " bad %" PRIu64 " problems %" PRIu64 " deaths %" PRIu64
           " longest %.2f\n",
           tally.flips, tally.copies, tally.asked, tally.found, tally.not_found, tally.bad,
           tally.problems, tally.deaths, tally.longest);
    free(copy);
    free(damage.bytes);
    return 0;
}
