/* SPDX-License-Identifier: MIT */
/*
 * A module stands for one file that processes have mapped (file_identity.h): same path, same
 * build-id. A file without build-id is one module for each process whose memory is at hand, since
 * each may have had another build.
 *
 *     file         what the target tells of it                       file_identity.h
 *     image        its ELF file, looked for when first needed        finder.h
 *     parts        what is read of it when first needed              lazy_parts.h
 *
 * module_open looks for the ELF file in the order of finder_list.h. A file with another build-id
 * than the snapshot's, or without one and with other contents than the process's memory
 * (agreement.h), is refused: `problem` says so, and the search goes on.
 *
 * Modules belong to a module_set (module_set.h). Nothing in them is locked, `problem` and parts
 * neither: one thread at a time uses a module. symbolizer_prepare opens modules first, and then
 * gives each of its threads whole ones.
 */
#ifndef SYMBOL_MODULE_H
#define SYMBOL_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/file_pieces.h"
#include "base/index.h"
#include "base/status.h"
#include "symbol/elf/elf_image.h"
#include "symbol/file_identity.h"
#include "symbol/lazy_parts.h"

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

enum image_place {
    IMAGE_HERE,     /* a file on this machine */
    IMAGE_IN_INPUT, /* the input carries it */
    IMAGE_LIVE,     /* opened through a live process (/proc/PID/map_files) */
};

/*
 * A mapping's load bias follows from file_off (OFFSET), is anchor_addr (BIAS), or follows from
 * anchor_addr, the run-time address of the file's entry point (ENTRY).
 */
enum mapping_anchor { MAPPING_OFFSET, MAPPING_BIAS, MAPPING_ENTRY };

enum bias_state { BIAS_UNTRIED, BIAS_KNOWN, BIAS_UNKNOWN };

struct mapping { /* a range of a module's addresses, in an address space (address_space.h) */
    uint64_t start_addr, end_addr, file_off;
    struct module *module;
    enum mapping_anchor anchor;
    uint64_t anchor_addr; /* BIAS, ENTRY: see mapping_anchor; file_off may be wrong then */
    enum bias_state bias_state;
    uint64_t bias; /* run-time address minus vaddr; valid if BIAS_KNOWN */
    /* The unwinder's: a number that symbol/ copies with the mapping, and does not read. */
    uint32_t code_id;
};

struct module_extent { /* from the first executable segment of a file to the end of the last */
    uint64_t start_vaddr, limit_vaddr, file_off;
};

/* The place of the module in the process being read. */
struct module_place {
    /*
     * The module's first mapping, or the one with the entry point if there is one; end_addr 0: it
     * has none.
     */
    struct mapping where;
    bool is_executable; /* the module is the process's executable */
};

struct board_choice { /* what boards/firmware decided on a board's module */
    /* path of the --elf file that module_set_choose chose, whatever its name; borrowed; or NULL */
    const char *path;
    /* `image` was given for this module by name: it is used although the board contradicts it */
    bool is_insisted;
    /* `problem` says that `image` may be the wrong file; code in the snapshot can clear it */
    bool is_doubted;
};

struct module_kernel { /* what identifies a kernel besides its build-id: module_set_kernel */
    char *symbol;      /* name of one of its symbols; "": not known; NULL: nothing was told */
    uint64_t symbol_addr;
    bool is_this;
};

struct module {
    uint32_t id; /* the module's index in its module_set */
    enum module_kind kind;
    enum module_state state;
    enum image_place image_place;
    struct file_identity file; /* owned */
    struct elf_image *image;   /* the module's opened file, set by module_open; owned */
    /*
     * MISSING, REFUSED: why. OPEN, when what[0] is set: an --elf file was refused before, or the
     * file may be the wrong one (agreement.h), is damaged (elf_damage.h), or has a bad .ARM.exidx.
     */
    struct diag problem;
    /*
     * Names and lines are looked up in this module instead (same file, another process); NULL: in
     * this module itself.
     */
    struct module *stand_in;
    struct module_place place;
    struct board_choice choice;
    /* read from a profile, whose file need not be at hand; limit_vaddr 0: not known */
    struct module_extent extent;
    bool code_given;       /* the snapshot has bytes of this module's code */
    struct pool jit_names; /* MODULE_JIT: names of the functions made at run time */
    /* Private to symbol/: */
    uint8_t *code; /* the bytes of a module that is a CODE record, code_size of them */
    size_t code_size;
    /* pieces of the code of a file without build-id, by file offset; owned; NULL: none */
    struct file_pieces *pieces;
    /* the `image` before module_refuse_image; kept since others may point into it */
    struct elf_image *refused;
    struct module_kernel kernel; /* MODULE_KERNEL */
    struct lazy_parts parts;
};

struct module_set;

/*
 * Finds and opens the module's ELF file at the first call. OK: module->image is set; NOT_FOUND: no
 * file that can be used, or the kind is KERNEL, JIT or NOTE.
 */
MUST_CHECK enum status module_open(struct module_set *set, struct module *module);

/*
 * Returns the module in which names and lines are looked up: `stand_in`, or the module itself; NULL
 * for NULL.
 */
static inline struct module *module_told(struct module *module)
{
    return module && module->stand_in ? module->stand_in : module;
}

/* Whether the image has a build-id that equals the module's; false if the image has none. */
bool module_has_build_id(const struct module *module, const struct elf_image *image);

/*
 * Whether the dynamic linker changes code and constants of the opened file (DT_TEXTREL). False also
 * without an open file.
 */
bool module_changes_text(const struct module *module);

/* Sets module->problem to *why, unless it is set. */
void module_note(struct module *module, const struct diag *why);
/*
 * Sets module->state to MODULE_REFUSED, and module->problem to *why. A module that is REFUSED
 * already keeps its problem.
 */
void module_refuse(struct module *module, const struct diag *why);
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
 * Gives a module without build-id a piece of its file's code, which is mapped by `mapping` at
 * `addr`: a file that lacks it is refused (piece_match.h). Pieces after module_open, and more than
 * FILE_PIECES, have no effect. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status module_add_piece(const struct mapping *mapping, uint64_t addr,
                                        const uint8_t *bytes, size_t size);

/*
 * Tells what identifies a kernel besides its build-id: name (NULL: not known) and address of one of
 * its symbols, and whether its host name and release are those of the kernel that runs here. Later
 * calls for the same module have no effect. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status module_set_kernel(struct module *module, const char *symbol,
                                         uint64_t symbol_addr, bool is_this);

/* Private to symbol/: make a module with a copy of *file, and free it. NULL: no memory. */
struct module *module_create(enum module_kind kind, const struct file_identity *file);
void module_destroy(struct module *module);

#endif
