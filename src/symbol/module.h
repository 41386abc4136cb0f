/* SPDX-License-Identifier: MIT */
/*
 * Modules: the ELF files a target has mapped, and the address spaces they are mapped into.
 *
 * A module is what a snapshot's MAP records call one file: same path, same build-id. Without
 * build-id it is one for each process whose memory is at hand: of which build that is has to be
 * found out for each. Its ELF file
 * is looked for when first needed: the vDSO's bytes from the snapshot; --elf files (by build-id,
 * else by name or by contents); what the snapshot brings along; below --sysroot; the path itself;
 * what a process that still runs has mapped. A file whose build-id differs from the snapshot's is
 * refused (and the search goes on); that is kept in `problem`. So is, where one of the two has no
 * build-id, a file whose contents differ from the process's memory (agreement.h), where that is at
 * hand.
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
    MODULE_KERNEL = 5, /* the target's kernel: its addresses stand for themselves */
    MODULE_JIT = 6,    /* functions made at run time, of all processes: jit_map.h */
    MODULE_NOTE = 7,   /* no code: its path is said in place of a chain that is not known */
};

enum module_state {
    MODULE_UNTRIED,
    MODULE_OPEN,    /* image is there */
    MODULE_MISSING, /* no file found, `problem` says what to fetch */
    MODULE_REFUSED, /* only files with another build-id or damaged ones, `problem` says which */
};

struct debug_lines;  /* lines.h */
struct data_symbols; /* data_symbols.h */
struct gopclntab;    /* elf/gopclntab.h */
struct jit_map;      /* jit_map.h */
struct kallsyms;     /* kallsyms.h */
struct live;         /* fetch/live.h */
struct made_rows;    /* unwind/made_rows.h */
struct offers;       /* offers.h */
struct settled_data; /* elf/settled_data.h */

/*
 * What is known of how a mapping lies to its file's addresses: its offset in the file; or the
 * run-time address minus vaddr; or the run-time address of the file's entry point.
 */
enum mapping_anchor { MAPPING_OFFSET, MAPPING_BIAS, MAPPING_ENTRY };

struct module;

struct mapping { /* of a module, in an address space */
    uint64_t start_addr, end_addr, file_off;
    struct module *module;
    enum mapping_anchor anchor;
    uint64_t anchor_addr; /* of BIAS and ENTRY; file_off only stands for the offset then */
    uint64_t bias;        /* run-time address minus vaddr; valid when bias_known */
    bool bias_known, bias_tried;
    uint32_t code_id; /* for whoever keeps its code, 0: none does */
};

struct module_extent { /* of the executable segments of a file, from the first to the last */
    uint64_t start_vaddr, limit_vaddr, file_off;
};

/* Where it was mapped: one of the places, of a process that may live. */
struct module_origin {
    uint32_t pid; /* 0: not known */
    uint64_t start_addr, end_addr, dev, inode;
};

struct module {
    uint32_t id; /* index in its set: 0, 1, 2 … */
    enum module_kind kind;
    enum module_state state;
    bool deleted;
    /* Without build-id: it is the file of this device and inode, or of this process, alone. */
    bool is_exact;
    uint64_t process; /* whose memory is at hand, by number; 0: none */
    bool is_live;     /* its image is the file of a process that still runs */
    struct module_origin origin;
    /* What is told of it is told of that one, as of the same file of another process; NULL: not. */
    struct module *stand_in;
    bool is_offered; /* its image is one that an input brought along */
    /* Of a board: the --elf file to be used for it, of whatever name; borrowed; NULL: not told. */
    const char *chosen_path;
    bool is_insisted; /* its image was given: it is used although the board contradicts it */
    bool is_doubted;  /* `problem` says so, as long as no code of the snapshot speaks for it */
    bool code_given;  /* the snapshot has code of it, which need not be all of it */
    char *path;       /* as the target sees it; "[vdso]"; "[anon]" */
    uint8_t build_id[64];
    uint8_t build_id_size;
    struct elf_image *image; /* module_open */
    /*
     * `where` is valid: the first of its mappings in the process that is being read, or, if it is
     * the process's executable, the one with the entry point
     */
    bool is_placed, is_executable;
    struct mapping where;
    bool extent_told; /* by a profile, which stands for the file: */
    struct module_extent extent;
    /*
     * MISSING, REFUSED; also OPEN, with what[0], when an --elf file was refused on the way, or it
     * is not sure that the file is the right one (agreement.h), else when not all of the file is
     * there (elf_damage.h) or its .ARM.exidx cannot be used
     */
    struct diag problem;
    /* Private to symbol/: */
    uint8_t *code; /* the bytes of a CODE record */
    size_t code_size;
    struct elf_image *refused;        /* what was its image; kept for whoever has something of it */
    struct elf_image *debug, *shared; /* separate debug file; what dwz moved out of it */
    struct symtab *symtab;
    struct data_symbols *data_symbols;
    struct settled_data *settled_data;
    struct debug_lines *lines;
    struct gopclntab *gopclntab;
    bool debug_tried, shared_tried, symtab_tried, data_symbols_tried, lines_tried, gopclntab_tried;
    bool settled_data_tried;
    /* Of MODULE_KERNEL: */
    char *kernel_symbol; /* one of its symbols, and where it was; NULL: not known */
    uint64_t kernel_symbol_addr;
    bool kernel_is_this, kallsyms_tried;
    struct kallsyms *kallsyms;
    struct pool jit_names; /* of MODULE_JIT */
};

