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
    MODULE_OPEN,    /* `image` is set */
    MODULE_MISSING, /* no file found; `problem` says what to pass */
    MODULE_REFUSED, /* only unfit or damaged files found; `problem` says which */
};

struct debug_lines;  /* lines.h */
struct data_symbols; /* data_symbols.h */
struct gopclntab;    /* elf/gopclntab.h */
struct jit_map;      /* jit_map.h */
struct kallsyms;     /* kallsyms.h */
struct live;         /* fetch/live.h */
struct made_rows;    /* runtime/jit/made_rows.h */
struct offers;       /* offers.h */
struct settled_data; /* elf/settled_data.h */

/*
 * How the load bias of a mapping is known: by its file offset, as itself, or by the run-time
 * address of the file's entry point.
 */
enum mapping_anchor { MAPPING_OFFSET, MAPPING_BIAS, MAPPING_ENTRY };

struct module;

struct mapping { /* a range of a module's addresses, in an address space */
    uint64_t start_addr, end_addr, file_off;
    struct module *module;
    enum mapping_anchor anchor;
    uint64_t anchor_addr; /* BIAS: the bias; ENTRY: the entry point; file_off may be wrong then */
    uint64_t bias;        /* run-time address minus vaddr; valid when bias_known */
    bool bias_known, bias_tried;
    uint32_t code_id; /* the unwinder's store of this mapping's code; 0: none */
};

struct module_extent { /* executable segments of a file, from the first to the last */
    uint64_t start_vaddr, limit_vaddr, file_off;
};

/* A mapping of the module in a process, which may be live. */
struct module_origin {
    uint32_t pid; /* 0: not known */
    uint64_t start_addr, end_addr, dev, inode;
};

struct module {
    uint32_t id; /* index in its set */
    enum module_kind kind;
    enum module_state state;
    bool deleted;
    /* No build-id: modules of this path differ by device, inode and process. */
    bool is_exact;
    uint64_t process; /* number of the process whose memory is at hand; 0: none */
    bool is_live;     /* `image` is the file of a live process */
    struct module_origin origin;
    /* Names and lines are looked up in this module (same file, another process); NULL: here. */
    struct module *stand_in;
    bool is_offered; /* `image` is a file that the input carries */
    /* Of a board: the --elf file chosen for it, of whatever name; borrowed; NULL: none. */
    const char *chosen_path;
    /* `image` was given for this module: used although the board contradicts it */
    bool is_insisted;
    bool is_doubted; /* `problem` notes a doubt that code of the snapshot may settle */
    bool code_given; /* the snapshot has some or all of its code */
    char *path;      /* as the target sees it; "[vdso]"; "[anon]" */
    uint8_t build_id[64];
    uint8_t build_id_size;
    struct elf_image *image; /* owned; set by module_open */
    /*
     * `where` is valid: the module's first mapping in the process being read, or, of the process's
     * executable, the one with the entry point.
     */
    bool is_placed, is_executable;
    struct mapping where;
    bool extent_told; /* `extent` is valid: a profile gives it in place of the file */
    struct module_extent extent;
    /*
     * MISSING, REFUSED: why. OPEN, when what[0] is set: an --elf file was refused before, or the
     * file may be the wrong one (agreement.h), is damaged (elf_damage.h), or has a bad .ARM.exidx.
     */
    struct diag problem;
    /* Private to symbol/: */
    uint8_t *code; /* the bytes of a CODE record */
    size_t code_size;
    struct elf_image *refused;        /* was `image`; kept since others may point into it */
    struct elf_image *debug, *shared; /* separate debug file; what dwz moved out of it */
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
    struct pool jit_names; /* of MODULE_JIT */
};

