/* SPDX-License-Identifier: MIT */
/*
 * Reads from an ELF file's sections which other files have its debug information (gdb's manual,
 * "Debugging Information in Separate Files"): its debug file (.gnu_debuglink), and a file that dwz
 * shares between several (.gnu_debugaltlink). The file is untrusted.
 */
#ifndef CAPTURE_PTRACE_ELF_LINKS_H
#define CAPTURE_PTRACE_ELF_LINKS_H

#include <stdint.h>

#include "snapshot/elf_file.h"

#define ELF_LINK_MAX 1024 /* most bytes of a name, with its NUL */

struct elf_links {
    struct build_id id;        /* the file's own build-id, by its sections, also of a debug file */
    char debug[ELF_LINK_MAX];  /* name of its debug file, without directory; "": none */
    uint32_t debug_crc;        /* CRC-32 of the debug file */
    char shared[ELF_LINK_MAX]; /* path of dwz's file, relative to the file's directory; "": none */
    struct build_id shared_id; /* build-id of dwz's file */
};

/* Fills `out` from the ELF file `fd`; links that cannot be read are empty. */
void elf_links_read(int fd, struct elf_links *out);

#endif
