/* SPDX-License-Identifier: MIT */
#include "symbol/module.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/in_file.h"
#include "base/keyed_hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "symbol/data_symbols.h"
#include "fetch/fetcher.h"
#include "fetch/live.h"
#include "symbol/debug_files.h"
#include "symbol/elf/dynamic.h"
#include "symbol/dwarf/lines.h"
#include "symbol/elf/elf_damage.h"
#include "runtime/go/gopclntab.h"
#include "symbol/elf/settled_data.h"
#include "symbol/given_files.h"
#include "symbol/kallsyms.h"
#include "symbol/offers.h"

struct module_entry {
    struct module *module;
    size_t next; /* index + 1 of the next one with the same hash; 0: none */
};

struct module_set {
    struct module_options options;
    struct module_entry *entries;
    size_t count, cap;
    struct map by_hash; /* hash of kind, path and build-id → index of an entry + 1 */
    struct given_files given;
    struct process_memory memory; /* of the process being read */
    uint64_t processes;           /* that had memory, so far */
    uint64_t last_stamp;
};

enum status module_set_create(const struct module_options *options, struct module_set **out)
{
    struct module_set *set = calloc(1, sizeof(*set));

    if (!set)
        return STATUS_NO_MEMORY;
    set->options = *options;
    if (given_files_open(&set->given, options->elf_files, options->elf_file_count, options->arch) !=
        STATUS_OK) {
        free(set);
        return STATUS_NO_MEMORY;
    }
    *out = set;
    return STATUS_OK;
}

static void module_destroy(struct module *module)
{
    debug_lines_destroy(module->lines);
    gopclntab_destroy(module->gopclntab);
    symtab_destroy(module->symtab);
    data_symbols_destroy(module->data_symbols);
    settled_data_destroy(module->settled_data);
    elf_image_close(module->shared);
    elf_image_close(module->debug);
    elf_image_close(module->refused);
    elf_image_close(module->image);
    kallsyms_destroy(module->kallsyms);
    pool_deinit(&module->jit_names);
    free(module->kernel_symbol);
    free(module->code);
    free(module->path);
    free(module);
}

void module_set_destroy(struct module_set *set)
{
    if (!set)
        return;
    for (size_t i = 0; i < set->count; i++)
        module_destroy(set->entries[i].module);
    given_files_close(&set->given);
    free(set->entries);
    map_deinit(&set->by_hash);
    free(set);
}

/* Makes a file without build-id one of its own; NULL: known by its path. */
struct exact {
    uint64_t dev, inode, process;
};

/* Is it this module? Without build-id a deleted file is not the one that has its name now. */
static bool is_same(const struct module *module, enum module_kind kind, const char *path,
                    const uint8_t *build_id, size_t size, bool deleted, const struct exact *exact)
{
    if (module->is_exact != (exact != NULL) ||
        (exact && (module->origin.dev != exact->dev || module->origin.inode != exact->inode ||
                   module->process != exact->process)))
        return false;
    return module->kind == kind && module->build_id_size == size &&
           (size > 0 ? memcmp(module->build_id, build_id, size) == 0
                     : module->deleted == deleted) &&
           strcmp(module->path, path) == 0;
}

