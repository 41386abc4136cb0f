/* SPDX-License-Identifier: MIT */
/*
 * OUTPUT_FORMATS(X) expands X(id) for each format, in the order of --help; id is the name with '_'
 * for '-'. All look-ups and the lists in --help come from here; see format.h.
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
