/* SPDX-License-Identifier: MIT */
/*
 * The formats, in the order of --help, one line each: X(id), the name with '_' for '-'. All lookups
 * and the lists in --help come from here; see format.h.
 */
#ifndef OUTPUT_FORMAT_LIST_H
#define OUTPUT_FORMAT_LIST_H

#define OUTPUT_FORMATS(X)                                                                          \
    X(tree)                                                                                        \
    X(top)                                                                                         \
    X(chains)                                                                                      \
    X(flame)                                                                                       \
    X(folded)                                                                                      \
    X(dot)                                                                                         \
    X(svg)                                                                                         \
    X(png)                                                                                         \
    X(pdf)                                                                                         \
    X(html)                                                                                        \
    X(json)                                                                                        \
    X(pprof)                                                                                       \
    X(callgrind)                                                                                   \
    X(perf_script)                                                                                 \
    X(threads)                                                                                     \
    X(threads_json)                                                                                \
    X(threads_dot)                                                                                 \
    X(threads_svg)                                                                                 \
    X(stats)                                                                                       \
    X(waits)                                                                                       \
    X(waits_dot)                                                                                   \
    X(waits_svg)                                                                                   \
    X(timeline_svg)                                                                                \
    X(chrome)

#endif
