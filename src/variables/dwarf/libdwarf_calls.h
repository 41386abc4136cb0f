/* SPDX-License-Identifier: MIT */
/*
 * libdwarf, loaded when variables are first asked for: runs that tell none do without it. Called in
 * the child only (child.h).
 */
#ifndef VARIABLES_DWARF_LIBDWARF_CALLS_H
#define VARIABLES_DWARF_LIBDWARF_CALLS_H

#include <libdwarf.h>

/* X(name): dwarf_name of libdwarf.h. */
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
    X(get_ranges_b)                                                                                \
    X(ranges_dealloc)                                                                              \
    X(rnglists_get_rle_head)                                                                       \
    X(get_rnglists_entry_fields_a)                                                                 \
    X(dealloc_rnglists_head)                                                                       \
    X(get_loclist_c)                                                                               \
    X(get_locdesc_entry_d)                                                                         \
    X(get_location_op_value_c)                                                                     \
    X(loc_head_c_dealloc)                                                                          \
    X(loclist_from_expr_c)                                                                         \
    X(debug_addr_index_to_addr)                                                                    \
    X(get_debugfission_for_die)                                                                    \
    X(srclines_b)                                                                                  \
    X(srclines_from_linecontext)                                                                   \
    X(srclines_dealloc_b)                                                                          \
    X(lineaddr)                                                                                    \
    X(lineno)                                                                                      \
    X(lineendsequence)                                                                             \
    X(prologue_end_etc)                                                                            \
    X(dealloc)                                                                                     \
    X(dealloc_die)                                                                                 \
    X(dealloc_attribute)                                                                           \
    X(dealloc_error)

struct libdwarf_calls { /* each as in libdwarf.h */
#define LIBDWARF_CALL(name) __typeof__(dwarf_##name) *name;
    LIBDWARF_CALLS(LIBDWARF_CALL)
#undef LIBDWARF_CALL
};

/* For any thread. NULL: it cannot be loaded, and libdwarf_problem says why. */
const struct libdwarf_calls *libdwarf_calls(void);

/* Why it could not be loaded when that was tried; NULL: it could, or was not. */
const char *libdwarf_problem(void);

#endif
