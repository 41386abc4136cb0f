/* SPDX-License-Identifier: MIT */
/*
 * Modules: the ELF files that a target has mapped; address spaces: which module is where in a
 * process.
 *
 * A module stands for one file of a snapshot's MAP records: same path, same build-id. A file
 * without build-id is one module for each process whose memory is at hand, since each may have had
 * another build. module_open looks for the ELF file when it is first needed: the vDSO's bytes in
 * the snapshot; --elf files (given_files.h); files that the input carries; the path itself or below
 * --sysroot; the file that a live process has mapped; perf's cache; a debuginfod server. A file
 * with another build-id than the snapshot's, or without one and with other contents than the
 * process's memory (agreement.h), is refused: `problem` says so, and the search goes on.
 */
#ifndef SYMBOL_MODULE_H
#define SYMBOL_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/index.h"
#include "base/status.h"
#include "symbol/elf/elf_image.h"
#include "symbol/elf/symtab.h"
#include "symbol/process_memory.h"

enum module_kind {
    MODULE_FILE = 1,
    MODULE_VDSO = 2,
    MODULE_ANON = 3,
    MODULE_SPECIAL = 4,
    MODULE_KERNEL = 5, /* the target's kernel; its vaddrs are run-time addresses */
    MODULE_JIT = 6,    /* functions made at run time, of all processes (jit_map.h) */
    MODULE_NOTE = 7,   /* no code: the path is shown in place of an unknown chain */
};

enum module_state {
    MODULE_UNTRIED,
    MODULE_OPEN,    /* module_open has succeeded: `image` is set */
    MODULE_MISSING, /* no file found; `problem` says which option helps */
    MODULE_REFUSED, /* only unfit or damaged files found; `problem` says which */
};

struct debug_lines;  /* lines.h */
struct data_symbols; /* data_symbols.h */
struct gopclntab;    /* runtime/go/gopclntab.h */
struct jit_map;      /* runtime/jit/jit_map.h */
struct kallsyms;     /* kallsyms.h */
struct live;         /* fetch/live.h */
struct made_rows;    /* runtime/jit/rows/made_rows.h */
struct offers;       /* offers.h */
struct settled_data; /* elf/settled_data.h */

/*
 * A mapping's load bias follows from file_off (OFFSET), is anchor_addr (BIAS), or follows from
 * anchor_addr, the run-time address of the file's entry point (ENTRY).
 */
enum mapping_anchor { MAPPING_OFFSET, MAPPING_BIAS, MAPPING_ENTRY };

struct module;

struct mapping { /* a range of a module's addresses, in an address space */
    uint64_t start_addr, end_addr, file_off;
    struct module *module;
    enum mapping_anchor anchor;
    uint64_t anchor_addr; /* BIAS, ENTRY: see mapping_anchor; file_off may be wrong then */
    uint64_t bias;        /* run-time address minus vaddr; valid when bias_known */
    bool bias_known, bias_tried;
    uint32_t code_id; /* number of this mapping's code in the unwinder's code store; 0: none */
};

struct module_extent { /* from the first executable segment of a file to the end of the last */
    uint64_t start_vaddr, limit_vaddr, file_off;
};

/*
 * Identifies one mapping of a module: its process and addresses, the device and inode of its file.
 */
struct module_origin {
    uint32_t pid; /* pid of the process; 0: not known */
    uint64_t start_addr, end_addr, dev, inode;
};

