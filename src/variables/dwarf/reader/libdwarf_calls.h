/* SPDX-License-Identifier: MIT */
/*
 * Loads libdwarf when variables are first asked for, so that other runs do without it. libdwarf's
 * functions are called in the child only (child.h).
 */
#ifndef VARIABLES_DWARF_READER_LIBDWARF_CALLS_H
#define VARIABLES_DWARF_READER_LIBDWARF_CALLS_H

#include <dwarf.h>
#include <libdwarf.h>

/*
 * Gives names of libdwarf 0.3 and later to what the release 20210528, which Debian 12 and Ubuntu
 * 22.04 have, calls otherwise.
 */
#ifdef CG_LIBDWARF_20210528
#define dwarf_dealloc_ranges     dwarf_ranges_dealloc
#define dwarf_dealloc_loc_head_c dwarf_loc_head_c_dealloc
typedef Dwarf_Obj_Access_Interface Dwarf_Obj_Access_Interface_a;
typedef Dwarf_Obj_Access_Methods Dwarf_Obj_Access_Methods_a;
typedef Dwarf_Obj_Access_Section Dwarf_Obj_Access_Section_a;
#define ai_object            object
#define ai_methods           methods
#define as_name              name
#define as_size              size
#define om_get_section_info  get_section_info
#define om_get_byte_order    get_byte_order
#define om_get_length_size   get_length_size
#define om_get_pointer_size  get_pointer_size
#define om_get_section_count get_section_count
#define om_load_section      load_section
typedef Dwarf_Half libdwarf_section; /* number of a section */
typedef Dwarf_Endianness libdwarf_byte_order;
#define LIBDWARF_LITTLE_ENDIAN DW_OBJECT_LSB
#else
typedef Dwarf_Unsigned libdwarf_section;
typedef Dwarf_Small libdwarf_byte_order;
#define LIBDWARF_LITTLE_ENDIAN DW_END_little
#endif

/* The functions of libdwarf that are used: X(name) for each dwarf_name of libdwarf.h. */
#define LIBDWARF_CALLS(X)                                                                          \
    X(object_init_b)                                                                               \
    X(set_tied_dbg)                                                                                \
    X(set_de_alloc_flag)                                                                           \
    X(next_cu_header_d)                                                                            \
    X(siblingof_b)                                                                                 \
    X(child)                                                                                       \
    X(offdie_b)                                                                                    \
    X(tag)                                                                                         \
    X(dieoffset)                                                                                   \
    X(attr)                                                                                        \
    X(hasattr)                                                                                     \
    X(whatform)                                                                                    \
    X(global_formref)                                                                              \
    X(formsig8)                                                                                    \
    X(formudata)                                                                                   \
    X(formsdata)                                                                                   \
    X(formflag)                                                                                    \
    X(formstring)                                                                                  \
    X(formaddr)                                                                                    \
    X(formblock)                                                                                   \
    X(formexprloc)                                                                                 \
    X(formdata16)                                                                                  \
    X(highpc_b)                                                                                    \
    X(get_loclist_c)                                                                               \
    X(get_locdesc_entry_d)                                                                         \
    X(get_location_op_value_c)                                                                     \
    X(dealloc_loc_head_c)                                                                          \
    X(loclist_from_expr_c)                                                                         \
    X(debug_addr_index_to_addr)                                                                    \
    X(get_debugfission_for_die)                                                                    \
    X(dealloc)                                                                                     \
    X(dealloc_die)                                                                                 \
    X(dealloc_attribute)                                                                           \
    X(dealloc_error)

struct libdwarf_calls { /* pointers to the functions of libdwarf.h, without "dwarf_" */
#define LIBDWARF_CALL(name) __typeof__(dwarf_##name) *name;
    LIBDWARF_CALLS(LIBDWARF_CALL)
#undef LIBDWARF_CALL
};

/*
 * Returns libdwarf's functions; loads it at the first call. Thread-safe. NULL: it cannot be loaded
 * (libdwarf_problem).
 */
const struct libdwarf_calls *libdwarf_calls(void);

/*
 * Returns why libdwarf could not be loaded; NULL: it was loaded, or libdwarf_calls was not called
 * yet.
 */
const char *libdwarf_problem(void);

#endif