static enum status add_module(struct module_set *set, struct module *module, uint64_t *head)
{
    if (vec_reserve(&set->entries, &set->cap, set->count + 1, sizeof(*set->entries)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    set->entries[set->count] = (struct module_entry){.module = module, .next = (size_t)*head};
    *head = ++set->count;
    return STATUS_OK;
}

static enum status get(struct module_set *set, enum module_kind kind, const char *path,
                       const uint8_t *build_id, size_t build_id_size, bool deleted,
                       const struct exact *exact, struct module **out)
{
    size_t size =
        build_id_size <= sizeof((*out)->build_id) ? build_id_size : sizeof((*out)->build_id);
    uint64_t hash = keyed_bytes((uint64_t)kind, path, strlen(path));
    uint64_t *head = map_put(&set->by_hash, keyed_bytes(hash, build_id, size), 0);
    struct module *module;

    if (!head)
        return STATUS_NO_MEMORY;
    for (size_t i = (size_t)*head; i != 0; i = set->entries[i - 1].next) {
        module = set->entries[i - 1].module;
        if (is_same(module, kind, path, build_id, size, deleted, exact)) {
            *out = module;
            return STATUS_OK;
        }
    }
    module = calloc(1, sizeof(*module));
    if (!module)
        return STATUS_NO_MEMORY;
    module->id = (uint32_t)set->count;
    module->kind = kind;
    module->deleted = deleted;
    module->is_exact = exact != NULL;
    module->process = exact ? exact->process : 0;
    module->build_id_size = (uint8_t)size;
    if (size > 0)
        memcpy(module->build_id, build_id, size);
    module->path = strdup(path);
    if (!module->path || add_module(set, module, head) != STATUS_OK) {
        module_destroy(module);
        return STATUS_NO_MEMORY;
    }
    *out = module;
    return STATUS_OK;
}

enum status module_set_get(struct module_set *set, enum module_kind kind, const char *path,
                           const uint8_t *build_id, size_t build_id_size, bool deleted,
                           struct module **out)
{
    return get(set, kind, path, build_id, build_id_size, deleted, NULL, out);
}

enum status module_set_get_mapped(struct module_set *set, const struct module_map *map,
                                  struct module **out)
{
    const struct exact exact = {.dev = map->origin.dev,
                                .inode = map->origin.inode,
                                .process = set->memory.read ? set->processes : 0};
    const bool is_exact =
        (map->is_exact || exact.process) && map->kind == MODULE_FILE && !map->build_id_size;
    enum status status = get(set, map->kind, map->path, map->build_id, map->build_id_size,
                             map->deleted, is_exact ? &exact : NULL, out);

    if (status == STATUS_OK)
        (*out)->origin = map->origin;
    return status;
}

enum status module_set_jit(struct module_set *set, struct module **out)
{
    return module_set_get(set, MODULE_JIT, "[jit]", NULL, 0, false, out);
}

void module_set_memory(struct module_set *set, const struct process_memory *memory)
{
    set->memory = *memory;
    set->processes += memory->read != NULL;
    for (size_t i = 0; i < set->count; i++)
        set->entries[i].module->is_placed = set->entries[i].module->is_executable = false;
}

void module_set_place(struct module_set *set, const struct mapping *mapping, bool is_executable)
{
    struct module *module = mapping->module;
    const uint64_t entry_addr = set->memory.entry_addr;
    const bool has_entry = entry_addr
                               ? entry_addr >= mapping->start_addr && entry_addr < mapping->end_addr
                               : is_executable;

    if (!module->is_placed || (has_entry && !module->is_executable))
        module->where = *mapping;
    module->is_placed = true;
    module->is_executable |= has_entry;
}

uint64_t module_set_stamp(struct module_set *set)
{
    return ++set->last_stamp;
}

size_t module_set_count(const struct module_set *set)
{
    return set->count;
}

struct module *module_set_at(const struct module_set *set, size_t index)
{
    return set->entries[index].module;
}

const char *module_set_unused_elf(const struct module_set *set, size_t index, struct diag *why)
{
    for (size_t i = 0; i < set->given.count; i++) {
        if (set->given.list[i].used || index-- > 0)
            continue;
        if (why)
            *why = set->given.list[i].problem;
        return set->given.list[i].path;
    }
    return NULL;
}

struct elf_image *module_set_program(const struct module_set *set, size_t index)
{
    const struct given_file *file = given_files_program(&set->given, index);

    return file ? file->image : NULL;
}

void module_set_use_program(struct module_set *set, size_t index)
{
    given_files_program(&set->given, index)->used = true;
}

void module_set_choose(struct module_set *set, struct module *module, size_t index)
{
    struct given_file *file = given_files_program(&set->given, index);

    file->used = true;
    module->chosen_path = file->path;
}

void module_refuse_image(struct module *module, const struct diag *why)
{
    module->refused = module->image;
    module->image = NULL;
    module->state = MODULE_REFUSED;
    module->problem = *why;
}

enum status module_set_code(struct module *module, const uint8_t *bytes, size_t size)
{
    if (module->code || size == 0)
        return STATUS_OK;
    module->code = malloc(size);
    if (!module->code)
        return STATUS_NO_MEMORY;
    memcpy(module->code, bytes, size);
    module->code_size = size;
    if (module->state == MODULE_MISSING)
        module->state = MODULE_UNTRIED;
    return STATUS_OK;
}

enum status module_set_kernel(struct module *module, const char *symbol, uint64_t symbol_addr,
                              bool is_this)
{
    if (module->kernel_symbol)
        return STATUS_OK;
    module->kernel_symbol = strdup(symbol ? symbol : "");
    module->kernel_symbol_addr = symbol_addr;
    module->kernel_is_this = is_this;
    return module->kernel_symbol ? STATUS_OK : STATUS_NO_MEMORY;
}

bool module_changes_text(const struct module *module)
{
    return module->image && dynamic_relocates_text(module->image);
}

const struct kallsyms *module_kallsyms(struct module_set *set, struct module *module)
{
    struct kernel_facts facts = {.build_id = module->build_id,
                                 .build_id_size = module->build_id_size,
                                 .symbol = module->kernel_symbol,
                                 .symbol_addr = module->kernel_symbol_addr,
                                 .is_this = module->kernel_is_this};
    char *cached;

    if (module->kallsyms_tried)
        return module->kallsyms;
    module->kallsyms_tried = true;
    cached = perf_cache_path(module->build_id, module->build_id_size, "kallsyms");
    if (kallsyms_open(set->options.kallsyms, cached, &facts, &module->kallsyms, &module->problem) !=
        STATUS_OK)
        module->kallsyms = NULL;
    free(cached);
    return module->kallsyms;
}

/* Opens a file that was found to match. */
static bool take(struct module *module, const char *path)
{
    struct diag problem;

    if (elf_image_open(path, &module->image, &problem) == STATUS_OK)
        return true;
    module->image = NULL;
    module->state = MODULE_REFUSED;
    module->problem = problem;
    return false;
}

/* Opens a file that the input carries; refuses one that cannot be used, and the search goes on. */
static bool open_offered(struct module_set *set, struct module *module)
{
    const struct arch *arch = set->options.arch;
    struct elf_image *image = NULL;
    struct diag problem;
    const struct offer wanted = {.kind = OFFER_MODULE,
                                 .build_id = module->build_id,
                                 .build_id_size = module->build_id_size,
                                 .dev = module->origin.dev,
                                 .inode = module->origin.inode,
                                 .path = module->path};
    enum status status = offers_open(set->options.offers, &wanted, &image, &problem);

    if (status == STATUS_OK && module->build_id_size > 0 && !module_has_build_id(module, image)) {
        module_refuse_build_id(module, image);
    } else if (status == STATUS_OK && arch && elf_image_arch(image) != arch) {
        status = STATUS_UNSUPPORTED;
        diag_set(&problem, elf_image_path(image), "is for %s, the snapshot is from %s",
                 elf_image_arch(image)->name, arch->name);
    } else if (status == STATUS_OK) {
        module->image = image;
        module->is_offered = true;
        return true;
    }
    if (status != STATUS_OK && status != STATUS_NOT_FOUND && module->state != MODULE_REFUSED) {
        module->state = MODULE_REFUSED;
        module->problem = problem;
    }
    elf_image_close(image);
    return false;
}

/* Opens the module's own path, on this machine or below the sysroot. */
static bool open_path(struct module_set *set, struct module *module)
{
    const struct arch *arch = set->options.arch;
    struct elf_image *image;
    struct diag problem;
    char *path;

    if (module->path[0] != '/' || (module->deleted && module->build_id_size == 0))
        return false;
    path = target_path(set->options.sysroot, module->path);
    if (!path)
        return false;
    if (elf_image_open(path, &image, &problem) != STATUS_OK) {
        image = NULL;
    } else if (module->build_id_size > 0 && !module_has_build_id(module, image)) {
        module_refuse_build_id(module, image);
    } else if (arch && elf_image_arch(image) != arch) {
        diag_set(&problem, path, "is for %s, the snapshot is from %s", elf_image_arch(image)->name,
                 arch->name);
        elf_image_close(image);
        image = NULL;
    } else if (module->build_id_size > 0 || module_agrees(&set->memory, module, image)) {
        module->image = image;
        free(path);
        return true;
    }
    free(path);
    if (!image && module->state != MODULE_REFUSED) {
        module->state = MODULE_REFUSED;
        module->problem = problem;
    }
    elf_image_close(image);
    return false;
}

/* Opens the file that a live process has mapped; without build-id it must be the very file. */
static bool open_live(struct module_set *set, struct module *module)
{
    const struct module_origin *origin = &module->origin;
    const struct live_file file = {.pid = origin->pid,
                                   .start_addr = origin->start_addr,
                                   .end_addr = origin->end_addr,
                                   .path = module->path,
                                   .is_exact = !module->build_id_size,
                                   .dev = origin->dev,
                                   .inode = origin->inode};
    const struct arch *arch = set->options.arch;

    for (int i = LIVE_MAPPED; i <= LIVE_EXECUTABLE; i++) {
        const int fd = live_open(set->options.live, &file, (enum live_place)i);
        struct elf_image *image;

        if (fd < 0 || elf_image_open_fd(fd, module->path, &image, NULL) != STATUS_OK)
            continue;
        if ((file.is_exact || module_has_build_id(module, image)) &&
            (!arch || elf_image_arch(image) == arch)) {
            module->image = image;
            module->is_live = true;
            return true;
        }
        elf_image_close(image);
    }
    return false;
}

/* Is the file at the module's path the one that was mapped? */
static bool is_at_path(const struct module_set *set, const struct module *module)
{
    char *path = target_path(set->options.sysroot, module->path);
    struct stat st;
    const bool is = path && stat(path, &st) == 0 && st.st_ino == module->origin.inode &&
                    st.st_dev == module->origin.dev;

    free(path);
    return is;
}

/*
 * Opens the file where the target has or had it. Without build-id another may have its name by now:
 * then the live process is asked first. With one a wrong file is seen, and no problem if the
 * process still has the right one.
 */
static bool open_target(struct module_set *set, struct module *module)
{
    const struct diag before = module->problem;
    const enum module_state state = module->state;

    if (!module->build_id_size && !is_at_path(set, module) && open_live(set, module))
        return true;
    if (open_path(set, module))
        return true;
    if (!module->build_id_size || !open_live(set, module))
        return false;
    module->problem = before;
    module->state = state;
    return true;
}

int module_set_open_file(const struct module_set *set, const char *path)
{
    char *found = path[0] == '/' ? target_path(set->options.sysroot, path) : NULL;
    const int fd = found ? in_file_open(found) : -1;

    free(found);
    return fd;
}

bool module_set_has_sysroot(const struct module_set *set)
{
    return set->options.sysroot != NULL;
}

/* Opens perf's copy of the file: for modules that are no longer at their path, and the vDSO. */
static bool open_perf_cache(struct module_set *set, struct module *module)
{
    const char *name = module->kind == MODULE_VDSO ? "vdso" : "elf";
    char *path = NULL;
    struct elf_image *image;
    bool fits;

    if (!set->options.sysroot) /* files outside the sysroot are not used */
        path = perf_cache_path(module->build_id, module->build_id_size, name);
    /* Another user's home is not searched. */
    if (!path || access(path, R_OK) != 0 || elf_image_open(path, &image, NULL) != STATUS_OK) {
        free(path);
        return false;
    }
    free(path);
    fits = module_has_build_id(module, image) &&
           (!set->options.arch || elf_image_arch(image) == set->options.arch);
    if (fits)
        module->image = image;
    else
        elf_image_close(image);
    return fits;
}

static void set_missing(struct module *module)
{
    char hex[BUILD_ID_HEX_MAX];

    module->state = MODULE_MISSING;
    if (module->kind != MODULE_FILE) {
        diag_set(&module->problem, module->path,
                 module->kind == MODULE_VDSO ? "the snapshot does not hold its bytes"
                                             : "is no file: its code is not known");
        if (module->kind != MODULE_VDSO)
            diag_hint(&module->problem, "cgsnap --with-code captures it");
        return;
    }
    if (module->build_id_size > 0)
        diag_set(&module->problem, module->path, "not found here (build-id %.64s)",
                 build_id_hex(module->build_id, module->build_id_size, hex));
    else
        diag_set(&module->problem, module->path,
                 module->deleted ? "was deleted on the target and has no build-id"
                                 : "not found here (it has no build-id)");
    diag_hint(
        &module->problem,
        "pass it with --elf, or the target's files with --sysroot; cgsnap --bundle brings them");
}

static bool open_code(struct module_set *set, struct module *module)
{
    const struct arch *arch = set->options.arch;

    if (!module->code)
        return false;
    if (elf_image_open_bytes(module->code, module->code_size, module->path, &module->image,
                             &module->problem) == STATUS_OK) {
        if (!arch || elf_image_arch(module->image) == arch)
            return true;
        diag_set(&module->problem, module->path, "is for %s, the snapshot is from %s",
                 elf_image_arch(module->image)->name, arch->name);
        elf_image_close(module->image);
    }
    module->image = NULL;
    module->state = MODULE_REFUSED;
    return false;
}

/* Asks a debuginfod server, if there is a fetcher. */
static bool open_fetched(struct module_set *set, struct module *module)
{
    const struct arch *arch = set->options.arch;
    char *path = set->options.fetcher ? fetcher_find(set->options.fetcher, FETCH_EXECUTABLE,
                                                     module->build_id, module->build_id_size)
                                      : NULL;
    struct elf_image *image = NULL;

    if (path && elf_image_open(path, &image, NULL) != STATUS_OK)
        image = NULL;
    free(path);
    if (image && module_has_build_id(module, image) && (!arch || elf_image_arch(image) == arch)) {
        module->image = image;
        return true;
    }
    elf_image_close(image);
    return false;
}

static bool open_given(struct module_set *set, struct module *module)
{
    const char *path = module->chosen_path ? module->chosen_path
                                           : given_files_find(&set->given, &set->memory, module);

    return path && take(module, path);
}

/* Have two modules, both tried, the same file, or none? */
static bool is_same_file(const struct module *a, const struct module *b)
{
    return a->kind == b->kind && !a->build_id_size && !b->build_id_size &&
           a->deleted == b->deleted && a->state == b->state && a->is_live == b->is_live &&
           a->is_offered == b->is_offered && strcmp(a->path, b->path) == 0 &&
           (!a->image || strcmp(elf_image_path(a->image), elf_image_path(b->image)) == 0);
}

/* Sets stand_in to a module of another process that turned out to have the same file. */
static void find_stand_in(const struct module_set *set, struct module *module)
{
    const uint64_t hash = keyed_bytes((uint64_t)module->kind, module->path, strlen(module->path));
    const uint64_t *head = map_get(&set->by_hash, keyed_bytes(hash, module->build_id, 0));

    for (size_t i = head ? (size_t)*head : 0; i != 0 && module->process;
         i = set->entries[i - 1].next) {
        struct module *other = set->entries[i - 1].module;

        if (other != module && other->process && !other->stand_in && is_same_file(other, module)) {
            module->stand_in = other;
            return;
        }
    }
}

enum status module_open(struct module_set *set, struct module *module)
{
    bool opened = false;

    if (module->state != MODULE_UNTRIED)
        return module->state == MODULE_OPEN ? STATUS_OK : STATUS_NOT_FOUND;
    if (module->kind == MODULE_VDSO)
        opened = open_code(set, module) || open_perf_cache(set, module);
    else if (module->kind == MODULE_FILE)
        opened = open_given(set, module) || open_offered(set, module) || open_target(set, module) ||
                 open_perf_cache(set, module) || open_fetched(set, module);
    else if (module->kind >= MODULE_KERNEL)
        return STATUS_NOT_FOUND; /* no file of the target's: module_kallsyms, jit_names name it */
    if (opened) {
        module->state = MODULE_OPEN;
        elf_image_set_cache(module->image, set->options.cache);
        if (!module->problem.what[0])
            elf_damage_find(module->image, &module->problem);
    } else if (module->state == MODULE_UNTRIED) {
        set_missing(module);
    }
    find_stand_in(set, module);
    return opened ? STATUS_OK : STATUS_NOT_FOUND;
}

struct elf_image *module_debug_image(struct module_set *set, struct module *module)
{
    if (module->debug_tried || module_open(set, module) != STATUS_OK)
        return module->debug;
    module->debug_tried = true;
    for (size_t i = 0; i < set->given.count; i++) {
        const struct given_file *file = &set->given.list[i];

        if (file->image && elf_image_is_debug_only(file->image) &&
            module_has_build_id(module, file->image) &&
            elf_image_open(file->path, &module->debug, NULL) == STATUS_OK)
            break;
    }
    if (!module->debug &&
        (module->kind != MODULE_FILE ||
         debug_file_open(&set->options, module, module->image, &module->debug) != STATUS_OK))
        module->debug = NULL;
    if (module->debug)
        elf_image_set_cache(module->debug, set->options.cache);
    return module->debug;
}

const struct symtab *module_symtab(struct module_set *set, struct module *module)
{
    if (module->symtab_tried || module_open(set, module) != STATUS_OK)
        return module->symtab;
    module->symtab_tried = true;
    if (symtab_create(module->image, module_debug_image(set, module), &module->symtab) != STATUS_OK)
        module->symtab = NULL;
    return module->symtab;
}

const struct data_symbols *module_data_symbols(struct module_set *set, struct module *module)
{
    if (module->data_symbols_tried || module_open(set, module) != STATUS_OK)
        return module->data_symbols;
    module->data_symbols_tried = true;
    if (data_symbols_create(module->image, module_debug_image(set, module),
                            &module->data_symbols) != STATUS_OK)
        module->data_symbols = NULL;
    return module->data_symbols;
}

const struct settled_data *module_settled_data(struct module_set *set, struct module *module)
{
    if (module->settled_data_tried || module_open(set, module) != STATUS_OK)
        return module->settled_data;
    module->settled_data_tried = true;
    if (settled_data_create(module->image, &module->settled_data) != STATUS_OK)
        module->settled_data = NULL;
    return module->settled_data;
}

/* The file that holds DWARF, or NULL. */
static struct elf_image *dwarf_image(struct module_set *set, struct module *module)
{
    struct elf_image *const candidates[] = {module->image, module_debug_image(set, module)};
    struct elf_section section;

    for (size_t i = 0; i < 2; i++)
        if (candidates[i] &&
            elf_image_section(candidates[i], ".debug_info", &section) == STATUS_OK && section.bytes)
            return candidates[i];
    return NULL;
}

struct elf_image *module_dwarf_image(struct module_set *set, struct module *module,
                                     struct elf_image **shared)
{
    struct elf_image *image = NULL;

    *shared = NULL;
    if (module_open(set, module) != STATUS_OK || !(image = dwarf_image(set, module)))
        return NULL;
    if (!module->shared_tried &&
        debug_file_open_shared(&set->options, module, image, &module->shared) != STATUS_OK)
        module->shared = NULL;
    module->shared_tried = true;
    *shared = module->shared;
    return image;
}

struct debug_lines *module_lines(struct module_set *set, struct module *module)
{
    struct elf_image *image, *shared;

    if (module->lines_tried || module_open(set, module) != STATUS_OK)
        return module->lines;
    module->lines_tried = true;
    image = module_dwarf_image(set, module, &shared);
    if (!image)
        return NULL;
    if (debug_lines_create(image, shared, &module->lines) != STATUS_OK)
        module->lines = NULL;
    return module->lines;
}

const struct gopclntab *module_gopclntab(struct module_set *set, struct module *module)
{
    enum status status;

    if (module->gopclntab_tried || module_open(set, module) != STATUS_OK)
        return module->gopclntab;
    status = gopclntab_create(module->image, &module->gopclntab);
    module->gopclntab_tried = status != STATUS_NO_MEMORY;
    if (status != STATUS_OK)
        module->gopclntab = NULL;
    return module->gopclntab;
}

const char *module_lines_cut_short(const struct module *module)
{
    return module->lines ? debug_lines_cut_short(module->lines) : NULL;
}