struct module {
    uint32_t id; /* the module's index in its module_set */
    enum module_kind kind;
    enum module_state state;
    bool deleted;
    /*
     * The module has no build-id, and stands for files of equal path, device, inode and process
     * only.
     */
    bool is_exact;
    /* if is_exact: number of its process, whose memory is known; 0: no memory is known */
    uint64_t process;
    bool is_live; /* `image` was opened through a live process (/proc/PID/map_files) */
    struct module_origin origin;
    /*
     * Names and lines are looked up in this module instead (same file, another process); NULL: in
     * this module itself.
     */
    struct module *stand_in;
    bool is_offered; /* `image` is a file that the input carries */
    /*
     * Only for a board's module: path of the --elf file that module_set_choose chose, whatever its
     * name; borrowed; NULL: none.
     */
    const char *chosen_path;
    /* `image` was given for this module by name: it is used although the board contradicts it */
    bool is_insisted;
    /* `problem` says that `image` may be the wrong file; code in the snapshot can clear it */
    bool is_doubted;
    bool code_given; /* the snapshot has bytes of this module's code */
    char *path;      /* owned; as the target sees it; "[vdso]"; "[anon]" */
    uint8_t build_id[64];
    uint8_t build_id_size;
    struct elf_image *image; /* the module's opened file, set by module_open; owned */
    /*
     * is_placed: `where` is the module's first mapping in the process being read, or the one with
     * the entry point if there is one. is_executable: the module is this process's executable.
     */
    bool is_placed, is_executable;
    struct mapping where;
    bool extent_told; /* `extent` is valid: read from a profile, whose file need not be at hand */
    struct module_extent extent;
    /*
     * MISSING, REFUSED: why. OPEN, when what[0] is set: an --elf file was refused before, or the
     * file may be the wrong one (agreement.h), is damaged (elf_damage.h), or has a bad .ARM.exidx.
     */
    struct diag problem;
    /* Private to symbol/: */
    uint8_t *code; /* the bytes of a module that is a CODE record, code_size of them */
    size_t code_size;
    /* the `image` before module_refuse_image; kept since others may point into it */
    struct elf_image *refused;
    /* the separate debug file; the file that dwz moved common parts to */
    struct elf_image *debug, *shared;
    struct symtab *symtab;
    struct data_symbols *data_symbols;
    struct settled_data *settled_data;
    struct debug_lines *lines;
    struct gopclntab *gopclntab;
    bool debug_tried, shared_tried, symtab_tried, data_symbols_tried, lines_tried, gopclntab_tried;
    bool settled_data_tried;
    /* MODULE_KERNEL: */
    char *kernel_symbol; /* one of the kernel's symbols, and its address; NULL: not known */
    uint64_t kernel_symbol_addr;
    bool kernel_is_this, kallsyms_tried;
    struct kallsyms *kallsyms;
    struct pool jit_names; /* MODULE_JIT: names of the functions made at run time */
};

/* Options of a set of modules. All pointers are borrowed and must outlive the set. */
struct module_options {
    const char *const *elf_files;
    size_t elf_file_count;
    /* root of the target's files; NULL: none; else paths outside it are not used */
    const char *sysroot;
    const char *const *debug_dirs;
    /* path of a copy of /proc/kallsyms; NULL: kallsyms_open searches for one */
    const char *kallsyms;
    /* of debug_dirs; 0: /usr/lib/debug, below the sysroot if there is one */
    size_t debug_dir_count;
    const struct arch *arch; /* files for another architecture are refused; NULL: any will do */
    struct cache *cache;     /* keeps inflated sections; NULL: none */
    struct fetcher *fetcher; /* fetches missing files; NULL: nothing is fetched */
    struct live *live;       /* opens files of live processes; NULL: none */
    struct offers *offers;   /* ELF files that inputs carry; NULL: none */
};

struct module_set;

MUST_CHECK enum status module_set_create(const struct module_options *options,
                                         struct module_set **out);
void module_set_destroy(struct module_set *set);

/*
 * Begins a process, whose mappings the caller adds next. Copies *memory, and calls memory->read
 * until the next process begins; zeroed: the process's memory is not known. Clears is_placed and
 * is_executable of all modules.
 */
void module_set_memory(struct module_set *set, const struct process_memory *memory);

/*
 * Notes `mapping` as a place of mapping->module in the process begun last. `is_executable`: the
 * module is the process's executable; used only where the memory's entry_addr is 0.
 */
void module_set_place(struct module_set *set, const struct mapping *mapping, bool is_executable);

/* Returns a new number each time, from 1 on. */
uint64_t module_set_stamp(struct module_set *set);

