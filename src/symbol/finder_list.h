/* SPDX-License-Identifier: MIT */
/*
 * FILE_FINDERS(X) expands X(id) for each finder (finder.h), in the order in which they are asked:
 *
 *     code        the bytes of a CODE record: the vDSO                       find_input.c
 *     given       the files of --elf                                         given_files.c
 *     offered     the files that the input carries: a bundle                 find_input.c
 *     target      the module's path, below --sysroot; or what the live process has mapped:
 *                 /proc/PID/map_files, its root directory, /proc/PID/exe     find_target.c
 *     perf_cache  perf's copies, ~/.debug/.build-id                          find_build_id.c
 *     fetched     debuginfod servers                                         find_build_id.c
 */
#ifndef SYMBOL_FINDER_LIST_H
#define SYMBOL_FINDER_LIST_H

#define FILE_FINDERS(X)                                                                            \
    X(code)                                                                                        \
    X(given)                                                                                       \
    X(offered)                                                                                     \
    X(target)                                                                                      \
    X(perf_cache)                                                                                  \
    X(fetched)

#endif