struct module_options { /* all borrowed, must outlive the set */
    const char *const *elf_files;
    size_t elf_file_count;
    const char *sysroot; /* NULL: none; given: paths outside it are not used */
    const char *const *debug_dirs;
    const char *kallsyms;    /* the kernel's symbols; NULL: to be looked for */
    size_t debug_dir_count;  /* 0: /usr/lib/debug (below the sysroot when there is one) */
    const struct arch *arch; /* files for another architecture are refused; NULL: any will do */
    struct cache *cache;     /* of inflated sections; NULL: none */
    struct fetcher *fetcher; /* of what is not found; NULL: none */
    struct live *live;       /* files of processes that still run; NULL: none are looked for */
    struct offers *offers;   /* what inputs bring along; NULL: nothing */
};

struct module_set;

MUST_CHECK enum status module_set_create(const struct module_options *options,
                                         struct module_set **out);
void module_set_destroy(struct module_set *set);

/*
 * The process whose mappings come next; copied. Its `read` may be called until this is given anew;
 * a zeroed one: there is none (any more).
 */
void module_set_memory(struct module_set *set, const struct process_memory *memory);

/*
 * The module is, in that process, at this place, among others. `is_executable`: it is the process's
 * executable, if that is known otherwise than by the entry point.
 */
void module_set_place(struct module_set *set, const struct mapping *mapping, bool is_executable);

/* Another number each time, from 1 on. */
uint64_t module_set_stamp(struct module_set *set);

/* Finds or adds. Modules live as long as the set and never move. */
MUST_CHECK enum status module_set_get(struct module_set *set, enum module_kind kind,
                                      const char *path, const uint8_t *build_id,
                                      size_t build_id_size, bool deleted, struct module **out);

/* A mapping of one. */
struct module_map {
    enum module_kind kind;
    const char *path;
    const uint8_t *build_id;
    size_t build_id_size;
    bool deleted;
    bool is_exact; /* two files without build-id that have had this path are two modules */
    struct module_origin origin;
};

/* The same, and says where it was mapped. */
MUST_CHECK enum status module_set_get_mapped(struct module_set *set, const struct module_map *map,
                                             struct module **out);

/* The module of all functions that were made at run time and have a name; added when asked for. */
MUST_CHECK enum status module_set_jit(struct module_set *set, struct module **out);

size_t module_set_count(const struct module_set *set);
struct module *module_set_at(const struct module_set *set, size_t index);

/*
 * --elf files that matched no module so far, for a warning at the end: the i-th of them, or NULL.
 * *why (may be NULL) is filled when it cannot be used at all, else its what is empty.
 */
const char *module_set_unused_elf(const struct module_set *set, size_t index, struct diag *why);

/* The i-th program, which is no library, among the --elf files; NULL: there are no more. */
struct elf_image *module_set_program(const struct module_set *set, size_t index);
/* It has been looked at whether it is the right one: no need to tell that it served nothing. */
void module_set_use_program(struct module_set *set, size_t index);

/* The same one is to be the module's, which was not opened yet, whatever it is called. */
void module_set_choose(struct module_set *set, struct module *module, size_t index);
/* Its image, of which nobody knows anything yet, is another's. */
void module_refuse_image(struct module *module, const struct diag *why);

/* Gives a module (the vDSO) its bytes from the snapshot; copied. First one wins. */
MUST_CHECK enum status module_set_code(struct module *module, const uint8_t *bytes, size_t size);

/*
 * Says which kernel a MODULE_KERNEL is besides its build-id: the address of one of its symbols
 * (NULL: not known), and whether it is the one that runs here as far as names tell. First one wins.
 */
MUST_CHECK enum status module_set_kernel(struct module *module, const char *symbol,
                                         uint64_t symbol_addr, bool is_this);

