/* SPDX-License-Identifier: MIT */
/*
 * What an ELF file says of where its debug information is (gdb's manual, "Debugging Information in
 * Separate Files"): a file beside it (.gnu_debuglink), and what dwz moved out of several
 * (.gnu_debugaltlink). Section headers are read from the file; all of it is untrusted.
 */
#ifndef CAPTURE_PTRACE_ELF_LINKS_H
#define CAPTURE_PTRACE_ELF_LINKS_H

#include <stdint.h>

#include "snapshot/elf_file.h"

#define ELF_LINK_MAX 1024 /* bytes of a name, with its end */

struct elf_links {
    struct build_id id;        /* the file's own, as section headers tell it, of debug files, too */
    char debug[ELF_LINK_MAX];  /* a name without directory; "": none */
    uint32_t debug_crc;        /* CRC-32 of that file */
    char shared[ELF_LINK_MAX]; /* a path, from the file's directory on if relative; "": none */
    struct build_id shared_id;
};

/* What cannot be read is none. */
void elf_links_read(int fd, struct elf_links *out);

#endif
