/* SPDX-License-Identifier: MIT */
/*
 * Text that a program copied into memory of its own (huge pages, a memfd), at its old place:
 *
 *     r--p  lib.so                 whose program headers tell where its text is mapped,
 *     r-xp  no file, or a memfd    which is here,
 *     r--p  lib.so                 and the memory has the file's bytes.
 */
#ifndef CAPTURE_PTRACE_MOVED_TEXT_H
#define CAPTURE_PTRACE_MOVED_TEXT_H

#include <stdbool.h>
#include <sys/types.h>

#include "capture/ptrace/files.h"
#include "capture/target/maps.h"

/*
 * Looks for a file that is mapped beside maps->execs[exec] of the live thread `tid`, and of whose
 * text this memory is a copy. Fills `facts` with the file and the text's offset in it. False: there
 * is none, or a file did not answer in time, and then facts->is_unanswered is true.
 */
bool moved_text_find(struct files *files, pid_t tid, const struct maps *maps, size_t exec,
                     struct map_facts *facts);

#endif
