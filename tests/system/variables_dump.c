/* SPDX-License-Identifier: MIT */
/*
 * Prints what the debug information of an ELF file tells of variables (variables/dwarf/), to be
 * compared with readelf --debug-dump and llvm-dwarfdump.
 *
 * usage: variables_dump ELF VADDR...      scopes, with the types of their variables
 *        variables_dump -c ELF VADDR...   calls that return there
 *        variables_dump -a ELF STEP [N]   asks for each STEP-th address of the code, N at most, and
 *                                         prints figures only
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "symbol/module_set.h"
#include "variables/dwarf/debug_info.h"

#define TYPE_DEPTH_MAX 6

static void print_location(const struct location *location)
{
    for (uint32_t i = 0; i < location->count; i++) {
        const struct location_op *op = &location->ops[i];

        printf("%s%u:0x%02x %" PRIx64 " %" PRIx64, i > 0 ? ", " : "", op->off, op->atom,
               op->operand[0], op->operand[1]);
        if (op->type.size > 0)
            printf(" (encoding %u, %u bytes)", op->type.encoding, op->type.size);
        for (uint32_t j = 0; j < op->block_size; j++)
            printf("%s%02x", j == 0 ? " bytes " : "", op->block[j]);
        if (op->inner) {
            printf(" {");
            print_location(op->inner);
            printf("}");
        }
    }
    printf(" end %u", location->size);
}

static void print_members(const struct type *type)
{
    for (size_t i = 0; i < type->member_count; i++) {
        const struct type_member *m = &type->members[i];

        printf(" %s+%" PRIu64 "%s", m->name ? m->name : "-", m->off, m->off_unknown ? "?" : "");
        if (m->bit_size > 0)
            printf(":%u@%u", m->bit_size, m->bit_off);
        printf("%s%s%s%s", m->is_base ? " base" : "", m->is_static ? " static" : "",
               m->is_artificial ? " artificial" : "", m->is_discriminant ? " discriminant" : "");
        if (m->is_variant && m->is_default)
            printf(" default");
        else if (m->is_variant)
            printf(" variant %" PRIu64, m->variant_value);
        printf(",");
    }
    for (size_t i = 0; i < type->enumerator_count; i++)
        printf(" %s=%" PRId64 ",", type->enumerators[i].name, (int64_t)type->enumerators[i].value);
    for (size_t i = 0; i < type->dimension_count; i++)
        printf(" [%s%" PRIu64 " from %" PRId64 "]", type->dimensions[i].has_count ? "" : "?",
               type->dimensions[i].count, type->dimensions[i].lower);
}

static void print_type(struct debug_info *info, die_ref ref, int depth)
{
    const struct type *type;

    if (depth == TYPE_DEPTH_MAX || debug_info_type(info, ref, &type) != STATUS_OK)
        return;
    printf("%*stype %" PRIx64 " kind %d %s", 8 + depth * 2, "", ref, (int)type->kind,
           type->name ? type->name : "-");
    if (type->has_size)
        printf(" %" PRIu64 " bytes", type->size);
    printf(" encoding %u language %u%s%s%s%s%s%s", type->encoding, type->language,
           type->is_declaration ? " declaration" : "", type->is_vector ? " vector" : "",
           type->is_prototyped ? " prototyped" : "", type->has_ellipsis ? " ellipsis" : "",
           type->is_cut ? " cut" : "", type->is_enum_class ? " enum-class" : "");
    print_members(type);
    printf("\n");
    print_type(info, type->target, depth + 1);
}

static void print_variable(struct debug_info *info, const struct scope_variable *v)
{
    static const char *const forms[] = {"nowhere", "located", "constant", "damaged"};

    printf("    %s %s: %s%s%s%s die %" PRIx64 " line %u block %" PRIx64,
           v->kind == VARIABLE_PARAMETER ? "parameter" : "local", v->name, forms[v->form],
           v->is_listed ? " listed" : "", v->is_artificial ? " artificial" : "",
           v->is_outer ? " outer" : "", v->die, v->decl_line, v->block_vaddr);
    if (v->form == VARIABLE_LOCATED) {
        printf(" ");
        print_location(&v->location);
    }
    for (uint32_t i = 0; v->form == VARIABLE_CONSTANT && i < v->size; i++)
        printf("%s%02x", i == 0 ? " " : "", v->bytes[i]);
    printf("\n");
    print_type(info, v->type, 0);
}

static void print_scope(struct debug_info *info, uint64_t vaddr)
{
    const struct pc_scope *scope;
    const enum status status = debug_info_scope(info, vaddr, &scope);

    printf("%" PRIx64 ": %s\n", vaddr, status == STATUS_OK ? "" : status_name(status));
    if (status != STATUS_OK)
        return;
    printf("  language %u entry %" PRIx64 " body %" PRIx64 "\n  frame base ", scope->language,
           scope->entry_vaddr, scope->body_vaddr);
    if (scope->has_frame_base)
        print_location(&scope->frame_base);
    printf("\n  tail calls:");
    for (size_t i = 0; i < scope->tail_count; i++)
        printf(" %" PRIx64, scope->tail_vaddrs[i]);
    printf("%s\n", scope->has_other_tails ? " others" : "");
    for (size_t i = 0; i < scope->count; i++) {
        const struct pc_level *level = &scope->levels[i];

        printf("  level %s (%s)%s die %" PRIx64 "\n", level->name ? level->name : "-",
               level->linkage_name ? level->linkage_name : "-", level->is_inline ? " inline" : "",
               level->die);
        for (size_t j = 0; j < level->count; j++)
            print_variable(info, &level->variables[j]);
    }
}

static void print_call_site(struct debug_info *info, uint64_t vaddr)
{
    const struct call_site *site;
    const enum status status = debug_info_call_site(info, vaddr, &site);

    printf("%" PRIx64 ": %s\n", vaddr, status == STATUS_OK ? "" : status_name(status));
    if (status != STATUS_OK)
        return;
    if (site->has_target)
        printf("  target %" PRIx64 "\n", site->target_vaddr);
    printf("  target name %s\n", site->target_name ? site->target_name : "-");
    if (site->has_target_location) {
        printf("  target at ");
        print_location(&site->target);
        printf("\n");
    }
    for (size_t i = 0; i < site->count; i++) {
        const struct call_parameter *parameter = &site->parameters[i];

        printf("  parameter ");
        print_location(&parameter->where);
        printf(" die %" PRIx64, parameter->parameter);
        if (parameter->has_value) {
            printf(" = ");
            print_location(&parameter->value);
        }
        if (parameter->has_pointed) {
            printf(" -> ");
            print_location(&parameter->pointed);
        }
        printf("\n");
    }
}

struct figures {
    size_t asked, scopes, levels, variables, types, forms[4], others;
};

static void count_types(struct debug_info *info, die_ref ref, int depth, struct figures *figures)
{
    const struct type *type;

    if (depth == TYPE_DEPTH_MAX || debug_info_type(info, ref, &type) != STATUS_OK)
        return;
    figures->types += type->kind != TYPE_UNKNOWN;
    count_types(info, type->target, depth + 1, figures);
}

static void count_scope(struct debug_info *info, uint64_t vaddr, struct figures *figures)
{
    const struct pc_scope *scope;

    figures->asked++;
    if (debug_info_scope(info, vaddr, &scope) != STATUS_OK)
        return;
    figures->scopes++;
    figures->levels += scope->count;
    figures->others += scope->has_other_tails;
    for (size_t i = 0; i < scope->count; i++)
        for (size_t j = 0; j < scope->levels[i].count; j++) {
            const struct scope_variable *variable = &scope->levels[i].variables[j];

            figures->variables++;
            figures->forms[variable->form]++;
            count_types(info, variable->type, 0, figures);
        }
    debug_info_trim(info);
}

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void count_all(struct debug_info *info, const struct elf_image *image, uint64_t step,
                      size_t most)
{
    const double began = seconds_now();
    struct figures f = {0};
    struct rusage own, child;
    size_t count;
    const struct vaddr_range *ranges = elf_image_exec_ranges(image, &count);

    for (size_t i = 0; i < count; i++)
        for (uint64_t vaddr = ranges[i].start_vaddr; vaddr < ranges[i].end_vaddr && f.asked < most;
             vaddr += step)
            count_scope(info, vaddr, &f);
    printf("asked %zu scopes %zu levels %zu variables %zu types %zu\n", f.asked, f.scopes, f.levels,
           f.variables, f.types);
    printf("nowhere %zu located %zu constant %zu damaged %zu; other tail calls %zu\n", f.forms[0],
           f.forms[1], f.forms[2], f.forms[3], f.others);
    printf("%.2f s", seconds_now() - began);
    debug_info_destroy(info);
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &child);
    printf(", %ld KiB here and %ld KiB in the child at most\n", own.ru_maxrss, child.ru_maxrss);
}

static void print_problem(const struct debug_info *info)
{
    struct diag problem;
    char line[1024];

    debug_info_problem(info, &problem);
    if (problem.what[0])
        printf("problem: %s\n", diag_format(&problem, line, sizeof(line)));
}

int main(int argc, char **argv)
{
    const char mode = argc > 1 && argv[1][0] == '-' ? argv[1][1] : 's';
    const int first = mode == 's' ? 1 : 2;
    struct module_options options = {0};
    struct module_set *set;
    struct module *module;
    struct debug_info *info;
    struct diag why = {0};
    char *path;

    if (argc < first + 2 || !(path = realpath(argv[first], NULL)))
        return 2;
    if (module_set_create(&options, &set) != STATUS_OK ||
        module_set_get(set, MODULE_FILE, path, NULL, 0, false, &module) != STATUS_OK ||
        module_open(set, module) != STATUS_OK ||
        debug_info_create(set, module, NULL, &info, &why) != STATUS_OK) {
        fprintf(stderr, "variables_dump: %s: %s\n", path, why.what);
        return 1;
    }
    if (mode == 'a') {
        count_all(info, module->image, strtoull(argv[first + 1], NULL, 0),
                  argc > first + 2 ? strtoull(argv[first + 2], NULL, 0) : SIZE_MAX);
    } else {
        for (int i = first + 1; i < argc; i++) {
            if (mode == 'c')
                print_call_site(info, strtoull(argv[i], NULL, 16));
            else
                print_scope(info, strtoull(argv[i], NULL, 16));
        }
        print_problem(info);
        debug_info_destroy(info);
    }
    module_set_destroy(set);
    free(path);
    return 0;
}