/* All pointers are borrowed and must outlive the set. */
struct module_options {
    const char *const *elf_files;
    size_t elf_file_count;
    const char *sysroot; /* NULL: none; else paths outside it are not used */
    const char *const *debug_dirs;
    const char *kallsyms;    /* the kernel's symbols; NULL: searched for */
    size_t debug_dir_count;  /* 0: /usr/lib/debug, below the sysroot if there is one */
    const struct arch *arch; /* files for another architecture are refused; NULL: any will do */
    struct cache *cache;     /* keeps inflated sections; NULL: none */
    struct fetcher *fetcher; /* fetches missing files; NULL: nothing is fetched */
    struct live *live;       /* opens files of live processes; NULL: none */
    struct offers *offers;   /* files that inputs carry; NULL: none */
};

struct module_set;

MUST_CHECK enum status module_set_create(const struct module_options *options,
                                         struct module_set **out);
void module_set_destroy(struct module_set *set);

/*
 * Begins the process whose mappings come next, with its memory; copied. The set calls `read` until
 * the next call. Zeroed: no memory. Clears is_placed and is_executable of all modules.
 */
void module_set_memory(struct module_set *set, const struct process_memory *memory);

/*
 * Tells one place of mapping->module in the process begun last. `is_executable`: it is the
 * process's executable; used where the entry point is not known.
 */
void module_set_place(struct module_set *set, const struct mapping *mapping, bool is_executable);

/* Returns a new number each time, from 1 on. */
uint64_t module_set_stamp(struct module_set *set);

/* Finds or adds a module, which lives as long as the set and never moves. Cuts long build-ids. */
MUST_CHECK enum status module_set_get(struct module_set *set, enum module_kind kind,
                                      const char *path, const uint8_t *build_id,
                                      size_t build_id_size, bool deleted, struct module **out);

struct module_map {
    enum module_kind kind;
    const char *path;
    const uint8_t *build_id;
    size_t build_id_size;
    bool deleted;
    bool is_exact; /* two files without build-id that had this path are two modules */
    struct module_origin origin;
};

/* The same from a mapping; sets the module's `origin` to the mapping's. */
MUST_CHECK enum status module_set_get_mapped(struct module_set *set, const struct module_map *map,
                                             struct module **out);

/* Finds or adds the one module of all functions made at run time that have a name. */
MUST_CHECK enum status module_set_jit(struct module_set *set, struct module **out);

size_t module_set_count(const struct module_set *set);
struct module *module_set_at(const struct module_set *set, size_t index);

/*
 * Returns the path of number `index` of the --elf files that no module has used so far; NULL: no
 * more. *why (may be NULL): why the file cannot be used at all; else its `what` is empty.
 */
const char *module_set_unused_elf(const struct module_set *set, size_t index, struct diag *why);

/* Returns number `index` of the programs among the --elf files; NULL: there are no more. */
struct elf_image *module_set_program(const struct module_set *set, size_t index);
/* Marks this program as used: module_set_unused_elf leaves it out. */
void module_set_use_program(struct module_set *set, size_t index);

/* Makes this program the file of `module`, which was not opened yet, whatever its name. */
void module_set_choose(struct module_set *set, struct module *module, size_t index);
/* Takes the image, unused so far, from the module, and marks the module as REFUSED for `why`. */
void module_refuse_image(struct module *module, const struct diag *why);

/* Gives a module (the vDSO) its bytes from the snapshot; copied. The first bytes stay. */
MUST_CHECK enum status module_set_code(struct module *module, const uint8_t *bytes, size_t size);

/*
 * Says by what, besides its build-id, the kernel is known: the address of one of its symbols (NULL:
 * not known), and whether by its names it is the one that runs here. The first call counts.
 */
MUST_CHECK enum status module_set_kernel(struct module *module, const char *symbol,
                                         uint64_t symbol_addr, bool is_this);

/* Does the dynamic linker change code and constants of the opened file (DT_TEXTREL)? */
bool module_changes_text(const struct module *module);

/* Returns the function names of a MODULE_KERNEL, read once; NULL: not found, `problem` says why. */
const struct kallsyms *module_kallsyms(struct module_set *set, struct module *module);

/*
 * Opens a file of the target's that the snapshot names: below the sysroot, or at the path itself.
 * Returns a descriptor, the caller's; -1: no such regular file, or it cannot be read.
 */
int module_set_open_file(const struct module_set *set, const char *path);
bool module_set_has_sysroot(const struct module_set *set);