/* Does the dynamic linker change the code and constants of its file (DT_TEXTREL)? */
bool module_changes_text(const struct module *module);

/* The names of a MODULE_KERNEL's functions; NULL: not found, `problem` says why. */
const struct kallsyms *module_kallsyms(struct module_set *set, struct module *module);

/*
 * Opens another file of the target's that the snapshot names, where its modules are looked for too:
 * below the sysroot, or at the path itself. A descriptor, the caller's; -1: there is no such
 * regular file that can be read.
 */
int module_set_open_file(const struct module_set *set, const char *path);
/* Is it one below a sysroot then? */
bool module_set_has_sysroot(const struct module_set *set);

/* The one that functions are told of: once opened, modules of one file are one. */
static inline struct module *module_told(struct module *module)
{
    return module && module->stand_in ? module->stand_in : module;
}

/* Opens the image when that was not tried. OK with module->image set, or NOT_FOUND. */
MUST_CHECK enum status module_open(struct module_set *set, struct module *module);

/*
 * The separate debug file: an --elf file of the module's build-id that holds no code, else by
 * build-id, then by .gnu_debuglink with its CRC; NULL when there is none.
 */
struct elf_image *module_debug_image(struct module_set *set, struct module *module);

/* NULL when the module has no image. */
const struct symtab *module_symtab(struct module_set *set, struct module *module);

/* Its variables; NULL when the module has no image. */
const struct data_symbols *module_data_symbols(struct module_set *set, struct module *module);

/* Its constants that are in memory as in the file; NULL when nothing is sure. */
const struct settled_data *module_settled_data(struct module_set *set, struct module *module);

/*
 * The file that has the DWARF: the module's own, or its separate debug file; NULL when there is
 * none. *shared: what dwz moved out of it, or NULL. Both are the module's.
 */
struct elf_image *module_dwarf_image(struct module_set *set, struct module *module,
                                     struct elf_image **shared);

/* The DWARF of the file or of its separate debug file; NULL when there is none. */
struct debug_lines *module_lines(struct module_set *set, struct module *module);

/* What Go's runtime knows of its functions; NULL when there is none that can be read. */
const struct gopclntab *module_gopclntab(struct module_set *set, struct module *module);

/* The path of the file with the DWARF when not all that was asked for was read of it; else NULL. */
const char *module_lines_cut_short(const struct module *module);

/* Address spaces: which module is where, per process. */
/* What is known of a board without Linux; FORMAT.md, type 21, has the meaning. */
struct board_space {
    bool is_board;
    uint8_t profile; /* enum snap_profile */
    uint64_t vectors_addr, initial_sp, reset_addr;
};

struct address_space {
    struct mapping *mappings; /* sorted by address, disjoint */
    size_t count, cap;
    /* Functions made at run time; borrowed, NULL: none are told. */
    struct jit_map *jit;
    struct made_rows *made_rows; /* the same of their rows */
    /* the bits of a code address that may hold an authentication code; 0: none */
    uint64_t pac_mask;
    struct board_space board;
    bool has_firmware; /* graph/firmware.h has nothing to do */
    /*
     * For whoever keeps what an address of this space is: a module_set_stamp for as long as that
     * holds; 0 after any change.
     */
    uint64_t stamp;
};

static inline void address_space_init(struct address_space *space)
{
    *space = (struct address_space){0};
}
void address_space_deinit(struct address_space *space);
/* No mappings any more. All else that is known of the space stays. */
void address_space_clear(struct address_space *space);
/* The same, and their room is given back. */
void address_space_release(struct address_space *space);

/* Adds a mapping; what it overlaps is cut away. BAD_DATA when start >= end. */
MUST_CHECK enum status address_space_add(struct address_space *space, uint64_t start_addr,
                                         uint64_t end_addr, uint64_t file_off,
                                         struct module *module);
/* The same for a mapping as it is described: its addresses, offset, module and anchor. */
MUST_CHECK enum status address_space_put(struct address_space *space,
                                         const struct mapping *mapping);
MUST_CHECK enum status address_space_remove(struct address_space *space, uint64_t start_addr,
                                            uint64_t end_addr);

/* The mapping that holds `addr`, or NULL. Valid until the space changes. O(log n). */
struct mapping *address_space_find(const struct address_space *space, uint64_t addr);

/*
 * The address in the ELF file: opens the module when needed and uses the segment that was mapped.
 * Without image: the file offset, with false. MODULE_ANON: the address itself, with false.
 */
bool mapping_vaddr(struct module_set *set, struct mapping *mapping, uint64_t addr, uint64_t *vaddr);

#endif