/*
 * Finds or adds a module, which lives as long as the set and never moves. Uses at most 64 bytes of
 * the build-id. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status module_set_get(struct module_set *set, enum module_kind kind,
                                      const char *path, const uint8_t *build_id,
                                      size_t build_id_size, bool deleted, struct module **out);

struct module_map {
    enum module_kind kind;
    const char *path;
    const uint8_t *build_id;
    size_t build_id_size;
    bool deleted;
    /* without a build-id: modules of this path differ by device, inode and process */
    bool is_exact;
    struct module_origin origin;
};

/*
 * Finds or adds the module of a mapping as module_set_get does, and sets its `origin` to the
 * mapping's.
 */
MUST_CHECK enum status module_set_get_mapped(struct module_set *set, const struct module_map *map,
                                             struct module **out);

/* Finds or adds the set's one MODULE_JIT, for all named functions made at run time. NO_MEMORY. */
MUST_CHECK enum status module_set_jit(struct module_set *set, struct module **out);

size_t module_set_count(const struct module_set *set);
struct module *module_set_at(const struct module_set *set, size_t index);

/*
 * Returns the path of number `index`, from 0 on, of the --elf files that no module has used so far;
 * NULL: there are no more. Sets *why (may be NULL) to why the file cannot be used at all; otherwise
 * `what` in it is empty.
 */
const char *module_set_unused_elf(const struct module_set *set, size_t index, struct diag *why);

/*
 * Returns number `index`, from 0 on, of the programs among the --elf files; owned by the set; NULL:
 * there are no more.
 */
struct elf_image *module_set_program(const struct module_set *set, size_t index);
/* Marks program number `index` as used: module_set_unused_elf leaves it out. */
void module_set_use_program(struct module_set *set, size_t index);

/*
 * Makes program number `index` the file of `module`, whatever its name, and marks it as used.
 * `module` must not have been opened yet.
 */
void module_set_choose(struct module_set *set, struct module *module, size_t index);
/*
 * Moves the module's `image`, which nothing has used, to `refused`; the module becomes REFUSED with
 * *why as its problem.
 */
void module_refuse_image(struct module *module, const struct diag *why);

/*
 * Gives a module (the vDSO) its bytes from the snapshot; copied. A module that has bytes keeps
 * them. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status module_set_code(struct module *module, const uint8_t *bytes, size_t size);

/*
 * Tells what identifies a kernel besides its build-id: name (NULL: not known) and address of one of
 * its symbols, and whether its host name and release are those of the kernel that runs here. Later
 * calls for the same module have no effect. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status module_set_kernel(struct module *module, const char *symbol,
                                         uint64_t symbol_addr, bool is_this);

/*
 * Whether the dynamic linker changes code and constants of the opened file (DT_TEXTREL). False also
 * without an open file.
 */
bool module_changes_text(const struct module *module);

/*
 * Returns the function names of a MODULE_KERNEL, read at the first call; owned by the module. NULL:
 * module->problem says why.
 */
const struct kallsyms *module_kallsyms(struct module_set *set, struct module *module);

/*
 * Opens the target's file `path` (absolute), below the sysroot if there is one. Returns a
 * descriptor, which the caller closes; -1: no regular file there, or it cannot be read.
 */
int module_set_open_file(const struct module_set *set, const char *path);
bool module_set_has_sysroot(const struct module_set *set);

/*
 * Returns the module in which names and lines are looked up: `stand_in`, or the module itself; NULL
 * for NULL.
 */
static inline struct module *module_told(struct module *module)
{
    return module && module->stand_in ? module->stand_in : module;
}

/*
 * Finds and opens the module's ELF file at the first call. OK: module->image is set; NOT_FOUND: no
 * file that can be used, or the kind is KERNEL, JIT or NOTE.
 */
MUST_CHECK enum status module_open(struct module_set *set, struct module *module);

/*
 * Returns the module's separate debug file, opened at the first call: an --elf file with the
 * module's build-id and no code, else what debug_file_open finds; owned by the module. NULL: none.
 */
struct elf_image *module_debug_image(struct module_set *set, struct module *module);

