/* SPDX-License-Identifier: MIT */
/*
 * Reads from an ELF file's section headers where its debug information is (gdb's manual, "Debugging
 * Information in Separate Files"): in a file beside it (.gnu_debuglink), and in a file that dwz
 * shares between several (.gnu_debugaltlink). All of it is untrusted.
 */
#ifndef CAPTURE_PTRACE_ELF_LINKS_H
#define CAPTURE_PTRACE_ELF_LINKS_H

#include <stdint.h>

#include "snapshot/elf_file.h"

#define ELF_LINK_MAX 1024 /* bytes of a name, with its NUL */

struct elf_links {
    struct build_id id;        /* the file's own build-id, by its sections, in debug files, too */
    char debug[ELF_LINK_MAX];  /* a name without directory; "": none */
    uint32_t debug_crc;        /* CRC-32 of that file */
    char shared[ELF_LINK_MAX]; /* a path, from the file's directory on if relative; "": none */
    struct build_id shared_id;
};

/* Fills `out`; links that cannot be read are empty. */
void elf_links_read(int fd, struct elf_links *out);

#endif