/* Returns the module in which names are looked up: `stand_in`, or the module itself. */
static inline struct module *module_told(struct module *module)
{
    return module && module->stand_in ? module->stand_in : module;
}

/*
 * Opens the image, at the first call. OK: module->image is set; else NOT_FOUND, as always for
 * KERNEL, JIT and NOTE.
 */
MUST_CHECK enum status module_open(struct module_set *set, struct module *module);

/*
 * Opens the separate debug file, at the first call: an --elf file with the module's build-id and no
 * code, else as debug_file_open; NULL: none.
 */
struct elf_image *module_debug_image(struct module_set *set, struct module *module);

/* Returns the module's functions; NULL: no image, or no memory. */
const struct symtab *module_symtab(struct module_set *set, struct module *module);

/* Returns the module's variables; NULL: no image, or no memory. */
const struct data_symbols *module_data_symbols(struct module_set *set, struct module *module);

/* Returns which relocatable constants are in memory as in the file; NULL: nothing is certain. */
const struct settled_data *module_settled_data(struct module_set *set, struct module *module);

/*
 * Returns the file that has the DWARF: the module's own, or its separate debug file; NULL: none.
 * Sets *shared to what dwz moved out of it, or NULL. The module owns both.
 */
struct elf_image *module_dwarf_image(struct module_set *set, struct module *module,
                                     struct elf_image **shared);

/* Returns the DWARF of that file; NULL: none. */
struct debug_lines *module_lines(struct module_set *set, struct module *module);

/* Returns Go's table of the module's functions; NULL: none that can be read. */
const struct gopclntab *module_gopclntab(struct module_set *set, struct module *module);

/*
 * Returns the path of the file with the DWARF when a limit left out something that was asked for;
 * else NULL (debug_lines_cut_short).
 */
const char *module_lines_cut_short(const struct module *module);

/* A board without Linux; FORMAT.md, type 21, has the meaning of each member. */
struct board_space {
    bool is_board;
    uint8_t profile; /* enum snap_profile */
    uint64_t vectors_addr, initial_sp, reset_addr;
};

struct address_space {
    struct mapping *mappings; /* sorted by address, disjoint */
    size_t count, cap;
    /* Functions made at run time, and their rows; borrowed; NULL: none. */
    struct jit_map *jit;
    struct made_rows *made_rows;
    /* Bits of a code address that may hold an authentication code; 0: none. */
    uint64_t pac_mask;
    struct board_space board;
    bool
        has_firmware; /* boards/firmware/firmware.h has placed the programs; false after a change */
    /* For caches by address: a module_set_stamp, valid until a change makes it 0. */
    uint64_t stamp;
};

static inline void address_space_init(struct address_space *space)
{
    *space = (struct address_space){0};
}
void address_space_deinit(struct address_space *space);
/* Removes all mappings; resets `stamp` and has_firmware, leaves the rest. */
void address_space_clear(struct address_space *space);
/* The same, and frees the memory of the mappings. */
void address_space_release(struct address_space *space);

/* Adds a mapping anchored by its offset; cuts away what it overlaps. BAD_DATA: start >= end. */
MUST_CHECK enum status address_space_add(struct address_space *space, uint64_t start_addr,
                                         uint64_t end_addr, uint64_t file_off,
                                         struct module *module);
/* The same for a mapping with any anchor, copied whole. */
MUST_CHECK enum status address_space_put(struct address_space *space,
                                         const struct mapping *mapping);
MUST_CHECK enum status address_space_remove(struct address_space *space, uint64_t start_addr,
                                            uint64_t end_addr);

/* The mapping that holds `addr`, or NULL. Valid until the space changes. O(log n). */
struct mapping *address_space_find(const struct address_space *space, uint64_t addr);

/*
 * Converts a run-time address to one in the ELF file; opens the module when needed. Without a load
 * bias returns false and gives the file offset, of MODULE_ANON the address itself.
 */
bool mapping_vaddr(struct module_set *set, struct mapping *mapping, uint64_t addr, uint64_t *vaddr);

#endif