/* Returns the module's function symbols, owned by the module; NULL: no image, or no memory. */
const struct symtab *module_symtab(struct module_set *set, struct module *module);

/* Returns the module's variable symbols, owned by the module; NULL: no image, or no memory. */
const struct data_symbols *module_data_symbols(struct module_set *set, struct module *module);

/*
 * Returns which of the file's constants that relocation may change are in memory as in the file;
 * owned by the module. NULL: not known for any.
 */
const struct settled_data *module_settled_data(struct module_set *set, struct module *module);

/*
 * Returns the file with the module's .debug_info: its image, else its separate debug file; NULL:
 * neither, or the module cannot be opened. Sets *shared to the file that dwz moved common parts to;
 * NULL: none. The module owns both.
 */
struct elf_image *module_dwarf_image(struct module_set *set, struct module *module,
                                     struct elf_image **shared);

/*
 * Returns the line and function look-ups over the file of module_dwarf_image; owned by the module.
 * NULL: no DWARF, or no memory.
 */
struct debug_lines *module_lines(struct module_set *set, struct module *module);

/*
 * Returns Go's table of the module's functions, owned by the module; NULL: none that can be read.
 */
const struct gopclntab *module_gopclntab(struct module_set *set, struct module *module);

/*
 * Returns the path of the file with the DWARF if a limit made module_lines leave out something that
 * was looked up; NULL: nothing was left out.
 */
const char *module_lines_cut_short(const struct module *module);

/*
 * The BOARD record (FORMAT.md, type 21) of a target without Linux; is_board false: there is none.
 */
struct board_space {
    bool is_board;
    uint8_t profile; /* an enum snap_profile: the board's kind of CPU */
    uint64_t vectors_addr, initial_sp, reset_addr;
};

struct address_space {
    struct mapping *mappings; /* the process's mappings, sorted by address, disjoint; owned */
    size_t count, cap;
    /* The process's functions made at run time, and unwind rows for them; borrowed; NULL: none. */
    struct jit_map *jit;
    struct made_rows *made_rows;
    /* Mask of the bits of a code address that may hold a pointer authentication code; 0: none. */
    uint64_t pac_mask;
    struct board_space board;
    /* a board's programs were placed (boards/firmware); a change of mappings makes it false */
    bool has_firmware;
    /* Key for caches of answers by address: a number of module_set_stamp; 0 after a change. */
    uint64_t stamp;
};

static inline void address_space_init(struct address_space *space)
{
    *space = (struct address_space){0};
}
void address_space_deinit(struct address_space *space);
/*
 * Removes all mappings, but keeps their memory; resets `stamp` and has_firmware, leaves the rest.
 */
void address_space_clear(struct address_space *space);
/* Does what address_space_clear does, and frees the memory of the mappings. */
void address_space_release(struct address_space *space);

/*
 * Adds a MAPPING_OFFSET mapping; cuts away the parts of others that it overlaps. BAD_DATA:
 * start_addr >= end_addr; NO_MEMORY.
 */
MUST_CHECK enum status address_space_add(struct address_space *space, uint64_t start_addr,
                                         uint64_t end_addr, uint64_t file_off,
                                         struct module *module);
/* Adds a copy of *mapping, with whatever anchor; otherwise as address_space_add. */
MUST_CHECK enum status address_space_put(struct address_space *space,
                                         const struct mapping *mapping);
MUST_CHECK enum status address_space_remove(struct address_space *space, uint64_t start_addr,
                                            uint64_t end_addr);

/*
 * Returns the mapping that holds `addr`, or NULL; owned by the space, valid until it changes. O(log
 * n).
 */
struct mapping *address_space_find(const struct address_space *space, uint64_t addr);

/*
 * Sets *vaddr to the address in the ELF file of the run-time address `addr`; opens the module when
 * needed. False: no load bias is known, and *vaddr is the file offset, or `addr` itself for
 * MODULE_ANON.
 */
bool mapping_vaddr(struct module_set *set, struct mapping *mapping, uint64_t addr, uint64_t *vaddr);

#endif
